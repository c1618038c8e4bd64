import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import type { Api } from '../../kit/web/api.ts'
import type { PageArgs } from '../../kit/web/query.ts'
import type { PublicConfig } from '../../partners/contract.ts'

/** What a page module may export: the component, and what must be known before it shows. */
export interface PageModule {
  Page: ComponentType
  /** Fills the cache. Throws a Response for another status, or a PageRedirect. */
  load?: (args: PageArgs) => Promise<void>
}

export interface PageDeps {
  config: PublicConfig
  preview: boolean
  api: Api
  cache: QueryClient
}

/** A route whose code is fetched when it is needed; `module` is its source path, for preloading. */
export function page(deps: PageDeps, path: string, module: string, load: () => Promise<PageModule>): RouteObject {
  return {
    path,
    caseSensitive: true,
    handle: { module },
    lazy: async () => {
      const { Page, load: fill } = await load()
      return { Component: Page, loader: loaderOf(deps, fill) }
    },
  }
}

function loaderOf(deps: PageDeps, fill: PageModule['load']) {
  return async ({ request, params }: LoaderFunctionArgs) => {
    await fill?.({ ...deps, url: new URL(request.url), params })
    return null
  }
}

/** A route that only points elsewhere. */
export function forward(path: string, to: string): RouteObject {
  return { path, caseSensitive: true, loader: () => redirect(to) }
}
