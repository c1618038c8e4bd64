import type { Leg } from '../ledger/entries.ts'
import { countedCentsOf, type Decision } from '../rules.ts'
import type { SettlementTerms } from '../terms.ts'

/** What a rewarded meal costs the restaurant, what of it the partner gets, and what stays, in cents. */
export interface Shares {
  restaurantCents: number
  partnerCents: number
  houseCents: number
}

/** A hundredth of a percent is one part of so many. */
const whole = 10_000

/**
 * Each share is worked out once, from the whole meal, and rounded down; what stays is the rest. So a meal that is
 * corrected ten times costs what it would have cost at once, and the three always sum to nothing lost.
 */
export function sharesOf(countedCents: number, benefit: number, terms: SettlementTerms): Shares {
  const restaurantCents = Math.floor((countedCents * terms.restaurantFee) / whole)
  const paidForRewards = Math.floor((benefit * terms.centsPer100Units) / 100)
  const rest = restaurantCents - paidForRewards
  const partnerCents = paidForRewards + (rest > 0 ? Math.floor((rest * terms.partnerShare) / whole) : 0)
  return { restaurantCents, partnerCents, houseCents: restaurantCents - partnerCents }
}

/** The money that a rewarded meal moves, as sides of a journal; nothing for a meal that earns nothing. */
export function moneyLegs(merchantId: number | null, decision: Decision): Leg[] {
  const terms = decision.reason.inputs.program.settlement
  if (!terms || merchantId === null || decision.benefit === 0) return []
  const shares = sharesOf(countedCentsOf(decision), decision.benefit, terms)
  const legs: Leg[] = [
    { account: 'restaurant', merchantId, unit: 'cent', amount: -shares.restaurantCents },
    { account: 'partner', unit: 'cent', amount: shares.partnerCents },
    { account: 'house', unit: 'cent', amount: shares.houseCents },
  ]
  return legs.filter(({ amount }) => amount !== 0)
}

/** What a bonus costs: nobody's restaurant pays for it. */
export function bonusLegs(benefit: number, terms: SettlementTerms | undefined): Leg[] {
  const cents = terms ? Math.floor((benefit * terms.centsPer100Units) / 100) : 0
  if (cents === 0) return []
  return [
    { account: 'partner', unit: 'cent', amount: cents },
    { account: 'house', unit: 'cent', amount: -cents },
  ]
}
