import type { Server } from 'node:http'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { isPreviewPassValid } from '../../console/operators/service.ts'
import { smtpTransport } from '../../identity/email/service.ts'
import { deriveKey, type Settings } from '../../platform/config/settings.ts'
import type { WaitForTurn } from '../../platform/http/long-bodies.ts'
import { previewPassOf } from '../../programs/content/routes.ts'
import { hasPublishedSince } from '../../programs/content/service.ts'
import type { Program } from '../../programs/partners/context.ts'
import { addressRules, type HostRules, originOf, programOrigin, resolveHost } from '../../programs/partners/hosts.ts'
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
import { createAuxiliaryHosts, handlerOf } from './auxiliary-hosts.ts'
import { startBackgroundJobs } from './background-jobs.ts'
import { serveBrand } from './brand-assets.ts'
import { crawlerRoutes } from './crawler-routes.ts'
import { type DevBundle, startDevBundle } from './dev-bundle.ts'
import { createFairTurns } from './fair-turns.ts'
import { createGallery } from './gallery.ts'
import { type Admin, createAdmin } from './health.ts'
import { createHostRouter, type HostHandlers } from './host-router.ts'
import { loadOperationMetrics } from './operation-metrics.ts'
import { createPageCache } from './page-cache.ts'
import { servePagePosts } from './page-posts.ts'
import { servePages, type WebBundle } from './pages.ts'
import { createPartnerApp } from './partner-app.ts'
import { createPartnerContext } from './partner-context.ts'
import { createProgramFiles } from './program-files.ts'
import { createRenderQueues } from './render-queue.ts'
import type { ServerPages } from './server-pages.ts'
import { createServices } from './services.ts'
import { createSitemaps } from './sitemap.ts'
import { serveAssets } from './static-assets.ts'
import { warnUntrustedProxy } from './warn-untrusted-proxy.ts'

export interface ServerDeps {
  settings: Settings
  database: Database
  logger: Logger
  /** Null: an API without pages, for tests. `live` serves the sources, for development. */
  web: WebBundle | 'live' | null
  /** The pages rendered on the server only. Null: no console and no gallery. Ignored when `web` is `live`. */
  pages: ServerPages | null
  /** Folder of the built browser files, or null. */
  clientFiles: string | null
  programs?: Map<string, Program>
  /** The server of probes and metrics, when it was started earlier. */
  admin?: Admin
}

