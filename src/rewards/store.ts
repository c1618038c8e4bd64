import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../kit/server/db.ts'
import { rowSource } from '../kit/server/rows.ts'
import type { Transactions } from '../kit/server/schema.ts'
import type { Reason } from './findings.ts'
import { type MealRow, withTerms } from './meal-terms.ts'
import type { Dinner, SettlementTerms } from './terms.ts'

export type { MealRow } from './meal-terms.ts'

/** Kept with the meal as JSON; entries made by hand carry another shape. */
export function reasonOf(row: Pick<MealRow, 'reason'>): Reason {
  return row.reason as unknown as Reason
}

// The wall answers for the partner; naming it lets the planner use the indexes that begin with it.
const ownPartner = sql<string>`current_partner()`

const visitColumns = { cardToken: 'text', locationId: 'text' }

/** The meals by a card at a place of the network. */
export async function mealsOfVisits(
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

/** At what a meal is settled, as it was when it was decided: what the program changes later changes nothing. */
export function settlementOf({ reason }: Pick<MealRow, 'reason'>): SettlementTerms | undefined {
  const { inputs, settlement } = reason as { inputs?: Dinner; settlement?: SettlementTerms }
  return inputs ? inputs.program.settlement : settlement
}

export async function findMeal(tx: Db | Tx, networkId: string): Promise<MealRow | undefined> {
  return (await findMeals(tx, [networkId])).get(networkId)
}

/** The meals with these ids of the network, as far as they are known. */
export async function findMeals(tx: Db | Tx, networkIds: readonly string[]): Promise<Map<string, MealRow>> {
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
  /** Days of Greenwich, both inclusive. */
  from: string
  until: string
}

const rangeColumns = { member_id: 'bigint', merchant_id: 'bigint', from: 'date', until: 'date' }
const placedRangeColumns = { ...rangeColumns, place: 'int' }

/** Of these months, the places of those that hold a meal under an offer that the month limits. */
export async function limitedMonths(tx: Tx, months: readonly MonthRange[]): Promise<Set<number>> {
  if (months.length === 0) return new Set()
  const { rows } = await sql<{ place: number }>`
    select fresh.place from ${rowSource(
      months.map((month, place) => ({ ...month, place })),
      placedRangeColumns,
    )}
    where exists (
      select from transactions t where t.is_limited and t.member_id = fresh.member_id
        and t.merchant_id = fresh.merchant_id and t.dined_at >= fresh."from" and t.dined_at < fresh.until + 1)`.execute(
    tx,
  )
  return new Set(rows.map(({ place }) => place))
}

/** Members' meals at restaurants in these months. */
export async function mealsOfMonths(tx: Tx, months: readonly MonthRange[]): Promise<MealRow[]> {
  if (months.length === 0) return []
  const { rows } = await sql<Selectable<Transactions>>`
    select t.* from ${rowSource(months, rangeColumns)}
    join transactions t on t.member_id = fresh.member_id and t.merchant_id = fresh.merchant_id
      and t.dined_at >= fresh."from" and t.dined_at < fresh.until + 1 and t.type_code = 'S'`.execute(tx)
  return withTerms(tx, rows)
}

/** What of a member's month at a restaurant is used up before a moment: rewarded visits, and what counted of them. */
export async function usedOfMonth(
  db: Db,
  at: { memberId: number; merchantId: number; month: string; timeZone: string; before: Date },
): Promise<{ visits: number; countedCents: number }> {
  const { rows } = await sql<{ visits: number; countedCents: number }>`
    select count(*) as visits, coalesce(sum((reason ->> 'countedCents')::bigint), 0)::bigint as "countedCents"
    from transactions
    where member_id = ${at.memberId} and merchant_id = ${at.merchantId} and type_code = 'S' and benefit > 0
      and dined_at < ${at.before} and to_char(dined_at at time zone ${at.timeZone}, 'YYYY-MM') = ${at.month}`.execute(
    db,
  )
  return rows[0] ?? { visits: 0, countedCents: 0 }
}

export interface LinkedSince {
  publicId: string
  linkedAt: Date
}

/** A member's linked cards, the oldest first. */
export async function linkedCards(db: Db, memberId: number): Promise<LinkedSince[]> {
  return db
    .selectFrom('cards')
    .select(['public_id as publicId', 'linked_at as linkedAt'])
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .orderBy('linked_at')
    .orderBy('id')
    .execute()
}

export async function mealByPublicId(tx: Db | Tx, publicId: string): Promise<MealRow | undefined> {
  const rows = await tx.selectFrom('transactions').selectAll().where('public_id', '=', publicId).execute()
  return (await withTerms(tx, rows))[0]
}

export async function mealById(tx: Db | Tx, id: number): Promise<MealRow | undefined> {
  const rows = await tx.selectFrom('transactions').selectAll().where('id', '=', id).execute()
  return (await withTerms(tx, rows))[0]
}

/** Network ids of meals that wait for this card to be linked, or for this location to become a restaurant of ours. */
export async function waitingMeals(tx: Tx, waiting: { cardToken: string } | { locationId: string }): Promise<string[]> {
  const rows = await tx
    .selectFrom('transactions')
    .select('network_id')
    .where('partner_id', '=', ownPartner)
    .$call((query) =>
      'cardToken' in waiting
        ? query.where('unmatched', '=', 'card').where('card_token', '=', waiting.cardToken)
        : query.where('unmatched', '=', 'merchant').where('network_location_id', '=', waiting.locationId),
    )
    .orderBy('dined_at')
    .execute()
  return rows.map((row) => row.network_id)
}

/** Places of the network that meals wait for, and that have become restaurants of ours. */
export async function arrivedLocations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct t.network_location_id as id
    from transactions t join merchant_network_ids n on n.network_id = t.network_location_id
    where t.partner_id = ${ownPartner} and t.unmatched = 'merchant' and n.since <= t.dined_at::date limit 100`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** The most members named by one notice: its payload is short. */
const membersOfNotice = 500

/** Tells every process, once this is committed, that something changed for members. */
export async function announceActivity(tx: Tx, partner: string, members: readonly number[]): Promise<void> {
  for (let from = 0; from < members.length; from += membersOfNotice) {
    const payload = JSON.stringify({ partner, members: members.slice(from, from + membersOfNotice) })
    await sql`select pg_notify('member_activity', ${payload})`.execute(tx)
  }
}
