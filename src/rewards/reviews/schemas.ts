import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'

export const ReviewStatus = z.object({ id: z.string(), completed: z.boolean() })
export type ReviewStatus = z.infer<typeof ReviewStatus>

const transactionId = z.string().min(1).max(80)

export const getReviewStatus = defineSchemas({
  summary: 'Returns which of the given transactions the member has reviewed; those of others are omitted',
  query: z.strictObject({
    txnId: z
      .union([transactionId, z.array(transactionId).max(100)])
      .transform((ids) => (typeof ids === 'string' ? [ids] : ids)),
  }),
  reply: z.array(ReviewStatus),
})

export const receiveReview = defineSchemas({
  summary: 'Receives a review from the form service; sent again, it changes nothing',
  body: z.strictObject({
    txnId: transactionId,
    completed: z.boolean(),
    familyId: z.string().min(1).max(60),
    responseId: z.string().max(60).optional(),
    rating: z.number().int().min(1).max(5).optional(),
    comment: z.string().trim().max(2000).default(''),
  }),
  reply: z.object({ outcome: z.enum(['stored', 'repeated', 'ignored']) }),
  errors: { reviewNotFound: 404, reviewNotPossible: 409, badSignature: 401, staleTimestamp: 401 },
})
