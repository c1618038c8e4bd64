/** Returns a time as text: `Nov 27, 2026, 3:08 PM`. */
export const timeText = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at))
