import { audit } from '../../platform/database/audit.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { changeMember, lockMember, type MemberRow, memberByPublicId } from '../members/service.ts'

export { EnrolledMember, loadEnrolledMember, readEnrolledMember } from './load-members.ts'

/**
 * Activates a member enrolled by the partner and sets the tier by the email consent. Throws `notToActivate` when the
 * member is already active or unknown.
 */
export function activateMember(ctx: Ctx, publicId: string): Promise<MemberRow> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await memberByPublicId(tx, publicId)
    const member = found && (await lockMember(tx, found.id))
    if (member?.tier_level !== 'NonActivated') throw new Refusal('notToActivate')
    const tier = member.email_opt_in ? 'OptedIn' : 'OptedOut'
    const activated = await changeMember(tx, member.id, { tier_level: tier, active: true })
    await audit(tx, ctx, { action: 'member.activated', memberId: member.id, detail: { tier } })
    return activated
  })
}
