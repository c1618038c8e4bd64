import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

/** Removes the card of a claimed request from the other program. Returns the move's id; null when the card is gone. */
export async function releaseCard(tx: Tx, request: string): Promise<string | null> {
  const { rows } = await sql<{ move: string | null }>`select release_card(${request}) as move`.execute(tx)
  return rows[0]?.move ?? null
}

/** Stores the card and the member that a move led to. */
export async function recordArrival(tx: Tx, move: string, to: { cardId: number; memberId: number }): Promise<void> {
  await tx
    .updateTable('card_moves')
    .set({ to_card: to.cardId, to_member: to.memberId })
    .where('id', '=', move)
    .execute()
}

export interface UndoableMove {
  id: string
  isHere: boolean
  fromPartner: string
  toPartner: string
  description: string
  lastFour: string
  undoUntil: Date
}

/** Returns a member's cards moved within the last day, the latest first. */
export async function listUndoableMoves(db: Db | Tx, memberId: number): Promise<UndoableMove[]> {
  const { rows } = await sql<UndoableMove>`
    select m.id, m.to_partner = current_partner() as "isHere", m.from_partner as "fromPartner",
      m.to_partner as "toPartner", c.description, c.last_four as "lastFour", m.moved_at + interval '1 day' as "undoUntil"
    from card_moves m
    join cards c on c.id = case when m.to_partner = current_partner() then m.to_card else m.from_card end
    where m.undone_at is null and m.moved_at > now() - interval '1 day' and c.member_id = ${memberId}
      and case when m.to_partner = current_partner() then c.removed_at is null else c.removed_at is not null end
    order by m.moved_at desc, m.id desc`.execute(db)
  return rows
}

export async function undoMove(tx: Tx, id: string, maxCards: number): Promise<'undone' | 'expired' | 'gone' | 'full'> {
  const { rows } = await sql<{ outcome: 'undone' | 'expired' | 'gone' | 'full' }>`
    select undo_card_move(${id}, ${maxCards}) as outcome`.execute(tx)
  return rows[0]?.outcome ?? 'expired'
}

export interface UnnotifiedMove {
  id: string
  memberId: number
  toPartner: string
  lastFour: string
  token: string
  /** It was the last card of its member. */
  last: boolean
  /** The owner was notified of the move, and is now notified of its undo. */
  undone: boolean
}

/** Returns a card of this partner that left or came back and whose member was not notified. */
export async function takeUnnotified(tx: Tx): Promise<UnnotifiedMove | undefined> {
  const { rows } = await sql<UnnotifiedMove>`
    select m.id, m.from_member as "memberId", m.to_partner as "toPartner", c.last_four as "lastFour", c.token,
      m.from_closed as last, m.notified_at is not null as undone
    from card_moves m join cards c on c.id = m.from_card
    where m.from_partner = current_partner()
      and (m.notified_at is null or (m.undone_at is not null and m.undo_notified_at is null))
    order by m.moved_at limit 1 for update of m skip locked`.execute(tx)
  return rows[0]
}

export async function markNotified(tx: Tx, id: string, undone: boolean): Promise<void> {
  const now = sql<Date>`now()`
  await tx
    .updateTable('card_moves')
    .set(undone ? { undo_notified_at: now } : { notified_at: now })
    .where('id', '=', id)
    .execute()
}

/** Deletes moves and requests older than 60 days: none of them blocks a card any more. */
export async function purgeMoves(db: Db): Promise<void> {
  await db.deleteFrom('card_move_requests').where('created_at', '<', sql<Date>`now() - interval '60 days'`).execute()
  await db.deleteFrom('card_moves').where('moved_at', '<', sql<Date>`now() - interval '60 days'`).execute()
}

export interface CardElsewhere {
  partner: string
  card: number
  /** The holder's id at the vault. */
  holder: string
}

/** Returns the program in which a card earns; undefined when it is this one or none. */
export async function findElsewhere(db: Db | Tx, homeKey: string): Promise<CardElsewhere | undefined> {
  const { rows } = await sql<CardElsewhere>`select * from find_card_in_other_program(${homeKey})`.execute(db)
  return rows[0]
}

/** Returns whether a card cannot move for now: its owner has declined a move, or undone one. */
export async function isInMoveCooldown(tx: Tx, homeKey: string): Promise<boolean> {
  const { rows } = await sql<{ rests: boolean }>`select is_card_move_blocked(${homeKey}) as rests`.execute(tx)
  return rows[0]?.rests === true
}

/** The card to link when the owner agrees. */
export interface RequestedCard {
  publicId: string
  token: string
  fingerprint: string
  homeKey: string
  cardType: string
  description: string
  lastFour: string
  partnerCardId: string | null
  expires: string
  /** The text of the member's consent. */
  wording: string
}

/** Stores a member's request for a card of another program. Returns false when its owner is not to be notified. */
export async function insertRequest(
  tx: Tx,
  { expected, memberId, card }: { expected: number; memberId: number; card: RequestedCard },
): Promise<boolean> {
  const { rows } = await sql<{ noted: boolean }>`
    select request_card_move(${card.homeKey}, ${expected}, ${memberId}, ${JSON.stringify(card)}) as noted`.execute(tx)
  return rows[0]?.noted === true
}

