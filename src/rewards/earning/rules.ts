import { tierNeeded } from '../../dining/merchants/rules.ts'
import type { Cents } from '../../platform/money.ts'
import { HOUR, localMoment } from '../../platform/time.ts'
import type { PublicConfig, TierLevel } from '../../programs/partners/contract.ts'
import { tierNumber } from '../../programs/partners/rates.ts'
import { applicableOffers, monthlyLeft, rateOf } from './offers.ts'
import type { AwardReason, ReasonCode, StoredReason } from './reasons.ts'
import { type AwardInput, type MemberTerms, type MerchantTerms, type Offer, type RewardUnit, unitOf } from './terms.ts'

/** Incremented with every change of award rules; stored with each award. */
export const ruleVersion = 6

export interface Award {
  /** In the smallest unit: miles, points or cents. Never negative. */
  benefit: number
  unit: RewardUnit
  awardStatus: 'Awarded' | 'Pending' | 'Forfeit' | 'Deferred'
  reason: StoredReason
}

/**
 * Returns what a transaction earns, and why. An authorized one is `Pending` while its clearing can still make it earn,
 * a cleared one while the program waits for its review. One with an unknown card or restaurant is `Deferred`, and so is
 * a reward that the program holds back for some days.
 */
export function computeAward(input: AwardInput): Award {
  const { reason, benefit } = evaluate(input)
  return {
    benefit,
    unit: unitOf(input.program.currencyType),
    awardStatus: statusOf(input, reason, benefit),
    reason: { ...reason, rule: ruleVersion, inputs: input },
  }
}

/** Returns the part of a bill that was rewarded, in cents; 0 when the transaction earns nothing. */
export function countedCentsOf({ benefit, reason }: Pick<Award, 'benefit' | 'reason'>): Cents {
  return benefit > 0 && 'countedCents' in reason ? reason.countedCents : 0
}

interface Evaluation {
  reason: AwardReason
  benefit: number
}

const noReward = (reason: AwardReason): Evaluation => ({ reason, benefit: 0 })

function evaluate(input: AwardInput): Evaluation {
  const evaluated = evaluateTransaction(input)
  const evaluation = 'code' in evaluated ? noReward(evaluated) : evaluated
  const isGivenUp = input.stage === 'authorized' && input.waiting === 'over'
  if (isGivenUp && canStillEarn.has(evaluation.reason.code)) return noReward({ code: 'neverCharged' })
  const isTooLate = input.program.reviewWithinDays !== undefined && input.review === 'expired'
  return isTooLate && evaluation.benefit > 0 ? noReward({ code: 'reviewExpired' }) : evaluation
}

/** Returns the obstacle to a reward, or the best reward of the offers. */
function evaluateTransaction(input: AwardInput): AwardReason | Rewarded {
  const { member, merchant } = input
  const lost = obstacleOfMoney(input)
  if (lost) return lost
  if (input.reportedTwice) return { code: 'reportedTwice' }
  if (input.countedElsewhere) return { code: 'countedElsewhere' }
  if (!member) return { code: 'cardUnknown' }
  if (!member.open) return { code: 'closedAccount' }
  if (!merchant) return unknownMerchant(input)
  const local = localMoment(new Date(input.dinedAt), merchant.timeZone)
  const obstacle =
    obstacleOfMerchant(merchant, local.date, input.dinedAt) ??
    obstacleOfCard(input, member) ??
    obstacleOfAccess(input, member, merchant)
  if (obstacle) return obstacle
  const rate = rateOf(input, member)
  if (rate === 0) return { code: 'tierWithoutReward', tier: member.tier }
  const open = applicableOffers(input, merchant.offers, local, countableCents(input))
  return Array.isArray(open) ? bestOf(open.map((offer) => rewardOf(input, rate, offer))) : open
}

function obstacleOfMoney({ currency, cents, refundedCents }: AwardInput): AwardReason | null {
  if (currency !== 'USD') return { code: 'currencyNotSupported', currency }
  if (cents <= 0) return { code: 'reversed' }
  if (refundedCents >= cents) return { code: 'refunded' }
  return null
}

function unknownMerchant({ knownBrand }: AwardInput): AwardReason {
  return knownBrand === undefined ? { code: 'merchantUnknown' } : { code: 'locationNotEnrolled', brand: knownBrand }
}

