import { readAmount, readDigits, readMoment } from '../../../platform/files/cells.ts'
import type { CellProblem, Column, ReadRow } from '../../../platform/files/columns.ts'
import { explainIssues } from '../../../platform/files/columns.ts'
import { FeedEvent } from '../schemas.ts'

const moment = 'is not a day with a time; write 2026-03-10T19:30:00'
const amount = 'is not an amount; write 42.10'

/** The columns of a table of events, in the order in which we write them, with the place of each in an event. */
const columns = [
  { name: 'event', path: 'event', required: true, expected: 'is no event; write auth, clearing or refund' },
  {
    name: 'id',
    path: 'transaction.id',
    also: ['transactionId'],
    required: true,
    expected: 'is no id; it has letters, digits and . : - _ only',
  },
  { name: 'programId', path: 'transaction.programId', also: ['program'], required: true },
  { name: 'amount', path: 'transaction.amount', required: true, read: readAmount, expected: amount },
  {
    name: 'currency',
    path: 'transaction.currency',
    required: true,
    read: (text: string) => text.toUpperCase(),
    expected: 'is no currency; write USD',
  },
  { name: 'datetime', path: 'transaction.datetime', required: true, read: readMoment, expected: moment },
  { name: 'created', path: 'transaction.created', required: true, read: readMoment, expected: moment },
  { name: 'updated', path: 'transaction.updated', required: true, read: readMoment, expected: moment },
  { name: 'cardId', path: 'transaction.card.id', required: true },
  {
    name: 'cardLastFour',
    path: 'transaction.card.lastNumbers',
    required: true,
    read: readDigits(4),
    expected: 'is not the last four digits of a card',
  },
  { name: 'cardScheme', path: 'transaction.card.scheme' },
  {
    name: 'cardFunding',
    path: 'transaction.card.funding',
    read: (text: string) => text.toLowerCase(),
    expected: 'is none of credit, debit, prepaid',
  },
  { name: 'locationId', path: 'transaction.location.id', required: true },
  { name: 'merchantName', path: 'transaction.brand.name' },
  { name: 'originalTransactionId', path: 'transaction.originalTransactionId' },
  { name: 'authCode', path: 'transaction.authCode' },
  { name: 'tipAmount', path: 'transaction.tipAmount', also: ['tip'], read: readAmount, expected: amount },
  { name: 'taxAmount', path: 'transaction.taxAmount', also: ['tax'], read: readAmount, expected: amount },
  {
    name: 'verification',
    path: 'transaction.verification',
    read: (text: string) => text.toLowerCase(),
    expected: 'is none of pin, signature, none',
  },
] as const satisfies readonly (Column & { path: string })[]

export const csvColumns = columns.map(({ name }) => name)

/** The columns as the reader of tables needs them. */
export const feedColumns: readonly Column[] = columns

/** Returns the unvalidated event of a row of a table. `event` may omit its `transaction.` prefix. Empty cells are left out. */
export function rowToEvent(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { event, cardId, cardLastFour, cardScheme, cardFunding, locationId, merchantName, ...rest } = row
  const name = String(event ?? '').toLowerCase()
  return {
    event: name.startsWith('transaction.') ? name : `transaction.${name}`,
    transaction: {
      ...rest,
      card: {
        id: cardId,
        lastNumbers: cardLastFour,
        ...(cardScheme !== undefined && { scheme: cardScheme }),
        ...(cardFunding !== undefined && { funding: cardFunding }),
      },
      ...(merchantName !== undefined && { brand: { name: merchantName } }),
      location: { id: locationId },
    },
  }
}

/** Returns what is wrong with an event of a row that was rejected as malformed: in its columns, or by JSON path. */
export function explainEvent(event: unknown, row: ReadRow, isTable: boolean): CellProblem[] {
  const issues = FeedEvent.safeParse(event).error?.issues ?? []
  if (!isTable) {
    const named = issues.map((issue) => ({ ...issue, path: [issue.path.join('.')] }))
    const value = Object.fromEntries(issues.map(({ path }) => [path.join('.'), valueAt(event, path)]))
    return explainIssues(named, { ...row, value, headers: {} }, [])
  }
  const columnOf = (path: readonly PropertyKey[]) => columns.find((column) => column.path === path.join('.'))?.name
  return explainIssues(
    issues.map((issue) => ({ ...issue, path: [columnOf(issue.path) ?? issue.path.join('.')] })),
    row,
    columns,
  )
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return at
}
