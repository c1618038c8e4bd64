import { frameHeader } from '../../identity/impersonation/rules.ts'
import { createBrowserApi } from '../../platform/browser/browser-api.ts'
import { QueryCache } from '../../platform/browser/query-cache.ts'
import { createRouter } from '../../platform/browser/router/router.ts'
import { fillSharedContent } from '../../programs/content/member/embed/use-content.ts'
import type { AppProps } from './App.tsx'
import type { Boot } from './boot.ts'
import { loadPage, loadPageCode } from './page.ts'
import { fillCache, type PageData } from './page-data.ts'
import { createRoutes } from './routes.tsx'
import { createVersionCheck } from './version-check.ts'

/**
 * Creates what a document needs to become the app: API, cache with the data of the page, and router. Resolves when the
 * code of the page is loaded, and what `prepare` loads at the same time.
 */
export async function createClient(boot: Boot, page: PageData, prepare: () => Promise<void> = async () => {}) {
  const versionCheck = createVersionCheck(boot.version, () => api)
  const { api, csrf } = createBrowserApi(boot.apiBase, {
    headers: boot.operator ? { [frameHeader]: '1' } : {},
    onVersion: versionCheck.record,
  })
  const cache = new QueryCache()
  cache.connect()
  fillSharedContent({ api, cache, config: boot.config, preview: boot.preview }, boot.content)
  fillCache(cache, page.queries)
  cache.keepServed()
  const routes = createRoutes(boot)
  const deps = { api, cache, versionCheck, config: boot.config, preview: boot.preview }
  const [loaded] = await Promise.all([loadPageCode(routes, new URL(window.location.href), page.failure), prepare()])
  const router = createRouter({
    page: loaded,
    passed: page.boot.passed,
    load: (url) => loadPage(routes, deps, url),
  })
  const app: AppProps = { boot, api, cache, router }
  return { app, csrf, deps }
}
