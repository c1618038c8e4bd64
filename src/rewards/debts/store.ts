import { type Selectable, sql } from 'kysely'
import type { Debts } from '../../../db/schema.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { publicId } from '../../platform/security/ids.ts'
import type { RewardUnit } from '../earning/terms.ts'
import type { Debt } from './rules.ts'

export interface Account {
  id: number
  isDeleted: boolean
  email: string
  isEmailVerified: boolean
  partnerNumber: string | null
}

export async function findAccount(tx: Tx, id: number): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select id, deleted_at is not null as "isDeleted", email, email_verified_at is not null as "isEmailVerified", partner_number as "partnerNumber" from members
    where id = ${id}`.execute(tx)
  return rows[0]
}

/** Locks those of these members that no other transaction has locked, without waiting, and returns them by id. */
export async function lockFreeAccounts(tx: Tx, ids: readonly number[]): Promise<Map<number, Account>> {
  const { rows } = await sql<Account>`
    select id, deleted_at is not null as "isDeleted", email, email_verified_at is not null as "isEmailVerified", partner_number as "partnerNumber" from members
    where id = any(${ids}) order by id for update skip locked`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the balances of members in each unit; those that are zero are left out. */
export async function listBalances(
  tx: Tx,
  memberIds: readonly number[],
): Promise<Map<number, Map<RewardUnit, number>>> {
  const { rows } = await sql<{ memberId: number; unit: RewardUnit; balance: number }>`
    select member_id as "memberId", unit, sum(amount)::bigint as balance from postings
    where member_id = any(${memberIds}) group by member_id, unit having sum(amount) <> 0 order by unit`.execute(tx)
  return new Map(
    [...Map.groupBy(rows, (row) => row.memberId)].map(([id, found]) => [
      id,
      new Map(found.map(({ unit, balance }) => [unit, balance])),
    ]),
  )
}

export interface FormerAccount {
  memberId: number
  cardId: number | null
  /** Hexadecimal. */
  hash: string
}

/** Returns the deleted accounts that one of these hashes was stored for. */
export async function findFormerAccounts(tx: Tx | Db, hashes: readonly Buffer[]): Promise<FormerAccount[]> {
  const { rows } = await sql<FormerAccount>`
    select member_id as "memberId", card_id as "cardId", encode(identifier_hash, 'hex') as hash
    from former_member_identifiers
    where partner_id = current_partner() and identifier_hash = any(${[...hashes]}::bytea[]) and member_id is not null`.execute(
    tx,
  )
  return rows
}

/**
 * Returns the other deleted accounts that have a hash in common with a deleted one: of the person, or of a card that was
 * linked until the deletion.
 */
export async function findRelatedOfDeleted(
  tx: Tx,
  memberId: number,
): Promise<Pick<FormerAccount, 'memberId' | 'cardId'>[]> {
  const { rows } = await sql<Pick<FormerAccount, 'memberId' | 'cardId'>>`
    select other.member_id as "memberId", other.card_id as "cardId"
    from former_member_identifiers own join members m on m.id = own.member_id
      left join cards c on c.id = own.card_id
      join former_member_identifiers other on other.partner_id = own.partner_id
        and other.identifier_hash = own.identifier_hash and other.member_id <> own.member_id
    where own.partner_id = current_partner() and own.member_id = ${memberId}
      and (own.card_id is null or c.removed_at >= m.deleted_at)`.execute(tx)
  return rows
}

/** Returns the card hashes, hexadecimal, that were stored for these deleted accounts. */
export async function listFormerCardHashes(tx: Tx, memberIds: readonly number[]): Promise<FormerAccount[]> {
  const { rows } = await sql<FormerAccount>`
    select member_id as "memberId", card_id as "cardId", encode(identifier_hash, 'hex') as hash
    from former_member_identifiers where member_id = any(${memberIds}) and card_id is not null`.execute(tx)
  return rows
}

export interface CardOfMember {
  id: number
  memberId: number
  fingerprint: string
}

/** Returns the linked cards of members. */
export async function listLinkedCards(tx: Tx | Db, memberIds: readonly number[]): Promise<CardOfMember[]> {
  const { rows } = await sql<CardOfMember>`
    select id, member_id as "memberId", fingerprint from cards
    where member_id = any(${memberIds}) and removed_at is null`.execute(tx)
  return rows
}

/** Returns every card that members have had. */
export async function listCards(tx: Tx, memberIds: readonly number[]): Promise<CardOfMember[]> {
  const { rows } = await sql<CardOfMember>`
    select id, member_id as "memberId", fingerprint from cards where member_id = any(${memberIds})`.execute(tx)
  return rows
}

/** Returns which of these accounts are not deleted. */
export async function listOpenAccounts(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from members where id = any(${ids}) and deleted_at is null order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Returns the cards with these fingerprints that other accounts have had, and not deleted. */
export async function listCardsOfOthers(
  tx: Tx,
  memberId: number,
  fingerprints: readonly string[],
): Promise<CardOfMember[]> {
  const { rows } = await sql<CardOfMember>`
    select id, member_id as "memberId", fingerprint from cards
    where partner_id = current_partner() and fingerprint = any(${fingerprints}) and member_id <> ${memberId}`.execute(
    tx,
  )
  return rows
}

/** Returns the open accounts in which cards are linked that these accounts had before. */
export async function findCurrentHolders(tx: Tx, memberIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct c.member_id as id from cards former join cards c on c.partner_id = former.partner_id
      and c.fingerprint = former.fingerprint and c.removed_at is null and c.member_id <> former.member_id
    where former.member_id = any(${memberIds}) and former.removed_at is not null`.execute(tx)
  return rows.map(({ id }) => id)
}

