import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieRules } from '../session/cookies.ts'
import { codeTtlMs } from './rules.ts'

/** Browsers bind `__Host-` cookies to one exact https origin; plain http, for development only, uses the plain name. */
const names = { https: '__Host-recovery', http: 'recovery' } as const

/** Returns the secret of the browser that requested a code; the digits of the email work only there. */
export function readRecovery(request: FastifyRequest, { scheme }: CookieRules): string | undefined {
  const value = request.cookies[names[scheme]]
  return value?.length === 43 ? value : undefined
}

/** Marks the requesting browser for the lifetime of a code, regardless of the user name. */
export function sendRecovery(reply: FastifyReply, browser: string, { scheme }: CookieRules): void {
  reply.setCookie(names[scheme], browser, {
    path: '/',
    httpOnly: true,
    secure: scheme === 'https',
    sameSite: 'lax',
    maxAge: codeTtlMs / 1000,
  })
}
