import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { addDays, clockOf, instantOf, minutesOf } from '../../platform/time.ts'
import { setBarred } from './book/store.ts'
import { calendarOf } from './calendar.ts'
import type { Availability, Reservation } from './contract.ts'
import { asking, bonusOn, type Desk, guestKeyOf, openAt } from './desk.ts'
import { around, stateOf, timeProblem } from './rules.ts'
import { shown } from './shown.ts'
import * as store from './store.ts'

export type { BookingProvider } from './booking-provider.ts'
export type { Desk, SettledReservation } from './desk.ts'
export { httpProvider } from './http-provider.ts'
export {
  cancelReservation,
  changeReservation,
  closeReservations,
  giveBackTables,
  holdTable,
  makeReservation,
  settleReservations,
} from './keep-reservations.ts'
export { type PromisedEvening, promisedEvenings, promisedOn, reservationsAt } from './promises.ts'

/** Days that are searched for a free table, after a date without any. */
const daysLookedAhead = 14

interface Asked {
  merchantId: string
  date: string
  time: string
  partySize: number
}

/** Returns free tables around a requested time. Throws `merchantNotFound`, `notBookable`, `reservationFailed`. */
export async function readAvailability(ctx: Ctx, desk: Desk, asked: Asked): Promise<Availability> {
  const { merchantId, date, time, partySize } = asked
  const { merchant, provider } = await openAt(ctx, desk, merchantId)
  const { timeZone } = merchant
  const now = ctx.now()
  const nothing = (state: Availability['state']): Availability => ({ state, slots: [], nextDate: null })
  const unreachable = timeProblem({ date, startsAt: null, timeZone }, now)
  if (unreachable) return nothing(unreachable)
  const free = await asking(ctx, provider.freeTimes(merchant, { date, days: 1, partySize }, now))
  if (free.size) return nothing(free.size)
  const bonus = bonusOn(ctx, merchant, date) !== null
  const slots = around(free.times, minutesOf(time)).map(({ minutes }) => ({ time: clockOf(minutes), bonus }))
  if (slots.length > 0) return { state: stateOf(slots, ctx.program.config.hasReservationBonus), slots, nextDate: null }
  // The requested time is past, and no later one is in range.
  const over = timeProblem({ date, startsAt: instantOf(date, minutesOf(time), timeZone), timeZone }, now)
  const later = { date: addDays(date, 1), days: daysLookedAhead, partySize }
  const next = await asking(ctx, provider.freeTimes(merchant, later, now))
  return { ...nothing(over ?? 'none'), nextDate: next.times[0]?.date ?? null }
}

/** Returns the signed-in member's reservations: upcoming, the next first; past or canceled, the latest first. */
export async function listReservations(ctx: Ctx): Promise<{ upcoming: Reservation[]; past: Reservation[] }> {
  const memberId = ctx.actor.memberId as number
  const now = ctx.now()
  const [upcoming, past] = await Promise.all([
    store.reservationsOf(ctx.db, memberId, { since: now }),
    store.reservationsOf(ctx.db, memberId, { before: now }),
  ])
  return { upcoming: upcoming.map(shown), past: past.map(shown) }
}

/** Returns a reservation of the signed-in member as a calendar file. Throws `reservationNotFound`. */
export async function readCalendar(ctx: Ctx, desk: Desk, publicId: string): Promise<string> {
  const row = await store.findOwn(ctx.db, ctx.actor.memberId as number, publicId)
  if (!row || row.confirmation === null) throw new Refusal('reservationNotFound')
  return calendarOf(ctx, shown(row), desk.origin(ctx.partnerId))
}

/** Bars a guest from our own provider, or allows them again. */
export async function barGuest(
  ctx: Ctx,
  desk: Desk,
  { email, barred }: { email: string; barred: boolean },
): Promise<void> {
  await setBarred(ctx.db, guestKeyOf(desk, email), barred)
}
