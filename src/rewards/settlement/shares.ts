import { type Award, countedCentsOf } from '../earning/rules.ts'
import type { SettlementTerms } from '../earning/terms.ts'
import type { Posting } from '../ledger/entries.ts'

/** What a rewarded transaction costs the restaurant, the partner's share of it, and the rest, in cents. */
export interface Shares {
  restaurantCents: number
  partnerCents: number
  platformCents: number
}

/** 100 % in hundredths of a percent. */
const hundredPercent = 10_000

/**
 * Returns the shares, each computed once, from the whole transaction, and rounded down; `platformCents` is the rest. So a
 * transaction that is corrected ten times costs the same as an uncorrected one, and no cent is lost.
 */
export function sharesOf(countedCents: number, benefit: number, terms: SettlementTerms): Shares {
  const restaurantCents = Math.floor((countedCents * terms.restaurantFee) / hundredPercent)
  const paidForRewards = Math.floor((benefit * terms.centsPer100Units) / 100)
  const rest = restaurantCents - paidForRewards
  const partnerCents = paidForRewards + (rest > 0 ? Math.floor((rest * terms.partnerShare) / hundredPercent) : 0)
  return { restaurantCents, partnerCents, platformCents: restaurantCents - partnerCents }
}

/** Returns the money postings of a rewarded transaction; none for one that earns nothing. */
export function settlementPostings(merchantId: number | null, award: Award): Posting[] {
  const terms = award.reason.inputs.program.settlement
  if (!terms || merchantId === null || award.benefit === 0) return []
  const shares = sharesOf(countedCentsOf(award), award.benefit, terms)
  const postings: Posting[] = [
    { account: 'restaurant', merchantId, unit: 'cent', amount: -shares.restaurantCents },
    { account: 'partner', merchantId, unit: 'cent', amount: shares.partnerCents },
    { account: 'platform', merchantId, unit: 'cent', amount: shares.platformCents },
  ]
  return postings.filter(({ amount }) => amount !== 0)
}

/** Returns the postings of a bonus; no restaurant pays for it. */
export function bonusPostings(benefit: number, terms: SettlementTerms | undefined): Posting[] {
  const cents = terms ? Math.floor((benefit * terms.centsPer100Units) / 100) : 0
  if (cents === 0) return []
  return [
    { account: 'partner', unit: 'cent', amount: cents },
    { account: 'platform', unit: 'cent', amount: -cents },
  ]
}
