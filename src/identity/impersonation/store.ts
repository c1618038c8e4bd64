import { type Selectable, sql } from 'kysely'
import type { Impersonations } from '../../../db/schema.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { fromNow } from '../../platform/database/from-now.ts'

export type ImpersonationRow = Selectable<Impersonations>

/** By the operator's rights of now: they may have ended since. */
const isAllowed = sql<boolean>`may_impersonate(operator_id, partner_id, created_at, false)`
const live = sql<boolean>`started_at is not null and ended_at is null and ends_at > now() and ${isAllowed}`

export interface NewImpersonation {
  memberId: number
  operatorId: number
  operatorName: string
  mayChange: boolean
  reason: string
  handoffHash: Buffer
  lengthMs: number
}

export async function insertImpersonation(db: Db, impersonation: NewImpersonation): Promise<string> {
  const row = await db
    .insertInto('impersonations')
    .values({
      member_id: impersonation.memberId,
      operator_id: impersonation.operatorId,
      operator_name: impersonation.operatorName,
      may_change: impersonation.mayChange,
      reason: impersonation.reason,
      handoff_hash: impersonation.handoffHash,
      handoff_expires_at: fromNow(impersonation.lengthMs),
    })
    .returning('public_id')
    .executeTakeFirstOrThrow()
  return row.public_id
}

/** Consumes a valid token and starts the impersonation. */
export async function startImpersonation(
  tx: Tx,
  {
    handoffHash,
    sessionHash,
    csrfToken,
    lengthMs,
  }: {
    handoffHash: Buffer
    sessionHash: Buffer
    csrfToken: string
    lengthMs: number
  },
): Promise<ImpersonationRow | undefined> {
  return tx
    .updateTable('impersonations')
    .set({ session_hash: sessionHash, csrf_token: csrfToken, started_at: sql<Date>`now()`, ends_at: fromNow(lengthMs) })
    .where('handoff_hash', '=', handoffHash)
    .where('started_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('handoff_expires_at', '>', sql<Date>`now()`)
    .where(isAllowed)
    .returningAll()
    .executeTakeFirst()
}

export async function findLiveImpersonation(db: Db, sessionHash: Buffer): Promise<ImpersonationRow | undefined> {
  return db
    .selectFrom('impersonations')
    .selectAll()
    .select(sql<boolean>`may_change and may_impersonate(operator_id, partner_id, created_at, true)`.as('may_change'))
    .where('session_hash', '=', sessionHash)
    .where(live)
    .executeTakeFirst()
}

/** Returns those hashed session ids whose impersonations are active. */
export async function findLiveIds(db: Db, sessionHashes: Buffer[]): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('impersonations')
    .select('session_hash')
    .where('session_hash', 'in', sessionHashes)
    .where(live)
    .execute()
  return rows.flatMap(({ session_hash }) => session_hash ?? [])
}

/** Ends an impersonation by its session; returns undefined when it had already ended. */
export async function endBySession(tx: Tx, sessionHash: Buffer): Promise<ImpersonationRow | undefined> {
  return tx
    .updateTable('impersonations')
    .set({ ended_at: sql<Date>`now()` })
    .where('session_hash', '=', sessionHash)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Ends the impersonations of a member, prepared ones included. Returns their public ids. */
export async function endByMember(tx: Tx, memberId: number): Promise<string[]> {
  const rows = await tx
    .updateTable('impersonations')
    .set({ ended_at: sql<Date>`now()` })
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .where((where) => where.or([where('ends_at', '>', sql<Date>`now()`), where('started_at', 'is', null)]))
    .returning('public_id')
    .execute()
  return rows.map(({ public_id }) => public_id)
}

/** Ends an impersonation from the console, whose database role may update only `ended_at`. */
export async function endByOperator(db: Db, publicId: string, operatorId: number): Promise<void> {
  await db
    .updateTable('impersonations')
    .set({ ended_at: sql<Date>`now()` })
    .where('public_id', '=', publicId)
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Returns an impersonation of an operator, and whether it is over: ended, out of time, or not begun in time. */
export async function findOwnImpersonation(
  db: Db,
  publicId: string,
  { operatorId, memberId }: { operatorId: number; memberId: number },
): Promise<{ isOver: boolean } | undefined> {
  return db
    .selectFrom('impersonations')
    .select(sql<boolean>`ended_at is not null or coalesce(ends_at, handoff_expires_at) <= now()`.as('isOver'))
    .where('public_id', '=', publicId)
    .where('operator_id', '=', operatorId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
}

/** Member data visible to support before impersonation. */
export interface FoundMember {
  id: number
  publicId: string
  email: string
  firstName: string
  lastName: string
  memberType: string
  tierLevel: string
  active: boolean
  joinedAt: Date
}

const found = [
  'id',
  'public_id as publicId',
  'email',
  'first_name as firstName',
  'last_name as lastName',
  'member_type as memberType',
  'tier_level as tierLevel',
  'active',
  'joined_at as joinedAt',
] as const

export async function findMember(db: Db, publicId: string): Promise<FoundMember | undefined> {
  return db
    .selectFrom('members')
    .select(found)
    .where('public_id', '=', publicId)
    .where('deleted_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .executeTakeFirst()
}

/** Returns the impersonations of a member, newest first. */
export async function listImpersonations(db: Db, memberId: number): Promise<ImpersonationRow[]> {
  return db
    .selectFrom('impersonations')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
}

/** Redacts the operators' reasons for a deleted member, and ends active impersonations. */
export async function redactReasons(tx: Tx, memberId: number): Promise<void> {
  await tx
    .updateTable('impersonations')
    .set({ reason: '(deleted)', ended_at: sql<Date>`coalesce(ended_at, now())` })
    .where('member_id', '=', memberId)
    .execute()
}
