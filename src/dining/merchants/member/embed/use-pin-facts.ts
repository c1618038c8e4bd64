import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { useFlexOffers } from '../../../../rewards/activity/member/embed/use-flex-offers.ts'
import type { Pin } from '../../contract.ts'
import { earningOf, flexRateFrom, limitsText, shortText } from '../../earning/rules.ts'
import { useTier } from './EarnLine.tsx'

/** Returns a function that describes a pin: earnings, for visitors who may see offers, and price range. */
export function usePinFacts(): (pin: Pin) => string {
  const t = useCopy()
  const { config } = useProgram()
  const [tier, flexOfferOf] = [useTier(), useFlexOffers()]
  return ({ id, priceRange, ratePercent, acclaimedLevel, ...limits }) => {
    const flexRate = flexRateFrom(flexOfferOf(id))
    const earning = earningOf({ config, tier, acclaimedLevel, ratePercent, flexRate })
    const text = earning.kind === 'nothing' ? null : shortText(config, earning)
    const parts = text ? [t(text.key, text.params), limitsText(t, limits)] : []
    return [...parts, '$'.repeat(priceRange)].filter(Boolean).join(' · ')
  }
}
