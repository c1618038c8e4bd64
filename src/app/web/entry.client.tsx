import '@vitejs/plugin-react/preamble'
import '../../ui/base.css'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { frameHeader } from '../../identity/impersonation/rules.ts'
import { setBrowserCsrf } from '../../identity/session/member/embed/csrf.ts'
import { createBrowserApi } from '../../platform/browser/browser-api.ts'
import { QueryCache } from '../../platform/browser/query-cache.ts'
import { createRouter } from '../../platform/browser/router/router.ts'
import { requestIdle } from '../../platform/browser/use-idle-turn.ts'
import { fillSharedContent, prefetchAllContent } from '../../programs/content/member/embed/use-content.ts'
import { awaitInstallPrompt } from '../../programs/pwa/member/embed/install-prompt.ts'
import { registerWorker } from '../../programs/pwa/member/embed/register-worker.ts'
import { simulateNativeApp } from '../../staging/member/embed/simulate-native-app.ts'
import { App } from './App.tsx'
import { createBoot, type ProgramFile } from './boot.ts'
import { loadPage, loadPageCode } from './page.ts'
import { fillCache, readPageData } from './page-data.ts'
import { createRoutes } from './routes.tsx'
import { createVersionCheck } from './version-check.ts'

const page = readPageData(document)
awaitInstallPrompt()

async function start() {
  const boot = createBoot(await loadProgram(page.program), page.boot)
  if (boot.stagingTools && boot.nativeApp) simulateNativeApp()
  const versionCheck = createVersionCheck(boot.version, () => api)
  const { api, csrf } = createBrowserApi(boot.apiBase, {
    headers: boot.operator ? { [frameHeader]: '1' } : {},
    onVersion: versionCheck.record,
  })
  const cache = new QueryCache()
  cache.connect()
  fillSharedContent({ api, cache, config: boot.config, preview: boot.preview }, boot.content)
  fillCache(cache, page.queries)
  const routes = createRoutes(boot)
  setBrowserCsrf(csrf)
  const deps = { api, cache, versionCheck, config: boot.config, preview: boot.preview }
  // Before hydration: the code of the rendered page, and the styles of what it may show next.
  const [loaded] = await Promise.all([
    loadPageCode(routes, new URL(window.location.href), page.failure),
    loadStyles(boot.laterStyles),
  ])
  const router = createRouter({
    page: loaded,
    passed: page.boot.passed,
    load: (url) => loadPage(routes, deps, url),
  })
  startTransition(() => {
    hydrateRoot(document, <App boot={boot} api={api} cache={cache} router={router} />)
  })
  void csrf.prefetch()
  void prefetchAllContent(deps, { href: boot.laterContent })
  requestIdle(() => boot.hasServiceWorker && registerWorker())
}

/** Adds a stylesheet, which a link of the page has requested. Resolves when it applies, or cannot be loaded. */
function loadStyles(href: string | null): Promise<void> {
  if (href === null) return Promise.resolve()
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    link.onload = link.onerror = () => resolve()
    document.head.append(link)
  })
}

// Requested by a link of the page already, in parallel with the scripts.
async function loadProgram(href: string): Promise<ProgramFile> {
  const response = await fetch(href, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`${href}: ${response.status}`)
  return response.json()
}

void start()
