import { expect, test } from 'vitest'
import { toMerchant } from '../catalog/to-merchant.ts'
import { merchantJson, searchJson } from './search-json.ts'
import { sampleRow } from './snapshot/sample-row.ts'

const origin = { label: 'O’Fallon, "MO"', latitude: 38.8, longitude: -90.7 }
const rows = [
  { ...sampleRow, name: 'Chez "Léa" \\ Café' },
  { ...sampleRow, id: 2, highlight: 'new', offers: [] },
]

test('the JSON of a result is that of its object, for every distance, origin and day', () => {
  for (const today of ['2020-12-31', '2026-11-23', '2020-12-31']) {
    for (const row of rows) {
      for (const [miles, from] of [
        [null, null],
        [0, origin],
        [12.3456, origin],
      ] as const) {
        const json = merchantJson(row, miles, JSON.stringify(from?.label ?? null), today)
        expect(json).toBe(JSON.stringify(toMerchant(row, { miles, origin: from, today })))
      }
    }
  }
})

test('the JSON of a response is that of its object', () => {
  const totals = { totalResultSize: 2, totalPages: 1, pageNo: 1, origin }
  for (const merchants of [rows.map((row) => toMerchant(row, { miles: null, origin, today: '2026-11-23' })), []]) {
    const parts = merchants.map((each) => JSON.stringify(each))
    expect(searchJson(parts, totals)).toBe(JSON.stringify({ merchants, ...totals }))
  }
})
