import { type Selectable, sql } from 'kysely'
import type { Transactions } from '../../../db/schema.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { rowSource } from '../../platform/database/rows.ts'
import type { StoredReason } from '../earning/reasons.ts'
import type { AwardInput, SettlementTerms } from '../earning/terms.ts'
import { type TransactionRow, withTerms } from './award-terms.ts'

export type { TransactionRow } from './award-terms.ts'

/** Returns the reason stored with the transaction as JSON; manual entries have another shape. */
export function reasonOf(row: Pick<TransactionRow, 'reason'>): StoredReason {
  return row.reason as unknown as StoredReason
}

// Row-level security restricts to the partner; naming it lets the planner use the indexes that start with it.
const ownPartner = sql<string>`current_partner()`

const visitColumns = { cardToken: 'text', locationId: 'text' }

/** Returns the transactions by a card at a location of the network. */
export async function listNetworkIdsOfVisits(
  tx: Db | Tx,
  visits: readonly { cardToken: string; locationId: string }[],
): Promise<string[]> {
  if (visits.length === 0) return []
  const { rows } = await sql<{ networkId: string }>`
    select t.network_id as "networkId"
    from ${rowSource(visits, visitColumns)}
    join transactions t on t.partner_id = ${ownPartner}
      and t.card_token = fresh."cardToken" and t.network_location_id = fresh."locationId"`.execute(tx)
  return rows.map(({ networkId }) => networkId)
}

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
export async function listTransactionsOfMonths(tx: Tx, months: readonly MonthRange[]): Promise<TransactionRow[]> {
  if (months.length === 0) return []
  const { rows } = await sql<Selectable<Transactions>>`
    select t.* from ${rowSource(months, rangeColumns)}
    join transactions t on t.member_id = fresh.member_id and t.merchant_id = fresh.merchant_id
      and t.occurred_at >= fresh."from" and t.occurred_at < fresh.until + 1 and t.type_code = 'S'`.execute(tx)
  return withTerms(tx, rows)
}

/** Returns the used part of a member's month at a restaurant before a moment: rewarded visits and counted cents. */
export async function getMonthlyUsage(
  db: Db,
  at: { memberId: number; merchantId: number; month: string; timeZone: string; before: Date },
): Promise<{ visits: number; countedCents: number }> {
  const { rows } = await sql<{ visits: number; countedCents: number }>`
    select count(*) as visits, coalesce(sum((reason ->> 'countedCents')::bigint), 0)::bigint as "countedCents"
    from transactions
    where member_id = ${at.memberId} and merchant_id = ${at.merchantId} and type_code = 'S' and benefit > 0
      and occurred_at < ${at.before} and to_char(occurred_at at time zone ${at.timeZone}, 'YYYY-MM') = ${at.month}`.execute(
    db,
  )
  return rows[0] ?? { visits: 0, countedCents: 0 }
}

export interface CardLink {
  publicId: string
  linkedAt: Date
}

/** Returns a member's linked cards, the oldest first. */
export async function listLinkedCards(db: Db, memberId: number): Promise<CardLink[]> {
  return db
    .selectFrom('cards')
    .select(['public_id as publicId', 'linked_at as linkedAt'])
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .orderBy('linked_at')
    .orderBy('id')
    .execute()
}

export async function findTransactionByPublicId(tx: Db | Tx, publicId: string): Promise<TransactionRow | undefined> {
  const rows = await tx.selectFrom('transactions').selectAll().where('public_id', '=', publicId).execute()
  return (await withTerms(tx, rows))[0]
}

export async function findTransactionById(tx: Db | Tx, id: number): Promise<TransactionRow | undefined> {
  const rows = await tx.selectFrom('transactions').selectAll().where('id', '=', id).execute()
  return (await withTerms(tx, rows))[0]
}

/** Returns network ids of transactions that wait for this card to be linked, or this location to be a restaurant. */
export async function listUnmatchedNetworkIds(
  tx: Tx,
  waiting: { cardToken: string } | { locationId: string },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('transactions')
    .select('network_id')
    .where('partner_id', '=', ownPartner)
    .$call((query) =>
      'cardToken' in waiting
        ? query.where('unmatched', '=', 'card').where('card_token', '=', waiting.cardToken)
        : query.where('unmatched', '=', 'merchant').where('network_location_id', '=', waiting.locationId),
    )
    .orderBy('occurred_at')
    .execute()
  return rows.map((row) => row.network_id)
}

/** Returns locations that transactions wait for and that have become restaurants. */
export async function listJoinedLocations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct t.network_location_id as id
    from transactions t join merchant_network_ids n on n.network_id = t.network_location_id
    where t.partner_id = ${ownPartner} and t.unmatched = 'merchant' and n.since <= t.occurred_at::date limit 100`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
