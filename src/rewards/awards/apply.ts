import { listReservationsAt } from '../../dining/reservations/service.ts'
import { lockMember } from '../../identity/members/service.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { AwardInput } from '../earning/terms.ts'
import { publishActivity } from '../ledger/announce-activity.ts'
import { findCardOfOverlap, findOverlappingCards, settleOverlaps } from './counted-elsewhere.ts'
import { decideAwards, decideTransaction, redecideTransaction, type TransactionDecision } from './decide.ts'
import { applyAwardEffects, applyBalanceEffects } from './effects.ts'
import { type FeedTransaction, matchTransactions } from './match.ts'
import type { MatchContext } from './match-context.ts'
import { persistAwards, storeNewTerms } from './persist.ts'
import { maxDistanceMs, reconcileReservationBonuses } from './reservation-bonus.ts'
import type { TransactionRow } from './store.ts'

/**
 * Decides transactions with those that share their months, writes what changed, and applies all effects: the ledger,
 * bonuses, statement credits, VIP, notifications. The caller holds the locks of the members.
 */
export async function applyDecisions(tx: Tx, ctx: Ctx, decisions: readonly TransactionDecision[]): Promise<void> {
  if (decisions.length === 0) return
  // The terms are stored meanwhile, so that writing the transactions needs no query for them.
  const [decided] = await Promise.all([decideAwards(tx, decisions), storeNewTerms(tx, decisions)])
  await applyDecided(tx, ctx, decided)
}

/** Writes decided transactions, and applies all effects. The caller holds the locks of the members. */
export async function applyDecided(tx: Tx, ctx: Ctx, decided: readonly TransactionDecision[]): Promise<void> {
  const cards = new Set(decided.flatMap(({ fields }) => fields.card_id ?? []))
  const [written, overlapping] = await Promise.all([
    persistAwards(tx, ctx, decided),
    findOverlappingCards(tx, [...cards]),
  ])
  const settled = overlapping.length === 0 ? written : await settleOverlaps(tx, ctx, overlapping, written)
  await applyAwardEffects(tx, ctx, settled)
  await applyEffectsOfLeaving(tx, ctx, settled)
}

/** Applies the effects on members whose transactions turned out to be those of another member, or of none. */
async function applyEffectsOfLeaving(tx: Tx, ctx: Ctx, settled: readonly TransactionDecision[]): Promise<void> {
  const left = settled.flatMap(({ existing, fields }) =>
    existing?.member_id && existing.member_id !== fields.member_id ? [existing] : [],
  )
  if (left.length === 0) return
  const cards = new Map(left.map(({ member_id, card_id }) => [member_id as number, card_id]))
  await applyBalanceEffects(tx, ctx, cards, new Set(cards.keys()))
  await publishActivity(tx, ctx.partnerId, [...cards.keys()])
}

/**
 * Settles the meals of a card that another program has again, after that program has told what counts there. `overlapId`
 * is the undone move. Any number of processes may do so at once.
 */
export async function recheckOverlap(ctx: Ctx, overlapId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const found = await findCardOfOverlap(tx, overlapId)
    if (!found) return
    await lockMember(tx, found.memberId)
    await applyAwardEffects(tx, ctx, await settleOverlaps(tx, ctx, [found.cardId], []))
  })
}

/**
 * Stores transactions with their awards and all effects. Returns the network ids in messages about those with a known
 * card and restaurant.
 */
export async function storeTransactions(
  tx: Tx,
  ctx: Ctx,
  transactions: readonly FeedTransaction[],
  context: MatchContext,
): Promise<Set<string>> {
  const matched = await matchTransactions(tx, ctx, transactions, context)
  await applyDecisions(tx, ctx, matched.transactions.map(decideTransaction))
  return matched.networkIds
}

/**
 * Computes the award of a stored transaction again after a change, with all its effects. Manual entries stay as the
 * operator decided. The caller holds the member's lock and has read the transaction under it.
 */
export async function recomputeAward(
  tx: Tx,
  ctx: Ctx,
  transaction: TransactionRow,
  change: Partial<AwardInput>,
): Promise<void> {
  const decision = redecideTransaction(transaction, change)
  if (decision) await applyDecisions(tx, ctx, [decision])
}

export interface ChangedReservation {
  memberId: number
  merchantId: number
  /** Its public id. */
  publicId: string
  /** Its previous and current local dates. */
  dates: readonly string[]
}

/**
 * Settles the bonuses that depend on a reservation which was confirmed, changed or canceled in this transaction, with
 * all effects of changed balances. The caller holds the member's lock.
 */
export async function reconcileReservationBonus(tx: Tx, ctx: Ctx, changed: ChangedReservation): Promise<void> {
  const all = await listReservationsAt(tx, changed)
  const near = (date: string) =>
    changed.dates.some((each) => Math.abs(Date.parse(each) - Date.parse(date)) < maxDistanceMs)
  const affected = all.filter(({ publicId, localDate }) => publicId === changed.publicId || near(localDate))
  const cardsByMember = await reconcileReservationBonuses(tx, ctx, affected)
  if (cardsByMember.size === 0) return
  await applyBalanceEffects(tx, ctx, cardsByMember)
  await publishActivity(tx, ctx.partnerId, [...cardsByMember.keys()])
}
