import { type Selectable, sql } from 'kysely'
import type { Claims } from '../../../db/schema.ts'
import { isRestaurantNamed } from '../../dining/merchants/service.ts'
import type { Merge } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { plainText } from '../../platform/database/text-match.ts'
import { receiptRetentionDays } from './rules.ts'

export type ClaimRow = Selectable<Claims>

export interface RecordedTransaction {
  publicId: string
  dinedAt: Date
  merchantName: string
  merchantSlug: string | null
  /** Of the restaurant; UTC when it is unknown. */
  timeZone: string
  cents: number
}

/** Returns a member's transactions from one day before to one day after a UTC day, the earliest first. */
export async function listTransactionsAround(db: Db, memberId: number, date: string): Promise<RecordedTransaction[]> {
  const { rows } = await sql<RecordedTransaction>`
    select t.public_id as "publicId", t.occurred_at as "dinedAt", t.merchant_name as "merchantName",
      m.public_id as "merchantSlug", coalesce(m.time_zone, 'UTC') as "timeZone", case when t.cleared_at is null then t.ticket_cents else t.cleared_cents end as cents
    from transactions t left join merchants m on m.id = t.merchant_id
    where t.member_id = ${memberId} and t.type_code in ('S', 'M')
      and t.occurred_at >= ${date}::date - 1 and t.occurred_at < ${date}::date + 2
    order by t.occurred_at, t.id`.execute(db)
  return rows
}

export interface CardLinkPeriod {
  id: number
  publicId: string
  lastFour: string
  linkedAt: Date
  removedAt: Date | null
}

