import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import {
  afterCursor,
  type CursorRow,
  countRows,
  cursorColumns,
  listPage,
  type Order,
  orderBy,
  type PageRequest,
  toPage,
} from '../../platform/database/keyset.ts'

const latest = (by: RawBuilder<unknown>, id: RawBuilder<unknown>): Order => ({
  by,
  type: 'timestamptz',
  id,
  direction: 'desc',
})

/** What a member's page shows of one row of `members` and beside it. */
export async function findFacts(db: Db, memberId: number) {
  const { rows } = await sql<{
    hasPassword: boolean
    isLinkedToProvider: boolean
    lastDinedAt: Date | null
    lastFours: string[]
    tags: string[]
  }>`
    select exists (select from credentials where member_id = ${memberId}) as "hasPassword",
      exists (select from identities where member_id = ${memberId}) as "isLinkedToProvider",
      (select occurred_at from transactions where member_id = ${memberId} and type_code = 'S'
        order by occurred_at desc, id desc limit 1) as "lastDinedAt",
      array(select last_four from cards where member_id = ${memberId} and removed_at is null order by linked_at) as "lastFours",
      array(select tag from member_tags where member_id = ${memberId} order by tag) as tags`.execute(db)
  return rows[0] as (typeof rows)[0]
}

/** Returns the hashes of the browsers in which a member has signed in. */
export async function listKnownDevices(db: Db | Tx, memberId: number): Promise<Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    select device_hash as hash from known_devices where partner_id = current_partner() and member_id = ${memberId}`.execute(
    db,
  )
  return rows.map(({ hash }) => hash)
}

export interface CardRecord {
  id: string
  network: string
  description: string
  lastFour: string
  expires: string | null
  linkedAt: Date
  removedAt: Date | null
}

export async function listCards(db: Db, memberId: number): Promise<CardRecord[]> {
  const { rows } = await sql<CardRecord>`
    select public_id as id, card_type as network, description, last_four as "lastFour", expires, linked_at as "linkedAt",
      removed_at as "removedAt"
    from cards where member_id = ${memberId} order by removed_at is null desc, linked_at desc, id desc limit 100`.execute(
    db,
  )
  return rows
}

export interface MoveRecord {
  id: string
  lastFour: string | null
  isArrival: boolean
  at: Date
  undoneAt: Date | null
}

/** Returns the moves of a member's cards, without the name of the other program. */
export async function listMoves(db: Db, memberId: number): Promise<MoveRecord[]> {
  const { rows } = await sql<MoveRecord>`
    select v.id, c.last_four as "lastFour", v.to_partner = current_partner() as "isArrival", v.moved_at as at,
      v.undone_at as "undoneAt"
    from card_moves v left join cards c on c.id = case when v.to_partner = current_partner() then v.to_card else v.from_card end
    where (v.from_partner = current_partner() and v.from_member = ${memberId})
      or (v.to_partner = current_partner() and v.to_member = ${memberId})
    order by v.moved_at desc limit 50`.execute(db)
  return rows
}

export interface ReservationRecord {
  id: string
  merchantName: string
  startsAt: Date
  localDate: string
  localTime: string
  partySize: number
  status: string
  confirmation: string | null
}

export async function listReservations(db: Db, memberId: number): Promise<ReservationRecord[]> {
  const { rows } = await sql<ReservationRecord>`
    select r.public_id as id, m.name as "merchantName", r.starts_at as "startsAt", r.local_date as "localDate",
      r.local_time as "localTime", r.party_size as "partySize", r.status, r.confirmation
    from reservations r join merchants m on m.id = r.merchant_id
    where r.member_id = ${memberId} order by r.starts_at desc, r.id desc limit 100`.execute(db)
  return rows
}

export interface ReviewRecord {
  id: number
  merchantName: string
  at: Date
  rating: number | null
  body: string | null
}

export async function listReviews(db: Db, memberId: number): Promise<ReviewRecord[]> {
  const { rows } = await sql<ReviewRecord>`
    select r.id, t.merchant_name as "merchantName", r.completed_at as at, p.rating, p.body
    from reviews r join transactions t on t.id = r.transaction_id
      left join merchant_reviews p on p.id = r.merchant_review_id
    where r.member_id = ${memberId} order by r.completed_at desc, r.id desc limit 100`.execute(db)
  return rows
}

export interface ClaimRecord {
  id: string
  merchantName: string
  dinedOn: string
  amountCents: number
  openedAt: Date
  isDecided: boolean
}

export async function listClaims(db: Db, memberId: number): Promise<ClaimRecord[]> {
  const { rows } = await sql<ClaimRecord>`
    select public_id as id, merchant_name as "merchantName", transaction_date as "dinedOn", amount_cents as "amountCents",
      opened_at as "openedAt", decided_at is not null as "isDecided"
    from claims where member_id = ${memberId} order by opened_at desc, id desc limit 100`.execute(db)
  return rows
}

/** Returns a page of the ids of a member's transactions. */
export const listTransactionIds = (db: Db, memberId: number, page: PageRequest) =>
  listPage<{ id: number }>(
    db,
    {
      columns: sql`t.id`,
      from: sql`transactions t`,
      where: sql`t.member_id = ${memberId}`,
      order: latest(sql`t.occurred_at`, sql`t.id`),
    },
    page,
  )

export interface JournalRecord {
  id: number
  at: Date
  kind: string
  amount: number
  balance: number
  transactionId: string | null
  merchantName: string | null
  words: string | null
}

/** Returns a page of what was posted to a member's balance in a unit, with the balance after it. */
export const listJournal = (db: Db, memberId: number, unit: string, page: PageRequest) =>
  listPage<JournalRecord>(
    db,
    {
      columns: sql`p.id, j.posted_at as at, j.kind, p.amount, p.balance, t.public_id as "transactionId",
        t.merchant_name as "merchantName", j.reason ->> 'words' as words`,
      from: sql`(
          select id, journal_entry_id, partner_id, amount, sum(amount) over (order by id)::bigint as balance
          from postings where member_id = ${memberId} and unit = ${unit}
        ) p join journal_entries j on j.partner_id = p.partner_id and j.id = p.journal_entry_id
        left join transactions t on j.source = 'transaction' and t.partner_id = j.partner_id and t.network_id = j.source_id`,
      where: sql`true`,
      order: latest(sql`j.posted_at`, sql`p.id`),
    },
    page,
  )

export interface EmailRecord {
  id: number
  topic: string
  subject: string
  recipient: string
  status: string
  at: Date
  sentAt: Date | null
  error: string | null
  canResend: boolean
}

const emailColumns = sql`e.id, e.topic, e.subject, e.recipient, e.status, e.created_at as at, e.sent_at as "sentAt",
  e.last_error as error, e.status = 'failed' and e.recipient <> '' as "canResend"`

export const listEmails = (db: Db, memberId: number, page: PageRequest) =>
  listPage<EmailRecord>(
    db,
    {
      columns: emailColumns,
      from: sql`emails e`,
      where: sql`e.member_id = ${memberId}`,
      order: latest(sql`e.created_at`, sql`e.id`),
    },
    page,
  )

/** Returns an email with its text, unless that opens the account. */
export async function findEmail(
  db: Db | Tx,
  memberId: number,
  id: number,
): Promise<(EmailRecord & { text: string; isSecret: boolean }) | undefined> {
  const { rows } = await sql<EmailRecord & { text: string; isSecret: boolean }>`
    select ${emailColumns}, e.secret_until is not null as "isSecret",
      case when e.secret_until is null then e.body_text else '' end as text
    from emails e where e.member_id = ${memberId} and e.id = ${id}`.execute(db)
  return rows[0]
}

export interface NotificationRecord {
  id: number
  topic: string
  channel: string
  status: string
  at: Date
}

export const listNotifications = (db: Db, memberId: number, page: PageRequest) =>
  listPage<NotificationRecord>(
    db,
    {
      columns: sql`n.id, n.topic, n.channel, n.status, n.created_at as at`,
      from: sql`notifications n`,
      where: sql`n.partner_id = current_partner() and n.member_id = ${memberId}`,
      order: latest(sql`n.created_at`, sql`n.id`),
    },
    page,
  )

export interface TimelineRecord {
  id: number
  kind: 'event' | 'note' | 'email' | 'act' | 'transaction'
  at: Date
  /** The action, the topic, or the public id, by kind. */
  what: string
  by: string
  detail: string
  /** What an event or an act says of itself. */
  facts: unknown
}

/** Events that an act of an operator writes itself: the act says more. */
const eventsOfActs = [
  'bonus.granted',
  'ledger.adjusted',
  'member.address-fixed',
  'member.changed',
  'member.closed',
  'member.exported',
  'member.merged',
  'member.reopened',
  'member.unlocked',
  'passkey.removed',
  'reservation.canceled',
  'session.ended',
  'tier.ended',
  'tier.given',
]

/** True for an event that is the same as an act: written with it, or the settlement of a claim as it was decided. */
const isOfAct = (memberId: number) => sql<boolean>`exists (select from console.acts a
  where a.partner_id = current_partner() and a.member_id = ${memberId} and a.status < 400 and (
    (e.action = any(${eventsOfActs}::text[]) and e.actor = 'operator:' || a.operator_id || ' ' || a.operator_name
      and a.at >= e.at and a.at < e.at + interval '1 minute')
    or (e.action = 'claim.settled' and a.action = 'decideClaim' and a.object_id = e.detail ->> 'claim'
      and a.after ->> 'code' = e.detail ->> 'code')))`

/**
 * Returns a page of everything that happened to a member, each thing once. Ids are those of five tables: each has its own
 * remainder.
 */
export async function listTimeline(db: Db, memberId: number, { cursor, limit }: PageRequest) {
  const order = latest(sql`at`, sql`id`)
  const sources = [
    sql`select e.id * 8 as id, 'event' as kind, e.at, e.action as what, e.actor as by, '' as detail, e.detail as facts
      from audit_entries e where e.member_id = ${memberId} and not ${isOfAct(memberId)}`,
    sql`select id * 8 + 1, 'note', written_at, public_id, operator_name, body, null::jsonb
      from member_notes where member_id = ${memberId}`,
    sql`select id * 8 + 2, 'email', created_at, status, '', subject, null::jsonb
      from emails where member_id = ${memberId}`,
    sql`select id * 8 + 3, 'act', at, action, operator_name, reason, jsonb_build_object('after', after, 'label', object_label)
      from console.acts
      where partner_id = current_partner() and member_id = ${memberId} and status < 400
        and action not in ('addMemberNote', 'deleteMemberNote') and not after ? 'sentAgain'`,
    sql`select id * 8 + 4, 'transaction', occurred_at, public_id, '', merchant_name, null::jsonb
      from transactions where member_id = ${memberId}`,
  ]
  // Each source is cut to a page before they are merged.
  const cut = sources.map(
    (source) => sql`(select * from (${source}) entries (id, kind, at, what, by, detail, facts)
      where ${afterCursor(order, cursor)} order by ${orderBy(order)} limit ${limit + 1})`,
  )
  const { rows } = await sql<TimelineRecord & CursorRow>`
    select *, ${cursorColumns(order)} from (${sql.join(cut, sql` union all `)}) merged
    order by ${orderBy(order)} limit ${limit + 1}`.execute(db)
  const counted = sources.map((source) => sql`(select 1 from (${source}) entries limit 10001)`)
  const total = await countRows(db, sql`from (${sql.join(counted, sql` union all `)}) entries`)
  return { ...toPage(rows, limit), total }
}
