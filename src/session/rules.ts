import type { FieldError } from '../kit/refusal.ts'
import { DAY, HOUR, MINUTE } from '../kit/time.ts'
import { safeReturnPath } from './sso/return-path.ts'

/** The call that ends a session. */
export const signOutPath = '/api/SignOut'
export const sessionLength = 15 * MINUTE
export const rememberedLength = 90 * DAY
/** How long before the end the member is warned. */
export const warnBefore = MINUTE
/** Timers are armed only for sessions that end within this; a longer one outlives any page. */
export const timersWithin = 24 * HOUR
export const mostLoginFailures = 5
/** So many wrong passwords from one network address, whatever the names, and it rests too. */
export const mostAddressFailures = 50
/** A remembered session changes its id after this, when a page is asked for. */
export const renewIdAfter = DAY
/** The old id is still good for what was under way. */
export const renewedIdGrace = MINUTE
/** What cannot be undone asks for a proof of identity that is no older than this. */
export const proofLength = 10 * MINUTE
export const lockoutLength = 30 * MINUTE
/** A login redirect target is forgotten after this. */
export const returnTargetLength = 60 * MINUTE
export const passwordCap = 56
export const passwordFloor = 8

/** Tells the page after a sign-out why it happened. Readable by the page; holds nothing of the member. */
export const signedOutCookie = 'signed_out'
/** A sign-out may lead through the partner's provider first. */
export const signedOutStays = 5 * MINUTE
const signedOutReasons = ['left', 'expired', 'closed'] as const

export interface SignedOut {
  reason: (typeof signedOutReasons)[number]
  /** The page that was left; '' when that does not matter. */
  from: string
}

/** What an address or a cookie says of a sign-out; anything else is a member who left. */
export function signedOutOf(reason: unknown, from: unknown): SignedOut {
  return {
    reason: signedOutReasons.find((known) => known === reason) ?? 'left',
    from: typeof from === 'string' ? safeReturnPath(from, '') : '',
  }
}

/** Returns what the cookie says of the sign-out that led here; null without one. */
export function readSignedOut(cookies: string): SignedOut | null {
  const value = new RegExp(`(?:^|; )${signedOutCookie}=([^;]+)`).exec(cookies)?.[1]
  if (!value) return null
  try {
    const [reason, from] = decodeURIComponent(value).split(' ')
    return signedOutOf(reason, from)
  } catch {
    // Not our encoding: another host of the domain may have set it.
    return signedOutOf(undefined, undefined)
  }
}

/** How long a session lives after its last use, in milliseconds. */
export function lengthOf({ remembered }: { remembered: boolean }): number {
  return remembered ? rememberedLength : sessionLength
}

/**
 * The password as it is compared: NFKC, cut after 56 code points (never inside a character), the same
 * at joining, changing and signing in, in the browser and on the server.
 */
export function cutPassword(password: string): string {
  return [...password.normalize('NFKC')].slice(0, passwordCap).join('')
}

/**
 * The copy key of what is wrong with a new password, as far as a page can know; null when nothing is. Whether it is
 * easily guessed is for the server to say.
 */
export function newPasswordProblem(password: string, partnerNumber = ''): string | null {
  const text = cutPassword(password)
  if (text === '') return 'validation.new_password_missing'
  if ([...text].length < passwordFloor) return 'validation.password_rules'
  const holdsNumber = partnerNumber !== '' && text.toLowerCase().includes(partnerNumber.toLowerCase())
  return holdsNumber ? 'validation.password_partner_number' : null
}

/** The copy key of what is wrong with the second entry of a new password; null when nothing is. */
export function passwordConfirmProblem(form: { password: string; passwordConfirm: string }): string | null {
  if (form.passwordConfirm === '') return 'validation.password_confirm_missing'
  return form.password === form.passwordConfirm ? null : 'validation.passwords_differ'
}

/** What is wrong with a new password that is entered twice, by field. */
export function newPasswordProblems(form: { password: string; passwordConfirm: string }): FieldError[] {
  const found = [
    ['password', newPasswordProblem(form.password)],
    ['passwordConfirm', passwordConfirmProblem(form)],
  ] as const
  return found.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]))
}

/** What the page does about a session that ends at `expiresAt`: delays in milliseconds from `now`, or nothing. */
export function sessionTimers(expiresAt: number, now: number): { warnIn: number; endIn: number } | null {
  const left = expiresAt - now
  if (left > timersWithin || left <= 0) return null
  return { warnIn: Math.max(0, left - warnBefore), endIn: left }
}
