import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listChangedSince, type MerchantRow } from '../../src/dining/merchants/catalog/store.ts'
import { meanRating } from '../../src/dining/merchants/rules.ts'
import { MerchantIndex } from '../../src/dining/merchants/search/merchant-index.ts'
import {
  createReadModel,
  type MerchantReadModel,
  type SearchFilter,
} from '../../src/dining/merchants/search/read-model.ts'
import { seedMerchants } from '../../src/dining/merchants/seed/seed-merchants.ts'
import { createPools, type Pools } from '../../src/platform/database/db.ts'
import { createDatabaseListener, type DatabaseListener } from '../../src/platform/database/listen.ts'
import { ensureLogin } from '../../src/platform/database/logins.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { searchFilter } from '../support/merchant-fixtures.ts'

let database: TestDatabase
let pools: Pools
let dbListener: DatabaseListener
let model: MerchantReadModel
let all: MerchantRow[]
const reservationProviders = new Set(['book'] as const)
const log = pino({ level: 'silent' })

beforeAll(async () => {
  database = await createTestDatabase('schema')
  pools = createPools({ url: await ensureLogin(database.url, { group: 'dineback_app', password: 'for-this-test' }) })
  await seedMerchants(pools.shared, { count: 600 })
  dbListener = createDatabaseListener({ url: pools.url, log })
  model = await createReadModel({ shared: pools.shared, dbListener, log, reservationProviders })
  all = await listChangedSince(pools.shared, -1, 0, 10_000)
})
afterAll(async () => {
  await model?.close()
  await dbListener?.close()
  await pools?.close()
  await database?.drop()
})

const whole = { pageNo: 1, pageSize: 10_000 }
const chelsea = { latitude: 40.7506, longitude: -73.9972 }
const soon = { timeout: 20_000 }
const merchants = () => pools.shared.updateTable('merchants')
const shown = (filter: Partial<SearchFilter> = {}) => model.search(searchFilter(filter), whole)

test('every participating merchant is loaded as it is stored', () => {
  expect(shown().total).toBe(all.length)
  for (const row of all.slice(0, 50)) expect(model.bySlug(row.publicId)).toEqual(row)
})

test('SRCH-028 each sort order is applied as named', () => {
  const by = (sortBy: SearchFilter['sortBy']) => shown({ origin: chelsea, sortBy }).rows
  const sorted = <T extends number | string>(values: T[]) =>
    values.every((value, index) => index === 0 || (values[index - 1] as T) <= value)
  expect(sorted(by('distance').map(({ miles }) => miles as number))).toBe(true)
  expect(sorted(by('rating').map(({ row }) => -meanRating(row.ratingSum, row.ratingCount)))).toBe(true)
  expect(sorted(by('name').map(({ row }) => row.name.toLowerCase().replace(/[^a-z ]/g, '')))).toBe(true)
  expect(sorted(by('newest').map(({ row }) => -Date.parse(row.joinedOn)))).toBe(true)
})

test('a change appears, and a merchant that leaves or is deleted disappears', async () => {
  const [first, second] = all as [MerchantRow, MerchantRow]
  await merchants().set({ name: 'Quite Another Name' }).where('id', '=', first.id).execute()
  await expect.poll(() => model.bySlug(first.publicId)?.name, soon).toBe('Quite Another Name')
  expect(shown({ text: 'quite another' }).total).toBe(1)
  expect(model.suggest('quite', 8)).toEqual(['Quite Another Name'])
  await merchants().set({ participating: false }).where('id', '=', first.id).execute()
  await expect.poll(() => model.bySlug(first.publicId), soon).toBeUndefined()
  expect(shown({ text: 'quite another' }).total).toBe(0)
  await merchants().set({ participating: true }).where('id', '=', first.id).execute()
  await expect.poll(() => shown({ text: 'quite another' }).total, soon).toBe(1)
  await pools.shared.deleteFrom('merchants').where('id', '=', second.id).execute()
  await expect.poll(() => model.bySlug(second.publicId), soon).toBeUndefined()
  expect(shown().total).toBe(all.length - 1)
})

test('a changed offer updates its merchant', async () => {
  const merchant = all[5] as MerchantRow
  const offers = pools.shared.updateTable('merchant_offers').where('merchant_id', '=', merchant.id)
  await offers.set({ rate_percent: 777 }).execute()
  await expect.poll(() => model.bySlug(merchant.publicId)?.offers[0]?.ratePercent, soon).toBe(777)
})

test('a change that commits after a later one is not lost', async () => {
  const [early, late] = [all[6], all[7]] as [MerchantRow, MerchantRow]
  const slow = new pg.Client({ connectionString: database.url })
  await slow.connect()
  await slow.query('begin')
  await slow.query('update merchants set name = $1 where id = $2', ['Slow', early.id])
  // Writers wait for the counter, so the later one gets the higher number although it starts before the first commits.
  const other = merchants().set({ name: 'Swift' }).where('id', '=', late.id).execute()
  await slow.query('commit')
  await Promise.all([other, slow.end()])
  await expect.poll(() => model.bySlug(late.publicId)?.name, soon).toBe('Swift')
  expect(model.bySlug(early.publicId)?.name).toBe('Slow')
})

