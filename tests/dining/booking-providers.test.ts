import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { findBookableMerchant } from '../../src/dining/merchants/service.ts'
import { ownProvider } from '../../src/dining/reservations/book/own-provider.ts'
import {
  confirmHold,
  deleteExpiredHolds,
  deleteHolds,
  insertTableBooking,
  isBlocked,
  listTables,
  purgeHolds,
  setBlocked,
} from '../../src/dining/reservations/book/store.ts'
import type { BookingProvider, Guest, Restaurant } from '../../src/dining/reservations/booking-provider.ts'
import { httpProvider } from '../../src/dining/reservations/http-provider.ts'
import { type Db, inTransaction } from '../../src/platform/database/db.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { parseClock, toInstant } from '../../src/platform/time.ts'
import { startBookingServer } from '../support/booking-server.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { addMerchantWithTables } from '../support/reservation-harness.ts'
import { createTestContext } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

const friday = '2026-11-20'
const seats = [2, 4]
const clock = { now: new Date('2026-11-18T12:00:00Z') }
const at = (time: string, date = friday) => toInstant(date, parseClock(time), 'America/New_York') as Date
const guest = (): Guest => ({
  key: randomBytes(8).toString('hex'),
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
})

interface ProviderFixture {
  provider: BookingProvider
  restaurant: Restaurant
  ban: (who: Guest) => Promise<void>
  stop: () => Promise<void>
}

async function builtInProvider(): Promise<ProviderFixture> {
  const { db } = createTestContext(harness, 'skyharbor')
  const { id } = await addMerchantWithTables(db, { seats })
  return {
    provider: ownProvider(db),
    restaurant: (await findBookableMerchant(db, id)) as Restaurant,
    ban: (who) => setBlocked(db, who.key, true),
    stop: async () => {},
  }
}

async function bookingServer(): Promise<ProviderFixture> {
  const { db } = createTestContext(harness, 'skyharbor')
  const server = await startBookingServer({ seats, clock: () => clock.now })
  const { id } = await addMerchantWithTables(db, {
    seats: [],
    over: { reservationProvider: 'http', reservationRef: 'restaurant-9' },
  })
  return {
    provider: httpProvider({ url: server.url, credentials: 'dineback:open', fetch }),
    restaurant: (await findBookableMerchant(db, id)) as Restaurant,
    ban: async (who) => void server.ban(who.key),
    stop: server.stop,
  }
}

