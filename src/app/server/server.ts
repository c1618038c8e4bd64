import type { Server } from 'node:http'
import { resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Logger } from 'pino'
import { createAltcha, createRecaptcha } from '../../bot-check/service.ts'
import { publishableKeyOf } from '../../cards/publishable-key.ts'
import { httpVault } from '../../cards/vault.ts'
import { bringsPreviewPass } from '../../content/routes.ts'
import { createContentShelf } from '../../content/service.ts'
import { outboundFetch } from '../../kit/server/loopback.ts'
import { createNotices } from '../../kit/server/notices.ts'
import { deriveKey, type Settings } from '../../kit/server/settings.ts'
import { smtpTransport } from '../../mail/service.ts'
import { createReadModel } from '../../merchants/read-model.ts'
import { createPush } from '../../notices/service.ts'
import type { Program } from '../../partners/context.ts'
import { doorOf, type HostRules, originOf } from '../../partners/hosts.ts'
import { loadPrograms } from '../../partners/load-programs.ts'
import { copyTokens, publicConfig } from '../../partners/rules.ts'
import { createFlagShelf, DatabaseFlags } from '../../partners/service.ts'
import { pwaRoutes } from '../../pwa/routes.ts'
import { type Desk, httpProvider } from '../../reservations/service.ts'
import { createActivityHub } from '../../rewards/activity/activity-stream.ts'
import { httpProcessor, ownProcessor } from '../../rewards/service.ts'
import { createImpressionLog } from '../../tracking/service.ts'
import type { Database } from '../database.ts'
import type { Boot } from '../web/boot.ts'
import { apiRoutes } from './api.ts'
import { serveBrand, withNamespace } from './brand-assets.ts'
import { createDoors, type Doors } from './doors.ts'
import { createGallery } from './gallery.ts'
import { createMetrics, type Health, serveHealth } from './health.ts'
import { keepDelivered } from './keep-delivered.ts'
import { keepSwept } from './keep-swept.ts'
import { type LiveWeb, liveWeb } from './live-web.ts'
import { createPageCache } from './page-cache.ts'
import { servePages, type WebCode } from './pages.ts'
import { contextFor, createPartnerApp } from './partner-app.ts'
import { createSideDoors, handlerOf } from './side-doors.ts'

export interface ServerParts {
  settings: Settings
  database: Database
  logger: Logger
  /** Null: an API without pages, for tests. `live` serves the sources themselves, for development. */
  web: WebCode | 'live' | null
  /** Where the built files of the browser are; null when there are none. */
  clientFiles: string | null
  programs?: Map<string, Program>
}

