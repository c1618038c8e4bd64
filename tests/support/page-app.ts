import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '../../src/app/web/App.tsx'
import { createBoot, type ProgramFile } from '../../src/app/web/boot.ts'
import { createClient } from '../../src/app/web/client.ts'
import type { PageData } from '../../src/app/web/page-data.ts'
import { setBrowserCsrf } from '../../src/identity/session/member/embed/csrf.ts'
import { prefetchAllContent } from '../../src/programs/content/member/embed/use-content.ts'

// Imported once there is a window: React looks for one when it is loaded.

/** Starts the app in the current document, as its entry script does. Returns a function that ends it. */
export async function start(program: ProgramFile, page: PageData): Promise<() => void> {
  const { app, csrf, deps } = await createClient(createBoot(program, page.boot), page)
  setBrowserCsrf(csrf)
  // The server's HTML has the class names of the build, so the app renders the page again instead of hydrating it.
  const root = createRoot(document)
  root.render(createElement(App, app))
  void csrf.prefetch()
  void prefetchAllContent(deps, { href: program.laterContent })
  return () => root.unmount()
}
