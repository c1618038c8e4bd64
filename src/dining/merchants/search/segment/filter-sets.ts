import { LRUCache } from 'lru-cache'
import { earnDays } from '../../rules.ts'
import { type FilterBits, passesFacets } from '../facets.ts'
import { type Bitmap, bitmapFor } from './bitmap.ts'
import type { RareFacts } from './build-segment.ts'
import type { Columns } from './columns.ts'
import type { RareFilter } from './matches.ts'

const maxBytes = 16e6

/** The sets of slots that pass filters. */
export class FilterSets {
  readonly #facets: Uint32Array
  readonly #rareFacts: Uint32Array
  readonly #rareSets: readonly RareFacts[]
  readonly #cities: Labels<string>
  readonly #cuisines: Labels<readonly string[]>
  readonly #timeZones: readonly string[]
  readonly #sets = new LRUCache<string, Bitmap>({
    maxSize: maxBytes,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  })

  constructor({ facets, rareFacts, rareSets, cityIds, slotCities, cuisineIds, cuisineSlugs }: Columns) {
    this.#facets = facets as Uint32Array
    this.#rareFacts = rareFacts as Uint32Array
    this.#rareSets = decode(rareSets)
    this.#cities = { ids: cityIds as Uint32Array, values: decode(slotCities) }
    this.#cuisines = { ids: cuisineIds as Uint32Array, values: decode(cuisineSlugs) }
    this.#timeZones = [...new Set(this.#rareSets.map(({ timeZone }) => timeZone))]
  }

  /** Returns the slots with the facets of a filter. */
  ofFacets(filter: FilterBits): Bitmap {
    const { every, meals, prices } = filter
    const facets = this.#facets
    return this.#cached(`${every} ${meals} ${prices}`, () => (slot) => passesFacets(facets[slot] as number, filter))
  }

  /** Returns the slots that pass a rare filter. */
  ofRare(filter: RareFilter): Bitmap {
    return this.#cached(this.keyOf(filter), () => {
      const passing = this.#rareSets.map((facts) => passesRare(facts, filter))
      const { city } = filter
      const ofCity = this.#cities.values.map((slug) => !city || slug === city.slug)
      const ofCuisine = this.#cuisines.values.map(
        (slugs) => !city || city.cuisine === null || slugs.includes(city.cuisine),
      )
      return (slot) =>
        (passing[this.#rareFacts[slot] as number] as boolean) &&
        (ofCity[this.#cities.ids[slot] as number] as boolean) &&
        (ofCuisine[this.#cuisines.ids[slot] as number] as boolean)
    })
  }

  /** Returns what a rare filter depends on: the local dates decide which offers are valid. */
  keyOf({ earnDays: days, campaignCode, state, city, today }: RareFilter): string {
    const dates = days.length > 0 ? this.#timeZones.map(today) : []
    return JSON.stringify([days, campaignCode, state, city, dates])
  }

  #cached(key: string, prepare: () => (slot: number) => boolean): Bitmap {
    const known = this.#sets.get(key)
    if (known) return known
    const passes = prepare()
    const bits = bitmapFor(this.#facets.length)
    for (let slot = 0; slot < this.#facets.length; slot++) {
      if (passes(slot)) bits[slot >>> 5] = (bits[slot >>> 5] as number) | (1 << (slot & 31))
    }
    this.#sets.set(key, bits)
    return bits
  }
}

/** A value per slot, as an index of the distinct values. */
interface Labels<T> {
  ids: Uint32Array
  values: readonly T[]
}

function decode<T>(column: Columns[string] | undefined): T {
  return JSON.parse(new TextDecoder().decode(column as Uint8Array))
}

function passesRare(facts: RareFacts, { earnDays: days, campaignCode, state, today }: RareFilter): boolean {
  if (state !== null && facts.state !== state) return false
  if (campaignCode !== null && !facts.campaignCodes.includes(campaignCode)) return false
  if (days.length === 0) return true
  const earning = earnDays(facts.offers, today(facts.timeZone))
  return days.every((day) => earning.has(day))
}
