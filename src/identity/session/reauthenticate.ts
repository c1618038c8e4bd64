import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError, ValidationError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { findPassword } from '../members/service.ts'
import { proofKey } from './attempt-keys.ts'
import { lockedError, verifyCountedPassword } from './counted-password.ts'
import { reauthMaxAgeMs } from './rules.ts'
import * as store from './store.ts'

/**
 * Throws `reauthRequired` unless the member has authenticated in this session within ten minutes. Within a transaction
 * that has locked the member, also when the session has ended since the request began.
 */
export async function requireRecentAuth(ctx: Ctx, db: Db | Tx = ctx.db): Promise<void> {
  const { sessionId } = ctx.actor
  if (!sessionId || !(await store.isFresh(db, sessionId, reauthMaxAgeMs))) throw new ApiError('reauthRequired')
}

/**
 * Re-authenticates the member with the password. Throws a field error when it is wrong, and `locked` after five
 * failures within half an hour.
 */
export async function reauthenticate(ctx: MemberCtx, password: string, lockKey: Buffer): Promise<void> {
  const memberId = ctx.actor.memberId
  const key = proofKey(ctx, lockKey, memberId)
  const stored = await findPassword(ctx.db, memberId)
  const { isRight, isLast } = await verifyCountedPassword(ctx, key, { password, stored })
  if (isRight) return store.markReauthenticated(ctx.db, ctx.actor.sessionId as Buffer)
  if (isLast) throw lockedError()
  throw new ValidationError([{ field: 'password', message: 'security.wrong_password' }])
}
