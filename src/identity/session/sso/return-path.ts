/**
 * Returns a path of this site, or `fallback`. Browsers interpret `//x`, `/\x` and unusual whitespace as other hosts;
 * anything that is not clearly a local path is rejected.
 */
export function safeReturnPath(path: string, fallback = '/'): string {
  if (path.length > 500 || !/^\/(?![/\\])[^\\\p{Cc}\p{Z}]*$/u.test(path)) return fallback
  if (/%(?:2f|5c|0[0-9a-d])/i.test(path.split(/[?#]/)[0] ?? '')) return fallback
  try {
    const url = new URL(path, 'https://here.invalid')
    // Resolving dots can produce two leading slashes: `/..//evil.example`.
    const here = url.origin === 'https://here.invalid' && !url.pathname.startsWith('//')
    return here ? url.pathname + url.search + url.hash : fallback
  } catch {
    return fallback
  }
}

/** Returns the return path in an address; '' without one. */
export function returnPathIn(search: URLSearchParams): string {
  return safeReturnPath(search.get('returnTo') ?? '', '')
}

/** Adds the return path to a path, for joining or signing in. */
export function withReturn(path: string, returnTo: string): string {
  return returnTo === '' ? path : `${path}${path.includes('?') ? '&' : '?'}returnTo=${encodeURIComponent(returnTo)}`
}

/** Pages on the way: they lead on to where the person wanted to go before. */
const steps = /^\/(?:login|join|add_card|card_added|fix_credentials|recover|activate|error)(?:\/|$)/
/** Pages from which one goes to the account: front pages. */
const fronts = new Set(['/', '/discover', '/how-it-works', '/not_found'])

/** Returns where a sign-in that starts on a page ends: on this page, if it is worth it; '' otherwise. */
export function returnPathFrom({ pathname, search }: { pathname: string; search: string }): string {
  if (steps.test(pathname)) return returnPathIn(new URLSearchParams(search))
  return fronts.has(pathname) ? '' : safeReturnPath(pathname + search, '')
}

/**
 * Returns where a visitor goes on who has given up signing in: to the page from which they came. An account page would
 * lead to the provider again.
 */
export function afterGivingUp(returnTo: string): string {
  return returnTo.startsWith('/account/') ? '/' : safeReturnPath(returnTo)
}
