import { randomInt } from 'node:crypto'
import { type Db, inTransaction, lockName, type Tx, violatedConstraint } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { publicId } from '../../../platform/security/ids.ts'
import { addDays, DAY, MINUTE } from '../../../platform/time.ts'
import type { Booking, BookingProvider, Guest, Restaurant, Seat } from '../booking-provider.ts'
import { latestBefore, seatingTimes, sizeProblem, suits, turnMinutes } from '../rules.ts'
import * as store from './store.ts'

/** How long a table is held for a guest before confirmation, in milliseconds. */
const holdFor = 5 * MINUTE

/**
 * Returns our own booking provider, which allocates each restaurant's tables within its opening hours. Every write
 * first takes the lock of the restaurant; a constraint of the database also prevents two parties at one table.
 */
export function createBook(db: Db): BookingProvider {
  return {
    async freeTimes(restaurant, { date, days, partySize }, now) {
      const tables = await store.tablesOf(db, restaurant.id)
      const size = sizeProblem(seatsOf(tables), partySize)
      if (size) return { size, times: [] }
      const dates = Array.from({ length: days }, (_, index) => addDays(date, index))
      const slots = dates.flatMap((day) =>
        seatingTimes(restaurant.hours, day, restaurant.timeZone).map((slot) => ({ ...slot, date: day })),
      )
      const [first, last] = [slots[0], slots.at(-1)]
      if (!first || !last) return { size: null, times: [] }
      const span = { from: first.startsAt, to: new Date(last.startsAt.getTime() + DAY) }
      const taken = await store.takenBetween(db, restaurant.id, span, now)
      const open = slots.filter(({ startsAt }) => startsAt.getTime() >= now.getTime() + latestBefore)
      return { size: null, times: open.filter(({ startsAt }) => freeTable(tables, taken, { startsAt, partySize })) }
    },

    async hold(restaurant, { guest, ...seat }, now) {
      const [holdToken, heldUntil] = [publicId(), new Date(now.getTime() + holdFor)]
      await written(db, restaurant, now, async (tx) => {
        await refuseBarred(tx, guest)
        await store.dropHoldsOf(tx, restaurant.id, guest.key)
        await seatAt(tx, restaurant, seat, { token: holdToken, guest: guest.key, heldUntil, confirmation: null }, now)
      })
      return { holdToken, expiresAt: heldUntil }
    },

    async book(restaurant, booking, now) {
      return written(db, restaurant, now, async (tx) => {
        const known = await store.findBooked(tx, booking.token)
        if (known !== null) return { confirmation: known }
        await refuseBarred(tx, booking.guest)
        const confirmation = confirmationNumber()
        if (!(await takeHeld(tx, booking, confirmation, now)))
          await seatAnew(tx, restaurant, booking, confirmation, now)
        return { confirmation }
      })
    },

    async cancel(_restaurant, { token }) {
      await store.deleteSeating(db, token)
    },
  }
}

const seatsOf = (tables: readonly store.Table[]) => tables.map(({ seats }) => seats)

/** Runs `work` as the only writer for the restaurant, after deleting expired holds. */
async function written<T>(db: Db, { id }: Restaurant, now: Date, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(db, async (tx) => {
      await lockName(tx, `book:${id}`)
      await store.dropExpired(tx, id, now)
      return work(tx)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'one_party_a_table') throw new Refusal('slotTaken')
    throw error
  }
}

async function refuseBarred(tx: Tx, guest: Guest): Promise<void> {
  if (await store.isBarred(tx, guest.key)) throw new Refusal('fraud')
}

async function takeHeld(tx: Tx, booking: Booking, confirmation: string, now: Date): Promise<boolean> {
  const { holdToken, guest, startsAt, partySize, token, instead } = booking
  if (holdToken === undefined) return false
  const held = { holdToken, guest: guest.key, startsAt, partySize, now }
  if (!(await store.bookHeld(tx, held, { token, confirmation }))) return false
  if (instead) await store.deleteSeating(tx, instead.token)
  return true
}

/** Books any free table in place of an expired hold. Throws `holdExpired` if there was a hold and none is free. */
async function seatAnew(
  tx: Tx,
  restaurant: Restaurant,
  booking: Booking,
  confirmation: string,
  now: Date,
): Promise<void> {
  const { token, guest, holdToken, instead } = booking
  if (instead) await store.deleteSeating(tx, instead.token)
  try {
    await seatAt(tx, restaurant, booking, { token, guest: guest.key, heldUntil: null, confirmation }, now)
  } catch (error) {
    const late = holdToken !== undefined && error instanceof Refusal && error.code === 'slotTaken'
    throw late ? new Refusal('holdExpired') : error
  }
}

type Party = Pick<store.NewSeating, 'token' | 'guest' | 'heldUntil' | 'confirmation'>

async function seatAt(
  tx: Tx,
  restaurant: Restaurant,
  { startsAt, partySize }: Seat,
  party: Party,
  now: Date,
): Promise<void> {
  const tables = await store.tablesOf(tx, restaurant.id)
  const size = sizeProblem(seatsOf(tables), partySize)
  if (size) throw new Refusal(size)
  const endsAt = new Date(startsAt.getTime() + turnMinutes(partySize) * MINUTE)
  const taken = await store.takenBetween(tx, restaurant.id, { from: startsAt, to: endsAt }, now)
  const table = freeTable(tables, taken, { startsAt, partySize })
  if (!table) throw new Refusal('slotTaken')
  await store.insertSeating(tx, { ...party, merchantId: restaurant.id, tableId: table.id, partySize, startsAt, endsAt })
}

/** Returns the smallest table that suits the party and is free for its whole stay. */
function freeTable(
  tables: readonly store.Table[],
  taken: readonly store.Taken[],
  { startsAt, partySize }: Seat,
): store.Table | undefined {
  const [from, to] = [startsAt.getTime(), startsAt.getTime() + turnMinutes(partySize) * MINUTE]
  const busy = new Set(
    taken.filter((t) => t.startsAt.getTime() < to && t.endsAt.getTime() > from).map(({ tableId }) => tableId),
  )
  return tables.find(({ id, seats }) => suits(seats, partySize) && !busy.has(id))
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Returns eight characters for reading aloud; none looks like another. */
function confirmationNumber(): string {
  return Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
}
