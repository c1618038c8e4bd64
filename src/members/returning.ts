import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/server/db.ts'

/** By what a person or a card is recognized in a later account. */
export interface Traces {
  email?: string | undefined
  partnerNumber?: string | null | undefined
  /** The vault's fingerprints of cards. */
  fingerprints?: readonly string[]
}

/** Marks of a deleted account are deleted after so many days. */
export const markRetentionDays = 730

/** Keyed hashes of traces, bound to what each is: they can be compared, and not be read back. */
function marksOf(key: Buffer, { email, partnerNumber, fingerprints = [] }: Traces): Buffer[] {
  const mark = (kind: string, value: string) => createHmac('sha256', key).update(`${kind}:${value}`).digest()
  return [
    ...(email ? [mark('email', email.trim().toLowerCase())] : []),
    ...(partnerNumber ? [mark('number', partnerNumber.trim().toLowerCase())] : []),
    ...fingerprints.map((fingerprint) => mark('card', fingerprint)),
  ]
}

/** Keeps marks of an account that is being deleted, in the transaction that deletes it. */
export async function keepMarks(tx: Tx, key: Buffer, traces: Traces): Promise<void> {
  const marks = marksOf(key, traces)
  if (marks.length === 0) return
  await tx
    .insertInto('returning_marks')
    .values(marks.map((mark) => ({ mark })))
    .onConflict((conflict) => conflict.columns(['partner_id', 'mark']).doUpdateSet({ marked_at: sql<Date>`now()` }))
    .execute()
}

/** Whether any of these traces was left by an account that was deleted. */
export async function isMarked(tx: Tx, key: Buffer, traces: Traces): Promise<boolean> {
  const marks = marksOf(key, traces)
  if (marks.length === 0) return false
  const row = await tx
    .selectFrom('returning_marks')
    .select('mark')
    .where('mark', 'in', marks)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes marks that are older than `markRetentionDays`. */
export async function sweepMarks(db: Db): Promise<void> {
  await sql`delete from returning_marks where partner_id = current_partner()
    and marked_at < now() - make_interval(days => ${markRetentionDays})`.execute(db)
}
