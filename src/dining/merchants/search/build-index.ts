import { Cities, type Located } from './cities.ts'
import { Neighborhoods } from './neighborhoods.ts'
import { buildSegment } from './segment/build-segment.ts'
import type { Columns } from './segment/columns.ts'
import { type PackedRows, RowReader } from './segment/packed-rows.ts'

/** A known merchant that does not participate. */
export type AbsentMerchant = Located & { id: number }

/** Builds the columns of a merchant index: of participating merchants in the order of their ids, and of others. */
export function buildIndex(packed: PackedRows, absent: readonly AbsentMerchant[]): Columns {
  const neighborhoods = new Neighborhoods()
  const cities = new Cities()
  const rows = new RowReader(packed)
  for (let index = 0; index < rows.count; index++) {
    const row = rows.at(index)
    neighborhoods.count(row, 1)
    cities.count(row, 1)
  }
  for (const merchant of absent) cities.left(merchant)
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  return {
    ...buildSegment(packed, { withSuggestions: true }),
    absentIds: Float64Array.from(absent, ({ id }) => id),
    neighborhoods: encode(neighborhoods.all()),
    cities: encode(cities.stored()),
  }
}

export function toAbsent({
  id,
  city,
  state,
  cuisines,
  latitude,
  longitude,
  updatedOn,
}: AbsentMerchant): AbsentMerchant {
  return { id, city, state, cuisines, latitude, longitude, updatedOn }
}
