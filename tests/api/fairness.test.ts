import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AttackedServer,
  consoleHost,
  programHost,
  startAttackedServer,
  type Watching,
} from '../support/attacked-server.ts'
import type { Load } from '../support/load-client.ts'
import { scaled } from '../support/scale.ts'
import { startLoad } from '../support/start-load.ts'

/** What another client, at another address, requests during an attack. */
const watching: Watching = {
  watched: [{ path: '/api/ProgramVersion' }, { path: '/login' }, { path: '/sign-in', host: consoleHost }],
  // A short attack is over after a few hundred requests of others, some of which arrive while it opens its connections.
  quantile: scaled({ full: 0.99, short: 0.9 }),
  from: '127.0.0.2',
}

let server: AttackedServer

beforeAll(async () => {
  server = await startAttackedServer()
  for (const each of watching.watched) await server.waits(each, 200, { from: '127.0.0.2' })
})
afterAll(() => server?.stop())

/** An id that no session has: it is looked up in the database. */
const invented = `__Host-sid=${'A'.repeat(43)}`

/** A request that needs the database. */
const watchingDatabase: Watching = {
  ...watching,
  watched: [{ path: '/api/ProgramVersion', headers: { cookie: invented } }],
}

const long = 'a'.repeat(5_900)
const responses = scaled({ full: 6_000, short: 1_000 })

const attacks: Record<string, Pick<Load, 'paths'> & Partial<Load> & { times?: number }> = {
  '300 connections that ask for ever new pages': { paths: ['/search?location=10001&x=*'] },
  '300 connections that pipeline nine long addresses': {
    paths: [`/search?location=10001&x=*&y=${long}`],
    pipelined: 9,
  },
  '300 connections that ask for pages and read them slowly': { paths: ['/search?location=10001&slow=*'], isSlow: true },
  '300 connections that search with ever new words': {
    paths: ['/api/v2/Merchants/Search?location=10001&restaurantOrCuisine=pizza*'],
    times: 10,
  },
  '300 connections that ask for addresses that do not exist': { paths: ['/api/nothing/*'], times: 10 },
}

test.each(Object.entries(attacks))(
  'Case 95 %s do not slow the clients of other networks',
  async (_name, { times = 1, ...attack }) => {
    const { statuses, withoutRetryAfter } = await server.under(watching, () =>
      startLoad({
        port: server.port,
        host: programHost,
        from: '127.0.0.1',
        connections: 300,
        pipelined: 1,
        responses: responses * times,
        ...attack,
      }),
    )
    if (process.env.ATTACK_REPORT) process.stdout.write(`   ${JSON.stringify(statuses)}\n`)
    expect(withoutRetryAfter).toBe(0)
    expect(Object.keys(statuses).filter((status) => !['200', '404', '503'].includes(status))).toEqual([])
  },
)

test('Case 147 300 connections whose requests need the database do not slow those of other networks', async () => {
  const { statuses } = await server.under(watchingDatabase, () =>
    startLoad({
      port: server.port,
      host: programHost,
      from: '127.0.0.1',
      connections: 300,
      pipelined: 1,
      responses: responses * 10,
      paths: ['/api/ProgramVersion'],
      headers: [`cookie: ${invented}`],
    }),
  )
  expect(Object.keys(statuses).filter((status) => status !== '200')).toEqual([])
})

test('Case 96 an office of 500 people behind one address gets all its pages', async () => {
  const paths = ['/', '/api/ProgramVersion', '/search?location=10001&visit=*', '/how-it-works', '/login', '/join']
  const people = scaled({ full: 500, short: 100 })
  const result = await startLoad({
    port: server.port,
    host: programHost,
    from: '127.0.0.1',
    // As many are looking for something at the same moment.
    connections: 40,
    pipelined: 1,
    paths,
    perConnection: paths.length,
    responses: people * paths.length,
  })
  expect(result.statuses).toEqual({ 200: people * paths.length })
})