function obstacleOfMerchant(merchant: MerchantTerms, date: string, dinedAt: string): AwardReason | null {
  const { joinedOn, leftOn, leftAt, participating, idUntil } = merchant
  if (date < joinedOn) return { code: 'merchantNotYetJoined', joinedOn }
  const wasThere = leftAt !== undefined && Date.parse(dinedAt) < Date.parse(leftAt)
  if (leftOn !== null && date >= leftOn && !wasThere) {
    return { code: 'merchantLeft', leftOn, ...(leftAt !== undefined && { leftAt }) }
  }
  if (leftOn === null && !participating) return { code: 'merchantNotParticipating' }
  return idUntil !== undefined && date >= idUntil ? { code: 'processingChanged', changedOn: idUntil } : null
}

function obstacleOfCard({ dinedAt, program, pinDebit }: AwardInput, { cardLinkedAt }: MemberTerms): AwardReason | null {
  const from = Date.parse(cardLinkedAt) + program.linkActivationHours * HOUR
  if (Date.parse(dinedAt) < from) {
    return { code: 'cardLinkedTooLate', linkedAt: cardLinkedAt, earnsFrom: new Date(from).toISOString() }
  }
  return pinDebit && program.excludesPinDebit ? { code: 'debitWithPin' } : null
}

function obstacleOfAccess({ program }: AwardInput, { tier }: MemberTerms, merchant: MerchantTerms): AwardReason | null {
  if (!program.gatesAccess) return null
  const neededTier = tierNeeded(merchant.acclaimedLevel ?? 0, tierNumber(tier))
  return neededTier === null ? null : { code: 'accessLocked', neededTier }
}

/** The calculation of a reward, from the bill to the benefit. Amounts in cents, the rate per 100 dollars. */
export interface RewardCalculation {
  billCents: Cents
  refundedCents: Cents
  /** Tip and tax that do not count, of the part that was not refunded. */
  leftOutCents: Cents
  /** The part of the rest that counts. */
  countedCents: Cents
  /** The whole steps of that part. */
  steppedCents: Cents
  rate: number
  ratePercent: number
  benefit: number
  /** Whether the maximum of a meal made it smaller. */
  isCapped: boolean
}

/** The part of a bill that counts, in cents: what is neither refunded nor left out, and what of it is within the limits. */
export interface CountedParts {
  netCents: Cents
  countableCents: Cents
  countedCents: Cents
}

/** Returns the part of a bill that counts, by the function that decided its reward. */
export function countedParts(input: AwardInput): CountedParts {
  const evaluated = evaluateTransaction(input)
  const countable = countableCents(input)
  return {
    netCents: input.cents - input.refundedCents,
    countableCents: countable,
    countedCents: 'calculation' in evaluated ? evaluated.calculation.countedCents : countable,
  }
}

type Rewarded = Evaluation & { offer: Offer; calculation: RewardCalculation }

/** Returns the calculation of a reward, by the function that decided it; null when it earns nothing. */
export function calculateReward(input: AwardInput): RewardCalculation | null {
  if (evaluate(input).benefit === 0) return null
  const evaluated = evaluateTransaction(input)
  return 'code' in evaluated ? null : evaluated.calculation
}

// Offers are not cumulative: the best one wins; of equals, the newest.
function bestOf(rewards: readonly Rewarded[]): Rewarded {
  const [best] = rewards.toSorted((a, b) => b.benefit - a.benefit || b.offer.id - a.offer.id)
  return best as Rewarded
}

function rewardOf(input: AwardInput, rate: number, offer: Offer): Rewarded {
  const { earnStepCents: step, maxRewardPerMeal = Number.POSITIVE_INFINITY } = input.program
  const countable = countableCents(input)
  const countedCents = Math.min(countable, offer.maxSpendCents ?? countable, monthlyLeft(input, offer))
  const steppedCents = countedCents - (countedCents % step)
  const uncappedBenefit = benefitFor(steppedCents, rate, offer.ratePercent)
  const benefit = Math.min(uncappedBenefit, maxRewardPerMeal)
  const calculation: RewardCalculation = {
    billCents: input.cents,
    refundedCents: input.refundedCents,
    leftOutCents: input.cents - input.refundedCents - countable,
    countedCents,
    steppedCents,
    rate,
    ratePercent: offer.ratePercent,
    benefit,
    isCapped: uncappedBenefit > benefit,
  }
  return {
    offer,
    benefit,
    calculation,
    reason: earnedReason(input, offer, { ...calculation, countable, uncappedBenefit }),
  }
}

