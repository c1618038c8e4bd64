import type { ProgramConfig, TierLevel } from '../../../programs/partners/contract.ts'
import { tierNumber } from '../../../programs/partners/rates.ts'

/** Returns the tiers of a program that are higher than the one that a member has earned. */
export function tiersToGive({ hasVIP }: Pick<ProgramConfig, 'hasVIP'>, earned: TierLevel): TierLevel[] {
  // An account that is not activated has none yet.
  if (earned === 'NonActivated') return []
  const tiers: readonly TierLevel[] = hasVIP ? ['OptedIn', 'VIP'] : ['OptedIn']
  return tiers.filter((tier) => tierNumber(tier) > tierNumber(earned))
}
