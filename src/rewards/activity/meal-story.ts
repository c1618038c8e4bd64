import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { formatCents } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import { DAY } from '../../platform/time.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { describeRate, formatReward } from '../../programs/partners/rates.ts'
import { matchingDays } from '../awards/end-waiting.ts'
import { type MealRow, mealByPublicId, reasonOf } from '../awards/store.ts'
import { dayText, reviewDays } from '../earning/explain.ts'
import { workedSum } from '../earning/rules.ts'
import type { Dinner } from '../earning/terms.ts'
import { type FeedFact, factsByMeal } from '../feed/fold.ts'
import { gather } from '../feed/gather.ts'
import { balanceOf } from '../ledger/entries.ts'
import type { MealStory } from './contract.ts'

/** Days within which restaurants send the final amount. */
const clearsWithinDays = 5

type Step = MealStory['steps'][number]

/** Returns the history of one of the signed-in member's transactions. Throws error code `mealNotFound`. */
export async function readStory(ctx: Ctx, publicId: string): Promise<MealStory> {
  const memberId = ctx.actor.memberId as number
  const meal = await mealByPublicId(ctx.db, publicId)
  if (!meal || meal.member_id !== memberId) throw new Refusal('mealNotFound')
  const { config } = ctx.program
  const steps = [
    ...(await feedSteps(ctx.db, meal)),
    ...(await ledgerSteps(ctx.db, config, meal)),
    ...(await outcomeSteps(ctx.db, meal)),
  ]
  // A bonus is not a transaction: it has steps, but no calculation.
  const inputs: Dinner | undefined = reasonOf(meal).inputs
  return {
    steps: steps.toSorted((a, b) => a.at.localeCompare(b.at)),
    sum: inputs ? sumOf(config, inputs) : [],
    next: await nextStep(ctx, meal),
  }
}

/** Returns one step for each change that the card network reported. */
async function feedSteps(db: Db, meal: MealRow): Promise<Step[]> {
  const { facts } = await gather(db, [meal.network_id], [])
  const mine = factsByMeal(facts).get(meal.network_id)
  if (!mine) return []
  const told = mine.told.toSorted((a, b) => a.updatedAt - b.updatedAt)
  const seen = (kind: FeedFact['event']) => withoutEchoes(told.filter(({ event }) => event === kind))
  const [auths, clearings] = [seen('auth'), seen('clearing')]
  const ticket = auths.at(-1)?.cents
  return [
    ...auths.map((fact) => step('seen', fact, { merchant: meal.merchant_name, lastFour: meal.card_last_four })),
    ...clearings.map((fact) =>
      ticket !== undefined && fact.cents > ticket
        ? step('charged_more', fact, { more: formatCents(fact.cents - ticket) })
        : step('charged', fact),
    ),
    ...mine.refunds.map((fact) => step('refunded', fact)),
  ]
}

const withoutEchoes = (facts: readonly FeedFact[]) =>
  facts.filter((fact, index) => index === 0 || facts[index - 1]?.cents !== fact.cents)

function step(kind: string, { cents, updatedAt }: FeedFact, params: Record<string, string> = {}): Step {
  const amount = formatCents(Math.abs(cents))
  return { at: new Date(updatedAt).toISOString(), key: `rewards.story.${kind}`, params: { amount, ...params } }
}

interface Posting {
  at: Date
  amount: number
}

/** Returns one step for each journal entry of the transaction. */
async function ledgerSteps(db: Db, config: PublicConfig, meal: MealRow): Promise<Step[]> {
  const { rows } = await sql<Posting>`
    select j.posted_at as at, p.amount from journals j join postings p on p.journal_id = j.id
    where j.partner_id = current_partner() and j.source = 'transaction' and j.source_id = ${meal.network_id}
      and p.member_id = ${meal.member_id}
    order by j.version`.execute(db)
  return rows.map(({ at, amount }, index) => {
    const benefit = formatReward(config, Math.abs(amount))
    const kind = index === 0 ? 'posted' : amount > 0 ? 'added' : 'taken_back'
    return { at: at.toISOString(), key: `rewards.story.${kind}`, params: { benefit } }
  })
}

