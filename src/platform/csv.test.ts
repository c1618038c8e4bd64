import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvCell, csvLine } from './csv.ts'

test('a cell that holds a separator of any spreadsheet, a quote or a line end stands in quotes', () => {
  for (const text of ['a,b', 'a;b', 'a\tb', 'a|b', 'a\nb', 'a\rb', 'say "a"', ' a', 'a ']) {
    expect([text, csvCell(text)]).toEqual([text, `"${text.replaceAll('"', '""')}"`])
  }
  for (const text of ['', 'Corner Bistro', 'Zoë 👩‍🍳', 'a-b', '1+1', 'ada@example.com'])
    expect(csvCell(text)).toBe(text)
})

test('what a spreadsheet would take for a formula is text, behind a semicolon too; numbers stay numbers', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r1', '\n1', '＝1', '＋1', '－1', '＠x']) {
    expect([text, csvCell(text).replaceAll('"', '')]).toEqual([text, `'${text}`])
  }
  expect(csvCell('x;=cmd|x!A0')).toBe(`"x;'=cmd|x!A0"`)
  expect([csvCell(-12.5), csvCell(0)]).toEqual(['-12.5', '0'])
})

test('every line reads back as its cells, and no formula follows any separator', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ';', ',', '"', '\t', '|', '\n', '=', "'", ' ') })
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (cells) => {
      const line = csvLine(['id', ...cells])
      expect(line).not.toMatch(/[;|\t\n]\s*=/)
      const [read] = parse(line, { record_delimiter: '\r\n' }) as string[][]
      const plain = (cell: string) => cell.replaceAll("'", '')
      expect(read?.map(plain)).toEqual(['id', ...cells].map(plain))
    }),
  )
})