/** Puts every room together: one listening server, five doors. Nothing listens yet. */
export async function createServer(parts: ServerParts) {
  const { settings, database, logger } = parts
  const programs = parts.programs ?? loadPrograms(settings.PROGRAMS_DIR)
  const rules = hostRules(settings, programs)
  const doors: Doors = {}
  const server = createDoors(rules, doors)
  const live = parts.web === 'live' ? await liveWeb(server) : null
  const web = parts.web === 'live' ? (live as LiveWeb).web : parts.web
  const health: Health = { accepting: true }
  const metrics = createMetrics()
  const vaultOrigin = settings.VAULT_URL ?? originOf('vault', rules)
  const origin = (partnerId: string) => originOf(settings.SINGLE_PARTNER === partnerId ? null : partnerId, rules)

  const notices = createNotices({ url: database.pools.url, log: logger })
  const flags = await createFlagShelf(
    new DatabaseFlags({
      pools: database.pools,
      notices,
      partners: [...programs.keys()],
      onError: (error) => logger.warn({ err: error }, 'switches not refreshed'),
    }),
    programs,
  )
  const content = await createContentShelf({
    pools: database.pools,
    notices,
    tokens: new Map([...programs].map(([id, { config }]) => [id, copyTokens(publicConfig(config))])),
    log: logger,
  })
  const previewKey = deriveKey(settings.APP_SECRET, 'preview')
  const model = await createReadModel({ shared: database.pools.shared, notices, log: logger })
  const impressions = createImpressionLog({ log: logger })
  const hub = createActivityHub({ notices })
  const contexts = { pools: database.pools, programs, content, flags, now: () => new Date() }
  const desk: Desk = {
    http: settings.BOOKING_URL
      ? httpProvider({
          url: settings.BOOKING_URL,
          credentials: settings.BOOKING_CREDENTIALS ?? '',
          fetch: outboundFetch,
        })
      : null,
    guestKey: deriveKey(settings.APP_SECRET, 'booking-guest'),
    origin,
  }
  const recovery = { origin, lockKey: deriveKey(settings.APP_SECRET, 'lockout') }
  const altcha = settings.RECAPTCHA_SECRET ? null : createAltcha(deriveKey(settings.APP_SECRET, 'bot-check'))
  const partnerApp = await createPartnerApp({
    ...contexts,
    mayPreview: (request, { config }) =>
      (settings.STAGING_TOOLS && config.cmsPreview) ||
      bringsPreviewPass(request.cookies, { previewKey, scheme: settings.PUBLIC_SCHEME, partnerId: config.code }),
    partnerOf: (request) => partnerOf(request.headers.host, rules),
    cookies: { scheme: settings.PUBLIC_SCHEME },
    trustedProxy: settings.TRUSTED_PROXY,
    logger,
    checksEveryReply: settings.NODE_ENV === 'test',
  })
  metrics.observe(partnerApp)
  const vaultParts = {
    secret: settings.VAULT_SECRET,
    apiUrl: settings.VAULT_API_URL ?? vaultOrigin,
    origin: vaultOrigin,
  }
  const vault = httpVault({
    apiUrl: vaultParts.apiUrl,
    apiKey: deriveKey(vaultParts.secret, 'vault-api').toString('base64url'),
  })
  const push = createPush(settings.APP_SECRET, {
    contact: `mailto:${/<([^<>]+)>/.exec(settings.MAIL_FROM)?.[1] ?? settings.MAIL_FROM}`,
    ownHosts: settings.PUSH_HOSTS,
  })
  await apiRoutes(partnerApp, {
    push,
    settings,
    origin,
    model,
    hub,
    impressions,
    desk,
    vault,
    programs,
    sampleIssuer: originOf('id', rules),
    recovery,
    proof: altcha ?? recaptchaOf(settings, origin),
    altcha,
    previewKey,
    knownKey: deriveKey(settings.APP_SECRET, 'known-member'),
    consoleOrigin: originOf('console', rules),
    content,
    contentRoutes: [...new Set([...programs.values()].map(({ config }) => config.cmsRoute))].filter(
      (route) => route !== '/api/cms',
    ),
  })
  serveHealth(partnerApp, database.pools, health)
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
      merchantsVersion: () => model.version,
    })
  }
  await partnerApp.ready()

  const gallery = createGallery({
    programs,
    rules,
    logger,
    stagingTools: settings.STAGING_TOOLS,
    styles: (type) => web?.styles(type) ?? [],
  })
  serveHealth(gallery, database.pools, health)
  metrics.serve(gallery)
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
    desk,
    recovery,
    moves: { programs, origin },
    notices: { origin, push },
    processor: settings.PAYOUT_URL ? httpProcessor(settings.PAYOUT_URL, settings.PAYOUT_KEY ?? '') : ownProcessor,
    transport: settings.SMTP_URL ? smtpTransport(settings.SMTP_URL) : null,
    mailFrom: settings.MAIL_FROM,
    logger,
  })

  return {
    server,
    partnerApp,
    programs,
    vault,
    origin,
    model,
    content,
    impressions,
    /** Finishes what is in flight, then closes everything but the database. */
    async close() {
      health.accepting = false
      stopSweeping()
      await stopDelivering()
      hub.close()
      content.close()
      await closeServer(server)
      await live?.close()
      await impressions.close()
      await Promise.all([partnerApp.close(), gallery.close(), side.close(), model.close(), flags.close()])
      await notices.close()
    },
  }
}

function partnerOf(host: string | undefined, rules: HostRules): string {
  const door = doorOf(host, rules)
  if (door?.kind !== 'partner') throw new Error('a request without a partner came through the partner door')
  return door.partnerId
}

function recaptchaOf(settings: Settings, origin: (partnerId: string) => string) {
  return createRecaptcha({
    url: settings.RECAPTCHA_URL,
    secret: settings.RECAPTCHA_SECRET as string,
    hostOf: (partnerId) => new URL(origin(partnerId)).hostname,
    fetch: outboundFetch,
  })
}

/** What pages are told of the bot check: the site key is of this environment alone. */
function botCheckOf({ RECAPTCHA_URL, RECAPTCHA_SITE_KEY }: Settings): Boot['botCheck'] {
  if (!RECAPTCHA_SITE_KEY) return { kind: 'altcha' }
  return { kind: 'recaptcha', siteKey: RECAPTCHA_SITE_KEY, script: `${RECAPTCHA_URL}/api.js?render=explicit` }
}

function hostRules(settings: Settings, programs: ReadonlyMap<string, Program>): HostRules {
  const port = settings.PUBLIC_PORT ?? settings.PORT
  const own = settings.PUBLIC_SCHEME === 'https' ? 443 : 80
  return {
    baseDomain: settings.BASE_DOMAIN,
    scheme: settings.PUBLIC_SCHEME,
    port: port === own ? null : port,
    partners: new Set(programs.keys()),
    singlePartner: settings.SINGLE_PARTNER,
  }
}

// Idle connections go at once, busy ones when their answer is out; a deadline ends what hangs.
async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const deadline = setTimeout(() => server.closeAllConnections(), 10_000)
  await closed
  clearTimeout(deadline)
}
