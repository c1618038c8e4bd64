import type { Point } from '../places/contract.ts'
import type { Offer } from './contract.ts'

const earthMiles = 3958.8
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Miles between two points along a great circle. */
export function milesBetween(a: Point, b: Point): number {
  const half = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2
  const turn = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2
  const chord = half + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * turn
  return 2 * earthMiles * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** The offers that hold on a local calendar date. */
export function offersOn(offers: readonly Offer[], date: string): Offer[] {
  return offers.filter(({ startsOn, endsOn }) => startsOn <= date && (endsOn === null || date <= endsOn))
}

/** A mean of whole stars, to one decimal; 0 without a rating. */
export function meanRating(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum / count) * 10) / 10
}

/** The tier (2 or 3) that a member must reach before an acclaimed merchant earns; null when theirs is enough. */
export function tierNeeded(acclaimedLevel: number, tier: 0 | 1 | 2 | 3): 2 | 3 | null {
  if (acclaimedLevel === 0 || tier > acclaimedLevel) return null
  return acclaimedLevel === 1 ? 2 : 3
}
