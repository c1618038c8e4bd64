import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultLimits, readBytes } from './read-lines.ts'
import { formatOf, type Row, readRows, sourceNameOf } from './read-rows.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rows-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the rows of a file and how its reading ended. */
async function read(
  name: string,
  content: string | Buffer,
  limits = defaultLimits,
): Promise<{ rows: Row[]; end: string }> {
  const file = join(folder, name)
  writeFileSync(file, content)
  const rows: Row[] = []
  try {
    for await (const row of readRows(file, formatOf(name) ?? 'ndjson', { columns: [], limits })) rows.push(row)
    return { rows, end: 'read' }
  } catch (error) {
    return { rows, end: (error as Error).message }
  }
}

test('a line over the limit stops the reading before it is decompressed, and the error names its number', async () => {
  const bomb = gzipSync(Buffer.concat([Buffer.from('{"a":1}\n'), Buffer.alloc(64 * 1024 * 1024, 'x')]))
  const { rows, end } = await read('bomb.ndjson.gz', bomb)
  expect([rows.map(({ line }) => line), end]).toEqual([[1], 'Line 2 is longer than 1 MB.'])
  const table = gzipSync(Buffer.concat([Buffer.from('id\n1\n"'), Buffer.alloc(8 * 1024 * 1024, 'x')]))
  expect((await read('bomb.csv.gz', table)).end).toBe('Line 3 is longer than 1 MB.')
})

test('an archive that decompresses beyond the limit stops the reading', async () => {
  const many = gzipSync('{"a":1}\n'.repeat(100_000))
  const { rows, end } = await read('many.ndjson.gz', many, { ...defaultLimits, total: 300_000 })
  expect(end).toMatch(/^Line \d+: the file is larger than 300,000 bytes when unpacked\.$/)
  expect(rows.length).toBeLessThan(40_000)
  expect((await read('many.ndjson.gz', many)).rows).toHaveLength(100_000)
  const few = (total: number) => read('few.ndjson', '{"a":1}\n'.repeat(10), { ...defaultLimits, total })
  expect([(await few(80)).rows.length, (await few(80)).end]).toEqual([10, 'read'])
  expect((await few(79)).end).toMatch(/is larger than 79 bytes/)
})

test('a file that is binary, empty or a broken archive is reported as such', async () => {
  expect((await read('a.ndjson', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]))).end).toMatch(/^Line 1 has a NUL/)
  expect((await read('a.csv', Buffer.from('id\n\xff\xfe', 'latin1'))).end).toMatch(/^Line 1 .*UTF-8/)
  expect((await read('a.ndjson', Buffer.from('{"a":1}\n', 'utf16le'))).end).toMatch(/NUL character/)
  expect((await read('a.ndjson', Buffer.from('\ufeff{"a":1}\n', 'utf16le'))).rows).toMatchObject([{ value: { a: 1 } }])
  expect((await read('a.ndjson.gz', 'no archive')).end).toMatch(/^The file cannot be unpacked: incorrect header/)
  for (const [name, content] of [
    ['a.ndjson', ''],
    ['a.ndjson', '\n \n'],
    ['a.csv', ''],
    ['a.csv', 'id,name\n'],
    ['a.geojson', ''],
    ['a.geojson', '{"type":"FeatureCollection","features":[]}'],
  ] as const) {
    expect([name, content, (await read(name, content)).end]).toEqual([name, content, 'The file has no rows.'])
  }
})

test('the progress of reading is the share of the file, up to 1, also for a compressed file', async () => {
  const text = '{"a":1}\n'.repeat(30_000)
  for (const [name, content] of [
    ['a.ndjson', text],
    ['a.ndjson.gz', gzipSync(text)],
  ] as const) {
    const file = join(folder, name)
    writeFileSync(file, content)
    const shares: number[] = []
    for await (const _ of readBytes(file, (share) => shares.push(share)));
    expect([name, shares.at(-1), shares.toSorted((a, b) => a - b)]).toEqual([name, 1, shares])
  }
})

test('lines may end in LF or CRLF, the last without a line break, in any script', async () => {
  const { rows, end } = await read('a.ndjson', '{"a":"👩‍🍳"}\r\n\n{"a":"Zoe\u0308"}\n[1]\nx')
  expect(rows.map(({ line, value }) => [line, value.a])).toEqual([
    [1, '👩‍🍳'],
    [3, 'Zoe\u0308'],
    [4, undefined],
    [5, undefined],
  ])
  expect(end).toBe('read')
})

test('a row with too many or too few cells is reported and the others are read', async () => {
  const { rows, end } = await read('a.csv', 'id,name\n1,a\n2\n3,c,d\n4,d\n')
  expect(rows.map(({ line, value }) => [line, value.id])).toEqual([
    [2, '1'],
    [3, undefined],
    [4, undefined],
    [5, '4'],
  ])
  expect(end).toBe('read')
  expect(rows.flatMap(({ problems }) => problems.map(({ text }) => text))).toEqual([
    'The line has 1 cells, the first line has 2.',
    'The line has 3 cells, the first line has 2.',
  ])
})

test('GeoJSON features are read one per line or from one collection', async () => {
  const feature = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"id":"a"}}'
  const lines = await read('a.geojsonl', `\n${feature}\n${feature}\nnull`)
  expect(lines.rows.map(({ line, problems }) => [line, problems[0]?.text])).toEqual([
    [2, undefined],
    [3, undefined],
    [4, 'The line is not a JSON object.'],
  ])
  const whole = await read('a.geojson', `{"type":"FeatureCollection",\n"features":[${feature},null]}`)
  expect(whole.rows.map(({ problems }) => problems[0]?.text)).toEqual([undefined, 'The line is not a Point feature.'])
})

test('a GeoJSON collection is read up to the limit of what is parsed at once, and its lines one by one', async () => {
  const feature = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}'
  const text = `{"type":"FeatureCollection",\n  "features":[${feature}]}\n`
  const size = text.replace(/\n */g, '').length
  const readWithin = (content: string, collection: number) =>
    read('a.geojson', content, { ...defaultLimits, collection })
  expect(await readWithin(text, size)).toMatchObject({ rows: [{ value: { longitude: 1, latitude: 2 } }], end: 'read' })
  expect(await readWithin(text, size - 1)).toEqual({
    rows: [],
    end: 'Line 2: the collection is too large to be read whole.',
  })
  expect((await readWithin(`${feature}\n`.repeat(9), feature.length)).rows).toHaveLength(9)
})

test('an error of the file system is thrown as it is, whatever the format', async () => {
  const folderOf = (name: string) => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  }
  for (const format of ['csv', 'ndjson'] as const)
    await expect(readRows(folderOf(`folder.${format}`), format, { columns: [] }).next()).rejects.toMatchObject({
      code: 'EISDIR',
    })
})

test('a source is named by its file, whether or not it is compressed', () => {
  const names = ['chicago.csv', 'data/chicago.csv.gz', '/tmp/chicago.ndjson', 'new-york.2026.geojson'].map(sourceNameOf)
  expect(names).toEqual(['chicago', 'chicago', 'chicago', 'new-york'])
})
