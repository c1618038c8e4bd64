import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

/** A note of an operator about a member. */
export interface Note {
  id: string
  operatorId: number
  operatorName: string
  body: string
  at: Date
}

/** Returns the latest notes about a member, the latest first. */
export async function listNotes(db: Db | Tx, memberId: number): Promise<Note[]> {
  const rows = await db
    .selectFrom('member_notes')
    .select([
      'public_id as id',
      'operator_id as operatorId',
      'operator_name as operatorName',
      'body',
      'written_at as at',
    ])
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  return rows
}

export interface NewNote {
  publicId: string
  memberId: number
  operator: { id: number; name: string }
  body: string
}

export async function insertNote(tx: Tx, { publicId, memberId, operator, body }: NewNote): Promise<void> {
  await tx
    .insertInto('member_notes')
    .values({ public_id: publicId, member_id: memberId, operator_id: operator.id, operator_name: operator.name, body })
    .execute()
}

/** Removes a note that the operator has written. Returns false when there is none. */
export async function deleteOwnNote(
  tx: Tx,
  { publicId, memberId, operatorId }: { publicId: string; memberId: number; operatorId: number },
): Promise<boolean> {
  const gone = await tx
    .deleteFrom('member_notes')
    .where('public_id', '=', publicId)
    .where('member_id', '=', memberId)
    .where('operator_id', '=', operatorId)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Returns a member's tags in their order. */
export async function listTagsOf(db: Db | Tx, memberId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('member_tags')
    .select('tag')
    .where('member_id', '=', memberId)
    .orderBy('tag')
    .execute()
  return rows.map(({ tag }) => tag)
}

/** Makes these the tags of a member. The caller holds the member's lock. */
export async function replaceTags(tx: Tx, memberId: number, tags: readonly string[], by: string): Promise<void> {
  await sql`delete from member_tags where member_id = ${memberId} and tag <> all(${[...tags]}::text[])`.execute(tx)
  if (tags.length === 0) return
  await tx
    .insertInto('member_tags')
    .values(tags.map((tag) => ({ tag, member_id: memberId, tagged_by: by })))
    .onConflict((conflict) => conflict.columns(['partner_id', 'tag', 'member_id']).doNothing())
    .execute()
}

/** Deletes the notes and tags of a member whose account is deleted. */
export async function deleteNotesOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom('member_notes').where('member_id', '=', memberId).execute()
  await tx.deleteFrom('member_tags').where('member_id', '=', memberId).execute()
}
