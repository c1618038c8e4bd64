import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { EnvironmentModuleNode, RunnableDevEnvironment, ViteDevServer } from 'vite'
import type { RenderRequest, RenderResult } from '../web/entry.server.tsx'
import type { WebBundle } from './pages.ts'
import type { ServerPages } from './server-pages.ts'

interface Entry {
  render(request: RenderRequest): Promise<RenderResult>
  fontLinks: WebBundle['styles']
}

export interface DevBundle {
  web: WebBundle
  pages: ServerPages
  /** Loads changed sources of `pages`. */
  reloadPages(): Promise<void>
  /** Serves source files and passes other requests to `next`. */
  serveSource(request: IncomingMessage, response: ServerResponse, next: () => void): void
  close(): Promise<void>
}

const clientEntry = '/src/app/web/entry.client.tsx'
const serverEntry = '/src/app/web/entry.server.tsx'
const pagesEntry = '/src/app/web/entry.pages.tsx'

/** Serves the web code from its sources, with hot reload. For development only: nothing else depends on Vite. */
export async function startDevBundle(server: Server): Promise<DevBundle> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    appType: 'custom',
    server: { middlewareMode: true, ws: { server }, allowedHosts: true },
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  const ssr = vite.environments.ssr as RunnableDevEnvironment
  let entry = (await ssr.runner.import(serverEntry)) as Entry
  const pages = { ...((await ssr.runner.import(pagesEntry)) as ServerPages) }
  return {
    pages,
    async reloadPages() {
      try {
        Object.assign(pages, await ssr.runner.import(pagesEntry))
      } catch (error) {
        // The last pages that could be loaded are shown.
        vite.config.logger.error(String(error))
      }
    },
    web: {
      async render(request) {
        entry = (await ssr.runner.import(serverEntry)) as Entry
        return entry.render(request)
      },
      scripts: () => ({ entry: clientEntry, preload: () => [] }),
      // Stylesheets of the modules loaded so far, linked to avoid unstyled content.
      styles: (type) => [...entry.fontLinks(type), ...stylesOf(vite)],
    },
    serveSource: (request, response, next) => vite.middlewares(request, response, next),
    close: () => vite.close(),
  }
}

function stylesOf(vite: ViteDevServer): string[] {
  const graph = vite.environments.ssr.moduleGraph
  const urls = new Set<string>(['/src/ui/base.css'])
  for (const node of graph.idToModuleMap.values() as Iterable<EnvironmentModuleNode>) {
    if (node.url.endsWith('.css')) urls.add(node.url)
  }
  return [...urls]
}
