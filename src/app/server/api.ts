import type { FastifyInstance } from 'fastify'
import { privacyRoutes } from '../../account/privacy/routes.ts'
import { artRoutes } from '../../dining/merchants/art/routes.ts'
import { toSubject } from '../../dining/merchants/art/social-image.ts'
import { findShown } from '../../dining/merchants/catalog/merchant-page.ts'
import { merchantRoutes } from '../../dining/merchants/routes.ts'
import type { MerchantReadModel } from '../../dining/merchants/search/read-model.ts'
import { reservationRoutes } from '../../dining/reservations/routes.ts'
import { connectedProviders, type ReservationDeps } from '../../dining/reservations/service.ts'
import { activationRoutes } from '../../identity/activation/routes.ts'
import { botCheckRoutes } from '../../identity/bot-check/routes.ts'
import { type Altcha, type BotCheckVerifier, createBotCheck } from '../../identity/bot-check/service.ts'
import { outboxRoutes } from '../../identity/email/routes.ts'
import { enrollmentRoutes } from '../../identity/enrollment/routes.ts'
import { clearImpersonationCookie } from '../../identity/impersonation/cookies.ts'
import { impersonationRoutes } from '../../identity/impersonation/routes.ts'
import { endedPath } from '../../identity/impersonation/rules.ts'
import { endImpersonation } from '../../identity/impersonation/service.ts'
import { memberRoutes } from '../../identity/members/routes.ts'
import { isKnownToken } from '../../identity/members/service.ts'
import { notificationRoutes } from '../../identity/notifications/routes.ts'
import type { Push } from '../../identity/notifications/service.ts'
import { recoveryRoutes } from '../../identity/recovery/routes.ts'
import { preparePassword, type RecoveryDeps } from '../../identity/recovery/service.ts'
import { passkeyRoutes } from '../../identity/session/passkeys/routes.ts'
import { sessionRoutes } from '../../identity/session/routes.ts'
import { createSsoClients } from '../../identity/session/sso/client.ts'
import { providerSignOut } from '../../identity/session/sso/sign-out.ts'
import { ssoRoutes } from '../../identity/session/sso-routes.ts'
import { verificationRoutes } from '../../identity/verification/routes.ts'
import { deriveKey, type Settings } from '../../platform/config/settings.ts'
import { outboundFetch } from '../../platform/http/outbound-fetch.ts'
import { problem } from '../../platform/http/problem.ts'
import { contentRoutes } from '../../programs/content/routes.ts'
import type { ContentCache } from '../../programs/content/service.ts'
import type { Program } from '../../programs/partners/context.ts'
import { partnerRoutes } from '../../programs/partners/routes.ts'
import type { FlagCache } from '../../programs/partners/service.ts'
import { placesRoutes } from '../../programs/places/routes.ts'
import { isKnownZip } from '../../programs/places/service.ts'
import { drawPreviewImage } from '../../programs/pwa/preview-image.ts'
import { trackingRoutes } from '../../programs/tracking/routes.ts'
import type { ImpressionLog } from '../../programs/tracking/service.ts'
import type { ActivityHub } from '../../rewards/activity/activity-stream.ts'
import { rewardRoutes } from '../../rewards/activity/routes.ts'
import { settleMember } from '../../rewards/awards/carry-debts.ts'
import { getDiningProgress } from '../../rewards/awards/dining-progress.ts'
import { bonusRoutes } from '../../rewards/bonuses/routes.ts'
import { readBonuses } from '../../rewards/bonuses/service.ts'
import { cardRoutes } from '../../rewards/cards/routes.ts'
import type { CardVault } from '../../rewards/cards/vault.ts'
import { claimRoutes } from '../../rewards/claims/routes.ts'
import { debtRoutes } from '../../rewards/debts/routes.ts'
import { completeLink } from '../../rewards/feed/complete-link.ts'
import { reviewKey } from '../../rewards/reviews/review-key.ts'
import { reviewRoutes } from '../../rewards/reviews/routes.ts'
import type { StagingClock } from '../../staging/clock.ts'
import { stagingRoutes } from '../../staging/routes.ts'
import { stateRoutes } from '../../staging/state-routes.ts'
import { docsRoutes } from './openapi/routes.ts'
import type { ServerPages } from './server-pages.ts'

export interface ApiDeps {
  /** The pages rendered on the server only; null without pages. */
  pages: ServerPages | null
  settings: Settings
  origin: (partnerId: string) => string
  model: MerchantReadModel
  hub: ActivityHub
  impressions: ImpressionLog
  reservationDeps: ReservationDeps
  vault: CardVault
  clock: StagingClock
  programs: ReadonlyMap<string, Program>
  push: Push
  sampleIssuer: string
  recovery: RecoveryDeps
  /** Recognizes a former member who returns. */
  returningKey: Buffer
  /** The bot check. */
  botCheck: BotCheckVerifier
  /** The same when it is the included ALTCHA, which has its own calls; else null. */
  altcha: Altcha | null
  previewKey: Buffer
  knownKey: Buffer
  consoleOrigin: string
  content: ContentCache
  flags: FlagCache
  /** Content routes of programs other than `/api/cms`. */
  contentRoutes: readonly string[]
}

