import type { AwardInput } from '../earning/terms.ts'
import { reasonOf, type TransactionFields, type TransactionRow } from './store.ts'

type RowsById = ReadonlyMap<string, TransactionRow>

/**
 * Returns the stored rows of a purchase, the one that it keeps first: one that has earned, one whose card and restaurant
 * are known, the oldest. So a second id that the network uses later changes neither the terms nor what a member sees.
 */
export function listRowsOf(purchaseIds: readonly string[], rowsById: RowsById): TransactionRow[] {
  const rows = purchaseIds.map((id) => rowsById.get(id)).filter((row) => row !== undefined)
  const rank = (row: TransactionRow) =>
    Number(!reasonOf(row).inputs.reportedTwice) * 4 +
    Number(row.benefit > 0 && row.stage !== 'authorized') * 2 +
    Number(row.unmatched === null)
  return rows.toSorted((a, b) => rank(b) - rank(a) || a.id - b.id)
}

/**
 * Returns the stored rows that no purchase keeps: their messages belong to another one by now, which the network had not
 * named before. They earn nothing, and have no amount, so that nothing takes them for a second purchase.
 */
export function writeDownOthers(
  kept: ReadonlySet<TransactionRow | undefined>,
  rowsById: RowsById,
): { existing: TransactionRow; fields: TransactionFields; input: AwardInput }[] {
  const left = [...rowsById.values()].filter((row) => row.type_code === 'S' && !kept.has(row) && !isWrittenDown(row))
  return left.map((row) => ({
    existing: row,
    fields: { ...row, auth_code: null, stage: 'cleared', ticket_cents: 0, cleared_cents: 0, refunded_cents: 0 },
    input: { ...reasonOf(row).inputs, refundedCents: 0, reportedTwice: true },
  }))
}

function isWrittenDown(row: TransactionRow): boolean {
  const hasAmount = row.benefit > 0 || row.ticket_cents > 0 || row.cleared_cents > 0
  return !hasAmount && reasonOf(row).inputs.reportedTwice === true
}
