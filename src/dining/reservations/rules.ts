import { DAY, HOUR, localMoment, MINUTE, parseClock, toClock, toInstant } from '../../platform/time.ts'
import type { MerchantDetail } from '../merchants/contract.ts'
import type { AvailabilityState } from './contract.ts'

/** Times shown initially, the maximum shown, and half-hours searched on each side of the requested time. */
export const initialSlots = 6
export const maxSlots = 18
export const halfHoursEachSide = 5
/** Columns of free times. */
export const slotColumns = 3

export const defaultTime = '19:00'
export const defaultPartySize = 2
/** Selectable party sizes. */
export const partySizes = Array.from({ length: 20 }, (_, index) => index + 1)

/** Minimum time between two reservations of a member at one restaurant, in milliseconds. */
export const minGapMs = 2 * HOUR

/** Maximum time between authorization and reserved time for the reservation bonus, in milliseconds. */
export const bonusWindowMs = 2 * HOUR

/** Returns whether a transaction is in time for a reservation, to the minute: networks report no seconds. */
export function isOnTime(authorizedAt: Date, startsAt: Date): boolean {
  const minute = Math.floor(authorizedAt.getTime() / MINUTE) * MINUTE
  return Math.abs(minute - startsAt.getTime()) <= bonusWindowMs
}

/** Maximum days ahead, and minimum milliseconds ahead, for which a table can be booked. */
export const maxDaysAhead = 180
export const minLeadMs = 30 * MINUTE
/** How long a table is held for a guest before confirmation, in milliseconds. */
export const holdMs = 5 * MINUTE
/** Maximum reservations of a member within `minGapMs` of each other, at different restaurants. */
export const maxAtOnce = 2
/** Maximum upcoming reservations of a member. */
export const maxOpenReservations = 30
/** Maximum bookings and changes of a member within a day, also of reservations that are canceled again. */
export const maxBookingsPerDay = 40
/** Maximum tables that a member holds within `holdMs` at a provider that releases no hold for a later one. */
export const maxExternalHolds = 10
/** Minutes between two seating times. */
const slotMinutes = 15
/** Minutes before closing without new seatings. */
const lastSeatingMinutes = 60

/** Returns the selectable dates: the calendar offers a year, although tables may not be bookable that far ahead. */
export function selectableDates(today: string): { first: string; last: string } {
  const at = Date.parse(`${today}T00:00:00Z`)
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  const nextYear = new Date(at)
  nextYear.setUTCFullYear(nextYear.getUTCFullYear() + 1)
  // Yesterday, because it may still be that day at the restaurant.
  return { first: day(at - DAY), last: day(nextYear.getTime()) }
}

/** Returns whether two reservations at one restaurant are too close together. */
export function isOverlapping(a: Date, b: Date): boolean {
  return Math.abs(a.getTime() - b.getTime()) < minGapMs
}

/** Returns the duration of a seating in minutes. */
export function turnMinutes(partySize: number): number {
  if (partySize <= 2) return 90
  return partySize <= 6 ? 120 : 150
}

/** Returns whether a table suits a party: large enough, and not much too large. */
export function fitsParty(seats: number, partySize: number): boolean {
  return seats >= partySize && seats <= partySize + 3
}

/** Returns why no table could ever suit a party here; null when one could. */
export function sizeProblem(tables: readonly number[], partySize: number): 'tooBig' | 'tooSmall' | null {
  if (tables.some((seats) => fitsParty(seats, partySize))) return null
  return tables.some((seats) => seats > partySize) ? 'tooSmall' : 'tooBig'
}

/** The half-hours of a day on which restaurants are usually open. */
const allTimes = Array.from({ length: 36 }, (_, index) => toClock(6 * 60 + 30 * index))

/** Returns the selectable half-hours of a date: all when the opening hours are unknown, none on a day off. */
export function selectableTimes(hours: MerchantDetail['hours'], date: string): string[] {
  if (hours === null) return allTimes
  const seats = seatingMinutes(hours, date)
  return seats.filter((minutes) => minutes % 30 === 0).map(toClock)
}

