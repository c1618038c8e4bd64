import { toCsvFile } from '../../platform/csv.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { interpolate } from '../../platform/interpolate.ts'
import { localMoment, toClock } from '../../platform/time.ts'
import type { RewardTransaction } from '../earning/contract.ts'
import { bonusNameKey, shownBenefit, statusText } from '../earning/explain.ts'
import { unitOf } from '../earning/terms.ts'
import type { StatementCredit } from '../payouts/contract.ts'
import { creditStatusKey } from '../payouts/rules.ts'
import type { ActivityFilter } from './activity-filter.ts'
import type { Adjustment } from './contract.ts'
import { adjustmentKey } from './names.ts'
import { readActivity } from './read-activity.ts'

const columns = ['date', 'time', 'what', 'details', 'amount', 'refunded', 'card', 'reward', 'unit', 'status']

/** Returns a member's activity as CSV, with the texts and the filter of the activity page. */
export async function activityCsv(ctx: Ctx, memberId: number, filter: ActivityFilter): Promise<string> {
  const entries = await readActivity(ctx, memberId, filter)
  const lines = entries.map((entry) =>
    entry.kind === 'transaction'
      ? transactionCells(ctx, entry)
      : entry.kind === 'credit'
        ? creditCells(ctx, entry)
        : adjustmentCells(ctx, entry),
  )
  return toCsvFile([columns.map((name) => ctx.t(`activity.csv_${name}`)), ...lines])
}

function transactionCells(ctx: Ctx, transaction: RewardTransaction): (string | number)[] {
  const { config } = ctx.program
  const isBonus = transaction.transactionTypeCode === 'B'
  const local =
    transaction.timeZone === null ? null : localMoment(new Date(transaction.transactionCreatedAt), transaction.timeZone)
  const statusInfo = statusText(config, transaction, ctx.now())
  // The page may show no text for a successful row; a cell always names the status.
  const status = ctx.t(statusInfo.key) || ctx.t(`rewards.status.${transaction.status}`)
  return [
    transaction.date,
    local ? toClock(local.minutes) : '',
    transaction.merchantName,
    isBonus ? interpolate(ctx.t(bonusNameKey(transaction.reason.code)), transaction.reason.params) : '',
    isBonus ? '' : transaction.dineAmount.toFixed(2),
    isBonus ? '' : transaction.refundedAmount.toFixed(2),
    isBonus ? '' : transaction.cardLastFour,
    rewardText(ctx, shownBenefit(transaction, ctx.now())),
    rewardUnit(ctx),
    interpolate(status, statusInfo.params),
  ]
}

function adjustmentCells(ctx: Ctx, adjustment: Adjustment): (string | number)[] {
  const { date, amount } = adjustment
  const reward = rewardText(ctx, amount)
  return [
    date,
    '',
    ctx.t(adjustmentKey(adjustment)),
    '',
    '',
    '',
    '',
    reward,
    rewardUnit(ctx),
    ctx.t('rewards.status.posted'),
  ]
}

function creditCells(ctx: Ctx, credit: StatementCredit): (string | number)[] {
  const amount = rewardText(ctx, credit.creditAmountCents / 100)
  const status = ctx.t(creditStatusKey(credit))
  return [credit.date, '', ctx.t('activity.credit'), credit.targetLabel, '', '', '', amount, rewardUnit(ctx), status]
}

/** Returns a reward as a number: dollars have two decimals, as in every amount of money. */
function rewardText(ctx: Ctx, amount: number): string | number {
  return unitOf(ctx.program.config.currencyType) === 'cent' ? amount.toFixed(2) : amount
}

function rewardUnit(ctx: Ctx): string {
  const { currencyType, currencyName, rewardPer } = ctx.program.config
  if (unitOf(currencyType) !== 'cent') return currencyName
  const dollars = ctx.t('activity.csv_dollars')
  return rewardPer ? interpolate(ctx.t('activity.csv_dollars_per'), { thing: rewardPer }) : dollars
}
