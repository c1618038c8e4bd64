import { join } from 'node:path'
import type { Logger } from 'pino'
import { createReadModel } from '../../dining/merchants/search/read-model.ts'
import { connectedProviders, httpProvider, type ReservationDeps } from '../../dining/reservations/service.ts'
import { createAltcha, createRecaptcha } from '../../identity/bot-check/service.ts'
import { findLiveImpersonationIds } from '../../identity/impersonation/service.ts'
import { deriveReturningKey } from '../../identity/members/service.ts'
import { createPush } from '../../identity/notifications/service.ts'
import { findLiveSessionIds } from '../../identity/session/service.ts'
import { deriveKey, type Settings } from '../../platform/config/settings.ts'
import { createDatabaseListener } from '../../platform/database/listen.ts'
import { outboundFetch } from '../../platform/http/outbound-fetch.ts'
import { createContentCache } from '../../programs/content/service.ts'
import type { Program } from '../../programs/partners/context.ts'
import { publicConfig } from '../../programs/partners/public-config.ts'
import { copyTokens } from '../../programs/partners/rules.ts'
import { createFlagCache, DatabaseFlags } from '../../programs/partners/service.ts'
import { createImpressionLog } from '../../programs/tracking/service.ts'
import { createActivityHub } from '../../rewards/activity/activity-stream.ts'
import { reconcileReservationBonus } from '../../rewards/awards/apply.ts'
import { createHttpVault } from '../../rewards/cards/vault.ts'
import type { Database } from '../database.ts'
import { accessEnds } from './end-access.ts'

export interface ServicesDeps {
  settings: Settings
  database: Database
  programs: ReadonlyMap<string, Program>
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
  vaultOrigin: string
  logger: Logger
}

/** Creates what all hosts share: in-memory caches with their updates, and clients of external services. */
export async function createServices({ settings, database, programs, origin, vaultOrigin, logger }: ServicesDeps) {
  const dbListener = createDatabaseListener({ url: database.pools.url, log: logger })
  const reservations = createReservationDeps(settings, origin)
  // The merchants first, because their queries take longest: the others are loaded while PostgreSQL works on them.
  const loadingModel = createReadModel({
    shared: database.pools.shared,
    dbListener,
    log: logger,
    reservationProviders: connectedProviders(reservations),
    snapshotPath: join(settings.DATA_DIR, 'restaurants.index'),
  })
  const loadingFlags = createFlagCache(
    new DatabaseFlags({
      pools: database.pools,
      dbListener,
      partners: [...programs.keys()],
      onError: (error) => logger.warn({ err: error }, 'feature flags not refreshed'),
    }),
    programs,
  )
  const loadingContent = createContentCache({
    pools: database.pools,
    dbListener,
    tokens: new Map([...programs].map(([id, { config }]) => [id, copyTokens(publicConfig(config))])),
    log: logger,
  })
  const [model, flags, content] = await Promise.all([loadingModel, loadingFlags, loadingContent])
  const impressions = createImpressionLog({ log: logger })
  const hub = createActivityHub({
    listener: dbListener,
    log: logger,
    async liveSessions(partnerId, ids) {
      const db = database.pools.forPartner(partnerId)
      return (await Promise.all([findLiveSessionIds(db, ids), findLiveImpersonationIds(db, ids)])).flat()
    },
  })
  const altcha = settings.RECAPTCHA_SECRET ? null : createAltcha(deriveKey(settings.APP_SECRET, 'bot-check'))
  return {
    dbListener,
    flags,
    content,
    model,
    impressions,
    hub,
    altcha,
    botCheck: altcha ?? createRecaptchaCheck(settings, origin),
    reservations,
    reservationProviders: connectedProviders(reservations),
    origin,
    /** Recognizes a former member who returns. */
    returningKey: deriveReturningKey(settings.APP_SECRET),
    recovery: { origin, lockKey: deriveKey(settings.APP_SECRET, 'lockout'), ...accessEnds },
    previewKey: deriveKey(settings.APP_SECRET, 'preview'),
    vault: createHttpVault({
      apiUrl: settings.VAULT_API_URL ?? vaultOrigin,
      apiKey: deriveKey(settings.VAULT_SECRET, 'vault-api').toString('base64url'),
    }),
    push: createPush(settings.APP_SECRET, {
      contact: `mailto:${/<([^<>]+)>/.exec(settings.MAIL_FROM)?.[1] ?? settings.MAIL_FROM}`,
      additionalHosts: settings.PUSH_HOSTS,
    }),
    /** Ends open event streams, so that the servers can close. */
    release() {
      hub.close()
      void content.close()
    },
    /** Call it when no more requests are running. */
    async close() {
      await impressions.close()
      await Promise.all([content.close(), model.close(), flags.close()])
      await dbListener.close()
    },
  }
}

function createReservationDeps(
  { BOOKING_URL, BOOKING_CREDENTIALS, APP_SECRET }: Settings,
  origin: ReservationDeps['origin'],
): ReservationDeps {
  return {
    http: BOOKING_URL
      ? httpProvider({ url: BOOKING_URL, credentials: BOOKING_CREDENTIALS ?? '', fetch: outboundFetch })
      : null,
    guestKey: deriveKey(APP_SECRET, 'booking-guest'),
    origin,
    settleBonus: reconcileReservationBonus,
  }
}

function createRecaptchaCheck(settings: Settings, origin: (partnerId: string) => string) {
  return createRecaptcha({
    url: settings.RECAPTCHA_URL,
    secret: settings.RECAPTCHA_SECRET as string,
    hostOf: (partnerId) => new URL(origin(partnerId)).hostname,
    fetch: outboundFetch,
  })
}
