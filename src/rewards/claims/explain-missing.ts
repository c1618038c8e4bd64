import { hasWords } from '../../dining/merchants/service.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { formatCents } from '../../platform/money.ts'
import { addDays, DAY, localMoment } from '../../platform/time.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { evaluateMissing } from '../activity/evaluate-missing.ts'
import { isSameWithinTip } from '../awards/meal-match.ts'
import { readTransaction } from '../awards/read-transaction.ts'
import type { Explanation, Sentence } from './contract.ts'
import { isOverdue, postsWithinDays } from './rules.ts'
import * as store from './store.ts'

export interface ClaimedTransaction {
  memberId: number
  date: string
  merchantName: string
  merchantId?: string | undefined
  cents: number
  cardId?: string | undefined
  /** It is none of those in the history. */
  isAnother?: boolean | undefined
}

const finding = (key: string, params: Record<string, string> = {}): Sentence => ({ key: `claims.${key}`, params })
const dayText = (day: Date, timeZone = 'UTC') => day.toLocaleDateString('en-US', { timeZone, dateStyle: 'medium' })

/** Returns why a transaction is not rewarded: it is, it cannot be, it may still come, or the reason is unknown. */
export async function explainTransaction(ctx: Ctx, claimed: ClaimedTransaction): Promise<Explanation> {
  const named = await store.findMerchant(ctx.db, claimed)
  const merchant = named === 'several' ? undefined : named
  const recorded = claimed.isAnother ? null : await findRecorded(ctx, claimed, merchant?.publicId)
  if (recorded) return { outcome: 'found', ...recorded }
  const cards = await store.listCardLinks(ctx.db, claimed.memberId)
  const chosen = claimed.cardId === undefined ? cards : cards.filter(({ publicId }) => publicId === claimed.cardId)
  const linkedCard = chosen.find((card) => wasLinked(card, claimed.date))
  if (!linkedCard) return { outcome: 'explained', findings: [explainCard(chosen, claimed.date, merchant?.timeZone)] }
  const findings: Sentence[] = []
  if (merchant) {
    const { benefit, reason, mostOfDay } = await evaluateMissing(ctx, {
      memberId: claimed.memberId,
      merchantId: merchant.publicId,
      date: claimed.date,
      cents: claimed.cents,
      cardLinkedAt: linkedCard.linkedAt,
    })
    const why = { key: reason.key, params: reason.params }
    if (mostOfDay === 0) return { outcome: 'explained', findings: [why] }
    const earned = benefit || mostOfDay
    const params = { benefit: formatReward(ctx.program.config, earned), smallestUnits: String(earned) }
    if (benefit > 0) findings.push(finding('would_earn', params))
    else findings.push(why, finding('would_earn_in_time', params))
  } else findings.push(finding(named === 'several' ? 'several_places' : 'unknown_place'))
  if (!isOverdue(claimed.date, ctx.now())) {
    const until = dayText(new Date(addDays(claimed.date, postsWithinDays)))
    return { outcome: 'wait', findings: [...findings, finding('wait', { until })] }
  }
  if (ctx.program.config.statusCopy === 'fuel') findings.push(finding('may_be_pin'))
  if (merchant) findings.push(finding('may_be_processor'))
  return { outcome: 'unexplained', findings }
}

/**
 * Finds the transaction in the statement: on those days, at this place, for about this amount (the tip may differ). Of
 * several, the one whose amount differs least, then the one nearest to the day. A transaction whose restaurant was not
 * recognized has only the name that the network sent.
 */
async function findRecorded(
  ctx: Ctx,
  claimed: ClaimedTransaction,
  slug: string | undefined,
): Promise<Pick<Explanation, 'findings' | 'transactionId' | 'period'> | null> {
  const transactions = await store.listTransactionsAround(ctx.db, claimed.memberId, claimed.date)
  const isSameMerchant = ({ merchantSlug, merchantName }: store.RecordedTransaction) =>
    slug !== undefined && merchantSlug !== null ? merchantSlug === slug : hasWords(merchantName, claimed.merchantName)
  const differenceOf = ({ cents, dinedAt }: store.RecordedTransaction) => ({
    cents: Math.abs(cents - claimed.cents),
    days: Math.abs(dinedAt.getTime() - Date.parse(`${claimed.date}T12:00:00Z`)) / DAY,
  })
  const [transaction] = transactions
    .filter((each) => isSameMerchant(each) && isSameWithinTip(each.cents, claimed.cents))
    .toSorted((a, b) => {
      const [left, right] = [differenceOf(a), differenceOf(b)]
      return left.cents - right.cents || left.days - right.days
    })
  const listed = transaction && (await readTransaction(ctx, claimed.memberId, transaction.publicId))
  if (!transaction || !listed) return null
  const amount = formatCents(transaction.cents)
  const findings = [
    finding('found', {
      date: dayText(transaction.dinedAt, transaction.timeZone),
      amount,
      merchant: transaction.merchantName,
    }),
    { key: listed.reason.key, params: listed.reason.params },
  ]
  const period = localMoment(transaction.dinedAt, transaction.timeZone).date.slice(0, 7)
  return { findings, transactionId: transaction.publicId, period }
}

/** Returns whether a card was linked at any hour of that day, local or UTC. */
export function wasLinked({ linkedAt, removedAt }: store.CardLinkPeriod, date: string): boolean {
  const [from, to] = [Date.parse(date), Date.parse(date) + 2 * DAY]
  return linkedAt.getTime() < to && (removedAt === null || removedAt.getTime() > from)
}

/** Returns why no card was linked on a day. Its dates are those of `timeZone`, where the restaurant is known. */
export function explainCard(cards: readonly store.CardLinkPeriod[], date: string, timeZone = 'UTC'): Sentence {
  const day = Date.parse(date)
  const later = cards.findLast(({ linkedAt }) => linkedAt.getTime() > day)
  if (later) return finding('card_later', { lastFour: later.lastFour, date: dayText(later.linkedAt, timeZone) })
  const removed = cards.find(({ removedAt }) => removedAt !== null)
  if (removed?.removedAt)
    return finding('card_gone', { lastFour: removed.lastFour, date: dayText(removed.removedAt, timeZone) })
  return finding('no_card')
}
