/** The statuses of the activity filter; `credit`: statement credits. */
export const activityStatuses = ['earned', 'pending', 'notEarned', 'credit'] as const
export type ActivityStatus = (typeof activityStatuses)[number]

/** A year or a month, `YYYY` or `YYYY-MM`. */
export const periodPattern = /^20\d\d(-(0[1-9]|1[0-2]))?$/

/** The filter of the activity list; empty for the whole list. */
export interface ActivityFilter {
  status?: ActivityStatus | undefined
  /** In the restaurant's local time. */
  period?: string | undefined
}

/** Returns the filter of a URL; unknown values are left out. */
export function filterFrom(search: URLSearchParams): ActivityFilter {
  const [status, period] = [search.get('status'), search.get('period') ?? '']
  const known = activityStatuses.find((each) => each === status)
  return { ...(known && { status: known }), ...(periodPattern.test(period) && { period }) }
}
