/** What the list of activity can be narrowed to; `credit`: statement credits. */
export const activityStatuses = ['earned', 'pending', 'notEarned', 'credit'] as const
export type ActivityStatus = (typeof activityStatuses)[number]

/** A year or a month, `YYYY` or `YYYY-MM`. */
export const periodPattern = /^20\d\d(-(0[1-9]|1[0-2]))?$/

/** How the list of activity is narrowed; nothing set: the whole list. */
export interface ActivityFilter {
  status?: ActivityStatus | undefined
  /** On the restaurant's calendar. */
  period?: string | undefined
}

/** Returns the filter that an address names; what is not one of ours is left out. */
export function filterFrom(search: URLSearchParams): ActivityFilter {
  const [status, period] = [search.get('status'), search.get('period') ?? '']
  const known = activityStatuses.find((each) => each === status)
  return { ...(known && { status: known }), ...(periodPattern.test(period) && { period }) }
}
