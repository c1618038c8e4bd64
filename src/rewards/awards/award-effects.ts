import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { findBonusHolders } from '../bonuses/service.ts'
import { publishActivity } from '../ledger/announce-activity.ts'
import { payOutBalances } from '../payouts/statement-credits.ts'
import { notifyOfTransactions } from './notify-member.ts'
import { reconcileBonuses } from './reconcile-bonuses.ts'
import { updateVip } from './schedule-vip.ts'
import { isPosted, type TransactionDecision } from './transaction-decision.ts'

/**
 * Applies the effects of members' new awards: bonuses, statement credits, VIP, notifications. The caller holds the
 * locks of the members.
 */
export async function applyAwardEffects(tx: Tx, ctx: Ctx, changed: readonly TransactionDecision[]): Promise<void> {
  await Promise.all([
    applyBalanceEffects(tx, ctx, cardsByMember(changed.filter(isPosted)), loweredMembers(changed)),
    notifyOfTransactions(tx, ctx, changed),
    publishActivity(tx, ctx.partnerId, [...cardsByMember(changed).keys()]),
  ])
}

function cardsByMember(transactions: readonly TransactionDecision[]): Map<number, number | null> {
  return new Map(
    transactions.flatMap(({ fields }) => (fields.member_id === null ? [] : [[fields.member_id, fields.card_id]])),
  )
}

/** Returns the members of transactions that have lost rewards, or part of what was spent. */
function loweredMembers(changed: readonly TransactionDecision[]): Set<number> {
  const lowered = changed.filter(
    ({ existing, fields, award }) =>
      existing !== undefined && (award.benefit < existing.benefit || fields.refunded_cents > existing.refunded_cents),
  )
  return new Set(lowered.filter(isPosted).flatMap(({ fields }) => fields.member_id ?? []))
}

/** Applies the effects of changed balances, each with the card of the transaction that changed it. */
export async function applyBalanceEffects(
  tx: Tx,
  ctx: Ctx,
  cards: ReadonlyMap<number, number | null>,
  lowered: ReadonlySet<number> = new Set(),
): Promise<void> {
  const members = [...cards.keys()]
  if (members.length === 0) return
  await Promise.all([updateBalances(tx, ctx, cards), updateVip(tx, ctx, members, lowered)])
}

/** Settles bonuses first, because they are paid out too. */
async function updateBalances(tx: Tx, ctx: Ctx, cards: ReadonlyMap<number, number | null>): Promise<void> {
  for (const memberId of await findBonusHolders(tx, [...cards.keys()])) await reconcileBonuses(tx, ctx, memberId)
  await payOutBalances(tx, ctx, cards)
}
