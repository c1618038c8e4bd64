/** The columns of one offer, by the record field that each one fills; docs/restaurants.md describes them. */
const columns = {
  offerType: 'type',
  offerDays: 'days',
  offerStartsOn: 'startsOn',
  offerEndsOn: 'endsOn',
  offerMinSpendCents: 'minSpendCents',
  offerMaxSpendCents: 'maxSpendCents',
  offerMaxVisitsPerMonth: 'maxVisitsPerMonth',
  offerMaxMonthlySpendCents: 'maxMonthlySpendCents',
  offerRatePercent: 'ratePercent',
  offerFrom: 'from',
  offerUntil: 'until',
} as const

export const offerColumns: readonly string[] = Object.keys(columns)

const limits = ['maxSpendCents', 'maxVisitsPerMonth', 'maxMonthlySpendCents']

/** Returns the column of an offer's field. */
export const offerColumnOf = (field: string): string | undefined =>
  Object.entries(columns).find(([, name]) => name === field || (field === 'hours' && name === 'from'))?.[0]

/**
 * Returns the offer in the columns of a row as a list, which is empty when all columns are empty. It is not validated. An
 * offer without a start begins on `joinedOn`, and one with a limit is Limited.
 */
export function offersOf(row: Readonly<Record<string, unknown>>, joinedOn: unknown): Record<string, unknown>[] {
  const given: Record<string, unknown> = {}
  for (const [column, field] of Object.entries(columns)) if (row[column] !== undefined) given[field] = row[column]
  if (Object.keys(given).length === 0) return []
  const { from, until, ...offer } = given
  const hours =
    from === undefined && until === undefined ? {} : { hours: { from: from ?? '00:00', until: until ?? '23:59' } }
  const type = limits.some((limit) => limit in offer) ? 'Limited' : 'Unlimited'
  return [{ type, startsOn: joinedOn, ...offer, ...hours }]
}
