import { isAddressLocked } from '../../platform/database/attempts.ts'
import { audit } from '../../platform/database/audit.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { secretToken, tokenHash } from '../../platform/security/ids.ts'
import { SECOND } from '../../platform/time.ts'
import { plainPartnerNumber } from '../../programs/partners/rules.ts'
import { type Credentials, findCredentials, findPassword, lockOpenMember } from '../members/service.ts'
import { movePushDevices } from '../notifications/service.ts'
import { accountKey, deviceKey, nameKey } from './attempt-keys.ts'
import { lockedError, verifyCountedPassword } from './counted-password.ts'
import { deviceName } from './device.ts'
import { isIdDue, maxKnownDevices, maxSessions, renewedIdGrace, sessionTtlMs } from './rules.ts'
import * as store from './store.ts'

export { accountKey, deviceKey, proofKey } from './attempt-keys.ts'
export { type EndPendingAccess, endOwn as endOwnSession, listSessions } from './own-sessions.ts'
export { hashPassword, passwordProblems, verifyPassword } from './password.ts'
export { reauthenticate, requireRecentAuth } from './reauthenticate.ts'
export {
  deleteEndedSessions as purgeSessions,
  deleteKnownDevices,
  deleteSessionsOf as endSessions,
  findLiveIds as findLiveSessionIds,
} from './store.ts'

export interface OpenedSession {
  /** Stored only in the cookie; the database has its hash. */
  id: string
  idHash: Buffer
  csrfToken: string
  memberId: number | null
  remembered: boolean
  expiresAt: Date
}

/** Opens an anonymous session, which only carries the CSRF token of a visitor. */
export function openSession(db: Db | Tx): Promise<OpenedSession> {
  return open(db, { memberId: null, remembered: false, beganWith: 'visit', device: '' })
}

type Opening = Pick<store.NewSession, 'memberId' | 'remembered' | 'beganWith' | 'device' | 'sso'>

async function open(db: Db | Tx, opening: Opening): Promise<OpenedSession> {
  const id = secretToken()
  const session = { idHash: tokenHash(id), csrfToken: secretToken(), ...opening }
  const expiresAt = await store.insertSession(db, { ...session, lengthMs: sessionTtlMs(session) })
  return { id, ...session, expiresAt }
}

export interface SigningIn {
  memberId: number
  remembered: boolean
  beganWith: Exclude<store.SessionOrigin, 'visit'>
  /** What the typed password was checked against. */
  passwordHash?: string
  /** The secret of this browser, which is stored as known. */
  device?: string
  /** By default that of the visitor's session: someone who has just come from the provider joins. */
  sso?: store.SsoSession
}

/**
 * Ends the visitor's session and opens the member's, which prevents session fixation. Throws `unauthorized` once the
 * account is deleted or the provider's session has ended, and `invalidLogin` once the password that was checked is replaced.
 */
export async function signInAs(tx: Tx, ctx: Ctx, signing: SigningIn): Promise<OpenedSession> {
  const { memberId, beganWith, device } = signing
  // The account may have been deleted, or its password replaced, since the password was checked.
  await lockOpenMember(tx, memberId)
  if (signing.passwordHash !== undefined && (await findPassword(tx, memberId))?.passwordHash !== signing.passwordHash)
    throw new ApiError('invalidLogin')
  const { sessionId } = ctx.actor
  const sso = signing.sso ?? (beganWith === 'sso' ? await findProviderSession(tx, sessionId) : undefined)
  if (device) {
    await store.upsertKnownDevice(tx, tokenHash(device), memberId)
    await store.deleteOldDevices(tx, memberId, maxKnownDevices)
  }
  await audit(tx, ctx, { action: 'session.signed-in', memberId, detail: { by: beganWith } })
  const session = await open(tx, { ...signing, ...(sso && { sso }), device: deviceName(ctx.userAgent) })
  if (sessionId) {
    // The same browser: its messages do not end by signing in again.
    await movePushDevices(tx, memberId, { from: sessionId, to: session.idHash })
    await store.deleteSession(tx, sessionId)
  }
  await store.deleteOldSessions(tx, { memberId, current: session.idHash, maxCount: maxSessions })
  return session
}

