import { clockOf, DAY, HOUR, instantOf, localMoment, MINUTE, minutesOf } from '../kit/time.ts'
import type { MerchantDetail } from '../merchants/contract.ts'
import type { AvailabilityState } from './contract.ts'

/** Free times shown at first, the most that are shown, and how many half-hours each side of the wish are looked at. */
export const slotsAtFirst = 6
export const slotsAtMost = 18
export const halfHoursEachSide = 5
/** Columns of free times. */
export const slotColumns = 3

export const usualTime = '19:00'
export const usualPartySize = 2
/** Party sizes that can be chosen. */
export const partySizes = Array.from({ length: 20 }, (_, index) => index + 1)

/** Two reservations of a member at one restaurant are this far apart, in milliseconds. */
export const apart = 2 * HOUR

/** A dine earns the reservation bonus when its card was authorized at most this long before or after the reserved time. */
export const bonusWithin = 2 * HOUR

/** Whether a dine is in time for a reservation. To the minute: networks tell no seconds. */
export function isOnTime(authorizedAt: Date, startsAt: Date): boolean {
  const minute = Math.floor(authorizedAt.getTime() / MINUTE) * MINUTE
  return Math.abs(minute - startsAt.getTime()) <= bonusWithin
}

/** Tables are given out so many days ahead, and until so long before the time: milliseconds. */
export const daysAhead = 180
export const latestBefore = 30 * MINUTE
/** Minutes between two times at which a party can sit down. */
const slotStep = 15
/** Nobody is seated in the last hour before the doors close. */
const lastSeating = 60

/** The last date a diner can choose, from today: the calendar offers a year, the book may open later. */
export function dateChoices(today: string): { first: string; last: string } {
  const at = Date.parse(`${today}T00:00:00Z`)
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  const nextYear = new Date(at)
  nextYear.setUTCFullYear(nextYear.getUTCFullYear() + 1)
  // Yesterday, since it may still be that day at the restaurant.
  return { first: day(at - DAY), last: day(nextYear.getTime()) }
}

/** Whether two reservations at one restaurant stand in each other's way. */
export function clash(a: Date, b: Date): boolean {
  return Math.abs(a.getTime() - b.getTime()) < apart
}

/** How long a party keeps its table, in minutes. */
export function turnMinutes(partySize: number): number {
  if (partySize <= 2) return 90
  return partySize <= 6 ? 120 : 150
}

/** Whether a party may have a table: it fits, and does not block one that is much too large. */
export function suits(seats: number, partySize: number): boolean {
  return seats >= partySize && seats <= partySize + 3
}

/** Why no table could ever suit a party here; null when one could. */
export function sizeProblem(tables: readonly number[], partySize: number): 'tooBig' | 'tooSmall' | null {
  if (tables.some((seats) => suits(seats, partySize))) return null
  return tables.some((seats) => seats > partySize) ? 'tooSmall' : 'tooBig'
}

/** Half-hours at which somebody may wish to eat. */
const anyWish = Array.from({ length: 36 }, (_, index) => clockOf(6 * 60 + 30 * index))

/** The half-hours of a date that can be wished for: all where the opening hours are not known, none on a day off. */
export function wishTimes(hours: MerchantDetail['hours'], date: string): string[] {
  if (hours === null) return anyWish
  const seats = seatingMinutes(hours, date)
  return seats.filter((minutes) => minutes % 30 === 0).map(clockOf)
}

/** The wish itself where it is offered, or nothing is; else the offered time that is nearest to it. */
export function nearestWish(times: readonly string[], wish: string): string {
  const away = (time: string) => Math.abs(minutesOf(time) - minutesOf(wish))
  return times.toSorted((a, b) => away(a) - away(b))[0] ?? wish
}

export interface Slotted {
  /** Minutes since midnight on the restaurant's clock. */
  minutes: number
  startsAt: Date
}

/** The times of a local date at which parties can sit down, by the opening hours. A night ends at midnight here. */
export function seatingTimes(hours: MerchantDetail['hours'], date: string, timeZone: string): Slotted[] {
  return seatingMinutes(hours, date).flatMap((minutes) => {
    const startsAt = instantOf(date, minutes, timeZone)
    return startsAt ? [{ minutes, startsAt }] : []
  })
}

/** The same in minutes since midnight, in order. */
function seatingMinutes(hours: MerchantDetail['hours'], date: string): number[] {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  const spans = hours?.[String(weekday)] ?? []
  const times = new Set<number>()
  for (const [from, to] of spans) {
    const opens = minutesOf(from)
    const closes = minutesOf(to) > opens ? minutesOf(to) : minutesOf(to) + 24 * 60
    const first = Math.ceil(opens / slotStep) * slotStep
    for (let at = first; at <= Math.min(closes - lastSeating, 24 * 60 - slotStep); at += slotStep) times.add(at)
  }
  return [...times].sort((a, b) => a - b)
}

/** Whether a date or a time is out of reach: `tooClose` when it is over or about to begin. */
export function timeProblem(
  { date, startsAt, timeZone }: { date: string; startsAt: Date | null; timeZone: string },
  now: Date,
): 'tooClose' | 'tooFar' | null {
  const today = localMoment(now, timeZone).date
  if (date < today) return 'tooClose'
  if (Date.parse(date) - Date.parse(today) > daysAhead * DAY) return 'tooFar'
  return startsAt && startsAt.getTime() < now.getTime() + latestBefore ? 'tooClose' : null
}

/** Those within reach of the wish, the nearest ones first to be kept, in order of time. */
export function around<T extends { minutes: number }>(slots: readonly T[], wish: number): T[] {
  const away = (slot: T) => Math.abs(slot.minutes - wish)
  return slots
    .filter((slot) => away(slot) <= halfHoursEachSide * 30)
    .toSorted((a, b) => away(a) - away(b) || a.minutes - b.minutes)
    .slice(0, slotsAtMost)
    .toSorted((a, b) => a.minutes - b.minutes)
}

/** What a list of free times amounts to, in a program with (`promises`) or without a reservation bonus. */
export function stateOf(slots: readonly { bonus: boolean }[], promises: boolean): AvailabilityState {
  if (slots.length === 0) return 'none'
  return promises && !slots.some(({ bonus }) => bonus) ? 'noBonus' : 'available'
}

const longDay = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })

/** `2026-11-21` is `Saturday, November 21`. */
export function dayText(date: string): string {
  return longDay.format(new Date(`${date}T00:00:00Z`))
}

/** `19:15` is `7:15 PM`. */
export function clockText(time: string): string {
  const minutes = minutesOf(time)
  const hour = Math.floor(minutes / 60) % 24
  return `${hour % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}
