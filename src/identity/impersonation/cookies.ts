import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieRules } from '../session/cookies.ts'
import { frameHeader, impersonationTtlMs } from './rules.ts'

/** Separate from the member's cookie: impersonation neither requires nor ends the operator's own member session. */
const names = { https: '__Host-emulation', http: 'emulation' } as const

// Only sent within the console's frame: browsers separate partitioned cookies by top-level site.
const rules = { path: '/', httpOnly: true, secure: true, sameSite: 'none', partitioned: true } as const

export function readImpersonationId(request: FastifyRequest, { scheme }: CookieRules): string | undefined {
  const id = request.cookies[names[scheme]]
  return id?.length === 43 && isFrame(request) ? id : undefined
}

// When console and program share a site, the browser also sends the cookie with the operator's own pages: it must be
// ignored there.
function isFrame({ headers }: FastifyRequest): boolean {
  const dest = headers['sec-fetch-dest']
  return dest === undefined || dest === 'iframe' || headers[frameHeader] === '1'
}

export function sendImpersonationCookie(reply: FastifyReply, id: string, { scheme }: CookieRules): void {
  reply.setCookie(names[scheme], id, { ...rules, maxAge: impersonationTtlMs / 1000 })
}

export function clearImpersonationCookie(reply: FastifyReply, { scheme }: CookieRules): void {
  reply.clearCookie(names[scheme], rules)
}
