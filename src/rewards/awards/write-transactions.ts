import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { insertRows, updateRows } from '../../platform/database/rows.ts'
import { publicId } from '../../platform/security/ids.ts'
import type { Award } from '../earning/rules.ts'
import { storeTerms } from './award-terms.ts'
import type { TransactionRow } from './store.ts'

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

/** The facts of a transaction without its award. */
export type TransactionFields = Pick<TransactionRow, 'network_id' | MatchName | keyof typeof progressColumns>

export interface TransactionWrite {
  /** The stored row; undefined for a new transaction. */
  existing: TransactionRow | undefined
  fields: TransactionFields
  award: Award
  status: string
}

/** Writes transactions with their awards: new rows, and the changed columns of existing ones. */
export async function writeTransactions(tx: Tx, transactions: readonly TransactionWrite[]): Promise<void> {
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

type AwardedTransaction = Pick<TransactionWrite, 'existing' | 'award'>

/** Stores the terms of transactions in advance: writing the transactions then needs no query for them. */
export async function storeNewTerms(tx: Tx, transactions: readonly AwardedTransaction[]): Promise<void> {
  await storeTermsOf(tx, transactions)
}

/** Returns the ids of the terms of each transaction; unchanged terms keep their id. */
async function storeTermsOf(tx: Tx, transactions: readonly AwardedTransaction[]): Promise<string[]> {
  const changed = transactions.filter(hasNewTerms)
  const ids = await storeTerms(
    tx,
    changed.map(({ award }) => award.reason.inputs),
  )
  const byTransaction = new Map(changed.map((transaction, index) => [transaction, ids[index] as string]))
  return transactions.map((transaction) => byTransaction.get(transaction) ?? (transaction.existing?.terms_id as string))
}

function hasNewTerms({ existing, award }: AwardedTransaction): boolean {
  const { program, merchant } = award.reason.inputs
  return existing?.terms_id == null || existing.terms?.program !== program || existing.terms.merchant !== merchant
}

function toAwardColumns({ award: { benefit, unit, reason }, status }: TransactionWrite) {
  const { program: _, merchant: __, ...inputs } = reason.inputs
  return { benefit, unit, award_status: status, reason: { ...reason, inputs } }
}

export interface BonusEntry {
  networkId: string
  publicId: string
  benefit: number
  unit: string
  reason: { code: string; description?: string }
}

/** Inserts or updates the bonus of a transaction as an entry of its own. */
export async function saveBonus(tx: Tx, transaction: TransactionFields, bonus: BonusEntry): Promise<void> {
  const state = {
    benefit: bonus.benefit,
    award_status: bonus.benefit > 0 ? 'Awarded' : 'Forfeit',
    reason: JSON.stringify(bonus.reason),
  }
  await tx
    .insertInto('transactions')
    .values({
      ...state,
      public_id: `bonus-${bonus.publicId}`,
      network_id: bonus.networkId,
      member_id: transaction.member_id,
      card_id: transaction.card_id,
      merchant_id: transaction.merchant_id,
      merchant_name: transaction.merchant_name,
      network_location_id: transaction.network_location_id,
      card_last_four: transaction.card_last_four,
      type_code: 'B',
      stage: 'cleared',
      unit: bonus.unit,
      occurred_at: transaction.occurred_at,
      cleared_at: transaction.cleared_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['partner_id', 'network_id']).doUpdateSet({
        ...state,
        // A bonus that is posted again may belong to another transaction.
        ...(bonus.benefit > 0 && {
          card_id: transaction.card_id,
          card_last_four: transaction.card_last_four,
          occurred_at: transaction.occurred_at,
          cleared_at: transaction.cleared_at,
        }),
        updated_at: sql<Date>`now()`,
      }),
    )
    .execute()
}

export interface ManualEntry {
  memberId: number
  cardId: number | null
  cardLastFour: string
  merchantId: number | null
  merchantName: string
  networkId: string
  publicId: string
  cents: number
  benefit: number
  unit: string
  reason: { code: string; rule: number }
  dinedAt: Date
}

/** Inserts a manual entry; returns false when it already exists. */
export async function insertManualEntry(tx: Tx, entry: ManualEntry): Promise<boolean> {
  const row = await tx
    .insertInto('transactions')
    .values({
      public_id: entry.publicId,
      network_id: entry.networkId,
      member_id: entry.memberId,
      card_id: entry.cardId,
      merchant_id: entry.merchantId,
      merchant_name: entry.merchantName,
      network_location_id: '',
      card_last_four: entry.cardLastFour,
      type_code: 'M',
      stage: 'cleared',
      award_status: 'Awarded',
      ticket_cents: entry.cents,
      cleared_cents: entry.cents,
      benefit: entry.benefit,
      unit: entry.unit,
      reason: JSON.stringify(entry.reason),
      occurred_at: entry.dinedAt,
      cleared_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.columns(['partner_id', 'network_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
