const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats `2026-11` as "November 2026". */
export const nameOfMonth = (month: string) => monthName.format(new Date(`${month}-01T00:00:00Z`))
