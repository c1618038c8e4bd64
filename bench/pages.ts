import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import autocannon from 'autocannon'
import Fastify from 'fastify'
import { joinForm } from '../tests/support/app.ts'
import { createTestDatabase } from '../tests/support/database.ts'
import { startTestServer } from '../tests/support/test-server.ts'

const connections = 10
const seconds = Number(process.env.SECONDS ?? 5)
/** Cold requests use a different address each time, several times the cache size in total. */
const distinct = 5000

interface Load {
  perSecond: number
  p50: number
  p99: number
}

async function load(url: string, headers: Record<string, string>, paths: string[]): Promise<Load> {
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    headers,
    connections,
    duration: seconds,
    requests: paths.map((path) => ({ path })),
  })
  if (non2xx + errors > 0) throw new Error(`${paths[0]}: ${non2xx} rejected, ${errors} failed`)
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}

interface Sent {
  method?: string
  cookie?: string
  token?: string
  body?: unknown
}

/** Sends one request to a program's host; resolves with the response's text and cookies. */
function exchange(port: number, path: string, { method = 'GET', cookie = '', token = '', body }: Sent = {}) {
  return new Promise<{ text: string; cookies: string[] }>((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      host: `skyharbor.localhost:${port}`,
      cookie,
      'x-xsrf-token': token,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
    }
    request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () => {
        const cookies = (response.headers['set-cookie'] ?? []).map((each) => each.split(';')[0] as string)
        resolve({ text: Buffer.concat(parts).toString(), cookies })
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

/** Compares visitor pages, cached and rendered, with a static file of the same size served by a bare Fastify. */
export async function benchPages(): Promise<void> {
  const database = await createTestDatabase('samples')
  const server = await startTestServer(database.url)
  const folder = mkdtempSync(join(tmpdir(), 'dineback-pages-'))
  const files = Fastify()
  try {
    mkdirSync(folder, { recursive: true })
    await files.register(fastifyStatic, { root: folder })
    await files.listen({ port: 0, host: '127.0.0.1' })
    const filePort = (files.addresses()[0] as { port: number }).port
    const headers = { host: `skyharbor.localhost:${server.port}` }
    const url = `http://127.0.0.1:${server.port}`
    const { merchants } = JSON.parse(await read(server.port, '/api/v2/Merchants/Search?location=10001'))
    const pages = {
      home: '/',
      search: '/search?location=10001',
      restaurant: `/merchants/${merchants[0].id}`,
    }
    line(['', 'bytes', 'file/s', 'p50 ms', 'p99 ms', 'cached/s', 'p50 ms', 'p99 ms', 'ratio', 'cold/s', 'p50 ms'])
    for (const [name, path] of Object.entries(pages)) {
      const html = await read(server.port, path)
      writeFileSync(join(folder, `${name}.html`), html)
      const file = await load(`http://127.0.0.1:${filePort}`, {}, [`/${name}.html`])
      const cached = await load(url, headers, [path])
      const mark = path.includes('?') ? '&' : '?'
      const other = Array.from({ length: distinct }, (_, index) => `${path}${mark}utm_term=${index}`)
      const cold = await load(url, headers, other)
      const [a, b] = [file, cached].map(({ perSecond, p50, p99 }) => [Math.round(perSecond), p50, p99])
      const ratio = (cached.perSecond / file.perSecond).toFixed(2)
      line([name, html.length, ...(a ?? []), ...(b ?? []), ratio, Math.round(cold.perSecond), cold.p50])
    }
    const cookie = await joinAsMember(server.port)
    for (const [name, path] of Object.entries({
      'overview, signed in': '/account/overview',
      'search, signed in': pages.search,
    })) {
      const signedIn = await load(url, { ...headers, cookie }, [path])
      line([
        name,
        (await exchange(server.port, path, { cookie })).text.length,
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        Math.round(signedIn.perSecond),
        signedIn.p50,
      ])
    }
  } finally {
    await files.close()
    await server.stop()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}
