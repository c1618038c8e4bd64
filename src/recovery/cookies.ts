import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieRules } from '../session/cookies.ts'
import { codeLength } from './rules.ts'

/** Browsers tie `__Host-` to one exact https origin; plain http, for development only, gets the plain name. */
const names = { https: '__Host-recovery', http: 'recovery' } as const

/** The secret of the browser that asked for a code; only there the digits of its mail can be typed. */
export function readRecovery(request: FastifyRequest, { scheme }: CookieRules): string | undefined {
  const value = request.cookies[names[scheme]]
  return value?.length === 43 ? value : undefined
}

/** Marks the browser that asked, whoever it asked for, as long as a code is good. */
export function sendRecovery(reply: FastifyReply, browser: string, { scheme }: CookieRules): void {
  reply.setCookie(names[scheme], browser, {
    path: '/',
    httpOnly: true,
    secure: scheme === 'https',
    sameSite: 'lax',
    maxAge: codeLength / 1000,
  })
}
