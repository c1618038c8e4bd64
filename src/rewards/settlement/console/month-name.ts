const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats `2026-11` as "November 2026". */
export const nameOfMonth = (month: string) => monthName.format(new Date(`${month}-01T00:00:00Z`))

/** Returns the current month (UTC): `2026-11`. */
export const thisMonth = () => new Date().toISOString().slice(0, 7)
