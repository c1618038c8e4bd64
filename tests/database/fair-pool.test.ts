import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FairPool, runForClient } from '../../src/platform/database/fair-pool.ts'
import { ensureLogin } from '../../src/platform/database/logins.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let url: string

beforeAll(async () => {
  database = await createTestDatabase('schema')
  url = await ensureLogin(database.url, { group: 'dineback_app', password: randomUUID() })
})
afterAll(() => database?.drop())

async function withPool(options: { max: number; connectionTimeoutMillis?: number }, work: (pool: FairPool) => unknown) {
  const pool = new FairPool({ connectionString: url, ...options })
  // A connection may end while the pool is closing it.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
}

const connectFor = (pool: FairPool, address: string) => runForClient(address, () => pool.connect())

/** Notes the order in which calls for clients get a connection, which each gives back at once. */
async function orderOf(pool: FairPool, addresses: readonly string[], release: () => void): Promise<string[]> {
  const order: string[] = []
  const all = addresses.map(async (address) => {
    const client = await connectFor(pool, address)
    order.push(address)
    await client.query('select 1')
    client.release()
  })
  release()
  await Promise.all(all)
  return order
}

test('Case 146 a client with a hundred waiting queries delays that of another network by those that run', async () => {
  await withPool({ max: 1 }, async (pool) => {
    const held = await connectFor(pool, '192.0.2.1')
    const flood = Array.from({ length: 100 }, () => '192.0.2.1')
    const order = await orderOf(pool, [...flood, '192.0.2.2'], () => held.release())
    // One call of the same number of connections may be first: that which has waited longer.
    expect(order.indexOf('192.0.2.2')).toBeLessThan(2)
    expect(order).toHaveLength(101)
  })
})

test('Case 146 addresses of one IPv6 connection share its turns', async () => {
  await withPool({ max: 1 }, async (pool) => {
    const held = await connectFor(pool, '192.0.2.1')
    const flood = Array.from({ length: 50 }, (_, index) => `2001:db8::${index + 1}`)
    const order = await orderOf(pool, [...flood, '192.0.2.2'], () => held.release())
    expect(order.indexOf('192.0.2.2')).toBeLessThan(2)
  })
})

test.each([
  [10, 8],
  [3, 2],
  [2, 1],
  [1, 1],
])('Case 146 of %i connections one network holds at most %i, and the server itself all', async (max, most) => {
  await withPool({ max }, async (pool) => {
    const clients = Array.from({ length: max + 1 }, () => connectFor(pool, '192.0.2.1'))
    const first = await Promise.all(clients.slice(0, most))
    expect(pool.callsWaiting).toBe(max + 1 - most)
    const others = await Promise.all(Array.from({ length: max - most }, () => connectFor(pool, '192.0.2.2')))
    for (const client of [...first, ...others]) client.release()
    await Promise.all(clients.slice(most).map(async (client) => (await client).release()))
    const own = await Promise.all(Array.from({ length: max }, () => pool.connect()))
    for (const client of own) client.release()
    expect(pool.callsWaiting).toBe(0)
  })
})

test('Case 146 a call that has waited for too long gives its place up', async () => {
  await withPool({ max: 1, connectionTimeoutMillis: 8_000 }, async (pool) => {
    const held = await connectFor(pool, '192.0.2.1')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const failure = expect(connectFor(pool, '192.0.2.1')).rejects.toThrow('timeout exceeded when trying to connect')
    vi.advanceTimersByTime(8_000)
    vi.useRealTimers()
    await failure
    expect(pool.callsWaiting).toBe(0)
    held.release()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})

test('Case 146 failed queries and broken connections leave no connection taken', async () => {
  await withPool({ max: 1 }, async (pool) => {
    for (let count = 0; count < 3; count++) {
      await expect(runForClient('192.0.2.1', () => pool.query('select 1 / 0'))).rejects.toThrow('division by zero')
      const client = await connectFor(pool, '192.0.2.1')
      client.release(true)
      expect((await runForClient('192.0.2.2', () => pool.query('select 1 as one'))).rows).toEqual([{ one: 1 }])
    }
    expect(pool.callsWaiting).toBe(0)
  })
})

test('Case 146 a server that cannot be reached leaves no connection taken', async () => {
  const pool = new FairPool({ connectionString: 'postgres://nobody:x@127.0.0.1:1/none', max: 1 })
  for (let count = 0; count < 3; count++) await expect(pool.query('select 1')).rejects.toThrow('ECONNREFUSED')
  expect(pool.callsWaiting).toBe(0)
  await pool.end()
})
