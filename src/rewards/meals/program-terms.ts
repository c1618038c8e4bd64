import type { ProgramConfig } from '../../partners/contract.ts'
import { reviewDays } from '../explain.ts'
import type { ProgramTerms } from '../terms.ts'

/** What of a program's configuration decides about a meal of a day, `YYYY-MM-DD` on the wall of the restaurant. */
export function programTerms(config: ProgramConfig, date: string): ProgramTerms {
  const { currencyType, linkActivationHours, acclaimed2Enabled } = config
  const leavesOut = [...(config.countsTip ? [] : ['tip' as const]), ...(config.countsTax ? [] : ['tax' as const])]
  return {
    currencyType,
    ...ratesOf(config, date),
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

/** The rates of a day: the present ones, unless it lies before the end of former ones. */
function ratesOf(config: ProgramConfig, date: string): Pick<ProgramTerms, 'earnRates' | 'earnStepCents'> {
  const { earnRates, earnStepCents } = config
  const former = config.formerRates.toSorted((a, b) => (a.until < b.until ? -1 : 1)).find(({ until }) => date <= until)
  return former
    ? { earnRates: former.earnRates, earnStepCents: former.earnStepCents ?? earnStepCents }
    : { earnRates, earnStepCents }
}
