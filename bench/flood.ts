import { request } from 'node:http'
import autocannon from 'autocannon'
import { createTestDatabase } from '../tests/support/database.ts'
import { startTestServer } from '../tests/support/test-server.ts'

const seconds = Number(process.env.SECONDS ?? 10)
/** Number of concurrent sign-ins. */
const flooders = 50

interface HttpResponse {
  status: number
  body: string
  cookies: string[]
}

function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const host = `gallonaire.localhost:${port}`
    const outgoing = request({ port, host: '127.0.0.1', method, path, headers: { host, ...headers } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(parts).toString(),
          cookies: (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? ''),
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/**
 * Signs in with different names and wrong passwords, without pauses. Returns a function that stops it and the status
 * counts.
 */
function flood(port: number, proxied: (index: number) => string) {
  const statuses = new Map<number, number>()
  let going = true
  let count = 0
  async function one(): Promise<void> {
    const address = { 'x-forwarded-for': proxied(++count) }
    const { body, cookies } = await send(port, 'GET', '/api/CSRF', address)
    const { csrfToken } = JSON.parse(body)
    const headers = {
      ...address,
      'content-type': 'application/json',
      cookie: cookies.join('; '),
      'x-xsrf-token': csrfToken,
    }
    const form = JSON.stringify({ userName: `unknown-${count}@example.com`, password: 'a guess' })
    const { status } = await send(port, 'POST', '/api/SignIn', headers, form)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const loops = Array.from({ length: flooders }, async () => {
    while (going) await one()
  })
  return async () => {
    going = false
    await Promise.all(loops)
    return statuses
  }
}

/** Measures how other calls perform during a flood of sign-ins, whose password hashing is deliberately expensive. */
export async function benchFlood(): Promise<void> {
  const database = await createTestDatabase('samples')
  const server = await startTestServer(database.url, { env: { TRUSTED_PROXY: '127.0.0.1' } })
  const measure = async () => {
    const { latency, requests } = await autocannon({
      url: `http://127.0.0.1:${server.port}/api/v2/Merchants/Search?location=10001`,
      headers: { host: `gallonaire.localhost:${server.port}`, 'x-forwarded-for': '10.255.255.1' },
      connections: 2,
      // A fixed, realistic rate: an unlimited one would be a flood itself.
      overallRate: 40,
      duration: seconds,
    })
    return { p50: latency.p50, p99: latency.p99, perSecond: requests.average }
  }
  const line = (what: string, { p50, p99, perSecond }: Awaited<ReturnType<typeof measure>>) =>
    process.stdout.write(`${what.padEnd(26)}p50 ${p50} ms   p99 ${p99} ms   ${Math.round(perSecond)}/s\n`)
  try {
    await measure()
    const calm = await measure()
    line('searches, no sign-ins', calm)
    const stop = flood(server.port, (index) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`)
    // Discards the first seconds, in which connections are opened.
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const busy = await measure()
    const statuses = await stop()
    line(`searches, ${flooders} sign-ins`, busy)
    const total = [...statuses.values()].reduce((sum, count) => sum + count, 0)
    const summary = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
    process.stdout.write(`sign-in responses         ${Math.round(total / (seconds + 2))}/s (${summary})\n`)
    process.stdout.write(`ratio of the p99          ${(busy.p99 / Math.max(1, calm.p99)).toFixed(1)}\n`)
  } finally {
    await server.stop()
    await database.drop()
  }
}
