import type { Cents } from '../../platform/money.ts'
import { addDays, type LocalMoment, localMoment, parseClock } from '../../platform/time.ts'
import type { AwardReason } from './reasons.ts'
import type { AwardInput, MemberTerms, MerchantTerms, Offer } from './terms.ts'

/** Returns the program's rate for a member at this transaction: smallest units per 100 dollars. */
export function rateOf(input: AwardInput, { tier }: MemberTerms): number {
  return (input.program.earnRates[tier] ?? 0) + (input.flexRate ?? 0)
}

/** Returns the offers that reward a transaction on its local day, the highest rate first. */
export function offersOfDay(offers: readonly Offer[], local: LocalMoment): Offer[] {
  return offers
    .filter((offer) => isValid(offer, local))
    .filter((offer) => offer.days.includes(dayOf(offer, local).weekday) && offer.ratePercent > 0)
    .toSorted((a, b) => b.ratePercent - a.ratePercent || b.id - a.id)
}

function isValid(offer: Offer, local: LocalMoment): boolean {
  const { date } = dayOf(offer, local)
  return offer.startsOn <= date && (offer.endsOn === null || date <= offer.endsOn)
}

/** Returns the day that a moment counts to for an offer: after midnight, a night's day is the one on which it began. */
function dayOf({ hours, isNight }: Offer, local: LocalMoment): Pick<LocalMoment, 'date' | 'weekday'> {
  if (!isNight || !hours || local.minutes > parseClock(hours.until)) return local
  return { date: addDays(local.date, -1), weekday: (local.weekday + 6) % 7 }
}

/** Returns whether a moment after midnight is within an offer's hours and on its weekday, but in the night before. */
function isBeforeItsNight(offer: Offer, local: LocalMoment): boolean {
  const day = dayOf(offer, local)
  return day !== local && offer.ratePercent > 0 && offer.days.includes(local.weekday) && isValid(offer, local)
}

/** Returns the offers that apply to a transaction of this amount, or why there are none. */
export function applicableOffers(
  input: AwardInput,
  offers: readonly Offer[],
  local: LocalMoment,
  netCents: Cents,
): Offer[] | AwardReason {
  const { date, weekday } = local
  if (!offers.some((offer) => isValid(offer, local) && offer.ratePercent > 0)) return { code: 'noOffer', date }
  const today = offersOfDay(offers, local)
  if (today.length === 0) {
    const night = offers.find((offer) => isBeforeItsNight(offer, local))
    return { code: 'dayWithoutReward', weekday, ...(night?.hours && { night: night.hours }) }
  }
  const now = today.filter((offer) => isWithin(offer, local.minutes))
  if (now.length === 0) return { code: 'hourWithoutReward', ...(today[0]?.hours as { from: string; until: string }) }
  const open = now.filter((o) => o.maxVisitsPerMonth === null || input.earlierVisits < o.maxVisitsPerMonth)
  if (open.length === 0) return { code: 'visitsUsedUp', limit: maxOf(now.map((o) => o.maxVisitsPerMonth ?? 0)) }
  const left = open.filter((offer) => monthlyLeft(input, offer) > 0)
  if (left.length === 0) {
    return { code: 'monthlySpendUsedUp', limitCents: maxOf(open.map((o) => o.maxMonthlySpendCents ?? 0)) }
  }
  const enough = left.filter((offer) => netCents >= minimumOf(input, offer))
  if (enough.length === 0) {
    return { code: 'belowMinimum', neededCents: Math.min(...left.map((offer) => minimumOf(input, offer))) }
  }
  return enough
}

/** Returns whether an offer's reward depends on the other transactions of its month. */
function isMonthly({ maxVisitsPerMonth, maxMonthlySpendCents }: Offer): boolean {
  return maxVisitsPerMonth !== null || maxMonthlySpendCents !== undefined
}

/** Returns whether rewards at a restaurant may depend on the other transactions of a month. */
export function hasMonthlyLimit(merchant: Pick<MerchantTerms, 'offers'> | null): boolean {
  return merchant?.offers.some(isMonthly) ?? false
}

/** Returns the local month to which an instant counts, `YYYY-MM`. */
export function monthOf(instant: Date, timeZone: string): string {
  return localMoment(instant, timeZone).date.slice(0, 7)
}

const maxOf = (numbers: readonly number[]) => Math.max(...numbers)

const minimumOf = ({ program }: AwardInput, { minSpendCents = 0 }: Offer) =>
  Math.max(program.minimumCents ?? 0, minSpendCents)

/** Returns the remainder of an offer's monthly limit, in cents. */
export function monthlyLeft({ earlierCountedCents = 0 }: AwardInput, { maxMonthlySpendCents }: Offer): number {
  return (maxMonthlySpendCents ?? Number.POSITIVE_INFINITY) - earlierCountedCents
}

function isWithin({ hours }: Offer, minutes: number): boolean {
  if (!hours) return true
  const [from, until] = [parseClock(hours.from), parseClock(hours.until)]
  return from <= until ? from <= minutes && minutes <= until : minutes >= from || minutes <= until
}
