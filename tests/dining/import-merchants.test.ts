import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MerchantRecord } from '../../src/dining/merchants/catalog/record.ts'
import { importMerchants } from '../../src/dining/merchants/import/import-merchants.ts'
import { offerColumns } from '../../src/dining/merchants/import/offer-columns.ts'
import { addReview, redactReviews } from '../../src/dining/merchants/service.ts'
import { createPools, inTransaction, type Pools } from '../../src/platform/database/db.ts'
import { ensureLogin } from '../../src/platform/database/logins.ts'
import { formatOf } from '../../src/platform/files/read-rows.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { whileLocked } from '../support/while-locked.ts'

let database: TestDatabase
let pools: Pools
let folder: string

beforeAll(async () => {
  database = await createTestDatabase('schema')
  pools = createPools({ url: await ensureLogin(database.url, { group: 'dineback_app', password: 'for-this-test' }) })
  folder = mkdtempSync(join(tmpdir(), 'import-'))
})
afterAll(async () => {
  await pools?.close()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => pools.shared.deleteFrom('merchants').execute())

function run(
  name: string,
  content: string | Buffer,
  over: { skipErrors?: boolean; dryRun?: boolean; today?: string } = {},
) {
  const file = join(folder, name)
  writeFileSync(file, content)
  return importMerchants(pools.shared, {
    file,
    format: formatOf(name) ?? 'csv',
    defaults: { source: 'test', participating: false, joinedOn: over.today ?? '2026-01-01' },
    skipErrors: over.skipErrors ?? false,
    dryRun: over.dryRun ?? false,
    report: join(folder, `${name}.errors.txt`),
    onProgress: () => {},
  })
}

const row = (id: string, over = {}) => ({
  id,
  name: `Place ${id}`,
  lat: 40.75,
  lng: -73.99,
  city: 'New York',
  state: 'NY',
  zip: '10001',
  cuisine: ['Thai'],
  ...over,
})
const ndjson = (...rows: object[]) => rows.map((value) => JSON.stringify(value)).join('\n')
const count = async () => (await pools.shared.selectFrom('merchants').select('id').execute()).length
const readReport = (name: string) => readFileSync(join(folder, `${name}.errors.txt`), 'utf8')

test('each format imports the same merchants, compressed or not', async () => {
  const lines = ndjson(row('a'), row('b'))
  expect(await run('x.ndjson', lines)).toMatchObject({ rows: 2, added: 2, written: true })
  expect(await run('x.ndjson.gz', gzipSync(lines))).toMatchObject({ added: 0, unchanged: 2 })
  const csv =
    'id,name,lat,lng,city,state,zip,cuisine\na,Place a,40.75,-73.99,New York,NY,10001,Thai\nb,Place b,40.75,-73.99,New York,NY,10001,Thai\n'
  expect(await run('x.csv', csv)).toMatchObject({ added: 0, unchanged: 2 })
  const feature = ({ lat, lng, ...properties }: ReturnType<typeof row>) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties,
  })
  const collection = { type: 'FeatureCollection', features: [feature(row('a')), feature(row('b'))] }
  expect(await run('x.geojson', JSON.stringify(collection))).toMatchObject({ added: 0, unchanged: 2 })
  expect(await run('y.geojson', ndjson(feature(row('a')), feature(row('c'))))).toMatchObject({ added: 1, unchanged: 1 })
})

test('unknown values stay empty, and a merchant participates only if the source says so', async () => {
  await run('x.ndjson', ndjson(row('a', { cuisine: [] })))
  const merchant = await pools.shared.selectFrom('merchants').selectAll().executeTakeFirstOrThrow()
  expect(merchant).toMatchObject({
    participating: false,
    rating_count: 0,
    price_range: 0,
    hours: null,
    time_zone: 'America/New_York',
  })
})

test('the borough is the neighborhood of a restaurant that names no other', async () => {
  const rows = [row('a', { borough: 'Queens' }), row('b', { borough: 'Queens', neighborhood: 'Astoria' }), row('c')]
  await run('boroughs.ndjson', ndjson(...rows))
  const found = await pools.shared.selectFrom('merchants').select('neighborhood').orderBy('source_id').execute()
  expect(found.map(({ neighborhood }) => neighborhood)).toEqual(['Queens', 'Astoria', ''])
})

