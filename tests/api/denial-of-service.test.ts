import { randomBytes } from 'node:crypto'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWeb } from '../../scripts/build.ts'
import { openDatabase } from '../../src/app/database.ts'
import { seedMerchants } from '../../src/dining/merchants/seed/seed-merchants.ts'
import { readSettings } from '../../src/platform/config/settings.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { scaled } from '../support/scale.ts'
import { startTestServer } from '../support/test-server.ts'

/** Numbers of pipelined requests per connection, of unread responses, and of a scanner's requests. */
const pipelined = scaled({ full: 400, short: 40 })
const unread = scaled({ full: 300, short: 120 })
const scanned = scaled({ full: 100, short: 10 })
/** Maximum factor by which an attack may increase other visitors' median waiting time. */
const maxRatio = 20
/** A busy machine can distort a measurement, so it is repeated; a server that is blocked fails each time. */
const maxAttempts = 5
/** Megabytes that an attack may add to the server's memory. */
const maxGrowth = 500

let server: Awaited<ReturnType<typeof startTestServer>>
/** Serves probes and metrics. */
let adminPort: number
let database: Awaited<ReturnType<typeof createTestDatabase>>

const secrets = Object.fromEntries(
  ['APP_SECRET', 'VAULT_SECRET', 'FEED_SECRET', 'ID_SECRET'].map((name) => [name, randomBytes(36).toString('base64')]),
)

/** A process in production mode: rendering takes several times as long in development mode. */
beforeAll(async () => {
  await buildWeb(() => {})
  database = await createTestDatabase('programs')
  adminPort = await freePort()
  await addRestaurants(database.url)
  server = await startTestServer(database.url, {
    env: {
      ...secrets,
      NODE_ENV: 'production',
      LOG_LEVEL: 'fatal',
      PUBLIC_SCHEME: 'https',
      PUBLIC_PORT: '443',
      SAMPLE_PROGRAMS: 'skyharbor',
      WITHOUT_SMTP: 'true',
      ADMIN_PORT: String(adminPort),
    },
  })
  for (const path of watched) await waits(path, 30)
})
afterAll(async () => {
  await server?.stop()
  await database?.drop()
})

/** Production has no sample restaurants. */
async function addRestaurants(url: string): Promise<void> {
  const settings = readSettings({ ...secrets, NODE_ENV: 'test', DATABASE_URL: url }, () => secrets as never)
  const opened = await openDatabase(settings, { log: () => {}, onError: () => {} })
  await seedMerchants(opened.pools.shared, { count: 400 })
  await opened.stop()
}

/** Requests that must succeed during an attack: the load balancer's probe and a cached page. */
const watched = ['/readyz', '/how-it-works']
const adminPaths = new Set(['/readyz', '/metrics'])

// The host header as browsers send it in production: https on the default port.
const programHost = 'skyharbor.localhost'

function fetchPath(path: string, agent: Agent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = get(
      {
        host: '127.0.0.1',
        port: adminPaths.has(path) ? adminPort : server.port,
        path,
        agent,
        headers: { host: programHost },
      },
      (response: IncomingMessage) => {
        let text = ''
        response.setEncoding('latin1').on('data', (part) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    request.on('error', reject)
  })
}

/** Returns the duration in milliseconds of each of `count` sequential requests; infinity for a failed one. */
async function waits(path: string, count: number, until: () => boolean = () => false): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const all: number[] = []
  while (all.length < count && !(all.length >= 20 && until())) {
    const start = performance.now()
    const { status } = await fetchPath(path, agent)
    // A 503 for overload is allowed; any other failure is not.
    expect([200, 503]).toContain(status)
    all.push(status === 200 ? performance.now() - start : Number.POSITIVE_INFINITY)
  }
  agent.destroy()
  return all
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number

/** Returns the resident memory of the server in megabytes. */
async function memory(): Promise<number> {
  const agent = new Agent()
  const { text } = await fetchPath('/metrics', agent)
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20
}

/** Runs an attack and measures other requests meanwhile. Returns the result of the last attack. */
async function under<T>(attack: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const before = await memory()
    const idle = await Promise.all(watched.map((path) => waits(path, 60)))
    let isOver = false
    const attacking = attack().finally(() => {
      isOver = true
    })
    const [highest, ...during] = await Promise.all([
      highestMemory(() => isOver),
      ...watched.map((path) => waits(path, 5_000, () => isOver)),
    ])
    const result = await attacking
    expect(highest - before).toBeLessThan(maxGrowth)
    const ratios = during.map((times, index) => median(times) / Math.max(1, median(idle[index] as number[])))
    if (process.env.ATTACK_REPORT)
      process.stdout.write(
        `   ${watched.map((path, index) => `${path} ${median(idle[index] as number[]).toFixed(1)} ms × ${ratios[index]?.toFixed(1)} of ${during[index]?.length}`).join(', ')}, +${Math.round(highest - before)} MB\n`,
      )
    if (ratios.every((ratio) => ratio < maxRatio)) return result
    if (attempt === maxAttempts) expect(ratios).toEqual(watched.map(() => `less than ${maxRatio}`))
  }
}

/** Returns the server's highest memory usage until then. */
async function highestMemory(until: () => boolean): Promise<number> {
  let highest = 0
  while (!until()) {
    highest = Math.max(highest, await memory())
    await sleep(200)
  }
  return highest
}

