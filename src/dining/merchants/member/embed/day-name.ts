const shortDay = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })

/** Returns the short name of a weekday; 0 is Sunday. */
export const dayName = (day: number): string =>
  // 4 January 1970 was a Sunday.
  shortDay.format(new Date(Date.UTC(1970, 0, 4 + day)))
