import type { Cents } from '../kit/money.ts'
import { HOUR, localMoment } from '../kit/time.ts'
import { tierNeeded } from '../merchants/rules.ts'
import type { CurrencyType, TierLevel } from '../partners/contract.ts'
import { tierNumber } from '../partners/rates.ts'

/** Raised with every change of what a meal earns; kept with each decision. */
export const ruleVersion = 3

export type RewardUnit = 'mile' | 'point' | 'cent'

/** What a restaurant gives and when. Dates are local to the restaurant and inclusive; weekday 0 is Sunday. */
export interface Offer {
  id: number
  type: 'Unlimited' | 'Limited'
  days: readonly number[]
  startsOn: string
  endsOn: string | null
  /** The part of one visit that counts; null is all of it. */
  maxSpendCents: Cents | null
  maxVisitsPerMonth: number | null
  /** 100 leaves the program's rate alone. */
  ratePercent: number
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
  /** ISO instant. */
  dinedAt: string
  /** Rewarded visits to this restaurant earlier in the same local month. */
  earlierVisits: number
  /** What a personal offer adds to the rate of the tier: smallest units per 100 dollars. */
  flexRate?: number
  /** What has become of its review; absent while it is open. */
  review?: 'done' | 'expired'
  program: ProgramTerms
  /** Null while nobody has linked the card. */
  member: MemberTerms | null
  /** Null while the restaurant is unknown. */
  merchant: MerchantTerms | null
}

/** What was found out, by code; the facts beside a code are those that its sentence names. */
export type Finding =
  | { code: 'earned'; countedCents: Cents }
  | { code: 'earnedUpToLimit'; countedCents: Cents; limitCents: Cents }
  | { code: 'partlyRefunded'; countedCents: Cents }
  | { code: 'refunded' }
  | { code: 'reversed' }
  | { code: 'belowStep'; neededCents: Cents }
  | { code: 'tierWithoutReward'; tier: TierLevel }
  | { code: 'accessLocked'; neededTier: 2 | 3 }
  | { code: 'currencyNotSupported'; currency: string }
  | { code: 'closedAccount' }
  | { code: 'cardUnknown' }
  | { code: 'cardLinkedTooLate'; linkedAt: string; earnsFrom: string }
  | { code: 'merchantUnknown' }
  | { code: 'merchantNotYetJoined'; joinedOn: string }
  | { code: 'merchantLeft'; leftOn: string }
  | { code: 'merchantNotParticipating' }
  | { code: 'noOffer'; date: string }
  | { code: 'dayWithoutReward'; weekday: number }
  | { code: 'visitsUsedUp'; limit: number }
  | { code: 'reviewExpired' }

export type ReasonCode = Finding['code']

/** Kept with every meal: what was found, by which rule, from what. */
export type Reason = Finding & { rule: number; inputs: Dinner }

export interface Decision {
  /** In the smallest unit: miles, points or cents. Never negative. */
  benefit: number
  unit: RewardUnit
  awardStatus: 'Awarded' | 'Pending' | 'Forfeit' | 'Deferred'
  reason: Reason
}

const units: Record<CurrencyType, RewardUnit> = { Mile: 'mile', Point: 'point', Dollar: 'cent', Credit: 'cent' }

export function unitOf(currencyType: CurrencyType): RewardUnit {
  return units[currencyType]
}

/**
 * What a dinner earns, and why. An authorised dinner is Pending as long as its clearing can still make it earn, a
 * cleared one while the program waits for its review; one whose card or restaurant we do not know yet is Deferred.
 */
export function decideAward(dinner: Dinner): Decision {
  const { finding, benefit } = judge(dinner)
  return {
    benefit,
    unit: unitOf(dinner.program.currencyType),
    awardStatus: statusOf(dinner, finding, benefit),
    reason: { ...finding, rule: ruleVersion, inputs: dinner },
  }
}

interface Verdict {
  finding: Finding
  benefit: number
}

const nothing = (finding: Finding): Verdict => ({ finding, benefit: 0 })

function judge(dinner: Dinner): Verdict {
  const verdict = judgeMeal(dinner)
  const isTooLate = dinner.program.reviewWithinDays !== undefined && dinner.review === 'expired'
  return isTooLate && verdict.benefit > 0 ? nothing({ code: 'reviewExpired' }) : verdict
}

