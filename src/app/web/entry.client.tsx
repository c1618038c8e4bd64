import '@vitejs/plugin-react/preamble'
import '../../ui/base.css'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { setBrowserCsrf } from '../../identity/session/member/embed/csrf.ts'
import { requestIdle } from '../../platform/browser/use-idle-turn.ts'
import { prefetchAllContent } from '../../programs/content/member/embed/use-content.ts'
import { awaitInstallPrompt } from '../../programs/pwa/member/embed/install-prompt.ts'
import { registerWorker } from '../../programs/pwa/member/embed/register-worker.ts'
import { simulateNativeApp } from '../../staging/member/embed/simulate-native-app.ts'
import { App } from './App.tsx'
import { createBoot, type ProgramFile } from './boot.ts'
import { createClient } from './client.ts'
import { readPageData } from './page-data.ts'

const page = readPageData(document)
awaitInstallPrompt()

async function start() {
  const boot = createBoot(await loadProgram(page.program), page.boot)
  if (boot.stagingTools && boot.nativeApp) simulateNativeApp()
  const { app, csrf, deps } = await createClient(boot, page, () => loadStyles(boot.laterStyles))
  setBrowserCsrf(csrf)
  startTransition(() => {
    hydrateRoot(document, <App {...app} />)
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
