import { sql } from 'kysely'
import type { Db, Tx } from '../kit/server/db.ts'

export interface SessionRow {
  memberId: number | null
  csrfToken: string
  remembered: boolean
  expiresAt: Date
}

const length = (milliseconds: number) => sql<Date>`now() + make_interval(secs => ${milliseconds / 1000})`

/** The live session of a hashed id; the database's clock decides what is live. */
export async function findSession(db: Db, idHash: Buffer): Promise<SessionRow | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select(['member_id', 'csrf_token', 'remembered', 'expires_at'])
    .where('id_hash', '=', idHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return (
    row && { memberId: row.member_id, csrfToken: row.csrf_token, remembered: row.remembered, expiresAt: row.expires_at }
  )
}

export interface NewSession {
  idHash: Buffer
  memberId: number | null
  csrfToken: string
  remembered: boolean
  lengthMs: number
}

export async function insertSession(db: Db | Tx, session: NewSession): Promise<Date> {
  const row = await db
    .insertInto('sessions')
    .values({
      id_hash: session.idHash,
      member_id: session.memberId,
      csrf_token: session.csrfToken,
      remembered: session.remembered,
      expires_at: length(session.lengthMs),
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return row.expires_at
}

/** Moves the end of a live session; answers the new end, or nothing when it had already ended. */
export async function extendSession(db: Db, idHash: Buffer, lengthMs: number): Promise<Date | undefined> {
  const row = await db
    .updateTable('sessions')
    .set({ expires_at: length(lengthMs) })
    .where('id_hash', '=', idHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('expires_at')
    .executeTakeFirst()
  return row?.expires_at
}

export async function deleteSession(db: Db | Tx, idHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute()
}

export async function deleteSessionsOf(db: Db | Tx, memberId: number): Promise<void> {
  await db.deleteFrom('sessions').where('member_id', '=', memberId).execute()
}

export async function deleteEndedSessions(db: Db): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', sql<Date>`now()`).execute()
  await db.deleteFrom('sso_attempts').where('expires_at', '<', sql<Date>`now()`).execute()
}

/** Whether this name is locked at this moment. */
export async function isLocked(db: Db, nameHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('login_failures')
    .select('name_hash')
    .where('name_hash', '=', nameHash)
    .where('locked_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a failure within the window; the one that reaches `most` locks the name. Answers whether it is locked now. */
export async function countFailure(
  db: Db,
  { nameHash, most, windowMs }: { nameHash: Buffer; most: number; windowMs: number },
): Promise<boolean> {
  const window = sql`make_interval(secs => ${windowMs / 1000})`
  const expired = sql<boolean>`login_failures.first_failure_at < now() - ${window}`
  const { rows } = await sql<{ locked: boolean }>`
    insert into login_failures (name_hash, failures) values (${nameHash}, 1)
    on conflict (partner_id, name_hash) do update set
      failures = case when ${expired} then 1 else login_failures.failures + 1 end,
      first_failure_at = case when ${expired} then now() else login_failures.first_failure_at end,
      locked_until = case
        when not ${expired} and login_failures.failures + 1 >= ${most} then now() + ${window}
        else login_failures.locked_until end
    returning coalesce(locked_until > now(), false) as locked`.execute(db)
  return rows[0]?.locked ?? false
}

export async function forgetFailures(db: Db, nameHash: Buffer): Promise<void> {
  await db.deleteFrom('login_failures').where('name_hash', '=', nameHash).execute()
}
