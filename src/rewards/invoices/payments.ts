import type { Tx } from '../../platform/database/db.ts'
import { ApiError, ValidationError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import { dayIn } from '../../platform/time.ts'
import { postEntries } from '../ledger/entries.ts'
import * as store from './store.ts'

type PaymentCtx = Pick<Ctx, 'now' | 'program'>

/**
 * Records that a restaurant has paid a part of an invoice, or all of it: one row and one journal entry, which moves the
 * amount from what the restaurant owes to the bank. Throws field errors for a day to come and for more than is open,
 * `notFound`, and `paymentKnown` when the same payment is recorded already.
 */
export async function recordPayment(
  tx: Tx,
  ctx: PaymentCtx,
  number: string,
  { by, ...payment }: store.NewPayment & { by: string },
): Promise<store.InvoiceRow> {
  const invoice = await store.lockInvoice(tx, number)
  if (!invoice) throw new ApiError('notFound')
  const open = Math.max(0, invoice.totalCents - invoice.paidCents)
  if (payment.paidOn > dayIn(ctx.now(), ctx.program.config.timeZone))
    throw new ValidationError([{ field: 'paidOn', message: 'console.invoices.dayToCome' }])
  const id = publicId()
  // Known ones first: a payment that settled the invoice is no overpayment when it is sent again.
  if (payment.cents <= open) {
    if (!(await store.insertPayment(tx, invoice.rowId, { ...payment, publicId: id, by, at: ctx.now() })))
      throw new ApiError('paymentKnown')
  } else {
    if (await store.isKnownPayment(tx, invoice.rowId, payment)) throw new ApiError('paymentKnown')
    throw new ValidationError([
      { field: 'amount', message: open === 0 ? 'console.invoices.isPaid' : 'console.invoices.tooMuch' },
    ])
  }
  await post(tx, {
    id,
    version: 1,
    kind: 'payment',
    merchantId: invoice.merchantRowId,
    cents: payment.cents,
    number,
    by,
  })
  return { ...invoice, paidCents: invoice.paidCents + payment.cents }
}

/**
 * Takes a payment back that was recorded by mistake: the opposite journal entry, and the invoice is open again. Throws
 * `notFound`, and `conflict` when it was taken back before.
 */
export async function undoPayment(
  tx: Tx,
  ctx: PaymentCtx,
  { number, paymentId, by, reason }: { number: string; paymentId: string; by: string; reason: string },
): Promise<{ invoice: store.InvoiceRow; payment: store.PaymentRow }> {
  const invoice = await store.lockInvoice(tx, number)
  const payment = invoice && (await store.findPayment(tx, invoice.rowId, paymentId))
  if (!payment) throw new ApiError('notFound')
  if (payment.isUndone) throw new ApiError('conflict')
  const { cents } = payment
  await store.markUndone(tx, invoice.rowId, { publicId: paymentId, cents, by, reason, at: ctx.now() })
  await post(tx, {
    id: paymentId,
    version: 2,
    kind: 'undone-payment',
    number,
    by,
    merchantId: invoice.merchantRowId,
    cents: -cents,
  })
  return { invoice: { ...invoice, paidCents: invoice.paidCents - cents }, payment }
}

interface Posting {
  id: string
  version: number
  kind: 'payment' | 'undone-payment'
  merchantId: number
  cents: number
  number: string
  by: string
}

async function post(tx: Tx, { id, version, kind, merchantId, cents, number, by }: Posting): Promise<void> {
  await postEntries(tx, [
    {
      source: 'payment',
      sourceId: id,
      version,
      kind,
      reason: { invoice: number, by: [by] },
      postings: [
        { account: 'restaurant', merchantId, unit: 'cent', amount: cents },
        { account: 'bank', merchantId, unit: 'cent', amount: -cents },
      ],
    },
  ])
}
