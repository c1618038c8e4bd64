import { randomInt } from 'node:crypto'
import {
  acquireAdvisoryLock,
  type Db,
  inTransaction,
  type Tx,
  violatedConstraint,
} from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { publicId } from '../../../platform/security/ids.ts'
import { addDays, DAY, MINUTE } from '../../../platform/time.ts'
import type { Booking, BookingProvider, Guest, Restaurant, Seat } from '../booking-provider.ts'
import { fitsParty, holdMs, minLeadMs, seatingTimes, sizeProblem, turnMinutes } from '../rules.ts'
import * as store from './store.ts'

/**
 * Returns our own booking provider, which allocates each restaurant's tables within its opening hours. Every write
 * first takes the lock of the restaurant; a constraint of the database also prevents two parties at one table.
 */
export function ownProvider(db: Db): BookingProvider {
  return {
    releasesHolds: true,

    async freeTimes(restaurant, { date, days, partySize, except }, now) {
      const tables = await store.listTables(db, restaurant.id)
      const size = sizeProblem(seatsOf(tables), partySize)
      if (size) return { size, times: [] }
      const dates = Array.from({ length: days }, (_, index) => addDays(date, index))
      const slots = dates.flatMap((day) =>
        seatingTimes(restaurant.hours, day, restaurant.timeZone).map((slot) => ({ ...slot, date: day })),
      )
      const [first, last] = [slots[0], slots.at(-1)]
      if (!first || !last) return { size: null, times: [] }
      const span = { from: first.startsAt, to: new Date(last.startsAt.getTime() + DAY) }
      const taken = await store.listOccupied(db, restaurant.id, { ...span, except }, now)
      const open = slots.filter(({ startsAt }) => startsAt.getTime() >= now.getTime() + minLeadMs)
      return { size: null, times: open.filter(({ startsAt }) => findFreeTable(tables, taken, { startsAt, partySize })) }
    },

    async hold(restaurant, { guest, ...seat }, now) {
      const [holdToken, heldUntil] = [publicId(), new Date(now.getTime() + holdMs)]
      await withRestaurantLock(db, { restaurant, guest, now }, async (tx) => {
        await rejectBlocked(tx, guest)
        await store.deleteHolds(tx, guest.key, now)
        await reserveTable(
          tx,
          restaurant,
          seat,
          { token: holdToken, guest: guest.key, heldUntil, confirmation: null },
          now,
        )
      })
      return { holdToken, expiresAt: heldUntil }
    },

    async book(restaurant, booking, now) {
      return withRestaurantLock(db, { restaurant, now }, async (tx) => {
        const existing = await store.findConfirmation(tx, booking.token)
        if (existing !== null) return { confirmation: existing }
        await rejectBlocked(tx, booking.guest)
        const confirmation = confirmationNumber()
        if (!(await bookHeldTable(tx, restaurant, booking, confirmation, now)))
          await bookAnyTable(tx, restaurant, booking, confirmation, now)
        return { confirmation }
      })
    },

    async cancel(_restaurant, { token }) {
      await store.deleteTableBooking(db, token)
    },
  }
}

const seatsOf = (tables: readonly store.Table[]) => tables.map(({ seats }) => seats)

/**
 * Runs `work` as the only writer for the restaurant, after deleting expired holds; with a guest, also as the only one for
 * the guest. The guest's lock comes first: a guest with many concurrent requests keeps no restaurant waiting.
 */
async function withRestaurantLock<T>(
  db: Db,
  { restaurant: { id }, guest, now }: { restaurant: Restaurant; guest?: Guest; now: Date },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(db, async (tx) => {
      if (guest) await acquireAdvisoryLock(tx, `guest:${guest.key}`)
      await acquireAdvisoryLock(tx, `book:${id}`)
      await store.deleteExpiredHolds(tx, id, now)
      return work(tx)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'one_party_per_table') throw new ApiError('slotTaken')
    throw error
  }
}

async function rejectBlocked(tx: Tx, guest: Guest): Promise<void> {
  if (await store.isBlocked(tx, guest.key)) throw new ApiError('fraud')
}

async function bookHeldTable(
  tx: Tx,
  { id: merchantId }: Restaurant,
  booking: Booking,
  confirmation: string,
  now: Date,
): Promise<boolean> {
  const { holdToken, guest, startsAt, partySize, token, instead } = booking
  if (holdToken === undefined) return false
  const held = { merchantId, holdToken, guest: guest.key, startsAt, partySize, now }
  if (!(await store.confirmHold(tx, held, { token, confirmation }))) return false
  if (instead) await store.deleteTableBooking(tx, instead.token)
  return true
}

/** Books any free table in place of an expired hold. Throws `holdExpired` if there was a hold and none is free. */
async function bookAnyTable(
  tx: Tx,
  restaurant: Restaurant,
  booking: Booking,
  confirmation: string,
  now: Date,
): Promise<void> {
  const { token, guest, holdToken, instead } = booking
  if (instead) await store.deleteTableBooking(tx, instead.token)
  try {
    await reserveTable(tx, restaurant, booking, { token, guest: guest.key, heldUntil: null, confirmation }, now)
  } catch (error) {
    const late = holdToken !== undefined && error instanceof ApiError && error.code === 'slotTaken'
    throw late ? new ApiError('holdExpired') : error
  }
}

type Party = Pick<store.NewTableBooking, 'token' | 'guest' | 'heldUntil' | 'confirmation'>

async function reserveTable(
  tx: Tx,
  restaurant: Restaurant,
  { startsAt, partySize }: Seat,
  party: Party,
  now: Date,
): Promise<void> {
  const tables = await store.listTables(tx, restaurant.id)
  const size = sizeProblem(seatsOf(tables), partySize)
  if (size) throw new ApiError(size)
  const endsAt = new Date(startsAt.getTime() + turnMinutes(partySize) * MINUTE)
  const taken = await store.listOccupied(tx, restaurant.id, { from: startsAt, to: endsAt }, now)
  const table = findFreeTable(tables, taken, { startsAt, partySize })
  if (!table) throw new ApiError('slotTaken')
  await store.insertTableBooking(tx, {
    ...party,
    merchantId: restaurant.id,
    tableId: table.id,
    partySize,
    startsAt,
    endsAt,
  })
}

/** Returns the smallest table that suits the party and is free for its whole stay. */
function findFreeTable(
  tables: readonly store.Table[],
  taken: readonly store.OccupiedTable[],
  { startsAt, partySize }: Seat,
): store.Table | undefined {
  const [from, to] = [startsAt.getTime(), startsAt.getTime() + turnMinutes(partySize) * MINUTE]
  const busy = new Set(
    taken.filter((t) => t.startsAt.getTime() < to && t.endsAt.getTime() > from).map(({ tableId }) => tableId),
  )
  return tables.find(({ id, seats }) => fitsParty(seats, partySize) && !busy.has(id))
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Returns eight characters for reading aloud; none looks like another. */
function confirmationNumber(): string {
  return Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
