import { eraseCards, forgetAtVault } from '../cards/service.ts'
import type { CardVault } from '../cards/vault.ts'
import { blankClaimsOf } from '../claims/service.ts'
import { eraseEmulations } from '../emulation/service.ts'
import { deleteProspect } from '../enrollment/service.ts'
import { FieldRefusal } from '../kit/refusal.ts'
import { audit } from '../kit/server/audit.ts'
import type { Ctx } from '../kit/server/context.ts'
import { inTransaction } from '../kit/server/db.ts'
import { HOUR } from '../kit/time.ts'
import { deleteMailsOf, postMail } from '../mail/service.ts'
import * as members from '../members/service.ts'
import { deleteNoticesOf } from '../notices/service.ts'
import { deleteRecoveriesOf } from '../recovery/service.ts'
import { cancelAllReservations, type Desk } from '../reservations/service.ts'
import { eraseReviews } from '../reviews/service.ts'
import { deletePasskeysOf } from '../session/passkeys/service.ts'
import { endSessionsOf, forgetDevicesOf, requireFreshProof } from '../session/service.ts'
import { deleteImpressionsOf } from '../tracking/service.ts'
import { heldTables, leftOut } from './held.ts'
import { rowsOf } from './store.ts'

export { tablesWithMembers } from './store.ts'

/** Everything held about the signed-in member. Refusal `proveFirst`. */
export async function exportData(ctx: Ctx) {
  await requireFreshProof(ctx)
  const memberId = ctx.actor.memberId as number
  const data: Record<string, Record<string, unknown>[]> = {}
  for (const held of heldTables) data[held.table] = await rowsOf(ctx.db, held, memberId)
  await inTransaction(ctx.db, (tx) => audit(tx, ctx, { action: 'member.exported', memberId }))
  return { program: ctx.program.config.programName, exportedAt: new Date().toISOString(), data, leftOut }
}

export interface Erasing {
  vault: CardVault
  desk: Desk
}

/**
 * Deletes the signed-in member's account. The vault forgets the cards, tables that are still to come are given back,
 * then everything that says who this was goes in one transaction; the ledger, consents and the audit log stay, under
 * no name. Refusals: `proveFirst`, `vaultUnavailable` (nothing is gone then); a field error without the right word.
 */
export async function deleteAccount(ctx: Ctx, { vault, desk }: Erasing, confirmation: string): Promise<void> {
  if (confirmation.toUpperCase() !== ctx.word('privacy.delete_word').toUpperCase()) {
    throw new FieldRefusal([{ field: 'confirmation', message: 'privacy.delete_word_wrong' }])
  }
  await requireFreshProof(ctx)
  const memberId = ctx.actor.memberId as number
  await forgetAtVault(ctx, vault, memberId)
  await cancelAllReservations(ctx, desk)
  await inTransaction(ctx.db, async (tx) => {
    const member = await members.lockMember(tx, memberId)
    if (!member || member.deleted_at) return
    await audit(tx, ctx, { action: 'member.deleted', memberId })
    await eraseCards(tx, memberId)
    await deleteNoticesOf(tx, memberId)
    await eraseReviews(tx, memberId)
    await blankClaimsOf(tx, memberId)
    await deleteProspect(tx, member.email)
    await deletePasskeysOf(tx, memberId)
    await deleteRecoveriesOf(tx, memberId)
    await forgetDevicesOf(tx, memberId)
    await deleteImpressionsOf(tx, memberId)
    await eraseEmulations(tx, memberId)
    await deleteMailsOf(tx, memberId)
    await members.eraseMember(tx, memberId)
    await endSessionsOf(tx, memberId)
    // The last one: it forgets its address when it has gone out.
    await postMail(tx, ctx, {
      memberId,
      recipient: member.email,
      topic: 'privacy.deleted',
      about: String(memberId),
      letter: {
        subject: ctx.word('privacy.mail.subject'),
        preview: ctx.word('privacy.mail.preview'),
        title: ctx.word('privacy.mail.title'),
        paragraphs: [ctx.word('privacy.mail.gone'), ctx.word('privacy.mail.kept')],
        facts: [],
        smallPrint: [ctx.word('privacy.mail.not_you')],
      },
      secretFor: HOUR,
    })
  })
}
