import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../kit/server/db.ts'
import type { FeedMessages, Transactions } from '../kit/server/schema.ts'
import { DAY } from '../kit/time.ts'
import type { FeedEvent } from './feed/contract.ts'
import type { Decision, Reason } from './rules.ts'

export type MealRow = Selectable<Transactions>

/** Kept with the meal as JSON; entries made by hand carry another shape. */
export function reasonOf(row: Pick<MealRow, 'reason'>): Reason {
  return row.reason as unknown as Reason
}

// The wall answers for the partner; naming it lets the planner use the indexes that begin with it.
const ownPartner = sql<string>`current_partner()`

export async function knowsMessage(tx: Tx, messageId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('feed_messages')
    .select('id')
    .where('partner_id', '=', ownPartner)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return row !== undefined
}

export interface NewMessage {
  messageId: string
  networkId: string
  relatedId: string | null
  event: FeedEvent
  outcome: 'applied' | 'unmatched' | 'ignored'
}

export async function insertMessage(tx: Tx, message: NewMessage): Promise<void> {
  const row: Insertable<FeedMessages> = {
    message_id: message.messageId,
    event: message.event.event,
    network_id: message.networkId,
    related_id: message.relatedId,
    body: JSON.stringify(message.event),
    outcome: message.outcome,
  }
  await tx.insertInto('feed_messages').values(row).execute()
}

/** Every kept message that tells of one of these transactions, or of one that is named beside them. */
export async function relatedMessages(tx: Db | Tx, networkIds: readonly string[]): Promise<FeedEvent[]> {
  const ids = new Set(networkIds)
  for (;;) {
    const any = sql<string>`any(${[...ids]})`
    const rows = await tx
      .selectFrom('feed_messages')
      .select(['network_id', 'related_id', 'body'])
      .where('partner_id', '=', ownPartner)
      .where((where) => where.or([where('network_id', '=', any), where('related_id', '=', any)]))
      .where('outcome', '<>', 'ignored')
      .execute()
    const known = ids.size
    for (const row of rows) for (const id of [row.network_id, row.related_id]) if (id !== null) ids.add(id)
    if (ids.size === known) return rows.map((row) => row.body as unknown as FeedEvent)
  }
}

export async function findMeal(tx: Db | Tx, networkId: string): Promise<MealRow | undefined> {
  return tx
    .selectFrom('transactions')
    .selectAll()
    .where('partner_id', '=', ownPartner)
    .where('network_id', '=', networkId)
    .executeTakeFirst()
}

export type MealFacts = Omit<
  Insertable<Transactions>,
  'id' | 'partner_id' | 'award_status' | 'benefit' | 'unit' | 'reason' | 'updated_at' | 'public_id'
>

export async function insertMeal(tx: Tx, publicId: string, facts: MealFacts, decision: Decision): Promise<void> {
  await tx
    .insertInto('transactions')
    .values({ ...facts, ...decided(decision), public_id: publicId })
    .execute()
}

export async function changeMeal(tx: Tx, id: number, facts: MealFacts, decision: Decision): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ ...facts, ...decided(decision), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Writes a decision that was made anew; `paid` when the money has gone out already. */
export async function changeDecision(tx: Tx, id: number, decision: Decision, paid: boolean): Promise<void> {
  const status = paid && decision.awardStatus === 'Awarded' ? 'Paid' : decision.awardStatus
  await tx
    .updateTable('transactions')
    .set({ ...decided(decision), award_status: status, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

function decided({ benefit, unit, awardStatus, reason }: Decision) {
  return { benefit, unit, award_status: awardStatus, reason: JSON.stringify(reason) }
}

export interface BonusFacts {
  networkId: string
  publicId: string
  benefit: number
  unit: string
  reason: { code: string; description?: string }
}

/** Writes the bonus that belongs to a meal as an entry of its own, or what has become of it. */
export async function saveBonus(tx: Tx, meal: MealRow, bonus: BonusFacts): Promise<void> {
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

/** A member's meals at a restaurant within a month of a day, in the order in which they were eaten. */
export async function mealsAround(
  tx: Tx,
  { memberId, merchantId, dinedAt }: { memberId: number; merchantId: number; dinedAt: Date },
): Promise<MealRow[]> {
  return tx
    .selectFrom('transactions')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('merchant_id', '=', merchantId)
    .where('type_code', '=', 'S')
    .where('dined_at', '>=', new Date(dinedAt.getTime() - 32 * DAY))
    .where('dined_at', '<=', new Date(dinedAt.getTime() + 32 * DAY))
    .orderBy('dined_at')
    .orderBy(sql`network_id collate "C"`)
    .execute()
}

/** How many meals of a member at a restaurant have earned in a local month before a moment. */
export async function earlierVisits(
  db: Db,
  at: { memberId: number; merchantId: number; month: string; timeZone: string; before: Date },
): Promise<number> {
  const row = await db
    .selectFrom('transactions')
    .select((select) => select.fn.countAll<number>().as('visits'))
    .where('member_id', '=', at.memberId)
    .where('merchant_id', '=', at.merchantId)
    .where('type_code', '=', 'S')
    .where('benefit', '>', 0)
    .where('dined_at', '<', at.before)
    .where(sql<string>`to_char(dined_at at time zone ${at.timeZone}, 'YYYY-MM')`, '=', at.month)
    .executeTakeFirstOrThrow()
  return row.visits
}

export async function hasLinkedCard(db: Db, memberId: number): Promise<boolean> {
  const card = await db
    .selectFrom('cards')
    .select('id')
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return card !== undefined
}

export async function mealByPublicId(tx: Db | Tx, publicId: string): Promise<MealRow | undefined> {
  return tx.selectFrom('transactions').selectAll().where('public_id', '=', publicId).executeTakeFirst()
}

export async function mealById(tx: Db | Tx, id: number): Promise<MealRow | undefined> {
  return tx.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Network ids of meals that wait for this card to be linked, or for this location to become a restaurant of ours. */
export async function waitingMeals(db: Db, waiting: { cardToken: string } | { locationId: string }): Promise<string[]> {
  const rows = await db
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

/** Tells every process, once this is committed, that something changed for a member. */
export async function announceActivity(tx: Tx, partner: string, member: number): Promise<void> {
  await sql`select pg_notify('member_activity', ${JSON.stringify({ partner, member })})`.execute(tx)
}