/** Returns its review, and the statement credit that covers it. */
async function outcomeSteps(db: Db, meal: MealRow): Promise<Step[]> {
  const { rows } = await sql<{ kind: 'reviewed' | 'sent'; at: Date; label: string }>`
    select 'reviewed' as kind, completed_at as at, '' as label from reviews where transaction_id = ${meal.id}
    union all
    select 'sent', c.created_at, c.target_label from statement_credits c join journals j on j.id = c.journal_id
    where c.member_id = ${meal.member_id} and j.reason -> 'covered' @> to_jsonb(${meal.id}::bigint)`.execute(db)
  return rows.map(({ kind, at, label }) => ({
    at: at.toISOString(),
    key: `rewards.story.${kind}`,
    params: { target: label },
  }))
}

/** Returns the lines from bill to reward, from the inputs of the award. Lines that change nothing are left out. */
function sumOf(config: PublicConfig, inputs: Dinner): MealStory['sum'] {
  const sum = workedSum(inputs)
  if (!sum) return []
  const tier = inputs.member?.tier ?? 'OptedIn'
  const net = sum.billCents - sum.refundedCents - sum.leftOutCents
  const rate = describeRate(
    { ...config, earnRates: { ...config.earnRates, ...inputs.program.earnRates } },
    tier,
    100,
    inputs.flexRate ?? 0,
  )
  const line = (name: string, amount: string, params: Record<string, string> = {}) => ({
    key: `rewards.sum.${name}`,
    params,
    amount,
  })
  return [
    line('bill', formatCents(sum.billCents)),
    ...(sum.refundedCents > 0 ? [line('refunded', `−${formatCents(sum.refundedCents)}`)] : []),
    ...(sum.leftOutCents > 0 ? [line('left_out', `−${formatCents(sum.leftOutCents)}`)] : []),
    ...(sum.countedCents < net ? [line('counted', formatCents(sum.countedCents))] : []),
    ...(sum.steppedCents < sum.countedCents
      ? [line('steps', formatCents(sum.steppedCents), { step: formatCents(inputs.program.earnStepCents) })]
      : []),
    line('rate', rate),
    ...(sum.ratePercent !== 100 ? [line('offer', `${sum.ratePercent}%`)] : []),
    line('benefit', formatReward(config, sum.benefit)),
  ]
}

async function nextStep(ctx: Ctx, meal: MealRow): Promise<MealStory['next']> {
  const within = (days: number) => dayAfter(meal.dined_at, days)
  if (meal.award_status === 'Deferred') return nextDeferred(meal)
  if (meal.award_status === 'Pending') {
    return meal.stage === 'cleared'
      ? next('review', { by: within(reviewDays) })
      : next('clearing', { by: within(clearsWithinDays) })
  }
  const { currencyType, statementCreditFromCents: full } = ctx.program.config
  if (meal.award_status !== 'Awarded' || currencyType !== 'Credit' || full === undefined) return null
  const balance = await balanceOf(ctx.db, meal.member_id as number, 'cent')
  return next('credit', { left: formatCents(Math.max(0, full - balance)), full: formatCents(full) })
}

const next = (kind: string, params: Record<string, string>) => ({ key: `rewards.story.next_${kind}`, params })
const dayAfter = (since: Date, days: number) =>
  dayText(new Date(since.getTime() + days * DAY).toISOString().slice(0, 10))

/** Returns the step of a reward that is held back by the program, or not yet matched. */
function nextDeferred(meal: MealRow): MealStory['next'] {
  if (meal.unmatched !== null || meal.cleared_at === null) {
    return next('deferred', { by: dayAfter(meal.dined_at, matchingDays) })
  }
  const { deferDays = 0 } = reasonOf(meal).inputs.program
  return next('held', { by: dayAfter(meal.cleared_at, deferDays) })
}
