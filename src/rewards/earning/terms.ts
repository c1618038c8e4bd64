import type { Cents } from '../../platform/money.ts'
import type { CurrencyType, TierLevel } from '../../programs/partners/contract.ts'

export type RewardUnit = 'mile' | 'point' | 'cent'

const units: Record<CurrencyType, RewardUnit> = { Mile: 'mile', Point: 'point', Dollar: 'cent', Credit: 'cent' }

export function unitOf(currencyType: CurrencyType): RewardUnit {
  return units[currencyType]
}

/** The earning terms of a restaurant. Dates are local to the restaurant and inclusive; weekday 0 is Sunday. */
export interface Offer {
  id: number
  type: 'Unlimited' | 'Limited'
  days: readonly number[]
  /** Inclusive `HH:MM` times of day; absent all day. An end before the start is after midnight. */
  hours?: { from: string; until: string }
  /** The hours after midnight count to the day before. Absent before rule 5, when they counted to their own day. */
  isNight?: true
  startsOn: string
  endsOn: string | null
  /** A smaller transaction earns nothing; absent (also before rule 4): no minimum. */
  minSpendCents?: Cents
  /** Maximum per visit that counts; null: no limit. */
  maxSpendCents: Cents | null
  maxVisitsPerMonth: number | null
  /** Maximum that counts of all visits of a month; absent: no limit. */
  maxMonthlySpendCents?: Cents
  /** 100 leaves the program's rate unchanged. */
  ratePercent: number
}

/** The settlement between restaurant and partner. Stored with the transaction: a refund uses the same terms. */
export interface SettlementTerms {
  /** The restaurant's fee on the part of the bill that counts, in hundredths of a percent. */
  restaurantFee: number
  /** Cents paid to the partner for 100 of its smallest units; 0 where it gives them itself. */
  centsPer100Units: number
  /** The partner's share of the rest of the fee, in hundredths of a percent. */
  partnerShare: number
}

/** The program's rates: smallest units of the currency per 100 dollars, earned per whole step of spending. */
export interface ProgramTerms {
  currencyType: CurrencyType
  earnRates: Readonly<Partial<Record<TierLevel, number>>>
  earnStepCents: Cents
  linkActivationHours: number
  /** Whether acclaimed restaurants reward only the tiers that have unlocked them. Absent before rule 2: no. */
  gatesAccess?: boolean
  /** Days that a cleared transaction waits for its review; absent where none is required, and before rule 3. */
  reviewWithinDays?: number
  /** A smaller transaction earns nothing with any offer. Absent, like all below, before rule 4. */
  minimumCents?: Cents
  /** Parts of a bill that do not count, where the network reports their amounts. */
  leavesOut?: readonly ('tip' | 'tax')[]
  /** Whether debit cards used with a PIN earn nothing. */
  excludesPinDebit?: boolean
  /** Days that a cleared reward is held back, while a refund may still come. */
  deferDays?: number
  /** Maximum reward of one transaction, in the smallest unit. */
  maxRewardPerMeal?: number
  settlement?: SettlementTerms
}

export interface MemberTerms {
  tier: TierLevel
  /** An operator gave the tier until a day. */
  granted?: true
  open: boolean
  /** ISO instant at which the card that paid was linked. */
  cardLinkedAt: string
}

export interface MerchantTerms {
  timeZone: string
  participating: boolean
  joinedOn: string
  /** The first day on which it no longer takes part. */
  leftOn: string | null
  /** ISO instant at which it left, on that day or at its end; absent where only the day is known, and before rule 6. */
  leftAt?: string
  /** The first day on which the id of this transaction was no longer valid; absent while it is valid. */
  idUntil?: string
  /** 0 to 2; from 1 on, only some tiers earn here where the program gates access. */
  acclaimedLevel?: number
  offers: readonly Offer[]
}

/** All inputs of an award. `cents` is the ticket amount when authorized and the final amount when cleared. */
export interface AwardInput {
  stage: 'authorized' | 'cleared'
  /** ISO 4217. */
  currency: string
  cents: Cents
  refundedCents: Cents
  /** Tip and tax within `cents`, reported by the network or derived from the two amounts. */
  tipCents?: Cents
  taxCents?: Cents
  /** Paid by debit with a PIN. */
  pinDebit?: boolean
  /** ISO instant. */
  dinedAt: string
  /** Rewarded visits to this restaurant earlier in the same local month. */
  earlierVisits: number
  /** The counted part of those visits, in cents; absent: 0. */
  earlierCountedCents?: Cents
  /** The addition of a personal offer to the rate of the tier: smallest units per 100 dollars. */
  flexRate?: number
  /** The outcome of its review; absent while it is open. */
  review?: 'done' | 'expired'
  /** Expired: the reward is no longer held back, or the wait for the clearing, card or restaurant is over. */
  waiting?: 'over'
  /**
   * Another program, to which its card has moved back, was told of the same meal and has rewarded it. Absent before rule 6,
   * like the next.
   */
  countedElsewhere?: true | undefined
  /** The network has reported the same purchase with another id, which counts. */
  reportedTwice?: true | undefined
  program: ProgramTerms
  /** Null while the card is not linked. */
  member: MemberTerms | null
  /** Null while the restaurant is unknown. */
  merchant: MerchantTerms | null
  /** A participating restaurant has the name of this unknown one: another location of a chain. */
  knownBrand?: string
}
