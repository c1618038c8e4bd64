import type { KnownMember } from '../../identity/members/contract.ts'
import type { SharedContent } from '../../programs/content/contract.ts'
import type { MessageCatalog } from '../../programs/content/messages.ts'
import type { FeatureFlags, PublicConfig } from '../../programs/partners/contract.ts'
import type { Logo } from '../../programs/partners/logo.ts'
import type { NativeApp } from '../../programs/pwa/rules.ts'

/** What the start data has of a program and its installation, besides its content. */
export interface ProgramSite {
  logo: Logo
  /** Path of the program's image for link previews. */
  previewImage: string
  /** Origin of this program's pages. */
  origin: string
  vaultOrigin: string
  formsOrigin: string
  stagingTools: boolean
  adTagUrl: string | null
  mapTiles: { url: string; attribution: string } | null
  /** The bot check, used when its feature flag is on. */
  botCheck: { kind: 'altcha' } | { kind: 'recaptcha'; siteKey: string; script: string }
  /** Script of the card provider and the publishable key of this environment. */
  cardProvider: { script: string; key: string }
  consoleOrigin: string
  /** Whether a service worker is available. */
  hasServiceWorker: boolean
  themeColor: { light: string; dark: string }
}

/** Start data that all pages of a program share: a file of its own, which browsers store. */
export interface ProgramFile {
  config: PublicConfig
  flags: FeatureFlags
  messages: MessageCatalog
  content: SharedContent
  site: ProgramSite
  /** Address of the file with the other content. */
  laterContent: string
}

/** Start data of one page: inlined for the browser. */
export interface PageBoot {
  /** Version of content, messages and feature flags when this page was loaded. */
  version: string
  /** Whether drafts are shown to this visitor. */
  preview: boolean
  /** On the error page: identifies the request in the log. Empty elsewhere. */
  reference: string
  /** The probable member without a session. */
  known: Omit<KnownMember, 'token'> | null
  /** The visitor's choice of dark or light mode, or null. */
  mode: 'dark' | 'light' | null
  /** Empty: calls use the page's own origin. */
  apiBase: string
  nativeApp: NativeApp | null
  /** The impersonating operator, or null. */
  operator: { name: string; mayChange: boolean } | null
  /** Linked stylesheets in order: fonts, theme, app. Empty when the page contains its styles. */
  styles: string[]
  /** The app's whole stylesheet, when the page contains only the rules that it uses; loaded before hydration. */
  laterStyles: string | null
  /** What the previous page, or a form posted without script, passes to this one. Absent on shared pages. */
  passed?: Record<string, unknown> | undefined
}

/** Start data of a page: used for rendering on the server and in the browser. */
export interface Boot extends Omit<ProgramFile, 'site'>, ProgramSite, PageBoot {}

export function createBoot({ site, ...program }: ProgramFile, page: PageBoot): Boot {
  return { ...program, ...site, ...page }
}
