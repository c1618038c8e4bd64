import type { Point } from '../../../programs/places/contract.ts'

/** What a search finds, and in which order. */
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
