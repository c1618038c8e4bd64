import { attemptKey, countAttempt, forgetAttempts, isLocked } from '../../platform/database/attempts.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { FieldRefusal, Refusal } from '../../platform/refusal.ts'
import { passwordHashOf } from '../members/service.ts'
import { verifyPassword } from './password.ts'
import { lockoutLength, mostLoginFailures, proofLength } from './rules.ts'
import * as store from './store.ts'

/** Throws `proveFirst` unless the member has authenticated in this session within ten minutes. */
export async function requireFreshProof(ctx: Ctx): Promise<void> {
  const { sessionId } = ctx.actor
  if (!sessionId || !(await store.isFresh(ctx.db, sessionId, proofLength))) throw new Refusal('proveFirst')
}

/**
 * Re-authenticates the member with the password. Throws a field error when it is wrong, and `locked` after five
 * failures within half an hour.
 */
export async function proveAgain(ctx: Ctx, password: string, lockKey: Buffer): Promise<void> {
  const memberId = ctx.actor.memberId as number
  const key = attemptKey(lockKey, 'proof', ctx.partnerId, String(memberId))
  if (await isLocked(ctx.db, key)) throw new Refusal('locked', { lockedMinutes: 30 })
  const tried = await countAttempt(ctx.db, { key, most: mostLoginFailures, windowMs: lockoutLength })
  if (tried > mostLoginFailures) throw new Refusal('locked', { lockedMinutes: 30 })
  if (await verifyPassword(password, await passwordHashOf(ctx.db, memberId))) {
    await forgetAttempts(ctx.db, key)
    return store.markProven(ctx.db, ctx.actor.sessionId as Buffer)
  }
  if (tried === mostLoginFailures) throw new Refusal('locked', { lockedMinutes: 30 })
  throw new FieldRefusal([{ field: 'password', message: 'security.wrong_password' }])
}
