import type { Point } from '../../../programs/places/contract.ts'
import { placeKey } from '../../../programs/places/rules.ts'
import type { MerchantRow } from '../catalog/store.ts'

interface Neighborhood {
  neighborhood: string
  city: string
  state: string
  latitudes: number
  longitudes: number
  count: number
}

interface Place extends Neighborhood {
  /** Label such as `SoHo, New York, NY`. */
  label: string
  key: string
}

type Located = Pick<MerchantRow, 'neighborhood' | 'city' | 'state' | 'latitude' | 'longitude'>

/**
 * The neighborhoods of restaurants as places, because no gazetteer lists them. The position of each is the mean of its
 * restaurants.
 */
export class Neighborhoods {
  readonly #byLabel = new Map<string, Place>()
  /** Labels by key: the name alone, with the city, and with city and state. Copies share it, so that it has labels of others. */
  #labels = new Map<string, Set<string>>()

  /** Returns a copy; either can change without the other. */
  copy(): Neighborhoods {
    const copy = new Neighborhoods()
    copy.#labels = this.#labels
    for (const [label, place] of this.#byLabel) copy.#byLabel.set(label, place)
    return copy
  }

  /** Adds (`by` 1) or removes (-1) one restaurant of a neighborhood. */
  count({ neighborhood, city, state, latitude, longitude }: Located, by: 1 | -1): void {
    if (neighborhood === '' || neighborhood === city) return
    const label = toLabel({ neighborhood, city, state })
    const known = this.#byLabel.get(label) ?? this.#add({ neighborhood, city, state })
    this.#byLabel.set(label, {
      ...known,
      latitudes: known.latitudes + by * latitude,
      longitudes: known.longitudes + by * longitude,
      count: known.count + by,
    })
  }

  #add({ neighborhood, city, state }: Pick<Neighborhood, 'neighborhood' | 'city' | 'state'>): Place {
    const label = toLabel({ neighborhood, city, state })
    const place = { neighborhood, city, state, latitudes: 0, longitudes: 0, count: 0, label, key: placeKey(label) }
    this.#byLabel.set(label, place)
    for (const key of [placeKey(neighborhood), placeKey(`${neighborhood} ${city}`), place.key]) {
      const labels = this.#labels.get(key) ?? new Set()
      this.#labels.set(key, labels.add(label))
    }
    return place
  }

  /** Returns what `restore` needs. */
  all(): Neighborhood[] {
    return [...this.#byLabel.values()].map(({ label: _label, key: _key, ...neighborhood }) => neighborhood)
  }

  restore(neighborhoods: readonly Neighborhood[]): void {
    for (const each of neighborhoods) Object.assign(this.#add(each), each)
  }

  /** Finds a neighborhood by name, with or without its city; among several the one with most restaurants. */
  find(text: string): (Point & { label: string }) | undefined {
    const labels = [...(this.#labels.get(placeKey(text)) ?? [])]
    const [best] = largestFirst(labels.flatMap((label) => this.#byLabel.get(label) ?? []))
    if (!best) return undefined
    const { label, latitudes, longitudes, count } = best
    return { label, latitude: latitudes / count, longitude: longitudes / count }
  }

  /** Returns up to `limit` labels with the typed prefix. */
  suggest(text: string, limit: number): string[] {
    const typed = placeKey(text)
    if (typed.length < 2) return []
    const matching = [...this.#byLabel.values()].filter(({ key }) => key.startsWith(typed))
    return largestFirst(matching)
      .slice(0, limit)
      .map(({ label }) => label)
  }
}

function toLabel({ neighborhood, city, state }: Pick<Neighborhood, 'neighborhood' | 'city' | 'state'>): string {
  return `${neighborhood}, ${city}, ${state}`
}

function largestFirst(places: Iterable<Place>): Place[] {
  return [...places].filter(({ count }) => count > 0).sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
}
