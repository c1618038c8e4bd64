import '@testing-library/jest-dom/vitest'
import { within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import type { NavigateOptions } from '../../src/platform/browser/router/router.ts'
import { openWindow } from './page-window.ts'
import { inProgram, type PartOptions } from './render-part.tsx'

/**
 * Shows a part of a page in a window of its own, which ends with the test, without a server: see `renderHtml`. The file
 * calls `restoreGlobals` at its end.
 */
export async function openPart(part: ReactNode, options: PartOptions = {}) {
  const { path = '/' } = options
  const { window, settle } = openWindow({
    url: `https://dining.example${path}`,
    width: 1280,
    fetch: () => Promise.reject(new TypeError('no connection')),
    onLeave: () => {},
  })
  // Imported once there is a window: React looks for one when it is loaded.
  const { createRoot } = await import('react-dom/client')
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  /** Where the part has navigated, and how. */
  const navigations: [to: string | number, options?: NavigateOptions][] = []
  const navigate = async (...given: (typeof navigations)[number]) => void navigations.push(given)
  root.render(inProgram(part, { ...options, router: { navigate } }))
  await settle()
  onTestFinished(async () => {
    root.unmount()
    await settle()
    await window.happyDOM.close()
  })
  return { screen: within(document.body), user: userEvent.setup({ document }), navigations, settle }
}
