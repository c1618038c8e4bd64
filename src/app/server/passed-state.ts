import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieRules } from '../../identity/session/cookies.ts'
import { MINUTE } from '../../platform/time.ts'
import type { NextPage } from '../../programs/partners/page-post.ts'

/** Browsers bind `__Host-` cookies to one exact https origin; plain http, for development only, uses the plain name. */
const names = { https: '__Host-passed', http: 'passed' } as const
/** No longer than what a page passes is valid: a reset token. */
const ttlMs = 30 * MINUTE
const maxCharacters = 2_000

/**
 * Stores what one page passes to the next one, when no script does it: in a cookie that no script can read and no other
 * page uses. Without a state, removes what an earlier page has passed.
 */
export function sendPassed(reply: FastifyReply, { to, state, alsoFor = [] }: NextPage, { scheme }: CookieRules): void {
  const options = { path: '/', httpOnly: true, secure: scheme === 'https', sameSite: 'lax' } as const
  if (state === undefined) {
    if (reply.request.cookies[names[scheme]] !== undefined) reply.clearCookie(names[scheme], options)
    return
  }
  const value = Buffer.from(JSON.stringify({ paths: [pathOf(to), ...alsoFor], state })).toString('base64url')
  reply.setCookie(names[scheme], value, { ...options, maxAge: ttlMs / 1000 })
}

/** Returns what the previous page passed to the requested one; undefined for most requests. */
export function readPassed(
  { cookies, url }: FastifyRequest,
  { scheme }: CookieRules,
): Record<string, unknown> | undefined {
  const value = cookies[names[scheme]]
  if (value === undefined || value.length > maxCharacters) return undefined
  try {
    const { paths, state } = JSON.parse(Buffer.from(value, 'base64url').toString())
    return Array.isArray(paths) && paths.includes(pathOf(url)) && typeof state === 'object' && state !== null
      ? state
      : undefined
  } catch {
    return undefined
  }
}

export const pathOf = (url: string) => url.split('?')[0] ?? ''
