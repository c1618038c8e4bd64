import type { ComponentType, ReactNode } from 'react'
import { ApiCallError, type ReadApi } from '../../platform/browser/api.ts'
import type { PageArgs } from '../../platform/browser/query.ts'
import type { QueryCache } from '../../platform/browser/query-cache.ts'
import { matchPath, type PathParams } from '../../platform/browser/router/match-path.ts'
import { PageNotFound, Redirect } from '../../platform/browser/router/redirect.ts'
import { addressOf } from '../../platform/browser/router/router.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import type { VersionCheck } from './version-check.ts'

/** Exports of a page module: the component and what it needs. */
export interface PageModule {
  Page: ComponentType
  /** Fills the cache. Throws a Redirect or PageNotFound. */
  load?: (args: PageArgs) => Promise<void>
  /** Rendered when `load` finds nothing; defaults to the general not-found page. */
  NotFound?: ComponentType
}

/** Surrounds several pages, and stays mounted while they change. */
export type Layout = ComponentType<{ children: ReactNode }>

export interface PageRoute {
  path: string
  /** Path of the page module's source, for preloading. */
  module?: string
  importPage: () => Promise<PageModule>
  importLayout?: () => Promise<Layout>
}

export interface RedirectRoute {
  path: string
  redirectFrom: (url: URL) => Redirect
}

export type Route = PageRoute | RedirectRoute

/** Why a page is not shown. */
export interface Failure {
  status: number
  /** Identifies the failed request in the log; empty when there was none. */
  reference: string
}

/** A page with its code and data. */
export interface LoadedPage {
  /** The source of its module, for preloading; null when it is in the entry script. */
  module: string | null
  /** Null when no route matches, or its code could not be loaded. */
  page: PageModule | null
  layout: Layout | null
  params: PathParams
  failure: Failure | null
}

export interface PageDeps {
  config: PublicConfig
  preview: boolean
  api: ReadApi
  cache: QueryCache
  /** In the browser, where a document can be older than its program. */
  versionCheck?: VersionCheck
}

/**
 * Loads code and data of the page at an address. Throws a Redirect; every other error becomes the failure of the page.
 * `onError` receives errors that are not the visitor's.
 */
export async function loadPage(
  routes: readonly Route[],
  deps: PageDeps,
  url: URL,
  onError: (error: unknown) => void = () => {},
): Promise<LoadedPage> {
  const match = matchPath(routes, url.pathname)
  if (match && 'redirectFrom' in match.route) throw match.route.redirectFrom(url)
  const found = match && { route: match.route as PageRoute, params: match.params }
  let loaded: LoadedPage = { ...emptyPage, params: found?.params ?? {} }
  const load = async () => {
    if (!found) throw new PageNotFound()
    const { page, ...rest } = await importRoute(found.route).catch((error: unknown) => {
      // In the browser, a new document names the files that exist since a deployment, or is the offline page.
      throw deps.versionCheck ? new Redirect(addressOf(url), true) : error
    })
    loaded = { ...loaded, ...rest, page }
    await page.load?.({ ...deps, url, params: loaded.params })
  }
  try {
    await (deps.versionCheck ? deps.versionCheck.load(url, load) : load())
    return loaded
  } catch (error) {
    if (error instanceof Redirect) throw error
    onError(error)
    return { ...loaded, failure: failureOf(error) }
  }
}

const emptyPage: LoadedPage = { module: null, page: null, layout: null, params: {}, failure: null }

/** Loads the code of the page at an address; its data is in the document already. */
export async function loadPageCode(routes: readonly Route[], url: URL, failure: Failure | null): Promise<LoadedPage> {
  const match = matchPath(routes, url.pathname)
  if (!match || 'redirectFrom' in match.route) return { ...emptyPage, failure }
  return { ...emptyPage, params: match.params, failure, ...(await importRoute(match.route)) }
}

async function importRoute({ module, importPage, importLayout }: PageRoute) {
  const [page, layout] = await Promise.all([importPage(), importLayout?.()])
  return { module: module ?? null, page, layout: layout ?? null }
}

/** Returns what the error page shows of an error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof PageNotFound) return { status: 404, reference: '' }
  if (error instanceof ApiCallError) return { status: error.status, reference: error.reference }
  return { status: 500, reference: '' }
}