/** Registers every call of the partner hosts. Unknown `/api/*` paths return JSON, not a page. */
export async function apiRoutes(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const { settings, origin, model } = deps
  const cookies = { scheme: settings.PUBLIC_SCHEME }
  const sso = createSsoClients({ publicOrigin: origin, sampleIssuer: deps.sampleIssuer, fetch: outboundFetch })
  partnerRoutes(app)
  contentRoutes(app, {
    ownRoutes: deps.contentRoutes,
    previewKey: deps.previewKey,
    cache: deps.content,
    cookies,
  })
  placesRoutes(app, { suggestNeighborhoods: (text, limit) => model.suggestNeighborhoods(text, limit) })
  merchantRoutes(app, { model, reservationProviders: connectedProviders(deps.reservationDeps) })
  artRoutes(app, {
    async find(ctx, publicId) {
      // The search has no restaurant that has left.
      const merchant = model.bySlug(publicId) ?? (await findShown(ctx, publicId))
      return merchant && toSubject(merchant)
    },
    programImage: ({ program }) => drawPreviewImage(program.previewImage),
  })
  const { returningKey } = deps
  const { lockKey } = deps.recovery
  const botCheck = createBotCheck({ verifier: deps.botCheck, key: deriveKey(settings.APP_SECRET, 'gate') })
  if (deps.altcha) botCheckRoutes(app, deps.altcha)
  sessionRoutes(app, {
    cookies,
    botCheck,
    lockKey,
    origin,
    endPending: deps.recovery.endPending,
    async onLeave(ctx, reply) {
      if (!ctx.actor.operator) return providerSignOut(ctx, sso)
      await endImpersonation(ctx)
      clearImpersonationCookie(reply, cookies)
      return new URL(endedPath, origin(ctx.partnerId))
    },
  })
  passkeyRoutes(app, { cookies, lockKey, origin })
  ssoRoutes(app, { cookies, sso, fetch: outboundFetch, origin })
  verificationRoutes(app, deps.recovery)
  recoveryRoutes(app, { deps: deps.recovery, botCheck, cookies })
  // Impersonation starts at the console, which needs pages.
  if (deps.pages) impersonationRoutes(app, { cookies, consoleOrigin: deps.consoleOrigin, pages: deps.pages })
  activationRoutes(app, {
    isTokenOf: (token, partnerId, publicId) => isKnownToken(deps.knownKey, { token, partnerId, publicId }),
    onActivated: settleMember,
  })
  memberRoutes(app, {
    knownKey: deps.knownKey,
    zipIsKnown: isKnownZip,
    preparePassword: (ctx, password) => preparePassword(ctx, deps.recovery, password),
    getBonuses: readBonuses,
    getProgress: (ctx, memberId) => getDiningProgress(ctx.db, memberId, ctx.program.config, ctx.now()),
  })
  enrollmentRoutes(app, { cookies, botCheck, zipIsKnown: isKnownZip, origin, lockKey, onJoined: settleMember })
  cardRoutes(app, {
    vault: deps.vault,
    lockKey,
    returningKey,
    programs: deps.programs,
    cookies,
    gate: botCheck,
    origin,
    async onLinked(ctx, tokens) {
      for (const cardToken of tokens) await completeLink(ctx, cardToken)
    },
  })
  bonusRoutes(app)
  debtRoutes(app)
  reservationRoutes(app, deps.reservationDeps)
  await rewardRoutes(app, { feedSecret: settings.FEED_SECRET, origin, hub: deps.hub })
  await claimRoutes(app)
  await reviewRoutes(app, { keys: () => [reviewKey(settings)], origin })
  if (settings.STAGING_TOOLS) {
    const { reservationDeps, vault, flags } = deps
    stagingRoutes(app, { feedSecret: settings.FEED_SECRET, origin, reservations: reservationDeps, vault, flags })
    stateRoutes(app, { clock: deps.clock, cookies, flags })
    outboxRoutes(app)
  }
  notificationRoutes(app, deps.push)
  privacyRoutes(app, { cookies, vault: deps.vault, reservations: deps.reservationDeps })
  trackingRoutes(app, { impressions: deps.impressions, origin })
  docsRoutes(app, deps)
  app.setNotFoundHandler((request, reply) => problem(reply, 404, 'notFound', request.ctx.t('not_found.title')))
  // A route of content is of calls, too: a longer address below it is no page, whose slash at the end would be removed.
  for (const path of ['/api', ...deps.contentRoutes])
    app.all(`${path}/*`, (request, reply) => problem(reply, 404, 'notFound', request.ctx.t('not_found.title')))
}
