import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { type ClaimAdminContext, claimAdminRoutes, claimsLink } from '../../console/claims/routes.ts'
import { type FeedFilesAdminContext, feedFilesLink, feedFilesRoutes } from '../../console/feed-files/routes.ts'
import { membersLink, type SupportDeps, supportRoutes } from '../../console/impersonation/routes.ts'
import { operatorPasskeyRoutes } from '../../console/operators/passkey-routes.ts'
import { clearConsoleSession, type OperatorDeps, operatorRoutes } from '../../console/operators/routes.ts'
import { type SettlementAdminContext, settlementAdminRoutes, settlementLink } from '../../console/settlement/routes.ts'
import { type StudioDeps, studioRoutes } from '../../console/studio/routes.ts'
import { consolePage } from '../../console/ui/console-page.ts'
import { RETRY_AFTER_SECONDS } from '../../platform/database/database-unavailable.ts'
import { html } from '../../platform/html.ts'
import { acceptOnlyForms, flatQuery } from '../../platform/http/form-body.ts'
import { limitRates } from '../../platform/http/rate-limit.ts'
import { cookieOptions, rejectMalformedTargets, statusOf } from '../../platform/http/request-boundary.ts'
import { publicId } from '../../platform/security/ids.ts'
import type { Program } from '../../programs/partners/context.ts'

export interface ConsoleDeps
  extends Omit<OperatorDeps, 'db'>,
    Omit<StudioDeps, 'adminLinks' | 'programs'>,
    SupportDeps,
    ClaimAdminContext,
    SettlementAdminContext,
    FeedFilesAdminContext {
  programs: ReadonlyMap<string, Program>
  /** Origin of the console. */
  consoleOrigin: string
  trustedProxy: string | undefined
  logger: Logger
}

/**
 * Creates the app of the operator console. Its pages are plain forms; only impersonation frames and passkeys need a
 * small script.
 */
export async function createConsole(deps: ConsoleDeps): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.logger.child({ host: 'console' }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => publicId(),
    // Forms of long pages are larger than any visitor's call.
    bodyLimit: 1024 * 1024,
    handlerTimeout: 8_000,
    trustProxy: deps.trustedProxy ?? false,
    routerOptions: { caseSensitive: true, maxParamLength: 200, querystringParser: flatQuery },
    frameworkErrors: (error, request, reply) => void sendErrorPage(error, request, reply),
  }) as unknown as FastifyInstance
  rejectMalformedTargets(app)
  acceptOnlyForms(app)
  await app.register(cookie, cookieOptions)
  await limitRates(app)
  // A form may redirect to a preview on the program's origin.
  const targets = ["'self'", ...[...deps.programs.keys()].map(deps.origin)].join(' ')
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      // The page with a frame sets its own policy.
      ...(!reply.hasHeader('content-security-policy') && {
        'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
      }),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      ...(deps.scheme === 'https' && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
    })
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.setNotFoundHandler((_request, reply) =>
    sendMessagePage(reply.code(404), 'There is no such page', 'Go back to your programs and try from there.'),
  )
  app.setErrorHandler(sendErrorPage)
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
  studioRoutes(app, { ...deps, adminLinks: [membersLink, claimsLink, settlementLink, feedFilesLink] })
  return app
}

/** Sends the error page. */
function sendErrorPage(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) {
  const status = statusOf(error, request)
  if (status >= 500) request.log.error({ err: error }, 'console failed')
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  if (status === 408) reply.header('connection', 'close')
  const text =
    status === 429 ? 'That was a little too fast. Please wait a minute.' : `Please try again. Reference: ${request.id}`
  return sendMessagePage(reply.code(status), 'This did not work', text)
}

function sendMessagePage(reply: FastifyReply, title: string, text: string) {
  const body = html`<p>${text}</p><p><a href="/">Programs</a></p>`
  return reply.type('text/html; charset=utf-8').send(consolePage({ title, operator: null, body }))
}
