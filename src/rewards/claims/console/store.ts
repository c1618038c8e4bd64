import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import { listPage, type Order, type PageRequest } from '../../../platform/database/keyset.ts'
import { contains } from '../../../platform/database/text-match.ts'
import { creditIdOf } from '../../awards/manual-credit.ts'
import { areSimilarClaims, type ClaimedMeal, likenessOf, type ReportedMeal } from '../../awards/meal-match.ts'
import { statusLabelOf } from '../../awards/read-transaction.ts'

/** The order of the queue: the earliest deadline first. */
const byDeadline: Order = { by: sql`c.respond_by`, type: 'timestamptz', id: sql`c.id`, direction: 'asc' }
/** The order of decided claims: the latest decision first. */
const byDecision: Order = { by: sql`c.decided_at`, type: 'timestamptz', id: sql`c.id`, direction: 'desc' }

interface OpenClaim {
  publicId: string
  merchantName: string
  dinedOn: string
  amountCents: number
  memberName: string
  respondBy: Date
}

export interface QueuedClaim extends OpenClaim {
  openedAt: Date
  hasReceipt: boolean
  /** Name of the operator who works on it. */
  ownerName: string | null
  ownerId: number | null
  decision: unknown
  /** The email address of the operator, and the name. */
  decidedBy: string | null
  deciderName: string | null
  decidedAt: Date | null
}

export interface ClaimFilter extends PageRequest {
  /** Late: open, and after the deadline. */
  state: 'open' | 'late' | 'decided'
  now: Date
  /** An operator's id; null: nobody's; undefined: anybody's. */
  owner?: number | null | undefined
  /** Of the restaurant, or of the member's name or address. */
  text?: string | undefined
}

const deciderName = sql`coalesce((select o.name from console.operators o where lower(o.email) = lower(c.decided_by)),
  c.decided_by) as "deciderName"`

const queued = sql`c.public_id as "publicId", c.merchant_name as "merchantName", c.transaction_date as "dinedOn",
  c.amount_cents as "amountCents", trim(m.first_name || ' ' || m.last_name) as "memberName",
  c.respond_by as "respondBy", c.opened_at as "openedAt", c.receipt_type is not null as "hasReceipt",
  c.owner_id as "ownerId", (select o.name from console.operators o where o.id = c.owner_id) as "ownerName",
  c.decision, c.decided_by as "decidedBy", ${deciderName}, c.decided_at as "decidedAt"`

/** Returns one page of the claims, and how many there are. */
export function listClaimQueue(db: Db, { state, now, owner, text = '', cursor, limit }: ClaimFilter) {
  const isDecided = state === 'decided'
  const where = sql`m.deleted_at is null and c.decided_at is ${sql.raw(isDecided ? 'not null' : 'null')}
    ${state === 'late' ? sql`and c.respond_by < ${now}` : sql``}
    ${owner === undefined ? sql`` : owner === null ? sql`and c.owner_id is null` : sql`and c.owner_id = ${owner}`}
    ${
      text.trim() === ''
        ? sql``
        : sql`and ${contains(sql`concat_ws(' | ', c.merchant_name, m.first_name || ' ' || m.last_name, m.email)`, text)}`
    }`
  return listPage<QueuedClaim>(
    db,
    {
      columns: queued,
      from: sql`claims c join members m on m.id = c.member_id`,
      where,
      order: isDecided ? byDecision : byDeadline,
    },
    { cursor, limit },
  )
}

export interface ConsoleClaim extends OpenClaim {
  memberId: number
  memberPublicId: string
  merchantId: number | null
  /** With its city: `Chicago, IL`. */
  restaurant: { id: string; city: string; isParticipating: boolean } | null
  note: string
  receiptType: string | null
  cardLastFour: string | null
  findings: unknown
  decision: unknown
  /** The email address of the operator, and the name. */
  decidedBy: string | null
  deciderName: string | null
  decidedAt: Date | null
  openedAt: Date
  ownerId: number | null
  ownerName: string | null
}

