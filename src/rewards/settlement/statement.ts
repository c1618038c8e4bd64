import { toCsvFile } from '../../platform/csv.ts'
import type { Db } from '../../platform/database/db.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { findStatementMerchant, listStatementLines, type StatementLine, type StatementMerchant } from './store.ts'

/** A program that a restaurant takes part in, with its database. */
export interface StatementProgram {
  config: PublicConfig
  db: Db
}

export interface ProgramTransaction extends StatementLine {
  program: string
  /** Formatted for the program's members: `126 miles`. */
  rewardText: string
}

/** What the programs cost a restaurant in a month, and the visits and bills that they led to. */
export interface RestaurantStatement {
  merchant: StatementMerchant
  /** `YYYY-MM`. */
  month: string
  transactions: readonly ProgramTransaction[]
  totals: {
    /** Rewarded ones: not those that were refunded in full. */
    transactions: number
    /** Rewarded visits of members who had not been rewarded here before. */
    firstVisits: number
    billCents: number
    refundedCents: number
    costCents: number
    /** Net spending for each dollar of cost, in cents; null without any cost. */
    returnCents: number | null
  }
}

/** Returns null for an unknown restaurant. */
export async function readStatement(
  programs: readonly StatementProgram[],
  { merchantId, month }: { merchantId: string; month: string },
): Promise<RestaurantStatement | null> {
  const [first] = programs
  const merchant = first && (await findStatementMerchant(first.db, merchantId))
  if (!merchant) return null
  const all = await Promise.all(
    programs.map(async ({ config, db }) => {
      const lines = await listStatementLines(db, { merchantId: merchant.id, month, timeZone: merchant.timeZone })
      return lines.map((line) => ({
        ...line,
        program: config.programName,
        rewardText: formatReward(config, line.reward),
      }))
    }),
  )
  const transactions = all.flat().toSorted((a, b) => a.dinedAt.getTime() - b.dinedAt.getTime())
  return { merchant, month, transactions, totals: totalsOf(transactions) }
}

const isRewarded = ({ reward }: StatementLine) => reward > 0
/**
 * Returns whether a transaction is the first rewarded one of its member at the restaurant. A refunded meal is
 * no visit: the next one of the member is the first.
 */
export const isFirstVisit = (line: StatementLine) => isRewarded(line) && !line.isReturning

function totalsOf(transactions: readonly ProgramTransaction[]): RestaurantStatement['totals'] {
  const sum = (of: (transaction: ProgramTransaction) => number) =>
    transactions.reduce((total, transaction) => total + of(transaction), 0)
  const [billCents, refundedCents, costCents] = [
    sum((d) => d.billCents),
    sum((d) => d.refundedCents),
    sum((d) => d.costCents),
  ]
  return {
    transactions: transactions.filter(isRewarded).length,
    firstVisits: transactions.filter(isFirstVisit).length,
    billCents,
    refundedCents,
    costCents,
    returnCents: costCents === 0 ? null : Math.round(((billCents - refundedCents) / costCents) * 100),
  }
}

const columns = [
  'dined_at',
  'program',
  'bill_cents',
  'refunded_cents',
  'counted_cents',
  'reward',
  'unit',
  'first_visit',
  'cost_cents',
]

/** Returns the statement as CSV, with a line of totals. */
export function statementCsv({ transactions, totals }: RestaurantStatement): string {
  return toCsvFile([
    columns,
    ...transactions.map((transaction) => [
      transaction.dinedAt.toISOString(),
      transaction.program,
      transaction.billCents,
      transaction.refundedCents,
      transaction.countedCents,
      transaction.reward,
      transaction.unit,
      isFirstVisit(transaction) ? 'yes' : 'no',
      transaction.costCents,
    ]),
    ['total', '', totals.billCents, totals.refundedCents, '', '', '', totals.firstVisits, totals.costCents],
  ])
}
