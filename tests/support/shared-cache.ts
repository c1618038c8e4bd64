import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { send, type WireResponse } from './http.ts'

/** A cache between visitors and the app. Requests with another `x-round` header see an empty cache. */
export interface SharedCache {
  port: number
  stop: () => Promise<void>
}

/** The header with which a cache says that a response is a stored one. */
export const hitHeader = 'x-cache'

interface Stored {
  response: WireResponse
  /** The request headers that `Vary` names, with their values. */
  selecting: [string, unknown][]
  needsValidation: boolean
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'x-round', 'host'])
// RFC 9110, 15.1: statuses that a cache may store without being told for how long.
const heuristic = new Set([200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])

/**
 * Starts a shared cache that stores and sends whatever RFC 9111 permits: responses without Cache-Control, with
 * Set-Cookie, to HEAD and Range. It keeps `no-cache` responses, and asks whether they are still valid.
 */
export async function startModelCache(originPort: number): Promise<SharedCache> {
  const rounds = new Map<string, Stored[]>()
  const server = createServer(async (request, response) => {
    const { headers, method = 'GET', url = '/' } = request
    const [host = ''] = String(headers.host).split(':')
    const forward = (over: Record<string, string> = {}) =>
      send({ port: originPort, host, path: url, method, headers: { ...forwarded(headers), ...over } })
    const key = [headers['x-round'], headers.host, url, headers.range ?? ''].join(' ')
    const stored = rounds.get(`${method} ${key}`) ?? (method === 'HEAD' ? rounds.get(`GET ${key}`) : undefined)
    const known = stored?.find(({ selecting }) => selecting.every(([name, value]) => headers[name] === value))
    const sent = known ? await reuse(known, headers, forward) : { ...(await forward()), isHit: false }
    if (!sent.isHit && mayStore(method, headers, sent)) {
      const others = (stored ?? []).filter((each) => each !== known)
      rounds.set(`${method} ${key}`, [...others, toStored(headers, sent)])
    }
    const kept = Object.entries(sent.headers).filter(([name]) => !hopByHop.has(name)) as [string, string | string[]][]
    response.writeHead(sent.status, { ...Object.fromEntries(kept), [hitHeader]: sent.isHit ? 'HIT' : 'MISS' })
    response.end(method === 'HEAD' ? undefined : sent.bytes)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const forwarded = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name))) as Record<string, string>

/** Returns the directives that a CDN follows (RFC 9213, RFC 9111). */
function directivesOf({ headers }: WireResponse): Map<string, number> {
  const control = String(headers['cdn-cache-control'] ?? headers['cache-control'] ?? '')
  return new Map(
    control.split(',').map((each) => {
      const [name = '', value] = each.trim().toLowerCase().split('=')
      return [name, Number(value ?? 0)]
    }),
  )
}

function mayStore(method: string, request: IncomingHttpHeaders, response: WireResponse): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const directives = directivesOf(response)
  if (directives.has('no-store') || directives.has('private') || response.headers.vary === '*') return false
  const explicit = ['public', 'max-age', 's-maxage'].some((name) => directives.has(name))
  if (request.authorization && !directives.has('public') && !directives.has('s-maxage')) return false
  return response.status !== 304 && (explicit || heuristic.has(response.status))
}

function toStored(request: IncomingHttpHeaders, response: WireResponse): Stored {
  const names = String(response.headers.vary ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '')
  const directives = directivesOf(response)
  const lifetime = directives.get('s-maxage') ?? directives.get('max-age') ?? 1
  return {
    response,
    selecting: names.map((name) => [name, request[name]]),
    needsValidation: directives.has('no-cache') || lifetime === 0,
  }
}

type Forward = (over: Record<string, string>) => Promise<WireResponse>

async function reuse(known: Stored, request: IncomingHttpHeaders, forward: Forward) {
  const etag = known.response.headers.etag
  if (known.needsValidation) {
    const current = await forward(etag === undefined ? {} : { 'if-none-match': String(etag) })
    if (current.status !== 304) return { ...current, isHit: false }
    // RFC 9111, 3.2: the headers of the 304 replace the stored ones.
    Object.assign(known.response.headers, current.headers)
  }
  const isKnown = etag !== undefined && request['if-none-match'] === etag
  return { ...known.response, ...(isKnown && { status: 304, bytes: Buffer.alloc(0) }), isHit: true }
}
