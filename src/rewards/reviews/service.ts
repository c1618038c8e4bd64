import { addReview, redactReviews } from '../../dining/merchants/service.ts'
import { findMemberRow, hasFamilyId, lockMember } from '../../identity/members/service.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { firstCharacters } from '../../platform/text.ts'
import { recomputeAward } from '../awards/apply.ts'
import { findTransactionByPublicId, readTransaction } from '../awards/read-transaction.ts'
import type { ReviewStatus } from './contract.ts'
import { mayReview, visitDay } from './rules.ts'
import * as store from './store.ts'

export { moveReviews } from './store.ts'

/** Returns which of these transactions the signed-in member has reviewed, in the requested order. */
export async function listReviewStatuses(ctx: MemberCtx, ids: readonly string[]): Promise<ReviewStatus[]> {
  const states = await store.listReviewStates(ctx.db, ctx.actor.memberId, ids)
  const known = new Map(states.map((state) => [state.id, state]))
  return [...new Set(ids)].flatMap((id) => known.get(id) ?? [])
}

export interface ReceivedReview {
  txnId: string
  completed: boolean
  familyId: string
  responseId?: string | undefined
  rating?: number | undefined
  comment: string
}

/**
 * Receives a review: its rating and comment go to the restaurant's page, and an award that waited for it is decided
 * again, in one transaction. Throws `reviewNotFound` (no such transaction of the member) and `reviewNotPossible`.
 */
export async function receiveReview(ctx: Ctx, review: ReceivedReview): Promise<'stored' | 'repeated' | 'ignored'> {
  if (!review.completed) return 'ignored'
  return inTransaction(ctx.db, async (tx) => {
    const found = await findTransactionByPublicId(tx, review.txnId)
    const member = found?.member_id ? await lockMember(tx, found.member_id) : undefined
    // Read again under the lock: a message of the network may have changed it.
    const transaction = member && (await findTransactionByPublicId(tx, review.txnId))
    if (!member || !transaction || transaction.member_id !== member.id) throw new ApiError('reviewNotFound')
    // The form may have been opened in an account that was merged since.
    if (!(await hasFamilyId(tx, member.id, review.familyId))) throw new ApiError('reviewNotFound')
    const [known] = await store.listReviewStates(tx, member.id, [review.txnId])
    if (known?.completed) return 'repeated'
    const listed = await readTransaction({ ...ctx, db: tx }, member.id, review.txnId)
    if (!listed || !mayReview(listed, { isReviewed: false, now: ctx.now() })) throw new ApiError('reviewNotPossible')
    const transactionId = transaction.id
    const id = await store.insertReview(tx, {
      memberId: member.id,
      transactionId,
      responseId: review.responseId ?? null,
    })
    if (id === undefined) return 'repeated'
    await publishReview(tx, id, { review, merchantId: transaction.merchant_id, member, visitedOn: visitDay(listed) })
    await recomputeAward(tx, ctx, transaction, { review: 'done' })
    return 'stored'
  })
}

interface ReviewToPublish {
  review: ReceivedReview
  merchantId: number | null
  member: { first_name: string; last_name: string }
  visitedOn: string
}

async function publishReview(
  tx: Tx,
  id: number,
  { review, merchantId, member, visitedOn }: ReviewToPublish,
): Promise<void> {
  const { rating, comment } = review
  if (merchantId === null || rating === undefined) return
  const initial = firstCharacters(member.last_name, 1)
  const author = initial ? `${member.first_name} ${initial}.` : member.first_name
  await store.setPublishedReview(tx, id, await addReview(tx, { merchantId, rating, author, body: comment, visitedOn }))
}

/** Redacts a member's name and texts in published reviews; their ratings still count. */
export async function redactMemberReviews(tx: Tx, memberId: number): Promise<void> {
  const member = await findMemberRow(tx, memberId)
  if (member) await redactReviews(tx, await store.listPublishedIds(tx, memberId))
}
