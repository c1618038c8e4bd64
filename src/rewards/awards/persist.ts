import { type BonusReservation, listBonusReservations } from '../../dining/reservations/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import { insertRows, updateRows } from '../../platform/database/rows.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import { reconcilePostings, rewardPostings, type TargetPostings } from '../ledger/entries.ts'
import { settlementPostings } from '../settlement/shares.ts'
import { storeTerms } from './award-terms.ts'
import { listClaimCredits, settleClaimCredits } from './claim-credits.ts'
import { affectsBalance, isChanged, statusToStore, type TransactionDecision } from './decide.ts'
import { mayHonor, reconcileReservationBonuses } from './reservation-bonus.ts'

/**
 * Writes what changed, and posts the differences to the ledger. The caller holds the locks of the members. Returns the
 * written transactions, with their previous rows.
 */
export async function persistAwards(
  tx: Tx,
  ctx: Ctx,
  decisions: readonly TransactionDecision[],
): Promise<TransactionDecision[]> {
  const changed = decisions.filter(isChanged)
  const changedDines = changed.filter(affectsBalance)
  const [credits, reservations] = await Promise.all([
    listClaimCredits(tx, changed.filter(mayReplaceCredit).flatMap(membersOf)),
    listBonusReservations(tx, changedDines.flatMap(membersOf)),
    writeTransactions(tx, changed),
    reconcilePostings(tx, changed.map(toTargetPostings).filter(isPossible)),
  ])
  await settleClaimCredits(tx, credits)
  if (reservations.length === 0) return changed
  await reconcileReservationBonuses(
    tx,
    ctx,
    reservations.filter((reservation) => changedDines.some((transaction) => mayAffect(transaction, reservation))),
  )
  return changed
}

/** Returns whether a transaction may honor a reservation, or did before a message moved it. */
function mayAffect(transaction: TransactionDecision, reservation: BonusReservation): boolean {
  return rowsOf(transaction).some((row) => mayHonor(row, reservation))
}

const rowsOf = ({ fields, existing }: TransactionDecision) => (existing ? [fields, existing] : [fields])

/** Returns the member of a transaction, and the one who had it before a message moved it. */
const membersOf = (transaction: TransactionDecision) => rowsOf(transaction).flatMap(({ member_id }) => member_id ?? [])

/**
 * Returns whether a transaction may take the place of the credit of a claim, or leave it: it earns here, or in another
 * program, or its charge was corrected to nothing.
 */
function mayReplaceCredit(transaction: TransactionDecision): boolean {
  const { code } = transaction.award.reason
  return affectsBalance(transaction) || code === 'countedElsewhere' || code === 'reversed'
}

/** Returns the postings due: only for what was cleared and is no longer held back, not for an authorization. */
function toTargetPostings({
  existing,
  fields,
  award,
}: TransactionDecision): TargetPostings & { memberId: number | null } {
  const memberId = fields.member_id ?? null
  const isDue = award.awardStatus === 'Awarded' && memberId !== null
  const { unit, benefit, reason } = award
  const merchantId = fields.merchant_id ?? null
  return {
    memberId,
    sourceId: fields.network_id,
    postings: isDue
      ? [
          ...rewardPostings({ memberId, merchantId: merchantId ?? undefined, unit, amount: benefit }),
          ...settlementPostings(merchantId, award),
        ]
      : [],
    // The terms are stored with the transaction and never change: the journal entry names what did.
    reason: postedReason(reason),
    // An authorization was never posted.
    isNew: !existing || existing.stage === 'authorized',
  }
}

const isPossible = ({ memberId, postings, isNew }: TargetPostings & { memberId: number | null }) =>
  memberId !== null && (!isNew || postings.length > 0)

function postedReason({ inputs, ...postedFields }: TransactionDecision['award']['reason']) {
  const { stage, cents, refundedCents, earlierVisits } = inputs
  return { ...postedFields, inputs: { stage, cents, refundedCents, earlierVisits } }
}

/** The member and the restaurant of the transaction. */
const matchColumns = {
  member_id: 'bigint',
  card_id: 'bigint',
  merchant_id: 'bigint',
  merchant_name: 'text',
  network_location_id: 'text',
  card_token: 'text',
  card_last_four: 'text',
  unmatched: 'text',
  occurred_at: 'timestamptz',
  is_limited: 'boolean',
} as const
/** The progress of the transaction. */
const progressColumns = {
  stage: 'text',
  auth_code: 'text',
  ticket_cents: 'bigint',
  cleared_cents: 'bigint',
  refunded_cents: 'bigint',
  cleared_at: 'timestamptz',
} as const
const awardColumns = {
  benefit: 'bigint',
  unit: 'text',
  award_status: 'text',
  reason: 'jsonb',
  terms_id: 'uuid',
  updated_at: 'timestamptz',
} as const

const allColumns = { ...matchColumns, ...progressColumns, ...awardColumns }
const newColumns = { public_id: 'text', network_id: 'text', ...allColumns }
const updatedColumns = { ...progressColumns, ...awardColumns }

type MatchName = keyof typeof matchColumns

/** Writes transactions with their awards: new rows, and the changed columns of existing ones. */
async function writeTransactions(tx: Tx, transactions: readonly TransactionDecision[]): Promise<void> {
  const termsIds = await storeTermsOf(tx, transactions)
  const now = new Date()
  const rows = transactions.map((transaction, index) => ({
    existing: transaction.existing,
    row: { ...transaction.fields, ...toAwardColumns(transaction), terms_id: termsIds[index], updated_at: now },
  }))
  const fresh = rows.filter(({ existing }) => !existing).map(({ row }) => ({ ...row, public_id: publicId() }))
  const known = rows.flatMap(({ existing, row }) => (existing ? [{ existing, row: { ...row, id: existing.id } }] : []))
  // Few messages change who, where and when.
  const isMoved = known.some(({ existing, row }) => matchNames.some((name) => !isSame(existing[name], row[name])))
  const changed = known.map(({ row }) => row)
  await Promise.all([
    insertRows(tx, 'transactions', newColumns, fresh),
    updateRows(tx, 'transactions', isMoved ? allColumns : updatedColumns, changed),
  ])
}

const matchNames = Object.keys(matchColumns) as MatchName[]
const isSame = (was: unknown, is: unknown) => was === is || (was instanceof Date && is instanceof Date && +was === +is)

/** Stores the terms of transactions in advance: writing the transactions then needs no query for them. */
export async function storeNewTerms(tx: Tx, transactions: readonly TransactionDecision[]): Promise<void> {
  await storeTermsOf(tx, transactions)
}

/** Returns the ids of the terms of each transaction; unchanged terms keep their id. */
async function storeTermsOf(tx: Tx, transactions: readonly TransactionDecision[]): Promise<string[]> {
  const changed = transactions.filter(hasNewTerms)
  const ids = await storeTerms(
    tx,
    changed.map(({ award }) => award.reason.inputs),
  )
  const byTransaction = new Map(changed.map((transaction, index) => [transaction, ids[index] as string]))
  return transactions.map((transaction) => byTransaction.get(transaction) ?? (transaction.existing?.terms_id as string))
}

function hasNewTerms({ existing, award }: TransactionDecision): boolean {
  const { program, merchant } = award.reason.inputs
  return existing?.terms_id == null || existing.terms?.program !== program || existing.terms.merchant !== merchant
}

function toAwardColumns(decision: TransactionDecision) {
  const { benefit, unit, reason } = decision.award
  const { program: _, merchant: __, ...inputs } = reason.inputs
  return { benefit, unit, award_status: statusToStore(decision), reason: { ...reason, inputs } }
}