test('an invalid row rejects the whole file and is named by its line', async () => {
  const lines = ndjson(row('a'), row('b', { state: 'New Yorck' }), row('c', { lat: 95 }))
  expect(await run('x.ndjson', `${lines}\n{broken\n`)).toMatchObject({ rows: 4, wrong: 3, written: false })
  expect(await count()).toBe(0)
  const report = readReport('x.ndjson')
  expect(report).toBe(
    [
      'line 2, column state: “New Yorck” is no state of the US; write NY or New York.',
      'line 3, column lat: “95” is not a latitude in the US; write degrees, like 40.75.',
      'line 4: The line is not JSON.',
      '',
    ].join('\n'),
  )
  expect(await run('x.ndjson', lines, { skipErrors: true })).toMatchObject({ added: 1, wrong: 2, written: true })
})

test('a duplicate id is invalid', async () => {
  expect(await run('x.ndjson', ndjson(row('a'), row('a')))).toMatchObject({ wrong: 1, written: false })
  expect(readReport('x.ndjson')).toContain('line 2, column id: “a” is on line 1 already.')
})

test('a broken archive, table or collection changes nothing', async () => {
  const whole = gzipSync(ndjson(...Array.from({ length: 3_000 }, (_, index) => row(String(index)))))
  await expect(run('x.ndjson.gz', whole.subarray(0, whole.length - 40))).rejects.toThrow()
  await expect(run('x.csv', 'id,name\na,b')).rejects.toThrow(
    'The file has no columns city, state, latitude, longitude. The first line must have the names of the columns; found: id, name.',
  )
  expect((await run('x.geojson', '{"type":"FeatureCollection"')).written).toBe(false)
  expect(await count()).toBe(0)
})

test('a row that joins in the future, has an absurd date or cannot be stored is invalid', async () => {
  const wrong = ['9999-12-31', '0001-01-01', '2026-02-30'].map((joinedOn, index) => row(`d${index}`, { joinedOn }))
  const result = await run(
    'x.ndjson',
    ndjson(row('a'), ...wrong, row('n', { name: 'a\0b' }), row('s', { name: '\ud800' })),
  )
  expect([result.wrong, result.written, await count()]).toEqual([5, false, 0])
  expect(readReport('x.ndjson')).toContain('line 2, column joinedOn: “9999-12-31” is not a day')
})

test('importing again changes only what changed', async () => {
  await run('x.ndjson', ndjson(row('a'), row('b')))
  const versions = () =>
    pools.shared.selectFrom('merchants').select(['source_id', 'version', 'public_id']).orderBy('source_id').execute()
  const before = await versions()
  expect(await run('x.ndjson', ndjson(row('a'), row('b', { name: 'Renamed' })))).toMatchObject({
    changed: 1,
    unchanged: 1,
  })
  const after = await versions()
  expect(after[0]).toEqual(before[0])
  expect(after[1]?.version).toBeGreaterThan(before[1]?.version as number)
  // The address of its page stays.
  expect(after[1]?.public_id).toBe(before[1]?.public_id)
})

const byGuide = { rating: 4, author: 'A guide', body: 'Fine.', visitedOn: '2026-01-05' }

/** Imports restaurant `a`, of which its source knows ten ratings of 4 and one review. Returns its id. */
async function importRated(over: object = {}): Promise<number> {
  await run('x.ndjson', ndjson(row('a', { rating: { sum: 40, count: 10 }, reviews: [byGuide], ...over })))
  return (await pools.shared.selectFrom('merchants').select('id').executeTakeFirstOrThrow()).id
}
const byMember = { rating: 1, author: 'Ada L.', body: 'Cold.', visitedOn: '2026-02-05' }
const ratingIn = () =>
  pools.shared.selectFrom('merchants').select(['rating_sum as sum', 'rating_count as count']).executeTakeFirstOrThrow()
const reviewsIn = () =>
  pools.shared.selectFrom('merchant_reviews').select(['rating', 'author', 'body']).orderBy('visited_on').execute()

