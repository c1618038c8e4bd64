import '@testing-library/jest-dom/vitest'
import { within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { onTestFinished, vi } from 'vitest'
import { openWindow } from './page-window.ts'

/** What the server answers: a status and a body, by method and path. */
export type Answer = (request: { method: string; path: string; query: URLSearchParams; body: unknown }) => {
  status?: number
  body: unknown
}

interface Options {
  path: string
  props?: object
  permissions?: readonly string[]
  answer?: Answer
}

/**
 * Shows a part of the console in a window of its own, which ends with the test, without a server. The file calls
 * `restoreGlobals` at its end.
 */
export async function openConsolePart(name: Parameters<ShowConsolePart>[0], { answer, path, ...options }: Options) {
  const requests: string[] = []
  const respond = async (address: RequestInfo | URL, init: RequestInit = {}) => {
    const { pathname, searchParams: query } = new URL(String(address), 'http://console.localhost')
    const method = init.method ?? 'GET'
    requests.push(`${method} ${pathname}`)
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const { status = 200, body: sent } = answer?.({ method, path: pathname, query, body }) ?? { status: 404, body: {} }
    return new Response(JSON.stringify(sent), { status, headers: { 'content-type': 'application/json' } })
  }
  const { window, settle } = openWindow({
    url: `http://console.localhost${path}`,
    width: 1280,
    fetch: respond as typeof fetch,
    onLeave: () => {},
  })
  // What the console's libraries look for.
  vi.stubGlobal('self', window)
  Object.defineProperty(window.document, 'fonts', { value: new EventTarget() })
  const { showConsolePart } = await import('./console-parts.tsx')
  const { router, show, end } = showConsolePart(name, { path, ...options })
  await settle()
  onTestFinished(async () => {
    end()
    await settle()
    await window.happyDOM.close()
  })
  return { screen: within(document.body), user: userEvent.setup({ document }), requests, router, show, settle }
}

/** Returns an answer with a problem, as the server sends it. */
export const problem = (status: number, code: string, title: string) => ({
  status,
  body: { type: 'about:blank', status, code, title, reference: 'a-reference' },
})

type ShowConsolePart = typeof import('./console-parts.tsx').showConsolePart
