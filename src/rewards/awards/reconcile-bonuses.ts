import { sql } from 'kysely'
import { notifyAll } from '../../identity/notifications/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { findQualifyingIndexes } from '../bonuses/rules.ts'
import {
  type ActivatedBonus,
  type EarnedElsewhere,
  listActivatedBonuses,
  listEarnedElsewhere,
  periodOf,
  setQualified,
} from '../bonuses/service.ts'
import { lockAcrossAccounts } from '../debts/service.ts'
import { dinesWithoutReward, ruleVersion } from '../earning/rules.ts'
import { unitOf } from '../earning/terms.ts'
import { reconcilePostings, rewardPostings } from '../ledger/entries.ts'
import { bonusPostings } from '../settlement/shares.ts'
import { withTerms } from './award-terms.ts'
import { bonusNotification } from './bonus-notification.ts'
import { findBonusDines, saveBonus } from './extra-entries.ts'
import type { TransactionFields } from './store.ts'
import { findTransaction, settlementTermsOf, type TransactionRow } from './store.ts'

/**
 * Posts a member's activated bonuses once completed, and reverses them when a refund undoes a counted transaction. A
 * bonus is an entry of its own beside the transaction that completed it. The caller holds the member's lock.
 */
export async function reconcileBonuses(tx: Tx, ctx: Ctx, memberId: number): Promise<void> {
  const bonuses = await listActivatedBonuses(tx, memberId)
  if (bonuses.length === 0) return
  const since = new Date(Math.min(...bonuses.map(({ enrolledAt }) => enrolledAt.getTime())))
  const transactions = await listDines(tx, memberId, since)
  const stored = await findBonusDines(tx, bonuses.filter(({ qualifiedAt }) => qualifiedAt).map(idOf))
  const unit = unitOf(ctx.program.config.currencyType)
  for (const bonus of bonuses) {
    const before = stored.get(idOf(bonus)) ?? null
    const counted = await findCounted(tx, ctx, { memberId, bonus, before, transactions })
    const transaction = counted.at(-1)
    const amountDue = transaction ? bonus.terms.amount : 0
    const reason = { code: 'bonus', rule: ruleVersion, bonus: bonus.publicId, description: bonus.terms.description }
    const postings = [
      ...rewardPostings({ memberId, unit, amount: amountDue }),
      ...bonusPostings(amountDue, transaction && settlementTermsOf(transaction)),
    ]
    const posted = await reconcilePostings(tx, [{ sourceId: idOf(bonus), postings, reason, isNew: false }])
    const dines = counted.map(({ network_id }) => network_id)
    // A refund of one transaction can leave a bonus that a later one completes: nothing is posted, but it moves there.
    const isMoved = transaction && transaction.occurred_at.getTime() !== bonus.qualifiedAt?.getTime()
    const isCountedAnew = before !== null && before.join() !== dines.join()
    if (posted.size === 0 && !isMoved && !isCountedAnew) continue
    const anchor = transaction ?? (await findBonusAnchor(tx, bonus))
    const entry = { networkId: idOf(bonus), publicId: bonus.publicId, benefit: amountDue, unit }
    await saveBonus(tx, anchor, { ...entry, reason: { ...reason, ...(transaction && { dines }) } })
    await setQualified(tx, bonus.id, transaction ? transaction.occurred_at : null)
    if (posted.size > 0 && amountDue > 0) {
      const named = { bonus: bonus.terms.description }
      await notifyAll(tx, [bonusNotification(ctx, { memberId, sourceId: idOf(bonus), amount: amountDue, named })])
    }
  }
}

/**
 * Takes back a bonus of a merged account that the kept account has earned too: one person has it once. The caller holds
 * the locks of both members.
 */
export async function reverseBonus(tx: Tx, bonus: ActivatedBonus): Promise<void> {
  const entry = await findTransaction(tx, idOf(bonus))
  if (!entry) throw new Error(`the entry of a bonus that was given is not there: ${bonus.publicId}`)
  const reason = { code: 'bonus', rule: ruleVersion, bonus: bonus.publicId, description: bonus.terms.description }
  await reconcilePostings(tx, [{ sourceId: idOf(bonus), postings: [], reason, isNew: false }])
  await saveBonus(tx, entry, {
    networkId: idOf(bonus),
    publicId: bonus.publicId,
    benefit: 0,
    unit: entry.unit,
    reason,
  })
  await setQualified(tx, bonus.id, null)
}

