import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY } from '../kit/time.ts'
import { type SignedOut, signedOutCookie, signedOutStays } from './rules.ts'

/** Browsers tie `__Host-` to one exact https origin; plain http, for development only, gets the plain name. */
const names = { https: '__Host-sid', http: 'sid' } as const
const deviceNames = { https: '__Host-device', http: 'device' } as const
/** Browsers keep no cookie longer. */
const deviceLength = 400 * DAY
/** Readable by the page, for the warning before the end; the server never believes it. */
const expiryName = 'session_expiry'

export interface CookieRules {
  scheme: 'http' | 'https'
}

/** The session id that came with a request. */
export function readSessionId(request: FastifyRequest, { scheme }: CookieRules): string | undefined {
  return request.cookies[names[scheme]]
}

/** Sends the session's cookies. A remembered session survives the browser, others end with it. */
export function sendSession(
  reply: FastifyReply,
  session: { id?: string; expiresAt: Date; remembered: boolean; signedIn: boolean },
  { scheme }: CookieRules,
): void {
  const secure = scheme === 'https'
  const lasting = session.remembered ? { expires: session.expiresAt } : {}
  if (session.id) {
    reply.setCookie(names[scheme], session.id, { path: '/', httpOnly: true, secure, sameSite: 'lax', ...lasting })
  }
  if (session.signedIn) {
    reply.setCookie(expiryName, session.expiresAt.toISOString(), { path: '/', secure, sameSite: 'lax', ...lasting })
  }
}

/** Takes the session's cookies away. */
export function clearSession(reply: FastifyReply, { scheme }: CookieRules): void {
  const secure = scheme === 'https'
  reply.clearCookie(names[scheme], { path: '/', httpOnly: true, secure, sameSite: 'lax' })
  reply.clearCookie(expiryName, { path: '/', secure, sameSite: 'lax' })
}

/** Lets the next page say that the member was signed out, and why. */
export function sendSignedOut(reply: FastifyReply, { reason, from }: SignedOut, { scheme }: CookieRules): void {
  reply.setCookie(signedOutCookie, `${reason} ${from}`.trim(), {
    path: '/',
    secure: scheme === 'https',
    sameSite: 'lax',
    maxAge: signedOutStays / 1000,
  })
}

/** The secret of a browser in which somebody has signed in before. */
export function readDevice(request: FastifyRequest, { scheme }: CookieRules): string | undefined {
  const value = request.cookies[deviceNames[scheme]]
  return value?.length === 43 ? value : undefined
}

/** Lets this browser be known at the next sign-in; it outlives the session and proves nothing by itself. */
export function sendDevice(reply: FastifyReply, device: string, { scheme }: CookieRules): void {
  reply.setCookie(deviceNames[scheme], device, {
    path: '/',
    httpOnly: true,
    secure: scheme === 'https',
    sameSite: 'lax',
    maxAge: deviceLength / 1000,
  })
}
