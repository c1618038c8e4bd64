import { audit } from '../../platform/database/audit.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { changeMember, findMemberByPublicId, lockMember, type MemberRow } from '../members/service.ts'

export { loadEnrolledMember, memberColumns, readEnrolledMember } from './load-members.ts'

/**
 * Activates a member enrolled by the partner and sets the tier by the email consent. Throws `notToActivate` when the
 * member is already active or unknown.
 */
export function activateMember(ctx: Ctx, publicId: string): Promise<MemberRow> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await findMemberByPublicId(tx, publicId)
    const member = found && (await lockMember(tx, found.id))
    if (member?.tier_level !== 'NonActivated') throw new ApiError('notToActivate')
    const tier = member.email_opt_in ? 'OptedIn' : 'OptedOut'
    const activated = await changeMember(tx, member.id, { tier_level: tier, active: true })
    await audit(tx, ctx, { action: 'member.activated', memberId: member.id, detail: { tier } })
    return activated
  })
}
