import { type RawBuilder, sql } from 'kysely'
import { isRestaurantMeant } from '../../../dining/merchants/service.ts'
import type { Db } from '../../../platform/database/db.ts'
import { type List, listPage, type Order, type PageRequest, readPages } from '../../../platform/database/keyset.ts'
import { beginningWith } from '../../../platform/database/text-match.ts'
import type { ListedInvoice } from './contract.ts'

export interface InvoiceFilter {
  q?: string | undefined
  restaurant?: string | undefined
  month?: string | undefined
  state: ListedInvoice['state'] | 'any'
}

export interface InvoiceRow {
  rowId: number
  number: string
  merchantId: string
  merchantName: string
  city: string
  month: string
  monthCents: number
  carriedCents: number
  totalCents: number
  paidCents: number
  issuedAt: Date
  dueOn: string
}

const columns = sql`i.id as "rowId", i.number, m.public_id as "merchantId", m.name as "merchantName", m.city,
  to_char(i.month, 'YYYY-MM') as month, i.month_cents as "monthCents", i.carried_cents as "carriedCents",
  i.total_cents as "totalCents", i.paid_cents as "paidCents", i.issued_at as "issuedAt",
  to_char(i.due_on, 'YYYY-MM-DD') as "dueOn"`

const withMerchant = sql`join merchants m on m.id = i.merchant_id`

const latestFirst: Order = { by: sql`i.month`, type: 'date', id: sql`i.id`, direction: 'desc' }

// As the index of open ones has it.
const isOpen = sql`i.paid_cents < i.month_cents + i.carried_cents`

function stateIs(state: InvoiceFilter['state'], today: string): RawBuilder<unknown> {
  switch (state) {
    case 'any':
      return sql`true`
    case 'open':
      return sql`${isOpen} and i.due_on >= ${today}::date`
    case 'overdue':
      return sql`${isOpen} and i.due_on < ${today}::date`
    case 'paid':
      return sql`i.total_cents > 0 and i.paid_cents >= i.total_cents`
    case 'credit':
      return sql`i.total_cents <= 0`
  }
}

const listOf = ({ q, restaurant, month, state }: InvoiceFilter, today: string): List => ({
  columns,
  from: sql`restaurant_invoices i`,
  joins: withMerchant,
  where: sql`i.partner_id = current_partner() and ${stateIs(state, today)}
    ${q === undefined ? sql`` : sql`and i.number like ${beginningWith(q.replace(/^#\s*/, ''))}`}
    ${month === undefined ? sql`` : sql`and i.month = ${`${month}-01`}::date`}
    ${restaurant === undefined ? sql`` : sql`and ${isRestaurantMeant(sql`i.merchant_id`, restaurant)}`}`,
  order: latestFirst,
})

/** Returns one page of invoices; `today` is the day (`YYYY-MM-DD`) from which earlier ones are overdue. */
export const listInvoices = (db: Db, filter: InvoiceFilter & PageRequest, today: string) =>
  listPage<InvoiceRow>(db, listOf(filter, today), filter)

/** Yields the invoices of a list page by page. */
export const readInvoices = (db: Db, filter: InvoiceFilter, today: string) =>
  readPages<InvoiceRow>(db, listOf(filter, today))

export async function findInvoice(db: Db, number: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`
    select ${columns} from restaurant_invoices i ${withMerchant}
    where i.partner_id = current_partner() and i.number = ${number}`.execute(db)
  return rows[0]
}

export interface PaymentRow {
  id: string
  cents: number
  paidOn: string
  reference: string
  by: string
  recordedAt: Date
  entry: number
  undoneAt: Date | null
  undoneBy: string | null
  undoneReason: string | null
}

/** Returns the payments of an invoice with their journal entries, in the order in which they were recorded. */
export async function listPayments(db: Db, invoiceId: number): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    select p.public_id as id, p.cents, to_char(p.paid_on, 'YYYY-MM-DD') as "paidOn", p.reference, p.recorded_by as by,
      p.recorded_at as "recordedAt", j.id as entry, p.undone_at as "undoneAt", p.undone_by as "undoneBy",
      p.undone_reason as "undoneReason"
    from restaurant_payments p
    join journal_entries j on j.partner_id = p.partner_id and j.source = 'payment' and j.source_id = p.public_id
      and j.version = 1
    where p.partner_id = current_partner() and p.invoice_id = ${invoiceId} order by p.id`.execute(db)
  return rows
}

/** Returns the names of the restaurants of invoices, by number. */
export async function findNames(db: Db, numbers: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ number: string; name: string }>`
    select i.number, m.name from restaurant_invoices i ${withMerchant}
    where i.partner_id = current_partner() and i.number = any(${numbers}::text[])`.execute(db)
  return new Map(rows.map(({ number, name }) => [number, name]))
}