test('an import replaces the reviews and ratings of the last import, and leaves those of members', async () => {
  const merchantId = await importRated()
  await inTransaction(pools.shared, async (tx) => {
    await addReview(tx, { merchantId, ...byMember })
    await redactReviews(tx, [await addReview(tx, { merchantId, ...byMember, rating: 5, visitedOn: '2026-02-06' })])
  })
  const ofMembers = [
    { rating: 1, author: 'Ada L.', body: 'Cold.' },
    { rating: 5, author: 'A former member', body: '' },
  ]
  expect(await ratingIn()).toEqual({ sum: 46, count: 12 })
  await importRated({ name: 'Renamed' })
  expect(await ratingIn()).toEqual({ sum: 46, count: 12 })
  expect(await reviewsIn()).toEqual([{ rating: 4, author: 'A guide', body: 'Fine.' }, ...ofMembers])
  await importRated({ rating: { sum: 6, count: 2 }, reviews: [{ ...byGuide, rating: 3 }] })
  expect(await ratingIn()).toEqual({ sum: 12, count: 4 })
  expect(await reviewsIn()).toEqual([{ rating: 3, author: 'A guide', body: 'Fine.' }, ...ofMembers])
  await importRated({ rating: undefined, reviews: [] })
  expect(await ratingIn()).toEqual({ sum: 6, count: 2 })
  expect(await reviewsIn()).toEqual(ofMembers)
})

test('a review that is published while its restaurant is imported stays and counts', async () => {
  const merchantId = await importRated()
  await whileLocked(pools.shared, {
    hold: (tx) => addReview(tx, { merchantId, ...byMember }),
    acts: [() => importRated({ name: 'Renamed' })],
  })
  expect(await ratingIn()).toEqual({ sum: 41, count: 11 })
  expect(await reviewsIn()).toHaveLength(2)
})

const offersIn = async () =>
  pools.shared
    .selectFrom('merchant_offers')
    .innerJoin('merchants', 'merchants.id', 'merchant_offers.merchant_id')
    .select([
      'source_id as id',
      'type',
      'days',
      'max_spend_cents as maxSpendCents',
      'max_visits_per_month as maxVisitsPerMonth',
      'rate_percent as ratePercent',
    ])
    .orderBy('source_id')
    .orderBy('merchant_offers.id')
    .execute()

test('the example files in docs import restaurants with their offers, the same from CSV as from GeoJSON', async () => {
  const csv = readFileSync('docs/restaurants.example.csv')
  const result = await run('example.csv', csv)
  expect(result).toMatchObject({ rows: 3, wrong: 0, added: 3, written: true })
  expect(await offersIn()).toMatchObject([
    { id: 'rest-1', type: 'Unlimited', days: [0, 1, 2, 3, 4, 5, 6], ratePercent: 100 },
    {
      id: 'rest-2',
      type: 'Limited',
      days: [1, 2, 3, 4],
      maxSpendCents: 15_000,
      maxVisitsPerMonth: 2,
      ratePercent: 150,
    },
    { id: 'rest-3', type: 'Unlimited', days: [0, 6] },
    { id: 'rest-3', type: 'Limited', days: [1, 2, 3, 4, 5], maxSpendCents: 10_000 },
  ])
  const geojson = readFileSync('docs/restaurants.example.geojson')
  expect(await run('example.geojson', geojson)).toMatchObject({ rows: 3, added: 0, changed: 0, unchanged: 3 })
  const described = readFileSync('docs/restaurants.md', 'utf8')
  const named = (column: string) => described.includes(`\`${column}\``)
  expect([...offerColumns, ...Object.keys(MerchantRecord.shape)].filter((column) => !named(column))).toEqual([])
})

test('an offer with an unknown day, a value that is not a number, or limits although it is Unlimited is invalid', async () => {
  const rows = [
    row('a', { offerDays: 'mon;someday' }),
    row('b', { offerMaxSpendCents: 'much' }),
    row('c', { offerType: 'Unlimited', offerMaxVisitsPerMonth: 2 }),
    row('d', { offers: 'none' }),
    row('e', { offerFrom: '25:00' }),
  ]
  expect(await run('x.ndjson', ndjson(...rows))).toMatchObject({ rows: 5, wrong: 5, written: false })
  const report = readReport('x.ndjson')
  expect(report.trim().split('\n')).toEqual([
    'line 1, column offerDays: “mon;someday” is not a list of weekdays; write mon;tue;wed.',
    'line 2, column offerMaxSpendCents: “much” is not a number of cents; write 8000 for $80.00.',
    'line 3, column offerType: An Unlimited offer has no limits.',
    'line 4, column offers: “none” is not a list.',
    'line 5, column offerFrom: “25:00” is not a time; write 17:00 or 5:00 PM.',
  ])
})

