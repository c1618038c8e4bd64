import { createHmac } from 'node:crypto'
import { Refusal } from '../kit/refusal.ts'
import type { Ctx } from '../kit/server/context.ts'
import type { Db, Tx } from '../kit/server/db.ts'
import { secretToken, tokenHash } from '../kit/server/ids.ts'
import { SECOND } from '../kit/time.ts'
import { credentialsOf } from '../members/service.ts'
import { verifyPassword } from './password.ts'
import { lengthOf, lockoutLength, mostLoginFailures } from './rules.ts'
import * as store from './store.ts'

export { hashPassword, passwordProblems, verifyPassword } from './password.ts'
export { deleteEndedSessions as sweepSessions, deleteSessionsOf as endSessionsOf } from './store.ts'

export interface OpenedSession {
  /** Goes into the cookie and nowhere else; the database has its hash. */
  id: string
  idHash: Buffer
  csrfToken: string
  memberId: number | null
  remembered: boolean
  expiresAt: Date
}

/** A new session. Without a member it only carries the CSRF token of a visitor. */
export async function openSession(
  db: Db | Tx,
  { memberId, remembered }: { memberId: number | null; remembered: boolean },
): Promise<OpenedSession> {
  const id = secretToken()
  const session = { idHash: tokenHash(id), memberId, csrfToken: secretToken(), remembered }
  const expiresAt = await store.insertSession(db, { ...session, lengthMs: lengthOf(session) })
  return { id, ...session, expiresAt }
}

/** Ends the session a visitor came with and opens the member's: a planted id is worth nothing. */
export async function rotateSession(
  tx: Tx,
  ctx: Ctx,
  { memberId, remembered }: { memberId: number; remembered: boolean },
): Promise<OpenedSession> {
  if (ctx.actor.sessionId) await store.deleteSession(tx, ctx.actor.sessionId)
  return openSession(tx, { memberId, remembered })
}

export interface LiveSession extends store.SessionRow {
  idHash: Buffer
}

// Moving the end at every call would write at every call; half a minute late is early enough.
const extendAfter = 30 * SECOND

/** The live session behind a cookie value, its end moved on by this use. */
export async function continueSession(db: Db, id: string): Promise<LiveSession | undefined> {
  if (id.length !== 43) return undefined
  const idHash = tokenHash(id)
  const session = await store.findSession(db, idHash)
  if (!session) return undefined
  const used = lengthOf(session) - (session.expiresAt.getTime() - Date.now())
  if (used < extendAfter) return { ...session, idHash }
  const expiresAt = await store.extendSession(db, idHash, lengthOf(session))
  return expiresAt && { ...session, idHash, expiresAt }
}

export async function endSession(ctx: Ctx): Promise<void> {
  if (ctx.actor.sessionId) await store.deleteSession(ctx.db, ctx.actor.sessionId)
}

/**
 * Checks a user name (e-mail or partner number) and password. Refusals: `invalidLogin`, `locked`, `busy`.
 * A locked name is refused in the same words and time whether or not anyone has it.
 */
export async function checkCredentials(
  ctx: Ctx,
  { userName, password, lockKey }: { userName: string; password: string; lockKey: Buffer },
): Promise<number> {
  const name = userName.trim().toLowerCase()
  const nameHash = createHmac('sha256', lockKey).update(`${ctx.partnerId}:${name}`).digest()
  if (await store.isLocked(ctx.db, nameHash)) throw new Refusal('locked', { lockedMinutes: 30 })
  const found = await credentialsOf(ctx.db, name, ctx.program.config.hasPPN)
  if (await verifyPassword(password, found?.passwordHash)) {
    await store.forgetFailures(ctx.db, nameHash)
    return (found as { memberId: number }).memberId
  }
  const locked = await store.countFailure(ctx.db, { nameHash, most: mostLoginFailures, windowMs: lockoutLength })
  if (locked) throw new Refusal('locked', { lockedMinutes: 30 })
  throw new Refusal('invalidLogin')
}
