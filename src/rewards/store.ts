import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../kit/server/db.ts'
import { publicId } from '../kit/server/ids.ts'
import { insertRows, rowSource, updateRows } from '../kit/server/rows.ts'
import type { Transactions } from '../kit/server/schema.ts'
import type { Reason } from './findings.ts'
import { keepTerms, type MealRow, withTerms } from './meal-terms.ts'
import type { Decision } from './rules.ts'
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

/** Whose meal it is, and where it was eaten. */
const matchColumns = {
  member_id: 'bigint',
  card_id: 'bigint',
  merchant_id: 'bigint',
  merchant_name: 'text',
  network_location_id: 'text',
  card_token: 'text',
  card_last_four: 'text',
  unmatched: 'text',
  dined_at: 'timestamptz',
  is_limited: 'boolean',
} as const
/** What has become of it. */
const courseColumns = {
  stage: 'text',
  ticket_cents: 'bigint',
  dine_cents: 'bigint',
  refunded_cents: 'bigint',
  cleared_at: 'timestamptz',
} as const
const decisionColumns = {
  benefit: 'bigint',
  unit: 'text',
  award_status: 'text',
  reason: 'jsonb',
  terms_id: 'uuid',
  updated_at: 'timestamptz',
} as const

const allColumns = { ...matchColumns, ...courseColumns, ...decisionColumns }
const newColumns = { public_id: 'text', network_id: 'text', ...allColumns }
const laterColumns = { ...courseColumns, ...decisionColumns }

type MatchName = keyof typeof matchColumns

/** What is known of a meal apart from what was decided about it. */
export type MealFacts = Pick<MealRow, 'network_id' | MatchName | keyof typeof courseColumns>

export interface MealToWrite {
  /** What is kept of it; undefined for a new one. */
  kept: MealRow | undefined
  facts: MealFacts
  decision: Decision
  status: string
}

/** Writes meals with what was decided about them: new ones, and what has changed of others. */
export async function writeMeals(tx: Tx, meals: readonly MealToWrite[]): Promise<void> {
  const termsIds = await termsOf(tx, meals)
  const now = new Date()
  const rows = meals.map((meal, index) => ({
    kept: meal.kept,
    row: { ...factsOf(meal), ...decided(meal), terms_id: termsIds[index], updated_at: now },
  }))
  const fresh = rows.filter(({ kept }) => !kept).map(({ row }) => ({ ...row, public_id: publicId() }))
  const known = rows.flatMap(({ kept, row }) => (kept ? [{ kept, row: { ...row, id: kept.id } }] : []))
  // Few messages say anything new about who, where and when.
  const isMoved = known.some(({ kept, row }) => matchNames.some((name) => !isSame(kept[name], row[name])))
  const changed = known.map(({ row }) => row)
  await Promise.all([
    insertRows(tx, 'transactions', newColumns, fresh),
    updateRows(tx, 'transactions', isMoved ? allColumns : laterColumns, changed),
  ])
}

const factNames = ['network_id', ...Object.keys(matchColumns), ...Object.keys(courseColumns)] as (keyof MealFacts)[]
// A kept meal that is decided anew brings all its columns.
const factsOf = ({ facts }: MealToWrite) =>
  Object.fromEntries(factNames.map((name) => [name, facts[name]])) as unknown as MealFacts
const matchNames = Object.keys(matchColumns) as MatchName[]
const isSame = (was: unknown, is: unknown) => was === is || (was instanceof Date && is instanceof Date && +was === +is)

type Decided = Pick<MealToWrite, 'kept' | 'decision'>

/** Keeps the terms that meals bring with them: whoever writes the meals then need not ask for them. */
export async function keepNewTerms(tx: Tx, meals: readonly Decided[]): Promise<void> {
  await termsOf(tx, meals)
}

/** Under which id the terms of each meal are kept: as before, where they are the same. */
async function termsOf(tx: Tx, meals: readonly Decided[]): Promise<string[]> {
  const changed = meals.filter(hasNewTerms)
  const ids = await keepTerms(
    tx,
    changed.map(({ decision }) => decision.reason.inputs),
  )
  const byMeal = new Map(changed.map((meal, index) => [meal, ids[index] as string]))
  return meals.map((meal) => byMeal.get(meal) ?? (meal.kept?.terms_id as string))
}

function hasNewTerms({ kept, decision }: Decided): boolean {
  const { program, merchant } = decision.reason.inputs
  return kept?.terms_id == null || kept.terms?.program !== program || kept.terms.merchant !== merchant
}

function decided({ decision: { benefit, unit, reason }, status }: MealToWrite) {
  const { program: _, merchant: __, ...inputs } = reason.inputs
  return { benefit, unit, award_status: status, reason: { ...reason, inputs } }
}

export interface BonusFacts {
  networkId: string
  publicId: string
  benefit: number
  unit: string
  reason: { code: string; description?: string }
}

/** Writes the bonus that belongs to a meal as an entry of its own, or what has become of it. */
export async function saveBonus(tx: Tx, meal: MealFacts, bonus: BonusFacts): Promise<void> {
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
      member_id: meal.member_id,
      card_id: meal.card_id,
      merchant_id: meal.merchant_id,
      merchant_name: meal.merchant_name,
      network_location_id: meal.network_location_id,
      card_last_four: meal.card_last_four,
      type_code: 'B',
      stage: 'cleared',
      unit: bonus.unit,
      dined_at: meal.dined_at,
      cleared_at: meal.cleared_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['partner_id', 'network_id']).doUpdateSet({ ...state, updated_at: sql<Date>`now()` }),
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

/** An entry made by hand; false when it is there already. */
export async function insertManual(tx: Tx, entry: ManualEntry): Promise<boolean> {
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
      dine_cents: entry.cents,
      benefit: entry.benefit,
      unit: entry.unit,
      reason: JSON.stringify(entry.reason),
      dined_at: entry.dinedAt,
      cleared_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.columns(['partner_id', 'network_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
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
