import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isDatabaseUnavailable } from '../database/database-unavailable.ts'
import { isStorable } from '../text.ts'

/** A malformed request. Each app's error handler responds to it as to any other error. */
export class BadRequest extends Error {
  readonly statusCode: number
  readonly code = 'badRequest'
  constructor(message: string, statusCode = 400) {
    super(message)
    this.name = 'BadRequest'
    this.statusCode = statusCode
  }
}

/**
 * Returns whether a request target (RFC 9112) is a path of this server. `//host` and `/\host` would resolve to another
 * host, and an encoded NUL character is valid in no route, query or column.
 */
export function isOwnTarget(target: string): boolean {
  return /^\/(?![/\\])/.test(target) && !/%00/i.test(target) && isStorable(target)
}

/**
 * Returns whether a request names at most one host. With two (RFC 9112 requires 400), a proxy might select the app by one
 * of them and this server by the other.
 */
export function hasOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length <= 1
}

/** Rejects malformed request targets and hosts before any other hook runs. */
export function rejectMalformedTargets(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (!isOwnTarget(raw.url ?? '')) throw new BadRequest('malformed request target')
    if (!hasOneHost(raw)) throw new BadRequest('more than one host')
  })
}

/** Encodes addresses of redirects that have other characters than a header may: an id from the request, for example. */
export function encodeRedirects(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    const location = reply.getHeader('location')
    if (typeof location === 'string') reply.header('location', encodeAddress(location))
  })
}

/** Returns an address with all characters encoded that a header may not have. */
export function encodeAddress(address: string): string {
  return /^[!-~]*$/.test(address) ? address : address.toWellFormed().replaceAll(/[^!-~]+/g, encodeURIComponent)
}

/** Returns the query of a request target. Never throws. */
export function queryOf({ url }: Pick<FastifyRequest, 'url'>): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1))
}

/**
 * Returns the status of an error: 503 when the database is unreachable, 408 when the request timed out while its body was
 * still being received.
 */
export function statusOf(error: { statusCode?: number; code?: string }, request?: Pick<FastifyRequest, 'raw'>): number {
  if (error.code === 'FST_ERR_HANDLER_TIMEOUT' && request && !request.raw.complete) return 408
  if (isDatabaseUnavailable(error)) return 503
  const status = error.statusCode ?? 500
  return status >= 400 && status < 600 ? status : 500
}

/**
 * Options of `@fastify/cookie`: a cookie that cannot be decoded or stored is read as empty; the others are unaffected.
 */
export const cookieOptions = { parseOptions: { decode: decodeCookie } as object }

function decodeCookie(text: string): string {
  try {
    const value = decodeURIComponent(text)
    return isStorable(value) ? value : ''
  } catch {
    return ''
  }
}
