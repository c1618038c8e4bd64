import { toSlug } from '../../../platform/text.ts'
import type { Point } from '../../../programs/places/contract.ts'
import type { MerchantRow } from '../catalog/store.ts'
import { earnDays } from '../rules.ts'

export interface SearchFilter {
  text: string
  origin: Point | null
  /** Miles around the origin. */
  radius: number
  sortBy: 'distance' | 'rating' | 'name' | 'newest' | 'relevance'
  acclaimed: boolean
  isNew: boolean
  reservations: boolean
  features: readonly string[]
  mealsServed: readonly string[]
  /** Weekdays on each of which a transaction must earn; 0 is Sunday. */
  earnDays: readonly number[]
  priceRange: readonly number[]
  campaignCode: string | null
  /** Two-letter code: only merchants of this state, at any distance from the origin. */
  state: string | null
  /** Only merchants of this city, and of this cuisine there; see `cities`. */
  city?: { slug: string; cuisine: string | null } | undefined
  /** Returns the local date of a time zone, which decides the valid offers. */
  today: (timeZone: string) => string
}

/** Returns true when a filter has conditions that are read from the row. */
export function isRare({ earnDays: days, campaignCode, state, city }: SearchFilter): boolean {
  return days.length > 0 || campaignCode !== null || state !== null || city?.cuisine != null
}

/** Returns whether a merchant passes the conditions that are read from the row. */
export function passesRare(
  row: MerchantRow,
  { earnDays: days, campaignCode, state, city, today }: SearchFilter,
): boolean {
  if (city?.cuisine != null && !row.cuisines.some((name) => toSlug(name) === city.cuisine)) return false
  if (state !== null && row.state !== state) return false
  if (campaignCode !== null && !row.campaignCodes.includes(campaignCode)) return false
  if (days.length === 0) return true
  const earning = earnDays(row.offers, today(row.timeZone))
  return days.every((day) => earning.has(day))
}
