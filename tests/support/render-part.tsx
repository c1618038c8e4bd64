import { readFileSync } from 'node:fs'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { defaultMessages } from '../../src/default-messages.ts'
import { memberQuery } from '../../src/identity/members/member/embed/use-member.ts'
import type { QueryKey } from '../../src/platform/browser/query-cache.ts'
import { QueryCache } from '../../src/platform/browser/query-cache.ts'
import { RouterProvider } from '../../src/platform/browser/router/RouterProvider.tsx'
import { createStaticRouter } from '../../src/platform/browser/router/router.ts'
import { QueryCacheContext } from '../../src/platform/browser/use-query.ts'
import { ApiContext } from '../../src/platform/browser/write-api.ts'
import { MessagesContext } from '../../src/programs/content/member/embed/use-copy.tsx'
import type { PublicConfig } from '../../src/programs/partners/contract.ts'
import { BootContext, type ProgramFacts } from '../../src/programs/partners/member/embed/use-program.ts'
import { copyTokens, publicConfig } from '../../src/programs/partners/rules.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'

export interface PartOptions {
  /** The sample program; Skyharbor by default. */
  partner?: string
  /** Overrides the settings of the program. */
  config?: Partial<PublicConfig>
  /** The signed-in member; null for a visitor. */
  member?: object | null
  /** The recipient of an invitation. */
  known?: Partial<NonNullable<ProgramFacts['known']>> | null
  /** The address of the page. */
  path?: string
  /** The parameters in its path. */
  params?: Record<string, string>
  /** Data that is loaded already, by the keys of queries. */
  loaded?: readonly (readonly [QueryKey, unknown])[]
  /** Replaces the calls of the API. */
  call?: (call: { id: string }, given: unknown) => Promise<unknown>
}

const configs = new Map<string, PublicConfig>()

function configOf(partner: string): PublicConfig {
  const known = configs.get(partner)
  if (known) return known
  const config = publicConfig(ProgramConfig.parse(JSON.parse(readFileSync(`programs/${partner}/program.json`, 'utf8'))))
  configs.set(partner, config)
  return config
}

/** Renders a part of a page as the server does, without a server; returns its HTML. */
export function renderHtml(part: ReactNode, options: PartOptions = {}): string {
  const { partner = 'skyharbor', member = null, known = null, path = '/', params = {}, loaded = [] } = options
  const api = { call: options.call ?? (() => Promise.reject(new Error('not called'))) }
  const config = { ...configOf(partner), ...options.config }
  const program = { config, known, flags: { filters: {} }, origin: 'https://dining.example', mapTiles: null }
  const cache = new QueryCache()
  cache.set(memberQuery(api as never).key, member)
  for (const [key, data] of loaded) cache.set(key, data)
  const router = createStaticRouter(new URL(path, program.origin), { params })
  return renderToString(
    <BootContext value={program as unknown as ProgramFacts}>
      <MessagesContext value={{ messages: defaultMessages, tokens: copyTokens(config) }}>
        <ApiContext value={api as never}>
          <QueryCacheContext value={cache}>
            <RouterProvider router={router}>{part}</RouterProvider>
          </QueryCacheContext>
        </ApiContext>
      </MessagesContext>
    </BootContext>,
  )
}

const entities: Record<string, string> = { '&amp;': '&', '&#x27;': "'", '&quot;': '"', '&lt;': '<', '&gt;': '>' }

/** Renders a part of a page; returns its text with single spaces between elements. */
export function renderText(part: ReactNode, options: PartOptions = {}): string {
  return renderHtml(part, options)
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|#x27|quot|lt|gt);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}
