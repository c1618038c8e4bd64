import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ReactNode } from 'react'
import type { Db, Pools } from '../../platform/database/db.ts'
import type { Operator } from '../../platform/http/operator.ts'
import type * as ui from '../ui/console-page.tsx'

export type ConsoleUi = Pick<typeof ui, 'renderConsolePage'>

export interface AdminDeps<P> {
  /** Connections of the console's role. */
  pools: Pools
  programs: ReadonlyMap<string, P>
}

export interface AdminContext<P> {
  operator: Operator
  /** CSRF token of every form on the page. */
  csrf: string
  partnerId: string
  program: P
  db: Db
}

type Request = FastifyRequest<{ Params: Record<string, string> }>

/**
 * Resolves the program in the URL for an operator with permission; returns null without permission and for an unknown
 * program.
 */
export function resolveAdminContext<P>(
  { pools, programs }: AdminDeps<P>,
  { params, consoleSession }: Pick<Request, 'params' | 'consoleSession'>,
  may: (operator: Operator, partnerId: string) => boolean,
): AdminContext<P> | null {
  const { partner = '' } = params
  const program = programs.get(partner)
  if (!consoleSession || !program) return null
  const { operator, csrfToken } = consoleSession
  if (!may(operator, partner)) return null
  return { operator, csrf: csrfToken, partnerId: partner, program, db: pools.forPartner(partner) }
}

/** The cookie in which the console's script keeps the chosen color scheme, for pages that the server renders. */
const schemeCookie = 'console-scheme'

/** Returns the color scheme that the operator has chosen; null: that of the system. */
export function schemeOf({ cookies }: { cookies: FastifyRequest['cookies'] | null }): ui.ConsoleFrame['scheme'] {
  // The cookies of a request with a malformed address are not read.
  const chosen = cookies?.[schemeCookie]
  return chosen === 'light' || chosen === 'dark' ? chosen : null
}

export interface ConsolePage<P> extends Omit<ui.ConsoleFrame, 'operator' | 'scheme'> {
  Page: (props: P) => ReactNode
  props: NoInfer<P>
}

/** Sends a console page with the signed-in operator's header. */
export function sendConsolePage<P extends object>(
  { pages }: { pages: ConsoleUi },
  { consoleSession }: Pick<Request, 'consoleSession'>,
  reply: FastifyReply,
  { Page, props, ...frame }: ConsolePage<P>,
): FastifyReply {
  const operator = consoleSession && { name: consoleSession.operator.name, csrfToken: consoleSession.csrfToken }
  return reply
    .type('text/html; charset=utf-8')
    .send(pages.renderConsolePage({ ...frame, operator, scheme: schemeOf(reply.request) }, Page, props))
}

/**
 * Redirects operators without a verified passkey away from the program pages under `path`, when passkeys are required.
 */
export function requirePasskey(
  app: FastifyInstance,
  path: string,
  { passkeysRequired }: { passkeysRequired: boolean },
) {
  if (!passkeysRequired) return
  app.addHook('preHandler', async (request, reply) => {
    const isHere = request.routeOptions.url?.startsWith(`/:partner/${path}`)
    if (isHere && request.consoleSession?.passkeyVerified === false) return reply.redirect('/security', 303)
  })
}