test('a table as a spreadsheet program writes it is the same as one by the book', async () => {
  const byTheBook = `id,name,address,city,state,zip,lat,lng,cuisine,features,website,priceRange,participating,joinedOn,offerDays,offerFrom,offerUntil
a,"12"" Subs",1 Main St,Boston,MA,02134,42.355,-71.13,French;Wine Bar,dineIn;takeout,https://www.a.example,2,true,2026-01-15,mon;tue,17:00,22:30
`
  const asWritten = `sep=;\r
ID;Name;Street;City;State;Postal Code;Latitude;Longitude;Cuisine;Features;Website;Price Range;Participating;Joined On;Offer Days;Offer From;Offer Until\r
;;;;;;;;;;;;;;;;\r
a;12" Subs;1 Main St;Boston;Massachusetts;2134;42,355;-71,13;French, Wine Bar;Dine-in, Takeout;www.a.example;$$;TRUE;1/15/2026;Monday, Tuesday;5:00 PM;22:30:00\r
;;;;;;;;;;;;;;;;\r
`
  expect(await run('book.csv', byTheBook)).toMatchObject({ added: 1, wrong: 0 })
  expect(await run('book.csv', `\ufeff${asWritten}`)).toMatchObject({ rows: 1, wrong: 0, unchanged: 1 })
})

test('a lost zero of a ZIP code is put back where city and state agree, and otherwise refused', async () => {
  const table = (city: string, state: string) =>
    `id,name,city,state,zip,lat,lng\na,A,${city},${state},2134,42.3,-71.1\n`
  expect(await run('zip.csv', table('Boston', 'MA'))).toMatchObject({ wrong: 0 })
  const { zipCode } = await pools.shared.selectFrom('merchants').select('zip_code as zipCode').executeTakeFirstOrThrow()
  expect(zipCode).toBe('02134')
  for (const [city, state] of [
    ['Boston', 'NY'],
    ['Springfield', 'MA'],
    ['Nowhere at all', 'MA'],
  ] as const) {
    expect(await run('zip.csv', table(city, state))).toMatchObject({ wrong: 1, written: false })
    expect(readReport('zip.csv')).toBe('line 2, column zip: “2134” is not a ZIP code; write five digits.\n')
  }
})

test('all problems of a table are named at once, in the words of the table', async () => {
  const table = `Id,Name,City,State,Lat,Lng,Price Range,Joined On,Offer Min Spend Cents
a,,Boston,MA,42.3,-71.1,9,15/1/2026,$80
b,B,Boston,MA,north,-71.1,cheap,soon,1
c,C,Boston
`
  expect(await run('all.csv', table)).toMatchObject({ rows: 3, wrong: 3, written: false })
  expect(readReport('all.csv').trim().split('\n')).toEqual([
    'line 2, column Joined On: “15/1/2026” is not a day; write 2026-01-15 or 1/15/2026.',
    'line 2, column Offer Min Spend Cents: “$80” is not a number of cents; write 8000 for $80.00.',
    'line 2, column name: It is required, but empty.',
    'line 2, column Price Range: “9” is no price level; write 1 to 4, or $ to $$$$.',
    'line 3, column Lat: “north” is not a latitude in the US; write degrees, like 40.75.',
    'line 3, column Price Range: “cheap” is no price level; write 1 to 4, or $ to $$$$.',
    'line 3, column Joined On: “soon” is not a day; write 2026-01-15 or 1/15/2026.',
    'line 4: The line has 3 cells, the first line has 9.',
  ])
})

const soffice = ['/usr/bin/soffice', '/usr/lib/libreoffice/program/soffice'].find((path) => existsSync(path))

