import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { MerchantRow } from '../src/dining/merchants/catalog/store.ts'
import { MerchantIndex } from '../src/dining/merchants/search/merchant-index.ts'
import { merchantRow, searchFilter } from '../tests/support/merchant-fixtures.ts'
import { generateQueries } from './relevance-queries.ts'

// Measures how often the first hit is right. A labeled query expects either a restaurant id, and then exactly that
// restaurant must come first (one with the same name elsewhere does not count), or conditions
// (`city=Chicago;state=IL;cuisine=African`), which the first hit must meet. No location is given, and results are
// sorted by relevance, as for a location and a dish typed into one field.

interface Place {
  id: string
  name: string
  cuisine: string[]
  city: string
  state: string
  zip?: string
  neighborhood?: string
  address1?: string
  lat: number
  lng: number
}

function read(file: string): string {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trim()
}

function rowOf(place: Place, index: number): MerchantRow {
  return merchantRow({
    id: index + 1,
    publicId: place.id,
    name: place.name,
    cuisines: place.cuisine,
    address1: place.address1 ?? '',
    city: place.city,
    state: place.state,
    zipCode: place.zip ?? '',
    neighborhood: place.neighborhood ?? '',
    latitude: place.lat,
    longitude: place.lng,
  })
}

function isRight(found: Place | undefined, expected: string): boolean {
  if (!found) return false
  if (!expected.includes('=')) return found.id === expected
  return expected.split(';').every((condition) => {
    const [name = '', value = ''] = condition.split('=')
    if (name === 'count') return true
    if (name === 'cuisine') return found.cuisine.includes(value)
    if (name === 'street') return (found.address1 ?? '').toLowerCase().includes(value.toLowerCase())
    return (found as unknown as Record<string, unknown>)[name] === value
  })
}

const seeds = (process.env.SEEDS ?? '1,2,3').split(',').map(Number)
const perKind = 200

/**
 * Runs every query of a file (tab-separated: query, kind, expected) against the restaurants of another file (NDJSON), and
 * then queries that are generated from the names of the restaurants.
 */
export function benchRelevance(restaurants: string, queries: string): void {
  const places: Place[] = read(restaurants)
    .split('\n')
    .map((text) => JSON.parse(text))
  const index = MerchantIndex.of(places.map(rowOf))
  const byId = new Map(places.map((place) => [place.id, place]))
  const anywhere = searchFilter({ sortBy: 'relevance' })
  const firstHit = (text: string) => {
    const first = index.search({ ...anywhere, text }, { pageNo: 1, pageSize: 1 }).rows[0]
    return first && byId.get(first.row.publicId)
  }
  const labeled = new Shares()
  for (const line of read(queries).split('\n').slice(1)) {
    const [text = '', kind = '', expected = ''] = line.split('\t')
    labeled.add(kind, text, isRight(firstHit(text), expected))
  }
  labeled.print('labeled queries')
  const generated = new Shares()
  for (const seed of seeds) {
    for (const [kind, list] of generateQueries(places, seed, perKind)) {
      for (const { text, isRight } of list) {
        const found = firstHit(text)
        generated.add(kind, `${text} → ${found?.name}`, found !== undefined && isRight(found), seed)
      }
    }
  }
  generated.print('generated queries')
}

interface Counts {
  total: number
  wrong: string[]
  bySeed: Map<number, number>
}

/** How many first hits are right, by kind and seed. */
class Shares {
  readonly #kinds = new Map<string, Counts>()

  add(kind: string, text: string, right: boolean, seed?: number): void {
    const counts: Counts = this.#kinds.get(kind) ?? { total: 0, wrong: [], bySeed: new Map() }
    counts.total++
    if (!right) counts.wrong.push(text)
    if (seed !== undefined) counts.bySeed.set(seed, (counts.bySeed.get(seed) ?? 0) + Number(right))
    this.#kinds.set(kind, counts)
  }

  print(title: string): void {
    let [total, right] = [0, 0]
    process.stdout.write(`${title}\n`)
    for (const [kind, counts] of this.#kinds) {
      const found = counts.total - counts.wrong.length
      total += counts.total
      right += found
      const share = ((100 * found) / counts.total).toFixed(1)
      const line = `  ${kind.padEnd(32)}${found} of ${counts.total} (${share} %)`
      process.stdout.write(`${[line.padEnd(56), ...[...counts.bySeed.values()].map(String)].join('  ').trimEnd()}\n`)
      if (process.env.WRONG) for (const text of counts.wrong) process.stdout.write(`      ${text}\n`)
    }
    process.stdout.write(`  first hit right: ${right} of ${total} (${((100 * right) / total).toFixed(1)} %)\n`)
  }
}
