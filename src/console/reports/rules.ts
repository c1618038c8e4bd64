import { addDays, addMonths } from '../../platform/time.ts'
import { type Period, smallestGroup } from './names.ts'

/** Returns the first day of the period that a day is in. Weeks begin on Monday. */
export function startOfPeriod(period: Period, day: string): string {
  if (period === 'day') return day
  if (period === 'month') return `${day.slice(0, 7)}-01`
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

/** Returns the first day of the period `count` periods later; negative: earlier. */
export function movePeriod(period: Period, start: string, count: number): string {
  if (period === 'month') return `${addMonths(start.slice(0, 7), count)}-01`
  return addDays(start, period === 'week' ? 7 * count : count)
}

/** Returns the last day of a period. */
export const endOfPeriod = (period: Period, start: string): string => addDays(movePeriod(period, start, 1), -1)

/** Returns the same period of the year before. Days and weeks: 52 weeks earlier, so that weekdays are compared. */
export function yearBefore(period: Period, start: string): string {
  return period === 'month' ? movePeriod('month', start, -12) : addDays(start, -364)
}

/**
 * Returns how a number of people is shown: in whole tens, so that nobody can be found by subtracting two of them. Null
 * for one to nine people.
 */
export function shownPeople(people: number): number | null {
  if (people > 0 && people < smallestGroup) return null
  return Math.floor(people / smallestGroup) * smallestGroup
}
