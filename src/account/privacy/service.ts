import { closeReservations, type Desk, giveBackTables } from '../../dining/reservations/service.ts'
import { deleteMailsOf, postMail } from '../../identity/email/service.ts'
import { deleteProspect } from '../../identity/enrollment/service.ts'
import { eraseEmulations } from '../../identity/impersonation/service.ts'
import * as members from '../../identity/members/service.ts'
import { deleteNoticesOf } from '../../identity/notifications/service.ts'
import { deleteRecoveriesOf } from '../../identity/recovery/service.ts'
import { deletePasskeysOf } from '../../identity/session/passkeys/service.ts'
import { endSessionsOf, forgetDevicesOf, requireFreshProof } from '../../identity/session/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { FieldRefusal, Refusal } from '../../platform/refusal.ts'
import { HOUR } from '../../platform/time.ts'
import { deleteImpressionsOf } from '../../programs/tracking/service.ts'
import { statusesOf } from '../../rewards/awards/read-transaction.ts'
import { hasEarned } from '../../rewards/bonuses/service.ts'
import { eraseCards, fingerprintsOf, tokensAtVault } from '../../rewards/cards/service.ts'
import type { CardVault } from '../../rewards/cards/vault.ts'
import { closeClaimsOf } from '../../rewards/claims/service.ts'
import { eraseReviews } from '../../rewards/reviews/service.ts'
import { heldTables, leftOut } from './held.ts'
import { rowsOf } from './store.ts'

export { tablesWithMembers } from './store.ts'

/** Returns all data of the signed-in member. Throws `proveFirst`. */
export async function exportData(ctx: Ctx) {
  await requireFreshProof(ctx)
  const memberId = ctx.actor.memberId as number
  const data: Record<string, Record<string, unknown>[]> = {}
  for (const held of heldTables) data[held.table] = await rowsOf(ctx.db, held, memberId)
  const statuses = await statusesOf(ctx.db, memberId)
  data.transactions = (data.transactions ?? []).map((row) => ({ ...row, status: statuses.get(String(row.public_id)) }))
  await inTransaction(ctx.db, (tx) => audit(tx, ctx, { action: 'member.exported', memberId }))
  return { program: ctx.program.config.programName, exportedAt: new Date().toISOString(), data, leftOut }
}

export interface Erasing {
  vault: CardVault
  desk: Desk
  /** Key of the hashes by which returning members are recognized. */
  returningKey: Buffer
}

/** Maximum attempts; a further one is needed when a card is linked meanwhile. */
const maxRounds = 5

/**
 * Deletes the signed-in member's account. The vault deletes the cards first. Then one transaction, which holds the
 * member's lock, deletes or redacts all personal data and cancels upcoming reservations. Requests that waited for the
 * lock (linking a card, opening a claim) then fail because the account is deleted. The restaurants' providers are
 * notified afterwards. The ledger, consents and the audit log remain, without a name. Throws `proveFirst`,
 * `vaultUnavailable` (nothing is deleted then), or a field error for a wrong confirmation word.
 */
export async function deleteAccount(ctx: Ctx, erasing: Erasing, confirmation: string): Promise<void> {
  if (confirmation.toUpperCase() !== ctx.word('privacy.delete_word').toUpperCase()) {
    throw new FieldRefusal([{ field: 'confirmation', message: 'privacy.delete_word_wrong' }])
  }
  await requireFreshProof(ctx)
  const memberId = ctx.actor.memberId as number
  const { vault, desk } = erasing
  const forgotten = new Set<string>()
  const member = await members.memberRow(ctx.db, memberId)
  for (let round = 0; round < maxRounds; round++) {
    const tokens = (await tokensAtVault(ctx.db, memberId)).filter((token) => !forgotten.has(token))
    // The first round also deletes cards that were entered but never linked.
    if (tokens.length > 0 || round === 0)
      await vault.forget({ tenant: ctx.partnerId, tokens, ...(member && { holder: member.public_id }) })
    for (const token of tokens) forgotten.add(token)
    const erased = await inTransaction(ctx.db, (tx) => eraseAccount(tx, ctx, erasing, { memberId, forgotten }))
    if (erased) return giveBackTables(ctx, desk, erased.tables)
  }
  throw new Refusal('vaultUnavailable')
}

/** Returns null, and erases nothing, when a linked card has not been deleted from the vault. */
async function eraseAccount(
  tx: Tx,
  ctx: Ctx,
  { desk, returningKey }: Erasing,
  { memberId, forgotten }: { memberId: number; forgotten: ReadonlySet<string> },
): Promise<{ tables: number[] } | null> {
  const member = await members.lockMember(tx, memberId)
  if (!member || member.deleted_at) return { tables: [] }
  if ((await tokensAtVault(tx, memberId)).some((token) => !forgotten.has(token))) return null
  await audit(tx, ctx, { action: 'member.deleted', memberId })
  const tables = await closeReservations(tx, ctx, desk, memberId)
  // Members who have earned are recognized later, so that they get no second bonus for new members.
  if (await hasEarned(tx, memberId)) {
    const { email, partner_number: partnerNumber } = member
    const fingerprints = await fingerprintsOf(tx, memberId)
    await members.keepMarks(tx, returningKey, { email, partnerNumber, fingerprints })
  }
  await eraseCards(tx, memberId)
  await deleteNoticesOf(tx, memberId)
  await eraseReviews(tx, memberId)
  await closeClaimsOf(tx, memberId)
  await deleteProspect(tx, member.email)
  await deletePasskeysOf(tx, memberId)
  await deleteRecoveriesOf(tx, memberId)
  await forgetDevicesOf(tx, memberId)
  await deleteImpressionsOf(tx, memberId)
  await eraseEmulations(tx, memberId)
  await deleteMailsOf(tx, memberId)
  // The last email: its address is deleted after delivery.
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
  await members.eraseMember(tx, memberId)
  await endSessionsOf(tx, memberId)
  return { tables }
}
