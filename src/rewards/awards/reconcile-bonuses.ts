import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { findCompletingIndex } from '../bonuses/rules.ts'
import {
  type ActivatedBonus,
  listActivatedBonuses,
  listEarnedWithCards,
  periodOf,
  setQualified,
} from '../bonuses/service.ts'
import { dinesWithoutReward, ruleVersion } from '../earning/rules.ts'
import { unitOf } from '../earning/terms.ts'
import { reconcilePostings, rewardPostings } from '../ledger/entries.ts'
import { bonusPostings } from '../settlement/shares.ts'
import { withTerms } from './award-terms.ts'
import { saveBonus } from './extra-entries.ts'
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
  const transactions = await listDines(tx, ctx, memberId, since)
  const { config } = ctx.program
  const unit = unitOf(config.currencyType)
  for (const bonus of bonuses) {
    const at = findCompletingIndex(bonus.terms, periodOf(config, bonus), transactions.map(toBonusTransaction))
    const transaction = at === null ? undefined : transactions[at]
    const amountDue = transaction ? bonus.terms.amount : 0
    const reason = { code: 'bonus', rule: ruleVersion, bonus: bonus.publicId, description: bonus.terms.description }
    const postings = [
      ...rewardPostings({ memberId, unit, amount: amountDue }),
      ...bonusPostings(amountDue, transaction && settlementTermsOf(transaction)),
    ]
    const posted = await reconcilePostings(tx, [{ sourceId: idOf(bonus), postings, reason, isNew: false }])
    // A refund of one transaction can leave a bonus that a later one completes: nothing is posted, but it moves there.
    const isMoved = transaction && transaction.occurred_at.getTime() !== bonus.qualifiedAt?.getTime()
    if (posted.size === 0 && !isMoved) continue
    const anchor = transaction ?? (await findBonusAnchor(tx, bonus))
    await saveBonus(tx, anchor, { networkId: idOf(bonus), publicId: bonus.publicId, benefit: amountDue, unit, reason })
    await setQualified(tx, bonus.id, transaction ? transaction.occurred_at : null)
  }
}

const idOf = ({ publicId }: ActivatedBonus) => `bonus:${publicId}`

/** Returns a member's dines since a moment, in the shape that bonuses use. */
export async function listBonusTransactions(ctx: Ctx, memberId: number, since: Date) {
  return (await listDines(ctx.db, ctx, memberId, since)).map(toBonusTransaction)
}

interface CountedTransaction extends TransactionRow {
  timeZone: string
  cardLinkedBefore: boolean
  earnedBefore: readonly string[]
}

const toBonusTransaction = (transaction: CountedTransaction) => ({
  dinedAt: transaction.occurred_at,
  timeZone: transaction.timeZone,
  merchantId: transaction.merchant_id as number,
  cents: transaction.cleared_cents - transaction.refunded_cents,
  cardLinkedBefore: transaction.cardLinkedBefore,
  earnedBefore: transaction.earnedBefore,
})

/**
 * Returns dines that count, as `isDine` defines them: cleared or credited manually, and of a known restaurant; the
 * earliest first.
 */
async function listDines(tx: Db | Tx, ctx: Ctx, memberId: number, since: Date): Promise<CountedTransaction[]> {
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
  const shared = rows.flatMap(({ card_id: id, cardLinkedBefore }) => (id !== null && cardLinkedBefore ? [id] : []))
  const earned = await listEarnedWithCards(tx, ctx, { memberId, cardIds: [...new Set(shared)] })
  const counted = rows.map((row) => ({
    ...row,
    earnedBefore: (earned.get(row.card_id ?? 0) ?? [])
      .filter(({ qualifiedAt }) => qualifiedAt < row.occurred_at)
      .map(({ code }) => code),
  }))
  return withTerms(tx, counted)
}

/** Returns the entry of a bonus: when reversed, it stays beside the same transaction. */
async function findBonusAnchor(tx: Tx, bonus: ActivatedBonus): Promise<TransactionFields> {
  const entry = await findTransaction(tx, idOf(bonus))
  if (!entry) throw new Error(`the entry of a bonus that was given is not there: ${bonus.publicId}`)
  return entry
}
