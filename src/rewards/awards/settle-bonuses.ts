import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { completingMeal } from '../bonuses/rules.ts'
import { activatedBonuses, type RunningBonus, setQualified } from '../bonuses/service.ts'
import { ruleVersion } from '../earning/rules.ts'
import { unitOf } from '../earning/terms.ts'
import { bringTo, rewardLegs } from '../ledger/entries.ts'
import { bonusLegs } from '../settlement/shares.ts'
import { withTerms } from './meal-terms.ts'
import { findMeal, type MealRow, settlementOf } from './store.ts'
import { type MealFacts, saveBonus } from './write-meals.ts'

/**
 * Posts a member's activated bonuses once completed, and reverses them when a refund undoes a counted transaction. A
 * bonus is an entry of its own beside the transaction that completed it. The caller holds the member's lock.
 */
export async function settleBonuses(tx: Tx, ctx: Ctx, memberId: number): Promise<void> {
  const bonuses = await activatedBonuses(tx, memberId)
  if (bonuses.length === 0) return
  const since = new Date(Math.min(...bonuses.map(({ enrolledAt }) => enrolledAt.getTime())))
  const meals = await rewardedMeals(tx, memberId, since)
  const unit = unitOf(ctx.program.config.currencyType)
  for (const bonus of bonuses) {
    const at = completingMeal(bonus.terms, bonus.enrolledAt, meals.map(bonusMeal))
    const meal = at === null ? undefined : meals[at]
    const due = meal ? bonus.terms.amount : 0
    const reason = { code: 'bonus', rule: ruleVersion, bonus: bonus.publicId, description: bonus.terms.description }
    const legs = [...rewardLegs({ memberId, unit, amount: due }), ...bonusLegs(due, meal && settlementOf(meal))]
    const posted = await bringTo(tx, [{ sourceId: idOf(bonus), legs, reason, isNew: false }])
    if (posted.size === 0) continue
    const beside = meal ?? (await mealBeside(tx, bonus))
    await saveBonus(tx, beside, { networkId: idOf(bonus), publicId: bonus.publicId, benefit: due, unit, reason })
    await setQualified(tx, bonus.id, meal ? meal.dined_at : null)
  }
}

const idOf = ({ publicId }: RunningBonus) => `bonus:${publicId}`

/** Returns a member's rewarded transactions since a moment, in the shape that bonuses use. */
export async function bonusMeals(db: Db | Tx, memberId: number, since: Date) {
  return (await rewardedMeals(db, memberId, since)).map(bonusMeal)
}

type CountedMeal = MealRow & { timeZone: string; cardLinkedBefore: boolean }

const bonusMeal = (meal: CountedMeal) => ({
  dinedAt: meal.dined_at,
  timeZone: meal.timeZone,
  merchantId: meal.merchant_id as number,
  cents: meal.dine_cents - meal.refunded_cents,
  cardLinkedBefore: meal.cardLinkedBefore,
})

/**
 * Returns transactions that count: cleared or credited manually, rewarded, and of a known restaurant; the earliest
 * first.
 */
async function rewardedMeals(tx: Db | Tx, memberId: number, since: Date): Promise<CountedMeal[]> {
  const rows = await tx
    .selectFrom('transactions')
    .innerJoin('merchants', 'merchants.id', 'transactions.merchant_id')
    .leftJoin('cards', 'cards.id', 'transactions.card_id')
    .selectAll('transactions')
    .select([
      'merchants.time_zone as timeZone',
      sql<boolean>`coalesce(cards.linked_before, false)`.as('cardLinkedBefore'),
    ])
    .where('transactions.member_id', '=', memberId)
    .where('type_code', 'in', ['S', 'M'])
    .where('award_status', 'in', ['Awarded', 'Paid'])
    .where('benefit', '>', 0)
    .where('dined_at', '>=', since)
    .orderBy('dined_at')
    .orderBy(sql`network_id collate "C"`)
    .execute()
  return withTerms(tx, rows)
}

/** Returns the entry of a bonus: when reversed, it stays beside the same transaction. */
async function mealBeside(tx: Tx, bonus: RunningBonus): Promise<MealFacts> {
  const entry = await findMeal(tx, idOf(bonus))
  if (!entry) throw new Error(`the entry of a bonus that was given is not there: ${bonus.publicId}`)
  return entry
}