/** Assembles all features: one listening server with its virtual hosts. Does not listen yet. */
export async function createServer(deps: ServerDeps) {
  const { settings, database, logger } = deps
  const programs = deps.programs ?? loadPrograms(settings.PROGRAMS_DIR)
  const rules = hostRules(settings, programs)
  const hostHandlers: HostHandlers = {}
  const turns = createFairTurns()
  const waitForTurn: WaitForTurn = ({ ip }) => new Promise((start) => turns.enter(ip, 'request', () => start()))
  const server = createHostRouter(rules, hostHandlers, { turns, trustedProxy: settings.TRUSTED_PROXY })
  if (settings.NODE_ENV === 'production' && !settings.TRUSTED_PROXY) warnUntrustedProxy(server, logger)
  const devBundle = deps.web === 'live' ? await startDevBundle(server) : null
  const web = deps.web === 'live' ? (devBundle as DevBundle).web : deps.web
  const pages = devBundle ? devBundle.pages : deps.pages
  const admin = deps.admin ?? (await createAdmin())
  const { health, metrics } = admin
  health.database = () => sql`select 1`.execute(database.consolePools.shared).then(() => true)
  metrics.attach(() => loadOperationMetrics(database.consolePools.shared), [...programs.keys()])
  const vaultOrigin = settings.VAULT_URL ?? originOf('vault', rules)
  const origin = (partnerId: string) => programOrigin(settings, partnerId)

  const services = await createServices({ settings, database, programs, origin, vaultOrigin, logger })
  const { content, model, previewKey, vault } = services
  const showsDrafts = (partnerId: string) =>
    settings.STAGING_TOOLS && programs.get(partnerId)?.config.cmsPreview === true
  // The real time, unless the staging tools shift it.
  const clock = createStagingClock()
  const contexts = {
    pools: database.pools,
    programs,
    content,
    flags: services.flags,
    returningKey: services.returningKey,
    now: clock.now,
  }
  const partnerApp = await createPartnerApp({
    ...contexts,
    showsDrafts,
    async hasPreviewPass(request, { config }) {
      const { PUBLIC_SCHEME: scheme } = settings
      const pass = previewPassOf(request.cookies, { previewKey, scheme, partnerId: config.code })
      if (pass === null || !(await isPreviewPassValid(database.pools.shared, pass))) return false
      // Publishing ends the preview: the editor then sees what visitors see.
      return !(await hasPublishedSince(database.pools.forPartner(config.code), pass))
    },
    partnerOf: (request) => partnerOf(request.headers.host, rules),
    cookies: { scheme: settings.PUBLIC_SCHEME },
    trustedProxy: settings.TRUSTED_PROXY,
    requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
    waitForTurn,
    logger,
  })
  metrics.observe(partnerApp)
  await apiRoutes(partnerApp, {
    ...services,
    pages,
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
    pages,
    workerFile: deps.clientFiles && 'dist/worker/sw.js',
    styles: (type) => {
      const { stylesheet = null, fontStyles } = web?.inline ?? {}
      // Without built pages, in development, the fonts are among the stylesheets.
      if (!fontStyles) return { links: web?.styles(type) ?? [], fonts: '' }
      return { links: stylesheet === null ? [] : [stylesheet], fonts: fontStyles(type) }
    },
  })
  if (deps.clientFiles) await serveAssets(partnerApp, deps.clientFiles)
  crawlerRoutes(partnerApp, { sitemaps: createSitemaps({ model, origin }), origin })
  if (web && pages) {
    const installation = {
      vaultOrigin: new URL(vaultOrigin).origin,
      formsOrigin: new URL(settings.FORMS_URL ?? originOf('forms', rules)).origin,
      stagingTools: settings.STAGING_TOOLS,
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
      hasServiceWorker: deps.clientFiles !== null,
    }
    const programFiles = createProgramFiles({ ...installation, origin })
    programFiles.serve(partnerApp)
    const pageDeps = servePages(partnerApp, {
      ...installation,
      web,
      pages,
      cookies: { scheme: settings.PUBLIC_SCHEME },
      development: devBundle !== null,
      cache: createPageCache(),
      programFiles,
      queues: createRenderQueues(turns),
      merchantsVersion: () => model.version,
      clockOffset: () => clock.offset,
    })
    servePagePosts(partnerApp, pageDeps)
  }
  const partnerSwitch = { partners: rules.partners, origin }
  const switches = settings.STAGING_TOOLS && !settings.SINGLE_PARTNER
  if (switches) switchPartners(partnerApp, partnerSwitch)
  await partnerApp.ready()

  const gallery =
    pages &&
    (await createGallery({
      pages,
      programs,
      rules,
      logger,
      stagingTools: settings.STAGING_TOOLS,
      styles: (type) => web?.styles(type) ?? [],
    }))
  if (gallery && switches) switchPartners(gallery, partnerSwitch)
  if (gallery && deps.clientFiles) await serveAssets(gallery, deps.clientFiles)
  await gallery?.ready()

  const creatingAuxiliary = createAuxiliaryHosts({
    contexts,
    settings,
    database,
    programs,
    rules,
    origin,
    vaultOrigin,
    previewKey,
    showsDrafts,
    content,
    waitForTurn,
    pages,
    logger,
    countJob: metrics.countJob,
  })
  const startingJobs = startBackgroundJobs({
    settings,
    database,
    services,
    partners: [...programs.keys()],
    contextFor: (partnerId) =>
      createPartnerContext(contexts, partnerId, {
        requestId: 'own',
        address: '',
        userAgent: '',
        log: partnerApp.log,
        mayPreview: false,
        hasPreviewPass: false,
      }),
    reservationDeps: services.reservationDeps,
    recovery: services.recovery,
    moves: { programs, origin, returningKey: services.returningKey },
    notificationDeps: { origin, push: services.push },
    processor: settings.PAYOUT_URL ? httpProcessor(settings.PAYOUT_URL, settings.PAYOUT_KEY ?? '') : ownProcessor,
    transport: settings.SMTP_URL ? smtpTransport(settings.SMTP_URL) : null,
    logger,
    countJob: metrics.countJob,
  })
  const [auxiliary, stopJobs] = await Promise.all([creatingAuxiliary, startingJobs])

  const openPartner = handlerOf(partnerApp)
  if (gallery) hostHandlers.gallery = handlerOf(gallery)
  hostHandlers.partner = devBundle
    ? (request, response) => devBundle.serveSource(request, response, () => openPartner(request, response))
    : openPartner
  Object.assign(hostHandlers, auxiliary.handlers)
  const openConsole = hostHandlers.console
  if (devBundle && openConsole)
    hostHandlers.console = (request, response) =>
      void devBundle.reloadPages().then(() => openConsole(request, response))
  health.warm = true

  return {
    server,
    partnerApp,
    gallery,
    admin,
    auxiliaryApps: auxiliary.apps,
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
      services.release()
      await Promise.all([stopJobs(), closeServer(server)])
      await devBundle?.close()
      await Promise.all([partnerApp.close(), gallery?.close(), auxiliary.close()])
      await services.close()
    },
  }
}

function partnerOf(host: string | undefined, rules: HostRules): string {
  const resolvedHost = resolveHost(host, rules)
  if (resolvedHost?.kind !== 'partner') throw new Error('a request without a partner reached the partner app')
  return resolvedHost.partnerId
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
