import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { isPreviewPassValid } from '../../console/operators/service.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { WaitForTurn } from '../../platform/http/long-bodies.ts'
import { previewPassOf } from '../../programs/content/routes.ts'
import { hasPublishedSince } from '../../programs/content/service.ts'
import { type HostRules, originOf, resolveHost } from '../../programs/partners/hosts.ts'
import { publishableKeyOf } from '../../rewards/cards/publishable-key.ts'
import type { Database } from '../database.ts'
import type { Boot } from '../web/boot.ts'
import { serveBrand } from './brand-assets.ts'
import { crawlerRoutes } from './crawler-routes.ts'
import type { createFairTurns } from './fair-turns.ts'
import { registerModules } from './module-routes.ts'
import type { ModuleServices } from './module-services.ts'
import { createPageCache } from './page-cache.ts'
import { servePagePosts } from './page-posts.ts'
import { servePages, type WebBundle } from './pages.ts'
import { createPartnerApp, type PartnerAppDeps } from './partner-app.ts'
import { createProgramFiles } from './program-files.ts'
import { createRenderQueues } from './render-queue.ts'
import type { ServerPages } from './server-pages.ts'
import { createSitemaps } from './sitemap.ts'
import { serveAssets } from './static-assets.ts'

export interface PartnerHostDeps {
  settings: Settings
  database: Database
  rules: HostRules
  vaultOrigin: string
  services: ModuleServices
  showsDrafts: (partnerId: string) => boolean
  web: WebBundle | null
  /** The pages rendered on the server only, or null. */
  pages: ServerPages | null
  /** Folder of the built browser files, or null. */
  clientFiles: string | null
  /** The pages come from their sources. */
  isLive: boolean
  turns: ReturnType<typeof createFairTurns>
  waitForTurn: WaitForTurn
  logger: Logger
}

/** Creates the app of the programs' hosts: the calls of all modules, files, and with `web` the pages. */
export async function createPartnerHost(
  deps: PartnerHostDeps,
  observe: (app: FastifyInstance) => void,
): Promise<FastifyInstance> {
  const { settings, database, rules, services, clientFiles } = deps
  const { model, origin, clock, cookies } = services
  const app = await createPartnerApp({
    ...services,
    pools: database.pools,
    now: clock.now,
    showsDrafts: deps.showsDrafts,
    hasPreviewPass: previewPassCheck(deps),
    partnerOf: (request) => partnerOf(request.headers.host, rules),
    trustedProxy: settings.TRUSTED_PROXY,
    requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
    waitForTurn: deps.waitForTurn,
    logger: deps.logger,
  })
  observe(app)
  await registerModules(app, services, deps.pages)
  serveBrand(app)
  if (clientFiles) await serveAssets(app, clientFiles)
  crawlerRoutes(app, { sitemaps: createSitemaps({ model, origin }), origin })
  const { web, pages } = deps
  if (!web || !pages) return app
  const installation = installationOf(deps)
  const programFiles = createProgramFiles({ ...installation, origin })
  programFiles.serve(app)
  const pageDeps = servePages(app, {
    ...installation,
    web,
    pages,
    cookies,
    development: deps.isLive,
    cache: createPageCache(),
    programFiles,
    queues: createRenderQueues(deps.turns),
    merchantsVersion: () => model.version,
    clockOffset: () => clock.offset,
  })
  servePagePosts(app, pageDeps)
  return app
}

/** Returns the check whether a request has an editor's pass for unpublished content. */
function previewPassCheck({ database, services }: PartnerHostDeps): PartnerAppDeps['hasPreviewPass'] {
  const { previewKey, cookies } = services
  return async (request, { config }) => {
    const pass = previewPassOf(request.cookies, { previewKey, scheme: cookies.scheme, partnerId: config.code })
    if (pass === null || !(await isPreviewPassValid(database.pools.shared, pass))) return false
    // Publishing ends the preview: the editor then sees what visitors see.
    return !(await hasPublishedSince(database.pools.forPartner(config.code), pass))
  }
}

/** Returns what the pages know of the installation. */
function installationOf({ settings, rules, vaultOrigin, clientFiles }: PartnerHostDeps) {
  return {
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
    hasServiceWorker: clientFiles !== null,
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
