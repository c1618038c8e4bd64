import { inTransaction } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import type { HttpContext } from '../../../platform/http/register-route.ts'
import { sendCsv } from '../../../platform/http/send-csv.ts'
import { decimalFromCents, formatCents } from '../../../platform/money.ts'
import { dayIn } from '../../../platform/time.ts'
import * as payments from '../payments.ts'
import type { NewPayment } from '../store.ts'
import type { InvoiceDetail, ListedInvoice } from './contract.ts'
import { stateNames } from './invoice-names.ts'
import * as store from './store.ts'

/** The day of the program: an invoice is overdue from the day after the one on which it is due. */
const today = (ctx: OperatorCtx) => dayIn(ctx.now(), ctx.program.config.timeZone)

function stateOf({ totalCents, paidCents, dueOn }: store.InvoiceRow, day: string): ListedInvoice['state'] {
  if (totalCents <= 0) return 'credit'
  if (paidCents >= totalCents) return 'paid'
  return dueOn < day ? 'overdue' : 'open'
}

const toListed = (row: store.InvoiceRow, day: string): ListedInvoice => ({
  number: row.number,
  merchantId: row.merchantId,
  merchantName: row.merchantName,
  city: row.city,
  month: row.month,
  totalCents: row.totalCents,
  paidCents: row.paidCents,
  openCents: Math.max(0, row.totalCents - row.paidCents),
  dueOn: row.dueOn,
  state: stateOf(row, day),
})

type ListQuery = Parameters<typeof store.listInvoices>[1]

/** Returns one page of a program's invoices. */
export async function listInvoices(ctx: OperatorCtx, query: ListQuery) {
  const day = today(ctx)
  const { rows, next, total } = await store.listInvoices(ctx.db, query, day)
  return { items: rows.map((row) => toListed(row, day)), next, total }
}

const csvColumns = ['invoice', 'restaurant', 'name', 'city', 'month', 'total', 'paid', 'open', 'due', 'state']

/** Sends the same list as a CSV file. */
export async function exportInvoices(ctx: OperatorCtx, filter: store.InvoiceFilter, http: HttpContext): Promise<void> {
  const day = today(ctx)
  async function* pages() {
    for await (const rows of store.readInvoices(ctx.db, filter, day))
      yield rows
        .map((row) => toListed(row, day))
        .map((row): (string | number)[] => [
          row.number,
          row.merchantId,
          row.merchantName,
          row.city,
          row.month,
          ...[row.totalCents, row.paidCents, row.openCents].map(decimalFromCents),
          row.dueOn,
          stateNames[row.state].label,
        ])
  }
  const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  // Before the first byte: who has the file has left an entry.
  await inTransaction(ctx.db, (tx) => ctx.record(tx, { object: { type: 'invoices', id: 'export' }, after: asked }))
  await sendCsv(http, { name: `${ctx.partnerId}-invoices.csv`, columns: csvColumns, pages: pages() })
}

/** Returns an invoice with its payments. Throws `notFound`. */
export async function getInvoice(ctx: OperatorCtx, number: string): Promise<InvoiceDetail> {
  const row = await store.findInvoice(ctx.db, number)
  if (!row) throw new ApiError('notFound')
  const paid = await store.listPayments(ctx.db, row.rowId)
  return {
    ...toListed(row, today(ctx)),
    monthCents: row.monthCents,
    carriedCents: row.carriedCents,
    issuedAt: row.issuedAt.toISOString(),
    payments: paid.map(({ undoneAt, undoneBy, undoneReason, ...payment }) => ({
      ...payment,
      recordedAt: payment.recordedAt.toISOString(),
      undone: undoneAt && { at: undoneAt.toISOString(), by: undoneBy ?? '', reason: undoneReason ?? '' },
    })),
  }
}

const objectOf = (number: string) => ({ type: 'invoice', id: number, label: number })

/** Records a payment. Throws as `payments.recordPayment`. */
export async function addPayment(ctx: OperatorCtx, number: string, payment: NewPayment): Promise<InvoiceDetail> {
  await inTransaction(ctx.db, async (tx) => {
    const { totalCents, paidCents } = await payments.recordPayment(tx, ctx, number, {
      ...payment,
      by: ctx.operator.name,
    })
    await ctx.record(tx, {
      object: objectOf(number),
      before: { open: formatCents(totalCents - paidCents + payment.cents) },
      after: { open: formatCents(totalCents - paidCents), paidOn: payment.paidOn, reference: payment.reference },
    })
  })
  return getInvoice(ctx, number)
}

/** Takes a payment back. Throws as `payments.undoPayment`. */
export async function undoPayment(
  ctx: OperatorCtx,
  { number, paymentId, reason }: { number: string; paymentId: string; reason: string },
): Promise<InvoiceDetail> {
  await inTransaction(ctx.db, async (tx) => {
    const by = ctx.operator.name
    const { invoice, payment } = await payments.undoPayment(tx, ctx, { number, paymentId, by, reason })
    const open = invoice.totalCents - invoice.paidCents
    await ctx.record(tx, {
      object: objectOf(number),
      before: { open: formatCents(open - payment.cents), paidOn: payment.paidOn, reference: payment.reference },
      after: { open: formatCents(open) },
      reason,
    })
  })
  return getInvoice(ctx, number)
}
