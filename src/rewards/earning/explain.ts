import { formatCents } from '../../platform/money.ts'
import { addDays, DAY, dayIn, formatClock } from '../../platform/time.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import type { AwardExplanation, AwardStatus, DisplayStatus, RewardTransaction } from './contract.ts'
import type { StoredReason } from './reasons.ts'
import { calculateReward, canStillEarn, countedParts } from './rules.ts'

/** A copy key of `rewardsCopy` and its parameters. */
export interface MessageRef {
  key: string
  params: Record<string, string>
}

export interface ExplainedTransaction {
  reason: StoredReason
  merchantName: string
  benefit: number
  awardStatus: AwardStatus
}

const weekdays = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays']

/** Returns why a transaction earned its award, as a copy key with formatted parameters. */
export function explain(config: PublicConfig, transaction: ExplainedTransaction): AwardExplanation {
  const { reason } = transaction
  const code: string | undefined = reason.code
  // A bonus beside a transaction has no award inputs, only an agreed amount.
  if (code === 'reservationBonus') {
    const copyKey =
      transaction.awardStatus === 'Forfeit' ? 'rewards.why.reservationBonus_lost' : 'rewards.why.reservationBonus'
    return { code, rule: reason.rule, key: copyKey, params: bonusParams(config, transaction) }
  }
  if (code === 'replacedByTransaction') {
    return {
      code,
      rule: reason.rule,
      key: 'rewards.why.replacedByTransaction',
      params: bonusParams(config, transaction),
    }
  }
  if (code === 'reservationCanceled') {
    return {
      code,
      rule: reason.rule,
      key: 'rewards.why.reservationBonus_canceled',
      params: bonusParams(config, transaction),
    }
  }
  if (code === 'bonus') {
    const copyKey = transaction.awardStatus === 'Forfeit' ? 'rewards.why.bonus_lost' : 'rewards.why.bonus'
    const bonus = String((reason as unknown as { description?: string }).description ?? '')
    return { code, rule: reason.rule, key: copyKey, params: { ...bonusParams(config, transaction), bonus } }
  }
  if (code === 'creditedByHand') {
    return { code, rule: reason.rule, key: 'rewards.why.creditedByHand', params: bonusParams(config, transaction) }
  }
  // Manual entries have no award inputs.
  if (!reason.inputs) return { code: reason.code ?? 'manual', rule: 0, key: 'rewards.why.unexplained', params: {} }
  return { code: reason.code, rule: reason.rule, key: keyOf(transaction), params: paramsOf(config, transaction) }
}

function bonusParams(config: PublicConfig, { merchantName, benefit }: ExplainedTransaction): Record<string, string> {
  return { merchant: merchantName, benefit: formatReward(config, benefit) }
}

function keyOf({ reason, awardStatus, benefit }: ExplainedTransaction): string {
  const base = `rewards.why.${reason.code}`
  if (reason.code === 'visitsUsedUp' && reason.limit === 1) return `${base}_one`
  if (awaitsReview({ reason, awardStatus })) return 'rewards.why.awaitsReview'
  if (awardStatus === 'Deferred' && benefit > 0) return 'rewards.why.held'
  if (reason.code === 'merchantUnknown' && awardStatus === 'Forfeit') return `${base}_over`
  if (reason.code === 'accessLocked') {
    return `${base}_${reason.inputs.member?.tier === 'NonActivated' ? 'activate' : reason.neededTier}`
  }
  if (reason.code === 'dayWithoutReward' && reason.night) return `${base}_night`
  const part = partsOf(reason) || givenTierOf(reason)
  return awardStatus === 'Pending' && canStillEarn.has(reason.code) ? `${base}${part}_pending` : `${base}${part}`
}

/** Returns the variant of a text that says which part of the bill counted; empty where the whole bill did. */
function partsOf({ code, inputs }: StoredReason): string {
  if (!codesWithParts.has(code)) return ''
  const { netCents, countableCents, countedCents } = countedParts(inputs)
  const isLeftOut = countableCents < netCents
  if (code === 'partlyRefunded') {
    if (calculateReward(inputs)?.isCapped) return '_maximum'
    return countedCents < netCents ? '_counted' : ''
  }
  if (code === 'belowStep' && countedCents < countableCents) return '_limited'
  if (code === 'earned') return isLeftOut ? '_leftOut' : ''
  if (inputs.refundedCents > 0) return isLeftOut ? '_refundedLeftOut' : '_refunded'
  return isLeftOut ? '_leftOut' : ''
}

