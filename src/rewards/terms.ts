import type { Cents } from '../kit/money.ts'
import type { CurrencyType, TierLevel } from '../partners/contract.ts'

export type RewardUnit = 'mile' | 'point' | 'cent'

const units: Record<CurrencyType, RewardUnit> = { Mile: 'mile', Point: 'point', Dollar: 'cent', Credit: 'cent' }

export function unitOf(currencyType: CurrencyType): RewardUnit {
  return units[currencyType]
}

/** What a restaurant gives and when. Dates are local to the restaurant and inclusive; weekday 0 is Sunday. */
export interface Offer {
  id: number
  type: 'Unlimited' | 'Limited'
  days: readonly number[]
  /** Between these times of the day, `HH:MM` and inclusive; absent all day. An end before the start is after midnight. */
  hours?: { from: string; until: string }
  startsOn: string
  endsOn: string | null
  /** A meal below this earns nothing; absent before rule 4: any does. */
  minSpendCents?: Cents
  /** The part of one visit that counts; null is all of it. */
  maxSpendCents: Cents | null
  maxVisitsPerMonth: number | null
  /** The most that counts of all visits of a month; absent: all of it. */
  maxMonthlySpendCents?: Cents
  /** 100 leaves the program's rate alone. */
  ratePercent: number
}

/** What the restaurant and the partner settle for a rewarded meal. Kept with the meal: a refund is settled alike. */
export interface SettlementTerms {
  /** What the restaurant pays of the part of the bill that counts, in hundredths of a percent. */
  restaurantFee: number
  /** What the partner is paid for 100 of its smallest units, in cents; 0 where it gives them itself. */
  centsPer100Units: number
  /** The partner's part of what remains of the fee, in hundredths of a percent. */
  partnerShare: number
}

/** The program's rates: smallest units of the currency per 100 dollars, given per whole step of spending. */
export interface ProgramTerms {
  currencyType: CurrencyType
  earnRates: Readonly<Partial<Record<TierLevel, number>>>
  earnStepCents: Cents
  linkActivationHours: number
  /** Whether acclaimed restaurants reward only the tiers that have unlocked them. Absent before rule 2: no. */
  gatesAccess?: boolean
  /** A cleared meal waits so many days for its review; absent where none is asked for, and before rule 3. */
  reviewWithinDays?: number
  /** A meal below this earns nothing, whatever the offer. Absent, like all below, before rule 4. */
  minimumCents?: Cents
  /** What of a bill does not count, as far as the network says how much it was. */
  leavesOut?: readonly ('tip' | 'tax')[]
  /** Whether debit cards used with a PIN earn nothing. */
  excludesPinDebit?: boolean
  /** So many days a cleared reward is held back, while a refund may still come. */
  deferDays?: number
  /** The most that one meal earns, in the smallest unit. */
  maxRewardPerMeal?: number
  settlement?: SettlementTerms
}

export interface MemberTerms {
  tier: TierLevel
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
  /** The first day on which the network no longer knew it by the id of this meal; absent while it does. */
  idUntil?: string
  /** 0 to 2; from 1 on it takes a tier to earn here, where the program gates access. */
  acclaimedLevel?: number
  offers: readonly Offer[]
}

/** Everything a decision depends on. `cents` is the ticket when authorised and the final amount when cleared. */
export interface Dinner {
  stage: 'authorized' | 'cleared'
  /** ISO 4217. */
  currency: string
  cents: Cents
  refundedCents: Cents
  /** What of `cents` was tip and tax, where the network says so or the two amounts show it. */
  tipCents?: Cents
  taxCents?: Cents
  /** Paid by debit with a PIN. */
  pinDebit?: boolean
  /** ISO instant. */
  dinedAt: string
  /** Rewarded visits to this restaurant earlier in the same local month. */
  earlierVisits: number
  /** What of those visits counted, in cents; absent: nothing. */
  earlierCountedCents?: Cents
  /** What a personal offer adds to the rate of the tier: smallest units per 100 dollars. */
  flexRate?: number
  /** What has become of its review; absent while it is open. */
  review?: 'done' | 'expired'
  /** Time has passed: the reward is no longer held back, or nobody waits any longer for the clearing, card or restaurant. */
  waiting?: 'over'
  program: ProgramTerms
  /** Null while nobody has linked the card. */
  member: MemberTerms | null
  /** Null while the restaurant is unknown. */
  merchant: MerchantTerms | null
  /** A restaurant of ours has the name of this unknown one: another place of a chain. */
  knownBrand?: string
}
