import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { executeAdjustment } from '../../account/console/adjust.ts'
import { executeEmailChange } from '../../account/console/change-email.ts'
import { executeMerge } from '../../account/console/merge/merge.ts'
import { type MembersConsoleDeps, membersConsoleRoutes } from '../../account/console/routes.ts'
import { actsRoutes } from '../../console/acts/routes.ts'
import { serveOperators } from '../../console/api/console-api.ts'
import { flagsConsoleRoutes } from '../../console/flags/routes.ts'
import { type HealthConsoleDeps, healthConsoleRoutes } from '../../console/health/routes.ts'
import { homeRoutes } from '../../console/home/routes.ts'
import { type SupportDeps, supportRoutes } from '../../console/impersonation/routes.ts'
import { jobsConsoleRoutes } from '../../console/jobs/routes.ts'
import { schemeOf } from '../../console/operators/admin-context.ts'
import { operatorPasskeyRoutes } from '../../console/operators/passkey-routes.ts'
import {
  clearConsoleSession,
  type OperatorDeps,
  operatorRoutes,
  requireConsoleSession,
} from '../../console/operators/routes.ts'
import { reportsRoutes } from '../../console/reports/routes.ts'
import { searchRoutes } from '../../console/search/routes.ts'
import { areas, installationAreas } from '../../console/shell/areas.ts'
import { type ConsoleBundle, consoleDocument } from '../../console/shell/document.ts'
import { type StudioDeps, studioRoutes } from '../../console/studio/routes.ts'
import { teamRoutes } from '../../console/team/routes.ts'
import { approvalRoutes } from '../../console-kit/approvals/routes.ts'
import { sessionRoutes } from '../../console-kit/session/routes.ts'
import { type ReservationsConsoleDeps, reservationsConsoleRoutes } from '../../dining/reservations/console/routes.ts'
import { emailConsoleRoutes } from '../../identity/email/console/routes.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { createHttpApp } from '../../platform/http/create-http-app.ts'
import { createNonce, csp, NONE, nonceSource, SELF } from '../../platform/http/csp.ts'
import { acceptOnlyForms, flatQuery } from '../../platform/http/form-body.ts'
import type { WaitForTurn } from '../../platform/http/long-bodies.ts'
import { problem } from '../../platform/http/problem.ts'
import { limitRates } from '../../platform/http/rate-limit.ts'
import { cookieOptions } from '../../platform/http/request-boundary.ts'
import type { Program } from '../../programs/partners/context.ts'
import { transactionsConsoleRoutes } from '../../rewards/activity/console/routes.ts'
import { claimsConsoleRoutes } from '../../rewards/claims/console/routes.ts'
import { executeClaimCredit } from '../../rewards/claims/console/service.ts'
import { feedConsoleRoutes } from '../../rewards/feed/console/routes.ts'
import { invoicesConsoleRoutes } from '../../rewards/invoices/console/routes.ts'
import { issueInvoices } from '../../rewards/invoices/service.ts'
import { ledgerConsoleRoutes } from '../../rewards/ledger/console/routes.ts'
import { payoutsConsoleRoutes } from '../../rewards/payouts/console/routes.ts'
import { type SettlementConsoleDeps, settlementConsoleRoutes } from '../../rewards/settlement/console/routes.ts'
import type { ServerPages } from './server-pages.ts'
import { serveAssets } from './static-assets.ts'

export interface ConsoleDeps
  extends Omit<OperatorDeps, 'db'>,
    Omit<StudioDeps, 'programs'>,
    SupportDeps,
    MembersConsoleDeps,
    ReservationsConsoleDeps,
    HealthConsoleDeps,
    SettlementConsoleDeps {
  programs: ReadonlyMap<string, Program>
  pages: ServerPages
  /** The console's browser code; null without a build, for tests of its calls. */
  bundle: { files: string; first: () => ConsoleBundle } | null
  /** Creates the context of work for a program. */
  contextOf: (partnerId: string, work: Pick<Ctx, 'requestId' | 'address' | 'userAgent' | 'log'>) => Ctx
  now: () => Date
  /** Origin of the console. */
  consoleOrigin: string
  trustedProxy: string | undefined
  requestTimeoutMs: number
  waitForTurn: WaitForTurn
  logger: Logger
}