const requestOf = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: ${programHost}\r\n${more}\r\n`

/** Opens a connection that collects the headers of its responses. */
function openConnection() {
  const socket: Socket = connect(server.port, '127.0.0.1')
  let tail = ''
  const heads: string[] = []
  socket.on('data', (chunk) => {
    const text = tail + chunk.toString('latin1')
    const found = [...text.matchAll(/HTTP\/1\.1 \d{3} [\s\S]*?\r\n\r\n/g)]
    heads.push(...found.map(([head]) => head))
    const last = found.at(-1)
    // A header block may be split between chunks.
    tail = text.slice(Math.max(last ? last.index + last[0].length : 0, text.length - 2_000))
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, heads, closed }
}

const statusOf = (head: string) => Number(head.slice(9, 12))

/** Expects every response to be a success, a client error, or a 503 with Retry-After. */
function expectNoFailures(heads: string[]): void {
  const failures = heads.filter(
    (head) => statusOf(head) >= 500 && !(statusOf(head) === 503 && /retry-after: \d/i.test(head)),
  )
  expect(failures).toEqual([])
}

/** Sends pipelined requests, on a new connection whenever one is closed, until the given number was sent. */
async function pipeline(pathOf: (index: number) => string, requests: number): Promise<string[]> {
  const all: string[] = []
  let sent = 0
  while (sent < requests) {
    const { socket, heads, closed } = openConnection()
    socket.write(Array.from({ length: requests - sent }, (_, index) => requestOf(pathOf(sent + index))).join(''))
    await closed
    all.push(...heads)
    sent += Math.max(1, heads.length)
  }
  return all
}

test('Case 82 3 connections that pipeline 400 requests for the API description do not block other clients', async () => {
  const connections = await under(() =>
    Promise.all([1, 2, 3].map(() => pipeline(() => '/api/openapi.json', pipelined))),
  )
  const heads = connections.flat()
  expect(heads.length).toBeGreaterThanOrEqual(3 * pipelined)
  expectNoFailures(heads)
  expect(heads.filter((head) => statusOf(head) === 200).length).toBeGreaterThan(0)
  // Requests beyond the connection's limit get a 503.
  expect(heads.filter((head) => statusOf(head) === 503).length).toBeGreaterThan(0)
})

test('Case 82 3 connections that pipeline 400 search pages do not block other clients', async () => {
  const connections = await under(() =>
    Promise.all(
      [1, 2, 3].map((connection) =>
        pipeline((index) => `/search?location=10001&from=${connection}-${index}`, pipelined),
      ),
    ),
  )
  expectNoFailures(connections.flat())
  expect(connections.flat().length).toBeGreaterThanOrEqual(3 * pipelined)
})

test('Case 82 20 connections with 300 requests each that never read hold a bounded amount of memory and are closed', async () => {
  const heads = await under(async () => {
    const connections = Array.from({ length: 20 }, (_, client) => {
      const connection = openConnection()
      connection.socket.pause()
      const paths = Array.from({ length: unread }, (_none, index) => `/search?location=10001&unread=${client}-${index}`)
      connection.socket.write(paths.map((path) => requestOf(path)).join(''))
      return connection
    })
    await waits('/readyz', 100)
    for (const { socket } of connections) socket.resume()
    await Promise.all(connections.map(({ closed }) => closed))
    return connections.map((connection) => connection.heads)
  })
  expectNoFailures(heads.flat())
  for (const each of heads) expect(each.length).toBeLessThan(20)
})

test('Case 82 bodies that arrive too slowly get 408', async () => {
  const heads = await under(async () => {
    const connections = Array.from({ length: 20 }, () => {
      const connection = openConnection()
      const body = 'content-type: application/json\r\ncontent-length: 100\r\n'
      connection.socket.write(requestOf('/api/SignIn', body).replace('GET', 'POST'))
      const drip = setInterval(() => connection.socket.write(' '), 500)
      connection.socket.once('close', () => clearInterval(drip))
      return connection
    })
    await Promise.all(connections.map(({ closed }) => closed))
    return connections.map((connection) => connection.heads)
  })
  expect(heads.map((each) => each.map(statusOf))).toEqual(heads.map(() => [408]))
})

/** Sends one request on its own connection; returns its status and whether it has Retry-After. */
function probe(path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    let head = ''
    // The rest is read and discarded, because this process also takes measurements.
    socket.on('data', (chunk) => {
      if (head === '') head = chunk.toString('latin1', 0, 2_000)
    })
    socket.on('error', () => {})
    socket.once('close', () => resolve(head))
    socket.write(requestOf(path, 'connection: close\r\n'))
  })
}

test('Case 82 a scanner with 32 connections does not block other clients', async () => {
  const heads = await under(async () => {
    const pipelines = Array.from({ length: 32 }, async (_, worker) => {
      const all: string[] = []
      for (let index = 0; index < scanned; index++) all.push(await probe(`/scan/${worker}/${index}.php?admin`))
      return all
    })
    return (await Promise.all(pipelines)).flat()
  })
  expect(heads).toHaveLength(32 * scanned)
  expectNoFailures(heads)
  expect(heads.filter((head) => statusOf(head) !== 404 && statusOf(head) !== 503)).toEqual([])
  expect(heads.filter((head) => statusOf(head) === 404).length).toBeGreaterThan(0)
})
