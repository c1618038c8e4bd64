import { readFileSync } from 'node:fs'
import type { ReactElement, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { memberQuery } from '../../src/identity/members/member/embed/use-member.ts'
import type { QueryKey } from '../../src/platform/browser/query-cache.ts'
import { QueryCache } from '../../src/platform/browser/query-cache.ts'
import { createStaticRouter, type Router } from '../../src/platform/browser/router/router.ts'
import type { PublicConfig } from '../../src/programs/partners/contract.ts'
import type { ProgramFacts } from '../../src/programs/partners/member/embed/use-program.ts'
import { publicConfig } from '../../src/programs/partners/public-config.ts'
import { copyTokens } from '../../src/programs/partners/rules.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'
import { ProgramContext } from './program-context.tsx'

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
  /** Messages of the program in place of the default ones. */
  messages?: Record<string, string>
  /** The parameters in its path. */
  params?: Record<string, string>
  /** Data that is loaded already, by the keys of queries. */
  loaded?: readonly (readonly [QueryKey, unknown])[]
  /** Replaces the calls of the API. */
  call?: (call: { id: string }, given: unknown) => Promise<unknown>
  /** Replaces functions of the router, which goes nowhere. */
  router?: Partial<Router>
}

const configs = new Map<string, PublicConfig>()

function configOf(partner: string): PublicConfig {
  const known = configs.get(partner)
  if (known) return known
  const config = publicConfig(ProgramConfig.parse(JSON.parse(readFileSync(`programs/${partner}/program.json`, 'utf8'))))
  configs.set(partner, config)
  return config
}

/** Returns a part of a page with everything that the app provides around it, without a server. */
export function inProgram(part: ReactNode, options: PartOptions = {}): ReactElement {
  const { partner = 'skyharbor', member = null, known = null, path = '/', params = {}, loaded = [] } = options
  const api = { call: options.call ?? (() => Promise.reject(new Error('not called'))) }
  const config = { ...configOf(partner), ...options.config }
  const program = {
    config,
    known,
    flags: { filters: {} },
    formsOrigin: 'https://forms.example',
    origin: 'https://dining.example',
    mapTiles: null,
    previewImage: '/social/program.png',
  }
  const cache = new QueryCache()
  cache.set(memberQuery(api as never).key, member)
  for (const [key, data] of loaded) cache.set(key, data)
  return (
    <ProgramContext
      program={program}
      tokens={copyTokens(config)}
      messages={options.messages}
      api={api as never}
      cache={cache}
      router={{ ...createStaticRouter(new URL(path, program.origin), { params }), ...options.router }}
    >
      {part}
    </ProgramContext>
  )
}

/** Renders a part of a page as the server does, without a server; returns its HTML. */
export const renderHtml = (part: ReactNode, options: PartOptions = {}): string =>
  renderToString(inProgram(part, options))

const entities: Record<string, string> = { '&amp;': '&', '&#x27;': "'", '&quot;': '"', '&lt;': '<', '&gt;': '>' }

/** Returns the text of HTML with single spaces between elements. */
export function textOf(html: string): string {
  return html
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|#x27|quot|lt|gt);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}

/** Renders a part of a page; returns its text. */
export const renderText = (part: ReactNode, options: PartOptions = {}): string => textOf(renderHtml(part, options))
