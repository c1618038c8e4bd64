import { Feature, Meal } from '../schemas.ts'

/** The merchant fields that searches filter by. */
export interface Facets {
  participating: boolean
  features: readonly string[]
  meals: readonly string[]
  priceRange: number
  highlight: string | null
  acclaimedLevel: number
  reservationProvider: string | null
}

/** The filters of a search that are decided with bit masks. */
export interface FacetFilter {
  acclaimed: boolean
  isNew: boolean
  reservations: boolean
  features: readonly string[]
  mealsServed: readonly string[]
  priceRange: readonly number[]
}

/** A merchant passes with all bits of `every`, and one of `meals` and of `prices` unless these are 0. */
export interface FilterBits {
  every: number
  meals: number
  prices: number
}

/** Bitwise operators work on 32 bits; the highest is the sign. */
const maxBits = 31

const flags = ['participating', 'acclaimed', 'isNew', 'reservations'] as const
const prices = ['1', '2', '3', '4'] as const
const [flagBits, featureBits, mealBits, priceBits] = assignBits(flags, Feature.options, Meal.options, prices)
const bit = Object.fromEntries(flagBits) as Record<(typeof flags)[number], number>
const priceBit = (price: number) => priceBits.get(String(price)) ?? 0

/** Assigns each name of each group a bit of its own. Throws when one number has too few. */
function assignBits<G extends readonly (readonly string[])[]>(...groups: G) {
  const count = groups.flat().length
  if (count > maxBits) throw new Error(`${count} facets do not fit the ${maxBits} bits of one number`)
  let next = 0
  const bits = groups.map((names) => new Map(names.map((name) => [name, 1 << next++])))
  return bits as { [K in keyof G]: ReadonlyMap<string, number> }
}

/** Returns a merchant's facts as bits; 0 when it does not participate, so that no search finds it. */
export function facetBits(merchant: Facets): number {
  if (!merchant.participating) return 0
  let bits = bit.participating | priceBit(merchant.priceRange)
  if (merchant.acclaimedLevel > 0 || merchant.highlight === 'acclaimed') bits |= bit.acclaimed
  if (merchant.highlight === 'new') bits |= bit.isNew
  if (merchant.reservationProvider !== null) bits |= bit.reservations
  return bits | combineBits(merchant.features, featureBits) | combineBits(merchant.meals, mealBits)
}

/** Returns the bits of a search's filters. Features are combined with AND; meals and prices with OR. */
export function toFilterBits(filter: FacetFilter): FilterBits {
  let every: number = bit.participating | combineBits(filter.features, featureBits)
  if (filter.acclaimed) every |= bit.acclaimed
  if (filter.isNew) every |= bit.isNew
  if (filter.reservations) every |= bit.reservations
  return {
    every,
    meals: combineBits(filter.mealsServed, mealBits),
    prices: filter.priceRange.reduce((bits, price) => bits | priceBit(price), 0),
  }
}

export function passesFacets(bits: number, { every, meals, prices }: FilterBits): boolean {
  return (bits & every) === every && (meals === 0 || (bits & meals) !== 0) && (prices === 0 || (bits & prices) !== 0)
}

/** Returns true when every participating merchant passes. */
export function isUnfiltered({ every, meals, prices }: FilterBits): boolean {
  return every === bit.participating && meals === 0 && prices === 0
}

function combineBits(names: readonly string[], bits: ReadonlyMap<string, number>): number {
  return names.reduce((sum, name) => sum | (bits.get(name) ?? 0), 0)
}

export interface FacetCounts {
  acclaimed: number
  isNew: number
  reservations: number
  features: Record<string, number>
  mealsServed: Record<string, number>
  /** By price, "1" to "4". */
  priceRange: Record<string, number>
}

/** Merchants per bit number: those that pass all filters, all but the meals, all but the prices. */
interface Tallies {
  all: Uint32Array
  butMeals: Uint32Array
  butPrices: Uint32Array
}

/** Counts merchants per bit. */
export class FacetCounter {
  readonly #tallies: Tallies = { all: facetTally(), butMeals: facetTally(), butPrices: facetTally() }

  add(bits: number, { meals, prices }: FilterBits): void {
    const { all, butMeals, butPrices } = this.#tallies
    const [meal, price] = [meals === 0 || (bits & meals) !== 0, prices === 0 || (bits & prices) !== 0]
    if (meal && price) tally(all, bits)
    if (price) tally(butMeals, bits)
    if (meal) tally(butPrices, bits)
  }

  /** Adds what was counted elsewhere. */
  addTallies(counted: Tallies): void {
    for (const name of ['all', 'butMeals', 'butPrices'] as const) {
      const counts = this.#tallies[name]
      counted[name].forEach((count, bit) => {
        counts[bit] = (counts[bit] as number) + count
      })
    }
  }

  result(): FacetCounts {
    const { all, butMeals, butPrices } = this.#tallies
    const of = (counts: Uint32Array, bit: number) => counts[31 - Math.clz32(bit)] ?? 0
    const named = (counts: Uint32Array, bits: ReadonlyMap<string, number>) =>
      Object.fromEntries([...bits].map(([name, bit]) => [name, of(counts, bit)]))
    return {
      acclaimed: of(all, bit.acclaimed),
      isNew: of(all, bit.isNew),
      reservations: of(all, bit.reservations),
      features: named(all, featureBits),
      mealsServed: named(butMeals, mealBits),
      priceRange: named(butPrices, priceBits),
    }
  }
}

/** Returns empty counts per bit number. */
export function facetTally(): Uint32Array {
  return new Uint32Array(32)
}

export function tally(counts: Uint32Array | Uint8Array, bits: number): void {
  for (let left = bits; left !== 0; left &= left - 1) {
    const place = 31 - Math.clz32(left & -left)
    counts[place] = (counts[place] as number) + 1
  }
}
