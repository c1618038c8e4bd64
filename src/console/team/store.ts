import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

export interface OperatorUse {
  id: number
  usedAt: Date | null
  passkeys: number
}

/** Returns when each operator was last active, and the number of passkeys. */
export async function listUse(db: Db | Tx): Promise<OperatorUse[]> {
  const { rows } = await sql<OperatorUse>`
    select o.id, (select max(s.used_at) from console.sessions s where s.operator_id = o.id) as "usedAt",
      (select count(*) from console.passkeys k where k.operator_id = o.id) as passkeys
    from console.operators o`.execute(db)
  return rows
}

/** Returns the sessions of an operator, the latest first. */
export async function listSessions(db: Db | Tx, operatorId: number) {
  const { rows } = await sql<{ startedAt: Date; usedAt: Date; passkeyVerified: boolean }>`
    select started_at as "startedAt", used_at as "usedAt", authenticated_at is not null as "passkeyVerified"
    from console.sessions where operator_id = ${operatorId}
      and used_at > now() - interval '30 minutes' and started_at > now() - interval '12 hours'
    order by used_at desc`.execute(db)
  return rows
}

export interface OwnRole {
  name: string
  permissions: string[]
}

/** Returns the roles of this installation’s own by name. */
export const listOwnRoles = (db: Db | Tx): Promise<OwnRole[]> =>
  db.selectFrom('console.roles').select(['name', 'permissions']).orderBy('name').execute()

/** Returns how many operators have each role. */
export async function countByRole(db: Db | Tx): Promise<Map<string, number>> {
  const { rows } = await sql<{ role: string; count: number }>`
    select role, count(distinct operator_id) as count from console.grants group by role`.execute(db)
  return new Map(rows.map(({ role, count }) => [role, count]))
}

export async function upsertRole(tx: Tx, { name, permissions }: OwnRole): Promise<void> {
  await sql`insert into console.roles (name, permissions) values (${name}, ${permissions})
    on conflict (name) do update set permissions = excluded.permissions, changed_at = now()`.execute(tx)
}

export async function deleteRole(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('console.roles').where('name', '=', name).execute()
}
