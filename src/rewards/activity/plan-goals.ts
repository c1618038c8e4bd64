import { findMemberRow, getCurrentTier, type MemberRow } from '../../identity/members/service.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { formatCents } from '../../platform/money.ts'
import type { ProgramConfig, TierLevel } from '../../programs/partners/contract.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { dayOf, yearOf } from '../../programs/partners/rules.ts'
import { programTerms } from '../awards/current-terms.ts'
import { getDiningProgress } from '../awards/dining-progress.ts'
import { listBonusTransactions } from '../awards/reconcile-bonuses.ts'
import { findQualifyingIndexes } from '../bonuses/rules.ts'
import { listActivatedBonuses, periodOf } from '../bonuses/service.ts'
import { dayText } from '../earning/explain.ts'
import { computeAward } from '../earning/rules.ts'
import type { AwardInput, Offer } from '../earning/terms.ts'
import { getBalance } from '../ledger/entries.ts'
import type { Goal } from './contract.ts'

/** Returns the signed-in member's next goals, the earliest deadline first. */
export async function planGoals(ctx: MemberCtx): Promise<Goal[]> {
  const memberId = ctx.actor.memberId
  const member = await findMemberRow(ctx.db, memberId)
  if (!member) return []
  const { tier } = await getCurrentTier(ctx, member)
  const { config } = ctx.program
  return [
    ...(await bonusGoals(ctx, memberId)),
    ...(await vipGoal(ctx, member)),
    ...(config.currencyType === 'Credit' ? await creditGoal(ctx, memberId, tier) : []),
    ...stepGoal(config, tier),
  ]
}

const goal = (kind: Goal['kind'], name: string, params: Record<string, string>, progress: Goal['progress']): Goal => ({
  kind,
  key: `rewards.goal.${name}`,
  params,
  progress,
})

/** Returns activated bonuses that are not earned yet. */
async function bonusGoals(ctx: Ctx, memberId: number): Promise<Goal[]> {
  const open = (await listActivatedBonuses(ctx.db, memberId)).filter(({ qualifiedAt }) => qualifiedAt === null)
  if (open.length === 0) return []
  const since = new Date(Math.min(...open.map(({ enrolledAt }) => enrolledAt.getTime())))
  const transactions = await listBonusTransactions(ctx, memberId, since)
  const { config } = ctx.program
  return open.flatMap((bonus) => {
    const { terms } = bonus
    const period = periodOf(config, bonus)
    if (period.lastDay < dayOf(config, ctx.now())) return []
    const done = findQualifyingIndexes(terms, period, transactions).length
    const missing = terms.dines - done
    const params = {
      count: String(missing),
      bonus: terms.description,
      benefit: formatReward(config, terms.amount),
      by: dayText(period.lastDay),
    }
    return [goal('bonus', missing === 1 ? 'bonus_one' : 'bonus', params, { done, total: terms.dines })]
  })
}

/** Returns what is missing to VIP; for a VIP, to stay one in the next year. VIP without an end is no goal. */
async function vipGoal(ctx: Ctx, member: MemberRow): Promise<Goal[]> {
  const { config } = ctx.program
  const isVip = member.tier_level === 'VIP'
  if (!config.hasVIP || (isVip && member.vip_until === null)) return []
  const progress = await getDiningProgress(ctx.db, member.id, config, ctx.now())
  const thisYear = yearOf(config, ctx.now())
  if (isVip && (member.vip_until ?? '') > `${thisYear}-12-31`) return []
  const [name, by, year] = [isVip ? 'vip_keep' : 'vip', dayText(`${thisYear}-12-31`), String(thisYear + 1)]
  const { remainingDines, dinesRequired, remainingDollars, dollarsRequired } = progress
  if (remainingDollars && dollarsRequired) {
    const amount = formatCents(Math.round(remainingDollars * 100))
    return [
      goal(
        'vip',
        `${name}_dollars`,
        { amount, by, year },
        { done: dollarsRequired - remainingDollars, total: dollarsRequired },
      ),
    ]
  }
  if (!remainingDines || !dinesRequired) return []
  const params = { count: String(remainingDines), by, year }
  const reached = { done: dinesRequired - remainingDines, total: dinesRequired }
  return [goal('vip', remainingDines === 1 ? `${name}_one` : name, params, reached)]
}

async function creditGoal(ctx: Ctx, memberId: number, tier: TierLevel): Promise<Goal[]> {
  const full = ctx.program.config.statementCreditFromCents
  if (full === undefined) return []
  const balance = await getBalance(ctx.db, memberId, 'cent')
  const missing = full - balance
  const bill = billFor(ctx.program.config, tier, missing)
  if (missing <= 0 || bill === null) return []
  const params = { left: formatCents(missing), full: formatCents(full), bill: formatCents(bill) }
  return [goal('credit', 'credit', params, { done: Math.max(0, balance), total: full })]
}

/** Returns the next step, in programs that reward whole steps of spending. */
function stepGoal(config: ProgramConfig, tier: TierLevel): Goal[] {
  const bill = config.earnStepCents > 1 ? billFor(config, tier, 1) : null
  if (bill === null) return []
  const benefit = formatReward(config, benefitOf(config, tier, bill))
  return [goal('step', 'step', { bill: formatCents(bill), benefit }, null)]
}

/** A restaurant at the program's plain rate, without limits: the assumption of forecasts. */
const plainOffer: Offer = {
  id: 1,
  type: 'Unlimited',
  days: [0, 1, 2, 3, 4, 5, 6],
  startsOn: '2000-01-01',
  endsOn: null,
  maxSpendCents: null,
  maxVisitsPerMonth: null,
  ratePercent: 100,
}

/** Returns what a bill earns at `plainOffer`, computed by the award engine. */
export function benefitOf(config: ProgramConfig, tier: TierLevel, cents: number): number {
  const input: AwardInput = {
    stage: 'cleared',
    currency: 'USD',
    cents,
    refundedCents: 0,
    dinedAt: '2026-01-02T12:00:00.000Z',
    earlierVisits: 0,
    program: programTerms(config, '2026-01-02'),
    member: { tier, open: true, cardLinkedAt: '2000-01-01T00:00:00.000Z' },
    merchant: { timeZone: 'UTC', participating: true, joinedOn: '2000-01-01', leftOn: null, offers: [plainOffer] },
  }
  return computeAward(input).benefit
}

/** The largest bill of a forecast, in cents. */
const maxCents = 1_000_000_00

/** Returns the smallest bill, in cents, that earns at least this benefit; null when none does. */
export function billFor(config: ProgramConfig, tier: TierLevel, benefit: number): number | null {
  if (benefitOf(config, tier, maxCents) < benefit) return null
  let [low, high] = [1, maxCents]
  // A larger bill never earns less, so a binary search finds the limit.
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (benefitOf(config, tier, middle) >= benefit) high = middle
    else low = middle + 1
  }
  return low
}
