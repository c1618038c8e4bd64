import type { Server } from 'node:http'
import { resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { previewPassHolds } from '../../console/operators/service.ts'
import { smtpTransport } from '../../identity/email/service.ts'
import { deriveKey, type Settings } from '../../platform/config/settings.ts'
import { previewPassOf } from '../../programs/content/routes.ts'
import { hasPublishedSince } from '../../programs/content/service.ts'
import type { Program } from '../../programs/partners/context.ts'
import { addressRules, doorOf, type HostRules, originOf, programOrigin } from '../../programs/partners/hosts.ts'
import { loadPrograms } from '../../programs/partners/load-programs.ts'
import { pwaRoutes } from '../../programs/pwa/routes.ts'
import { publishableKeyOf } from '../../rewards/cards/publishable-key.ts'
import { httpProcessor } from '../../rewards/payouts/http-processor.ts'
import { ownProcessor } from '../../rewards/payouts/own-processor.ts'
import { createStagingClock } from '../../staging/clock.ts'
import { switchPartners } from '../../staging/switch-partner.ts'
import type { Database } from '../database.ts'
import type { Boot } from '../web/boot.ts'
import { apiRoutes } from './api.ts'
import { serveBrand, withNamespace } from './brand-assets.ts'
import { createDoors, type Doors } from './doors.ts'
import { createGallery } from './gallery.ts'
import { type Admin, createAdmin } from './health.ts'
import { keepDelivered } from './keep-delivered.ts'
import { keepSwept } from './keep-swept.ts'
import { type LiveWeb, liveWeb } from './live-web.ts'
import { readOperationFigures } from './operation-figures.ts'
import { createPageCache } from './page-cache.ts'
import { servePages, type WebCode } from './pages.ts'
import { contextFor, createPartnerApp } from './partner-app.ts'
import { createRenderQueues } from './render-queue.ts'
import { createServices } from './services.ts'
import { createSideDoors, handlerOf } from './side-doors.ts'
import { warnOfForwarded } from './warn-of-forwarded.ts'

export interface ServerParts {
  settings: Settings
  database: Database
  logger: Logger
  /** Null: an API without pages, for tests. `live` serves the sources, for development. */
  web: WebCode | 'live' | null
  /** Folder of the built browser files, or null. */
  clientFiles: string | null
  programs?: Map<string, Program>
  /** The server of probes and metrics, when it was started earlier. */
  admin?: Admin
}

/** Assembles all features: one listening server with its virtual hosts. Does not listen yet. */
export async function createServer(parts: ServerParts) {
  const { settings, database, logger } = parts
  const programs = parts.programs ?? loadPrograms(settings.PROGRAMS_DIR)
  const rules = hostRules(settings, programs)
  const doors: Doors = {}
  const server = createDoors(rules, doors)
  if (settings.NODE_ENV === 'production' && !settings.TRUSTED_PROXY) warnOfForwarded(server, logger)
  const live = parts.web === 'live' ? await liveWeb(server) : null
  const web = parts.web === 'live' ? (live as LiveWeb).web : parts.web
  const admin = parts.admin ?? createAdmin()
  const { health, metrics } = admin
  health.database = () => sql`select 1`.execute(database.consolePools.shared).then(() => true)
  metrics.attach(() => readOperationFigures(database.consolePools.shared), [...programs.keys()])
  const vaultOrigin = settings.VAULT_URL ?? originOf('vault', rules)
  const origin = (partnerId: string) => programOrigin(settings, partnerId)

  const services = await createServices({ settings, database, programs, origin, vaultOrigin, logger })
  const { content, model, previewKey, vault } = services
  const showsDrafts = (partnerId: string) =>
    settings.STAGING_TOOLS && programs.get(partnerId)?.config.cmsPreview === true
  // The real time, unless the staging tools shift it.
  const clock = createStagingClock()
  const contexts = { pools: database.pools, programs, content, flags: services.flags, now: clock.now }
  const partnerApp = await createPartnerApp({
    ...contexts,
    async mayPreview(request, { config }) {
      if (showsDrafts(config.code)) return true
      const { PUBLIC_SCHEME: scheme } = settings
      const pass = previewPassOf(request.cookies, { previewKey, scheme, partnerId: config.code })
      if (pass === null || !(await previewPassHolds(database.pools.shared, pass))) return false
      // Publishing ends the preview: the editor then sees what visitors see.
      return !(await hasPublishedSince(database.pools.forPartner(config.code), pass))
    },
    partnerOf: (request) => partnerOf(request.headers.host, rules),
    cookies: { scheme: settings.PUBLIC_SCHEME },
    trustedProxy: settings.TRUSTED_PROXY,
    logger,
    checksEveryReply: settings.NODE_ENV === 'test',
  })
  metrics.observe(partnerApp)
  await apiRoutes(partnerApp, {
    ...services,
    settings,
    clock,
    origin,
    programs,
    sampleIssuer: originOf('id', rules),
    knownKey: deriveKey(settings.APP_SECRET, 'known-member'),
    consoleOrigin: originOf('console', rules),
    contentRoutes: [...new Set([...programs.values()].map(({ config }) => config.cmsRoute))].filter(
      (route) => route !== '/api/cms',
    ),
  })
  serveBrand(partnerApp)
  pwaRoutes(partnerApp, {
    workerFile: parts.clientFiles && 'dist/worker/sw.js',
    withNamespace,
    styles: (type) => web?.styles(type) ?? [],
  })
  if (parts.clientFiles) {
    await partnerApp.register(fastifyStatic, {
      root: resolve(parts.clientFiles, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '1y',
      index: false,
    })
  }
  if (web) {
    servePages(partnerApp, {
      web,
      vaultOrigin: new URL(vaultOrigin).origin,
      formsOrigin: new URL(settings.FORMS_URL ?? originOf('forms', rules)).origin,
      stagingTools: settings.STAGING_TOOLS,
      scheme: settings.PUBLIC_SCHEME,
      development: live !== null,
      adTagUrl: settings.AD_TAG_URL ?? null,
      consoleOrigin: originOf('console', rules),
      botCheck: botCheckOf(settings),
      cardProvider: {
        script: settings.CARD_PROVIDER_SCRIPT ?? new URL('/provider.js', vaultOrigin).href,
        key: settings.CARD_PROVIDER_KEY ?? publishableKeyOf(settings.VAULT_SECRET),
      },
      mapTiles: settings.MAP_TILES_URL
        ? { url: settings.MAP_TILES_URL, attribution: settings.MAP_TILES_ATTRIBUTION }
        : null,
      worksOffline: parts.clientFiles !== null,
      cache: createPageCache(),
      queues: createRenderQueues(),
      origin,
      merchantsVersion: () => model.version,
      clockOffset: () => clock.offset,
    })
  }
  const partnerSwitch = { partners: rules.partners, origin }
  const switches = settings.STAGING_TOOLS && !settings.SINGLE_PARTNER
  if (switches) switchPartners(partnerApp, partnerSwitch)
  await partnerApp.ready()

  const gallery = createGallery({
    programs,
    rules,
    logger,
    stagingTools: settings.STAGING_TOOLS,
    styles: (type) => web?.styles(type) ?? [],
  })
  if (switches) switchPartners(gallery, partnerSwitch)
  if (parts.clientFiles)
    await gallery.register(fastifyStatic, {
      root: resolve(parts.clientFiles, 'assets'),
      prefix: '/assets/',
      index: false,
    })
  await gallery.ready()

  const side = await createSideDoors({
    settings,
    database,
    programs,
    rules,
    origin,
    vaultOrigin,
    previewKey,
    showsDrafts,
    content,
    logger,
  })

  const openPartner = handlerOf(partnerApp)
  doors.gallery = handlerOf(gallery)
  doors.partner = live
    ? (request, response) => live.serveSource(request, response, () => openPartner(request, response))
    : openPartner
  Object.assign(doors, side.doors)
  const stopSweeping = keepSwept({ settings, database, partners: [...programs.keys()], logger })

  const stopDelivering = keepDelivered({
    partners: [...programs.keys()],
    contextFor: (partnerId) =>
      contextFor(contexts, partnerId, {
        requestId: 'own',
        address: '',
        userAgent: '',
        log: partnerApp.log,
        mayPreview: false,
      }),
    desk: services.desk,
    recovery: services.recovery,
    moves: { programs, origin, returningKey: deriveKey(settings.APP_SECRET, 'returning-member') },
    notices: { origin, push: services.push },
    processor: settings.PAYOUT_URL ? httpProcessor(settings.PAYOUT_URL, settings.PAYOUT_KEY ?? '') : ownProcessor,
    transport: settings.SMTP_URL ? smtpTransport(settings.SMTP_URL) : null,
    mailFrom: settings.MAIL_FROM,
    intervalMs: settings.DELIVERY_INTERVAL_MS,
    logger,
    countJob: metrics.countJob,
  })
  health.warm = true

  return {
    server,
    partnerApp,
    admin,
    sideApps: side.apps,
    programs,
    vault,
    origin,
    model,
    content,
    impressions: services.impressions,
    hub: services.hub,
    /** Completes requests in progress, then closes everything except the database. */
    async close() {
      health.accepting = false
      await stopSweeping()
      await stopDelivering()
      services.release()
      await closeServer(server)
      await live?.close()
      await Promise.all([partnerApp.close(), gallery.close(), side.close()])
      await services.close()
    },
  }
}

function partnerOf(host: string | undefined, rules: HostRules): string {
  const door = doorOf(host, rules)
  if (door?.kind !== 'partner') throw new Error('a request without a partner came through the partner door')
  return door.partnerId
}

/** Returns the bot check settings for pages; the site key belongs to this environment. */
function botCheckOf({ RECAPTCHA_URL, RECAPTCHA_SITE_KEY }: Settings): Boot['botCheck'] {
  if (!RECAPTCHA_SITE_KEY) return { kind: 'altcha' }
  return { kind: 'recaptcha', siteKey: RECAPTCHA_SITE_KEY, script: `${RECAPTCHA_URL}/api.js?render=explicit` }
}

function hostRules(settings: Settings, programs: ReadonlyMap<string, Program>): HostRules {
  return {
    ...addressRules(settings),
    partners: new Set(programs.keys()),
    singlePartner: settings.SINGLE_PARTNER,
  }
}

// Closes idle connections at once and busy ones after their response; a deadline ends the rest.
async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const deadline = setTimeout(() => server.closeAllConnections(), 10_000)
  await closed
  clearTimeout(deadline)
}
