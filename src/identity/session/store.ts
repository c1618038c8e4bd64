import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { fromNow } from '../../platform/database/from-now.ts'
import { knownDeviceLength } from './rules.ts'

/** How a session began; `visit` is an anonymous one. */
export type SessionOrigin = 'visit' | 'join' | 'password' | 'passkey' | 'sso'

export interface SessionRow {
  memberId: number | null
  csrfToken: string
  remembered: boolean
  expiresAt: Date
  /** Seconds since the id was last changed. */
  idAge: number
}

const columns = ['member_id', 'csrf_token', 'remembered', 'expires_at'] as const
const idAge = sql<number>`extract(epoch from now() - renewed_at)::float8`
const alive = sql<boolean>`expires_at > now()`

interface RawRow {
  member_id: number | null
  csrf_token: string
  remembered: boolean
  expires_at: Date
  idAge: number
}

const toSession = ({ member_id, csrf_token, remembered, expires_at, idAge: age }: RawRow): SessionRow => ({
  memberId: member_id,
  csrfToken: csrf_token,
  remembered,
  expiresAt: expires_at,
  idAge: age,
})

/** Returns the live session of a hashed id; expiry is decided by the database's clock. */
export async function findSession(db: Db, idHash: Buffer): Promise<SessionRow | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select([...columns, idAge.as('idAge')])
    .where('id_hash', '=', idHash)
    .where(alive)
    .executeTakeFirst()
  return row && toSession(row)
}

/** Returns the hashed ids whose sessions are live, including ids that were renewed meanwhile. */
export async function findLiveIds(db: Db, idHashes: Buffer[]): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id_hash', 'previous_hash'])
    .where((where) => where.or([where('id_hash', 'in', idHashes), where('previous_hash', 'in', idHashes)]))
    .where(alive)
    .execute()
  return rows.flatMap(({ id_hash, previous_hash }) => (previous_hash ? [id_hash, previous_hash] : [id_hash]))
}

/** Returns the live session that had this id before its present one, with its present id. */
export async function findByPreviousId(
  db: Db,
  previousHash: Buffer,
): Promise<(SessionRow & { idHash: Buffer }) | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select([...columns, idAge.as('idAge'), 'id_hash as idHash'])
    .where('previous_hash', '=', previousHash)
    .where(alive)
    .executeTakeFirst()
  return row && { ...toSession(row), idHash: row.idHash }
}

/** A request of another tab may have replaced the id since this request began. */
const hasId = (idHash: Buffer) => sql<boolean>`(id_hash = ${idHash} or previous_hash = ${idHash})`

/** Replaces the id of a session. Returns false when a concurrent request has replaced it. */
export async function replaceId(db: Db, idHash: Buffer, newHash: Buffer): Promise<boolean> {
  const changed = await db
    .updateTable('sessions')
    .set({ id_hash: newHash, previous_hash: idHash, renewed_at: sql<Date>`now()` })
    .where('id_hash', '=', idHash)
    .returning('public_id')
    .executeTakeFirst()
  return changed !== undefined
}

/** The session at the partner's provider with which this one began. */
export interface SsoSession {
  /** The provider's identifier of it. */
  name: string | null
  idToken: string
  /** When a password was last entered there; null when the provider does not report it. */
  authenticatedAt: Date | null
}

export interface NewSession {
  idHash: Buffer
  memberId: number | null
  csrfToken: string
  remembered: boolean
  beganWith: SessionOrigin
  device: string
  sso?: SsoSession | undefined
  lengthMs: number
}

/** Returns what a session has of the provider's session that it began with; undefined if it began otherwise. */
export async function findSsoSession(db: Db | Tx, idHash: Buffer): Promise<SsoSession | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select(['sso_session as name', 'id_token as idToken', 'authenticated_at as authenticatedAt'])
    .where(hasId(idHash))
    .executeTakeFirst()
  return row && row.idToken !== null ? { ...row, idToken: row.idToken } : undefined
}

/** A visitor has not authenticated, a customer of the partner did so at its provider; others do so by signing in. */
function authenticatedAt({ beganWith, sso }: NewSession) {
  if (beganWith === 'visit') return null
  return sso || beganWith === 'sso' ? (sso?.authenticatedAt ?? null) : sql<Date>`now()`
}