interface Counting {
  memberId: number
  bonus: ActivatedBonus
  /** The network ids of the transactions that completed it; null when it is not completed, or they are not stored. */
  before: readonly string[] | null
  transactions: readonly CountedTransaction[]
}

/**
 * Returns the transactions that complete a bonus, the earliest first; empty while they do not. The account to which it
 * is posted first has it, and keeps it: what completed it still counts when another account has the bonus and the card.
 */
async function findCounted(
  tx: Tx,
  ctx: Ctx,
  { memberId, bonus, before, transactions }: Counting,
): Promise<CountedTransaction[]> {
  const period = periodOf(ctx.program.config, bonus)
  const find = (earnedElsewhere: EarnedElsewhere) => {
    const dines = transactions.map((each) => toBonusTransaction(each, stays(each) ? [] : earnedElsewhere(each.card_id)))
    const counted = findQualifyingIndexes(bonus.terms, period, dines).flatMap((index) => transactions[index] ?? [])
    return counted.length < bonus.terms.dines ? [] : counted
  }
  const stays = (each: CountedTransaction) => before?.includes(each.network_id) ?? hadCounted(each, bonus)
  const counted = find(() => [])
  if (counted.every(stays)) return counted
  // Of accounts that would get it at the same time, one does.
  await lockAcrossAccounts(tx, ctx)
  return find(await listEarnedElsewhere(tx, ctx, { memberId, cardIds: cardsOf(transactions) }))
}

/** Returns whether a transaction may have completed a bonus that was posted before these were stored. */
function hadCounted({ occurred_at: at, cardLinkedBefore }: CountedTransaction, { qualifiedAt }: ActivatedBonus) {
  if (!qualifiedAt) return false
  return at.getTime() === qualifiedAt.getTime() || (at < qualifiedAt && !cardLinkedBefore)
}

const cardsOf = (transactions: readonly CountedTransaction[]) => [
  ...new Set(transactions.flatMap(({ card_id }) => card_id ?? [])),
]

const idOf = ({ publicId }: ActivatedBonus) => `bonus:${publicId}`

/** Returns an open member's dines since a moment, in the shape that bonuses use. */
export async function listBonusTransactions(ctx: Ctx, memberId: number, since: Date) {
  const transactions = await listDines(ctx.db, memberId, since)
  const earnedElsewhere = await listEarnedElsewhere(ctx.db, ctx, { memberId, cardIds: cardsOf(transactions) })
  return transactions.map((each) => toBonusTransaction(each, earnedElsewhere(each.card_id)))
}

interface CountedTransaction extends TransactionRow {
  timeZone: string
  cardLinkedBefore: boolean
}

const toBonusTransaction = (transaction: CountedTransaction, earnedElsewhere: readonly string[]) => ({
  dinedAt: transaction.occurred_at,
  timeZone: transaction.timeZone,
  merchantId: transaction.merchant_id as number,
  cents: transaction.cleared_cents - transaction.refunded_cents,
  cardLinkedBefore: transaction.cardLinkedBefore,
  earnedElsewhere,
})

/**
 * Returns dines that count, as `isDine` defines them: cleared or credited manually, and of a known restaurant; the
 * earliest first.
 */
async function listDines(tx: Db | Tx, memberId: number, since: Date): Promise<CountedTransaction[]> {
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
    .where(({ and, eb, or }) =>
      or([
        and([eb('award_status', 'in', ['Awarded', 'Paid']), eb('benefit', '>', 0)]),
        and([
          eb('award_status', '=', 'Forfeit'),
          eb(sql<string>`transactions.reason ->> 'code'`, 'in', [...dinesWithoutReward]),
        ]),
      ]),
    )
    .where('occurred_at', '>=', since)
    .orderBy('occurred_at')
    .orderBy(sql`network_id collate "C"`)
    .execute()
  return withTerms(tx, rows)
}

/** Returns the entry of a bonus: when reversed, it stays beside the same transaction. */
async function findBonusAnchor(tx: Tx, bonus: ActivatedBonus): Promise<TransactionFields> {
  const entry = await findTransaction(tx, idOf(bonus))
  if (!entry) throw new Error(`the entry of a bonus that was given is not there: ${bonus.publicId}`)
  return entry
}
