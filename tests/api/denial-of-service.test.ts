import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedServer, programHost, startAttackedServer, type Watching } from '../support/attacked-server.ts'
import { scaled } from '../support/scale.ts'

/** Numbers of pipelined requests per connection, of unread responses, and of a scanner's requests. */
const pipelined = scaled({ full: 400, short: 40 })
const unread = scaled({ full: 300, short: 120 })
const scanned = scaled({ full: 100, short: 10 })

/** Requests that must succeed during an attack: the load balancer's probe and a cached page. */
const watching: Watching = { watched: [{ path: '/readyz' }, { path: '/how-it-works' }], quantile: 0.5 }

let server: AttackedServer

beforeAll(async () => {
  server = await startAttackedServer()
  for (const each of watching.watched) await server.waits(each, 30)
})
afterAll(() => server?.stop())

const under = <T>(attack: () => Promise<T>) => server.under(watching, attack)

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
    await server.waits({ path: '/readyz' }, 100)
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
