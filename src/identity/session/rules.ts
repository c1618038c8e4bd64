import type { FieldError } from '../../platform/errors.ts'
import { DAY, HOUR, MINUTE } from '../../platform/time.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { withReturn } from './sso/return-path.ts'

/** Path of the call that ends a session. */
export const signOutPath = '/api/SignOut'
/** Cookie of a sign-in at the provider, for the page that it leads to. Readable by the page; contains no member data. */
export const signedInCookie = 'signed_in'
export const signedInTtlMs = MINUTE
export const sessionLength = 15 * MINUTE
export const rememberedLength = 90 * DAY
/** How long before expiry the member is warned. */
export const warnBefore = MINUTE
/** Timers are set only for sessions that end within this time; longer ones outlive any page. */
export const timersWithin = 24 * HOUR
export const maxLoginFailures = 5
/** Wrong passwords of one network address, for all names, after which it is locked. */
export const maxAddressFailures = 50
/** Sessions and known browsers of a member; a further sign-in ends the oldest one. */
export const maxSessions = 50
export const maxKnownDevices = 50
/** Time after which a browser that was not used is forgotten: browsers limit the lifetime of its cookie to 400 days. */
export const knownDeviceLength = 400 * DAY
/** Unfinished sign-ins at the partner's provider in one session; a further one ends the oldest. */
export const maxSsoAttempts = 5
/** Age at which the id of a remembered session is renewed, on a page request. */
export const renewIdAfter = DAY
export const isIdDue = (ageMs: number) => ageMs > renewIdAfter
/** How long the old id stays valid for requests in flight. */
export const renewedIdGrace = MINUTE
/** Maximum age of the authentication that irreversible actions require. */
export const reauthMaxAgeMs = 10 * MINUTE
export const lockoutLength = 30 * MINUTE
export const lockedMinutes = lockoutLength / MINUTE
/** Lifetime of a login redirect target. */
export const returnTargetLength = 60 * MINUTE
export const passwordCap = 56
export const passwordFloor = 8

/** Returns the lifetime of a session after its last use, in milliseconds. */
export function sessionTtlMs({ remembered }: { remembered: boolean }): number {
  return remembered ? rememberedLength : sessionLength
}

/** Returns the problems of a filled-in sign-in form: programs with partner numbers have their own message. */
export function signInProblems({ userName }: { userName: string }, { hasPPN }: Pick<PublicConfig, 'hasPPN'>) {
  return hasPPN && userName === '' ? [{ field: 'userName', message: 'validation.user_name_missing' }] : []
}

/** Returns where a member continues after signing in: at `returnTo`, unless the credentials must be fixed first. */
export function pathAfterSignIn(
  { memberType, mustFixCredentials }: { memberType: string; mustFixCredentials: boolean },
  returnTo: string,
): string {
  if (mustFixCredentials) return withReturn('/fix_credentials', returnTo)
  return returnTo || (memberType === 'NonCardMember' ? '/add_card' : '/account/overview')
}

/** Normalizes a password for comparison (NFKC): keyboards write one character in several ways. */
export const normalizePassword = (password: string) => password.normalize('NFKC')

/** Returns a password as it was stored when longer ones were cut: its first 56 code points. See docs/decisions/084. */
export const cutPassword = (password: string) => [...normalizePassword(password)].slice(0, passwordCap).join('')

/** Returns whether a normalized password has a length that is allowed, in code points. */
export function hasPasswordLength(text: string): boolean {
  const { length } = [...text]
  return length >= passwordFloor && length <= passwordCap
}

/**
 * Returns the copy key of a new password's problem, as far as the page can determine it; null when there is none. Only
 * the server knows common passwords.
 */
export function newPasswordProblem(password: string, partnerNumber = ''): string | null {
  const text = normalizePassword(password)
  if (text === '') return 'validation.new_password_missing'
  if (!hasPasswordLength(text)) return 'validation.password_rules'
  if (isMonotonous(text.toLowerCase())) return 'validation.password_common'
  const holdsNumber = partnerNumber !== '' && text.toLowerCase().includes(partnerNumber.toLowerCase())
  return holdsNumber ? 'validation.password_partner_number' : null
}

/** Returns whether a password has at most three different characters: `aaaaaaaa`, `abcabcabc`. */
export const isMonotonous = (text: string) => new Set(text).size <= 3

/** Returns the copy key of the problem of the password confirmation; null when there is none. */
export function passwordConfirmProblem(form: { password: string; passwordConfirm: string }): string | null {
  if (form.passwordConfirm === '') return 'validation.password_confirm_missing'
  return form.password === form.passwordConfirm ? null : 'validation.passwords_differ'
}

/** Returns the problems of a new password and its confirmation, by field. */
export function newPasswordProblems(form: { password: string; passwordConfirm: string }): FieldError[] {
  const found = [
    ['password', newPasswordProblem(form.password)],
    ['passwordConfirm', passwordConfirmProblem(form)],
  ] as const
  return found.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]))
}

/** Returns the address that signs out of an expired session, and then offers to return to the page with its query. */
export const expiredSignOut = ({ pathname, search }: { pathname: string; search: string }) =>
  `/SignOut?reason=expired&from=${encodeURIComponent(pathname + search)}`

/**
 * Returns the delays in milliseconds from `now` until the warning and the end of a session at `expiresAt`, or null when
 * no timers are needed.
 */
export function sessionTimers(expiresAt: number, now: number): { warnIn: number; endIn: number } | null {
  const left = expiresAt - now
  if (left > timersWithin || left <= 0) return null
  return { warnIn: Math.max(0, left - warnBefore), endIn: left }
}
