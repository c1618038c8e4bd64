import {
  type AddressAttempt,
  countAddressAttempt,
  countAttempt,
  isLocked,
  resetAttempts,
  withdrawAddressAttempt,
} from '../../platform/database/attempts.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { StoredPassword } from '../members/service.ts'
import { verifyPassword } from './password.ts'
import { lockedMinutes, lockoutLength, maxAddressFailures, maxLoginFailures } from './rules.ts'

const ofName = { maxAttempts: maxLoginFailures, windowMs: lockoutLength }
const ofAddress = { maxAttempts: maxAddressFailures, windowMs: lockoutLength }

export interface PasswordAttempt {
  password: string
  stored: StoredPassword | undefined
  /** Counts wrong passwords of the address too. */
  from?: AddressAttempt
}

/**
 * Checks a password as an attempt under `key`; a right one resets the count. `isLast`: a wrong one that locks the key.
 * Throws `locked` when the key is locked, `restFirst` when the address is, and `busy` when too many checks are queued. An
 * attempt is counted when it is its turn, before the check: concurrent attempts cannot exceed the limits, and those that
 * wait, most of which are right, do not count yet.
 */
export async function verifyCountedPassword(
  ctx: Ctx,
  key: Buffer,
  { password, stored, from }: PasswordAttempt,
): Promise<{ isRight: boolean; isLast: boolean }> {
  let tried = 0
  if (await isLocked(ctx.db, key)) throw lockedError()
  const isRight = await verifyPassword(password, stored?.passwordHash, {
    mayBeCut: stored?.mayBeCut ?? false,
    address: ctx.address,
    async begin() {
      if (await isLocked(ctx.db, key)) throw lockedError()
      if (from && (await countAddressAttempt(ctx.db, from, ofAddress)) > maxAddressFailures)
        throw new ApiError('restFirst')
      tried = await countAttempt(ctx.db, { key, ...ofName })
      if (tried <= maxLoginFailures) return
      if (from) await withdrawAddressAttempt(ctx.db, from, ofAddress)
      throw lockedError()
    },
  })
  if (isRight) {
    await resetAttempts(ctx.db, key)
    if (from) await withdrawAddressAttempt(ctx.db, from, ofAddress)
  }
  return { isRight, isLast: tried === maxLoginFailures }
}

export const lockedError = () => new ApiError('locked', { lockedMinutes })
