/**
 * A path of this very site, or `fallback`. Browsers read `//x`, `/\x` and odd whitespace as other hosts; anything
 * that is not plainly a path here is not followed.
 */
export function safeReturnPath(path: string, fallback = '/'): string {
  if (path.length > 500 || !/^\/(?![/\\])[^\\\p{Cc}\p{Z}]*$/u.test(path)) return fallback
  if (/%(?:2f|5c|0[0-9a-d])/i.test(path.split(/[?#]/)[0] ?? '')) return fallback
  try {
    const url = new URL(path, 'https://here.invalid')
    // Resolving dots can bring two slashes to the front: `/..//evil.example`.
    const here = url.origin === 'https://here.invalid' && !url.pathname.startsWith('//')
    return here ? url.pathname + url.search + url.hash : fallback
  } catch {
    return fallback
  }
}

/** The page to come back to that an address names; '' without one. */
export function returnPathIn(search: URLSearchParams): string {
  return safeReturnPath(search.get('returnTo') ?? '', '')
}

/** A path that carries the page to come back to through joining or signing in. */
export function withReturn(path: string, returnTo: string): string {
  return returnTo === '' ? path : `${path}?returnTo=${encodeURIComponent(returnTo)}`
}
