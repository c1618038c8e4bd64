import { createServer, request, type Server } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxExchangesPerDay } from '../../src/rewards/cards/rules.ts'
import { startTestApp, type TestApp, visit, withoutBotCheck } from '../support/app.ts'
import { freePort } from '../support/free-port.ts'
import { cardForm, newMember, seal } from '../support/members.ts'
import { scaled } from '../support/scale.ts'
import { cardNumber } from '../support/sealed-card.ts'

let app: TestApp
let proxy: Server
let exchanges = 0

// A counter between the app and its vault counts the cards that reach the vault.
beforeAll(async () => {
  const port = await freePort()
  app = await startTestApp({ VAULT_API_URL: `http://127.0.0.1:${port}` })
  proxy = createServer((from, to) => {
    if (from.url === '/api/tokens') exchanges++
    const headers = { ...from.headers, host: `vault.localhost:${app.port}` }
    const { url: path, method } = from
    const onward = request({ host: '127.0.0.1', port: app.port, path, method, headers }, (response) => {
      to.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(to)
    })
    from.pipe(onward)
  })
  await new Promise<void>((done) => proxy.listen(port, '127.0.0.1', done))
  await withoutBotCheck('gallonaire', app)
})
afterAll(async () => {
  proxy?.close()
  await app?.stop()
})

const tries = scaled({ full: 10_000, short: 100 })
const perAddress = 25
let addresses = 0

/** Sends one member's card form from enough addresses to stay below the limit of each. */
async function flood(count: number) {
  const holder = await newMember(app, 'gallonaire')
  const sealed = await seal(app, holder, cardNumber())
  const headers = { 'x-xsrf-token': await holder.visitor.token() }
  const statuses = new Map<number, number>()
  for (let round = 0; round < count / perAddress; round++) {
    const { cookies } = holder.visitor
    addresses++
    const { send } = visit(app, 'gallonaire', { address: `10.0.${addresses >> 8}.${addresses & 255}`, cookies })
    const responses = await Promise.all(
      Array.from({ length: perAddress }, (_, index) =>
        send('POST', '/api/Member/Cards', cardForm('4000000000000002', `${sealed}${round}x${index}`), headers),
      ),
    )
    for (const { status } of responses) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  return statuses
}

test('Case 43 of the cards that one member tries in a day, 20 reach the vault', async () => {
  const before = exchanges
  const statuses = await flood(tries)
  expect(exchanges - before).toBe(maxExchangesPerDay)
  expect(Object.fromEntries(statuses)).toEqual({ 200: maxExchangesPerDay, 429: tries - maxExchangesPerDay })
})

test('Case 43 counterpart: without a record of earlier attempts more reach it', async () => {
  const before = exchanges
  const db = app.database.pools.forPartner('gallonaire')
  for (let day = 0; day < 3; day++) {
    await flood(perAddress)
    await sql`delete from attempts`.execute(db)
  }
  expect(exchanges - before).toBeGreaterThan(maxExchangesPerDay)
})
