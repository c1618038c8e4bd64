import { addReview, blankReviews } from '../../dining/merchants/service.ts'
import { lockMember, memberRow } from '../../identity/members/service.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { readMeal } from '../awards/read-transaction.ts'
import { mealByPublicId, noteReview } from '../awards/review-meals.ts'
import type { ReviewStatus } from './contract.ts'
import { mayReview } from './rules.ts'
import * as store from './store.ts'

/** Returns which of these transactions the signed-in member has reviewed, in the requested order. */
export async function reviewStatus(ctx: Ctx, ids: readonly string[]): Promise<ReviewStatus[]> {
  const states = await store.reviewStates(ctx.db, ctx.actor.memberId as number, ids)
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
export async function receiveReview(ctx: Ctx, review: ReceivedReview): Promise<'kept' | 'repeated' | 'ignored'> {
  if (!review.completed) return 'ignored'
  return inTransaction(ctx.db, async (tx) => {
    const first = await mealByPublicId(tx, review.txnId)
    const member = first?.member_id ? await lockMember(tx, first.member_id) : undefined
    if (!first || member?.family_id !== review.familyId) throw new Refusal('reviewNotFound')
    const [known] = await store.reviewStates(tx, member.id, [review.txnId])
    if (known?.completed) return 'repeated'
    const listed = await readMeal({ ...ctx, db: tx }, member.id, review.txnId)
    if (!listed || !mayReview(listed, { isReviewed: false, now: ctx.now() })) throw new Refusal('reviewNotPossible')
    const transactionId = first.id
    const id = await store.insertReview(tx, {
      memberId: member.id,
      transactionId,
      responseId: review.responseId ?? null,
    })
    if (id === undefined) return 'repeated'
    await publish(tx, id, { review, merchantId: first.merchant_id, member, visitedOn: listed.date })
    await noteReview(tx, ctx, first, 'done')
    return 'kept'
  })
}

interface Published {
  review: ReceivedReview
  merchantId: number | null
  member: { first_name: string; last_name: string }
  visitedOn: string
}

async function publish(tx: Tx, id: number, { review, merchantId, member, visitedOn }: Published): Promise<void> {
  const { rating, comment } = review
  if (merchantId === null || rating === undefined) return
  const author = `${member.first_name} ${member.last_name.slice(0, 1)}.`
  await store.linkPublished(tx, id, await addReview(tx, { merchantId, rating, author, body: comment, visitedOn }))
}

/** Redacts a member's name and texts in published reviews; their ratings still count. */
export async function eraseReviews(tx: Tx, memberId: number): Promise<void> {
  const member = await memberRow(tx, memberId)
  if (member) await blankReviews(tx, await store.publishedBy(tx, memberId))
}
