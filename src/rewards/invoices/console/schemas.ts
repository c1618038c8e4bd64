import { z } from 'zod'
import { reason } from '../../../console-kit/reason.ts'
import { defineSchemas } from '../../../platform/call.ts'
import { filterText, listOf, pageQuery } from '../../../platform/list-call.ts'
import { readSoughtDollars } from '../../../platform/money.ts'
import { isMonth } from '../../../platform/time.ts'
import { maxReference } from '../limits.ts'

/** `credit`: the restaurant has nothing to pay; what it is owed is set against its next invoice. */
const State = z.enum(['open', 'overdue', 'paid', 'credit'])

export const ListedInvoice = z.object({
  /** As the restaurant reads it: `202611-0042`. */
  number: z.string(),
  merchantId: z.string(),
  merchantName: z.string(),
  city: z.string(),
  /** `YYYY-MM` */
  month: z.string(),
  totalCents: z.number().int(),
  paidCents: z.number().int(),
  openCents: z.number().int(),
  dueOn: z.iso.date(),
  state: State,
})
export type ListedInvoice = z.infer<typeof ListedInvoice>

const filters = {
  /** The beginning of a number. */
  q: filterText,
  /** Words of the name or the city of a restaurant, or its id. */
  restaurant: filterText,
  month: z.string().refine(isMonth, 'validation.check').optional(),
  state: z.enum(['any', ...State.options]).default('any'),
}

export const listInvoices = defineSchemas({
  summary: 'Lists the invoices of restaurants, the latest month first',
  query: z.object({ ...pageQuery, ...filters }),
  reply: listOf(ListedInvoice),
})

export const exportInvoices = defineSchemas({
  summary: 'Returns the same list as a CSV file',
  query: z.object(filters),
  reply: z.unknown(),
  replyType: 'text/csv',
})

const params = z.object({ id: z.string().max(20) })

export const InvoiceDetail = ListedInvoice.extend({
  /** What the ledger posted in the month, and what the restaurant was owed before. */
  monthCents: z.number().int(),
  carriedCents: z.number().int(),
  issuedAt: z.iso.datetime(),
  payments: z.array(
    z.object({
      id: z.string(),
      cents: z.number().int(),
      paidOn: z.iso.date(),
      reference: z.string(),
      by: z.string(),
      recordedAt: z.iso.datetime(),
      /** The journal entry. */
      entry: z.number().int(),
      /** Null for one that counts. */
      undone: z.object({ by: z.string(), at: z.iso.datetime(), reason: z.string() }).nullable(),
    }),
  ),
})
export type InvoiceDetail = z.infer<typeof InvoiceDetail>

export const getInvoice = defineSchemas({
  summary: 'Returns an invoice with its payments',
  params,
  reply: InvoiceDetail,
  errors: { notFound: 404 },
})

/** Dollars as they are typed. Returns cents above zero. */
const Amount = z
  .string()
  .trim()
  .max(20)
  .refine((typed) => (readSoughtDollars(typed) ?? 0) > 0 && !/^[-−]/.test(typed), 'console.invoices.amount')
  .transform((typed) => readSoughtDollars(typed) ?? 0)

const reference = z.string().trim().max(maxReference, 'console.invoices.reference')

export const addPayment = defineSchemas({
  summary: 'Records that a restaurant has paid an invoice, or a part of it',
  params,
  body: z.object({ amount: Amount, paidOn: z.iso.date(), reference }),
  reply: InvoiceDetail,
  errors: { notFound: 404, paymentKnown: 409 },
})

export const undoPayment = defineSchemas({
  summary: 'Takes a payment back that was recorded by mistake',
  params: params.extend({ payment: z.string().max(60) }),
  body: z.object({ reason }),
  multiline: ['reason'],
  reply: InvoiceDetail,
  errors: { notFound: 404, conflict: 409 },
})

/** What a file of payments does. */
export const PaymentsPreview = z.object({
  /** Payments that are recorded, and their sum. */
  count: z.number().int(),
  cents: z.number().int(),
  /** Lines whose payment is recorded already; they change nothing. */
  known: z.number().int(),
  /** The first payments. */
  payments: z.array(
    z.object({
      number: z.string(),
      merchantName: z.string(),
      cents: z.number().int(),
      paidOn: z.iso.date(),
      /** What is open afterwards. */
      openCents: z.number().int(),
    }),
  ),
  /** Lines that are left out, with the reason; the first hundred. */
  problems: z.array(z.string()),
  leftOut: z.number().int(),
  fingerprint: z.string(),
})
export type PaymentsPreview = z.infer<typeof PaymentsPreview>

/** A table as a spreadsheet or a bank writes it: invoice, amount, date, reference. */
const text = z.string().min(1).max(800_000, 'console.invoices.fileTooLarge')

export const previewPayments = defineSchemas({
  summary: 'Returns what a file of payments would do. Stores nothing',
  body: z.object({ text }),
  multiline: ['text'],
  reply: PaymentsPreview,
  errors: { unreadableFile: 422 },
})

export const importPayments = defineSchemas({
  summary: 'Records the payments of a file, each once',
  body: z.object({ text, name: z.string().max(200), fingerprint: z.string().max(60) }),
  multiline: ['text'],
  reply: PaymentsPreview,
  errors: { unreadableFile: 422, conflict: 409 },
})
