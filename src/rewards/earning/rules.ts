import { tierNeeded } from '../../dining/merchants/rules.ts'
import type { Cents } from '../../platform/money.ts'
import { HOUR, localMoment } from '../../platform/time.ts'
import { tierNumber } from '../../programs/partners/rates.ts'
import type { Finding, Reason, ReasonCode } from './findings.ts'
import { monthlyLeft, openOffers, rateOf } from './offers.ts'
import { type Dinner, type MemberTerms, type MerchantTerms, type Offer, type RewardUnit, unitOf } from './terms.ts'

/** Incremented with every change of award rules; stored with each award. */
export const ruleVersion = 4

export interface Decision {
  /** In the smallest unit: miles, points or cents. Never negative. */
  benefit: number
  unit: RewardUnit
  awardStatus: 'Awarded' | 'Pending' | 'Forfeit' | 'Deferred'
  reason: Reason
}

/**
 * Returns what a transaction earns, and why. An authorized one is `Pending` while its clearing can still make it earn,
 * a cleared one while the program waits for its review. One with an unknown card or restaurant is `Deferred`, and so is
 * a reward that the program holds back for some days.
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

/** Returns the part of a bill that was rewarded, in cents; 0 when the transaction earns nothing. */
export function countedCentsOf({ benefit, reason }: Pick<Decision, 'benefit' | 'reason'>): Cents {
  return benefit > 0 && 'countedCents' in reason ? reason.countedCents : 0
}

interface Verdict {
  finding: Finding
  benefit: number
}

const nothing = (finding: Finding): Verdict => ({ finding, benefit: 0 })

function judge(dinner: Dinner): Verdict {
  const judged = judgeMeal(dinner)
  const verdict = 'code' in judged ? nothing(judged) : judged
  const isGivenUp = dinner.stage === 'authorized' && dinner.waiting === 'over'
  if (isGivenUp && canStillEarn.has(verdict.finding.code)) return nothing({ code: 'neverCharged' })
  const isTooLate = dinner.program.reviewWithinDays !== undefined && dinner.review === 'expired'
  return isTooLate && verdict.benefit > 0 ? nothing({ code: 'reviewExpired' }) : verdict
}

/** Returns the obstacle to a reward, or the best reward of the offers. */
function judgeMeal(dinner: Dinner): Finding | Rewarded {
  const { member, merchant } = dinner
  const lost = obstacleOfMoney(dinner)
  if (lost) return lost
  if (!member) return { code: 'cardUnknown' }
  if (!member.open) return { code: 'closedAccount' }
  if (!merchant) return unknownMerchant(dinner)
  const local = localMoment(new Date(dinner.dinedAt), merchant.timeZone)
  const obstacle =
    obstacleOfMerchant(merchant, local.date) ??
    obstacleOfCard(dinner, member) ??
    obstacleOfAccess(dinner, member, merchant)
  if (obstacle) return obstacle
  const rate = rateOf(dinner, member)
  if (rate === 0) return { code: 'tierWithoutReward', tier: member.tier }
  const open = openOffers(dinner, merchant.offers, local, countableCents(dinner))
  return Array.isArray(open) ? bestOf(open.map((offer) => rewardOf(dinner, rate, offer))) : open
}

function obstacleOfMoney({ currency, cents, refundedCents }: Dinner): Finding | null {
  if (currency !== 'USD') return { code: 'currencyNotSupported', currency }
  if (cents <= 0) return { code: 'reversed' }
  if (refundedCents >= cents) return { code: 'refunded' }
  return null
}

function unknownMerchant({ knownBrand }: Dinner): Finding {
  return knownBrand === undefined ? { code: 'merchantUnknown' } : { code: 'locationNotEnrolled', brand: knownBrand }
}

function obstacleOfMerchant(merchant: MerchantTerms, date: string): Finding | null {
  const { joinedOn, leftOn, participating, idUntil } = merchant
  if (date < joinedOn) return { code: 'merchantNotYetJoined', joinedOn }
  if (leftOn !== null && date >= leftOn) return { code: 'merchantLeft', leftOn }
  if (leftOn === null && !participating) return { code: 'merchantNotParticipating' }
  return idUntil !== undefined && date >= idUntil ? { code: 'processingChanged', changedOn: idUntil } : null
}

function obstacleOfCard({ dinedAt, program, pinDebit }: Dinner, { cardLinkedAt }: MemberTerms): Finding | null {
  const from = Date.parse(cardLinkedAt) + program.linkActivationHours * HOUR
  if (Date.parse(dinedAt) < from) {
    return { code: 'cardLinkedTooLate', linkedAt: cardLinkedAt, earnsFrom: new Date(from).toISOString() }
  }
  return pinDebit && program.excludesPinDebit ? { code: 'debitWithPin' } : null
}