export async function insertSession(db: Db | Tx, session: NewSession): Promise<Date> {
  const row = await db
    .insertInto('sessions')
    .values({
      id_hash: session.idHash,
      member_id: session.memberId,
      csrf_token: session.csrfToken,
      remembered: session.remembered,
      started_with: session.beganWith,
      device: session.device,
      sso_session: session.sso?.name ?? null,
      id_token: session.sso?.idToken ?? null,
      authenticated_at: authenticatedAt(session),
      expires_at: fromNow(session.lengthMs),
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return row.expires_at
}

/** Extends a live session. Returns the new end, or undefined when it had already ended. */
export async function extendSession(db: Db, idHash: Buffer, lengthMs: number): Promise<Date | undefined> {
  const row = await db
    .updateTable('sessions')
    .set({ expires_at: fromNow(lengthMs) })
    .where('id_hash', '=', idHash)
    .where(alive)
    .returning('expires_at')
    .executeTakeFirst()
  return row?.expires_at
}

export async function deleteSession(db: Db | Tx, idHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where(hasId(idHash)).execute()
}

/** Deletes all sessions of a member, or all but `except`. Returns the number of those that were open. */
export async function deleteSessionsOf(db: Db | Tx, memberId: number, except?: Buffer): Promise<number> {
  const gone = await db
    .deleteFrom('sessions')
    .where('member_id', '=', memberId)
    .$if(except !== undefined, (query) =>
      query.where('id_hash', '<>', except as Buffer).where('previous_hash', 'is distinct from', except as Buffer),
    )
    .returning(alive.as('alive'))
    .execute()
  return gone.filter((session) => session.alive).length
}

/** Deletes the oldest sessions of a member, so that `maxCount` stay, `current` among them. */
export async function deleteOldSessions(
  tx: Tx,
  { memberId, current, maxCount }: { memberId: number; current: Buffer; maxCount: number },
): Promise<void> {
  await sql`delete from sessions where member_id = ${memberId} and id_hash <> ${current} and id_hash not in (
    select id_hash from sessions where member_id = ${memberId} and id_hash <> ${current}
    order by created_at desc, id_hash limit ${maxCount - 1})`.execute(tx)
}

/** Deletes the sessions that began with a session at the partner's provider. */
export async function deleteBySso(db: Db, ssoSession: string): Promise<void> {
  await db.deleteFrom('sessions').where('sso_session', '=', ssoSession).execute()
}

/** Returns the id token that a sign-out at the partner's provider needs. */
export async function findIdToken(db: Db, idHash: Buffer): Promise<string | null> {
  const row = await db.selectFrom('sessions').select('id_token').where('id_hash', '=', idHash).executeTakeFirst()
  return row?.id_token ?? null
}

export interface OwnSession {
  publicId: string
  idHash: Buffer
  beganWith: SessionOrigin
  device: string
  remembered: boolean
  beganAt: Date
  expiresAt: Date
}

/** Returns a member's live sessions, newest first. */
export async function listSessions(db: Db | Tx, memberId: number): Promise<OwnSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select([
      'public_id as publicId',
      'id_hash as idHash',
      'started_with as beganWith',
      'device',
      'remembered',
      'created_at as beganAt',
      'expires_at as expiresAt',
    ])
    .where('member_id', '=', memberId)
    .where(alive)
    .orderBy('created_at', 'desc')
    .orderBy('public_id')
    .limit(100)
    .execute()
  return rows.map((row) => ({ ...row, beganWith: row.beganWith as SessionOrigin }))
}

/** Deletes one of a member's sessions. Returns false when it belongs to another member or is over. */
export async function deleteOwnSession(db: Db | Tx, memberId: number, publicId: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('sessions')
    .where('member_id', '=', memberId)
    .where('public_id', '=', publicId)
    .returning('public_id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Returns true when a session's member has authenticated within the given milliseconds. */
export async function isFresh(db: Db | Tx, idHash: Buffer, withinMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('public_id')
    .where(hasId(idHash))
    .where('authenticated_at', '>', fromNow(-withinMs))
    .executeTakeFirst()
  return row !== undefined
}

export async function markReauthenticated(db: Db | Tx, idHash: Buffer): Promise<void> {
  await db.updateTable('sessions').set({ authenticated_at: sql<Date>`now()` }).where(hasId(idHash)).execute()
}

export async function deleteEndedSessions(db: Db): Promise<void> {
  const over = sql<Date>`now()`
  await db.deleteFrom('sessions').where('expires_at', '<', over).execute()
  await db.deleteFrom('sso_attempts').where('expires_at', '<', over).execute()
  await db.deleteFrom('passkey_challenges').where('expires_at', '<', over).execute()
  await db.deleteFrom('known_devices').where('used_at', '<', fromNow(-knownDeviceLength)).execute()
}

/** Returns true when a member has signed in with this browser before. */
export async function isKnownDevice(db: Db | Tx, deviceHash: Buffer, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('member_id')
    .where('device_hash', '=', deviceHash)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row !== undefined
}

export async function upsertKnownDevice(db: Db | Tx, deviceHash: Buffer, memberId: number): Promise<void> {
  await db
    .insertInto('known_devices')
    .values({ device_hash: deviceHash, member_id: memberId })
    .onConflict((conflict) =>
      conflict.columns(['partner_id', 'device_hash', 'member_id']).doUpdateSet({ used_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Forgets the browsers of a member that were not used for longest, so that `maxCount` stay. */
export async function deleteOldDevices(tx: Tx, memberId: number, maxCount: number): Promise<void> {
  await sql`delete from known_devices where member_id = ${memberId} and device_hash not in (
    select device_hash from known_devices where member_id = ${memberId}
    order by used_at desc, device_hash limit ${maxCount})`.execute(tx)
}

/** Forgets the browsers in which a member has signed in. Returns their hashes. */
export async function deleteKnownDevices(db: Db | Tx, memberId: number): Promise<Buffer[]> {
  const rows = await db.deleteFrom('known_devices').where('member_id', '=', memberId).returning('device_hash').execute()
  return rows.map(({ device_hash }) => device_hash)
}