export type DebtRow = Debt & Pick<Selectable<Debts>, 'id' | 'public_id' | 'versions'>

/** Returns the debts that arose in one of these accounts, or that one of the others has carried. */
export async function listDebts(
  tx: Tx,
  { origins, carriers }: { origins: readonly number[]; carriers: readonly number[] },
): Promise<DebtRow[]> {
  const { rows } = await sql<Omit<DebtRow, 'carried'>>`
    select id, public_id, versions, member_id as "originId", unit, open_amount as open from debts
    where partner_id = current_partner() and (member_id = any(${origins}) or public_id = any(array(
      select j.source_id from postings p join journal_entries j on j.partner_id = p.partner_id and j.id = p.journal_entry_id
      where p.member_id = any(${carriers}) and j.source = 'debt'))) order by id`.execute(tx)
  if (rows.length === 0) return []
  const { rows: shares } = await sql<{ debt: string; memberId: number; amount: number }>`
    select j.source_id as debt, p.member_id as "memberId", -sum(p.amount)::bigint as amount
    from journal_entries j join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id
    where j.partner_id = current_partner() and j.source = 'debt' and j.source_id = any(${rows.map((row) => row.public_id)})
      and p.member_id is not null
    group by j.source_id, p.member_id`.execute(tx)
  const byDebt = Map.groupBy(shares, ({ debt }) => debt)
  return rows.map((row) => ({
    ...row,
    carried: new Map(
      (byDebt.get(row.public_id) ?? [])
        .filter(({ memberId }) => memberId !== row.originId)
        .map(({ memberId, amount }) => [memberId, amount]),
    ),
  }))
}

/** Returns the debt of an account in a unit; inserts it when it is the first. */
export async function findOrInsertDebt(tx: Tx, originId: number, unit: RewardUnit): Promise<DebtRow> {
  const [row] = await tx
    .insertInto('debts')
    .values({ public_id: publicId(), member_id: originId, unit })
    .onConflict((conflict) => conflict.columns(['partner_id', 'member_id', 'unit']).doNothing())
    .returning(['id', 'public_id', 'versions', 'open_amount'])
    .execute()
  const found =
    row ??
    (await tx
      .selectFrom('debts')
      .select(['id', 'public_id', 'versions', 'open_amount'])
      .where('member_id', '=', originId)
      .where('unit', '=', unit)
      .executeTakeFirstOrThrow())
  const { open_amount: open, ...columns } = found
  return { ...columns, originId, unit, open, carried: new Map() }
}