/** Returns the requested time if it is offered, or nothing is; else the nearest offered time. */
export function nearestTime(times: readonly string[], requested: string): string {
  const away = (time: string) => Math.abs(parseClock(time) - parseClock(requested))
  return times.toSorted((a, b) => away(a) - away(b))[0] ?? requested
}

/** Returns the requested time if guests are seated then on a date, also between half-hours; else the nearest offered time. */
export function timeOnDate(hours: MerchantDetail['hours'], date: string, requested: string): string {
  if (hours === null || seatingMinutes(hours, date).includes(parseClock(requested))) return requested
  return nearestTime(selectableTimes(hours, date), requested)
}

export interface SeatingTime {
  /** Minutes since midnight in the restaurant's local time. */
  minutes: number
  startsAt: Date
}

/** Returns the seating times of a local date within the opening hours: those after midnight belong to the next date. */
export function seatingTimes(hours: MerchantDetail['hours'], date: string, timeZone: string): SeatingTime[] {
  return seatingMinutes(hours, date).flatMap((minutes) => {
    const startsAt = toInstant(date, minutes, timeZone)
    return startsAt ? [{ minutes, startsAt }] : []
  })
}

/** Returns the seating times in minutes since midnight, sorted: of the day's hours, and of those that began the day before. */
function seatingMinutes(hours: MerchantDetail['hours'], date: string): number[] {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  const dayMinutes = 24 * 60
  const times = new Set<number>()
  for (const [day, midnight] of [
    [weekday, 0],
    [(weekday + 6) % 7, dayMinutes],
  ] as const) {
    for (const [from, to] of hours?.[String(day)] ?? []) {
      const opens = parseClock(from)
      const closes = parseClock(to) > opens ? parseClock(to) : parseClock(to) + dayMinutes
      const first = Math.max(midnight, Math.ceil(opens / slotMinutes) * slotMinutes)
      const last = Math.min(closes - lastSeatingMinutes, midnight + dayMinutes - slotMinutes)
      for (let at = first; at <= last; at += slotMinutes) times.add(at - midnight)
    }
  }
  return [...times].sort((a, b) => a - b)
}

/** Returns why a time cannot be booked (`tooClose` also when it is past); null when it can be. */
export function timeProblem(
  { date, startsAt, timeZone }: { date: string; startsAt: Date | null; timeZone: string },
  now: Date,
): 'tooClose' | 'tooFar' | null {
  const today = localMoment(now, timeZone).date
  if (date < today) return 'tooClose'
  if (Date.parse(date) - Date.parse(today) > maxDaysAhead * DAY) return 'tooFar'
  return startsAt && startsAt.getTime() < now.getTime() + minLeadMs ? 'tooClose' : null
}

/** Returns the slots within range of the requested time, limited to the nearest, in order of time. */
export function nearestSlots<T extends { minutes: number }>(slots: readonly T[], requested: number): T[] {
  const away = (slot: T) => Math.abs(slot.minutes - requested)
  return slots
    .filter((slot) => away(slot) <= halfHoursEachSide * 30)
    .toSorted((a, b) => away(a) - away(b) || a.minutes - b.minutes)
    .slice(0, maxSlots)
    .toSorted((a, b) => a.minutes - b.minutes)
}

/** Returns the state of a list of free times, in a program with (`hasBonus`) or without a reservation bonus. */
export function availabilityStateOf(slots: readonly { bonus: boolean }[], hasBonus: boolean): AvailabilityState {
  if (slots.length === 0) return 'none'
  return hasBonus && !slots.some(({ bonus }) => bonus) ? 'noBonus' : 'available'
}

const longDay = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })

/** Formats `2026-11-21` as `Saturday, November 21`. */
export function dayText(date: string): string {
  return longDay.format(new Date(`${date}T00:00:00Z`))
}

/** Formats `19:15` as `7:15 PM`. */
export function clockText(time: string): string {
  const minutes = parseClock(time)
  const hour = Math.floor(minutes / 60) % 24
  return `${hour % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}
