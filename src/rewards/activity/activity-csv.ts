import { csvLine } from '../../platform/csv.ts'
import { fill } from '../../platform/fill.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { clockOf, localMoment } from '../../platform/time.ts'
import type { RewardTransaction } from '../earning/contract.ts'
import { bonusNameKey, statusText } from '../earning/explain.ts'
import { unitOf } from '../earning/terms.ts'
import type { StatementCredit } from '../payouts/contract.ts'
import type { ActivityFilter } from './names.ts'
import { readActivity } from './read-activity.ts'

const columns = ['date', 'time', 'what', 'details', 'amount', 'refunded', 'card', 'reward', 'unit', 'status']

/** Returns a member's activity as CSV, with the texts and the filter of the activity page. */
export async function activityCsv(ctx: Ctx, memberId: number, filter: ActivityFilter): Promise<string> {
  const entries = await readActivity(ctx, memberId, filter)
  const lines = entries.map((entry) => (entry.kind === 'credit' ? creditCells(ctx, entry) : mealCells(ctx, entry)))
  return [columns.map((name) => ctx.word(`activity.csv_${name}`)), ...lines].map(csvLine).join('')
}

function mealCells(ctx: Ctx, meal: RewardTransaction): (string | number)[] {
  const { config } = ctx.program
  const isBonus = meal.transactionTypeCode === 'B'
  const local = meal.timeZone === null ? null : localMoment(new Date(meal.transactionCreatedAt), meal.timeZone)
  const said = statusText(config, meal, ctx.now())
  // The page may show no text for a successful row; a cell always names the status.
  const status = ctx.word(said.key) || ctx.word(`rewards.status.${meal.status}`)
  return [
    local?.date ?? meal.date,
    local ? clockOf(local.minutes) : '',
    meal.merchantName,
    isBonus ? fill(ctx.word(bonusNameKey(meal.reason.code)), meal.reason.params) : '',
    isBonus ? '' : meal.dineAmount,
    isBonus ? '' : meal.refundedAmount,
    isBonus ? '' : meal.cardLastFour,
    meal.benefitAmount,
    rewardUnit(ctx),
    fill(status, said.params),
  ]
}

function creditCells(ctx: Ctx, credit: StatementCredit): (string | number)[] {
  const amount = credit.creditAmountCents / 100
  const status = ctx.word(`activity.credit_${credit.status}`)
  return [credit.date, '', ctx.word('activity.credit'), credit.targetLabel, '', '', '', amount, rewardUnit(ctx), status]
}

function rewardUnit(ctx: Ctx): string {
  const { currencyType, currencyName, rewardPer } = ctx.program.config
  if (unitOf(currencyType) !== 'cent') return currencyName
  const dollars = ctx.word('activity.csv_dollars')
  return rewardPer ? fill(ctx.word('activity.csv_dollars_per'), { thing: rewardPer }) : dollars
}
