/** Cookie that makes a browser act as the native app; only used with staging tools. */
export const nativeCookie = 'native_app'

/** Storage key of the messages to the simulated app. */
export const bridgeLogKey = 'native_bridge'

/** Returns the cookie of a platform and version; without a platform, it is deleted. */
export function nativeCookieOf(platform: string, version: string): string {
  const rest = 'path=/;samesite=lax'
  if (platform === '') return `${nativeCookie}=;max-age=0;${rest}`
  return `${nativeCookie}=${encodeURIComponent(`DinebackApp/${version} (${platform})`)};${rest}`
}

/** States in which the staging tools create a member. */
export const memberStates = [
  'withoutCard',
  'withCard',
  'optedOut',
  'vip',
  'maximumCards',
  'mustFixEmail',
  'closed',
  'notActivated',
  'withoutWebProfile',
  'inactive',
] as const
export type MemberState = (typeof memberStates)[number]

/** Cookie that lets requests of a browser fail; only used with staging tools. */
export const faultCookie = 'staging_fault'

/** How a request fails: with a status, without an answer, or by an answer that comes late. */
export const faults = ['400', '401', '403', '404', '429', '500', '503', 'none', 'late'] as const
export type Fault = (typeof faults)[number]

/** Returns the cookie of a fault of the requests whose path begins so; without a fault, it is deleted. */
export function faultCookieOf(fault: Fault | '', prefix: string): string {
  const rest = 'path=/;samesite=lax'
  if (fault === '') return `${faultCookie}=;max-age=0;${rest}`
  return `${faultCookie}=${encodeURIComponent(`${fault} ${prefix}`)};${rest}`
}

/** Returns how a request fails; null if it does not. Pages never do, nor do the staging tools. */
export function faultOf(cookie: string, path: string): Fault | null {
  const [fault, prefix = ''] = cookie.split(' ')
  const isPart = path.startsWith('/api/') || path.startsWith('/assets/')
  if (!isPart || path.startsWith('/api/staging/') || prefix === '' || !path.startsWith(prefix)) return null
  return faults.find((known) => known === fault) ?? null
}
