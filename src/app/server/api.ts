import type { FastifyInstance } from 'fastify'
import { activationRoutes } from '../../activation/routes.ts'
import { bonusRoutes } from '../../bonuses/routes.ts'
import { readBonuses } from '../../bonuses/service.ts'
import { botCheckRoutes } from '../../bot-check/routes.ts'
import { type Altcha, createGate, type HumanProof } from '../../bot-check/service.ts'
import { cardRoutes } from '../../cards/routes.ts'
import type { CardVault } from '../../cards/vault.ts'
import { claimRoutes } from '../../claims/routes.ts'
import { contentRoutes } from '../../content/routes.ts'
import type { ContentShelf } from '../../content/service.ts'
import { clearEmulation } from '../../emulation/cookies.ts'
import { emulationRoutes } from '../../emulation/routes.ts'
import { endedPath } from '../../emulation/rules.ts'
import { endEmulation } from '../../emulation/service.ts'
import { enrollmentRoutes } from '../../enrollment/routes.ts'
import { outboundFetch } from '../../kit/server/loopback.ts'
import { problem } from '../../kit/server/problem.ts'
import { deriveKey, type Settings } from '../../kit/server/settings.ts'
import { outboxRoutes } from '../../mail/routes.ts'
import { memberRoutes } from '../../members/routes.ts'
import { isKnownToken } from '../../members/service.ts'
import { artRoutes } from '../../merchants/art/routes.ts'
import type { MerchantReadModel } from '../../merchants/read-model.ts'
import { merchantRoutes } from '../../merchants/routes.ts'
import { noticeRoutes } from '../../notices/routes.ts'
import type { Push } from '../../notices/service.ts'
import type { Program } from '../../partners/context.ts'
import { partnerRoutes } from '../../partners/routes.ts'
import type { FlagShelf } from '../../partners/service.ts'
import { placesRoutes } from '../../places/routes.ts'
import { zipIsKnown } from '../../places/service.ts'
import { privacyRoutes } from '../../privacy/routes.ts'
import { recoveryRoutes } from '../../recovery/routes.ts'
import { preparePassword, type RecoveryDesk } from '../../recovery/service.ts'
import { reservationRoutes } from '../../reservations/routes.ts'
import type { Desk } from '../../reservations/service.ts'
import { reviewKey } from '../../reviews/review-key.ts'
import { reviewRoutes } from '../../reviews/routes.ts'
import type { ActivityHub } from '../../rewards/activity/activity-stream.ts'
import { rewardRoutes } from '../../rewards/routes.ts'
import { diningProgress, rematchUnmatched } from '../../rewards/service.ts'
import { passkeyRoutes } from '../../session/passkeys/routes.ts'
import { sessionRoutes } from '../../session/routes.ts'
import { createSsoClients } from '../../session/sso/client.ts'
import { providerSignOut } from '../../session/sso/sign-out.ts'
import { ssoRoutes } from '../../session/sso-routes.ts'
import type { StagingClock } from '../../staging/clock.ts'
import { stagingRoutes } from '../../staging/routes.ts'
import { stateRoutes } from '../../staging/state-routes.ts'
import { trackingRoutes } from '../../tracking/routes.ts'
import type { ImpressionLog } from '../../tracking/service.ts'
import { docsRoutes } from './openapi.ts'

export interface ApiParts {
  settings: Settings
  origin: (partnerId: string) => string
  model: MerchantReadModel
  hub: ActivityHub
  impressions: ImpressionLog
  desk: Desk
  vault: CardVault
  clock: StagingClock
  programs: ReadonlyMap<string, Program>
  push: Push
  sampleIssuer: string
  recovery: RecoveryDesk
  /** The bot check. */
  proof: HumanProof
  /** The same when it is the included ALTCHA, which has its own calls; else null. */
  altcha: Altcha | null
  previewKey: Buffer
  knownKey: Buffer
  consoleOrigin: string
  content: ContentShelf
  flags: FlagShelf
  /** Content routes of programs other than `/api/cms`. */
  contentRoutes: readonly string[]
}