/** Throws `unauthorized` when it has ended: without it, the member's session would outlive the one at the provider. */
async function findProviderSession(tx: Tx, sessionId: Buffer | null): Promise<store.SsoSession> {
  const sso = sessionId ? await store.findSsoSession(tx, sessionId) : undefined
  if (!sso) throw new ApiError('unauthorized')
  return sso
}

export interface LiveSession extends store.SessionRow {
  idHash: Buffer
  /** A new id for the cookie, when the old one was due for renewal. */
  id?: string
}

// Extending the session at every call would write at every call; a delay of half a minute is acceptable.
const extendAfter = 30 * SECOND

/**
 * Returns the live session of a cookie value and extends it. A remembered session gets a new id once a day, when
 * `mayRenew`. A later request with the old id must use a copy, and ends the session.
 */
export async function continueSession(
  ctx: Ctx,
  id: string,
  { mayRenew }: { mayRenew: boolean },
): Promise<LiveSession | undefined> {
  if (id.length !== 43) return undefined
  const idHash = tokenHash(id)
  const session = await store.findSession(ctx.db, idHash)
  if (!session) return continueFormer(ctx, idHash)
  if (mayRenew && session.remembered && isIdDue(session.idAge * SECOND)) {
    const renewed = secretToken()
    const newHash = tokenHash(renewed)
    if (await store.replaceId(ctx.db, idHash, newHash))
      return { ...(await extended(ctx, session, newHash)), id: renewed }
    return continueFormer(ctx, idHash)
  }
  return extended(ctx, session, idHash)
}

async function extended(ctx: Ctx, session: store.SessionRow, idHash: Buffer): Promise<LiveSession> {
  const used = sessionTtlMs(session) - (session.expiresAt.getTime() - Date.now())
  if (used < extendAfter) return { ...session, idHash }
  const expiresAt = await store.extendSession(ctx.db, idHash, sessionTtlMs(session))
  return { ...session, idHash, expiresAt: expiresAt ?? session.expiresAt }
}

// Requests in flight during a renewal still carry the old id; a minute later none do.
async function continueFormer(ctx: Ctx, idHash: Buffer): Promise<LiveSession | undefined> {
  const session = await store.findByPreviousId(ctx.db, idHash)
  if (!session) return undefined
  if (session.idAge * SECOND <= renewedIdGrace) return session
  await inTransaction(ctx.db, async (tx) => {
    await store.deleteSession(tx, session.idHash)
    if (session.memberId !== null)
      await audit(tx, ctx, { action: 'session.copied-id-shown', memberId: session.memberId })
  })
  return undefined
}

export async function endSession(ctx: Ctx): Promise<void> {
  if (ctx.actor.sessionId) await store.deleteSession(ctx.db, ctx.actor.sessionId)
}

/**
 * Checks a user name (email or partner number) and password. Returns the member, and what the password matched. Throws
 * `invalidLogin`, `locked`, `busy`, `restFirst`. The response and its timing for a locked name do not reveal whether it
 * exists. All names of an account count together. A browser in which the member has signed
 * in before is counted separately, so that strangers cannot lock the member out.
 */
export async function checkCredentials(
  ctx: Ctx,
  {
    userName: typed,
    password,
    lockKey,
    device,
  }: { userName: string; password: string; lockKey: Buffer; device?: string },
): Promise<Credentials> {
  const from = { secret: lockKey, about: 'address', partnerId: ctx.partnerId, address: ctx.address }
  if (await isAddressLocked(ctx.db, from)) throw new ApiError('restFirst')
  const { config } = ctx.program
  const userName = config.hasPPN ? plainPartnerNumber(typed, config) : typed.trim()
  const found = await findCredentials(ctx.db, userName.toLowerCase(), config.hasPPN)
  const deviceHash = tokenHash(device ?? '')
  const known = await store.isKnownDevice(ctx.db, deviceHash, found?.memberId ?? 0)
  const ofName = found ? accountKey(ctx, lockKey, found.memberId) : nameKey(ctx, lockKey, userName)
  const key = known && found ? deviceKey(ctx, lockKey, { memberId: found.memberId, device: deviceHash }) : ofName
  const { isRight, isLast } = await verifyCountedPassword(ctx, key, { password, stored: found, from })
  if (isRight && found) return found
  throw isLast ? lockedError() : new ApiError('invalidLogin')
}