/** The contract of every booking provider. */
describe.each([
  ['our own book', builtInProvider],
  ['a booking server over HTTP', bookingServer],
])('%s', (_name, open) => {
  let fixture: ProviderFixture
  beforeEach(async () => {
    clock.now = new Date('2026-11-18T12:00:00Z')
    fixture = await open()
    return () => fixture.stop()
  })
  const times = async (partySize = 2, date = friday) => {
    const free = await fixture.provider.freeTimes(fixture.restaurant, { date, days: 1, partySize }, clock.now)
    return free.times.map(({ startsAt }) => startsAt.getTime())
  }
  const book = (over: Partial<Parameters<BookingProvider['book']>[1]> = {}) =>
    fixture.provider.book(
      fixture.restaurant,
      { startsAt: at('19:00'), partySize: 4, guest: guest(), token: publicId(), ...over },
      clock.now,
    )

  test('RESV-001 free times follow the opening hours, and past or imminent ones are omitted', async () => {
    const free = await times()
    expect(free).toContain(at('16:00').getTime())
    expect(free).toContain(at('19:00').getTime())
    expect(free).not.toContain(at('15:45').getTime())
    clock.now = at('18:50')
    expect(await times()).not.toContain(at('19:00').getTime())
    expect(await times()).toContain(at('19:30').getTime())
    clock.now = at('18:30')
    expect((await times())[0]).toBe(at('19:00').getTime())
    clock.now = new Date(at('18:30').getTime() + 1)
    expect((await times())[0]).toBe(at('19:15').getTime())
  })

  test('several days can be queried at once', async () => {
    const free = await fixture.provider.freeTimes(
      fixture.restaurant,
      { date: friday, days: 3, partySize: 2 },
      clock.now,
    )
    expect(new Set(free.times.map(({ date }) => date))).toEqual(new Set(['2026-11-20', '2026-11-21', '2026-11-22']))
  })

  test('a booked table is taken for the duration of the visit, and free before and after', async () => {
    await book()
    const free = await times(4)
    expect(free).not.toContain(at('19:00').getTime())
    expect(free).not.toContain(at('20:45').getTime())
    expect(free).toContain(at('21:00').getTime())
    expect(free).toContain(at('17:00').getTime())
    await expect(book()).rejects.toMatchObject({ code: 'slotTaken' })
  })

  test('the last table of the last time is no longer offered once it is booked', async () => {
    const last = (await times(4)).at(-1) as number
    await book({ startsAt: new Date(last) })
    expect(await times(4)).not.toContain(last)
    expect(await times(2)).toContain(last)
  })

  test('a visit that overlaps a later one gets another table', async () => {
    for (const time of ['19:00', '18:00']) await book({ startsAt: at(time), partySize: 2 })
    await expect(book({ startsAt: at('18:30'), partySize: 2 })).rejects.toMatchObject({ code: 'slotTaken' })
  })

  test('repeating a booking returns the same booking', async () => {
    const booking = { startsAt: at('19:00'), partySize: 4, guest: guest(), token: publicId() }
    const [one, two] = [await book(booking), await book(booking)]
    expect(two.confirmation).toBe(one.confirmation)
    expect(one.confirmation).not.toBe('')
  })

  test('a hold reserves the table for its guest for five minutes', async () => {
    const [ada, bob] = [guest(), guest()]
    const seat = { startsAt: at('19:00'), partySize: 4 }
    const { holdToken, expiresAt } = await fixture.provider.hold(fixture.restaurant, { ...seat, guest: ada }, clock.now)
    expect(expiresAt.getTime() - clock.now.getTime()).toBe(300_000)
    await expect(book({ guest: bob })).rejects.toMatchObject({ code: 'slotTaken' })
    await book({ guest: ada, holdToken })
    clock.now = new Date(expiresAt.getTime() + 1000)
    expect(await times(4)).not.toContain(at('19:00').getTime())
  })

  test('an expired hold blocks no one, and its guest still gets a free table', async () => {
    const ada = guest()
    const seat = { startsAt: at('19:00'), partySize: 4, guest: ada }
    const { holdToken } = await fixture.provider.hold(fixture.restaurant, seat, clock.now)
    clock.now = new Date(clock.now.getTime() + 301_000)
    expect(await times(4)).toContain(at('19:00').getTime())
    const { confirmation } = await book({ guest: ada, holdToken })
    expect(confirmation).not.toBe('')
  })

  test('an expired hold whose table was taken is rejected as expired', async () => {
    const ada = guest()
    const seat = { startsAt: at('19:00'), partySize: 4, guest: ada }
    const { holdToken } = await fixture.provider.hold(fixture.restaurant, seat, clock.now)
    clock.now = new Date(clock.now.getTime() + 301_000)
    await book()
    await expect(book({ guest: ada, holdToken })).rejects.toMatchObject({ code: 'holdExpired' })
  })

  test('a guest holds one table at a time', async () => {
    const ada = guest()
    await fixture.provider.hold(fixture.restaurant, { startsAt: at('17:00'), partySize: 4, guest: ada }, clock.now)
    await fixture.provider.hold(fixture.restaurant, { startsAt: at('20:00'), partySize: 4, guest: ada }, clock.now)
    expect(await times(4)).toContain(at('17:00').getTime())
    expect(await times(4)).not.toContain(at('20:00').getTime())
  })

  test('a changed booking has the new table and releases the old one; a failed change leaves the old one', async () => {
    const ada = guest()
    const first = { startsAt: at('19:00'), partySize: 4, guest: ada, token: publicId() }
    const { confirmation } = await book(first)
    const instead = { token: first.token, confirmation }
    const moved = { startsAt: at('19:30'), partySize: 4, guest: ada, token: publicId(), instead }
    const after = await book(moved)
    const free = await times(4)
    expect(free).toContain(at('17:30').getTime())
    expect(free).not.toContain(at('19:30').getTime())
    await book({ startsAt: at('22:00') })
    const again = { token: moved.token, confirmation: after.confirmation }
    const request = { startsAt: at('22:15'), partySize: 4, guest: ada, token: publicId(), instead: again }
    await expect(book(request)).rejects.toMatchObject({ code: 'slotTaken' })
    expect(await times(4)).not.toContain(at('19:30').getTime())
  })

  test('a canceled table is free; canceling again, or an unknown booking, is not an error', async () => {
    const booking = { startsAt: at('19:00'), partySize: 4, guest: guest(), token: publicId() }
    const { confirmation } = await book(booking)
    await fixture.provider.cancel(fixture.restaurant, { ...booking, confirmation })
    await fixture.provider.cancel(fixture.restaurant, { ...booking, confirmation })
    expect(await times(4)).toContain(at('19:00').getTime())
    const never = { ...booking, token: publicId(), confirmation: null }
    await fixture.provider.cancel(fixture.restaurant, never)
    expect(await times(4)).toContain(at('19:00').getTime())
  })

  test('RESV-012 a guest whom the provider has barred is rejected', async () => {
    const ada = guest()
    await fixture.ban(ada)
    await expect(book({ guest: ada })).rejects.toMatchObject({ code: 'fraud' })
    const seat = { startsAt: at('19:00'), partySize: 2, guest: ada }
    await expect(fixture.provider.hold(fixture.restaurant, seat, clock.now)).rejects.toMatchObject({ code: 'fraud' })
  })
})