/** Returns the variant of a text that says that the tier was given until a day; empty where it was earned. */
function givenTierOf({ code, inputs }: StoredReason): string {
  return code === 'earned' && inputs.member?.granted ? '_given' : ''
}

const codesWithParts: ReadonlySet<string> = new Set(['earned', 'belowStep', 'belowMinimum', 'partlyRefunded'])

/** Returns the parts of a bill that do not count, as they are named in a sentence. */
function leftOutText({ program, tipCents = 0, taxCents = 0 }: StoredReason['inputs']): string {
  const names = [
    program.leavesOut?.includes('tip') && tipCents > 0 && 'tip',
    program.leavesOut?.includes('tax') && taxCents > 0 && 'tax',
  ]
  return names.filter(Boolean).join(' and ')
}

/** A cleared transaction can only be pending because of its review. */
function awaitsReview({ reason, awardStatus }: Pick<ExplainedTransaction, 'reason' | 'awardStatus'>): boolean {
  return reason.inputs.stage === 'cleared' && awardStatus === 'Pending'
}

function paramsOf(
  config: PublicConfig,
  { reason, merchantName, benefit, awardStatus }: ExplainedTransaction,
): Record<string, string> {
  const { inputs } = reason
  const timeZone = inputs.merchant?.timeZone ?? 'UTC'
  const always = {
    merchant: merchantName,
    amount: formatCents(inputs.cents),
    benefit: formatReward(config, benefit),
    ...((partsOf(reason) !== '' || reason.code === 'partlyRefunded') && {
      counted: formatCents(countedParts(inputs).countedCents),
      refunded: formatCents(Math.min(inputs.refundedCents, inputs.cents)),
      leftOut: leftOutText(inputs),
    }),
  }
  if (awaitsReview({ reason, awardStatus }))
    return { ...always, reviewBy: reviewByText(new Date(inputs.dinedAt), timeZone) }
  switch (reason.code) {
    case 'earnedUpToLimit':
      return { ...always, limit: formatCents(reason.limitCents) }
    case 'earnedUpToMonth':
      return { ...always, counted: formatCents(reason.countedCents), limit: formatCents(reason.limitCents) }
    case 'monthlySpendUsedUp':
      return { ...always, limit: formatCents(reason.limitCents) }
    case 'belowMinimum':
      return { ...always, needed: formatCents(reason.neededCents) }
    case 'locationNotEnrolled':
      return { ...always, brand: reason.brand }
    case 'processingChanged':
      return { ...always, changedOn: dayText(reason.changedOn) }
    case 'hourWithoutReward':
      return { ...always, ...clockParams(reason) }
    case 'refunded':
      return { ...always, refunded: formatCents(Math.min(inputs.refundedCents, inputs.cents)) }
    case 'belowStep':
      return { ...always, needed: formatCents(reason.neededCents) }
    case 'currencyNotSupported':
      return { merchant: merchantName, currency: reason.currency }
    case 'cardLinkedTooLate':
      return {
        ...always,
        linkedOn: instantText(reason.linkedAt, timeZone),
        earnsFrom: instantText(reason.earnsFrom, timeZone),
      }
    case 'merchantNotYetJoined':
      return { ...always, joinedOn: dayText(reason.joinedOn) }
    case 'merchantLeft':
      return { ...always, leftOn: reason.leftAt ? instantText(reason.leftAt, timeZone) : dayText(reason.leftOn) }
    case 'dayWithoutReward':
      return reason.night
        ? { ...always, weekday: weekdays[reason.weekday] ?? '', ...clockParams(reason.night) }
        : { ...always, weekday: weekdays[reason.weekday] ?? '' }
    case 'visitsUsedUp':
      return { ...always, limit: String(reason.limit) }
    case 'reviewExpired':
      return { ...always, reviewBy: reviewByText(new Date(inputs.dinedAt), timeZone) }
    default:
      return always
  }
}

const clockParams = ({ from, until }: { from: string; until: string }) => ({
  from: formatClock(from),
  until: formatClock(until),
})

/** Returns the last whole day on which a transaction can be reviewed, on the calendar of its restaurant. */
export function reviewByText(dinedAt: Date, timeZone: string): string {
  return dayText(addDays(dayIn(dinedAt, timeZone), reviewDays))
}

/** Formats a calendar day, `YYYY-MM-DD`, for people. */
export function dayText(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' })
}

function instantText(iso: string, timeZone: string): string {
  return new Date(iso).toLocaleString('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' })
}

/** Days that a transaction waits for its review, the last day included. */
export const reviewDays = 35

