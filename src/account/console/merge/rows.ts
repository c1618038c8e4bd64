import { moveReservations } from '../../../dining/reservations/service.ts'
import { endImpersonationsOf } from '../../../identity/impersonation/service.ts'
import {
  changeMember,
  type MemberRow,
  moveMemberNumber,
  moveMemberRecords,
  storeMerge,
} from '../../../identity/members/service.ts'
import { mergeNotifications } from '../../../identity/notifications/service.ts'
import { deleteRecoveriesOf } from '../../../identity/recovery/service.ts'
import { deletePasskeysOf } from '../../../identity/session/passkeys/service.ts'
import { deleteKnownDevices, endSessions } from '../../../identity/session/service.ts'
import { deleteVerificationsOf } from '../../../identity/verification/service.ts'
import { audit } from '../../../platform/database/audit.ts'
import type { Tx } from '../../../platform/database/db.ts'
import type { Ctx } from '../../../platform/http/context.ts'
import { publicId } from '../../../platform/security/ids.ts'
import { mergeHistories } from '../../../rewards/awards/merge-histories.ts'
import { mergeCards } from '../../../rewards/cards/service.ts'
import { moveClaims } from '../../../rewards/claims/service.ts'
import { moveReviews } from '../../../rewards/reviews/service.ts'

/**
 * Merges one account into another one of the same person: what it has moves, its ways to sign in end, and it stays closed.
 * The manifests of the modules say what becomes of each table (`merging`). The caller holds the locks of both members, and
 * has checked that they can be merged.
 */
export async function mergeAccounts(tx: Tx, ctx: Ctx, { from, to }: { from: MemberRow; to: MemberRow }): Promise<void> {
  const merge = { from: from.id, to: to.id }
  const id = publicId()
  await endImpersonationsOf(tx, ctx, from.id)
  await endSessions(tx, from.id)
  await deletePasskeysOf(tx, from.id)
  await deleteKnownDevices(tx, from.id)
  await deleteRecoveriesOf(tx, from.id)
  await deleteVerificationsOf(tx, from.id)
  await storeMerge(tx, merge, id)
  await moveMemberRecords(tx, merge)
  await moveMemberNumber(tx, merge)
  await mergeNotifications(tx, merge)
  await mergeCards(tx, { from, to })
  await moveReservations(tx, merge)
  await moveClaims(tx, merge)
  await moveReviews(tx, merge)
  if (from.has_returned && !to.has_returned) await changeMember(tx, to.id, { has_returned: true })
  await mergeHistories(tx, ctx, merge, id)
  await audit(tx, ctx, { action: 'member.merged', memberId: from.id, detail: { merge: id, into: to.public_id } })
  await audit(tx, ctx, { action: 'member.merged-in', memberId: to.id, detail: { merge: id, from: from.public_id } })
}
