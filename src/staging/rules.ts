/** Makes a browser pass for the native app; honoured only where there are staging tools. */
export const nativeCookie = 'native_app'

/** Where the harness keeps what the app was told. */
export const bridgeLogKey = 'native_bridge'

/** The cookie for a platform and version; without a platform it is taken away. */
export function nativeCookieOf(platform: string, version: string): string {
  const rest = 'path=/;samesite=lax'
  if (platform === '') return `${nativeCookie}=;max-age=0;${rest}`
  return `${nativeCookie}=${encodeURIComponent(`DinebackApp/${version} (${platform})`)};${rest}`
}
