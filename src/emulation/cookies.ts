import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieRules } from '../session/cookies.ts'
import { emulationLength, frameHeader } from './rules.ts'

/** Another cookie than the member's own: looking through somebody's eyes neither needs nor ends one's own session. */
const names = { https: '__Host-emulation', http: 'emulation' } as const

// Sent from within the console's frame only: browsers keep a partitioned cookie apart for each page around the frame.
const rules = { path: '/', httpOnly: true, secure: true, sameSite: 'none', partitioned: true } as const

export function readEmulationId(request: FastifyRequest, { scheme }: CookieRules): string | undefined {
  const id = request.cookies[names[scheme]]
  return id?.length === 43 && isFrame(request) ? id : undefined
}

// Where console and program share a site, a page of the operator's own sends the cookie too: it is not meant.
function isFrame({ headers }: FastifyRequest): boolean {
  const dest = headers['sec-fetch-dest']
  return dest === undefined || dest === 'iframe' || headers[frameHeader] === '1'
}

export function sendEmulation(reply: FastifyReply, id: string, { scheme }: CookieRules): void {
  reply.setCookie(names[scheme], id, { ...rules, maxAge: emulationLength / 1000 })
}

export function clearEmulation(reply: FastifyReply, { scheme }: CookieRules): void {
  reply.clearCookie(names[scheme], rules)
}
