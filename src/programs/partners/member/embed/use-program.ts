import { createContext, use } from 'react'
import type { FeatureFlags, PublicConfig, TierLevel } from '../../contract.ts'
import type { Logo } from '../../logo.ts'

/** The program data available to every component. */
export interface ProgramFacts {
  config: PublicConfig
  flags: FeatureFlags
  logo: Logo
  /** Path of the program's image for link previews. */
  previewImage: string
  vaultOrigin: string
  formsOrigin: string
  stagingTools: boolean
  /** Origin of this program's pages: `https://dining.example.com`. */
  origin: string
  /** Empty: calls use the page's own origin. */
  apiBase: string
  /** Raster tiles of the installation's maps, or null. */
  mapTiles: { url: string; attribution: string } | null
  /** Script of the installation's advertising tags, or null. */
  adTagUrl: string | null
  /** The native app that shows this page, or null. */
  nativeApp: { version: string; platform: 'ios' | 'android' } | null
  /** The bot check, used when its feature flag is on. */
  botCheck: { kind: 'altcha' } | { kind: 'recaptcha'; siteKey: string; script: string }
  /** Script of the card provider and the publishable key of this environment. */
  cardProvider: { script: string; key: string }
  consoleOrigin: string
  /** The impersonating operator, or null. */
  operator: { name: string; mayChange: boolean } | null
  /** Whether drafts are shown to this visitor. */
  preview: boolean
  /** On the error page: identifies the request in the log. Empty elsewhere. */
  reference: string
  /** The probable member without a session, recognized by the public id of an invitation. */
  known: {
    publicId: string
    firstName: string
    memberType: string
    tierLevel: TierLevel
    hasWebProfile: boolean
  } | null
}

export const BootContext = createContext<ProgramFacts | null>(null)

export function useProgram(): ProgramFacts {
  const facts = use(BootContext)
  if (!facts) throw new Error('no BootContext around this component')
  return facts
}

declare module '../../../../platform/browser/query.ts' {
  interface PageArgs {
    config: PublicConfig
    preview: boolean
  }
}
