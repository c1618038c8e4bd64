import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { bestTier, describeRate, tierNumber } from '../../../../programs/partners/rates.ts'
import type { Pin } from '../../contract.ts'
import { earnKey, tierNeeded } from '../../rules.ts'
import { useTier } from './EarnLine.tsx'

/** Returns a function that describes a pin: earnings, for visitors who may see offers, and price range. */
export function usePinFacts(): (pin: Pin) => string {
  const t = useCopy()
  const { config } = useProgram()
  const tier = useTier()
  return ({ priceRange, ratePercent, acclaimedLevel }) => {
    const isLocked = config.acclaimed2Enabled && tier !== null && tierNeeded(acclaimedLevel, tierNumber(tier)) !== null
    const rate = () => {
      if (ratePercent === null || isLocked) return ''
      if (tier) return t(earnKey(config, tier), { rate: describeRate(config, tier, ratePercent) })
      if (config.enrollmentType !== 'none') return ''
      return t('merchant.earn_up_to', { rate: describeRate(config, bestTier(config), ratePercent) })
    }
    return [rate(), '$'.repeat(priceRange)].filter(Boolean).join(' · ')
  }
}
