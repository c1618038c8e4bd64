import { attemptKey } from '../../platform/database/attempts.ts'
import type { Ctx } from '../../platform/http/context.ts'

/** Key under which failed passwords are counted for a typed name that no account has. */
export const nameKey = (ctx: Ctx, lockKey: Buffer, userName: string) =>
  attemptKey(lockKey, 'name', ctx.partnerId, userName.trim().toLowerCase())

/** Key under which failed passwords of an account are counted, whichever of its names is typed. */
export const accountKey = (ctx: Ctx, lockKey: Buffer, memberId: number) =>
  attemptKey(lockKey, 'account', ctx.partnerId, String(memberId))

/**
 * Key under which failed passwords of a member are counted in a browser that the member has signed in with before. Others
 * may have signed in with it too: a right password of theirs must not end the count.
 */
export const deviceKey = (ctx: Ctx, lockKey: Buffer, { memberId, device }: { memberId: number; device: Buffer }) =>
  attemptKey(lockKey, 'device', ctx.partnerId, String(memberId), device.toString('hex'))

/** Key under which the failed passwords of a signed-in member are counted. */
export const proofKey = (ctx: Ctx, lockKey: Buffer, memberId: number) =>
  attemptKey(lockKey, 'proof', ctx.partnerId, String(memberId))
