/** Returns the end of the session from the readable cookie, which a sign-out removes; for display only. */
export function sessionEnd(): number | null {
  const value = /(?:^|; )session_expiry=([^;]+)/.exec(document.cookie)?.[1]
  const time = value ? Date.parse(decodeURIComponent(value)) : Number.NaN
  return Number.isNaN(time) ? null : time
}
