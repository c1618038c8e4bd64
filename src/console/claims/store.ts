import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statusLabelOf } from '../../rewards/awards/read-transaction.ts'

export interface OpenClaim {
  publicId: string
  merchantName: string
  dinedOn: string
  amountCents: number
  memberName: string
  respondBy: Date
}

/** Returns claims without a decision, the earliest deadline first. */
export async function listOpenClaims(db: Db): Promise<OpenClaim[]> {
  const { rows } = await sql<OpenClaim>`
    select c.public_id as "publicId", c.merchant_name as "merchantName", c.transaction_date as "dinedOn",
      c.amount_cents as "amountCents", m.first_name || ' ' || m.last_name as "memberName", c.respond_by as "respondBy"
    from claims c join members m on m.id = c.member_id
    where c.decided_at is null and m.deleted_at is null order by c.respond_by, c.id limit 200`.execute(db)
  return rows
}

export interface ConsoleClaim extends OpenClaim {
  memberId: number
  memberPublicId: string
  merchantId: number | null
  note: string
  receiptType: string | null
  cardLastFour: string | null
  findings: unknown
  decision: unknown
  decidedBy: string | null
  decidedAt: Date | null
}

export async function findClaim(db: Db, publicId: string): Promise<ConsoleClaim | undefined> {
  const { rows } = await sql<ConsoleClaim>`
    select c.public_id as "publicId", c.merchant_name as "merchantName", c.transaction_date as "dinedOn",
      c.amount_cents as "amountCents", m.first_name || ' ' || m.last_name as "memberName", c.respond_by as "respondBy",
      c.member_id as "memberId", m.public_id as "memberPublicId", c.merchant_id as "merchantId", c.note,
      c.receipt_type as "receiptType", k.last_four as "cardLastFour", c.findings, c.decision,
      c.decided_by as "decidedBy", c.decided_at as "decidedAt"
    from claims c join members m on m.id = c.member_id left join cards k on k.id = c.card_id
    where c.public_id = ${publicId} and m.deleted_at is null`.execute(db)
  return rows[0]
}

export async function findReceipt(db: Db, publicId: string): Promise<{ type: string; bytes: Buffer } | undefined> {
  const { rows } = await sql<{ type: string; bytes: Buffer }>`
    select receipt_type as type, receipt as bytes from claims where public_id = ${publicId} and receipt is not null`.execute(
    db,
  )
  return rows[0]
}

export interface SimilarTransaction {
  dinedAt: Date
  merchantName: string
  cents: number
  cardLastFour: string
  /** The text of the member's statement. */
  status: string
  unmatched: string | null
}

/** Returns the member's transactions of those days, and those of unlinked cards for about this amount. */
export async function listSimilarTransactions(db: Db, claim: ConsoleClaim): Promise<SimilarTransaction[]> {
  const cents = sql`greatest(ticket_cents, cleared_cents)`
  const { rows } = await sql<Omit<SimilarTransaction, 'status'> & Parameters<typeof statusLabelOf>[0]>`
    select occurred_at as "dinedAt", merchant_name as "merchantName", ${cents} as cents,
      card_last_four as "cardLastFour", unmatched, award_status, type_code, benefit,
      case when stage <> 'authorized' then occurred_at end as cleared_at, null as paid_at, jsonb_build_object('code', reason -> 'code') as reason
    from transactions
    where occurred_at >= ${claim.dinedOn}::date - 1 and occurred_at < ${claim.dinedOn}::date + 2
      and (member_id = ${claim.memberId} or (unmatched = 'card'
        and ${cents} between ${claim.amountCents} * 0.7 and ${claim.amountCents} * 1.4
        and (merchant_id = ${claim.merchantId} or lower(merchant_name) = lower(${claim.merchantName}))))
    order by occurred_at, id limit 20`.execute(db)
  return rows.map((row) => ({ ...row, status: statusLabelOf(row) }))
}

export interface NewDecision {
  code: string
  words: string
  benefit: number
  by: string
}

/** Stores a decision once; returns false when there is one already. */
export async function storeDecision(db: Db, publicId: string, { by, ...decision }: NewDecision): Promise<boolean> {
  const result = await db
    .updateTable('claims')
    .set({ decision: JSON.stringify(decision), decided_by: by, decided_at: sql<Date>`now()` })
    .where('public_id', '=', publicId)
    .where('decided_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Returns whether a decision is the stored one: the same form was sent twice. */
export async function hasDecision(db: Db, publicId: string, { by, ...decision }: NewDecision): Promise<boolean> {
  const found = await db
    .selectFrom('claims')
    .select('id')
    .where('public_id', '=', publicId)
    .where('decided_by', '=', by)
    .where('decision', '=', JSON.stringify(decision))
    .executeTakeFirst()
  return found !== undefined
}