/**
 * Creates the app of the operator console: its calls, the document of its own pages, and the pages that are plain forms,
 * which need no script.
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
    sendError(reply, { error, status }, request) {
      if (request.url.startsWith('/api/')) return sendProblem(reply, status, error.code)
      const text =
        status === 429
          ? 'That was a little too fast. Please wait a minute.'
          : status === 403
            ? 'Nothing was stored: this form is not from your current session. Go back, reload the page, and send it again.'
            : `Please try again. Reference: ${request.id}`
      return sendMessagePage(reply, 'This did not work', text)
    },
  })
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
  app.setNotFoundHandler((request, reply) =>
    request.url.startsWith('/api/')
      ? problem(reply, 404, 'notFound', 'There is no such call.')
      : sendMessagePage(reply.code(404), 'There is no such page', 'Go to the home page and try from there.'),
  )
  requireConsoleSession(app, { db: deps.pools.shared, scheme: deps.scheme })
  await app.register(async (calls) => {
    serveOperators(calls, deps)
    sessionRoutes(calls, deps)
    homeRoutes(calls)
    searchRoutes(calls)
    transactionsConsoleRoutes(calls)
    claimsConsoleRoutes(calls)
    membersConsoleRoutes(calls, deps)
    approvalRoutes(calls, {
      adjustment: executeAdjustment,
      claim: executeClaimCredit,
      merge: executeMerge,
      email: executeEmailChange(deps.recovery),
    })
    feedConsoleRoutes(calls)
    reservationsConsoleRoutes(calls, deps)
    ledgerConsoleRoutes(calls)
    payoutsConsoleRoutes(calls)
    settlementConsoleRoutes(calls, { ...deps, issueInvoices })
    invoicesConsoleRoutes(calls)
    actsRoutes(calls)
    teamRoutes(calls)
    flagsConsoleRoutes(calls)
    jobsConsoleRoutes(calls)
    healthConsoleRoutes(calls, deps)
    emailConsoleRoutes(calls)
    reportsRoutes(calls)
    app.decorate('operatorCalls', calls.calls)
  })
  await app.register(async (forms) => {
    acceptOnlyForms(forms)
    operatorRoutes(forms, { ...deps, db: deps.pools.shared })
    operatorPasskeyRoutes(forms, {
      ...deps,
      db: deps.pools.shared,
      onSignedOut: (reply) => clearConsoleSession(reply, deps.scheme),
    })
    supportRoutes(forms, deps)
    studioRoutes(forms, deps)
  })
  if (deps.bundle) {
    await serveAssets(app, deps.bundle.files)
    servePages(app, deps.bundle.first, deps)
  }
  return app

  function sendMessagePage(reply: FastifyReply, title: string, text: string) {
    const { pages } = deps
    return reply.type('text/html; charset=utf-8').send(
      pages.renderConsolePage({ title, operator: null, scheme: schemeOf(reply.request) }, pages.MessagePage, {
        text,
      }),
    )
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The calls of operators, for tests and the API description of the console. */
    operatorCalls: FastifyInstance['calls']
  }
}

function sendProblem(reply: FastifyReply, status: number, code: string | undefined): FastifyReply {
  if (status === 429) return problem(reply, 429, 'tooMany', 'That was a little too fast. Please wait a minute.')
  if (status === 413) return problem(reply, 413, 'tooLarge', 'This is too large.')
  if (status === 415) return problem(reply, 415, 'notJson', 'The body must be JSON.')
  if (status < 500) return problem(reply, status, code?.startsWith('FST_') ? 'badRequest' : (code ?? 'badRequest'), '')
  if (status === 503) return problem(reply, 503, 'busy', 'Please try again in a moment.')
  return problem(reply, 500, 'serverError', 'This did not work. Please try again.')
}

/** Serves the document of the console's own pages. Their addresses are those of the areas. */
function servePages(
  app: FastifyInstance,
  first: () => ConsoleBundle,
  { passkeysRequired }: Pick<ConsoleDeps, 'passkeysRequired'>,
): void {
  const sendDocument = (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = createNonce()
    return reply
      .header(
        'content-security-policy',
        csp({
          'default-src': NONE,
          'script-src': SELF,
          'style-src': [SELF, nonceSource(nonce)],
          'img-src': [SELF, 'data:'],
          'font-src': SELF,
          'connect-src': SELF,
          // Emails, as they look.
          'frame-src': SELF,
          'form-action': SELF,
          'base-uri': NONE,
          'frame-ancestors': NONE,
          'require-trusted-types-for': "'script'",
          'trusted-types': 'default',
        }),
      )
      .type('text/html; charset=utf-8')
      .send(consoleDocument(first(), nonce, schemeOf(request)))
  }
  app.get('/', sendDocument)
  app.get('/:partner', sendDocument)
  for (const { path } of installationAreas) app.get(`/${path}/*`, sendDocument)
  for (const { path } of areas) {
    const sendArea = (request: FastifyRequest, reply: FastifyReply) =>
      passkeysRequired && request.consoleSession?.passkeyVerified === false
        ? reply.redirect('/security', 303)
        : sendDocument(request, reply)
    app.get(`/:partner/${path}`, sendArea)
    app.get(`/:partner/${path}/*`, sendArea)
  }
}
