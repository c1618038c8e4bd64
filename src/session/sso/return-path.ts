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