export interface UnsentRequest {
  id: string
  memberId: number
  toPartner: string
  lastFour: string
  expiresAt: Date
}

/** Locks and returns a request for a card of this program whose owner was not notified yet. */
export async function claimUnsentRequest(tx: Tx): Promise<UnsentRequest | undefined> {
  const { rows } = await sql<UnsentRequest>`
    select r.id, r.from_member as "memberId", r.to_partner as "toPartner", c.last_four as "lastFour",
      r.expires_at as "expiresAt"
    from card_move_requests r join cards c on c.id = r.from_card
    where r.from_partner = current_partner() and r.notified_at is null
    order by r.created_at limit 1 for update of r skip locked`.execute(tx)
  return rows[0]
}

export async function markSent(tx: Tx, id: string, codeHash: Buffer): Promise<void> {
  await sql`update card_move_requests set notified_at = now(), code_hash = ${codeHash} where id = ${id}`.execute(tx)
}

/** Stores the owner's decision, once. Returns undefined for a wrong, used or old code, or a removed card. */
export async function storeDecision(
  tx: Tx,
  codeHash: Buffer,
  allowed: boolean,
): Promise<{ id: string; memberId: number } | undefined> {
  const { rows } = await sql<{ id: string; memberId: number }>`
    update card_move_requests r set responded_at = now(), allowed = ${allowed}
    where code_hash = ${codeHash} and from_partner = current_partner() and responded_at is null and expires_at > now()
      and exists (select from cards c where c.id = r.from_card and c.removed_at is null)
    returning id, from_member as "memberId"`.execute(tx)
  return rows[0]
}

export interface AllowedRequest {
  id: string
  memberId: number
  fromPartner: string
  card: RequestedCard
}

/** Claims one approved request of this program; it is completed with this transaction. */
export async function claimAllowedRequest(tx: Tx): Promise<AllowedRequest | undefined> {
  const { rows } = await sql<AllowedRequest>`
    select id, to_member as "memberId", from_partner as "fromPartner", card
    from card_move_requests where id = (select take_allowed_move())`.execute(tx)
  return rows[0]
}

/**
 * Returns the vault token of the card that a job is about, once the card is linked here or has come back. `job` is the
 * job's id: `request:ID` or `move:ID`.
 */
export async function findLinkedToken(db: Db, job: string): Promise<string | undefined> {
  const [kind = '', id = ''] = job.split(':')
  const { rows } = await sql<{ token: string }>`
    select c.token from card_move_requests r join cards c on c.token = r.card->>'token'
    where ${kind} = 'request' and r.id = ${id}::uuid and r.to_partner = current_partner() and r.done_at is not null
      and c.removed_at is null
    union all
    select c.token from card_moves m join cards c on c.id = m.from_card
    where ${kind} = 'move' and m.id = ${id}::uuid and m.from_partner = current_partner() and m.undone_at is not null
      and c.removed_at is null`.execute(db)
  return rows[0]?.token
}

/**
 * Deletes the requests that a member has received, and withdraws those that the member has sent: what their owners have
 * decided stays in effect, without the member and the card.
 */
export async function deleteMemberRequests(tx: Tx, memberId: number): Promise<void> {
  await sql`
    delete from card_move_requests where from_partner = current_partner() and from_member = ${memberId}`.execute(tx)
  await withdrawRequests(tx, memberId)
}

/** Withdraws the requests that a member has sent: what their owners have decided stays in effect. */
export async function withdrawRequests(tx: Tx, memberId: number): Promise<number> {
  const open = await tx
    .selectFrom('card_move_requests')
    .select('id')
    .where('to_partner', '=', sql<string>`current_partner()`)
    .where('to_member', '=', memberId)
    .where('done_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute()
  await sql`select withdraw_card_move_requests(${memberId})`.execute(tx)
  return open.length
}

/** What withdraws the requests that a member has sent. */
const withdrawing = ['session.others-ended', 'member.password-changed', 'recovery.password-set']

/**
 * Returns when a member has asked for cards of other programs that have not arrived, the latest first. From the audit log,
 * which has them also when no request is stored: the list must not reveal whether the expiry date was right.
 */
export async function listOpenQuestions(db: Db, memberId: number): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`
    select at from audit_entries a
    where member_id = ${memberId} and action = 'card.requested' and at > now() - interval '7 days'
      and not exists (select from cards c where c.member_id = ${memberId} and c.public_id = a.detail ->> 'card')
      and not exists (select from audit_entries e
        where e.member_id = ${memberId} and e.id > a.id and e.action = any(${withdrawing}))
    order by id desc limit 100`.execute(db)
  return rows.map(({ at }) => at)
}

/** Ends the links of emails that asked a member about a card; without a response the card stays. */
export async function endQuestions(tx: Tx, memberId: number): Promise<void> {
  await sql`
    update card_move_requests set code_hash = null
    where from_partner = current_partner() and from_member = ${memberId} and responded_at is null`.execute(tx)
}
