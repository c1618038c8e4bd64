import { hasOpenRequestAbout } from '../../../console-kit/approvals/service.ts'
import { hasOverlappingTables } from '../../../dining/reservations/service.ts'
import { isStanding, type MemberRow } from '../../../identity/members/service.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { hasSharedClaim } from '../../../rewards/claims/service.ts'
import * as store from './store.ts'

const isClosed = ({ member_type }: MemberRow) => member_type === 'ClosedAccountMember'

/**
 * Throws why two accounts cannot be merged: one is merged or closed already, the kept one is not activated, the partner's
 * provider knows them as two customers, the merged one carries a debt of another account, a request about it waits, or both
 * have what one person may have once. The caller holds the locks of both members.
 */
export async function requireMergeable(tx: Tx, { from, to }: { from: MemberRow; to: MemberRow }): Promise<void> {
  if (!isStanding(from) || !isStanding(to)) throw new ApiError('mergedAccount')
  if (isClosed(from) || isClosed(to)) throw new ApiError('mergeClosed')
  if (to.tier_level === 'NonActivated') throw new ApiError('mergeNotActivated')
  const merge = { from: from.id, to: to.id }
  if (await store.haveTwoIdentities(tx, merge)) throw new ApiError('mergeTwoIdentities')
  if (await store.hasDebt(tx, from.id)) throw new ApiError('mergeDebt')
  const isAsked = (await hasOpenRequestAbout(tx, from.id)) || (await hasOpenRequestAbout(tx, to.id, 'merge'))
  if (isAsked) throw new ApiError('mergeRequestOpen')
  if (await hasOverlappingTables(tx, merge)) throw new ApiError('mergeTables')
  if (await hasSharedClaim(tx, merge)) throw new ApiError('mergeClaims')
}
