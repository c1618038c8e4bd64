/** Days ahead that no other test of this process has booked: each call returns the next one. */
let day = 10 + Math.floor(Math.random() * 150)
export const nextDate = () => new Date(Date.now() + ++day * 86_400_000).toISOString().slice(0, 10)

/** Search for restaurants with tables. */
export const nearTables = 'location=10001&radius=50&reservations=true'

/** Whether a restaurant's page shows that it is open every day at seven in the evening, and has an offer for every day. */
export const openAtSeven = (m: { hours: Record<string, [string, string][]> | null; offers: { days: number[] }[] }) =>
  m.hours !== null &&
  [0, 1, 2, 3, 4, 5, 6].every((weekday) =>
    (m.hours?.[weekday] ?? []).some(([from, to]) => from <= '17:00' && to >= '21:00'),
  ) &&
  m.offers.some(({ days }) => days.length === 7)