test('an import with other tables preserves booked ones', async () => {
  const { db } = createTestContext(harness, 'skyharbor')
  const over = { sourceId: `again-${publicId()}` }
  const { id } = await addMerchantWithTables(db, { seats: [2, 4], over })
  const restaurant = (await findBookableMerchant(db, id)) as Restaurant
  const booking = { startsAt: at('19:00'), partySize: 4, guest: guest(), token: publicId() }
  await ownProvider(db).book(restaurant, booking, clock.now)
  await addMerchantWithTables(db, { seats: [2], over })
  const free = await ownProvider(db).freeTimes(restaurant, { date: friday, days: 1, partySize: 4 }, clock.now)
  expect(free.size).toBe('tooBig')
  const stored = await db.selectFrom('table_bookings').select('token').where('merchant_id', '=', id).execute()
  expect(stored).toEqual([{ token: booking.token }])
  // The table comes back with a later import.
  await addMerchantWithTables(db, { seats: [2, 4], over })
  const again = await ownProvider(db).freeTimes(restaurant, { date: friday, days: 1, partySize: 4 }, clock.now)
  const times = again.times.map(({ startsAt }) => startsAt.getTime())
  expect([again.size, times.length > 0, times.includes(at('19:00').getTime())]).toEqual([null, true, false])
})

test('an import that enlarges a table offers it to the larger party', async () => {
  const { db } = createTestContext(harness, 'skyharbor')
  const over = { sourceId: `larger-${publicId()}` }
  const { id } = await addMerchantWithTables(db, { seats: [2], over })
  const restaurant = (await findBookableMerchant(db, id)) as Restaurant
  const sizeFor = async (partySize: number) =>
    (await ownProvider(db).freeTimes(restaurant, { date: friday, days: 1, partySize }, clock.now)).size
  expect(await sizeFor(6)).toBe('tooBig')
  await addMerchantWithTables(db, { seats: [6], over })
  expect(await sizeFor(6)).toBeNull()
})

