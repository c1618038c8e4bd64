import { cancelAtProviders, closeReservations, type ReservationDeps } from '../../dining/reservations/service.ts'
import { deleteMemberEmails, queueEmail } from '../../identity/email/service.ts'
import { deleteProspect } from '../../identity/enrollment/service.ts'
import { redactImpersonations } from '../../identity/impersonation/service.ts'
import * as members from '../../identity/members/service.ts'
import { deleteMemberNotifications } from '../../identity/notifications/service.ts'
import { deleteRecoveriesOf } from '../../identity/recovery/service.ts'
import { deletePasskeysOf } from '../../identity/session/passkeys/service.ts'
import { deleteKnownDevices, endSessions, requireRecentAuth } from '../../identity/session/service.ts'
import { deleteVerificationsOf } from '../../identity/verification/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError, ValidationError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { interpolate as fillIn } from '../../platform/interpolate.ts'
import type { MemberTable } from '../../platform/manifest.ts'
import { formatCents } from '../../platform/money.ts'
import { HOUR } from '../../platform/time.ts'
import { deleteMemberImpressions } from '../../programs/tracking/service.ts'
import { hasTransactions, loadStatuses } from '../../rewards/awards/read-transaction.ts'
import { eraseCards, listCardFingerprints, listVaultTokens } from '../../rewards/cards/service.ts'
import type { CardVault } from '../../rewards/cards/vault.ts'
import { executeDecisionsOf, redactAndCloseClaims } from '../../rewards/claims/service.ts'
import { settleDebts } from '../../rewards/debts/service.ts'
import { hasPostings } from '../../rewards/ledger/entries.ts'
import { payOutRest } from '../../rewards/payouts/statement-credits.ts'
import { redactMemberReviews } from '../../rewards/reviews/service.ts'
import { leftOut } from './left-out.ts'
import { listMemberRows } from './store.ts'

export { tablesWithMembers } from './store.ts'

/** Returns all data of the signed-in member from the tables of all modules. Throws `reauthRequired`. */
export async function exportData(ctx: MemberCtx, memberTables: readonly MemberTable[]) {
  await requireRecentAuth(ctx)
  return collectData(ctx, memberTables)
}

/**
 * Returns all data of a member, for the member, or for an operator who sends it to the member. Accounts that were merged
 * into it are the member's too.
 */
export async function collectData(ctx: MemberCtx, memberTables: readonly MemberTable[]) {
  const memberId = ctx.actor.memberId
  const accounts = await members.listOwnAccounts(ctx.db, memberId)
  const data: Record<string, Record<string, unknown>[]> = {}
  for (const held of memberTables.filter(({ isCopy }) => !isCopy))
    data[held.table] = await listMemberRows(ctx.db, held, accounts)
  const statuses = await loadStatuses(ctx, memberId)
  data.transactions = (data.transactions ?? []).map((row) => ({ ...row, status: statuses.get(String(row.public_id)) }))
  await inTransaction(ctx.db, (tx) => audit(tx, ctx, { action: 'member.exported', memberId }))
  return { program: ctx.program.config.programName, exportedAt: new Date().toISOString(), data, leftOut }
}

export interface ErasureDeps {
  vault: CardVault
  reservations: ReservationDeps
}

/** The balance of the account cannot be paid out yet. */
class BalanceBusy extends Error {}

/** Maximum attempts; a further one is needed when a card is linked meanwhile. */
const maxRounds = 5

/**
 * Deletes the signed-in member's account. The vault deletes the cards first. Then one transaction, which holds the
 * member's lock, deletes or redacts all personal data and cancels upcoming reservations. Requests that waited for the
 * lock (linking a card, opening a claim) then fail because the account is deleted. The restaurants' providers are
 * notified afterwards. The ledger, consents and the audit log remain, without a name. Throws `reauthRequired`,
 * `vaultUnavailable` (nothing is deleted then), or a field error for a wrong confirmation word.
 */
