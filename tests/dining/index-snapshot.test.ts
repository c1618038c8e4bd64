import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listChangedSince } from '../../src/dining/merchants/catalog/store.ts'
import type { ReservationProvider } from '../../src/dining/merchants/names.ts'
import { createReadModel, type MerchantReadModel } from '../../src/dining/merchants/search/read-model.ts'
import { seedMerchants } from '../../src/dining/merchants/seed/seed-merchants.ts'
import { createPools, type Pools } from '../../src/platform/database/db.ts'
import { createDatabaseListener, type DatabaseListener } from '../../src/platform/database/listen.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { searchFilter } from '../support/merchant-fixtures.ts'

let database: TestDatabase
let pools: Pools
let dbListener: DatabaseListener
let owner: pg.Client
const folder = mkdtempSync(join(tmpdir(), 'dineback-snapshot-'))
const snapshotPath = join(folder, 'data', 'restaurants.index')
const log = pino({ level: 'silent' })

beforeAll(async () => {
  database = await createTestDatabase('schema')
  pools = createPools({ url: database.url })
  await seedMerchants(pools.shared, { count: 300 })
  dbListener = createDatabaseListener({ url: pools.url, log })
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await dbListener?.close()
  await pools?.close()
  await database?.drop()
  rmSync(folder, { recursive: true })
})

async function withModel<T>(
  work: (model: MerchantReadModel) => T,
  reservationProviders: ReadonlySet<ReservationProvider> = new Set(['book', 'http']),
): Promise<T> {
  const model = await createReadModel({ shared: pools.shared, dbListener, log, snapshotPath, reservationProviders })
  try {
    return work(model)
  } finally {
    await model.close()
  }
}

/** Returns every restaurant of a model as searches return it. */
const shownBy = (model: MerchantReadModel) =>
  model.search(searchFilter({ sortBy: 'name' }), { pageNo: 1, pageSize: 1000 }).rows.map(({ row }) => row)
const publicIds = () =>
  sql<{ id: string }>`select public_id as id from merchants order by id`.execute(pools.shared).then(({ rows }) => rows)

/** Fails unless a model has exactly the participating restaurants of the database. */
async function expectCurrent(model: MerchantReadModel): Promise<void> {
  const all = await listChangedSince(pools.shared, -1, 0, 10_000)
  const participating = all.filter((row) => row.participating)
  expect(new Map(shownBy(model).map((row) => [row.id, row]))).toEqual(
    new Map(participating.map((row) => [row.id, row])),
  )
  for (const { name, cuisines } of participating.slice(0, 20))
    for (const text of [name, ...cuisines]) expect(model.suggest(text, 50).length).toBeGreaterThan(0)
}

/** Changes a name without the triggers, so that only the snapshot has the previous one. */
const renameUnnoticed = (id: string, name: string) =>
  owner.query(`set session_replication_role = replica; update merchants set name = '${name}' where public_id = '${id}';
    set session_replication_role = origin`)

test('a start restores the snapshot of the last one, with what has changed, arrived and left since', async () => {
  const [known, changed, left, deleted] = (await publicIds()).map(({ id }) => id) as [string, string, string, string]
  const before = await withModel((model) => model.bySlug(known))
  await renameUnnoticed(known, 'Only In The Database')
  await owner.query(`update merchants set name = 'Renamed' where public_id = $1`, [changed])
  await owner.query(`update merchants set participating = false where public_id = $1`, [left])
  await owner.query(`delete from merchants where public_id = $1`, [deleted])
  await owner.query(`insert into merchants (public_id, source, source_id, network_location_id, name, city, state, latitude,
    longitude, time_zone) values ('newcomer', 'test', '1', 'loc_test', 'Newcomer', 'New York', 'NY', 40.75, -73.99,
    'America/New_York')`)
  await withModel((model) => {
    expect(model.bySlug(known)).toEqual(before)
    expect([changed, left, deleted, 'newcomer'].map((id) => model.bySlug(id)?.name)).toEqual([
      'Renamed',
      undefined,
      undefined,
      'Newcomer',
    ])
    expect(model.search(searchFilter({ text: 'newcomer' }), { pageNo: 1, pageSize: 1 }).total).toBe(1)
  })
  await renameUnnoticed(known, (before as { name: string }).name)
  await withModel(expectCurrent)
})

