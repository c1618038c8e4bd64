import { z } from 'zod'
import type { Tx } from '../../../platform/database/db.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { fingerprintOf, tryOrDo } from '../../../platform/database/dry-run.ts'
import { ApiError, ValidationError } from '../../../platform/errors.ts'
import { readAmount, readDay } from '../../../platform/files/cells.ts'
import { type CellProblem, type Column, explainIssues, quoted } from '../../../platform/files/columns.ts'
import { UnreadableFile } from '../../../platform/files/read-lines.ts'
import { problemText, readPastedRows } from '../../../platform/files/read-rows.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { centsFromDecimal, formatCents, formatCount } from '../../../platform/money.ts'
import { maxReference } from '../limits.ts'
import { recordPayment } from '../payments.ts'
import type { PaymentsPreview } from './contract.ts'
import { findNames } from './store.ts'

/** Cents above zero, of an amount with at most two decimals. */
function readCents(text: string): number | undefined {
  const amount = readAmount(text)
  if (amount === undefined || !/^\d{1,9}(\.\d{1,2})?$/.test(amount)) return undefined
  return centsFromDecimal(amount) || undefined
}

/** The columns of a file of payments. */
const columns: readonly Column[] = [
  {
    name: 'invoice',
    also: ['invoice number', 'number'],
    required: true,
    read: (text) => /^#?\s*(\d{6}-\d{4,})$/.exec(text)?.[1],
    expected: 'is no number of an invoice; write 202611-0042',
  },
  {
    name: 'amount',
    also: ['paid'],
    required: true,
    read: readCents,
    expected: 'is no amount above zero; write 1234.56',
  },
  {
    name: 'date',
    also: ['paid on', 'day'],
    required: true,
    read: readDay,
    expected: 'is not a day; write 2026-11-15 or 11/15/2026',
  },
  { name: 'reference', also: ['text', 'description'] },
]

/** A line that can be read. Other columns, of which a bank's file has many, are ignored. */
const Line = z.object({
  invoice: z.string(),
  amount: z.number(),
  date: z.string(),
  reference: z.string().trim().max(maxReference).default(''),
})
type Line = z.infer<typeof Line> & { line: number }

type LineProblem = CellProblem & { line: number }

/** Reads the lines of a file, with all problems of those that cannot be read. Throws `unreadableFile`. */
async function readLines(text: string): Promise<{ lines: Line[]; problems: LineProblem[] }> {
  const lines: Line[] = []
  const problems: LineProblem[] = []
  try {
    for await (const row of readPastedRows(text, columns)) {
      const { line } = row
      const read = Line.safeParse(row.value)
      if (read.success && row.problems.length === 0) lines.push({ ...read.data, line })
      else
        problems.push(...explainIssues(read.error?.issues ?? [], row, columns).map((problem) => ({ line, ...problem })))
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw new ApiError('unreadableFile', { problem: error.message })
    throw error
  }
  if (lines.length > mostLines)
    throw new ApiError('unreadableFile', {
      problem: `The file has more than ${formatCount(mostLines)} payments. Split it.`,
    })
  return { lines, problems }
}

/** Payments of one file: they are one transaction. */
const mostLines = 5_000

/** Returns what a file of payments would do, by doing it in a transaction that is rolled back. Throws `unreadableFile`. */
export const previewPayments = (ctx: OperatorCtx, text: string): Promise<PaymentsPreview> =>
  carryOut(ctx, { text, name: '', isDry: true })

/** Records the payments of a file. Throws `unreadableFile`, and `conflict` when the outcome is not the one shown. */
export const importPayments = (
  ctx: OperatorCtx,
  given: { text: string; name: string; fingerprint: string },
): Promise<PaymentsPreview> => carryOut(ctx, { ...given, isDry: false })

/** Payments and problems that a preview lists. */
const shown = 100

async function carryOut(
  ctx: OperatorCtx,
  { text, name, isDry, fingerprint }: { text: string; name: string; isDry: boolean; fingerprint?: string },
): Promise<PaymentsPreview> {
  const { lines, problems } = await readLines(text)
  return tryOrDo({ isDry }, (finish) =>
    inTransaction(ctx.db, async (tx) => {
      const done: Omit<PaymentsPreview['payments'][number], 'merchantName'>[] = []
      let known = 0
      // In the order of their numbers, so that two files never wait for each other.
      for (const line of lines.toSorted((a, b) => a.invoice.localeCompare(b.invoice) || a.line - b.line)) {
        const outcome = await record(tx, ctx, line)
        if (outcome === 'known') known++
        else if ('text' in outcome) problems.push(outcome)
        else done.push({ number: line.invoice, cents: line.amount, paidOn: line.date, openCents: outcome.openCents })
      }
      const names = await findNames(ctx.db, [...new Set(done.slice(0, shown).map(({ number }) => number))])
      const cents = done.reduce((sum, payment) => sum + payment.cents, 0)
      const leftOut = problems.toSorted((a, b) => a.line - b.line).map((problem) => problemText(problem.line, problem))
      const preview = {
        count: done.length,
        cents,
        known,
        payments: done
          .slice(0, shown)
          .map((payment) => ({ ...payment, merchantName: names.get(payment.number) ?? '' })),
        problems: leftOut.slice(0, shown),
        leftOut: leftOut.length,
        fingerprint: fingerprintOf({ done, known, leftOut }),
      }
      if (isDry) return finish(preview)
      if (preview.fingerprint !== fingerprint) throw new ApiError('conflict')
      await ctx.record(tx, {
        object: { type: 'invoices', id: 'payments', label: name },
        after: { payments: done.length, paid: formatCents(cents), known, leftOut: leftOut.length },
      })
      return finish(preview)
    }),
  )
}

/** Records a line. Returns what is open afterwards, `known`, or what is wrong with it. */
async function record(
  tx: Tx,
  ctx: OperatorCtx,
  { line, invoice, amount: cents, date, reference }: Line,
): Promise<{ openCents: number } | LineProblem | 'known'> {
  try {
    const payment = { cents, paidOn: date, reference, by: ctx.operator.name }
    const { totalCents, paidCents } = await recordPayment(tx, ctx, invoice, payment)
    return { openCents: totalCents - paidCents }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'paymentKnown') return 'known'
    if (error instanceof ApiError && error.code === 'notFound')
      return { line, column: 'invoice', text: `There is no invoice ${quoted(invoice)}.` }
    if (!(error instanceof ValidationError)) throw error
    const isDay = error.fields.some(({ field }) => field === 'paidOn')
    return isDay
      ? { line, column: 'date', text: `${quoted(date)} is still to come.` }
      : { line, column: 'amount', text: `${formatCents(cents)} is more than is open on ${invoice}.` }
  }
}
