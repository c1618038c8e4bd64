import { type Selectable, sql } from 'kysely'
import type { Transactions } from '../../../db/schema.ts'
import type { Tx } from '../../platform/database/db.ts'
import { DAY } from '../../platform/time.ts'
import { withTerms } from './award-terms.ts'
import type { TransactionDecision } from './decide.ts'
import { persistAgain } from './persist-again.ts'
import type { TransactionRow } from './store.ts'

/**
 * Rewards a purchase once that the network reports with two ids, in a file and in a message for example. Two transactions
 * are one purchase when member, restaurant, authorization code and an amount are the same, within a day: an issuer gives
 * each purchase a code of its own, so two equal coffees have two. Without codes, the ids decide. `written` are the
 * transactions that this database transaction has written; returns them as they are now, and the others that changed.
 * The caller holds the locks of the members.
 */
export async function settleRepeats(
  tx: Tx,
  written: readonly TransactionDecision[],
): Promise<readonly TransactionDecision[]> {
  const withCode = written.map(({ fields }) => fields).filter(({ auth_code, member_id }) => auth_code && member_id)
  if (withCode.length === 0) return written
  const rows = await listWithCodes(
    tx,
    withCode.flatMap(({ member_id }) => member_id ?? []),
    withCode.flatMap(({ auth_code }) => auth_code ?? []),
  )
  const repeated = new Set<TransactionRow>()
  // The first of each purchase counts.
  for (const [index, row] of rows.entries()) {
    if (rows.slice(0, index).some((earlier) => !repeated.has(earlier) && isSamePurchase(earlier, row)))
      repeated.add(row)
  }
  return persistAgain(tx, written, { rows, flag: 'reportedTwice', isSet: (row) => repeated.has(row) })
}

function isSamePurchase(a: TransactionRow, b: TransactionRow): boolean {
  return (
    a.member_id === b.member_id &&
    a.merchant_id === b.merchant_id &&
    a.auth_code === b.auth_code &&
    Math.abs(a.occurred_at.getTime() - b.occurred_at.getTime()) <= DAY &&
    (a.ticket_cents === b.ticket_cents || finalCents(a) === finalCents(b))
  )
}

const finalCents = ({ cleared_cents, ticket_cents }: TransactionRow) => cleared_cents || ticket_cents

/** Returns members' transactions with these codes: of two for one purchase, the one with the newer facts first. */
async function listWithCodes(
  tx: Tx,
  memberIds: readonly number[],
  codes: readonly string[],
): Promise<TransactionRow[]> {
  const { rows } = await sql<Selectable<Transactions>>`
    select * from transactions
    where member_id = any(${memberIds}) and auth_code = any(${codes}) and type_code = 'S' and merchant_id is not null
    order by refunded_cents desc, stage = 'authorized', network_id collate "C"`.execute(tx)
  return withTerms(tx, rows)
}
