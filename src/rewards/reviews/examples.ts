import { type CallGroup, example } from '../../platform/call-examples.ts'
import { getReviewStatus, receiveReview } from './contract.ts'
import * as schemas from './schemas.ts'

const txnId = 't5ZpAhM3v0cXb6rQ2nT8kY'

export const reviewExamples: CallGroup = {
  tag: 'Reviews',
  place: 180,
  description: 'Reviews of transactions; the form service collects them.',
  examples: [
    example(getReviewStatus, schemas.getReviewStatus, {
      query: { txnId: [txnId] },
      reply: [{ id: txnId, completed: true }],
    }),
    example(receiveReview, schemas.receiveReview, {
      body: {
        txnId,
        completed: true,
        familyId: 'f8kYw5ZpAhM3v0cXb6rQ2n',
        responseId: 'v0cXb6rQ2nT8kYw5ZpAhM3',
        rating: 5,
        comment: 'The ragù alone is worth the trip.',
      },
      reply: { outcome: 'stored' },
    }),
  ],
}
