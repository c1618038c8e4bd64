import type { Point } from '../places/contract.ts'
import { meanRating, milesBetween } from './rules.ts'
import type { MerchantRow } from './store.ts'
import { Vocabulary } from './vocabulary.ts'

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
  /** 0 is Sunday. */
  earnDays: readonly number[]
  priceRange: readonly number[]
  campaignCode: string | null
}

interface Hit {
  slot: number
  miles: number | null
  score: number
}

const milesPerDegree = 69

/** Merchants in slots: columns of numbers to filter by, rows to answer with. */
export class MerchantIndex {
  readonly #rows: (MerchantRow | undefined)[] = []
  readonly #slots = new Map<number, number>()
  readonly #bySlug = new Map<string, number>()
  readonly #words = new Vocabulary()
  readonly #texts = new Map<string, number>()
  #latitudes = new Float64Array(1024)
  #longitudes = new Float64Array(1024)

  /** How many merchants were ever put in, taking part or not. */
  get known(): number {
    return this.#slots.size
  }

  /** Adds a merchant or takes the place of its earlier self. */
  put(row: MerchantRow): void {
    const slot = this.#slots.get(row.id) ?? this.#rows.length
    const before = this.#rows[slot]
    if (before) {
      this.#words.remove(slot, textsOf(before))
      this.#bySlug.delete(before.publicId)
      this.#countTexts(before, -1)
    }
    this.#slots.set(row.id, slot)
    this.#grow(slot)
    this.#rows[slot] = row.participating ? row : undefined
    this.#latitudes[slot] = row.participating ? row.latitude : Number.NaN
    this.#longitudes[slot] = row.longitude
    if (!row.participating) return
    this.#bySlug.set(row.publicId, slot)
    this.#words.add(slot, textsOf(row))
    this.#countTexts(row, 1)
  }

  bySlug(publicId: string): MerchantRow | undefined {
    const slot = this.#bySlug.get(publicId)
    return slot === undefined ? undefined : this.#rows[slot]
  }

  search(filter: SearchFilter, { pageNo, pageSize }: { pageNo: number; pageSize: number }) {
    const hits = this.#hits(filter)
    hits.sort(this.#order(filter))
    const first = (pageNo - 1) * pageSize
    const rows = hits.slice(first, first + pageSize).map(({ slot, miles }) => ({ row: this.#row(slot), miles }))
    return { rows, total: hits.length }
  }

  /** Cuisines and names that begin with the text, the commonest first. */
  suggest(text: string, limit: number): string[] {
    const typed = text.trim().toLowerCase()
    if (typed === '') return []
    return [...this.#texts]
      .filter(([name]) => name.toLowerCase().startsWith(typed))
      .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([name]) => name)
  }

  #row(slot: number): MerchantRow {
    return this.#rows[slot] as MerchantRow
  }

  #hits(filter: SearchFilter): Hit[] {
    const scores = this.#words.find(filter.text)
    const hits: Hit[] = []
    const consider = (slot: number, score: number) => {
      const miles = this.#milesWithin(slot, filter)
      if (miles === undefined) return
      const row = this.#rows[slot]
      if (row && passes(row, filter)) hits.push({ slot, miles, score })
    }
    if (scores) for (const [slot, score] of scores) consider(slot, score)
    else for (let slot = 0; slot < this.#rows.length; slot++) consider(slot, 0)
    return hits
  }

  // A box first: most merchants are far away, and a comparison is cheaper than a sine.
  #milesWithin(slot: number, { origin, radius }: SearchFilter): number | null | undefined {
    if (!origin) return null
    const latitude = this.#latitudes[slot] as number
    const reach = radius / milesPerDegree
    if (!(Math.abs(latitude - origin.latitude) <= reach)) return undefined
    const longitude = this.#longitudes[slot] as number
    const narrow = Math.max(0.2, Math.cos((origin.latitude * Math.PI) / 180))
    if (Math.abs(longitude - origin.longitude) > (reach / narrow) * 1.1) return undefined
    const miles = milesBetween(origin, { latitude, longitude })
    return miles <= radius ? miles : undefined
  }

  #order({ sortBy, origin, text }: SearchFilter): (a: Hit, b: Hit) => number {
    const id = (a: Hit, b: Hit) => this.#row(a.slot).id - this.#row(b.slot).id
    const near = (a: Hit, b: Hit) => (a.miles ?? 0) - (b.miles ?? 0)
    const rated = (slot: number) => meanRating(this.#row(slot).ratingSum, this.#row(slot).ratingCount)
    const rating = (a: Hit, b: Hit) => rated(b.slot) - rated(a.slot)
    const relevance = (a: Hit, b: Hit) => b.score - a.score
    switch (sortBy) {
      case 'rating':
        return (a, b) => rating(a, b) || near(a, b) || id(a, b)
      case 'name':
        return (a, b) => compareText(this.#row(a.slot).name, this.#row(b.slot).name) || id(a, b)
      case 'newest':
        return (a, b) => compareText(this.#row(b.slot).joinedOn, this.#row(a.slot).joinedOn) || near(a, b) || id(a, b)
      case 'relevance':
        return (a, b) => relevance(a, b) || near(a, b) || id(a, b)
      default:
        // Without a place to measure from, what fits best comes first.
        return origin || text === ''
          ? (a, b) => near(a, b) || id(a, b)
          : (a, b) => relevance(a, b) || rating(a, b) || id(a, b)
    }
  }

  #grow(slot: number): void {
    if (slot < this.#latitudes.length) return
    const wider = (column: Float64Array) => {
      const grown = new Float64Array(column.length * 2)
      grown.set(column)
      return grown
    }
    this.#latitudes = wider(this.#latitudes)
    this.#longitudes = wider(this.#longitudes)
  }

  #countTexts(row: MerchantRow, by: 1 | -1): void {
    for (const text of [row.name, ...row.cuisines]) this.#texts.set(text, (this.#texts.get(text) ?? 0) + by)
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function textsOf(row: MerchantRow): string[] {
  return [row.name, row.neighborhood, ...row.cuisines]
}

function passes(row: MerchantRow, filter: SearchFilter): boolean {
  if (filter.acclaimed && row.acclaimedLevel === 0 && row.highlight !== 'acclaimed') return false
  if (filter.isNew && row.highlight !== 'new') return false
  if (filter.reservations && row.reservationProvider === null) return false
  if (filter.priceRange.length > 0 && !filter.priceRange.includes(row.priceRange)) return false
  if (filter.campaignCode !== null && !row.campaignCodes.includes(filter.campaignCode)) return false
  if (!filter.features.every((feature) => row.features.includes(feature))) return false
  if (filter.mealsServed.length > 0 && !filter.mealsServed.some((meal) => row.meals.includes(meal))) return false
  return filter.earnDays.every((day) => row.offers.some((offer) => offer.days.includes(day)))
}
