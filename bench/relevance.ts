import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { MerchantRow } from '../src/dining/merchants/catalog/store.ts'
import { MerchantIndex } from '../src/dining/merchants/search/merchant-index.ts'
import { merchantRow, searchFilter } from '../tests/support/merchant-fixtures.ts'

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

/**
 * Runs every query of a file (tab-separated: query, kind, expected) against the restaurants of another file (NDJSON).
 */
export function benchRelevance(restaurants: string, queries: string): void {
  const places: Place[] = read(restaurants)
    .split('\n')
    .map((text) => JSON.parse(text))
  const index = new MerchantIndex()
  places.forEach((place, at) => {
    index.put(rowOf(place, at))
  })
  const byId = new Map(places.map((place) => [place.id, place]))
  const anywhere = searchFilter({ sortBy: 'relevance' })
  const kinds = new Map<string, { total: number; right: number }>()
  for (const line of read(queries).split('\n').slice(1)) {
    const [text = '', kind = '', expected = ''] = line.split('\t')
    const first = index.search({ ...anywhere, text }, { pageNo: 1, pageSize: 1 }).rows[0]
    const counts = kinds.get(kind) ?? { total: 0, right: 0 }
    counts.total++
    if (isRight(first && byId.get(first.row.publicId), expected)) counts.right++
    kinds.set(kind, counts)
  }
  let [total, right] = [0, 0]
  for (const [kind, counts] of kinds) {
    total += counts.total
    right += counts.right
    process.stdout.write(`${kind.padEnd(24)}${counts.right} of ${counts.total}\n`)
  }
  process.stdout.write(`first hit right: ${right} of ${total} (${((100 * right) / total).toFixed(1)} %)\n`)
}
