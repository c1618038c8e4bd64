import type { visit } from './app.ts'

export type Browser = ReturnType<typeof visit>

/** Posts a form as a browser without script does. `headers` replaces those of the browser; undefined removes one. */
export async function postForm(
  browser: Browser,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string | undefined> = {},
) {
  const all = {
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    'content-type': 'application/x-www-form-urlencoded',
    origin: `http://${browser.host}`,
    'sec-fetch-site': 'same-origin',
    ...headers,
  }
  const sent = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return browser.send('POST', path, new URLSearchParams(fields).toString(), Object.fromEntries(sent))
}

/** Requests a page as a browser does. */
export const openPage = (browser: Browser, path: string) => browser.get(path, { accept: 'text/html' })

/** Returns the tag of a form's control. */
export function controlOf(html: string, name: string): string {
  return new RegExp(`<(?:input|select)[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? ''
}

/** Returns what a page says about a control: the text that describes it. */
export function errorOf(html: string, name: string): string | null {
  const control = controlOf(html, name)
  const id = /aria-describedby="([^"]*-error)"/.exec(control)?.[1]?.split(' ').at(-1)
  if (!/aria-invalid="true"/.test(control) || id === undefined) return null
  return new RegExp(`<p id="${id}"[^>]*>([^<]*)</p>`).exec(html)?.[1] ?? null
}

/** Returns the text of a page's alert, without markup. */
export const alertOf = (html: string): string | null =>
  /role="alert"[^>]*>([\s\S]*?)<\/div>/
    .exec(html)?.[1]
    ?.replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim() ?? null

/** Returns whether a browser is signed in. */
export const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get('/api/Member')).status === 200
