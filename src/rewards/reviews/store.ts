import { sql } from 'kysely'
import type { Merge } from '../../identity/members/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'

/** Returns which of these transactions of a member were reviewed, by public id. */
export async function listReviewStates(
  db: Db,
  memberId: number,
  publicIds: readonly string[],
): Promise<{ id: string; completed: boolean }[]> {
  const { rows } = await sql<{ id: string; completed: boolean }>`
    select t.public_id as id, r.id is not null as completed
    from transactions t left join reviews r on r.transaction_id = t.id
    where t.member_id = ${memberId} and t.public_id = any(${publicIds})`.execute(db)
  return rows
}

export interface NewReview {
  memberId: number
  transactionId: number
  responseId: string | null
}

/** Returns undefined when the transaction was already reviewed. */
export async function insertReview(tx: Tx, review: NewReview): Promise<number | undefined> {
  const row = await tx
    .insertInto('reviews')
    .values({ member_id: review.memberId, transaction_id: review.transactionId, response_id: review.responseId })
    .onConflict((conflict) => conflict.column('transaction_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function setPublishedReview(tx: Tx, id: number, merchantReviewId: number): Promise<void> {
  await tx.updateTable('reviews').set({ merchant_review_id: merchantReviewId }).where('id', '=', id).execute()
}

/** Gives the reviews of an account to the one that it is merged into. */
export async function moveReviews(tx: Tx, { from, to }: Merge): Promise<void> {
  await tx.updateTable('reviews').set({ member_id: to }).where('member_id', '=', from).execute()
}

/** Returns the ids of a member's published reviews. */
export async function listPublishedIds(tx: Tx, memberId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('reviews')
    .select('merchant_review_id as id')
    .where('member_id', '=', memberId)
    .where('merchant_review_id', 'is not', null)
    .execute()
  return rows.map(({ id }) => id as number)
}
