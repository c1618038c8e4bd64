import type { IncomingHttpHeaders } from 'node:http'

/**
 * Returns whether a page of this host sent a form. Browsers add both headers, and no page can change them; a client that
 * is no browser sends neither, and has no cookies that another site could use.
 */
export function isOwnForm({ headers }: { headers: IncomingHttpHeaders }): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') return false
  // Sandboxed frames and some redirects send `null`, whose origin is unknown.
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host?.toLowerCase())
}
