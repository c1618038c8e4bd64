import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createForms } from '../../../forms/server.ts'
import { createIdProvider } from '../../../id/server.ts'
import { sampleUsers } from '../../../id/users.ts'
import { createVault } from '../../../vault/server.ts'
import { sampleOperator } from '../../console/operators/service.ts'
import { loadConsoleBundle } from '../../console/shell/document.ts'
import type { ReservationDeps } from '../../dining/reservations/service.ts'
import type { RecoveryDeps } from '../../identity/recovery/service.ts'
import { deriveKey, type Settings } from '../../platform/config/settings.ts'
import type { WaitForTurn } from '../../platform/http/long-bodies.ts'
import type { CountJob } from '../../platform/jobs/workers.ts'
import type { MemberTable } from '../../platform/manifest.ts'
import type { ContentCache } from '../../programs/content/service.ts'
import type { Program } from '../../programs/partners/context.ts'
import { type HostRules, originOf } from '../../programs/partners/hosts.ts'
import { clientIdOf } from '../../programs/partners/rules.ts'
import { explainReservationBonus } from '../../rewards/awards/reservation-bonus.ts'
import { receiveReview } from '../../rewards/reviews/contract.ts'
import { reviewKey } from '../../rewards/reviews/review-key.ts'
import type { Database } from '../database.ts'
import { createConsole } from './console-app.ts'
import type { HostHandlers } from './host-router.ts'
import { createPartnerContext, type PartnerContextDeps } from './partner-context.ts'
import type { ServerPages } from './server-pages.ts'

interface AuxiliaryHostDeps {
  settings: Settings
  database: Database
  programs: ReadonlyMap<string, Program>
  rules: HostRules
  origin: (partnerId: string) => string
  vaultOrigin: string
  previewKey: Buffer
  showsDrafts: (partnerId: string) => boolean
  content: ContentCache
  waitForTurn: WaitForTurn
  /** Null: no console. */
  pages: ServerPages | null
  /** The browser code is built again while the server runs, for development. */
  isLive: boolean
  reservationDeps: ReservationDeps
  /** What contexts of the console's work are made of. */
  contexts: PartnerContextDeps
  recovery: RecoveryDeps
  memberTables: readonly MemberTable[]
  logger: Logger
  countJob: CountJob
}

/**
 * Creates the other hosts: vault, form service, console and sample identity provider. Services that are deployed
 * separately are omitted, and without pages the console.
 */
export async function createAuxiliaryHosts(deps: AuxiliaryHostDeps) {
  const { settings, database, programs, rules, origin, vaultOrigin, logger } = deps
  const vault = settings.VAULT_URL
    ? null
    : await createVault({
        databaseUrl: database.vaultUrl,
        secret: settings.VAULT_SECRET,
        publicOrigin: vaultOrigin,
        parentOrigins: (candidate) => [...programs.keys()].some((id) => origin(id) === candidate),
        requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
        logger,
      })
  await vault?.ready()
  const forms = settings.FORMS_URL
    ? null
    : await createForms({
        databaseUrl: database.formsUrl,
        owners: formOwners(programs, origin, reviewKey(settings)),
        scheme: settings.PUBLIC_SCHEME,
        trustedProxy: settings.TRUSTED_PROXY,
        requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
        logger,
        countJob: deps.countJob,
      })
  await forms?.ready()
  const operatorConsole =
    deps.pages &&
    (await createConsole({
      pages: deps.pages,
      bundle: consoleBundle(deps.isLive),
      contextOf: (partnerId, work) =>
        createPartnerContext(deps.contexts, partnerId, { ...work, mayPreview: false, hasPreviewPass: false }),
      now: deps.contexts.now,
      reservationDeps: deps.reservationDeps,
      explainBonus: explainReservationBonus,
      pools: database.consolePools,
      programs,
      setUp: {
        email: settings.SMTP_URL !== undefined,
        payouts: settings.PAYOUT_URL !== undefined,
        booking: settings.BOOKING_URL !== undefined,
      },
      previewKey: deps.previewKey,
      content: deps.content,
      showsDrafts: deps.showsDrafts,
      origin,
      consoleOrigin: originOf('console', rules),
      passkeysRequired: !settings.STAGING_TOOLS,
      scheme: settings.PUBLIC_SCHEME,
      lockKey: deriveKey(settings.APP_SECRET, 'lockout'),
      recovery: deps.recovery,
      memberTables: deps.memberTables,
      trustedProxy: settings.TRUSTED_PROXY,
      requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
      waitForTurn: deps.waitForTurn,
      hint:
        settings.STAGING_TOOLS && settings.SAMPLE_OPERATOR
          ? `Sample operator: ${sampleOperator.email} / ${sampleOperator.password}`
          : null,
      logger,
    }))
  await operatorConsole?.ready()
  const id = settings.SAMPLE_ID ? sampleIdProvider(deps) : null

  const handlers: HostHandlers = {}
  if (operatorConsole) handlers.console = handlerOf(operatorConsole)
  if (vault) handlers.vault = handlerOf(vault)
  if (forms) handlers.forms = handlerOf(forms)
  if (id) handlers.id = id.handle
  return {
    handlers,
    /** The servers behind the hosts; null when omitted. */
    apps: { console: operatorConsole, forms, vault },
    async close() {
      await Promise.all([vault?.close(), forms?.close(), operatorConsole?.close()])
    },
  }
}

/** Returns the built browser code of the console; null when it was not built, in tests of calls. */
function consoleBundle(isLive: boolean) {
  const files = 'dist/console'
  if (!existsSync(files)) return null
  const built = loadConsoleBundle('dist')
  return { files, first: isLive ? () => loadConsoleBundle('dist') : () => built }
}

/** Returns the request handler of an app for the shared server. */
export function handlerOf(app: FastifyInstance): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => app.routing(request as never, response as never)
}

/** Returns the forms of each program, by its code at the form service. */
function formOwners(programs: ReadonlyMap<string, Program>, origin: (partnerId: string) => string, key: string) {
  const ownerOf = (code: string, forms: Program['forms']) => ({
    appOrigin: origin(code),
    forms,
    reviews: { callbackUrl: origin(code) + receiveReview.path, key },
  })
  return new Map(
    [...programs.values()].flatMap(({ config, forms }) =>
      config.formServiceCode ? [[config.formServiceCode, ownerOf(config.code, forms)] as const] : [],
    ),
  )
}

function sampleIdProvider({ settings, programs, rules, origin }: AuxiliaryHostDeps) {
  const clients = [...programs.values()].flatMap(({ config }) =>
    config.sso?.issuer === 'sample'
      ? [
          {
            clientId: clientIdOf(config),
            ...(config.sso.clientSecret && { clientSecret: config.sso.clientSecret }),
            redirectUris: [`${origin(config.code)}/Login/Callback`],
            postLogoutRedirectUris: [`${origin(config.code)}/`],
            backChannelLogoutUri: `${origin(config.code)}/Login/BackChannelLogout`,
            name: config.name,
          },
        ]
      : [],
  )
  return createIdProvider({
    publicOrigin: originOf('id', rules),
    secret: settings.ID_SECRET,
    clients,
    users: sampleUsers,
    stateDir: join(settings.DATA_DIR, 'id'),
  })
}