function obstacleOfAccess({ program }: Dinner, { tier }: MemberTerms, merchant: MerchantTerms): Finding | null {
  if (!program.gatesAccess) return null
  const neededTier = tierNeeded(merchant.acclaimedLevel ?? 0, tierNumber(tier))
  return neededTier === null ? null : { code: 'accessLocked', neededTier }
}

/** The calculation of a reward, from the bill to the benefit. Amounts in cents, the rate per 100 dollars. */
export interface WorkedSum {
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
}

type Rewarded = Verdict & { offer: Offer; sum: WorkedSum }

/** Returns the calculation of a reward, by the function that decided it; null when it earns nothing. */
export function workedSum(dinner: Dinner): WorkedSum | null {
  if (judge(dinner).benefit === 0) return null
  const judged = judgeMeal(dinner)
  return 'code' in judged ? null : judged.sum
}

// Offers are not cumulative: the best one wins; of equals, the newest.
function bestOf(rewards: readonly Rewarded[]): Rewarded {
  const [best] = rewards.toSorted((a, b) => b.benefit - a.benefit || b.offer.id - a.offer.id)
  return best as Rewarded
}

function rewardOf(dinner: Dinner, rate: number, offer: Offer): Rewarded {
  const { earnStepCents: step, maxRewardPerMeal = Number.POSITIVE_INFINITY } = dinner.program
  const countable = countableCents(dinner)
  const countedCents = Math.min(countable, offer.maxSpendCents ?? countable, monthlyLeft(dinner, offer))
  const steppedCents = countedCents - (countedCents % step)
  const worth = benefitFor(steppedCents, rate, offer.ratePercent)
  const benefit = Math.min(worth, maxRewardPerMeal)
  const sum: WorkedSum = {
    billCents: dinner.cents,
    refundedCents: dinner.refundedCents,
    leftOutCents: dinner.cents - dinner.refundedCents - countable,
    countedCents,
    steppedCents,
    rate,
    ratePercent: offer.ratePercent,
    benefit,
  }
  return { offer, benefit, sum, finding: findingOf(dinner, offer, { ...sum, countable, worth }) }
}

function findingOf(dinner: Dinner, offer: Offer, sum: WorkedSum & { countable: Cents; worth: number }): Finding {
  const { countedCents, countable, worth, benefit, rate, ratePercent } = sum
  const { earnStepCents, maxRewardPerMeal } = dinner.program
  if (benefit === 0) return { code: 'belowStep', neededCents: neededFor(rate, ratePercent, earnStepCents) }
  if (dinner.refundedCents > 0) return { code: 'partlyRefunded', countedCents }
  if (maxRewardPerMeal !== undefined && worth > benefit) return { code: 'earnedUpToMaximum', countedCents }
  if (countable === countedCents) return { code: 'earned', countedCents }
  return offer.maxSpendCents === countedCents
    ? { code: 'earnedUpToLimit', countedCents, limitCents: offer.maxSpendCents }
    : { code: 'earnedUpToMonth', countedCents, limitCents: offer.maxMonthlySpendCents as Cents }
}

/** Returns the part of a bill that counts: without refunds, and without tip or tax where those do not count. */
function countableCents({ cents, refundedCents, tipCents = 0, taxCents = 0, program }: Dinner): Cents {
  const kept = cents - refundedCents
  const leavesOut = program.leavesOut ?? []
  const leftOut = (leavesOut.includes('tip') ? tipCents : 0) + (leavesOut.includes('tax') ? taxCents : 0)
  if (leftOut === 0) return kept
  // A refund reduces all parts proportionally.
  const counting = BigInt(Math.max(0, cents - leftOut))
  return Number((counting * BigInt(kept)) / BigInt(cents))
}

/** The divisor of a rate per 100 dollars (in cents) and of a percentage. */
const perHundredDollarsAndPercent = 100_00 * 100

/** Rates are smallest units per 100 dollars of whole steps. Fractions are dropped once, toward zero, only here. */
function benefitFor(steppedCents: Cents, rate: number, percent: number): number {
  return Number((BigInt(steppedCents) * BigInt(rate) * BigInt(percent)) / BigInt(perHundredDollarsAndPercent))
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
/** Results that linking the card, or the restaurant joining, can still change. */
const canStillMatch: ReadonlySet<ReasonCode> = new Set(['cardUnknown', 'merchantUnknown', 'locationNotEnrolled'])

function statusOf(dinner: Dinner, { code }: Finding, benefit: number): Decision['awardStatus'] {
  const { stage, program, review, waiting } = dinner
  if (canStillMatch.has(code)) return waiting === 'over' ? 'Forfeit' : 'Deferred'
  if (stage === 'authorized' && canStillEarn.has(code)) return 'Pending'
  if (benefit === 0) return 'Forfeit'
  if (program.reviewWithinDays !== undefined && review !== 'done') return 'Pending'
  return program.deferDays && waiting !== 'over' ? 'Deferred' : 'Awarded'
}