/** Registers every call of the partner hosts. Unknown `/api/*` paths return JSON, not a page. */
export async function apiRoutes(app: FastifyInstance, parts: ApiParts): Promise<void> {
  const { settings, origin, model } = parts
  const cookies = { scheme: settings.PUBLIC_SCHEME }
  const sso = createSsoClients({ publicOrigin: origin, sampleIssuer: parts.sampleIssuer, fetch: outboundFetch })
  partnerRoutes(app)
  contentRoutes(app, {
    ownRoutes: parts.contentRoutes,
    previewKey: parts.previewKey,
    shelf: parts.content,
    cookies,
  })
  placesRoutes(app, { suggestNeighborhoods: (text, limit) => model.suggestNeighborhoods(text, limit) })
  merchantRoutes(app, { model })
  artRoutes(app, (publicId) => {
    const merchant = model.bySlug(publicId)
    return merchant && { name: merchant.name, cuisine: merchant.cuisines[0] ?? '', neighborhood: merchant.neighborhood }
  })
  const { lockKey } = parts.recovery
  const returningKey = deriveKey(settings.APP_SECRET, 'returning-member')
  const gate = createGate({ proof: parts.proof, key: deriveKey(settings.APP_SECRET, 'gate') })
  if (parts.altcha) botCheckRoutes(app, parts.altcha)
  sessionRoutes(app, {
    cookies,
    gate,
    lockKey,
    origin,
    async onLeave(ctx, reply) {
      if (!ctx.actor.operator) return providerSignOut(ctx, sso)
      await endEmulation(ctx)
      clearEmulation(reply, cookies)
      return new URL(endedPath, origin(ctx.partnerId))
    },
  })
  passkeyRoutes(app, { cookies, lockKey, origin })
  ssoRoutes(app, { cookies, sso, fetch: outboundFetch })
  recoveryRoutes(app, { desk: parts.recovery, gate, cookies })
  emulationRoutes(app, { cookies, consoleOrigin: parts.consoleOrigin })
  activationRoutes(app, {
    isTokenOf: (token, partnerId, publicId) => isKnownToken(parts.knownKey, { token, partnerId, publicId }),
  })
  memberRoutes(app, {
    knownKey: parts.knownKey,
    zipIsKnown,
    preparePassword: (ctx, password) => preparePassword(ctx, { origin }, password),
    bonusesOf: readBonuses,
    progressOf: (ctx, memberId) => diningProgress(ctx.db, memberId, ctx.program.config, ctx.now()),
  })
  enrollmentRoutes(app, { cookies, gate, zipIsKnown, origin, returningKey })
  cardRoutes(app, {
    vault: parts.vault,
    lockKey,
    returningKey,
    programs: parts.programs,
    cookies,
    gate,
    origin,
    async onLinked(ctx, tokens) {
      for (const cardToken of tokens) await rematchUnmatched(ctx, { cardToken })
    },
  })
  bonusRoutes(app)
  reservationRoutes(app, parts.desk)
  await rewardRoutes(app, { feedSecret: settings.FEED_SECRET, origin, hub: parts.hub })
  await claimRoutes(app)
  await reviewRoutes(app, { keys: () => [reviewKey(settings)], origin })
  if (settings.STAGING_TOOLS) {
    const { desk, vault, flags } = parts
    stagingRoutes(app, { feedSecret: settings.FEED_SECRET, origin, desk, vault, flags })
    stateRoutes(app, { clock: parts.clock, cookies, flags })
    outboxRoutes(app)
  }
  noticeRoutes(app, parts.push)
  privacyRoutes(app, { cookies, vault: parts.vault, desk: parts.desk, returningKey })
  trackingRoutes(app, { impressions: parts.impressions, origin })
  docsRoutes(app)
  app.setNotFoundHandler((request, reply) => problem(reply, 404, 'notFound', request.ctx.word('not_found.title')))
  app.all('/api/*', (request, reply) => problem(reply, 404, 'notFound', request.ctx.word('not_found.title')))
}
