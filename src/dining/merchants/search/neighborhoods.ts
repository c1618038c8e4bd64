import type { Point } from '../../../programs/places/contract.ts'
import { placeKey } from '../../../programs/places/rules.ts'
import type { MerchantRow } from '../catalog/store.ts'

interface Neighborhood {
  /** Label such as `SoHo, New York, NY`. */
  label: string
  latitudes: number
  longitudes: number
  count: number
}

type Located = Pick<MerchantRow, 'neighborhood' | 'city' | 'state' | 'latitude' | 'longitude'>

/**
 * The neighborhoods of restaurants as places, because no gazetteer lists them. The position of each is the mean of its
 * restaurants.
 */
export class Neighborhoods {
  readonly #byLabel = new Map<string, Neighborhood>()
  /** Keys are the name alone, with the city, and with city and state. */
  readonly #byKey = new Map<string, Set<Neighborhood>>()

  /** Adds (`by` 1) or removes (-1) one restaurant of a neighborhood. */
  count({ neighborhood, city, state, latitude, longitude }: Located, by: 1 | -1): void {
    if (neighborhood === '' || neighborhood === city) return
    const label = `${neighborhood}, ${city}, ${state}`
    const place = this.#byLabel.get(label) ?? { label, latitudes: 0, longitudes: 0, count: 0 }
    place.latitudes += by * latitude
    place.longitudes += by * longitude
    place.count += by
    if (this.#byLabel.has(label)) return
    this.#byLabel.set(label, place)
    for (const text of [neighborhood, `${neighborhood} ${city}`, label]) {
      const key = placeKey(text)
      const places = this.#byKey.get(key) ?? new Set()
      this.#byKey.set(key, places.add(place))
    }
  }

  /** Finds a neighborhood by name, with or without its city; among several the one with most restaurants. */
  find(text: string): (Point & { label: string }) | undefined {
    const [best] = largestFirst(this.#byKey.get(placeKey(text)) ?? [])
    if (!best) return undefined
    const { label, latitudes, longitudes, count } = best
    return { label, latitude: latitudes / count, longitude: longitudes / count }
  }

  /** Returns up to `limit` labels with the typed prefix. */
  suggest(text: string, limit: number): string[] {
    const key = placeKey(text)
    if (key.length < 2) return []
    const matching = [...this.#byLabel.values()].filter(({ label }) => placeKey(label).startsWith(key))
    return largestFirst(matching)
      .slice(0, limit)
      .map(({ label }) => label)
  }
}

function largestFirst(places: Iterable<Neighborhood>): Neighborhood[] {
  return [...places].filter(({ count }) => count > 0).sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
}
