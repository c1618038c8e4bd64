import type { Db, Tx } from '../../platform/database/db.ts'

export interface FlagRow {
  kind: string
  name: string
  value: unknown
}

export async function readFlags(db: Db): Promise<FlagRow[]> {
  return db.selectFrom('feature_flags').select(['kind', 'name', 'value']).execute()
}

/** A flag that was set, and by which operator; null: on the command line. */
interface SetFlag extends FlagRow {
  updatedAt: Date
  changedBy: string | null
}

export async function readSetFlags(db: Db | Tx): Promise<SetFlag[]> {
  return db
    .selectFrom('feature_flags')
    .select(['kind', 'name', 'value', 'updated_at as updatedAt', 'changed_by as changedBy'])
    .execute()
}

/** Sets a flag of this connection's partner; `value` is any JSON. */
export async function writeFlag(db: Db | Tx, flag: FlagRow, changedBy: string | null = null): Promise<void> {
  const value = JSON.stringify(flag.value)
  await db
    .insertInto('feature_flags')
    .values({ kind: flag.kind, name: flag.name, value, changed_by: changedBy })
    .onConflict((conflict) =>
      conflict
        .columns(['partner_id', 'kind', 'name'])
        .doUpdateSet({ value, updated_at: new Date(), changed_by: changedBy }),
    )
    .execute()
}

/** Inserts every configured partner into the database. Idempotent. */
export async function registerPartners(shared: Db, ids: readonly string[]): Promise<void> {
  await shared
    .insertInto('partners')
    .values(ids.map((id) => ({ id })))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
