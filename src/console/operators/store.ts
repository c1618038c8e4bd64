import { sql } from 'kysely'
import { type BuiltInRole, builtInRoles } from '../../console-kit/permissions.ts'
import { acquireAdvisoryLock, type Db, type Tx } from '../../platform/database/db.ts'
import type { Operator } from '../../platform/http/operator.ts'
import type { IssuedPass } from '../../programs/content/preview.ts'

/** An operator as the database returns it: the permissions of the product's roles are not stored. */
interface StoredOperator extends Omit<Operator, 'grants'> {
  grants: { role: string; partnerId: string | null; permissions: string[] | null }[]
}

const columns = sql`o.id, o.email, o.name, coalesce((
  select json_agg(json_build_object('role', g.role, 'partnerId', g.partner_id, 'permissions', r.permissions) order by g.id)
  from console.grants g left join console.roles r on r.name = g.role where g.operator_id = o.id), '[]') as grants`

/** Returns an operator with what each of the roles permits; an own role that no longer exists permits nothing. */
function toOperator<Row extends StoredOperator>({ grants, ...row }: Row): Omit<Row, 'grants'> & Operator {
  const known = (role: string) => (Object.hasOwn(builtInRoles, role) ? builtInRoles[role as BuiltInRole] : [])
  return { ...row, grants: grants.map((grant) => ({ ...grant, permissions: grant.permissions ?? known(grant.role) })) }
}

/** Sessions expire after 30 idle minutes or 12 hours, by the database clock. */
const alive = sql<boolean>`used_at > now() - interval '30 minutes' and started_at > now() - interval '12 hours'`

export async function findOperator(
  db: Db | Tx,
  email: string,
): Promise<(Operator & { passwordHash: string }) | undefined> {
  const { rows } = await sql<StoredOperator & { passwordHash: string }>`
    select ${columns}, o.password_hash as "passwordHash" from console.operators o
    where lower(o.email) = ${email.toLowerCase()} and o.disabled_at is null`.execute(db)
  return rows[0] && toOperator(rows[0])
}

/** Adds an operator without grants; returns the id, or undefined when the address is taken. */
export async function insertOperator(
  db: Db | Tx,
  { email, name, passwordHash }: Pick<Operator, 'email' | 'name'> & { passwordHash: string },
): Promise<number | undefined> {
  const added = await db
    .insertInto('console.operators')
    .values({ email, name, password_hash: passwordHash })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id
}

/** Takes the lock under which the sessions, known browsers and passkeys of an operator are counted. */
export const lockOperator = (tx: Tx, operatorId: number): Promise<void> =>
  acquireAdvisoryLock(tx, `operator:${operatorId}`)

/** Adds a session; of the others, the newest `maxCount - 1` stay. The caller holds the operator's lock. */
export async function insertSession(
  tx: Tx,
  session: { idHash: Buffer; operatorId: number; csrfToken: string },
  maxCount: number,
): Promise<void> {
  const { operatorId } = session
  await sql`delete from console.sessions where operator_id = ${operatorId} and id_hash not in (
    select id_hash from console.sessions where operator_id = ${operatorId}
    order by started_at desc, id_hash limit ${maxCount - 1})`.execute(tx)
  await tx
    .insertInto('console.sessions')
    .values({ id_hash: session.idHash, operator_id: operatorId, csrf_token: session.csrfToken })
    .execute()
}

/** Returns the operator of an active session and extends the session. */
export async function touchSession(
  db: Db,
  idHash: Buffer,
): Promise<{ operator: Operator; csrfToken: string; passkeyVerified: boolean } | undefined> {
  const session = await db
    .updateTable('console.sessions')
    .set({ used_at: sql<Date>`now()` })
    .where('id_hash', '=', idHash)
    .where(alive)
    .returning(['operator_id', 'csrf_token', 'authenticated_at'])
    .executeTakeFirst()
  if (!session) return undefined
  const { rows } = await sql<StoredOperator>`
    select ${columns} from console.operators o where o.id = ${session.operator_id} and o.disabled_at is null`.execute(
    db,
  )
  const [operator] = rows
  const passkeyVerified = session.authenticated_at !== null
  return operator && { operator: toOperator(operator), csrfToken: session.csrf_token, passkeyVerified }
}

export async function deleteSession(db: Db, idHash: Buffer): Promise<void> {
  await db.deleteFrom('console.sessions').where('id_hash', '=', idHash).execute()
}