/** Returns every link of a member's cards, including removed ones, the latest first. */
export async function listCardLinks(db: Db | Tx, memberId: number): Promise<CardLinkPeriod[]> {
  return db
    .selectFrom('cards')
    .select([
      'id',
      'public_id as publicId',
      'last_four as lastFour',
      'linked_at as linkedAt',
      'removed_at as removedAt',
    ])
    .where('member_id', '=', memberId)
    .orderBy('linked_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export interface MatchedMerchant {
  id: number
  publicId: string
  name: string
  timeZone: string
}

/**
 * Returns the restaurant with this id, else the only one of this name, else the only one whose name and city have the words
 * of it; `several` for more.
 */
export async function findMerchant(
  db: Db,
  { merchantId, merchantName }: { merchantId?: string | undefined; merchantName: string },
): Promise<MatchedMerchant | 'several' | undefined> {
  const merchants = db.selectFrom('merchants').select(['id', 'public_id as publicId', 'name', 'time_zone as timeZone'])
  if (merchantId !== undefined) return merchants.where('public_id', '=', merchantId).executeTakeFirst()
  const isExact = sql<boolean>`plain_text(name) = ${plainText(merchantName)}`
  const named = await merchants
    .select(isExact.as('isExact'))
    .where(isRestaurantNamed(merchantName))
    .orderBy(isExact, 'desc')
    .limit(2)
    .execute()
  const [first, second] = named
  return second && first?.isExact === second.isExact ? 'several' : first
}

export interface NewClaim {
  publicId: string
  memberId: number
  date: string
  merchantId: number | null
  merchantName: string
  cents: number
  cardId: number | null
  note: string
  receipt: { name: string; type: string; bytes: Buffer } | null
  findings: unknown
  respondBy: Date
}

type ClaimKey = Pick<NewClaim, 'memberId' | 'date' | 'merchantName' | 'cents'>

/** Returns the member's existing claim about this transaction. */
export async function findExistingClaim(db: Db | Tx, transaction: ClaimKey): Promise<ClaimRow | undefined> {
  return db
    .selectFrom('claims')
    .selectAll()
    .where('member_id', '=', transaction.memberId)
    .where('transaction_date', '=', transaction.date)
    .where(sql<string>`lower(merchant_name)`, '=', sql<string>`lower(${transaction.merchantName})`)
    .where('amount_cents', '=', transaction.cents)
    .executeTakeFirst()
}

/** Returns the member's claims about meals of a day (`YYYY-MM-DD`), the day before and the day after; the oldest first. */
export async function listClaimsAround(db: Db | Tx, memberId: number, date: string): Promise<ClaimRow[]> {
  return db
    .selectFrom('claims')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('transaction_date', '>=', sql<string>`${date}::date - 1`)
    .where('transaction_date', '<=', sql<string>`${date}::date + 1`)
    .orderBy('id')
    .execute()
}

export interface ClaimUsage {
  /** Claims without a decision. */
  open: number
  /** Of all stored receipts. */
  receiptBytes: number
}

/** Returns the member's usage of the limits. The caller holds the member's lock. */
export async function getUsage(tx: Tx, memberId: number): Promise<ClaimUsage> {
  const { rows } = await sql<ClaimUsage>`
    select count(*) filter (where decided_at is null) as open,
      coalesce(sum(octet_length(receipt)), 0)::bigint as "receiptBytes"
    from claims where partner_id = current_partner() and member_id = ${memberId}`.execute(tx)
  return rows[0] as ClaimUsage
}

/** Deletes receipts `receiptRetentionDays` after the settlement of their claim. */
export async function purgeReceipts(db: Db): Promise<void> {
  await sql`update claims set receipt = null, receipt_name = null, receipt_type = null
    where partner_id = current_partner() and receipt is not null
      and settled_at < now() - make_interval(days => ${receiptRetentionDays})`.execute(db)
}

/** Inserts a claim. */
export async function insertClaim(tx: Tx, claim: NewClaim): Promise<ClaimRow> {
  const { receipt } = claim
  return tx
    .insertInto('claims')
    .values({
      public_id: claim.publicId,
      member_id: claim.memberId,
      transaction_date: claim.date,
      merchant_id: claim.merchantId,
      merchant_name: claim.merchantName,
      amount_cents: claim.cents,
      card_id: claim.cardId,
      note: claim.note,
      receipt_name: receipt?.name ?? null,
      receipt_type: receipt?.type ?? null,
      receipt: receipt?.bytes ?? null,
      findings: JSON.stringify(claim.findings),
      respond_by: claim.respondBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

const listed = [
  'public_id',
  'transaction_date',
  'merchant_name',
  'amount_cents',
  'opened_at',
  'respond_by',
  'receipt_type',
  'decision',
  'decided_at',
] as const
export type ListedClaim = Pick<ClaimRow, (typeof listed)[number]>

export async function listClaims(db: Db, memberId: number): Promise<ListedClaim[]> {
  return db
    .selectFrom('claims')
    .select(listed)
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

const isDecided = sql<boolean>`decided_at is not null and settled_at is null`

/** Returns the member of a decided claim that was not executed. */
export async function findDecided(tx: Tx, id: number): Promise<number | undefined> {
  const found = await tx
    .selectFrom('claims')
    .select('member_id')
    .where('id', '=', id)
    .where(isDecided)
    .executeTakeFirst()
  return found?.member_id
}

/** Locks and returns the decided claims that were not executed: this one, or those of a member, the oldest first. */
export async function lockDecided(tx: Tx, of: { id: number } | { memberId: number }): Promise<ClaimRow[]> {
  return tx
    .selectFrom('claims')
    .selectAll()
    .$call((query) => ('id' in of ? query.where('id', '=', of.id) : query.where('member_id', '=', of.memberId)))
    .where(isDecided)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function updateDecision(tx: Tx, id: number, decision: object): Promise<void> {
  await tx
    .updateTable('claims')
    .set({ decision: JSON.stringify(decision) })
    .where('id', '=', id)
    .execute()
}

export async function markExecuted(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('claims').set({ settled_at: sql<Date>`now()` }).where('id', '=', id).execute()
}

/** Redacts what a member wrote and sent with claims, and closes open ones. */
export async function redactAndCloseClaims(tx: Tx, memberId: number): Promise<void> {
  await tx
    .updateTable('claims')
    .set({ note: '', receipt: null, receipt_name: null, receipt_type: null })
    .where('member_id', '=', memberId)
    .execute()
  const now = sql<Date>`now()`
  await tx
    .updateTable('claims')
    .set({
      decision: sql<string>`coalesce(decision, '{"code": "withdrawn", "words": "", "benefit": 0}')`,
      decided_at: sql<Date>`coalesce(decided_at, now())`,
      settled_at: now,
    })
    .where('member_id', '=', memberId)
    .where('settled_at', 'is', null)
    .execute()
}

const isSameMeal = sql<boolean>`(kept.transaction_date = own.transaction_date and kept.amount_cents = own.amount_cents
  and lower(kept.merchant_name) = lower(own.merchant_name))`

/**
 * Gives the claims of an account to the one that it is merged into. A settled claim for a meal that the other one has
 * claimed too stays: there is one claim for a meal.
 */
export async function moveClaims(tx: Tx, { from, to }: Merge): Promise<void> {
  await sql`update claims own set member_id = ${to} where own.member_id = ${from} and not exists (
    select from claims kept where kept.member_id = ${to} and ${isSameMeal})`.execute(tx)
}

/** Returns whether an account has an open claim for a meal that the other one claims too: there can be one. */
export async function hasSharedClaim(tx: Tx, { from, to }: Merge): Promise<boolean> {
  const { rows } = await sql`
    select from claims own join claims kept on kept.member_id = ${to} and ${isSameMeal}
    where own.member_id = ${from} and (own.settled_at is null or kept.settled_at is null) limit 1`.execute(tx)
  return rows.length > 0
}