test('a start with an unchanged database reads and counts no restaurant', async () => {
  rmSync(snapshotPath, { force: true })
  await withModel(() => {})
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await withModel((model) => expect(model.size).toBeGreaterThan(0))
    const texts = query.mock.calls.map(([first]) => String((first as { text?: string }).text ?? first))
    expect(texts.filter((text) => text.includes('hashint8extended'))).toHaveLength(1)
    expect(texts.filter((text) => /public_id|count\(/.test(text))).toEqual([])
  } finally {
    query.mockRestore()
  }
})

test('RESV-032 a start with other reservation providers shows reservations of these', async () => {
  const [remote] = (await publicIds()).map(({ id }) => id).slice(40) as [string]
  await owner.query(`update merchants set reservation_provider = 'http', participating = true where public_id = $1`, [
    remote,
  ])
  const bookable = (model: MerchantReadModel) =>
    model
      .search(searchFilter({ reservations: true }), { pageNo: 1, pageSize: 1000 })
      .rows.map(({ row }) => row.publicId)
  rmSync(snapshotPath, { force: true })
  const all = await withModel(bookable)
  expect(all).toContain(remote)
  const own = new Set(['book'] as const)
  const expected = all.filter((id) => id !== remote).sort()
  for (const label of ['another setting', 'the same setting again'])
    expect([label, (await withModel(bookable, own)).sort()]).toEqual([label, expected])
  await owner.query(`update merchants set name = 'Still remote' where public_id = $1`, [remote])
  await withModel((model) => {
    expect(model.bySlug(remote)).toMatchObject({ name: 'Still remote', reservationProvider: null })
    expect(model.count(searchFilter({})).reservations).toBe(expected.length)
  }, own)
  expect(await withModel(bookable)).toContain(remote)
})

test('after a restored backup, the snapshot of the later state is corrected', async () => {
  const [id] = (await publicIds()).map(({ id }) => id).slice(10) as [string]
  rmSync(snapshotPath)
  const old = await owner.query('select name, version, updated_at from merchants where public_id = $1', [id])
  await owner.query(`update merchants set name = 'After The Backup' where public_id = $1`, [id])
  await withModel((model) => expect(model.bySlug(id)?.name).toBe('After The Backup'))
  await owner.query('set session_replication_role = replica')
  const { name, version, updated_at } = old.rows[0]
  await owner.query('update merchants set name = $2, version = $3, updated_at = $4 where public_id = $1', [
    id,
    name,
    version,
    updated_at,
  ])
  await owner.query('set session_replication_role = origin; update merchants_version set version = version - 1')
  await withModel(expectCurrent)
})

test('a damaged file, or one of other code, is ignored and replaced', async () => {
  rmSync(snapshotPath)
  await withModel(() => {})
  const good = readFileSync(snapshotPath)
  const [id] = (await publicIds()).map(({ id }) => id).slice(20) as [string]
  const { name } = (await withModel((model) => model.bySlug(id))) as { name: string }
  const flipped = Buffer.from(good)
  flipped[flipped.length - 9] = (flipped.at(-9) as number) ^ 1
  const damage: (() => void)[] = [
    () => truncateSync(snapshotPath, good.length - 1),
    () => truncateSync(snapshotPath, 0),
    () => writeFileSync(snapshotPath, flipped),
    () => writeFileSync(snapshotPath, good.toString('latin1').replace(/"format":"/, '"format":"0'), 'latin1'),
    () => writeFileSync(snapshotPath, 'not a snapshot'),
  ]
  for (const [index, spoil] of damage.entries()) {
    spoil()
    await renameUnnoticed(id, `Name ${index}`)
    await withModel((model) => expect([index, model.bySlug(id)?.name]).toEqual([index, `Name ${index}`]))
    // The new file has the current name, and is used: the next change without the triggers goes unnoticed.
    await renameUnnoticed(id, 'Unnoticed')
    await withModel((model) => expect([index, model.bySlug(id)?.name]).toEqual([index, `Name ${index}`]))
  }
  await renameUnnoticed(id, name)
})

test('the file contains no restaurant that does not participate, and only its owner may read it', async () => {
  rmSync(snapshotPath)
  const [id] = (await publicIds()).map(({ id }) => id).slice(30) as [string]
  await owner.query(`update merchants set name = 'Hidden Spot', participating = false where public_id = $1`, [id])
  await owner.query(`update merchants set description = 'Unlisted words' where public_id <> $1`, [id])
  await withModel(() => {})
  const content = readFileSync(snapshotPath, 'latin1').toLowerCase()
  expect(content).toContain('new york')
  for (const secret of ['hidden', id, 'unlisted']) expect(content).not.toContain(secret)
  expect(statSync(snapshotPath).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(folder, 'data'))).toEqual(['restaurants.index'])
})