describe('the holds of our own book', () => {
  const now = new Date('2026-11-18T12:00:00Z')
  let db: Db
  beforeEach(() => {
    db = createTestContext(harness, 'skyharbor').db
  })

  /** Adds a restaurant with a table for each entry; returns its id and a function that lists the entries left. */
  async function withTables(entries: Record<string, { guest: string; heldUntil: Date | null }>) {
    const names = Object.keys(entries)
    const { id } = await addMerchantWithTables(db, { seats: names.map(() => 2) })
    const tables = await listTables(db, id)
    const prefix = publicId()
    for (const [index, [name, { guest, heldUntil }]] of Object.entries(entries).entries())
      await inTransaction(db, (tx) =>
        insertTableBooking(tx, {
          merchantId: id,
          tableId: tables[index]?.id as number,
          token: `${prefix} ${name}`,
          guest,
          partySize: 2,
          startsAt: at('19:00'),
          endsAt: at('20:30'),
          heldUntil,
          confirmation: heldUntil === null ? `${prefix} ${index}` : null,
        }),
      )
    const left = async () => {
      const rows = await db
        .selectFrom('table_bookings')
        .select(['token', 'state'])
        .where('merchant_id', '=', id)
        .orderBy('id')
        .execute()
      return rows.map(({ token, state }) => `${token.slice(prefix.length + 1)} ${state}`)
    }
    return { id, left, token: (name: string) => `${prefix} ${name}` }
  }
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)

  test('are confirmed only for their guest, restaurant, time and party, and until they end', async () => {
    const { id, token, left } = await withTables({
      own: { guest: 'ada', heldUntil: later(1) },
      other: { guest: 'ada', heldUntil: later(1) },
      done: { guest: 'ada', heldUntil: null },
    })
    const held = { merchantId: id, holdToken: token('own'), guest: 'ada', startsAt: at('19:00'), partySize: 2, now }
    const confirm = (over: Partial<typeof held> = {}) =>
      inTransaction(db, (tx) =>
        confirmHold(tx, { ...held, ...over }, { token: token('new'), confirmation: publicId() }),
      )
    for (const over of [
      { holdToken: token('unknown') },
      { holdToken: token('done') },
      { guest: 'bob' },
      { merchantId: id + 1 },
      { startsAt: at('19:15') },
      { partySize: 3 },
      { now: later(1) },
    ])
      expect([over, await confirm(over)]).toEqual([over, false])
    expect(await left()).toEqual(['own held', 'other held', 'done booked'])
    expect(await confirm()).toBe(true)
    expect(await left()).toEqual(['new booked', 'other held', 'done booked'])
  })

  test('are deleted when they end, and when their guest holds another table of any restaurant', async () => {
    const entries = {
      ended: { guest: 'bob', heldUntil: now },
      open: { guest: 'bob', heldUntil: later(1) },
      own: { guest: 'ada', heldUntil: later(1) },
      booked: { guest: 'ada', heldUntil: null },
    }
    const [one, other] = [await withTables(entries), await withTables(entries)]
    await inTransaction(db, (tx) => deleteExpiredHolds(tx, one.id, now))
    expect(await one.left()).toEqual(['open held', 'own held', 'booked booked'])
    expect(await other.left()).toHaveLength(4)
    await inTransaction(db, (tx) => deleteHolds(tx, 'ada', now))
    expect(await one.left()).toEqual(['open held', 'booked booked'])
    expect(await other.left()).toEqual(['ended held', 'open held', 'booked booked'])
    // Those that have ended are deleted with the next write at their restaurant, or by the periodic task.
    await inTransaction(db, (tx) => deleteHolds(tx, 'bob', now))
    expect(await other.left()).toEqual(['ended held', 'booked booked'])
    await purgeHolds(db, now)
    expect(await other.left()).toEqual(['ended held', 'booked booked'])
    await purgeHolds(db, later(1))
    expect(await other.left()).toEqual(['booked booked'])
  })

  test('can be barred for a guest twice, and allowed again without allowing others', async () => {
    const [ada, bob] = [publicId(), publicId()]
    for (const who of [ada, ada, bob]) await setBlocked(db, who, true)
    await setBlocked(db, ada, false)
    expect([await isBlocked(db, ada), await isBlocked(db, bob)]).toEqual([false, true])
  })
})
