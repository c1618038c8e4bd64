import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'

export interface ReviewRow {
  rating: number
  author: string
  body: string
  visitedOn: string
}

export async function findReviews(
  db: Db,
  merchantId: number,
  { pageNo, resultsPerPage }: { pageNo: number; resultsPerPage: number },
): Promise<{ reviews: ReviewRow[]; total: number }> {
  const ofMerchant = db.selectFrom('merchant_reviews').where('merchant_id', '=', merchantId)
  const { total } = await ofMerchant
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const reviews = await ofMerchant
    .select(['rating', 'author', 'body', 'visited_on as visitedOn'])
    .orderBy('visited_on', 'desc')
    .orderBy('id', 'desc')
    .limit(resultsPerPage)
    .offset((pageNo - 1) * resultsPerPage)
    .execute()
  return { reviews, total }
}

export interface NewReview {
  merchantId: number
  rating: number
  author: string
  body: string
  visitedOn: string
}

/** Adds a member's review and updates the rating. Returns its id. */
export async function addReview(tx: Tx, review: NewReview): Promise<number> {
  const { merchantId, rating, author, body, visitedOn } = review
  const { id } = await tx
    .insertInto('merchant_reviews')
    .values({ merchant_id: merchantId, rating, author, body, visited_on: visitedOn, imported: false })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('merchants')
    .set({ member_rating_sum: sql`member_rating_sum + ${rating}`, member_rating_count: sql`member_rating_count + 1` })
    .where('id', '=', merchantId)
    .execute()
  return id
}

/** Redacts author and text of reviews; the ratings remain. */
export async function redactReviews(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx
    .updateTable('merchant_reviews')
    .set({ author: 'A former member', body: '' })
    .where('id', '=', sql<number>`any(${ids})`)
    .execute()
}
