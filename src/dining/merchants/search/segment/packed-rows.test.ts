import { expect, test } from 'vitest'
import { sampleRow } from '../snapshot/sample-row.ts'
import { RowPacker, RowReader, toColumns, toPackedRows } from './packed-rows.ts'

test('a row is read as it was packed, and lists that rows share are stored once', () => {
  const rows = [
    { ...sampleRow, id: 2 ** 40, name: 'Chez Léa 日本 🍣', address1: 'x'.repeat(300), version: 2 ** 33 },
    sampleRow,
    { ...sampleRow, id: 3, phone: '', cuisines: [], latitude: -89.999, longitude: 180, ratingSum: 128, ratingCount: 0 },
    { ...sampleRow, id: 4, neighborhood: 'Line\nbreak "quoted"' },
  ]
  const packer = new RowPacker()
  for (const row of rows) packer.add(row)
  const packed = packer.finish()
  const reader = new RowReader(toPackedRows(toColumns(packed)))
  expect(rows.map((_, index) => reader.at(index))).toEqual(rows)
  expect(reader.publicIdAt(1)).toBe(sampleRow.publicId)
  expect(reader.nameAt(0)).toBe('Chez Léa 日本 🍣')
  expect(reader.pointAt(2)).toEqual({ latitude: -89.999, longitude: 180 })
  expect(new Set(packed.shared).size).toBe(packed.shared.length)
  expect(packed.bytes.length).toBeLessThan(1000)
})
