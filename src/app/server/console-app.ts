import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { type ClaimAdminContext, claimAdminRoutes, claimsLink } from '../../console/claims/routes.ts'
import { type FeedFilesAdminContext, feedFilesLink, feedFilesRoutes } from '../../console/feed-files/routes.ts'
import { membersLink, type SupportDeps, supportRoutes } from '../../console/impersonation/routes.ts'
import { operatorPasskeyRoutes } from '../../console/operators/passkey-routes.ts'
import { clearConsoleSession, type OperatorDeps, operatorRoutes } from '../../console/operators/routes.ts'
import { type PayoutsAdminContext, payoutsAdminRoutes, payoutsLink } from '../../console/payouts/routes.ts'
import { type SettlementAdminContext, settlementAdminRoutes, settlementLink } from '../../console/settlement/routes.ts'
import { type StudioDeps, studioRoutes } from '../../console/studio/routes.ts'
import { createHttpApp } from '../../platform/http/create-http-app.ts'
import { csp, NONE, SELF } from '../../platform/http/csp.ts'
import { acceptOnlyForms, flatQuery } from '../../platform/http/form-body.ts'
import type { WaitForTurn } from '../../platform/http/long-bodies.ts'
import { limitRates } from '../../platform/http/rate-limit.ts'
import { cookieOptions } from '../../platform/http/request-boundary.ts'
import type { Program } from '../../programs/partners/context.ts'
import type { ServerPages } from './server-pages.ts'

export interface ConsoleDeps
  extends Omit<OperatorDeps, 'db'>,
    Omit<StudioDeps, 'adminLinks' | 'programs'>,
    SupportDeps,
    ClaimAdminContext,
    SettlementAdminContext,
    FeedFilesAdminContext,
    PayoutsAdminContext {
  programs: ReadonlyMap<string, Program>
  pages: ServerPages
  /** Origin of the console. */
  consoleOrigin: string
  trustedProxy: string | undefined
  requestTimeoutMs: number
  waitForTurn: WaitForTurn
  logger: Logger
}

/**
 * Creates the app of the operator console. Its pages are plain forms; only impersonation frames and passkeys need a
 * small script.
 */
export async function createConsole(deps: ConsoleDeps): Promise<FastifyInstance> {
  const app = await createHttpApp({
    host: 'console',
    logger: deps.logger,
    scheme: deps.scheme,
    trustedProxy: deps.trustedProxy,
    requestTimeoutMs: deps.requestTimeoutMs,
    waitForTurn: deps.waitForTurn,
    // Forms of long pages are larger than any visitor's call.
    bodyLimit: 1024 * 1024,
    parseQuery: flatQuery,
    referrerPolicy: 'same-origin',
    framing: 'denied',
    sendError(reply, { status }, request) {
      const text =
        status === 429
          ? 'That was a little too fast. Please wait a minute.'
          : status === 403
            ? 'Nothing was stored: this form is not from your current session. Go back, reload the page, and send it again.'
            : `Please try again. Reference: ${request.id}`
      return sendMessagePage(reply, 'This did not work', text)
    },
  })
  acceptOnlyForms(app)
  await app.register(cookie, cookieOptions)
  await limitRates(app)
  const policy = csp({
    'default-src': NONE,
    'style-src': SELF,
    'img-src': SELF,
    // A form may redirect to a preview on the program's origin.
    'form-action': [SELF, ...[...deps.programs.keys()].map(deps.origin)],
    'base-uri': NONE,
    'frame-ancestors': NONE,
  })
  app.addHook('onSend', async (_request, reply) => {
    // Pages with scripts or a frame set their own policy.
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', policy)
  })
  app.setNotFoundHandler((_request, reply) =>
    sendMessagePage(reply.code(404), 'There is no such page', 'Go back to your programs and try from there.'),
  )
  operatorRoutes(app, { ...deps, db: deps.pools.shared })
  operatorPasskeyRoutes(app, {
    ...deps,
    db: deps.pools.shared,
    onSignedOut: (reply) => clearConsoleSession(reply, deps.scheme),
  })
  supportRoutes(app, deps)
  claimAdminRoutes(app, deps)
  settlementAdminRoutes(app, deps)
  feedFilesRoutes(app, deps)
  payoutsAdminRoutes(app, deps)
  studioRoutes(app, { ...deps, adminLinks: [membersLink, claimsLink, settlementLink, payoutsLink, feedFilesLink] })
  return app

  function sendMessagePage(reply: FastifyReply, title: string, text: string) {
    const { pages } = deps
    return reply
      .type('text/html; charset=utf-8')
      .send(pages.renderConsolePage({ title, operator: null }, pages.MessagePage, { text }))
  }
}
