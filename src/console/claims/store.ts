import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { creditIdOf } from '../../rewards/awards/manual-credit.ts'
import { areSimilarClaims, type ClaimedMeal, likenessOf, type ReportedMeal } from '../../rewards/awards/meal-match.ts'
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
      c.amount_cents as "amountCents", trim(m.first_name || ' ' || m.last_name) as "memberName", c.respond_by as "respondBy"
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
      c.amount_cents as "amountCents", trim(m.first_name || ' ' || m.last_name) as "memberName", c.respond_by as "respondBy",
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
  networkId: string
  dinedAt: Date
  merchantName: string
  cents: number
  cardLastFour: string
  /** The text of the member's statement. */
  status: string
  unmatched: string | null
  /** It earns for the member and may be the claimed meal: `exact` when restaurant, day and amount are the same. */
  earning: 'exact' | 'similar' | null
}

type SimilarRow = Omit<SimilarTransaction, 'status' | 'earning'> &
  Parameters<typeof statusLabelOf>[0] &
  ReportedMeal & { memberId: number | null }

/** Returns the member's transactions of those days, and those of unlinked cards for about this amount. */
export async function listSimilarTransactions(db: Db, claim: ConsoleClaim): Promise<SimilarTransaction[]> {
  const cents = sql`greatest(ticket_cents, cleared_cents)`
  const { rows } = await sql<SimilarRow>`
    select network_id as "networkId", member_id as "memberId", merchant_id as "merchantId", occurred_at as "dinedAt",
      merchant_name as "merchantName", ${cents} as cents, ticket_cents as "ticketCents", cleared_cents as "clearedCents",
      to_char(occurred_at at time zone coalesce(
        (select m.time_zone from merchants m where m.id = merchant_id and type_code <> 'M'), 'UTC'), 'YYYY-MM-DD') as "localDate",
      card_last_four as "cardLastFour", unmatched, award_status, type_code, benefit,
      case when stage <> 'authorized' then occurred_at end as cleared_at, null as paid_at, jsonb_build_object('code', reason -> 'code') as reason
    from transactions
    where occurred_at >= ${claim.dinedOn}::date - 1 and occurred_at < ${claim.dinedOn}::date + 2
      and (member_id = ${claim.memberId} or (unmatched = 'card'
        and ${cents} between ${claim.amountCents} * 0.7 and ${claim.amountCents} * 1.4
        and (merchant_id = ${claim.merchantId} or lower(merchant_name) = lower(${claim.merchantName}))))
    order by occurred_at, id limit 20`.execute(db)
  return rows.map((row) => ({ ...row, status: statusLabelOf(row), earning: earningOf(claim, row) }))
}

/** Returns whether an entry of the member earns, or will, for what may be the claimed meal. */
function earningOf(claim: ConsoleClaim, row: SimilarRow): SimilarTransaction['earning'] {
  const isOwn = row.memberId === claim.memberId && row.networkId !== creditIdOf(claim.publicId)
  if (!isOwn || row.benefit === 0 || row.award_status === 'Forfeit') return null
  const meal: ClaimedMeal = {
    merchantId: claim.merchantId,
    merchantName: claim.merchantName,
    dinedAt: new Date(`${claim.dinedOn}T12:00:00Z`),
    cents: claim.amountCents,
  }
  if (row.type_code === 'S') return likenessOf(meal, row)
  return row.type_code === 'M' && areSimilarClaims(meal, row) ? 'similar' : null
}

export interface SimilarClaim {
  publicId: string
  dinedOn: string
  amountCents: number
  isDecided: boolean
}

/** Returns the member's other claims about similar meals, the oldest first. */
export async function listSimilarClaims(db: Db, claim: ConsoleClaim): Promise<SimilarClaim[]> {
  const { rows } = await sql<SimilarClaim & ClaimedMeal>`
    select public_id as "publicId", transaction_date as "dinedOn", amount_cents as "amountCents",
      decided_at is not null as "isDecided", merchant_id as "merchantId", merchant_name as "merchantName",
      (transaction_date + time '12:00') at time zone 'UTC' as "dinedAt", amount_cents as cents
    from claims
    where member_id = ${claim.memberId} and public_id <> ${claim.publicId}
      and transaction_date between ${claim.dinedOn}::date - 1 and ${claim.dinedOn}::date + 1
    order by id limit 20`.execute(db)
  const { merchantId, merchantName, dinedOn, amountCents: cents } = claim
  const meal = { merchantId, merchantName, dinedAt: new Date(`${dinedOn}T12:00:00Z`), cents }
  return rows.filter((other) => areSimilarClaims(meal, other))
}

export interface NewDecision {
  code: string
  words: string
  benefit: number
  /** Network ids of the member's entries that are other meals. */
  otherMeals?: readonly string[]
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