export async function deleteAccount(ctx: MemberCtx, deps: ErasureDeps, confirmation: string): Promise<void> {
  if (confirmation.toUpperCase() !== ctx.t('privacy.delete_word').toUpperCase()) {
    throw new ValidationError([{ field: 'confirmation', message: 'privacy.delete_word_wrong' }])
  }
  await requireRecentAuth(ctx)
  const memberId = ctx.actor.memberId
  const { vault, reservations } = deps
  const deletedTokens = new Set<string>()
  const member = await members.findMemberRow(ctx.db, memberId)
  for (let round = 0; round < maxRounds; round++) {
    const tokens = (await listVaultTokens(ctx.db, memberId)).filter((token) => !deletedTokens.has(token))
    // The first round also deletes cards that were entered but never linked.
    if (tokens.length > 0 || round === 0)
      await vault.deleteCards({ tenant: ctx.partnerId, tokens, ...(member && { holder: member.public_id }) })
    // What was typed in accounts that were merged into this one.
    for (const { public_id: holder } of round === 0 ? await members.listMergedInto(ctx.db, memberId) : [])
      await vault.deleteCards({ tenant: ctx.partnerId, tokens: [], holder })
    for (const token of tokens) deletedTokens.add(token)
    const erased = await inTransaction(ctx.db, (tx) => eraseAccount(tx, ctx, deps, { memberId, deletedTokens })).catch(
      (error) => {
        if (error instanceof BalanceBusy) return null
        throw error
      },
    )
    if (erased) return cancelAtProviders(ctx, reservations, erased.tables)
  }
  throw new ApiError('vaultUnavailable')
}

/** Returns null, and erases nothing, when a linked card has not been deleted from the vault. */
async function eraseAccount(
  tx: Tx,
  ctx: Ctx,
  { reservations }: ErasureDeps,
  { memberId, deletedTokens }: { memberId: number; deletedTokens: ReadonlySet<string> },
): Promise<{ tables: number[] } | null> {
  const member = await members.lockMember(tx, memberId)
  if (!member || member.deleted_at) return { tables: [] }
  await requireRecentAuth(ctx, tx)
  if ((await listVaultTokens(tx, memberId)).some((token) => !deletedTokens.has(token))) return null
  await audit(tx, ctx, { action: 'member.deleted', memberId })
  const tables = await closeReservations(tx, ctx, reservations, memberId)
  await executeDecisionsOf(tx, ctx, memberId)
  const paidCents = await payOutRest(tx, ctx, memberId)
  // Another transaction holds an account whose debt comes first: in the next round it is free.
  if (paidCents === null) throw new BalanceBusy()
  // Members who have paid or earned anything are recognized later: also a meal that earns nothing yet may earn after the
  // deletion. They get no bonus twice, and what they owe stays.
  if ((await hasTransactions(tx, memberId)) || (await hasPostings(tx, memberId))) {
    const { email, email_verified_at, partner_number: partnerNumber } = member
    const isEmailVerified = email_verified_at !== null
    const cards = await listCardFingerprints(tx, memberId)
    await members.storeFormerMember(tx, ctx.returningKey, { memberId, email, isEmailVerified, partnerNumber, cards })
    // Also the addresses and numbers of accounts that were merged into it lead to what it owes and has earned.
    for (const merged of await members.listMergedInto(tx, memberId))
      await members.storeFormerMember(tx, ctx.returningKey, {
        memberId,
        email: merged.email,
        isEmailVerified: merged.emailWasVerified,
        partnerNumber: merged.partner_number,
        cards: [],
      })
  }
  await eraseRecords(tx, member)
  for (const merged of await members.listMergedInto(tx, memberId)) {
    await eraseRecords(tx, merged)
    await members.eraseMember(tx, merged.id)
  }
  // The last email: its address is deleted after delivery.
  await queueEmail(tx, ctx, {
    memberId,
    recipient: member.email,
    topic: 'privacy.deleted',
    about: String(memberId),
    content: {
      subject: ctx.t('privacy.mail.subject'),
      preview: ctx.t('privacy.mail.preview'),
      title: ctx.t('privacy.mail.title'),
      paragraphs: [
        ctx.t('privacy.mail.gone'),
        ...(paidCents > 0 ? [fillIn(ctx.t('privacy.mail.paid_out'), { amount: formatCents(paidCents) })] : []),
        ctx.t('privacy.mail.retained'),
      ],
      facts: [],
      smallPrint: [ctx.t('privacy.mail.not_you')],
    },
    secretFor: HOUR,
  })
  await members.eraseMember(tx, memberId)
  await settleDebts(tx, ctx, [memberId])
  await endSessions(tx, memberId)
  return { tables }
}

/** Deletes or redacts everything that identifies the member of an account, except its own row. */
async function eraseRecords(tx: Tx, { id: memberId, email }: members.MemberRow): Promise<void> {
  await eraseCards(tx, memberId)
  await deleteMemberNotifications(tx, memberId)
  await redactMemberReviews(tx, memberId)
  await redactAndCloseClaims(tx, memberId)
  await deleteProspect(tx, email)
  await deletePasskeysOf(tx, memberId)
  await deleteRecoveriesOf(tx, memberId)
  await deleteVerificationsOf(tx, memberId)
  await deleteKnownDevices(tx, memberId)
  await deleteMemberImpressions(tx, memberId)
  await members.deleteNotesOf(tx, memberId)
  await redactImpersonations(tx, memberId)
  await deleteMemberEmails(tx, memberId)
}
