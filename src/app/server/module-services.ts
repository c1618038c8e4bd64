import { createBotCheck } from '../../identity/bot-check/service.ts'
import { smtpTransport } from '../../identity/email/service.ts'
import { clearImpersonationCookie } from '../../identity/impersonation/cookies.ts'
import type { ImpersonationDeps } from '../../identity/impersonation/routes.ts'
import { endedPath } from '../../identity/impersonation/rules.ts'
import { endImpersonation } from '../../identity/impersonation/service.ts'
import type { MemberDeps } from '../../identity/members/routes.ts'
import { preparePassword } from '../../identity/recovery/service.ts'
import type { SessionDeps } from '../../identity/session/routes.ts'
import { createSsoClients } from '../../identity/session/sso/client.ts'
import { providerSignOut } from '../../identity/session/sso/sign-out.ts'
import { deriveKey, type Settings } from '../../platform/config/settings.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { outboundFetch } from '../../platform/http/outbound-fetch.ts'
import type { MemberTable } from '../../platform/manifest.ts'
import type { Program } from '../../programs/partners/context.ts'
import { type HostRules, originOf } from '../../programs/partners/hosts.ts'
import { drawPreviewImage } from '../../programs/pwa/preview-image.ts'
import type { PwaDeps } from '../../programs/pwa/routes.ts'
import { recheckOverlap } from '../../rewards/awards/apply.ts'
import { settleMember } from '../../rewards/awards/carry-debts.ts'
import { getDiningProgress } from '../../rewards/awards/dining-progress.ts'
import { readBonuses } from '../../rewards/bonuses/service.ts'
import type { CardRouteDeps } from '../../rewards/cards/routes.ts'
import { completeLink } from '../../rewards/feed/complete-link.ts'
import { httpProcessor } from '../../rewards/payouts/http-processor.ts'
import { ownProcessor } from '../../rewards/payouts/own-processor.ts'
import { reviewKey } from '../../rewards/reviews/review-key.ts'
import { createStagingClock } from '../../staging/clock.ts'
import type { Database } from '../database.ts'
import type { createServices } from './services.ts'

interface ModuleServicesDeps {
  settings: Settings
  database: Database
  /** What all hosts share. */
  caches: Awaited<ReturnType<typeof createServices>>
  programs: ReadonlyMap<string, Program>
  rules: HostRules
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
  /** The pages rendered on the server only; null without pages. */
  pages: (ImpersonationDeps['pages'] & NonNullable<PwaDeps['pages']>) | null
  /** Returns the styles of the page that the service worker shows offline. */
  offlineStyles: PwaDeps['styles']
  /** Folder of the built browser files, or null. */
  clientFiles: string | null
  memberTables: readonly MemberTable[]
}

/** Everything that a module may need from the app, under the name by which its manifest asks for it. */
export type ModuleServices = ReturnType<typeof createModuleServices>

/** Returns the services of all modules, with the callbacks by which lower modules reach higher ones. */
export function createModuleServices(deps: ModuleServicesDeps) {
  const { settings, database, caches, programs, rules, origin, pages } = deps
  const { APP_SECRET } = settings
  const { recovery } = caches
  const cookies = { scheme: settings.PUBLIC_SCHEME }
  const sso = createSsoClients({ publicOrigin: origin, sampleIssuer: originOf('id', rules), fetch: outboundFetch })
  const onLeave: SessionDeps['onLeave'] = async (ctx, reply) => {
    if (!ctx.actor.operator) return providerSignOut(ctx, sso)
    await endImpersonation(ctx)
    clearImpersonationCookie(reply, cookies)
    return new URL(endedPath, origin(ctx.partnerId))
  }
  const onLinked: CardRouteDeps['onLinked'] = async (ctx, tokens) => {
    for (const cardToken of tokens) await completeLink(ctx, cardToken)
  }
  const getProgress: MemberDeps['getProgress'] = (ctx, memberId) =>
    getDiningProgress(ctx.db, memberId, ctx.program.config, ctx.now())
  const password: MemberDeps['preparePassword'] = (ctx, typed) => preparePassword(ctx, recovery, typed)
  return {
    ...caches,
    ...recovery,
    programs,
    cookies,
    sso,
    fetch: outboundFetch,
    /** The real time, unless the staging tools shift it. */
    clock: createStagingClock(),
    pages,
    pwa: { pages, workerFile: deps.clientFiles && 'dist/worker/sw.js', styles: deps.offlineStyles },
    memberTables: deps.memberTables,
    sharedDb: database.pools.shared,
    consoleDb: database.consolePools.shared,
    /** The bot check as forms use it. */
    botCheck: createBotCheck({ verifier: caches.botCheck, key: deriveKey(APP_SECRET, 'gate') }),
    knownKey: deriveKey(APP_SECRET, 'known-member'),
    reviewKey: reviewKey(settings),
    feedSecret: settings.FEED_SECRET,
    stagingTools: settings.STAGING_TOOLS,
    impressionsKeptMonths: settings.IMPRESSIONS_KEPT_MONTHS,
    mailFrom: settings.MAIL_FROM,
    transport: settings.SMTP_URL ? smtpTransport(settings.SMTP_URL) : null,
    processor: settings.PAYOUT_URL ? httpProcessor(settings.PAYOUT_URL, settings.PAYOUT_KEY ?? '') : ownProcessor,
    consoleOrigin: originOf('console', rules),
    /** Content routes of programs other than `/api/cms`. */
    contentRoutes: [...new Set([...programs.values()].map(({ config }) => config.cmsRoute))].filter(
      (route) => route !== '/api/cms',
    ),
    programImage: ({ program }: Ctx) => drawPreviewImage(program.previewImage),
    preparePassword: password,
    getBonuses: readBonuses,
    getProgress,
    onLeave,
    onLinked,
    settleMember,
    recheckOverlap,
  }
}
