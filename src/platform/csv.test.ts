import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsvFile, toCsvRows } from './csv.ts'

const csvCell = (value: string | number) => toCsvRows([[value]]).replace(/\r\n$/, '')

test('a cell with a separator of any spreadsheet, a quote or a line break is quoted', () => {
  for (const text of ['a,b', 'a;b', 'a\tb', 'a|b', 'a\nb', 'a\rb', 'say "a"', ' a', 'a ']) {
    expect([text, csvCell(text)]).toEqual([text, `"${text.replaceAll('"', '""')}"`])
  }
  for (const text of ['', 'Corner Bistro', 'Zoë 👩‍🍳', 'a-b', '1+1', 'ada@example.com'])
    expect(csvCell(text)).toBe(text)
})

test('a cell that a spreadsheet would read as a formula becomes text, also after a semicolon; numbers stay numbers', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r1', '\n1', '＝1', '＋1', '－1', '＠x']) {
    expect([text, csvCell(text).replaceAll('"', '')]).toEqual([text, `'${text}`])
  }
  expect(csvCell('x;=cmd|x!A0')).toBe(`"x;'=cmd|x!A0"`)
  expect([csvCell(-12.5), csvCell(0)]).toEqual(['-12.5', '0'])
})

test('a negative amount of money stays a number, and nothing else that begins like one does', () => {
  expect(toCsvRows([['-1.30', -2, '-3', '-1.3', '-1+1', '-1.30 A1', '--1.00', '-1.00-']])).toBe(
    "-1.30,-2,'-3,'-1.3,'-1+1,'-1.30 A1,'--1.00,'-1.00-\r\n",
  )
})

test('every row parses back to its cells, and no formula follows a separator', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ';', ',', '"', '\t', '|', '\n', '=', "'", ' ') })
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 5 })), (rows) => {
      const csv = toCsvRows(rows.map((cells) => ['id', ...cells]))
      expect(csv).not.toMatch(/[;|\t\n]\s*=/)
      const read = parse(csv, { record_delimiter: '\r\n', relax_column_count: true }) as string[][]
      const plain = (cells: string[]) => cells.map((cell) => cell.replaceAll("'", ''))
      expect(read.map(plain)).toEqual(rows.map((cells) => plain(['id', ...cells])))
    }),
  )
})

test('DATA-034 a file begins with a byte order mark, once, so that spreadsheets read its letters as UTF-8', () => {
  const file =
    toCsvFile([
      ['Corner Café', 'Ōkina'],
      ['Zoë', 1],
    ]) + toCsvRows([['Ünal', 2]])
  expect(Buffer.from(file)).toEqual(Buffer.from('\ufeffCorner Café,Ōkina\r\nZoë,1\r\nÜnal,2\r\n'))
})
