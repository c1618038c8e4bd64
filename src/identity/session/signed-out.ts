import { MINUTE } from '../../platform/time.ts'
import { safeReturnPath } from './sso/return-path.ts'

// Apart from the other rules: every page has it.

/** Cookie with the reason of a sign-out. Readable by the page; contains no member data. */
export const signedOutCookie = 'signed_out'
/** Long enough for a sign-out through the partner's provider. */
export const signedOutTtlMs = 5 * MINUTE
const signedOutReasons = ['left', 'expired', 'closed'] as const

export interface SignedOut {
  reason: (typeof signedOutReasons)[number]
  /** The page that was left; '' when it is not relevant. */
  from: string
}

/** Parses the sign-out in an address or a cookie; any other value means that the member signed out. */
export function parseSignedOut(reason: unknown, from: unknown): SignedOut {
  return {
    reason: signedOutReasons.find((known) => known === reason) ?? 'left',
    from: typeof from === 'string' ? safeReturnPath(from, '') : '',
  }
}

/** Returns the sign-out in the cookie that led to this page; null without one. */
export function readSignedOut(cookies: string): SignedOut | null {
  const value = new RegExp(`(?:^|; )${signedOutCookie}=([^;]+)`).exec(cookies)?.[1]
  if (!value) return null
  try {
    const [reason, from] = decodeURIComponent(value).split(' ')
    return parseSignedOut(reason, from)
  } catch {
    // Not our encoding: another host of the domain may have set the cookie.
    return parseSignedOut(undefined, undefined)
  }
}
