import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'

export interface Issued {
  count: number
  /** What restaurants are asked to pay. */
  cents: number
}

/**
 * Issues the invoices of a month (`YYYY-MM`): one for each restaurant whose postings on its days do not sum to zero.
 * What a restaurant was owed by its last invoice is set against it. Numbers count from 1 in each month. The caller holds
 * the lock of the program's months.
 */
export async function issueInvoices(
  tx: Tx,
  { month, days, dueOn, at }: { month: string; days: { from: string; to: string }; dueOn: string; at: Date },
): Promise<Issued> {
  const { rows } = await sql<Issued>`
    with owed as (
      select p.merchant_id, -sum(p.amount)::bigint as cents
      from journal_entries j join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id
      where j.partner_id = current_partner() and j.source = 'transaction' and p.account = 'restaurant'
        and j.posted_at >= ${days.from}::date at time zone 'UTC'
        and j.posted_at < (${days.to}::date + 1) at time zone 'UTC'
      group by p.merchant_id having sum(p.amount) <> 0
    ), numbered as (
      select m.id as merchant_id, owed.cents, row_number() over (order by m.name, m.id)::text as place
      from owed join merchants m on m.id = owed.merchant_id
    ), issued as (
      insert into restaurant_invoices (number, merchant_id, month, month_cents, carried_cents, issued_at, due_on)
      select ${month.replace('-', '')} || '-' || lpad(place, greatest(4, length(place)), '0'), n.merchant_id,
        ${`${month}-01`}::date, n.cents, least(coalesce(last.total_cents, 0), 0), ${at}, ${dueOn}::date
      from numbered n
      left join lateral (
        select i.total_cents from restaurant_invoices i
        where i.partner_id = current_partner() and i.merchant_id = n.merchant_id order by i.month desc limit 1) last on true
      returning total_cents
    )
    select count(*)::int as count, coalesce(sum(greatest(total_cents, 0)), 0)::bigint as cents from issued`.execute(tx)
  return rows[0] as Issued
}

export interface InvoiceRow {
  rowId: number
  number: string
  merchantRowId: number
  totalCents: number
  paidCents: number
}

/** Returns an invoice, locked until the end of the transaction, so that its payments follow each other. */
export async function lockInvoice(tx: Tx, number: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`
    select id as "rowId", number, merchant_id as "merchantRowId", total_cents as "totalCents", paid_cents as "paidCents"
    from restaurant_invoices where partner_id = current_partner() and number = ${number} for update`.execute(tx)
  return rows[0]
}

export interface NewPayment {
  cents: number
  /** `YYYY-MM-DD` */
  paidOn: string
  /** What the bank statement says; may be empty. */
  reference: string
}

/** Stores a payment and adds it to its invoice. Returns false when the same one is stored already. */
export async function insertPayment(
  tx: Tx,
  invoiceId: number,
  { publicId, cents, paidOn, reference, by, at }: NewPayment & { publicId: string; by: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into restaurant_payments (public_id, invoice_id, cents, paid_on, reference, recorded_at, recorded_by)
    values (${publicId}, ${invoiceId}, ${cents}, ${paidOn}::date, ${reference}, ${at}, ${by})
    on conflict (partner_id, invoice_id, paid_on, cents, reference) where undone_at is null do nothing
    returning id`.execute(tx)
  if (rows.length === 0) return false
  await addPaid(tx, invoiceId, cents)
  return true
}

/** Returns whether the same payment is stored. */
export async function isKnownPayment(
  tx: Tx,
  invoiceId: number,
  { cents, paidOn, reference }: NewPayment,
): Promise<boolean> {
  const { rows } = await sql`
    select from restaurant_payments where partner_id = current_partner() and invoice_id = ${invoiceId}
      and cents = ${cents} and paid_on = ${paidOn}::date and reference = ${reference} and undone_at is null`.execute(tx)
  return rows.length > 0
}

export interface PaymentRow extends NewPayment {
  publicId: string
  isUndone: boolean
}

export async function findPayment(tx: Tx, invoiceId: number, publicId: string): Promise<PaymentRow | undefined> {
  const { rows } = await sql<PaymentRow>`
    select public_id as "publicId", cents, to_char(paid_on, 'YYYY-MM-DD') as "paidOn", reference,
      undone_at is not null as "isUndone"
    from restaurant_payments
    where partner_id = current_partner() and invoice_id = ${invoiceId} and public_id = ${publicId}`.execute(tx)
  return rows[0]
}

/** Takes a payment back from its invoice. */
export async function markUndone(
  tx: Tx,
  invoiceId: number,
  { publicId, cents, by, reason, at }: { publicId: string; cents: number; by: string; reason: string; at: Date },
): Promise<void> {
  await sql`
    update restaurant_payments set undone_at = ${at}, undone_by = ${by}, undone_reason = ${reason}
    where partner_id = current_partner() and public_id = ${publicId}`.execute(tx)
  await addPaid(tx, invoiceId, -cents)
}

async function addPaid(tx: Tx, invoiceId: number, cents: number): Promise<void> {
  await sql`
    update restaurant_invoices set paid_cents = paid_cents + ${cents}
    where partner_id = current_partner() and id = ${invoiceId}`.execute(tx)
}
