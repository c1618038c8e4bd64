import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  attemptKey,
  countAddressAttempt,
  countAttempt,
  isAddressLocked,
  isLocked,
  resetAttempts,
  withdrawAddressAttempt,
  withdrawAttempt,
} from '../../src/platform/database/attempts.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { deleteIdempotencyKeys, withIdempotencyKey } from '../../src/platform/database/idempotency.ts'
import { HOUR } from '../../src/platform/time.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { createTestContext } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()
const db = () => createTestContext(harness, 'gallonaire').db
const newKey = () => attemptKey(Buffer.from('secret'), randomBytes(8).toString('hex'))
const limit = { maxAttempts: 3, windowMs: HOUR }

/** Returns the number of attempts that a counter has. */
async function countOf(key: Buffer): Promise<number> {
  const rows = await queryAsOwner<{ count: number }>(
    harness.ownerUrl,
    'select count from attempts where key_hash = $1',
    [key],
  )
  return rows[0]?.count ?? 0
}

/** Moves a counter into the past. */
const age = (key: Buffer, interval: string) =>
  queryAsOwner(
    harness.ownerUrl,
    `update attempts set started_at = started_at - $2::interval, locked_until = locked_until - $2::interval
     where key_hash = $1`,
    [key, interval],
  )

test('the attempt that reaches the limit locks its key for as long as a window, also the first', async () => {
  const key = newKey()
  const states: [number, boolean][] = []
  for (let attempt = 0; attempt < 4; attempt++)
    states.push([await countAttempt(db(), { key, ...limit }), await isLocked(db(), key)])
  expect(states).toEqual([
    [1, false],
    [2, false],
    [3, true],
    [4, true],
  ])
  await age(key, '59 minutes')
  expect(await isLocked(db(), key)).toBe(true)
  await age(key, '1 minute 1 second')
  expect(await isLocked(db(), key)).toBe(false)
  // The next window starts with the next attempt.
  expect([await countAttempt(db(), { key, ...limit }), await isLocked(db(), key)]).toEqual([1, false])
  const once = newKey()
  await countAttempt(db(), { key: once, maxAttempts: 1, windowMs: HOUR })
  expect(await isLocked(db(), once)).toBe(true)
  await resetAttempts(db(), once)
  expect([await isLocked(db(), once), await countOf(once)]).toEqual([false, 0])
})

test('an attempt that was not made is withdrawn with the lock that it caused, and not with one of others', async () => {
  const key = newKey()
  const withdraw = () => withdrawAttempt(db(), { key, maxAttempts: limit.maxAttempts })
  for (let attempt = 0; attempt < 4; attempt++) await countAttempt(db(), { key, ...limit })
  await withdraw()
  expect([await countOf(key), await isLocked(db(), key)]).toEqual([3, true])
  await withdraw()
  expect([await countOf(key), await isLocked(db(), key)]).toEqual([2, false])
  for (let more = 0; more < 3; more++) await withdraw()
  expect(await countOf(key)).toBe(0)
})

test('the window of a counter whose attempts were all withdrawn begins with the next one', async () => {
  const key = newKey()
  await countAttempt(db(), { key, ...limit })
  await withdrawAttempt(db(), { key, maxAttempts: limit.maxAttempts })
  await age(key, '59 minutes')
  expect(await countAttempt(db(), { key, ...limit })).toBe(1)
  await age(key, '2 minutes')
  expect(await countAttempt(db(), { key, ...limit })).toBe(2)
})

test('an IPv6 address counts for its household, and for its organization with ten times the limit', async () => {
  const from = (address: string) => ({
    secret: Buffer.from('secret'),
    about: 'login',
    partnerId: 'gallonaire',
    address,
  })
  const count = (address: string) => countAddressAttempt(db(), from(address), limit)
  const withdraw = (address: string) => withdrawAddressAttempt(db(), from(address), limit)
  const counts = []
  for (let attempt = 0; attempt < 4; attempt++) counts.push(await count(`2001:db8:1:1::${attempt + 1}`))
  expect(counts).toEqual([1, 2, 3, 4])
  expect([
    await isAddressLocked(db(), from('2001:db8:1:1::9')),
    await isAddressLocked(db(), from('2001:db8:1:2::1')),
  ]).toEqual([true, false])
  await withdraw('2001:db8:1:1::7')
  expect(await isAddressLocked(db(), from('2001:db8:1:1::9'))).toBe(true)
  await withdraw('2001:db8:1:1::7')
  expect([await isAddressLocked(db(), from('2001:db8:1:1::9')), await count('2001:db8:1:1::7')]).toEqual([false, 3])
  await count('2001:db8:1:1::7')
  // Three attempts of each of nine other households of the organization: thirty and one in all.
  for (let network = 2; network < 11; network++)
    for (let attempt = 0; attempt < 3; attempt++)
      expect([network, attempt, (await count(`2001:db8:1:${network.toString(16)}::1`)) > limit.maxAttempts]).toEqual([
        network,
        attempt,
        network === 10 && attempt === 2,
      ])
  expect(await isAddressLocked(db(), from('2001:db8:1:ff::1'))).toBe(true)
  expect([await count('192.0.2.1'), await count('192.0.2.1'), await count('::ffff:192.0.2.1')]).toEqual([1, 2, 3])
})

test('a repeated request gets the first response for a day, and its key belongs to its caller and its content', async () => {
  let runs = 0
  const send = (over: { scope?: string; key?: string; request?: unknown } = {}) =>
    inTransaction(db(), (tx) =>
      withIdempotencyKey(tx, { scope: 'link:1', key: 'first-request', request: { card: 1 }, ...over }, async () => ({
        run: ++runs,
      })),
    )
  expect(await send()).toEqual({ run: 1 })
  expect([await send(), await send({ scope: 'link:2' }), await send({ key: 'second-request' })]).toEqual([
    { run: 1 },
    { run: 2 },
    { run: 3 },
  ])
  await expect(send({ request: { card: 2 } })).rejects.toMatchObject({ code: 'keyReused' })
  const ageKeys = (interval: string) =>
    queryAsOwner(harness.ownerUrl, 'update idempotency_keys set created_at = created_at - $1::interval', [interval])
  await ageKeys('23 hours 59 minutes')
  expect(await send()).toEqual({ run: 1 })
  await ageKeys('2 minutes')
  expect([await send({ request: { card: 2 } }), await send({ request: { card: 2 } })]).toEqual([{ run: 4 }, { run: 4 }])
  await inTransaction(db(), (tx) => deleteIdempotencyKeys(tx, 'link:1'))
  expect([await send(), await send({ scope: 'link:2' })]).toEqual([{ run: 5 }, { run: 6 }])
})

test('requests with the same key at the same moment run once, and one that fails may be repeated', async () => {
  let runs = 0
  const send = (fails = false) =>
    inTransaction(db(), (tx) =>
      withIdempotencyKey(tx, { scope: 'link:3', key: 'first-request', request: {} }, async () => {
        runs++
        if (fails) throw new Error('not now')
        return { run: runs }
      }),
    )
  await expect(send(true)).rejects.toThrow('not now')
  expect(await Promise.all([send(), send(), send()])).toEqual([{ run: 2 }, { run: 2 }, { run: 2 }])
})
