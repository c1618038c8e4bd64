import { findMemberRow } from '../../identity/members/service.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { addDays, parseClock, toClock, toInstant } from '../../platform/time.ts'
import { setBlocked } from './book/store.ts'
import type { FreeTimesQuery } from './booking-provider.ts'
import { calendarOf } from './calendar.ts'
import type { Availability, Reservation } from './contract.ts'
import { bonusOn, callProvider, guestKeyOf, type ReservationDeps, requireBookable } from './deps.ts'
import { availabilityStateOf, nearestSlots, timeProblem } from './rules.ts'
import * as store from './store.ts'
import { toReservation } from './to-reservation.ts'

export {
  type BonusReservation,
  findBonusReservations,
  listBonusReservations,
  listReservationsAt,
} from './bonus-reservations.ts'
export { purgeHolds } from './book/store.ts'
export { connectedProviders, type ReservationDeps } from './deps.ts'
export { holdTable } from './hold-table.ts'
export { httpProvider } from './http-provider.ts'
export {
  cancelAtProviders,
  cancelForMember,
  cancelReservation,
  changeReservation,
  closeReservations,
  confirmReservation,
  makeReservation,
  recoverReservation,
} from './manage-reservations.ts'
export { hasOverlappingTables, moveReservations } from './store.ts'

/** Days that are searched for a free table, after a date without any. */
const maxSearchDays = 14

interface AvailabilityQuery {
  merchantId: string
  date: string
  time: string
  partySize: number
  reservationId?: string | undefined
}

/**
 * Returns free tables around a requested time. For the signed-in member the table of the reservation that is to be
 * changed, or else those held for the member, count as free. Throws `merchantNotFound`, `notBookable`,
 * `unauthorized`, `reservationNotFound`, `reservationFailed`.
 */
export async function readAvailability(
  ctx: Ctx,
  deps: ReservationDeps,
  query: AvailabilityQuery,
): Promise<Availability> {
  const { merchantId, date, time, partySize } = query
  const { merchant, provider } = await requireBookable(ctx, deps, merchantId)
  const { timeZone } = merchant
  const now = ctx.now()
  const unavailable = (state: Availability['state']): Availability => ({ state, slots: [], nextDate: null })
  const unreachable = timeProblem({ date, startsAt: null, timeZone }, now)
  if (unreachable) return unavailable(unreachable)
  const except = await ownTables(ctx, deps, query.reservationId)
  const free = await callProvider(ctx, provider.freeTimes(merchant, { date, days: 1, partySize, except }, now))
  if (free.size) return unavailable(free.size)
  const bonus = bonusOn(ctx, merchant, date) !== null
  const slots = nearestSlots(free.times, parseClock(time)).map(({ minutes }) => ({ time: toClock(minutes), bonus }))
  if (slots.length > 0)
    return { state: availabilityStateOf(slots, ctx.program.config.hasReservationBonus), slots, nextDate: null }
  // The requested time is past, and no later one is in range.
  const over = timeProblem({ date, startsAt: toInstant(date, parseClock(time), timeZone), timeZone }, now)
  const later = { date: addDays(date, 1), days: maxSearchDays, partySize, except }
  const next = await callProvider(ctx, provider.freeTimes(merchant, later, now))
  return { ...unavailable(over ?? 'none'), nextDate: next.times[0]?.date ?? null }
}

/** Returns whose table counts as free for the signed-in member. Throws `unauthorized` and `reservationNotFound`. */
async function ownTables(
  ctx: Ctx,
  deps: ReservationDeps,
  reservationId: string | undefined,
): Promise<FreeTimesQuery['except']> {
  const { memberId } = ctx.actor
  if (reservationId !== undefined) {
    // The session may have ended while the dialog was open.
    if (memberId === null) throw new ApiError('unauthorized')
    const row = await store.findOwnReservation(ctx.db, memberId, reservationId)
    if (!row) throw new ApiError('reservationNotFound')
    return { token: row.token }
  }
  const member = memberId === null ? undefined : await findMemberRow(ctx.db, memberId)
  return member && { guest: guestKeyOf(deps, member.email) }
}

/** Returns the signed-in member's reservations: upcoming, the next first; past or canceled, the latest first. */
export async function listReservations(ctx: MemberCtx): Promise<{ upcoming: Reservation[]; past: Reservation[] }> {
  const memberId = ctx.actor.memberId
  const now = ctx.now()
  const [upcoming, past] = await Promise.all([
    store.listReservations(ctx.db, memberId, { after: now }),
    store.listReservations(ctx.db, memberId, { until: now }),
  ])
  return { upcoming: upcoming.map(toReservation), past: past.map(toReservation) }
}

/** Returns a reservation of the signed-in member as a calendar file. Throws `reservationNotFound`. */
export async function readCalendar(ctx: MemberCtx, deps: ReservationDeps, publicId: string): Promise<string> {
  const row = await store.findOwnReservation(ctx.db, ctx.actor.memberId, publicId)
  if (!row || row.confirmation === null) throw new ApiError('reservationNotFound')
  return calendarOf(ctx, toReservation(row), deps.origin(ctx.partnerId))
}

/** Bars a guest from our own provider, or allows them again. */
export async function blockGuest(
  ctx: Ctx,
  deps: ReservationDeps,
  { email, barred }: { email: string; barred: boolean },
): Promise<void> {
  await setBlocked(ctx.db, guestKeyOf(deps, email), barred)
}
