import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFlag } from './cells.ts'
import type { Column } from './columns.ts'
import { readPastedRows } from './read-rows.ts'

const columns: readonly Column[] = [
  { name: 'id', required: true },
  { name: 'zipCode', also: ['zip', 'postalCode'] },
  { name: 'isOpen', read: readFlag, expected: 'is neither true nor false' },
]

/** Returns the rows of a table, each as its values or the sentences about it, or why the file is refused. */
async function read(text: string) {
  const rows: unknown[] = []
  try {
    for await (const { line, value, problems } of readPastedRows(text, columns))
      rows.push(problems.length > 0 ? [line, ...problems.map(({ column, text }) => `${column}: ${text}`)] : value)
    return rows
  } catch (error) {
    return (error as Error).message
  }
}

test('the separator is a comma, a semicolon or a tab, as the first line has it or says', async () => {
  const expected = [{ id: '1', zipCode: '10001' }]
  for (const text of [
    'id,zip\n1,10001',
    'id;zip\n1;10001',
    'id\tzip\n1\t10001',
    'sep=,\nid,zip\n1,10001',
    'sep=;\r\nid;zip\r\n1;10001\r\n',
    '"sep=|"\nid|zip\n1|10001',
    '\ufeffid,zip\n1,10001',
    '\n\nid,zip\n\n,\n1,10001\n,\n',
    ' id , zip \n 1 , 10001 ',
    '"id","zip"\n"1","10001"',
  ])
    expect([text, await read(text)]).toEqual([text, expected])
  // Commas within quotes do not count.
  expect(await read('"id, of us";id\n"a, b";1')).toEqual([{ 'id, of us': 'a, b', id: '1' }])
})

test('headers are found in any case, with spaces and signs, and by their other names', async () => {
  for (const header of ['ZIPCODE', 'Zip Code', 'zip_code', 'Zip', 'Postal-Code'])
    expect([header, await read(`ID,${header}\n1,10001`)]).toEqual([header, [{ id: '1', zipCode: '10001' }]])
})

test('two columns that mean the same are refused, and so is a table without a required one, with what was found', async () => {
  expect(await read('id,zip,zip\n1,2,3')).toBe('Two columns are called zip. Remove one of them.')
  expect(await read('id,zip,Postal Code\n1,2,3')).toBe(
    'The columns zip and Postal Code mean the same. Remove one of them.',
  )
  expect(await read('name,zip\na,1')).toBe(
    'The file has no column id. The first line must have the names of the columns; found: name, zip.',
  )
  expect(await read('1;10001\n2;10002')).toBe(
    'The file has no column id. The first line must have the names of the columns; found: 1, 10001.',
  )
})

test('a cell that cannot be understood is named as the file calls its column, with what is expected', async () => {
  expect(await read('id,Is Open\n1,TRUE\n2,perhaps\n3,')).toEqual([
    { id: '1', isOpen: true },
    [3, 'Is Open: “perhaps” is neither true nor false.'],
    { id: '3' },
  ])
})

test('a quote within a cell is a part of it, and one that is never closed spoils its own line only', async () => {
  expect(await read('id,zip\n12" Subs,1\n"5"" Pies",2\n"a\nb",3\n"open,4\n5,5\n"shut" up,6\n7,7')).toEqual([
    { id: '12" Subs', zipCode: '1' },
    { id: '5" Pies', zipCode: '2' },
    { id: 'a\nb', zipCode: '3' },
    [6, ': A quotation mark is not closed, or text follows one that closes.'],
    { id: '5', zipCode: '5' },
    [8, ': A quotation mark is not closed, or text follows one that closes.'],
    { id: '7', zipCode: '7' },
  ])
})

test('many quotes that are never closed are read as fast as other lines', async () => {
  const rows = await read(`id,zip\n${'"x,1\n'.repeat(5_000)}9,9`)
  expect([rows.length, rows.at(-1)]).toEqual([5_001, { id: '9', zipCode: '9' }])
})

test('empty cells behind the last column do not count, others do', async () => {
  expect(await read('id,zip\n1,2,,\n3,4,5')).toEqual([
    { id: '1', zipCode: '2' },
    [3, ': The line has 3 cells, the first line has 2.'],
  ])
})

test('names of prototypes are columns like any other', async () => {
  const [row] = (await read('id,__proto__,constructor\n1,2,3')) as [object]
  expect(Object.entries(row)).toEqual([
    ['id', '1'],
    ['__proto__', '2'],
    ['constructor', '3'],
  ])
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
})

test('every table that a program writes is read with the same cells', async () => {
  const cell = fc
    .string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', "'", 'ü', ' ', '=') })
    .map((text) => text.trim())
  const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom(',', ';', '\t'), fc.boolean(), async (rows, delimiter, quoted) => {
      const filled = rows.map(([id, zip]) => [`-${id}`, zip.trim()] as const)
      const text = stringify([['id', 'zip'], ...filled], { delimiter, quoted, record_delimiter: 'unix' })
      expect(await read(text)).toEqual(filled.map(([id, zipCode]) => ({ id: id.trim(), ...(zipCode && { zipCode }) })))
    }),
    { numRuns: 60 },
  )
})
