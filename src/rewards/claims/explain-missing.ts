import type { Ctx } from '../../platform/http/context.ts'
import { formatCents } from '../../platform/money.ts'
import { DAY } from '../../platform/time.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { judgeMissing } from '../activity/judge-missing.ts'
import { readMeal } from '../awards/read-transaction.ts'
import type { Explanation, Sentence } from './contract.ts'
import { isOverdue, postsWithinDays } from './rules.ts'
import * as store from './store.ts'

export interface AskedMeal {
  memberId: number
  date: string
  merchantName: string
  merchantId?: string | undefined
  cents: number
  cardId?: string | undefined
}

const say = (key: string, params: Record<string, string> = {}): Sentence => ({ key: `claims.${key}`, params })
const dayText = (day: Date) => day.toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' })

/** Returns why a transaction is not rewarded: it is, it cannot be, it may still come, or the reason is unknown. */
export async function explainMeal(ctx: Ctx, asked: AskedMeal): Promise<Explanation> {
  const named = await store.findPlace(ctx.db, asked)
  const place = named === 'several' ? undefined : named
  const known = await findKnown(ctx, asked, place?.publicId)
  if (known) return { outcome: 'found', findings: known }
  const cards = await store.cardSpans(ctx.db, asked.memberId)
  const chosen = asked.cardId === undefined ? cards : cards.filter(({ publicId }) => publicId === asked.cardId)
  const inForce = chosen.find((card) => wasLinked(card, asked.date))
  if (!inForce) return { outcome: 'explained', findings: [noCard(chosen, asked.date)] }
  const findings: Sentence[] = []
  if (place) {
    const { benefit, reason } = await judgeMissing(ctx, {
      memberId: asked.memberId,
      merchantId: place.publicId,
      date: asked.date,
      cents: asked.cents,
      cardLinkedAt: inForce.linkedAt,
    })
    if (benefit === 0) return { outcome: 'explained', findings: [{ key: reason.key, params: reason.params }] }
    findings.push(say('would_earn', { benefit: formatReward(ctx.program.config, benefit) }))
  } else findings.push(say(named === 'several' ? 'several_places' : 'unknown_place'))
  if (!isOverdue(asked.date, ctx.now())) {
    const until = dayText(new Date(Date.parse(asked.date) + postsWithinDays * DAY))
    return { outcome: 'wait', findings: [...findings, say('wait', { until })] }
  }
  if (ctx.program.config.statusCopy === 'fuel') findings.push(say('may_be_pin'))
  if (place) findings.push(say('may_be_processor'))
  return { outcome: 'unexplained', findings }
}

/** Finds the transaction in the statement: on those days, at this place, for about this amount (the tip may differ). */
async function findKnown(ctx: Ctx, asked: AskedMeal, slug: string | undefined): Promise<Sentence[] | null> {
  const meals = await store.mealsAround(ctx.db, asked.memberId, asked.date)
  const isPlace = ({ merchantSlug, merchantName }: store.KnownMeal) =>
    slug !== undefined ? merchantSlug === slug : merchantName.toLowerCase() === asked.merchantName.toLowerCase()
  const isAmount = ({ cents }: store.KnownMeal) => cents >= asked.cents * 0.7 && cents <= asked.cents * 1.4
  const meal = meals.find((each) => isPlace(each) && isAmount(each))
  const listed = meal && (await readMeal(ctx, asked.memberId, meal.publicId))
  if (!meal || !listed) return null
  const amount = formatCents(meal.cents)
  return [
    say('found', { date: dayText(meal.dinedAt), amount, merchant: meal.merchantName }),
    { key: listed.reason.key, params: listed.reason.params },
  ]
}

/** Returns whether a card was linked at any hour of that day, local or UTC. */
function wasLinked({ linkedAt, removedAt }: store.CardSpan, date: string): boolean {
  const [from, to] = [Date.parse(date), Date.parse(date) + 2 * DAY]
  return linkedAt.getTime() < to && (removedAt === null || removedAt.getTime() > from)
}

function noCard(cards: readonly store.CardSpan[], date: string): Sentence {
  const day = Date.parse(date)
  const later = cards.findLast(({ linkedAt }) => linkedAt.getTime() > day)
  if (later) return say('card_later', { lastFour: later.lastFour, date: dayText(later.linkedAt) })
  const gone = cards.find(({ removedAt }) => removedAt !== null)
  if (gone?.removedAt) return say('card_gone', { lastFour: gone.lastFour, date: dayText(gone.removedAt) })
  return say('no_card')
}
