import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '../../src/app/web/App.tsx'
import { createBoot, type ProgramFile } from '../../src/app/web/boot.ts'
import { createClient } from '../../src/app/web/client.ts'
import type { PageData } from '../../src/app/web/page-data.ts'
import { setBrowserCsrf } from '../../src/identity/session/member/embed/csrf.ts'
import { prefetchAllContent } from '../../src/programs/content/member/embed/use-content.ts'
import { awaitInstallPrompt } from '../../src/programs/pwa/member/embed/install-prompt.ts'

// Imported once there is a window: React looks for one when it is loaded.

/**
 * Starts the app in the current document, as its entry script does. `unmount` ends it; `stopWaiting` ends the timer for
 * the token of a page that left before it got one, and writes to the session storage.
 */
export async function start(program: ProgramFile, page: PageData) {
  awaitInstallPrompt()
  const { app, csrf, deps } = await createClient(createBoot(program, page.boot), page)
  setBrowserCsrf(csrf)
  // The server's HTML has the class names of the build, so the app renders the page again instead of hydrating it.
  const root = createRoot(document)
  root.render(createElement(App, app))
  void csrf.prefetch()
  void prefetchAllContent(deps, { href: program.laterContent })
  const unmount = () => {
    // The module keeps an offer until it is used, and the next page would show it.
    window.dispatchEvent(new Event('appinstalled'))
    root.unmount()
  }
  return { unmount, stopWaiting: () => csrf.renew('') }
}
