import { createContext, use } from 'react'
import type { FeatureFlags, PublicConfig, TierLevel } from '../../contract.ts'

/** What every component may know of the program it runs in. */
export interface ProgramFacts {
  config: PublicConfig
  flags: FeatureFlags
  logo: string
  vaultOrigin: string
  formsOrigin: string
  stagingTools: boolean
  /** Where this program's pages are: `https://dining.example.com`. */
  origin: string
  /** Empty: calls go to the page's own origin. */
  apiBase: string
  /** Raster tiles of the installation's maps, when it has some. */
  mapTiles: { url: string; attribution: string } | null
  /** The script of the installation's advertising tags, when it has one. */
  adTagUrl: string | null
  /** Our native app, when it is what shows this page. */
  nativeApp: { version: string; platform: 'ios' | 'android' } | null
  /** What tells people from programs, where the switch is on. */
  botCheck: { kind: 'altcha' } | { kind: 'recaptcha'; siteKey: string; script: string }
  /** The script of the card provider, and the key of this environment that it is opened with. */
  cardProvider: { script: string; key: string }
  consoleOrigin: string
  /** The operator who sees this page as the member does. */
  operator: { name: string; mayChange: boolean } | null
  /** This visitor is shown drafts. */
  preview: boolean
  /** On the error page: finds the request in the log. Empty elsewhere. */
  reference: string
  /** Who this is likely to be, though not signed in: recognised by the public id of an invitation. */
  known: { publicId: string; firstName: string; tierLevel: TierLevel } | null
}

export const BootContext = createContext<ProgramFacts | null>(null)

export function useProgram(): ProgramFacts {
  const facts = use(BootContext)
  if (!facts) throw new Error('no BootContext around this component')
  return facts
}

declare module '../../../kit/web/query.ts' {
  interface PageArgs {
    config: PublicConfig
    preview: boolean
  }
}