test('listeners are notified after a change is visible, and a rolled back change is not visible', async () => {
  const merchant = all[8] as MerchantRow
  const received: (string | undefined)[] = []
  model.onChange(() => received.push(model.bySlug(merchant.publicId)?.name))
  await pools.shared
    .transaction()
    .execute(async (tx) => {
      await tx.updateTable('merchants').set({ name: 'Never' }).where('id', '=', merchant.id).execute()
      throw new Error('no')
    })
    .catch(() => {})
  const before = model.version
  await merchants().set({ name: 'Once' }).where('id', '=', merchant.id).execute()
  await expect.poll(() => received.at(-1), soon).toBe('Once')
  expect(received).not.toContain('Never')
  expect(model.version).toBeGreaterThan(before)
})

test('a lost LISTEN connection is restored, and missed changes appear', async () => {
  const merchant = all[9] as MerchantRow
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  const listening = `select pid from pg_stat_activity where query = 'listen "merchants_changed"' and datname = current_database()`
  const ended = await owner.query(`select pg_terminate_backend(pid) from (${listening}) as found`)
  expect(ended.rowCount).toBe(1)
  await merchants().set({ name: 'Unheard' }).where('id', '=', merchant.id).execute()
  await expect.poll(() => model.bySlug(merchant.publicId)?.name, soon).toBe('Unheard')
  expect((await owner.query(listening)).rowCount).toBe(1)
  await owner.end()
})

test('without a notification the poll finds the change', async () => {
  const merchant = all[10] as MerchantRow
  const brokenListener = createDatabaseListener({ url: 'postgres://127.0.0.1:1/nowhere', log })
  const pollingModel = await createReadModel({
    shared: pools.shared,
    dbListener: brokenListener,
    log,
    reservationProviders,
    pollIntervalMs: 200,
  })
  await merchants().set({ name: 'Polled' }).where('id', '=', merchant.id).execute()
  expect(pollingModel.bySlug(merchant.publicId)?.name).toBe(merchant.name)
  await expect.poll(() => pollingModel.bySlug(merchant.publicId)?.name, soon).toBe('Polled')
  await pollingModel.close()
  await brokenListener.close()
})

test('many changes of one transaction appear at once, and one that arrives while they are merged follows', async () => {
  const [bystander] = all.slice(12) as [MerchantRow]
  const withChanges = MerchantIndex.prototype.withChanges
  const merges: string[] = []
  vi.spyOn(MerchantIndex.prototype, 'withChanges').mockImplementation(async function (this: MerchantIndex, ...changes) {
    merges.push('begins')
    if (merges.length === 1) await merchants().set({ name: 'Meanwhile' }).where('id', '=', bystander.id).execute()
    const next = await withChanges.apply(this, changes)
    merges.push('ends')
    return next
  })
  const totals = new Set<number>()
  const inserted = sql`insert into merchants (public_id, source, source_id, network_location_id, name, city, state,
    latitude, longitude, time_zone) select 'swarm-' || i, 'test', 'swarm-' || i, 'loc_swarm_' || i, 'Swarm', 'New York',
    'NY', 40.75, -73.99, 'America/New_York' from generate_series(1, 2500) as i`.execute(pools.shared)
  const counted = () => {
    totals.add(shown({ text: 'swarm' }).total)
    return [...totals]
  }
  await expect.poll(counted, { ...soon, interval: 0 }).toContain(2500)
  await inserted
  expect(counted()).toEqual([0, 2500])
  await expect.poll(() => model.bySlug(bystander.publicId)?.name, soon).toBe('Meanwhile')
  await expect.poll(() => merges.at(-1), soon).toBe('ends')
  expect(merges).toEqual(merges.map((_, at) => (at % 2 === 0 ? 'begins' : 'ends')))
  vi.restoreAllMocks()
})

test('to find a deleted merchant, only ids near it are read', async () => {
  const { id } = await pools.shared
    .selectFrom('merchants')
    .select('id')
    .where('public_id', '=', 'swarm-1200')
    .executeTakeFirstOrThrow()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await pools.shared.deleteFrom('merchants').where('id', '=', id).execute()
  await expect.poll(() => model.bySlug('swarm-1200'), soon).toBeUndefined()
  expect(shown({ text: 'swarm' }).total).toBe(2499)
  const calls = query.mock.calls as unknown as [{ text?: string }, unknown[]][]
  const reads = calls.filter(([{ text }]) => text?.startsWith('select "id" from "merchants"'))
  expect(reads.map(([, values]) => values)).toEqual([[[Math.floor(id / 1000)]]])
})

test('a merchant that is replaced between two polls leaves nothing behind', async () => {
  const merchant = all[11] as MerchantRow
  await pools.shared.transaction().execute(async (tx) => {
    await sql`insert into merchants (public_id, source, source_id, network_location_id, name, city, state, latitude,
      longitude, time_zone) values ('the-successor', 'test', '1', 'loc_test', 'The Successor', 'New York', 'NY', 40.75,
      -73.99, 'America/New_York')`.execute(tx)
    await tx.deleteFrom('merchants').where('id', '=', merchant.id).execute()
  })
  await expect.poll(() => model.bySlug('the-successor')?.name, soon).toBe('The Successor')
  // The new merchant appears just before the old one disappears, so the conditions are polled one after the other.
  await expect.poll(() => model.bySlug(merchant.publicId), soon).toBeUndefined()
})
