import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { markEventStream } from '../../platform/http/event-streams.ts'
import { createFairTurns } from './fair-turns.ts'
import { createHostRouter, type HostRouterOptions, type ServerLimits, serverLimits } from './host-router.ts'

let server: Server | null = null
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = null
})

const rules = { baseDomain: 'localhost', scheme: 'http', port: null, partners: new Set(['skyharbor']) } as const

/** Starts a server whose program uses `handle`. Returns a function that opens a connection. */
async function open(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  limits: Partial<ServerLimits> = {},
  options: HostRouterOptions = {},
) {
  const opened = createHostRouter(rules, { partner: handle }, { limits: { ...serverLimits, ...limits }, ...options })
  server = opened
  await new Promise<void>((listening) => opened.listen(0, '127.0.0.1', listening))
  const { port } = opened.address() as AddressInfo
  return (write: string) => {
    const socket = connect(port, '127.0.0.1')
    const connection = { socket, text: '', isClosed: false, closed: Promise.resolve() }
    socket.setEncoding('latin1').on('data', (part) => {
      connection.text += part
    })
    socket.on('error', () => {})
    connection.closed = new Promise((resolve) =>
      socket.once('close', () => {
        connection.isClosed = true
        resolve()
      }),
    )
    socket.write(write)
    return connection
  }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: skyharbor.localhost\r\n\r\n`
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
const until = (condition: () => unknown) =>
  vi.waitFor(() => expect(condition()).toBeTruthy(), { timeout: 20_000, interval: 5 })

test('pipelined requests are handled one at a time, in order', async () => {
  let running = 0
  let maxRunning = 0
  const paths: string[] = []
  const sendRequest = await open((request, response) => {
    paths.push(request.url ?? '')
    running++
    maxRunning = Math.max(maxRunning, running)
    setTimeout(() => {
      running--
      response.end('ok')
    }, 2)
  })
  const connection = sendRequest(['/1', '/2', '/3', '/4', '/5'].map(get).join(''))
  await until(() => statuses(connection.text).length === 5)
  expect([paths, maxRunning]).toEqual([['/1', '/2', '/3', '/4', '/5'], 1])
})

test('a request beyond the limit of a connection gets 503 with Retry-After, and later ones are not handled', async () => {
  let handled = 0
  const sendRequest = await open((_request, response) => {
    handled++
    setTimeout(() => response.end('ok'), 2)
  })
  const connection = sendRequest(Array.from({ length: 100 }, (_, index) => get(`/${index}`)).join(''))
  await connection.closed
  expect(handled).toBe(9)
  expect(statuses(connection.text)).toEqual([...Array.from({ length: 9 }, () => 200), 503])
  expect(connection.text.toLowerCase()).toContain('retry-after: 5')
  expect(
    JSON.parse(connection.text.slice(connection.text.lastIndexOf('{"type"'), connection.text.lastIndexOf('}') + 1)),
  ).toMatchObject({
    status: 503,
    code: 'busy',
  })
})

test('what follows the last request of a connection is neither parsed nor held, and the responses arrive', async () => {
  for (const limits of [{}, { maxRequests: 5 }]) {
    let handled = 0
    const sendRequest = await open((_request, response) => {
      handled++
      setTimeout(() => response.end('ok'), 2)
    }, limits)
    let received = 0
    server?.prependListener('request', () => received++)
    const connection = sendRequest(get('/').repeat(20_000))
    await connection.closed
    const expected = limits.maxRequests ?? 9
    expect([handled, statuses(connection.text).filter((status) => status === 200).length]).toEqual([expected, expected])
    expect(received).toBe(limits.maxRequests ?? 10)
    server?.close()
  }
})

test('a client error before the last request has its response', async () => {
  const sendRequest = await open((_request, response) => response.end('ok'))
  const connection = sendRequest('NOT HTTP\r\n\r\n')
  await connection.closed
  expect(statuses(connection.text)).toEqual([400])
})

test('requests that wait on a closed connection are not handled', async () => {
  const paths: string[] = []
  const pending: ServerResponse[] = []
  const sendRequest = await open((request, response) => {
    paths.push(request.url ?? '')
    pending.push(response)
  })
  const connection = sendRequest(['/1', '/2', '/3'].map(get).join(''))
  await until(() => pending.length === 1)
  connection.socket.destroy()
  await until(() => pending[0]?.destroyed || pending[0]?.closed)
  pending[0]?.end('late')
  // A request on another connection is handled after everything still pending.
  const other = sendRequest(get('/other'))
  await until(() => pending.length === 2)
  pending[1]?.end('ok')
  await until(() => statuses(other.text).length === 1)
  expect(paths).toEqual(['/1', '/other'])
})

test('a connection is closed after its last request', async () => {
  const sendRequest = await open((_request, response) => response.end('ok'), { maxRequests: 3 })
  const connection = sendRequest(['/1', '/2', '/3', '/4'].map(get).join(''))
  await connection.closed
  expect(statuses(connection.text)).toEqual([200, 200, 200])
  expect(connection.text.toLowerCase().split('connection: close')).toHaveLength(2)
})

test('a client that reads nothing, or too slowly, is disconnected', async () => {
  const large = Buffer.alloc(64 * 1024 * 1024)
  for (const limits of [{ idleMs: 300 }, { maxResponseMs: 200, checkEveryMs: 100 }]) {
    const closed: boolean[] = []
    const sendRequest = await open((request, response) => {
      request.socket.once('close', () => closed.push(response.writableFinished))
      response.end(large)
    }, limits)
    const connection = sendRequest(get('/'))
    connection.socket.pause()
    await until(() => closed.length === 1)
    expect(closed).toEqual([false])
    connection.socket.destroy()
    server?.close()
  }
})

test('an event stream is exempt from the time limit for responses', async () => {
  const sendRequest = await open(
    (request, response) => {
      if (request.url === '/slow') return response.flushHeaders()
      markEventStream(response)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('retry: 5000\n\n')
    },
    { maxResponseMs: 100, checkEveryMs: 50 },
  )
  const stream = sendRequest(get('/stream'))
  await until(() => stream.text.includes('retry'))
  // The second response is cut off at least one check after the stream would have been.
  for (let attempt = 0; attempt < 2; attempt++) await sendRequest(get('/slow')).closed
  expect(stream.isClosed).toBe(false)
})

test('a request that arrives too slowly gets 408, an unreadable one 400', async () => {
  const sendRequest = await open((request, response) => void request.on('end', () => response.end('ok')).resume(), {
    requestTimeout: 200,
    headersTimeout: 200,
    connectionsCheckingInterval: 50,
  })
  const slow = sendRequest('POST / HTTP/1.1\r\nhost: skyharbor.localhost\r\ncontent-length: 10\r\n\r\nabc')
  const headers = sendRequest('GET / HTTP/1.1\r\nhost: sky')
  const garbage = sendRequest('no request\r\n\r\n')
  await Promise.all([slow.closed, headers.closed, garbage.closed])
  expect([slow, headers, garbage].map(({ text }) => statuses(text))).toEqual([[408], [408], [400]])
  for (const { text } of [slow, headers, garbage]) {
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).status).toBe(statuses(text)[0])
  }
})

test('an unknown host gets 421', async () => {
  const sendRequest = await open((_request, response) => response.end('ok'))
  const connection = sendRequest('GET / HTTP/1.1\r\nhost: attacker.example\r\n\r\n')
  await connection.closed
  expect(statuses(connection.text)).toEqual([421])
})

test('a request waits for the turn of its network: that of the client, where a trusted proxy names it', async () => {
  const turnsOf = async (trustedProxy: string | undefined) => {
    const turns = createFairTurns()
    const addresses: string[] = []
    const enter: typeof turns.enter = (address, kind, start) => {
      addresses.push(address)
      return turns.enter(address, kind, start)
    }
    const sendRequest = await open(
      (_request, response) => response.end('ok'),
      {},
      { turns: { ...turns, enter }, trustedProxy },
    )
    const forwarded = (path: string) =>
      get(path).replace('\r\n\r\n', '\r\nx-forwarded-for: 203.0.113.7, 192.0.2.1\r\n\r\n')
    const client = await sendRequest(forwarded('/') + get('/').replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
    await client.closed
    expect(statuses(client.text)).toEqual([200, 200])
    const malformed = await sendRequest('no request\r\n\r\n')
    await malformed.closed
    expect(statuses(malformed.text)).toEqual([400])
    server?.close()
    return addresses
  }
  expect(await turnsOf(undefined)).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1'])
  expect(await turnsOf('127.0.0.1')).toEqual(['192.0.2.1', '127.0.0.1', '127.0.0.1'])
})

test('a request that has waited too long for its turn gets a 503 with Retry-After, and is not handled', async () => {
  let handled = 0
  const sendRequest = await open(
    (_request, response) => {
      handled++
      response.end('ok')
    },
    { maxWaitMs: 0 },
  )
  const client = await sendRequest(get('/'))
  await client.closed
  expect(client.text).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d/)
  expect(handled).toBe(0)
})

test('ROUTE-046 a page at a host name with the dot of a fully qualified name is redirected to the one without', async () => {
  const sendRequest = await open((_request, response) => response.end('ok'))
  const ask = async (start: string, host: string) => {
    const connection = await sendRequest(`${start} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    await connection.closed
    return [statuses(connection.text)[0], /location: (\S+)/.exec(connection.text)?.[1]]
  }
  expect(await ask('GET /search?location=Den%20ver', 'SkyHarbor.localhost.')).toEqual([
    308,
    'http://skyharbor.localhost/search?location=Den%20ver',
  ])
  expect(await ask('HEAD //evil.example/', 'skyharbor.localhost.')).toEqual([421, undefined])
  expect(await ask('POST /api/Login', 'skyharbor.localhost.')).toEqual([421, undefined])
  expect(await ask('GET /', 'evil.example.')).toEqual([421, undefined])
  expect(await ask('GET /', 'skyharbor.localhost..')).toEqual([421, undefined])
  expect(await ask('GET /', '.')).toEqual([421, undefined])
  expect(await ask('GET /', 'skyharbor.localhost')).toEqual([200, undefined])
})