export async function updateDebt(tx: Tx, { id, open, versions }: Pick<DebtRow, 'id' | 'open' | 'versions'>) {
  await tx.updateTable('debts').set({ open_amount: open, versions }).where('id', '=', id).execute()
}

/** Returns the accounts in which open debts arose that no stored hash finds any more. */
export async function listUnreachable(tx: Tx): Promise<{ originId: number; unit: RewardUnit }[]> {
  const { rows } = await sql<{ originId: number; unit: RewardUnit }>`
    select d.member_id as "originId", d.unit from debts d join members m on m.id = d.member_id
    where d.partner_id = current_partner() and d.open_amount <> 0 and m.deleted_at is not null and not exists (
      select from former_member_identifiers f where f.partner_id = d.partner_id and (f.member_id = d.member_id or f.member_id in (
        select p.member_id from journal_entries j join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id
        where j.partner_id = d.partner_id and j.source = 'debt' and j.source_id = d.public_id)))
    order by d.id`.execute(tx)
  return rows
}

/** Returns the former accounts whose hashes find an open debt: those in which it arose, and those that carried it. */
export async function listOpenDebtors(db: Db): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select d.member_id as id from debts d where d.partner_id = current_partner() and d.open_amount <> 0
    union
    select p.member_id from debts d
      join journal_entries j on j.partner_id = d.partner_id and j.source = 'debt' and j.source_id = d.public_id
      join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id and p.member_id is not null
    where d.partner_id = current_partner() and d.open_amount <> 0`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Returns open accounts of persons or cards that were in a deleted account, after an id, in its order. */
export async function listReturned(
  db: Db,
  after: number,
  limit: number,
): Promise<(Account & { fingerprints: string[] })[]> {
  const { rows } = await sql<Account & { fingerprints: string[] }>`
    select m.id, false as "isDeleted", m.email, m.email_verified_at is not null as "isEmailVerified", m.partner_number as "partnerNumber",
      array(select fingerprint from cards c where c.member_id = m.id and c.removed_at is null) as fingerprints
    from members m
    where m.partner_id = current_partner() and m.deleted_at is null and m.id > ${after} and (m.has_returned
      or exists (select from cards c where c.member_id = m.id and c.linked_before and c.removed_at is null))
    order by m.id limit ${limit}`.execute(db)
  return rows
}

/** Returns whether a deleted account can still be recognized. */
export async function isRecognizable(tx: Tx, memberId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('former_member_identifiers')
    .select('id')
    .where('member_id', '=', memberId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns which of these members are deleted, or had a debt leave their account. */
export async function findDebtors(tx: Tx, memberIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from members m where id = any(${memberIds}) and (deleted_at is not null
      or exists (select from debts d where d.partner_id = m.partner_id and d.member_id = m.id))`.execute(tx)
  return rows.map(({ id }) => id)
}

export interface CarriedRow {
  /** Of the journal entry. */
  id: number
  at: Date
  code: string
  unit: RewardUnit
  amount: number
}

/** Returns what was carried into and out of a member's balance, the newest first. */
export async function listCarried(db: Db, memberId: number): Promise<CarriedRow[]> {
  const { rows } = await sql<CarriedRow>`
    select j.id, j.posted_at as at, j.reason ->> 'code' as code, p.unit, p.amount
    from postings p join journal_entries j on j.partner_id = p.partner_id and j.id = p.journal_entry_id
    where p.member_id = ${memberId} and j.source = 'debt' order by j.id desc limit 50`.execute(db)
  return rows
}
