import { toSlug } from '../../../platform/text.ts'
import type { Point } from '../../../programs/places/contract.ts'
import type { MerchantRow } from '../catalog/store.ts'
import { citySlug, milesBetween } from '../rules.ts'

export interface CityCuisine {
  slug: string
  name: string
  /** Number of restaurants. */
  count: number
  /** Date (UTC) of the last change of one of them, or of one that left. */
  updatedOn: string
}

export interface City {
  slug: string
  name: string
  state: string
  /** Number of restaurants. */
  count: number
  updatedOn: string
  /** The cuisines of its restaurants, most frequent first. */
  cuisines: readonly CityCuisine[]
}

interface Counted extends Omit<City, 'cuisines'> {
  cuisines: Map<string, CityCuisine>
  latitudes: number
  longitudes: number
}

type StoredCity = Omit<Counted, 'cuisines'> & { cuisines: CityCuisine[] }

export type Located = Pick<MerchantRow, 'city' | 'state' | 'cuisines' | 'latitude' | 'longitude' | 'updatedOn'>

/** The cities of restaurants with their cuisines. The position of each is the mean of its restaurants. */
export class Cities {
  readonly #bySlug = new Map<string, Counted>()
  /** Cities that no other copy has. */
  readonly #own = new Set<Counted>()

  /** Returns a copy; either can change without the other. A city is copied when it changes. */
  copy(): Cities {
    const copy = new Cities()
    for (const [slug, city] of this.#bySlug) copy.#bySlug.set(slug, city)
    this.#own.clear()
    return copy
  }

  /** Adds (`by` 1) or removes (-1) one restaurant. */
  count(row: Located, by: 1 | -1): void {
    const city = this.#cityOf(row)
    if (!city) return
    city.count += by
    this.#count(city, row, by)
  }

  /** Returns what `restore` needs. */
  stored(): StoredCity[] {
    return [...this.#bySlug.values()].map((city) => ({ ...city, cuisines: [...city.cuisines.values()] }))
  }

  restore(cities: readonly StoredCity[]): void {
    for (const city of cities) this.#add({ ...city, cuisines: new Map(city.cuisines.map((each) => [each.slug, each])) })
  }

  /** Records that a restaurant has left: the pages of its city have changed. */
  left(row: Located): void {
    const known = this.#bySlug.get(citySlug(row) ?? '')
    if (!known) return
    const city = this.#toOwn(known)
    city.updatedOn = later(city.updatedOn, row.updatedOn)
    for (const name of row.cuisines) {
      const cuisine = city.cuisines.get(toSlug(name))
      if (cuisine) cuisine.updatedOn = later(cuisine.updatedOn, row.updatedOn)
    }
  }

  /** Returns a city with restaurants. */
  find(slug: string): City | undefined {
    const city = this.#bySlug.get(slug)
    return city && city.count > 0 ? toCity(city) : undefined
  }

  /** Returns every city with restaurants, those with most first. */
  all(): City[] {
    return [...this.#bySlug.values()]
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || compare(a.slug, b.slug))
      .map(toCity)
  }

  /** Returns the nearest other cities within a distance. */
  near({ slug }: Pick<City, 'slug'>, { miles, limit }: { miles: number; limit: number }): (City & { miles: number })[] {
    const from = this.#bySlug.get(slug)
    if (!from) return []
    const origin = middleOf(from)
    return [...this.#bySlug.values()]
      .filter((city) => city !== from && city.count > 0)
      .map((city) => ({ city, miles: milesBetween(origin, middleOf(city)) }))
      .filter((each) => each.miles <= miles)
      .sort((a, b) => a.miles - b.miles || compare(a.city.slug, b.city.slug))
      .slice(0, limit)
      .map((each) => ({ ...toCity(each.city), miles: each.miles }))
  }

  #cityOf(row: Located): Counted | undefined {
    const slug = citySlug(row)
    if (slug === null) return undefined
    const known = this.#bySlug.get(slug)
    if (known) return this.#toOwn(known)
    const { city: name, state, updatedOn } = row
    const city = {
      slug,
      name,
      state,
      updatedOn,
      count: 0,
      cuisines: new Map(),
      latitudes: 0,
      longitudes: 0,
    }
    return this.#add(city)
  }

  #toOwn(city: Counted): Counted {
    if (this.#own.has(city)) return city
    return this.#add({ ...city, cuisines: new Map([...city.cuisines].map(([slug, each]) => [slug, { ...each }])) })
  }

  #add(city: Counted): Counted {
    this.#bySlug.set(city.slug, city)
    this.#own.add(city)
    return city
  }

  #count(city: Counted, row: Located, by: 1 | -1): void {
    city.latitudes += by * row.latitude
    city.longitudes += by * row.longitude
    city.updatedOn = later(city.updatedOn, row.updatedOn)
    for (const [slug, name] of namesBySlug(row.cuisines)) {
      const cuisine = city.cuisines.get(slug) ?? { slug, name, count: 0, updatedOn: row.updatedOn }
      cuisine.count += by
      cuisine.updatedOn = later(cuisine.updatedOn, row.updatedOn)
      city.cuisines.set(slug, cuisine)
    }
  }
}

/** Returns each cuisine once, by its part of an address. */
function namesBySlug(cuisines: readonly string[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const name of cuisines) {
    const slug = toSlug(name)
    if (slug !== '' && !names.has(slug)) names.set(slug, name)
  }
  return names
}

function toCity({ slug, name, state, count, updatedOn, cuisines }: Counted): City {
  const served = [...cuisines.values()].filter(({ count }) => count > 0)
  return {
    slug,
    name,
    state,
    count,
    updatedOn,
    cuisines: served.sort((a, b) => b.count - a.count || compare(a.slug, b.slug)),
  }
}

function middleOf({ latitudes, longitudes, count }: Counted): Point {
  return { latitude: latitudes / count, longitude: longitudes / count }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function later(a: string, b: string): string {
  return a > b ? a : b
}