function judgeMeal(dinner: Dinner): Verdict {
  const { member, merchant } = dinner
  const lost = obstacleOfMoney(dinner)
  if (lost) return nothing(lost)
  if (!member) return nothing({ code: 'cardUnknown' })
  if (!member.open) return nothing({ code: 'closedAccount' })
  if (!merchant) return nothing({ code: 'merchantUnknown' })
  const local = localMoment(new Date(dinner.dinedAt), merchant.timeZone)
  const obstacle =
    obstacleOfMerchant(merchant, local.date) ??
    obstacleOfCard(dinner, member) ??
    obstacleOfAccess(dinner, member, merchant)
  if (obstacle) return nothing(obstacle)
  return judgeOffers(dinner, member, merchant, local)
}

function obstacleOfMoney({ currency, cents, refundedCents }: Dinner): Finding | null {
  if (currency !== 'USD') return { code: 'currencyNotSupported', currency }
  if (cents <= 0) return { code: 'reversed' }
  if (refundedCents >= cents) return { code: 'refunded' }
  return null
}

function obstacleOfMerchant(merchant: MerchantTerms, date: string): Finding | null {
  const { joinedOn, leftOn, participating } = merchant
  if (date < joinedOn) return { code: 'merchantNotYetJoined', joinedOn }
  if (leftOn !== null) return date >= leftOn ? { code: 'merchantLeft', leftOn } : null
  return participating ? null : { code: 'merchantNotParticipating' }
}

function obstacleOfCard({ dinedAt, program }: Dinner, { cardLinkedAt }: MemberTerms): Finding | null {
  const from = Date.parse(cardLinkedAt) + program.linkActivationHours * HOUR
  if (Date.parse(dinedAt) >= from) return null
  return { code: 'cardLinkedTooLate', linkedAt: cardLinkedAt, earnsFrom: new Date(from).toISOString() }
}

function obstacleOfAccess({ program }: Dinner, { tier }: MemberTerms, merchant: MerchantTerms): Finding | null {
  if (!program.gatesAccess) return null
  const neededTier = tierNeeded(merchant.acclaimedLevel ?? 0, tierNumber(tier))
  return neededTier === null ? null : { code: 'accessLocked', neededTier }
}

function judgeOffers(
  dinner: Dinner,
  member: MemberTerms,
  merchant: MerchantTerms,
  { date, weekday }: { date: string; weekday: number },
): Verdict {
  const rate = rateOf(dinner, member)
  const open = openOffers(dinner, member, merchant, { date, weekday })
  return Array.isArray(open) ? bestOf(open.map((offer) => rewardOf(dinner, rate, offer))) : nothing(open)
}

const rateOf = (dinner: Dinner, { tier }: MemberTerms) => (dinner.program.earnRates[tier] ?? 0) + (dinner.flexRate ?? 0)

/** The offers that this meal can still use, or why there are none. */
function openOffers(
  dinner: Dinner,
  member: MemberTerms,
  merchant: MerchantTerms,
  { date, weekday }: { date: string; weekday: number },
): Offer[] | Finding {
  if (rateOf(dinner, member) === 0) return { code: 'tierWithoutReward', tier: member.tier }
  const current = merchant.offers.filter((o) => o.startsOn <= date && (o.endsOn === null || date <= o.endsOn))
  if (current.length === 0) return { code: 'noOffer', date }
  const today = offersOfDay(current, { date, weekday })
  if (today.length === 0) return { code: 'dayWithoutReward', weekday }
  const open = today.filter((o) => o.maxVisitsPerMonth === null || dinner.earlierVisits < o.maxVisitsPerMonth)
  if (open.length === 0) {
    return { code: 'visitsUsedUp', limit: Math.max(...today.map((o) => o.maxVisitsPerMonth ?? 0)) }
  }
  return open
}

/** The sum behind a reward, from the bill to the benefit. Amounts in cents, the rate per 100 dollars. */
export interface WorkedSum {
  billCents: Cents
  refundedCents: Cents
  /** What of the rest counts. */
  countedCents: Cents
  /** Of that, the whole steps. */
  steppedCents: Cents
  rate: number
  ratePercent: number
  benefit: number
}

