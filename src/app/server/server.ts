import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Settings } from '../../platform/config/settings.ts'
import type { WaitForTurn } from '../../platform/http/long-bodies.ts'
import type { Program } from '../../programs/partners/context.ts'
import { addressRules, type HostRules, originOf, programOrigin } from '../../programs/partners/hosts.ts'
import { loadPrograms } from '../../programs/partners/load-programs.ts'
import { switchPartners } from '../../staging/switch-partner.ts'
import type { Database } from '../database.ts'
import { modules } from '../modules.ts'
import { createAuxiliaryHosts, handlerOf } from './auxiliary-hosts.ts'
import { startBackgroundJobs } from './background-jobs.ts'
import { type DevBundle, startDevBundle } from './dev-bundle.ts'
import { createFairTurns } from './fair-turns.ts'
import { createGallery, type GalleryDeps } from './gallery.ts'
import { type Admin, createAdmin } from './health.ts'
import { createHostRouter, type HostHandlers } from './host-router.ts'
import { createModuleServices } from './module-services.ts'
import { offlineStyles } from './offline-styles.ts'
import { loadOperationMetrics } from './operation-metrics.ts'
import type { WebBundle } from './pages.ts'
import { createPartnerContext, type PartnerContextDeps } from './partner-context.ts'
import { createPartnerHost } from './partner-host.ts'
import type { ServerPages } from './server-pages.ts'
import { createServices } from './services.ts'
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

/** Assembles all modules: one listening server with its virtual hosts. Does not listen yet. */
export async function createServer(deps: ServerDeps) {
  const { settings, database, logger, clientFiles } = deps
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

  const origin = (partnerId: string) => programOrigin(settings, partnerId)
  const vaultOrigin = settings.VAULT_URL ?? originOf('vault', rules)
  const showsDrafts = (partnerId: string) =>
    settings.STAGING_TOOLS && programs.get(partnerId)?.config.cmsPreview === true
  const common = {
    settings,
    database,
    programs,
    rules,
    origin,
    vaultOrigin,
    pages,
    web,
    logger,
    waitForTurn,
    showsDrafts,
  }
  const caches = await createServices(common)
  const memberTables = modules.flatMap((module) => module.memberTables ?? [])
  const services = createModuleServices({
    ...common,
    caches,
    clientFiles,
    memberTables,
    offlineStyles: offlineStyles(web),
  })
  const partnerApp = await createPartnerHost(
    { ...common, services, clientFiles, turns, isLive: devBundle !== null },
    metrics.observe,
  )
  const styles: GalleryDeps['styles'] = (type) => web?.styles(type) ?? []
  const gallery = pages && (await createGallery({ ...common, pages, stagingTools: settings.STAGING_TOOLS, styles }))
  if (gallery && clientFiles) await serveAssets(gallery, clientFiles)
  for (const app of [partnerApp, gallery])
    if (app && settings.STAGING_TOOLS && !settings.SINGLE_PARTNER)
      switchPartners(app, { partners: rules.partners, origin })
  await Promise.all([partnerApp.ready(), gallery?.ready()])

  const { countJob } = metrics
  const contexts = { ...services, pools: database.pools, now: services.clock.now }
  const contextFor = createJobContext(contexts, partnerApp.log)
  const [auxiliary, stopJobs] = await Promise.all([
    createAuxiliaryHosts({
      ...common,
      isLive: devBundle !== null,
      contexts,
      memberTables,
      recovery: caches.recovery,
      reservationDeps: caches.reservations,
      content: caches.content,
      previewKey: caches.previewKey,
      countJob,
    }),
    startBackgroundJobs({ ...common, services, contextFor, countJob, partners: [...programs.keys()] }),
  ])

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

  const { vault, model, content, impressions, hub } = services
  return {
    server,
    partnerApp,
    gallery,
    admin,
    auxiliaryApps: auxiliary.apps,
    programs,
    origin,
    vault,
    model,
    content,
    impressions,
    hub,
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

/** Returns what creates the context of a job in a program. */
function createJobContext(deps: PartnerContextDeps, log: FastifyInstance['log']) {
  const work = { requestId: 'own', address: '', userAgent: '', log, mayPreview: false, hasPreviewPass: false }
  return (partnerId: string) => createPartnerContext(deps, partnerId, work)
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
