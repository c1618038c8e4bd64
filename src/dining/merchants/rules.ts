import { toSlug } from '../../platform/text.ts'
import { type LocalMoment, parseClock } from '../../platform/time.ts'
import type { PublicConfig, TierLevel } from '../../programs/partners/contract.ts'
import { bestTier } from '../../programs/partners/rates.ts'
import type { Point } from '../../programs/places/contract.ts'
import type { MerchantDetail, Offer } from './contract.ts'

const earthMiles = 3958.8
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Minimum number of characters for suggestions. */
export const minSuggestLength = 3

/** Returns a city as part of an address, such as `new-york-ny`; null for a name without letters and digits. */
export function citySlug({ city, state }: { city: string; state: string }): string | null {
  const name = toSlug(city)
  return name === '' ? null : `${name}-${state.toLowerCase()}`
}

/** Converts a point to x, y, z on the unit sphere, where distances can be compared without trigonometry per pair. */
export function toUnitVector({ latitude, longitude }: Point): [number, number, number] {
  const [phi, lambda] = [radians(latitude), radians(longitude)]
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}

/** Converts the square of a chord of the unit sphere to miles over the ground. */
export function milesFromSquaredDistance(squared: number): number {
  return 2 * earthMiles * Math.asin(Math.min(1, Math.sqrt(squared) / 2))
}

/** Converts miles over the ground to the square of a chord of the unit sphere. */
export function squaredDistanceFromMiles(miles: number): number {
  return (2 * Math.sin(Math.min(Math.PI / 2, miles / (2 * earthMiles)))) ** 2
}

/** Returns the great-circle distance between two points in miles. */
export function milesBetween(a: Point, b: Point): number {
  const [ax, ay, az] = toUnitVector(a)
  const [bx, by, bz] = toUnitVector(b)
  return milesFromSquaredDistance((ax - bx) ** 2 + (ay - by) ** 2 + (az - bz) ** 2)
}

/** Returns the offers that are valid on a local date, without those whose rate is 0: they earn nothing. */
export function offersOn(offers: readonly Offer[], date: string): Offer[] {
  return offers.filter(
    ({ startsOn, endsOn, ratePercent }) => ratePercent > 0 && startsOn <= date && (endsOn === null || date <= endsOn),
  )
}

/** Returns the weekdays on which transactions earn with the offers of a local date; 0 is Sunday. */
export function earnDays(offers: readonly Offer[], date: string): Set<number> {
  return new Set(offersOn(offers, date).flatMap(({ days }) => days))
}

/** Returns true when a transaction on a local date earns with these offers. */
export function earnsOn(offers: readonly Offer[], date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return offersOn(offers, date).some(({ days }) => days.includes(weekday))
}

/** Returns the mean of whole stars, to one decimal; 0 without a rating. */
export function meanRating(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum / count) * 10) / 10
}

/** Returns the copy key for what a tier earns. Lower tiers see a hint at a better rate only when there is one. */
export function earnKey(config: PublicConfig, tier: TierLevel): string {
  const more = (config.earnRates[bestTier(config)] ?? 0) > (config.earnRates[tier] ?? 0)
  const hints = tier === 'OptedOut' || tier === 'NonActivated'
  return hints && !more ? 'merchant.earn' : `merchant.earn_${tier}`
}

/**
 * Returns the tier (2 or 3) that a member must reach before an acclaimed merchant earns; null when the member's is
 * sufficient.
 */
export function tierNeeded(acclaimedLevel: number, tier: 0 | 1 | 2 | 3): 2 | 3 | null {
  if (acclaimedLevel === 0 || tier > acclaimedLevel) return null
  return acclaimedLevel === 1 ? 2 : 3
}

export type OpenState = { open: true; until: string } | { open: false; next: Opening | null }

/** `weekday` is null when the restaurant opens later on the same day. */
interface Opening {
  weekday: number | null
  at: string
}

/**
 * Returns whether a restaurant is open at a local moment, until when, and when it opens next; null when the hours are
 * unknown.
 */
export function openState(hours: MerchantDetail['hours'], { weekday, minutes }: LocalMoment): OpenState | null {
  if (hours === null) return null
  for (const [day, now] of [
    [weekday, minutes],
    [(weekday + 6) % 7, minutes + 1440],
  ] as const) {
    const span = spansOf(hours, day).find(({ opens, closes }) => opens <= now && now < closes)
    if (span) return { open: true, until: span.to }
  }
  for (let daysAhead = 0; daysAhead <= 7; daysAhead++) {
    const day = (weekday + daysAhead) % 7
    const later = spansOf(hours, day).filter(({ opens }) => daysAhead > 0 || opens > minutes)
    const first = later.toSorted((a, b) => a.opens - b.opens)[0]
    if (first) return { open: false, next: { weekday: daysAhead === 0 ? null : day, at: first.from } }
  }
  return { open: false, next: null }
}

interface Span {
  from: string
  to: string
  opens: number
  /** Minutes; above 1440 when the restaurant closes after midnight. */
  closes: number
}

function spansOf(hours: NonNullable<MerchantDetail['hours']>, day: number): Span[] {
  return (hours[String(day)] ?? []).map(([from, to]) => {
    const [opens, closes] = [parseClock(from), parseClock(to)]
    return { from, to, opens, closes: closes > opens ? closes : closes + 1440 }
  })
}
