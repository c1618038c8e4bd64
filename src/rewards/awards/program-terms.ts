import type { ProgramConfig } from '../../programs/partners/contract.ts'
import { reviewDays } from '../earning/explain.ts'
import type { ProgramTerms } from '../earning/terms.ts'

/** Returns the terms of a program's configuration for a transaction on a local day, `YYYY-MM-DD`. */
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

/** Returns the rates of a day: the current ones, or former ones that were valid then. */
function ratesOf(config: ProgramConfig, date: string): Pick<ProgramTerms, 'earnRates' | 'earnStepCents'> {
  const { earnRates, earnStepCents } = config
  const former = config.formerRates.toSorted((a, b) => (a.until < b.until ? -1 : 1)).find(({ until }) => date <= until)
  return former
    ? { earnRates: former.earnRates, earnStepCents: former.earnStepCents ?? earnStepCents }
    : { earnRates, earnStepCents }
}
