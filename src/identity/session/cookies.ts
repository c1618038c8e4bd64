import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { knownDeviceLength, returnTargetLength, signedInCookie, signedInTtlMs } from './rules.ts'
import { type SignedOut, signedOutCookie, signedOutTtlMs } from './signed-out.ts'
import { safeReturnPath } from './sso/return-path.ts'

/** Browsers bind `__Host-` cookies to one exact https origin; plain http, for development only, uses the plain name. */
const names = { https: '__Host-sid', http: 'sid' } as const
const returnNames = { https: '__Host-return', http: 'return' } as const
const deviceNames = { https: '__Host-device', http: 'device' } as const
/** Readable by the page, for the warning before expiry; the server never trusts it. */
const expiryName = 'session_expiry'

export interface CookieRules {
  scheme: 'http' | 'https'
}

/** Returns the session id of a request. */
export function readSessionId(request: FastifyRequest, { scheme }: CookieRules): string | undefined {
  return request.cookies[names[scheme]]
}

/** Sets the session cookies. A remembered session has persistent cookies, others end with the browser. */
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

/** Removes the session cookies. */
export function clearSession(reply: FastifyReply, { scheme }: CookieRules): void {
  const secure = scheme === 'https'
  reply.clearCookie(names[scheme], { path: '/', httpOnly: true, secure, sameSite: 'lax' })
  reply.clearCookie(expiryName, { path: '/', secure, sameSite: 'lax' })
}

/** Sets a cookie from which the next page shows who has signed in at the provider. */
export function sendSignedIn(reply: FastifyReply, { scheme }: CookieRules): void {
  reply.setCookie(signedInCookie, '1', {
    path: '/',
    secure: scheme === 'https',
    sameSite: 'lax',
    maxAge: signedInTtlMs / 1000,
  })
}

/** Sets a cookie from which the next page shows that the member was signed out, and why. */
export function sendSignedOut(reply: FastifyReply, { reason, from }: SignedOut, { scheme }: CookieRules): void {
  reply.setCookie(signedOutCookie, `${reason} ${from}`.trim(), {
    path: '/',
    secure: scheme === 'https',
    sameSite: 'lax',
    maxAge: signedOutTtlMs / 1000,
  })
}

/** Returns the secret of a browser in which a member has signed in before. */
export function readDevice(request: FastifyRequest, { scheme }: CookieRules): string | undefined {
  const value = request.cookies[deviceNames[scheme]]
  return value?.length === 43 ? value : undefined
}

/**
 * Sets the cookie that identifies this browser at the next sign-in; it outlives the session and grants no access by
 * itself.
 */
export function sendDevice(reply: FastifyReply, device: string, { scheme }: CookieRules): void {
  reply.setCookie(deviceNames[scheme], device, {
    path: '/',
    httpOnly: true,
    secure: scheme === 'https',
    sameSite: 'lax',
    maxAge: knownDeviceLength / 1000,
  })
}

/**
 * Stores where a person wants to go after signing in, while the way there leaves the page: through an email. Without a
 * path, removes what was stored before.
 */
export function sendReturnTarget(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  path: string,
  { scheme }: CookieRules,
): void {
  const name = returnNames[scheme]
  const options = { path: '/', httpOnly: true, secure: scheme === 'https', sameSite: 'lax' } as const
  const target = safeReturnPath(path, '')
  if (target !== '') reply.setCookie(name, target, { ...options, maxAge: returnTargetLength / 1000 })
  else if (request.cookies[name] !== undefined) reply.clearCookie(name, options)
}

/** Returns where the person of this browser wants to go; '' when it is not known. */
export function readReturnTarget(request: FastifyRequest, { scheme }: CookieRules): string {
  return safeReturnPath(request.cookies[returnNames[scheme]] ?? '', '')
}
