import { type Selectable, sql } from 'kysely'
import type { Transactions } from '../../../db/schema.ts'
import type { Merge } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { rowSource } from '../../platform/database/rows.ts'
import type { StoredReason } from '../earning/reasons.ts'
import type { AwardInput, SettlementTerms } from '../earning/terms.ts'
import { type TransactionRow, withTerms } from './award-terms.ts'

export type { TransactionRow } from './award-terms.ts'

/** A transaction without its award: the part that the messages and the match determine. */
export type TransactionFields = Pick<
  TransactionRow,
  | 'network_id'
  | 'member_id'
  | 'card_id'
  | 'merchant_id'
  | 'merchant_name'
  | 'network_location_id'
  | 'card_token'
  | 'card_last_four'
  | 'auth_code'
  | 'unmatched'
  | 'occurred_at'
  | 'is_limited'
  | 'stage'
  | 'ticket_cents'
  | 'cleared_cents'
  | 'refunded_cents'
  | 'cleared_at'
>

/** Returns the reason stored with the transaction as JSON; manual entries have another shape. */
export function reasonOf(row: Pick<TransactionRow, 'reason'>): StoredReason {
  return row.reason as unknown as StoredReason
}

/** Returns the time zone of the restaurant of a transaction: UTC while it is unknown, and for manual entries. */
export function timeZoneOf(row: Pick<TransactionRow, 'reason'>): string {
  const inputs: AwardInput | undefined = reasonOf(row).inputs
  return inputs?.merchant?.timeZone ?? 'UTC'
}

// Row-level security restricts to the partner; naming it lets the planner use the indexes that start with it.
const ownPartner = sql<string>`current_partner()`

/** Returns the settlement terms stored with the award: later changes of the program do not apply. */
export function settlementTermsOf({ reason }: Pick<TransactionRow, 'reason'>): SettlementTerms | undefined {
  const { inputs, settlement } = reason as { inputs?: AwardInput; settlement?: SettlementTerms }
  return inputs ? inputs.program.settlement : settlement
}

export async function findTransaction(tx: Db | Tx, networkId: string): Promise<TransactionRow | undefined> {
  return (await findTransactions(tx, [networkId])).get(networkId)
}

/** Returns the known transactions with these network ids. */
export async function findTransactions(
  tx: Db | Tx,
  networkIds: readonly string[],
): Promise<Map<string, TransactionRow>> {
  const rows = await tx
    .selectFrom('transactions')
    .selectAll()
    .where('partner_id', '=', ownPartner)
    .where('network_id', '=', sql<string>`any(${networkIds})`)
    .execute()
  return new Map((await withTerms(tx, rows)).map((row) => [row.network_id, row]))
}

export interface MonthRange {
  member_id: number
  merchant_id: number
  /** UTC days, both inclusive. */
  from: string
  until: string
}

const rangeColumns = { member_id: 'bigint', merchant_id: 'bigint', from: 'date', until: 'date' }
const placedRangeColumns = { ...rangeColumns, place: 'int' }

/** Returns the indexes of the months that contain a transaction under an offer with a monthly limit. */
export async function findLimitedMonths(tx: Tx, months: readonly MonthRange[]): Promise<Set<number>> {
  if (months.length === 0) return new Set()
  const { rows } = await sql<{ place: number }>`
    select fresh.place from ${rowSource(
      months.map((month, place) => ({ ...month, place })),
      placedRangeColumns,
    )}
    where exists (
      select from transactions t where t.is_limited and t.member_id = fresh.member_id
        and t.merchant_id = fresh.merchant_id and t.occurred_at >= fresh."from" and t.occurred_at < fresh.until + 1)`.execute(
    tx,
  )
  return new Set(rows.map(({ place }) => place))
}

/** Returns members' transactions at restaurants in these months. */
export async function listTransactionsOfMonths(tx: Db | Tx, months: readonly MonthRange[]): Promise<TransactionRow[]> {
  if (months.length === 0) return []
  const { rows } = await sql<Selectable<Transactions>>`
    select t.* from ${rowSource(months, rangeColumns)}
    join transactions t on t.member_id = fresh.member_id and t.merchant_id = fresh.merchant_id
      and t.occurred_at >= fresh."from" and t.occurred_at < fresh.until + 1 and t.type_code = 'S'`.execute(tx)
  return withTerms(tx, rows)
}

export async function findTransactionByPublicId(tx: Db | Tx, publicId: string): Promise<TransactionRow | undefined> {
  const rows = await tx.selectFrom('transactions').selectAll().where('public_id', '=', publicId).execute()
  return (await withTerms(tx, rows))[0]
}

export async function findTransactionById(tx: Db | Tx, id: number): Promise<TransactionRow | undefined> {
  const rows = await tx.selectFrom('transactions').selectAll().where('id', '=', id).execute()
  return (await withTerms(tx, rows))[0]
}

/**
 * Gives the transactions of an account, with their awards, to the one that it is merged into. Returns the ids of those
 * that share the months of its own at a restaurant with a monthly limit: the limit is that of a person.
 */
export async function moveTransactions(tx: Tx, { from, to }: Merge): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from transactions t
    where t.member_id = ${from} and t.type_code = 'S' and t.reason ? 'inputs' and exists (
      select from transactions kept
      where kept.member_id = ${to} and kept.merchant_id = t.merchant_id and kept.type_code = 'S'
        and (kept.is_limited or t.is_limited)
        and kept.occurred_at between t.occurred_at - interval '33 days' and t.occurred_at + interval '33 days')
    order by t.occurred_at, t.id`.execute(tx)
  await tx.updateTable('transactions').set({ member_id: to }).where('member_id', '=', from).execute()
  return rows.map(({ id }) => id)
}

/** Returns transactions by id. */
export async function listTransactionsById(tx: Tx, ids: readonly number[]): Promise<TransactionRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Selectable<Transactions>>`
    select * from transactions where id = any(${[...ids]}) order by occurred_at, id`.execute(tx)
  return withTerms(tx, rows)
}

/** Returns whether anything was ever paid with a card of a member, or credited for a claim. */
export async function hasTransactions(tx: Tx, memberId: number): Promise<boolean> {
  const { rows } = await sql`select from transactions where member_id = ${memberId} limit 1`.execute(tx)
  return rows.length > 0
}
