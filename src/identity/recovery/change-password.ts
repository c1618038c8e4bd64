import { audit } from '../../platform/database/audit.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError, ValidationError } from '../../platform/errors.ts'
import type { MemberCtx } from '../../platform/http/context.ts'
import { queueSecurityEmail } from '../email/service.ts'
import * as members from '../members/service.ts'
import { deletePushDevicesOf } from '../notifications/service.ts'
import { listPasskeysOf } from '../session/passkeys/service.ts'
import {
  deleteKnownDevices,
  endSessions,
  hashPassword,
  passwordProblems,
  requireRecentAuth,
} from '../session/service.ts'
import type { RecoveryDeps } from './deps.ts'
import { passwordChangedEmail } from './emails.ts'

/**
 * Validates a new password of the signed-in member and returns a function that sets it in the caller's transaction,
 * ends the member's other sessions and pending codes, and emails the member. Throws `memberOnly`, `reauthRequired`,
 * `busy`, or field errors.
 */
export async function preparePassword(
  ctx: MemberCtx,
  { origin, endPending }: Pick<RecoveryDeps, 'origin' | 'endPending'>,
  password: string,
): Promise<(tx: Tx) => Promise<void>> {
  const { config } = ctx.program
  // An operator who acts for the member is not asked for the member's password either.
  if (ctx.actor.operator) throw new ApiError('memberOnly')
  if (config.enrollmentType !== 'direct')
    throw new ValidationError([{ field: 'password', message: 'validation.check' }])
  await requireRecentAuth(ctx)
  const member = await members.findMemberRow(ctx.db, ctx.actor.memberId)
  const problems = member ? passwordProblems(password, members.passwordOwner(member, config)) : []
  if (problems.length > 0) throw new ValidationError(problems.map((message) => ({ field: 'password', message })))
  const passwordHash = await hashPassword(password, ctx.address)
  return async (tx) => {
    // The caller has locked the member; the address may have changed since, and the session may have ended.
    const locked = await members.lockOwnMember(tx, ctx)
    await requireRecentAuth(ctx, tx)
    await members.setCredentials(tx, locked.id, passwordHash)
    await endSessions(tx, locked.id, ctx.actor.sessionId ?? undefined)
    await deletePushDevicesOf(tx, locked.id, ctx.actor.sessionId ?? undefined)
    await deleteKnownDevices(tx, locked.id)
    await endPending(tx, ctx, locked.id)
    const remainingPasskeys = (await listPasskeysOf(tx, locked.id)).map(({ name }) => name)
    await queueSecurityEmail(tx, ctx, {
      memberId: locked.id,
      recipient: locked.email,
      topic: 'recovery.changed',
      about: ctx.requestId,
      content: passwordChangedEmail(
        { ctx, member: locked, origin: origin(ctx.partnerId) },
        { preservesSession: true, remainingPasskeys },
      ),
    })
    await audit(tx, ctx, { action: 'member.password-changed', memberId: locked.id })
  }
}
