import { countAttempt, isLocked, resetAttempts, withdrawAttempt } from '../../platform/database/attempts.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { verifyPassword } from './password.ts'
import { lockedMinutes, lockoutLength, maxLoginFailures } from './rules.ts'

/**
 * Checks a password as an attempt under `key`; a right one resets the count. `isLast`: a wrong one that locks the key.
 * Throws `locked` when the key is locked, and `busy` when too many checks are queued: that attempt is not counted.
 */
export async function verifyCountedPassword(
  ctx: Ctx,
  key: Buffer,
  { password, passwordHash }: { password: string; passwordHash: string | undefined },
): Promise<{ isRight: boolean; isLast: boolean }> {
  if (await isLocked(ctx.db, key)) throw lockedError()
  const tried = await countAttempt(ctx.db, { key, maxAttempts: maxLoginFailures, windowMs: lockoutLength })
  if (tried > maxLoginFailures) throw lockedError()
  const isRight = await verifyPassword(password, passwordHash).catch(async (error: unknown) => {
    await withdrawAttempt(ctx.db, { key, maxAttempts: maxLoginFailures })
    throw error
  })
  if (isRight) await resetAttempts(ctx.db, key)
  return { isRight, isLast: tried === maxLoginFailures }
}

export const lockedError = () => new ApiError('locked', { lockedMinutes })
