import { DAY } from '../../platform/time.ts'

/** Our native app, which shows these pages and identifies itself in its user agent. */
export interface NativeApp {
  version: string
  platform: 'ios' | 'android'
}

/** Returns the native app of a user agent such as `… DinebackApp/2.1.0 (ios)`, or null for a browser. */
export function nativeAppOf(userAgent: string): NativeApp | null {
  const match = /\bDinebackApp\/(\d{1,5}\.\d{1,5}\.\d{1,5}) \((ios|android)\)/.exec(userAgent)
  return match?.[1] ? { version: match[1], platform: match[2] as NativeApp['platform'] } : null
}

/** Compares versions number by number (1.10.0 is newer than 1.9.0). Negative when `a` is older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  for (let part = 0; part < 3; part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Returns whether a native app is too old for the program. */
export function needsUpdate(app: NativeApp | null, minimum: string | undefined): boolean {
  return app !== null && minimum !== undefined && compareVersions(app.version, minimum) < 0
}

/** Time after "Maybe later" before the install banner is shown again. */
export const installCooldownMs = 30 * DAY

export interface InstallFacts {
  enabled: boolean
  isStandalone: boolean
  isNativeApp: boolean
  /** The browser supports an install prompt. */
  hasPrompt: boolean
  isIosSafari: boolean
  /** Time of the last "Maybe later", or null. */
  laterAt: number | null
  now: number
}

/** Returns the kind of install banner: with the browser's prompt, with instructions for iOS, or none. */
export function installBannerOf(facts: InstallFacts): 'prompt' | 'ios' | null {
  if (!facts.enabled || facts.isStandalone || facts.isNativeApp) return null
  if (facts.laterAt !== null && facts.now - facts.laterAt < installCooldownMs) return null
  if (facts.hasPrompt) return 'prompt'
  return facts.isIosSafari ? 'ios' : null
}

/**
 * Returns whether the browser is Safari on an iPhone or iPad. Other browsers there include their names; an iPad
 * identifies itself as a Mac but has touch points.
 */
export function isIosSafari(userAgent: string, touchPoints: number): boolean {
  const apple = /iPhone|iPod|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)
  return apple && /Safari\//.test(userAgent) && !/CriOS|FxiOS|EdgiOS|OPiOS|DinebackApp/.test(userAgent)
}

/** Returns whether the service worker ignores a path: server routes and API calls. */
export function isBypassed(pathname: string): boolean {
  return /^\/(Login|SignOut|Emulate|preview|api)(\/|$)/.test(pathname)
}

/** Returns whether a page may be cached: never personal pages, because the device may be shared. */
export function isCacheablePage(pathname: string): boolean {
  return (
    !isBypassed(pathname) && !/^\/(account|join|login|add_card|card_added|recover|staging-tools)(\/|$)/.test(pathname)
  )
}
