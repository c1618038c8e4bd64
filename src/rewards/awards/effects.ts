import { type NewNotification, notifyAll } from '../../identity/notifications/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { formatCents } from '../../platform/money.ts'
import { DAY, dayIn } from '../../platform/time.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { findBonusHolders } from '../bonuses/service.ts'
import { findCurrentHolders, findDebtors, settleDebts } from '../debts/service.ts'
import { dayText } from '../earning/explain.ts'
import { publishActivity } from '../ledger/announce-activity.ts'
import { payOutBalances } from '../payouts/statement-credits.ts'
import { affectsBalance, isPostedStatus, statusToStore, type TransactionDecision } from './decide.ts'
import { reconcileBonuses } from './reconcile-bonuses.ts'
import { updateVip } from './schedule-vip.ts'
import type { TransactionFields, TransactionRow } from './store.ts'

/**
 * Applies the effects of members' new awards: bonuses, statement credits, VIP, notifications. The caller holds the
 * locks of the members.
 */
export async function applyAwardEffects(tx: Tx, ctx: Ctx, changed: readonly TransactionDecision[]): Promise<void> {
  await Promise.all([
    applyBalanceEffects(tx, ctx, cardsByMember(changed.filter(affectsBalance)), loweredMembers(changed)),
    notifyOfTransactions(tx, ctx, changed),
    publishActivity(tx, ctx.partnerId, [...cardsByMember(changed).keys()]),
  ])
}

function cardsByMember(transactions: readonly TransactionDecision[]): Map<number, number | null> {
  return new Map(
    transactions.flatMap(({ fields }) => (fields.member_id === null ? [] : [[fields.member_id, fields.card_id]])),
  )
}

/** Returns the members of posted transactions that count less than before, or elsewhere, toward a year. */
function loweredMembers(changed: readonly TransactionDecision[]): Set<number> {
  return new Set(
    changed.flatMap((transaction) => {
      const { existing, fields } = transaction
      const counted = existing !== undefined && isPostedStatus(existing.award_status)
      return counted && isLowered(transaction, existing) ? (fields.member_id ?? []) : []
    }),
  )
}

/** Returns whether a transaction has lost rewards or part of what was spent, or its day or restaurant has changed. */
function isLowered({ fields, award }: TransactionDecision, existing: TransactionRow): boolean {
  return (
    award.benefit < existing.benefit ||
    spentOf(fields) < spentOf(existing) ||
    fields.merchant_id !== existing.merchant_id ||
    fields.occurred_at.getTime() !== existing.occurred_at.getTime()
  )
}

const spentOf = ({ cleared_cents, refunded_cents }: TransactionFields) => cleared_cents - refunded_cents

/** Applies the effects of changed balances, each with the card of the transaction that changed it. */
export async function applyBalanceEffects(
  tx: Tx,
  ctx: Ctx,
  cards: ReadonlyMap<number, number | null>,
  lowered: ReadonlySet<number> = new Set(),
): Promise<void> {
  const members = [...cards.keys()]
  if (members.length === 0) return
  await Promise.all([updateBalances(tx, ctx, cards, lowered), updateVip(tx, ctx, members, lowered)])
}

/** Settles bonuses and debts first: bonuses are paid out too, and nothing is paid to those who owe. */
async function updateBalances(
  tx: Tx,
  ctx: Ctx,
  cards: ReadonlyMap<number, number | null>,
  lowered: ReadonlySet<number>,
): Promise<void> {
  for (const memberId of await findBonusHolders(tx, [...cards.keys()])) await reconcileBonuses(tx, ctx, memberId)
  const concerned = [
    ...(await findDebtors(tx, [...cards.keys()])),
    ...(lowered.size === 0 ? [] : await findCurrentHolders(tx, [...lowered])),
  ]
  const changed = concerned.length === 0 ? [] : [...(await settleDebts(tx, ctx, concerned)).changed]
  if (changed.length > 0) await publishActivity(tx, ctx.partnerId, changed)
  await payOutBalances(tx, ctx, new Map([...changed.map((memberId) => [memberId, null] as const), ...cards]))
}

const path = '/account/recent_activity'

/** Notifies members of new authorizations and of posted rewards. */
async function notifyOfTransactions(tx: Tx, ctx: Ctx, changed: readonly TransactionDecision[]): Promise<void> {
  await notifyAll(
    tx,
    changed.flatMap((transaction) => notificationsFor(ctx, transaction)),
  )
}

function notificationsFor(ctx: Ctx, transaction: TransactionDecision): NewNotification[] {
  const { existing, fields, award } = transaction
  const { member_id: memberId, merchant_name: merchant } = fields
  if (memberId === null || award.benefit === 0) return []
  const benefit = formatReward(ctx.program.config, award.benefit)
  const about = fields.network_id
  // Late messages are no news: an old transaction whose card was linked today was not seen today.
  if (!existing && fields.stage === 'authorized' && ctx.now().getTime() - fields.occurred_at.getTime() < DAY) {
    const params = { merchant, benefit, amount: formatCents(fields.ticket_cents), lastFour: fields.card_last_four }
    return [{ memberId, topic: 'mealSeen', about, params, path }]
  }
  const isNewlyPosted =
    isPostedStatus(statusToStore(transaction)) && !(existing && isPostedStatus(existing.award_status))
  if (!isNewlyPosted) return []
  const day = dayText(dayIn(fields.occurred_at, award.reason.inputs?.merchant?.timeZone ?? 'UTC'))
  return [{ memberId, topic: 'rewardPosted', about, params: { merchant, benefit, day }, path }]
}