export async function purgeConsoleSessions(db: Db): Promise<void> {
  await db.deleteFrom('console.sessions').where(sql<boolean>`not (${alive})`).execute()
  await db.deleteFrom('console.known_devices').where('used_at', '<', sql<Date>`now() - interval '1 year'`).execute()
  // Anybody can add them, under any name.
  await db
    .deleteFrom('console.login_failures')
    .where('first_failure_at', '<', sql<Date>`now() - interval '1 day'`)
    .where((where) => where.or([where('locked_until', 'is', null), where('locked_until', '<', sql<Date>`now()`)]))
    .execute()
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

/**
 * Counts an attempt within half an hour, before it is made; the attempt that reaches `max` locks the name for half an
 * hour. Returns the attempt's number.
 */
export async function countAttempt(db: Db, nameHash: Buffer, max: number): Promise<number> {
  const window = sql`interval '30 minutes'`
  const over = sql<boolean>`f.first_failure_at < now() - ${window}`
  const { rows } = await sql<{ failures: number }>`
    insert into console.login_failures as f (name_hash, failures) values (${nameHash}, 1)
    on conflict (name_hash) do update set
      failures = case when ${over} then 1 else f.failures + 1 end,
      first_failure_at = case when ${over} then now() else f.first_failure_at end,
      locked_until = case when not ${over} and f.failures + 1 >= ${max} then now() + ${window} else f.locked_until end
    returning failures`.execute(db)
  return rows[0]?.failures ?? 1
}

/** Withdraws an attempt that was counted but not made, and the lock that it caused. */
export async function withdrawAttempt(db: Db, nameHash: Buffer, max: number): Promise<void> {
  await db
    .updateTable('console.login_failures')
    .set({ failures: sql`failures - 1`, locked_until: sql`case when failures > ${max}::int then locked_until end` })
    .where('name_hash', '=', nameHash)
    .where('failures', '>', 0)
    .execute()
}

export async function resetFailures(db: Db, nameHash: Buffer): Promise<void> {
  await db.deleteFrom('console.login_failures').where('name_hash', '=', nameHash).execute()
}

export async function isKnownDevice(db: Db, deviceHash: Buffer, operatorId: number): Promise<boolean> {
  const row = await db
    .selectFrom('console.known_devices')
    .select('operator_id')
    .where('device_hash', '=', deviceHash)
    .where('operator_id', '=', operatorId)
    .executeTakeFirst()
  return row !== undefined
}

/** Records a browser; of the others, those that were used last stay. The caller holds the operator's lock. */
export async function upsertKnownDevice(
  tx: Tx,
  deviceHash: Buffer,
  operatorId: number,
  maxCount: number,
): Promise<void> {
  await sql`delete from console.known_devices where operator_id = ${operatorId} and device_hash not in (
    select device_hash from console.known_devices where operator_id = ${operatorId}
    order by device_hash = ${deviceHash} desc, used_at desc limit ${maxCount - 1})`.execute(tx)
  await tx
    .insertInto('console.known_devices')
    .values({ device_hash: deviceHash, operator_id: operatorId })
    .onConflict((conflict) =>
      conflict.columns(['device_hash', 'operator_id']).doUpdateSet({ used_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Revokes every session, known browser and preview pass of an operator, also those that are about to be added. */
export async function revokeAllSessions(tx: Tx, operatorId: number): Promise<void> {
  await lockOperator(tx, operatorId)
  await tx.deleteFrom('console.sessions').where('operator_id', '=', operatorId).execute()
  await tx.deleteFrom('console.known_devices').where('operator_id', '=', operatorId).execute()
  await tx
    .updateTable('console.operators')
    .set({ preview_passes_valid_from: sql<Date>`clock_timestamp()` })
    .where('id', '=', operatorId)
    .execute()
}

/**
 * Stores a code for adding a passkey. Returns the operator's id, or undefined when no enabled operator has the address.
 */
export async function setEnrollCode(db: Db | Tx, email: string, codeHash: Buffer): Promise<number | undefined> {
  const row = await db
    .updateTable('console.operators')
    .set({ enroll_code_hash: codeHash, enroll_code_until: sql<Date>`now() + interval '7 days'` })
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('disabled_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Consumes a code; returns false when it is wrong, expired or used. */
export async function takeEnrollCode(tx: Tx, operatorId: number, codeHash: Buffer): Promise<boolean> {
  const row = await tx
    .updateTable('console.operators')
    .set({ enroll_code_hash: null, enroll_code_until: null })
    .where('id', '=', operatorId)
    .where('enroll_code_hash', '=', codeHash)
    .where('enroll_code_until', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Disables or enables an operator and revokes an unused passkey code. Returns the id when something changed. */
export async function setDisabled(tx: Tx, email: string, disabled: boolean): Promise<number | undefined> {
  const row = await tx
    .updateTable('console.operators')
    .set({ disabled_at: disabled ? sql<Date>`now()` : null, enroll_code_hash: null, enroll_code_until: null })
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('disabled_at', disabled ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function deletePasskeysOf(tx: Tx, operatorId: number): Promise<void> {
  await lockOperator(tx, operatorId)
  await tx.deleteFrom('console.passkeys').where('operator_id', '=', operatorId).execute()
}

/** Returns whether the editor of a preview pass may still use it; runs with the application's role. */
export async function isPassValid(db: Db, { editor, partnerId, issuedAt }: IssuedPass): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`
    select may_preview(${editor}, ${partnerId}, ${issuedAt}) as holds`.execute(db)
  return rows[0]?.holds === true
}

export async function listOperators(db: Db | Tx): Promise<(Operator & { disabled: boolean })[]> {
  const { rows } = await sql<StoredOperator & { disabled: boolean }>`
    select ${columns}, o.disabled_at is not null as disabled from console.operators o order by lower(o.name), lower(o.email)`.execute(
    db,
  )
  return rows.map(toOperator)
}

/** A role, and the program that it is for; null: all. */
export type NewGrant = Pick<Operator['grants'][number], 'role' | 'partnerId'>

/** Replaces the grants of an operator. */
export async function setGrants(tx: Tx, operatorId: number, grants: readonly NewGrant[]): Promise<void> {
  await tx.deleteFrom('console.grants').where('operator_id', '=', operatorId).execute()
  if (grants.length === 0) return
  await tx
    .insertInto('console.grants')
    .values(grants.map(({ role, partnerId }) => ({ operator_id: operatorId, role, partner_id: partnerId })))
    .execute()
}

/** Returns the id of an operator, also of a disabled one. */
export async function findOperatorId(tx: Tx, email: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('console.operators')
    .select('id')
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
  return row?.id
}

/** Replaces the password of an enabled operator. Returns the id. */
export async function setPassword(tx: Tx, email: string, passwordHash: string): Promise<number | undefined> {
  const row = await tx
    .updateTable('console.operators')
    .set({ password_hash: passwordHash })
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('disabled_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}
