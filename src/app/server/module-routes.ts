import type { FastifyInstance } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import { modules } from '../modules.ts'
import type { ModuleServices } from './module-services.ts'
import { docsRoutes } from './openapi/routes.ts'
import type { ServerPages } from './server-pages.ts'

/** Registers every call of the partner hosts. Unknown `/api/*` paths return JSON, not a page. */
export async function registerModules(
  app: FastifyInstance,
  services: ModuleServices,
  pages: ServerPages | null,
): Promise<void> {
  for (const { routes } of modules) await routes?.(app, services)
  docsRoutes(app, { pages })
  app.setNotFoundHandler((request, reply) => problem(reply, 404, 'notFound', request.ctx.t('not_found.title')))
  // A route of content is of calls, too: a longer address below it is no page, whose slash at the end would be removed.
  for (const path of ['/api', ...services.contentRoutes])
    app.all(`${path}/*`, (request, reply) => problem(reply, 404, 'notFound', request.ctx.t('not_found.title')))
}
