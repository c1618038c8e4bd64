import { sql } from 'kysely'
import type { Db } from '../kit/server/db.ts'
import type { Operator } from './context.ts'

const columns = ['id', 'email', 'name', 'role', 'partners'] as const

/** An idle session ends after half an hour, any after twelve; by the database's clock. */
const alive = sql<boolean>`used_at > now() - interval '30 minutes' and began_at > now() - interval '12 hours'`

export async function findOperator(db: Db, email: string): Promise<(Operator & { passwordHash: string }) | undefined> {
  const row = await db
    .selectFrom('console.operators')
    .select([...columns, 'password_hash as passwordHash'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row as (Operator & { passwordHash: string }) | undefined
}

/** Adds an operator; false when the address has one already. */
export async function insertOperator(
  db: Db,
  operator: Omit<Operator, 'id'> & { passwordHash: string },
): Promise<boolean> {
  const { passwordHash, partners, ...rest } = operator
  const added = await db
    .insertInto('console.operators')
    .values({ ...rest, partners: partners as string[] | null, password_hash: passwordHash })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

export async function insertSession(
  db: Db,
  session: { idHash: Buffer; operatorId: number; csrfToken: string },
): Promise<void> {
  await db
    .insertInto('console.sessions')
    .values({ id_hash: session.idHash, operator_id: session.operatorId, csrf_token: session.csrfToken })
    .execute()
}

/** The operator of a live session, which this use keeps alive. */
export async function touchSession(
  db: Db,
  idHash: Buffer,
): Promise<{ operator: Operator; csrfToken: string; isProven: boolean } | undefined> {
  const session = await db
    .updateTable('console.sessions')
    .set({ used_at: sql<Date>`now()` })
    .where('id_hash', '=', idHash)
    .where(alive)
    .returning(['operator_id', 'csrf_token', 'proven_at'])
    .executeTakeFirst()
  if (!session) return undefined
  const operator = await db
    .selectFrom('console.operators')
    .select(columns)
    .where('id', '=', session.operator_id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  const isProven = session.proven_at !== null
  return operator && { operator: operator as Operator, csrfToken: session.csrf_token, isProven }
}

export async function deleteSession(db: Db, idHash: Buffer): Promise<void> {
  await db.deleteFrom('console.sessions').where('id_hash', '=', idHash).execute()
}

export async function sweepConsole(db: Db): Promise<void> {
  await db.deleteFrom('console.sessions').where(sql<boolean>`not (${alive})`).execute()
}

export async function isLocked(db: Db, nameHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('console.login_failures')
    .select('name_hash')
    .where('name_hash', '=', nameHash)
    .where('locked_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a failure within half an hour; the one that reaches `most` locks the name for as long. */
export async function countFailure(db: Db, nameHash: Buffer, most: number): Promise<void> {
  const window = sql`interval '30 minutes'`
  const over = sql<boolean>`f.first_failure_at < now() - ${window}`
  await sql`
    insert into console.login_failures as f (name_hash, failures) values (${nameHash}, 1)
    on conflict (name_hash) do update set
      failures = case when ${over} then 1 else f.failures + 1 end,
      first_failure_at = case when ${over} then now() else f.first_failure_at end,
      locked_until = case when not ${over} and f.failures + 1 >= ${most} then now() + ${window} else f.locked_until end`.execute(
    db,
  )
}

export async function forgetFailures(db: Db, nameHash: Buffer): Promise<void> {
  await db.deleteFrom('console.login_failures').where('name_hash', '=', nameHash).execute()
}
