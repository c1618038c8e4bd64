import type { Tx } from '../../platform/database/db.ts'
import { insertRows, updateRows } from '../../platform/database/rows.ts'
import { publicId } from '../../platform/security/ids.ts'
import type { Award } from '../earning/rules.ts'
import { storeTerms } from './award-terms.ts'
import type { TransactionFields, TransactionRow } from './store.ts'

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
