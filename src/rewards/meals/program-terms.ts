import type { ProgramConfig } from '../../partners/contract.ts'
import { reviewDays } from '../explain.ts'
import type { ProgramTerms } from '../terms.ts'

// Whoever eats under the same terms shares one object: what is the same need not be compared. A configuration never
// changes while it is in use.
const known = new WeakMap<ProgramConfig, Map<string, ProgramTerms>>()

/** What of a program's configuration decides about a meal of a day, `YYYY-MM-DD` on the wall of the restaurant. */
export function programTerms(config: ProgramConfig, date: string): ProgramTerms {
  const former = formerRate(config, date)
  const periods = known.get(config) ?? new Map<string, ProgramTerms>()
  known.set(config, periods)
  const period = former?.until ?? 'now'
  const terms = periods.get(period) ?? termsUnder(config, former)
  periods.set(period, terms)
  return terms
}

type FormerRate = ProgramConfig['formerRates'][number]

function termsUnder(config: ProgramConfig, former: FormerRate | undefined): ProgramTerms {
  const { currencyType, linkActivationHours, acclaimed2Enabled } = config
  const leavesOut = [...(config.countsTip ? [] : ['tip' as const]), ...(config.countsTax ? [] : ['tax' as const])]
  return {
    currencyType,
    earnRates: former?.earnRates ?? config.earnRates,
    earnStepCents: former?.earnStepCents ?? config.earnStepCents,
    linkActivationHours,
    gatesAccess: acclaimed2Enabled,
    ...(config.awardsNeedReview && { reviewWithinDays: reviewDays }),
    ...(config.minimumSpendCents > 0 && { minimumCents: config.minimumSpendCents }),
    ...(leavesOut.length > 0 && { leavesOut }),
    ...(config.excludesPinDebit && { excludesPinDebit: true }),
    ...(config.deferDays > 0 && { deferDays: config.deferDays }),
    ...(config.maxRewardPerMeal !== undefined && { maxRewardPerMeal: config.maxRewardPerMeal }),
    ...(config.settlement && { settlement: config.settlement }),
  }
}

/** The former rate that a day lies under; undefined once the present ones hold. */
function formerRate({ formerRates }: ProgramConfig, date: string): FormerRate | undefined {
  return formerRates.toSorted((a, b) => (a.until < b.until ? -1 : 1)).find(({ until }) => date <= until)
}
