import { listBonusReservations } from '../../dining/reservations/service.ts'
import { type Merge, mergeVip } from '../../identity/members/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { type ActivatedBonus, deleteUnearned, listActivatedBonuses, moveBonus } from '../bonuses/service.ts'
import { publishActivity } from '../ledger/announce-activity.ts'
import { postMerge } from '../ledger/entries.ts'
import { moveCredits } from '../payouts/store.ts'
import { applyDecisions } from './apply.ts'
import { listClaimCredits, settleClaimCredits } from './claim-credits.ts'
import { redecideTransaction } from './decide.ts'
import { applyBalanceEffects } from './effects.ts'
import { reverseBonus } from './reconcile-bonuses.ts'
import { reconcileReservationBonuses } from './reservation-bonus.ts'
import { listTransactionsById, moveTransactions } from './store.ts'

/**
 * Joins what two accounts of one person have earned: the balance, transactions, statement credits and bonuses of the merged
 * one are those of the kept one. Then the rules decide what they decide for one person: limits of a month, one bonus
 * instead of two, one reward for a meal, VIP. The differences are posted as corrections. The caller holds the locks of
 * both members, and has moved cards, claims and reservations.
 */
export async function mergeHistories(tx: Tx, ctx: Ctx, merge: Merge, mergeId: string): Promise<void> {
  const { to } = merge
  await postMerge(tx, merge, mergeId)
  await moveCredits(tx, merge)
  const shared = await moveTransactions(tx, merge)
  await mergeBonuses(tx, merge)
  await mergeVip(tx, merge)
  await reconcileReservationBonuses(tx, ctx, await listBonusReservations(tx, [to]))
  await settleClaimCredits(tx, await listClaimCredits(tx, [to]))
  const transactions = await listTransactionsById(tx, shared)
  await applyDecisions(
    tx,
    ctx,
    transactions.flatMap((transaction) => redecideTransaction(transaction, {}) ?? []),
  )
  await applyBalanceEffects(tx, ctx, new Map([[to, null]]))
  await publishActivity(tx, ctx.partnerId, [merge.from, to])
}

/** Bonuses of new members are one bonus, whatever they are called. */
const groupOf = ({ terms, code }: ActivatedBonus): string => (terms.newMembers ? 'newMembers' : `code ${code}`)

/**
 * Gives the bonuses of the merged account to the kept one. Of two that are the same, an earned one comes before one that
 * is not, and that of the kept account first: the other one is taken back, and stays with the merged account.
 */
async function mergeBonuses(tx: Tx, { from, to }: Merge): Promise<void> {
  const [own, kept] = [await listActivatedBonuses(tx, from), await listActivatedBonuses(tx, to)]
  for (const bonus of own) {
    const same = kept.filter((each) => groupOf(each) === groupOf(bonus))
    const isEarned = bonus.qualifiedAt !== null
    if (isEarned && same.some(({ qualifiedAt }) => qualifiedAt !== null)) await reverseBonus(tx, bonus)
    else if (isEarned || same.length === 0) {
      for (const each of same) await deleteUnearned(tx, each.id)
      await moveBonus(tx, bonus.id, to)
    }
  }
}
