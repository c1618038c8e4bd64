import type { DehydratedState } from '@tanstack/react-query'
import type { Wording } from '../../content/rules.ts'
import type { KnownMember } from '../../members/contract.ts'
import type { FeatureFlags, PublicConfig } from '../../partners/contract.ts'
import type { NativeApp } from '../../pwa/rules.ts'

/** What a page needs to begin: rendered with on the server, inlined for the browser. */
export interface Boot {
  config: PublicConfig
  flags: FeatureFlags
  wording: Wording
  /** What content, words and switches were when this page began. */
  version: string
  /** This visitor is shown drafts. */
  preview: boolean
  /** On the error page: finds the request in the log. Empty elsewhere. */
  reference: string
  /** Who this is likely to be, though not signed in. */
  known: Omit<KnownMember, 'token'> | null
  /** Dark or light, when the visitor has chosen. */
  mode: 'dark' | 'light' | null
  logo: string
  /** Where this program's pages are. */
  origin: string
  /** Empty: calls go to the page's own origin. */
  apiBase: string
  vaultOrigin: string
  formsOrigin: string
  stagingTools: boolean
  adTagUrl: string | null
  mapTiles: { url: string; attribution: string } | null
  nativeApp: NativeApp | null
  /** What tells people from programs, where the switch is on. */
  botCheck: { kind: 'altcha' } | { kind: 'recaptcha'; siteKey: string; script: string }
  /** The script of the card provider, and the key of this environment that it is opened with. */
  cardProvider: { script: string; key: string }
  consoleOrigin: string
  /** The operator who sees this page as the member does. */
  operator: { name: string; mayChange: boolean } | null
  /** There is a service worker to be had. */
  worksOffline: boolean
  /** Stylesheets in order: fonts, theme, app. */
  styles: string[]
  /** Scripts of this page, fetched while the entry is. */
  preloads: string[]
  themeColor: { light: string; dark: string }
}

/** The boot with what the loaders found. */
export interface InlinedBoot extends Boot {
  cache: DehydratedState
}

declare global {
  interface Window {
    __APP__: InlinedBoot
  }
}
