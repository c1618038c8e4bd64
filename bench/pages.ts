import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import autocannon from 'autocannon'
import { joinForm } from '../tests/support/app.ts'
import { createTestDatabase } from '../tests/support/database.ts'
import { startTestServer } from '../tests/support/test-server.ts'

const connections = 10
const seconds = Number(process.env.SECONDS ?? 5)

interface Load {
  perSecond: number
  /** CPU time of the server per request, in microseconds; empty where /proc is missing. */
  cpu: number | ''
  p50: number
  p99: number
}

/** Returns the CPU time of a process in microseconds, as Linux reports it. */
function cpuOf(pid: number | undefined): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user, system] = fields.split(' ').slice(11, 13)
    return (Number(user) + Number(system)) * 10_000
  } catch {
    return Number.NaN
  }
}

interface Target {
  url: string
  pid: number | undefined
}

async function load(
  { url, pid }: Target,
  headers: Record<string, string>,
  path: string | (() => string),
): Promise<Load> {
  const before = cpuOf(pid)
  const { requests, latency, errors, ...statuses } = await autocannon({
    url,
    headers,
    connections,
    duration: seconds,
    // Called for every request: with a list, all connections would request the same addresses at the same time.
    requests: [typeof path === 'string' ? { path } : { setupRequest: (request) => ({ ...request, path: path() }) }],
  })
  const rejected = statuses['4xx'] + statuses['5xx']
  if (rejected + errors > 0)
    throw new Error(`${typeof path === 'string' ? path : path()}: ${rejected} rejected, ${errors} failed`)
  const cpu = Math.round((cpuOf(pid) - before) / requests.total)
  return { perSecond: requests.average, cpu: Number.isNaN(cpu) ? '' : cpu, p50: latency.p50, p99: latency.p99 }
}

interface Sent {
  method?: string
  encoding?: string
  cookie?: string
  token?: string
  body?: unknown
}

/** Sends one request to a program's host; resolves with the response's text and cookies. */
function exchange(
  port: number,
  path: string,
  { method = 'GET', encoding = 'identity', cookie = '', token = '', body }: Sent = {},
) {
  return new Promise<{ bytes: Buffer; text: string; etag: string; cookies: string[] }>((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      host: `skyharbor.localhost:${port}`,
      'accept-encoding': encoding,
      ...(cookie && { cookie }),
      'x-xsrf-token': token,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
    }
    request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () => {
        const cookies = (response.headers['set-cookie'] ?? []).map((each) => each.split(';')[0] as string)
        const bytes = Buffer.concat(parts)
        resolve({ bytes, text: bytes.toString(), etag: String(response.headers.etag), cookies })
      })
    })
      .on('error', reject)
      .end(payload)
  })
}

const read = async (port: number, path: string) => (await exchange(port, path)).text

/** Joins the program as a new member; returns the Cookie header of the session. */
async function joinAsMember(port: number): Promise<string> {
  const visitor = await exchange(port, '/api/CSRF')
  const form = joinForm({ partnerNumber: `SKY${String(Date.now()).slice(-8)}` })
  const joined = await exchange(port, '/api/Members/Prospects', {
    method: 'POST',
    cookie: visitor.cookies.join('; '),
    token: JSON.parse(visitor.text).csrfToken,
    body: form,
  })
  if (joined.cookies.length === 0) throw new Error(`could not join: ${joined.text}`)
  return joined.cookies.join('; ')
}

function line(cells: (string | number)[]): void {
  const [what = '', ...rest] = cells
  process.stdout.write(`${String(what).padEnd(24)}${rest.map((cell) => String(cell).padStart(10)).join('')}\n`)
}

/** Encodings as browsers send them. */
const browser = 'gzip, deflate, br, zstd'

/**
 * Compares visitor pages with static files of the same bytes, served by a bare Fastify: uncompressed, compressed as for
 * browsers, and conditional. Then renders pages that are not cached, and pages of a member.
 */
export async function benchPages(): Promise<void> {
  const database = await createTestDatabase('samples')
  const server = await startTestServer(database.url)
  const folder = mkdtempSync(join(tmpdir(), 'dineback-pages-'))
  const files = fork(join(import.meta.dirname, 'file-server.ts'), [folder])
  try {
    const [filePort] = await once(files, 'message')
    const host = `skyharbor.localhost:${server.port}`
    const app = { url: `http://127.0.0.1:${server.port}`, pid: server.pid }
    const bare = { url: `http://127.0.0.1:${filePort}`, pid: files.pid }
    const { merchants } = JSON.parse(await read(server.port, '/api/v2/Merchants/Search?location=10001'))
    const pages = {
      home: '/',
      search: '/search?location=10001',
      restaurant: `/merchants/${merchants[0].id}`,
    }
    line(['', 'bytes', 'file/s', 'CPU µs', 'p50 ms', 'p99 ms', 'page/s', 'CPU µs', 'p50 ms', 'p99 ms', 'ratio'])
    for (const [name, path] of Object.entries(pages)) {
      const html = await read(server.port, path)
      writeFileSync(join(folder, `${name}.html`), html)
      writeFileSync(join(folder, `${name}.html.br`), brotliCompressSync(html))
      for (const [mode, encoding] of Object.entries({ plain: 'identity', browser, conditional: browser })) {
        const page = await exchange(server.port, path, { encoding })
        const file = await fetch(`${bare.url}/${name}.html`, { headers: { 'accept-encoding': encoding } })
        await file.arrayBuffer()
        const headers = (etag: string | null) => ({
          'accept-encoding': encoding,
          ...(mode === 'conditional' && { 'if-none-match': String(etag) }),
        })
        const ofFile = await load(bare, headers(file.headers.get('etag')), `/${name}.html`)
        const ofPage = await load(app, { host, ...headers(page.etag) }, path)
        const [a = [], b = []] = [ofFile, ofPage].map(({ perSecond, cpu, p50, p99 }) => [
          Math.round(perSecond),
          cpu,
          p50,
          p99,
        ])
        const bytes = mode === 'conditional' ? 0 : page.bytes.length
        line([`${name}, ${mode}`, bytes, ...a, ...b, (ofPage.perSecond / ofFile.perSecond).toFixed(2)])
      }
    }
    line(['rendered', 'bytes', 'page/s', 'CPU µs', 'p50 ms'])
    const cookie = await joinAsMember(server.port)
    const rendered = Object.entries(pages).map(([name, path]) => {
      const mark = path.includes('?') ? '&' : '?'
      let count = 0
      // Each address is requested once, so that none is cached.
      return { name, path: () => `${path}${mark}utm_term=${count++}`, cookie: '' }
    })
    const signedIn = Object.entries({ overview: '/account/overview', search: pages.search }).map(([name, path]) => ({
      name: `${name}, signed in`,
      path: () => path,
      cookie,
    }))
    for (const { name, path, cookie } of [...rendered, ...signedIn]) {
      const headers = { host, 'accept-encoding': browser, ...(cookie && { cookie }) }
      const { bytes } = await exchange(server.port, path(), { encoding: browser, cookie })
      const { perSecond, cpu, p50 } = await load(app, headers, path)
      line([name, bytes.length, Math.round(perSecond), cpu, p50])
    }
  } finally {
    files.disconnect()
    await server.stop()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}
