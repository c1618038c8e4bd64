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
