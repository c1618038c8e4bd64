import { audit } from '../../platform/database/audit.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { FieldRefusal } from '../../platform/refusal.ts'
import { postMail } from '../email/service.ts'
import * as members from '../members/service.ts'
import {
  endSessionsOf,
  forgetDevicesOf,
  hashPassword,
  passwordProblems,
  requireFreshProof,
} from '../session/service.ts'
import { changedLetter } from './letters.ts'

/**
 * Validates a new password of the signed-in member and returns a function that sets it in the caller's transaction,
 * ends the member's other sessions and emails the member. Throws `proveFirst`, `busy`, or field errors.
 */
export async function preparePassword(
  ctx: Ctx,
  { origin }: { origin: (partnerId: string) => string },
  password: string,
): Promise<(tx: Tx) => Promise<void>> {
  const { config } = ctx.program
  if (config.enrollmentType !== 'direct') throw new FieldRefusal([{ field: 'password', message: 'validation.check' }])
  await requireFreshProof(ctx)
  const member = await members.memberRow(ctx.db, ctx.actor.memberId as number)
  const problems = member ? passwordProblems(password, members.passwordOwner(member, config)) : []
  if (problems.length > 0) throw new FieldRefusal(problems.map((message) => ({ field: 'password', message })))
  const passwordHash = await hashPassword(password)
  return async (tx) => {
    // The caller has locked the member; the address may have changed since.
    const locked = await members.lockOpenMember(tx, ctx.actor.memberId as number)
    await members.setCredentials(tx, locked.id, passwordHash)
    await endSessionsOf(tx, locked.id, ctx.actor.sessionId ?? undefined)
    await forgetDevicesOf(tx, locked.id)
    await postMail(tx, ctx, {
      memberId: locked.id,
      recipient: locked.email,
      topic: 'recovery.changed',
      about: ctx.requestId,
      letter: changedLetter({ ctx, member: locked, origin: origin(ctx.partnerId) }, { keepsSession: true }),
    })
    await audit(tx, ctx, { action: 'member.password-changed', memberId: locked.id })
  }
}
