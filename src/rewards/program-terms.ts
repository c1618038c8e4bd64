import type { ProgramConfig } from '../partners/contract.ts'
import { reviewDays } from './explain.ts'
import type { ProgramTerms } from './rules.ts'

/** What of a program's configuration decides about a meal. */
export function programTerms(config: ProgramConfig): ProgramTerms {
  const { currencyType, earnRates, earnStepCents, linkActivationHours, acclaimed2Enabled, awardsNeedReview } = config
  return {
    currencyType,
    earnRates,
    earnStepCents,
    linkActivationHours,
    gatesAccess: acclaimed2Enabled,
    ...(awardsNeedReview && { reviewWithinDays: reviewDays }),
  }
}
