import { DAY } from '../kit/time.ts'

/** Our app in an app store: it shows these pages, and says so in its user agent. */
export interface NativeApp {
  version: string
  platform: 'ios' | 'android'
}

/** The native app behind a user agent such as `… DinebackApp/2.1.0 (ios)`; null for a browser. */
export function nativeAppOf(userAgent: string): NativeApp | null {
  const match = /\bDinebackApp\/(\d{1,5}\.\d{1,5}\.\d{1,5}) \((ios|android)\)/.exec(userAgent)
  return match?.[1] ? { version: match[1], platform: match[2] as NativeApp['platform'] } : null
}

/** Below zero when `a` is the older version. Compared number by number: 1.10.0 is newer than 1.9.0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  for (let part = 0; part < 3; part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Whether a native app is too old for the program. */
export function needsUpdate(app: NativeApp | null, minimum: string | undefined): boolean {
  return app !== null && minimum !== undefined && compareVersions(app.version, minimum) < 0
}

/** Who says "Maybe later" is not asked again for this long. */
export const installRests = 30 * DAY

export interface InstallFacts {
  enabled: boolean
  isStandalone: boolean
  isNativeApp: boolean
  /** The browser has offered to install. */
  hasPrompt: boolean
  isIosSafari: boolean
  /** When "Maybe later" was said; null when never. */
  laterAt: number | null
  now: number
}

/** How the install banner shows: with the browser's own prompt, with words for iOS, or not at all. */
export function installBannerOf(facts: InstallFacts): 'prompt' | 'ios' | null {
  if (!facts.enabled || facts.isStandalone || facts.isNativeApp) return null
  if (facts.laterAt !== null && facts.now - facts.laterAt < installRests) return null
  if (facts.hasPrompt) return 'prompt'
  return facts.isIosSafari ? 'ios' : null
}

/** Safari on an iPhone or iPad. Other browsers there say their names; an iPad says that it is a Mac, but is touched. */
export function isIosSafari(userAgent: string, touchPoints: number): boolean {
  const apple = /iPhone|iPod|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)
  return apple && /Safari\//.test(userAgent) && !/CriOS|FxiOS|EdgiOS|OPiOS|DinebackApp/.test(userAgent)
}

/** Addresses that the worker leaves to the network: the server's own doors, calls, and what lasts. */
export function isLeftAlone(pathname: string): boolean {
  return /^\/(Login|SignOut|Emulate|preview|api)(\/|$)/.test(pathname)
}

/** Pages of somebody's own are never kept: they are nobody else's, on a shared device either. */
export function isKeptPage(pathname: string): boolean {
  return (
    !isLeftAlone(pathname) && !/^\/(account|join|login|add_card|card_added|recover|staging-tools)(\/|$)/.test(pathname)
  )
}