/** How a dinner's reward came about, by the function that decided about it; null when it earns nothing. */
export function workedSum(dinner: Dinner): WorkedSum | null {
  const { member, merchant, program } = dinner
  if (!member || !merchant || decideAward(dinner).benefit === 0) return null
  const local = localMoment(new Date(dinner.dinedAt), merchant.timeZone)
  const open = openOffers(dinner, member, merchant, local)
  if (!Array.isArray(open)) return null
  const rate = rateOf(dinner, member)
  const best = bestOf(open.map((offer) => rewardOf(dinner, rate, offer)))
  const { maxSpendCents, ratePercent } = best.offer
  const net = dinner.cents - dinner.refundedCents
  const countedCents = Math.min(net, maxSpendCents ?? net)
  return {
    billCents: dinner.cents,
    refundedCents: dinner.refundedCents,
    countedCents,
    steppedCents: countedCents - (countedCents % program.earnStepCents),
    rate,
    ratePercent,
    benefit: best.benefit,
  }
}

/** The offers that reward a meal on a local day, the richest first. */
export function offersOfDay(offers: readonly Offer[], { date, weekday }: { date: string; weekday: number }): Offer[] {
  return offers
    .filter((o) => o.startsOn <= date && (o.endsOn === null || date <= o.endsOn))
    .filter((o) => o.days.includes(weekday) && o.ratePercent > 0)
    .toSorted((a, b) => b.ratePercent - a.ratePercent || b.id - a.id)
}

// Offers never add up: the best one wins; of equals, the newest.
function bestOf<R extends Verdict & { offer: Offer }>(rewards: readonly R[]): R {
  const [best] = rewards.toSorted((a, b) => b.benefit - a.benefit || b.offer.id - a.offer.id)
  return best as R
}

function rewardOf(dinner: Dinner, rate: number, offer: Offer): Verdict & { offer: Offer } {
  const step = dinner.program.earnStepCents
  const net = dinner.cents - dinner.refundedCents
  const limit = offer.maxSpendCents ?? Number.POSITIVE_INFINITY
  const countedCents = Math.min(net, limit)
  const benefit = benefitFor(countedCents, { rate, percent: offer.ratePercent, step })
  if (benefit === 0) {
    return { offer, benefit, finding: { code: 'belowStep', neededCents: neededFor(rate, offer.ratePercent, step) } }
  }
  if (dinner.refundedCents > 0) return { offer, benefit, finding: { code: 'partlyRefunded', countedCents } }
  if (net > limit) return { offer, benefit, finding: { code: 'earnedUpToLimit', countedCents, limitCents: limit } }
  return { offer, benefit, finding: { code: 'earned', countedCents } }
}

/** The divisor of a rate per 100 dollars (in cents) and of a percentage. */
const perHundredDollarsAndPercent = 100_00 * 100

/** Rates are smallest units per 100 dollars of whole steps. Fractions are dropped once, toward zero, only here. */
function benefitFor(cents: Cents, { rate, percent, step }: { rate: number; percent: number; step: Cents }): number {
  const counted = cents - (cents % step)
  return Number((BigInt(counted) * BigInt(rate) * BigInt(percent)) / BigInt(perHundredDollarsAndPercent))
}

/** The smallest amount that earns one unit: a whole number of steps. */
function neededFor(rate: number, percent: number, step: Cents): Cents {
  return Math.ceil(perHundredDollarsAndPercent / (rate * percent * step)) * step
}

/** What a tip at the clearing, or a card or a restaurant that becomes known, can still change. */
const canStillEarn: ReadonlySet<ReasonCode> = new Set(['earned', 'earnedUpToLimit', 'partlyRefunded', 'belowStep'])

function statusOf({ stage, program, review }: Dinner, { code }: Finding, benefit: number): Decision['awardStatus'] {
  if (code === 'cardUnknown' || code === 'merchantUnknown') return 'Deferred'
  if (stage === 'authorized' && canStillEarn.has(code)) return 'Pending'
  if (benefit === 0) return 'Forfeit'
  return program.reviewWithinDays !== undefined && review !== 'done' ? 'Pending' : 'Awarded'
}