test.skipIf(!soffice)(
  'the example, opened and saved by LibreOffice Calc, imports again (skipped where it is not installed)',
  async () => {
    const csv = readFileSync('docs/restaurants.example.csv', 'utf8')
    expect(await run('example.csv', csv)).toMatchObject({ wrong: 0, added: 3 })
    const convert = (from: string, to: string) =>
      execFileSync(
        soffice as string,
        [`-env:UserInstallation=file://${folder}/office`, '--headless', '--convert-to', to, '--outdir', folder, from],
        {
          stdio: 'ignore',
          env: { ...process.env, HOME: folder },
        },
      )
    // US English, with cells recognized as numbers and days, as a person opens the file.
    execFileSync(
      soffice as string,
      [
        `-env:UserInstallation=file://${folder}/office`,
        '--headless',
        '--infilter=CSV:44,34,76,1,,1033,false,true',
        '--convert-to',
        'ods',
        '--outdir',
        folder,
        join(folder, 'example.csv'),
      ],
      { stdio: 'ignore', env: { ...process.env, HOME: folder } },
    )
    for (const separator of ['44', '59', '9']) {
      rmSync(join(folder, 'example.csv'))
      convert(join(folder, 'example.ods'), `csv:Text - txt - csv (StarCalc):${separator},34,76,1,,1033,false,true`)
      const saved = readFileSync(join(folder, 'example.csv'))
      expect([separator, await run('example.csv', saved)]).toMatchObject([
        separator,
        { rows: 3, wrong: 0, unchanged: 3 },
      ])
    }
  },
)

test('a dry run writes nothing', async () => {
  expect(await run('x.ndjson', ndjson(row('a')), { dryRun: true })).toMatchObject({ added: 1, written: false })
  expect(await count()).toBe(0)
})

test('the report has the first thousand problems, and the number of the others', async () => {
  const reportOf = async (count: number) => {
    await run('many.ndjson', 'x\n'.repeat(count))
    return readReport('many.ndjson').trim().split('\n')
  }
  expect((await reportOf(1000)).at(-1)).toBe('line 1000: The line is not JSON.')
  expect((await reportOf(1001)).slice(-2)).toEqual([expect.stringMatching(/^line 1000: /), '... and 1 more'])
})

describe('a restaurant without a join date', () => {
  const dates = () =>
    pools.shared
      .selectFrom('merchants')
      .leftJoin('merchant_offers', 'merchant_offers.merchant_id', 'merchants.id')
      .select(['joined_on', 'starts_on', 'left_on'])
      .executeTakeFirstOrThrow()
  const importOn = (today: string, over: object) =>
    run('x.ndjson', ndjson(row('a', { offerType: 'Unlimited', ...over })), { today })
  const participating = true

  test('has joined on the day of its first import, and its offer started then, when its row is imported again', async () => {
    await importOn('2026-01-01', { participating })
    expect(await importOn('2026-01-08', { participating })).toMatchObject({ changed: 0, unchanged: 1 })
    expect(await importOn('2026-01-09', { participating, name: 'Renamed' })).toMatchObject({ changed: 1 })
    expect(await dates()).toEqual({ joined_on: '2026-01-01', starts_on: '2026-01-01', left_on: null })
    await importOn('2026-01-10', { participating, joinedOn: '2025-12-01' })
    expect(await dates()).toMatchObject({ joined_on: '2025-12-01', starts_on: '2025-12-01' })
  })

  test('joins on the day of the import that says that it participates', async () => {
    await importOn('2026-01-01', {})
    expect(await importOn('2026-01-08', {})).toMatchObject({ unchanged: 1 })
    await importOn('2026-02-01', { participating })
    expect(await dates()).toMatchObject({ joined_on: '2026-02-01', starts_on: '2026-02-01' })
  })

  test('that no longer participates has left on its own day, and joins again on that of the import', async () => {
    await importOn('2026-01-01', { participating, timeZone: 'Pacific/Auckland' })
    await importOn('2026-03-01', { participating: false, timeZone: 'Pacific/Auckland' })
    const there = new Date().toLocaleDateString('en-CA', { timeZone: 'Pacific/Auckland' })
    expect(await dates()).toEqual({ joined_on: '2026-01-01', starts_on: '2026-01-01', left_on: there })
    // A later change of another field does not move the day.
    await pools.shared.updateTable('merchants').set({ left_on: '2026-03-01' }).execute()
    await importOn('2026-03-08', { participating: false, timeZone: 'Pacific/Auckland', name: 'Renamed' })
    expect(await dates()).toMatchObject({ left_on: '2026-03-01' })
    await importOn('2026-04-01', { participating, timeZone: 'Pacific/Auckland' })
    expect(await dates()).toMatchObject({ joined_on: '2026-04-01', left_on: null })
  })

  test('has not left before it joined', async () => {
    await importOn('2026-01-01', {})
    await importOn('2026-01-08', { name: 'Renamed' })
    expect(await dates()).toMatchObject({ left_on: null })
  })
})
