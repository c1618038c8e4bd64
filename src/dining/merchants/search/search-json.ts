import type { MerchantRow } from '../catalog/store.ts'
import { roundMiles, toMerchant } from '../catalog/to-merchant.ts'
import type { SearchResponse } from '../contract.ts'

/** A merchant's JSON around its distance and origin, and for a day on which its earning is known. */
interface Parts {
  head: string
  tail: string
  today: string
}

/** By row, because popular restaurants are in many results. */
const known = new WeakMap<MerchantRow, Parts>()

/** Returns the JSON of a merchant in a search, as JSON.stringify returns it for `toMerchant`. */
export function merchantJson(row: MerchantRow, miles: number | null, originJson: string, today: string): string {
  let parts = known.get(row)
  if (parts?.today !== today) {
    parts = partsOf(row, today)
    known.set(row, parts)
  }
  const distance = miles === null ? 'null' : String(roundMiles(miles))
  return `${parts.head},"distance":${distance},"origin":${originJson},${parts.tail}`
}

function partsOf(row: MerchantRow, today: string): Parts {
  const {
    id,
    name,
    images,
    details,
    location,
    distance: _distance,
    origin: _origin,
    ...others
  } = toMerchant(row, {
    miles: null,
    origin: null,
    today,
  })
  const head = JSON.stringify({ id, name, images, details, location })
  return { head: head.slice(0, -1), tail: JSON.stringify(others).slice(1), today }
}

/** Returns the JSON of a search's response; `merchants` are JSON. */
export function searchJson(merchants: readonly string[], others: Omit<SearchResponse, 'merchants'>): string {
  return `{"merchants":[${merchants.join(',')}],${JSON.stringify(others).slice(1)}`
}
