import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

/** Identifiers by which a person or a card is recognized in a later account. */
export interface Traces {
  email?: string | undefined
  partnerNumber?: string | null | undefined
  /** The vault's fingerprints of cards. */
  fingerprints?: readonly string[]
}

/** Days after which the marks of a deleted account are deleted. */
export const markRetentionDays = 730

/** Returns keyed hashes of the traces, each bound to its kind: they can be compared but not reversed. */
function toMarks(key: Buffer, { email, partnerNumber, fingerprints = [] }: Traces): Buffer[] {
  const mark = (kind: string, value: string) => createHmac('sha256', key).update(`${kind}:${value}`).digest()
  return [
    ...(email ? [mark('email', email.trim().toLowerCase())] : []),
    ...(partnerNumber ? [mark('number', partnerNumber.trim().toLowerCase())] : []),
    ...fingerprints.map((fingerprint) => mark('card', fingerprint)),
  ]
}

/** Stores the marks of an account, in the transaction that deletes it. */
export async function storeMarks(tx: Tx, key: Buffer, traces: Traces): Promise<void> {
  const marks = toMarks(key, traces)
  if (marks.length === 0) return
  await tx
    .insertInto('former_member_identifiers')
    .values(marks.map((mark) => ({ identifier_hash: mark })))
    .onConflict((conflict) =>
      conflict.columns(['partner_id', 'identifier_hash']).doUpdateSet({ recorded_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Returns true when a deleted account left any of these traces. */
export async function isMarked(tx: Tx, key: Buffer, traces: Traces): Promise<boolean> {
  const marks = toMarks(key, traces)
  if (marks.length === 0) return false
  const row = await tx
    .selectFrom('former_member_identifiers')
    .select('identifier_hash')
    .where('identifier_hash', 'in', marks)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes marks that are older than `markRetentionDays`. */
export async function purgeMarks(db: Db): Promise<void> {
  await sql`delete from former_member_identifiers where partner_id = current_partner()
    and recorded_at < now() - make_interval(days => ${markRetentionDays})`.execute(db)
}