export async function findClaim(db: Db | Tx, publicId: string): Promise<ConsoleClaim | undefined> {
  const { rows } = await sql<ConsoleClaim>`
    select c.public_id as "publicId", c.merchant_name as "merchantName", c.transaction_date as "dinedOn",
      c.amount_cents as "amountCents", trim(m.first_name || ' ' || m.last_name) as "memberName", c.respond_by as "respondBy",
      c.member_id as "memberId", m.public_id as "memberPublicId", c.merchant_id as "merchantId", c.note,
      case when r.id is not null then json_build_object('id', r.public_id, 'city', concat_ws(', ', nullif(r.city, ''),
        nullif(r.state, '')), 'isParticipating', r.participating) end as restaurant,
      c.receipt_type as "receiptType", k.last_four as "cardLastFour", c.findings, c.decision,
      c.decided_by as "decidedBy", ${deciderName}, c.decided_at as "decidedAt", c.opened_at as "openedAt", c.owner_id as "ownerId",
      (select o.name from console.operators o where o.id = c.owner_id) as "ownerName"
    from claims c join members m on m.id = c.member_id left join cards k on k.id = c.card_id
      left join merchants r on r.id = c.merchant_id
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
  ReportedMeal & { memberId: number | null; id: number; count: number }

/** How many transactions of unlinked cards are shown with a claim: those whose amounts are nearest. */
const maxUnmatchedShown = 20

/**
 * Returns all of the member's transactions of those days, and of those of unlinked cards for about this amount the nearest
 * ones, by time; with how many of the latter there are more.
 */
export async function listSimilarTransactions(
  db: Db,
  claim: ConsoleClaim,
): Promise<{ similar: SimilarTransaction[]; more: number }> {
  const cents = sql`greatest(ticket_cents, cleared_cents)`
  const select = sql`select network_id as "networkId", member_id as "memberId", merchant_id as "merchantId",
      occurred_at as "dinedAt", merchant_name as "merchantName", ${cents} as cents, ticket_cents as "ticketCents",
      cleared_cents as "clearedCents",
      to_char(occurred_at at time zone coalesce(
        (select m.time_zone from merchants m where m.id = merchant_id and type_code <> 'M'), 'UTC'), 'YYYY-MM-DD') as "localDate",
      card_last_four as "cardLastFour", unmatched, award_status, type_code, benefit,
      case when stage <> 'authorized' then occurred_at end as cleared_at, null as paid_at, jsonb_build_object('code', reason -> 'code') as reason,
      count(*) over () as count, id
    from transactions
    where partner_id = current_partner() and occurred_at >= ${claim.dinedOn}::date - 1
      and occurred_at < ${claim.dinedOn}::date + 2`
  const [own, unmatched] = await Promise.all([
    sql<SimilarRow>`${select} and member_id = ${claim.memberId}`.execute(db),
    sql<SimilarRow>`${select} and unmatched = 'card' and member_id is distinct from ${claim.memberId}
        and ${cents} between ${claim.amountCents} * 0.7 and ${claim.amountCents} * 1.4
        and (merchant_id = ${claim.merchantId} or lower(merchant_name) = lower(${claim.merchantName}))
      order by abs(${cents} - ${claim.amountCents}), occurred_at, id limit ${maxUnmatchedShown}`.execute(db),
  ])
  const rows = [...own.rows, ...unmatched.rows].toSorted((a, b) => +a.dinedAt - +b.dinedAt || a.id - b.id)
  return {
    similar: rows.map((row) => {
      const { id: _, count: __, ...shown } = row
      return { ...shown, status: statusLabelOf(row), earning: earningOf(claim, row) }
    }),
    more: Math.max(0, (unmatched.rows[0]?.count ?? 0) - maxUnmatchedShown),
  }
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
    order by id`.execute(db)
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
  /** The email address of the second operator, who has approved it. */
  approvedBy?: string
  by: string
}

/** Stores a decision once; returns false when there is one already. */
export async function storeDecision(db: Tx, publicId: string, { by, ...decision }: NewDecision): Promise<boolean> {
  const result = await db
    .updateTable('claims')
    .set({ decision: JSON.stringify(decision), decided_by: by, decided_at: sql<Date>`now()` })
    .where('public_id', '=', publicId)
    .where('decided_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Returns whether a decision is the stored one: the same form was sent twice. */
export async function hasDecision(db: Tx, publicId: string, { by, ...decision }: NewDecision): Promise<boolean> {
  const found = await db
    .selectFrom('claims')
    .select('id')
    .where('public_id', '=', publicId)
    .where('decided_by', '=', by)
    .where('decision', '=', JSON.stringify(decision))
    .executeTakeFirst()
  return found !== undefined
}

/** Gives an open claim to an operator, or to nobody; returns false when it was decided meanwhile. */
export async function setOwner(tx: Tx, publicId: string, ownerId: number | null): Promise<boolean> {
  const result = await tx
    .updateTable('claims')
    .set({ owner_id: ownerId })
    .where('public_id', '=', publicId)
    .where('decided_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export interface ReplyTemplate {
  publicId: string
  name: string
  code: string
  words: string
}

/** Returns the program's reply templates by name. */
export async function listTemplates(db: Db | Tx): Promise<ReplyTemplate[]> {
  return db
    .selectFrom('claim_reply_templates')
    .select(['public_id as publicId', 'name', 'code', 'words'])
    .orderBy(sql`lower(name)`)
    .execute()
}

/** Adds a template, or changes the one of this name. */
export async function upsertTemplate(tx: Tx, { publicId, name, code, words }: ReplyTemplate): Promise<void> {
  await sql`insert into claim_reply_templates (public_id, name, code, words) values (${publicId}, ${name}, ${code}, ${words})
    on conflict (partner_id, lower(name)) do update set code = excluded.code, words = excluded.words`.execute(tx)
}

/** Removes a template; returns false when it does not exist. */
export async function deleteTemplate(tx: Tx, publicId: string): Promise<boolean> {
  const result = await tx.deleteFrom('claim_reply_templates').where('public_id', '=', publicId).executeTakeFirst()
  return result.numDeletedRows > 0n
}