/** The fields of a transaction that determine its status. */
export interface DisplayStatusInput {
  awardStatus: AwardStatus
  /** The reason code of the award; manual entries have codes of their own. */
  code: string | undefined
  typeCode: string
  benefit: number
  /** Whether the final amount is known. */
  cleared: boolean
  paid: boolean
}

const statusOfReason: Readonly<Record<string, DisplayStatus>> = {
  refunded: 'refunded',
  reversed: 'canceled',
  neverCharged: 'expired',
  reviewExpired: 'reviewExpired',
  belowStep: 'belowMinimum',
  belowMinimum: 'belowMinimum',
  noOffer: 'outsideOffer',
  dayWithoutReward: 'outsideOffer',
  hourWithoutReward: 'outsideOffer',
  visitsUsedUp: 'limitReached',
  monthlySpendUsedUp: 'limitReached',
  replacedByTransaction: 'replaced',
}

/** Returns the status of a transaction, the same on every page and in every file. */
export function displayStatus({
  awardStatus,
  code = '',
  typeCode,
  benefit,
  cleared,
  paid,
}: DisplayStatusInput): DisplayStatus {
  if (awardStatus === 'Pending') return cleared ? 'review' : 'open'
  if (awardStatus === 'Deferred') return benefit > 0 ? 'held' : 'checking'
  const isBonus = typeCode === 'B'
  if (awardStatus === 'Forfeit') return isBonus ? 'bonusTakenBack' : (statusOfReason[code] ?? 'notEarned')
  if (awardStatus === 'Paid' && paid) return 'paid'
  return isBonus ? 'bonus' : 'posted'
}

export interface StatusText extends MessageRef {
  /** Forfeit, pending and deferred lines are dimmed. */
  dimmed: boolean
  /** A sentence with details, where the program has one. */
  details: string | null
}

type StatusOf = Pick<RewardTransaction, 'status' | 'paidAt' | 'transactionCreatedAt'>
type StatusConfig = Pick<PublicConfig, 'statusCopy' | 'timeZone'>

/** The statuses for which a program has its own texts. */
const statusesWithOwnText: Readonly<Record<PublicConfig['statusCopy'], readonly DisplayStatus[]>> = {
  plain: ['posted'],
  translated: ['open', 'posted', 'bonus'],
  fuel: ['open', 'held', 'checking', 'posted', 'notEarned'],
}

const inBalance: ReadonlySet<DisplayStatus> = new Set(['posted', 'paid', 'bonus'])

/** Returns the text for the current status of a line, in the program's `statusCopy`. An empty text shows nothing. */
export function statusText({ statusCopy, timeZone }: StatusConfig, entry: StatusOf, now: Date): StatusText {
  const status = isReviewOverdue(entry, now) ? 'reviewExpired' : entry.status
  return {
    key: `rewards.status.${statusesWithOwnText[statusCopy].includes(status) ? `${statusCopy}.` : ''}${status}`,
    params: entry.paidAt ? { paidOn: shortDate(entry.paidAt, timeZone) } : {},
    dimmed: !inBalance.has(status),
    details:
      statusCopy === 'fuel' && (status === 'checking' || status === 'held')
        ? `rewards.status_details.fuel.${status}`
        : null,
  }
}

/** Returns whether the time for a review is over, also where the award does not say so yet. */
function isReviewOverdue({ status, transactionCreatedAt }: Omit<StatusOf, 'paidAt'>, now: Date): boolean {
  return status === 'review' && now.getTime() >= Date.parse(transactionCreatedAt) + (reviewDays + 1) * DAY
}

/** Returns the reward of a line, in the unit of the call: nothing once the time for its review is over. */
export function shownBenefit(
  entry: Omit<StatusOf, 'paidAt'> & Pick<RewardTransaction, 'benefitAmount'>,
  now: Date,
): number {
  return isReviewOverdue(entry, now) ? 0 : entry.benefitAmount
}

const bonusNames: Readonly<Record<string, string>> = {
  bonus: 'activity.bonus_named',
  reservationBonus: 'activity.bonus_reservation',
  reservationCanceled: 'activity.bonus_reservation',
}

/** Returns the copy key of the name of a bonus. */
export const bonusNameKey = (code: string): string => bonusNames[code] ?? 'activity.bonus'

/** Formats the day of an instant as `3/12/26`. */
export function shortDate(iso: string, timeZone: string): string {
  return new Date(iso).toLocaleDateString('en-US', {
    timeZone,
    month: 'numeric',
    day: 'numeric',
    year: '2-digit',
  })
}