function earnedReason(
  input: AwardInput,
  offer: Offer,
  calculation: RewardCalculation & { countable: Cents; uncappedBenefit: number },
): AwardReason {
  const { countedCents, countable, uncappedBenefit, benefit, rate, ratePercent } = calculation
  const { earnStepCents, maxRewardPerMeal } = input.program
  if (benefit === 0) return { code: 'belowStep', neededCents: neededFor(rate, ratePercent, earnStepCents) }
  if (input.refundedCents > 0) return { code: 'partlyRefunded', countedCents }
  if (maxRewardPerMeal !== undefined && uncappedBenefit > benefit) return { code: 'earnedUpToMaximum', countedCents }
  if (countable === countedCents) return { code: 'earned', countedCents }
  return offer.maxSpendCents === countedCents
    ? { code: 'earnedUpToLimit', countedCents, limitCents: offer.maxSpendCents }
    : { code: 'earnedUpToMonth', countedCents, limitCents: offer.maxMonthlySpendCents as Cents }
}

/** Returns the part of a bill that counts: without refunds, and without tip or tax where those do not count. */
function countableCents({ cents, refundedCents, tipCents = 0, taxCents = 0, program }: AwardInput): Cents {
  const netCents = cents - refundedCents
  const leavesOut = program.leavesOut ?? []
  const leftOut = (leavesOut.includes('tip') ? tipCents : 0) + (leavesOut.includes('tax') ? taxCents : 0)
  if (leftOut === 0) return netCents
  // A refund reduces all parts proportionally.
  const counting = BigInt(Math.max(0, cents - leftOut))
  return Number((counting * BigInt(netCents)) / BigInt(cents))
}

/** The divisor of a rate per 100 dollars (in cents) and of a percentage. */
const perHundredDollarsAndPercent = 100_00 * 100

/** Rates are smallest units per 100 dollars of whole steps. Fractions are dropped once, toward zero, only here. */
function benefitFor(steppedCents: Cents, rate: number, percent: number): number {
  return Number((BigInt(steppedCents) * BigInt(rate) * BigInt(percent)) / BigInt(perHundredDollarsAndPercent))
}

type OrdinaryTerms = Pick<PublicConfig, 'earnRates' | 'earnStepCents' | 'minimumSpendCents' | 'maxRewardPerMeal'>

/** Returns the reward of a bill by the rates of a program alone: what is expected where no restaurant or offer is known. */
export function ordinaryReward(program: OrdinaryTerms, cents: Cents, tier: TierLevel): number {
  const { earnRates, earnStepCents, minimumSpendCents, maxRewardPerMeal = Number.POSITIVE_INFINITY } = program
  if (cents < minimumSpendCents) return 0
  return Math.min(benefitFor(cents - (cents % earnStepCents), earnRates[tier], 100), maxRewardPerMeal)
}

/** Returns the smallest amount that earns one unit: a whole number of steps. */
function neededFor(rate: number, percent: number, step: Cents): Cents {
  return Math.ceil(perHundredDollarsAndPercent / (rate * percent * step)) * step
}

/** Results that a tip at the clearing can still change. */
export const canStillEarn: ReadonlySet<ReasonCode> = new Set([
  'earned',
  'earnedUpToLimit',
  'earnedUpToMonth',
  'earnedUpToMaximum',
  'partlyRefunded',
  'belowStep',
  'belowMinimum',
])
/**
 * Results of a meal that earns nothing only because of its amount, or of the limits of earlier meals. It is a dine
 * nevertheless: it honors a reservation, and counts toward bonuses.
 */
export const dinesWithoutReward: ReadonlySet<ReasonCode> = new Set([
  'belowStep',
  'belowMinimum',
  'visitsUsedUp',
  'monthlySpendUsedUp',
])
/** Results that linking the card, or the restaurant joining, can still change. */
const canStillMatch: ReadonlySet<ReasonCode> = new Set(['cardUnknown', 'merchantUnknown', 'locationNotEnrolled'])

function statusOf(input: AwardInput, { code }: AwardReason, benefit: number): Award['awardStatus'] {
  const { stage, program, review, waiting } = input
  if (canStillMatch.has(code)) return waiting === 'over' ? 'Forfeit' : 'Deferred'
  if (stage === 'authorized' && canStillEarn.has(code)) return 'Pending'
  if (benefit === 0) return 'Forfeit'
  if (program.reviewWithinDays !== undefined && review !== 'done') return 'Pending'
  return program.deferDays && waiting !== 'over' ? 'Deferred' : 'Awarded'
}
