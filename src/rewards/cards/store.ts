import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Cards, PartnerCards } from '../../../db/schema.ts'
import type { MemberRow } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'

export type CardRow = Selectable<Cards>

/** Returns the member's linked cards, oldest first. */
export async function listCards(db: Db | Tx, memberId: number): Promise<CardRow[]> {
  return db
    .selectFrom('cards')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Returns whether a member has a linked card, without which no transaction earns. */
export async function hasCard(db: Db | Tx, memberId: number): Promise<boolean> {
  return (await listCards(db, memberId)).length > 0
}

/** Returns the linked card with a fingerprint, of any member. */
export async function findByFingerprint(tx: Tx, fingerprint: string): Promise<CardRow | undefined> {
  return tx
    .selectFrom('cards')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

export type NewCardRow = Pick<
  CardRow,
  | 'public_id'
  | 'member_id'
  | 'token'
  | 'fingerprint'
  | 'card_type'
  | 'description'
  | 'last_four'
  | 'partner_card_id'
  | 'expires'
  | 'home_key'
> &
  Partial<Pick<CardRow, 'linked_before'>>

/** Returns undefined when the card was linked concurrently. */
export async function insertCard(tx: Tx, card: NewCardRow): Promise<CardRow | undefined> {
  return tx
    .insertInto('cards')
    .values(card)
    .onConflict((conflict) =>
      conflict.columns(['partner_id', 'fingerprint']).where('removed_at', 'is', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Returns the member's card by public id, linked or removed. */
export async function findOwn(tx: Tx, memberId: number, publicId: string): Promise<CardRow | undefined> {
  return tx
    .selectFrom('cards')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('public_id', '=', publicId)
    .executeTakeFirst()
}

export async function markRemoved(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('cards').set({ removed_at: new Date() }).where('id', '=', id).execute()
}

/**
 * Returns the vault tokens of every card that a member ever linked or requested or that is loaded for the member, except
 * those of another member's linked or requested card and of cards that are also loaded for another holder.
 */
export async function listVaultTokens(db: Db | Tx, memberId: number): Promise<string[]> {
  const holders = await listHolders(db, memberId)
  const { rows } = await sql<{ token: string }>`
    with own as (
      select token from cards
      where partner_id = current_partner() and member_id = ${memberId} and token not like 'forgotten:%'
      union
      select token from partner_cards where partner_id = current_partner() and holder = any(${holders})
      union
      select card ->> 'token' from card_move_requests where to_partner = current_partner() and to_member = ${memberId})
    select token from own
    where not exists (select from cards c where c.partner_id = current_partner() and c.token = own.token
        and c.member_id <> ${memberId} and c.removed_at is null)
      and not exists (select from partner_cards p where p.partner_id = current_partner() and p.token = own.token
        and p.holder <> all(${holders}))
      and not ${isRequested(sql`own.token`, memberId)}`.execute(db)
  return rows.map(({ token }) => token)
}

/** Whether a member, other than `except`, waits for the owner of this card in another program to agree to its move. */
const isRequested = (token: RawBuilder<unknown>, except = 0) => sql`exists (
  select from card_move_requests r where r.to_partner = current_partner() and r.to_member <> ${except}
    and r.card ->> 'token' = ${token} and r.done_at is null and r.allowed is distinct from false
    and (r.expires_at > now() or r.allowed))`

/** Returns which of these tokens belong to no card of any member, linked or loaded. */
export async function findOwnerlessTokens(db: Db, tokens: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ token: string }>`
    select token from unnest(${tokens}::text[]) as token
    where not exists (select from cards c where c.partner_id = current_partner() and c.token = token.token)
      and not exists (select from partner_cards p where p.partner_id = current_partner() and p.token = token.token)
      and not ${isRequested(sql`token.token`)}`.execute(db)
  return rows.map(({ token }) => token)
}

/** Returns whether another member has, or once had, the card with this fingerprint. */
export async function isKnownToOthers(tx: Tx, memberId: number, fingerprint: string): Promise<boolean> {
  const row = await tx
    .selectFrom('cards')
    .select('id')
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('fingerprint', '=', fingerprint)
    .where('member_id', '<>', memberId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns every card that a member has linked, with its fingerprint. */
export async function listCardFingerprints(tx: Tx, memberId: number): Promise<{ id: number; fingerprint: string }[]> {
  return tx.selectFrom('cards').select(['id', 'fingerprint']).where('member_id', '=', memberId).orderBy('id').execute()
}

/** Unlinks a member's cards and redacts everything that identifies them. */
export async function redactCards(tx: Tx, memberId: number): Promise<void> {
  await tx
    .updateTable('cards')
    .set({
      removed_at: sql<Date>`coalesce(removed_at, now())`,
      token: sql<string>`'forgotten:' || id`,
      fingerprint: sql<string>`'forgotten:' || id`,
      last_four: '0000',
      partner_card_id: null,
      home_key: null,
      vault_holder: null,
      expires: null,
    })
    .where('member_id', '=', memberId)
    .execute()
}

/**
 * Gives the cards of an account, linked and removed ones, and those that the partner has loaded for it, to the account
 * that it is merged into. The vault knows them by the account in which they were typed.
 */
export async function moveCards(
  tx: Tx,
  { from, to }: { from: Pick<MemberRow, 'id' | 'public_id'>; to: Pick<MemberRow, 'id' | 'public_id'> },
): Promise<void> {
  await sql`update cards set member_id = ${to.id}, vault_holder = coalesce(vault_holder, ${from.public_id})
    where member_id = ${from.id}`.execute(tx)
  await tx.updateTable('partner_cards').set({ holder: to.public_id }).where('holder', '=', from.public_id).execute()
}

/** Returns the program in which a card earns, and locks the key until the transaction ends. */
export async function lockHome(tx: Tx, homeKey: string): Promise<string | null> {
  const { rows } = await sql<{ home: string | null }>`select card_home(${homeKey}) as home`.execute(tx)
  return rows[0]?.home ?? null
}

export type PartnerCardRow = Selectable<PartnerCards>

/** Returns the ids under which a partner may load cards for a member: those that members cannot choose themselves. */
export async function listHolders(db: Db | Tx, memberId: number): Promise<string[]> {
  const { rows } = await sql<{ holder: string }>`
    select public_id as holder from members where id = ${memberId}
    union all select subject from identities where member_id = ${memberId}`.execute(db)
  return rows.map(({ holder }) => holder)
}

/** Inserts a loaded card, or updates it; a trigger then records the replaced token. */
export async function savePartnerCard(
  tx: Db | Tx,
  card: Omit<Insertable<PartnerCards>, 'id' | 'partner_id' | 'loaded_at'>,
): Promise<void> {
  const { public_id: _, ...state } = card
  await tx
    .insertInto('partner_cards')
    .values(card)
    .onConflict((conflict) =>
      conflict.columns(['partner_id', 'partner_card_id']).doUpdateSet({ ...state, loaded_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Returns the cards loaded for one of these ids, linked or not, the oldest first. */
export async function listPartnerCards(db: Db | Tx, holders: readonly string[]): Promise<PartnerCardRow[]> {
  return db
    .selectFrom('partner_cards')
    .selectAll()
    .where('partner_id', '=', sql<string>`current_partner()`)
    .where('holder', '=', sql<string>`any(${holders})`)
    .orderBy('id')
    .execute()
}

/** Returns which of these fingerprints other members have linked. */
export async function findLinkedByOthers(
  db: Db,
  memberId: number,
  fingerprints: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('cards')
    .select('fingerprint')
    .where('fingerprint', '=', sql<string>`any(${fingerprints})`)
    .where('member_id', '<>', memberId)
    .where('removed_at', 'is', null)
    .execute()
  return new Set(rows.map(({ fingerprint }) => fingerprint))
}

/** Records tokens that have no owner any more: a job deletes them at the vault. */
export async function recordReplacedTokens(db: Db, tokens: readonly string[]): Promise<void> {
  await db
    .insertInto('replaced_cards')
    .values(tokens.map((token) => ({ token })))
    .execute()
}

/** Returns the token of a recorded replacement; undefined once the vault has deleted it. */
export async function findReplacedToken(db: Db, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('replaced_cards').select('token').where('id', '=', id).executeTakeFirst()
  return row?.token
}

export async function deleteReplacement(db: Db, id: number): Promise<void> {
  await db.deleteFrom('replaced_cards').where('id', '=', id).execute()
}

export async function deletePartnerCards(tx: Tx, holders: readonly string[]): Promise<void> {
  await tx.deleteFrom('partner_cards').where('holder', '=', sql<string>`any(${holders})`).execute()
}

export interface ExpiringCard {
  publicId: string
  memberId: number
  lastFour: string
  expires: string
}

/** Returns linked cards that expire between two months (`YYYY-MM`, inclusive) and whose member was not notified. */
export async function listExpiringCards(
  db: Db,
  { since, until }: { since: string; until: string },
): Promise<ExpiringCard[]> {
  const { rows } = await sql<ExpiringCard>`
    select c.public_id as "publicId", c.member_id as "memberId", c.last_four as "lastFour", c.expires from cards c
    where c.partner_id = current_partner() and c.removed_at is null and c.expires between ${since} and ${until}
      and not exists (select from notifications n where n.partner_id = c.partner_id and n.member_id = c.member_id and n.topic = 'cardExpires'
        and n.about = c.public_id || ':' || c.expires)
    order by c.id limit 200`.execute(db)
  return rows
}
