import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, createElement } from 'react'
import { type LoaderFunctionArgs, type RouteObject, redirect, redirectDocument } from 'react-router'
import type { ReadApi } from '../../platform/browser/api.ts'
import type { PageArgs } from '../../platform/browser/query.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { Failure } from './RouteError.tsx'
import type { VersionCheck } from './version-check.ts'

/** Exports of a page module: the component and its loader. */
export interface PageModule {
  Page: ComponentType
  /** Fills the cache. Throws a Response for another status or a redirect. */
  load?: (args: PageArgs) => Promise<void>
  /** Rendered when `load` throws a 404; defaults to the general not-found page. */
  NotFound?: ComponentType
}

export interface PageDeps {
  config: PublicConfig
  preview: boolean
  api: ReadApi
  cache: QueryClient
  /** In the browser, where a document can be older than its program. */
  versionCheck?: VersionCheck
}

/** A lazily loaded route; `module` is its source path, for preloading. */
export function pageRoute(deps: PageDeps, path: string, module: string, load: () => Promise<PageModule>): RouteObject {
  return {
    path,
    caseSensitive: true,
    handle: { module },
    lazy: async () => {
      const { Page, load: loadData, NotFound } = await load()
      const boundary = NotFound && { ErrorBoundary: failureOr(NotFound) }
      return { Component: Page, loader: loaderOf(deps, loadData), ...boundary }
    },
  }
}

/** Renders the page's own not-found component. */
function failureOr(NotFound: ComponentType): ComponentType {
  return function PageFailure() {
    return createElement(Failure, { NotFound })
  }
}

export function loaderOf(deps: PageDeps, loadData: PageModule['load']) {
  return async ({ request, params }: LoaderFunctionArgs) => {
    const url = new URL(request.url)
    const load = async () => loadData?.({ ...deps, url, params })
    await (deps.versionCheck ? deps.versionCheck.load(url, load) : load())
    return null
  }
}

/** A route that redirects. */
export function redirectRoute(path: string, to: string): RouteObject {
  return { path, caseSensitive: true, loader: () => redirect(to) }
}

/** A route that the server handles at another path with the same query: the browser loads a new document. */
export function serverRedirectRoute(path: string, to: string): RouteObject {
  return { path, caseSensitive: true, loader: ({ request }) => redirectDocument(to + new URL(request.url).search) }
}
