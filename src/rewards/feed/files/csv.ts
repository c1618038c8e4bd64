/** The columns of an event as CSV, in our output order. Empty cells are left out. */
export const csvColumns = [
  'event',
  'id',
  'programId',
  'amount',
  'currency',
  'datetime',
  'created',
  'updated',
  'cardId',
  'cardLastFour',
  'cardScheme',
  'cardFunding',
  'locationId',
  'merchantName',
  'originalTransactionId',
  'tipAmount',
  'taxAmount',
  'verification',
] as const

type Cells = Partial<Record<(typeof csvColumns)[number], string>>

/** Returns the unvalidated event of a CSV row. `event` may omit its `transaction.` prefix. */
export function rowToEvent(row: Record<string, unknown>): unknown {
  const cells: Cells = Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== ''))
  const { event, cardId, cardLastFour, cardScheme, cardFunding, locationId, merchantName, ...rest } = cells
  return {
    event: event?.startsWith('transaction.') ? event : `transaction.${event}`,
    transaction: {
      ...rest,
      card: {
        id: cardId,
        lastNumbers: cardLastFour,
        ...(cardScheme && { scheme: cardScheme }),
        ...(cardFunding && { funding: cardFunding }),
      },
      ...(merchantName && { brand: { name: merchantName } }),
      location: { id: locationId },
    },
  }
}
