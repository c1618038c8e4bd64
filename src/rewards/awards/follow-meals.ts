import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { bonusHolders } from '../bonuses/service.ts'
import { announceActivity } from '../ledger/announce-activity.ts'
import { payOutBalances } from '../payouts/statement-credits.ts'
import { noteVip } from './note-vip.ts'
import { isPosted, type OpenMeal } from './open-meal.ts'
import { settleBonuses } from './settle-bonuses.ts'
import { tellOfMeals } from './tell-member.ts'

/**
 * Applies the effects of members' new awards: bonuses, statement credits, VIP, notifications. The caller holds the
 * locks of the members.
 */
export async function followMeals(tx: Tx, ctx: Ctx, changed: readonly OpenMeal[]): Promise<void> {
  await Promise.all([
    followMembers(tx, ctx, cardsOf(changed.filter(isPosted)), loweredMembers(changed)),
    tellOfMeals(tx, ctx, changed),
    announceActivity(tx, ctx.partnerId, [...cardsOf(changed).keys()]),
  ])
}

function cardsOf(meals: readonly OpenMeal[]): Map<number, number | null> {
  return new Map(meals.flatMap(({ facts }) => (facts.member_id === null ? [] : [[facts.member_id, facts.card_id]])))
}

/** Returns the members of transactions that have lost rewards, or part of what was spent. */
function loweredMembers(changed: readonly OpenMeal[]): Set<number> {
  const lowered = changed.filter(
    ({ kept, facts, decision }) =>
      kept !== undefined && (decision.benefit < kept.benefit || facts.refunded_cents > kept.refunded_cents),
  )
  return new Set(lowered.filter(isPosted).flatMap(({ facts }) => facts.member_id ?? []))
}

/** Applies the effects of changed balances, each with the card of the transaction that changed it. */
export async function followMembers(
  tx: Tx,
  ctx: Ctx,
  cards: ReadonlyMap<number, number | null>,
  lowered: ReadonlySet<number> = new Set(),
): Promise<void> {
  const members = [...cards.keys()]
  if (members.length === 0) return
  await Promise.all([settleBalances(tx, ctx, cards), noteVip(tx, ctx, members, lowered)])
}

/** Settles bonuses first, because they are paid out too. */
async function settleBalances(tx: Tx, ctx: Ctx, cards: ReadonlyMap<number, number | null>): Promise<void> {
  for (const memberId of await bonusHolders(tx, [...cards.keys()])) await settleBonuses(tx, ctx, memberId)
  await payOutBalances(tx, ctx, cards)
}
