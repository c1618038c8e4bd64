import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import {
  changeMember,
  findMemberByPublicId,
  isFormerMember,
  isStanding,
  lockMember,
  type MemberRow,
} from '../members/service.ts'

export { loadEnrolledMember, memberColumns, readEnrolledMember } from './load-members.ts'

/**
 * Activates a member enrolled by the partner and sets the tier by the email consent. `onActivated` runs in the same
 * transaction. Throws `notToActivate` when the member is already active or unknown.
 */
export function activateMember(
  ctx: Ctx,
  publicId: string,
  onActivated: (tx: Tx, ctx: Ctx, memberId: number) => Promise<unknown> = async () => {},
): Promise<MemberRow> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await findMemberByPublicId(tx, publicId)
    const member = found && (await lockMember(tx, found.id))
    if (member?.tier_level !== 'NonActivated' || !isStanding(member)) throw new ApiError('notToActivate')
    const tier = member.email_opt_in ? 'OptedIn' : 'OptedOut'
    const identifiers = { email: member.email, partnerNumber: member.partner_number }
    const hasReturned = await isFormerMember(tx, ctx.returningKey, identifiers)
    const change = { tier_level: tier, active: true, ...(hasReturned && { has_returned: true }) }
    const activated = await changeMember(tx, member.id, change)
    await audit(tx, ctx, { action: 'member.activated', memberId: member.id, detail: { tier } })
    await onActivated(tx, ctx, member.id)
    return activated
  })
}
