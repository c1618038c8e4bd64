/** Values of the named parts of a path, such as `merchantId` of `/merchants/:merchantId`. */
export type PathParams = Record<string, string>

export interface PathMatch<R> {
  route: R
  params: PathParams
}

const patterns = new Map<string, RegExp>()

/**
 * Returns the first route whose path matches, or null. A path has literal parts, named parts (`:id`), and may end with
 * `/*`, which matches any further parts and none. Case matters; a slash at the end does not.
 */
export function matchPath<R extends { path: string }>(routes: readonly R[], pathname: string): PathMatch<R> | null {
  for (const route of routes) {
    const found = patternOf(route.path).exec(pathname)
    if (found) return { route, params: decodeAll(found.groups ?? {}) }
  }
  return null
}

function patternOf(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const source = path
    .replace(/\/?\*$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:(\w+)/g, '(?<$1>[^/]+)')
    .replace(/\/$/, '')
  const pattern = new RegExp(`^${source}${path.endsWith('*') ? '(?:/.*)?' : '/?'}$`)
  patterns.set(path, pattern)
  return pattern
}

function decodeAll(groups: Record<string, string>): PathParams {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]))
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // Not an encoding: no such page.
    return value
  }
}
