import { type CallGroup, example } from '../../platform/call-examples.ts'
import type { RewardTransaction } from '../earning/contract.ts'
import {
  type Adjustment,
  exportActivity,
  getDineSummary,
  getEarnQuote,
  getFlexOffer,
  getStatementCreditBalance,
  getTransactionTimeline,
  listFlexOffers,
  listGoals,
  listTransactions,
  listTransactionsAndCredits,
  streamActivity,
} from './contract.ts'
import * as schemas from './schemas.ts'

const merchantId = 'trattoria-lucia-new-york'
const transaction: RewardTransaction = {
  kind: 'transaction',
  sourceTransactionId: 't5ZpAhM3v0cXb6rQ2nT8kY',
  merchantId,
  merchantName: 'Trattoria Lucia',
  transactionCreatedAt: '2026-11-07T00:42:00.000Z',
  timeZone: 'America/New_York',
  transactionStatus: 'paid',
  transactionTypeCode: 'S',
  dineAmount: 42.1,
  refundedAmount: 0,
  benefitAmount: 126,
  ticketAmount: 42.1,
  cardLastFour: '4242',
  paidAt: '2026-11-09T06:00:00.000Z',
  date: '2026-11-07',
  awardStatus: 'Awarded',
  status: 'posted',
  activeMerchant: true,
  reason: {
    code: 'earned',
    rule: 5,
    key: 'rewards.why.earned',
    params: { merchant: 'Trattoria Lucia', amount: '$42.10', benefit: '126 miles' },
  },
}
const adjustment: Adjustment = {
  kind: 'adjustment',
  adjustmentId: '6f1c2d0e-53a7-4d0b-9a51-0c3f1f6f2b7d',
  amount: 250,
  date: '2026-11-12',
}
const quoteReason = {
  code: 'earned',
  rule: 5,
  key: 'rewards.why.earned',
  params: { merchant: 'Trattoria Lucia', amount: '$60', benefit: '180 miles' },
}
const page = { status: 'earned', period: '2026-11', pageNo: 1, resultsPerPage: 10 } as const

export const activityExamples: CallGroup = {
  tag: 'Rewards',
  place: 130,
  description: 'What the member earned and can earn: activity, timelines, quotes, goals and personal offers.',
  examples: [
    example(listTransactions, schemas.listTransactions, {
      query: page,
      reply: { data: [adjustment, transaction], totalResultSize: 2, totalPages: 1 },
    }),
    example(listTransactionsAndCredits, schemas.listTransactionsAndCredits, {
      query: { pageNo: 1, resultsPerPage: 10 },
      reply: {
        data: [
          {
            kind: 'credit',
            creditId: 'c2nT8kYw5ZpAhM3v0cXb6r',
            creditAmountCents: 2500,
            targetType: 'card',
            targetLabel: 'Visa ending in 4242',
            payoutBrand: 'Visa',
            delivery: 'Card',
            benefitProcessor: 'dineback',
            status: 'completed',
            isChecking: false,
            date: '2026-11-12',
          },
        ],
        totalPages: 1,
      },
    }),
    example(exportActivity, schemas.exportActivity, {
      query: { period: '2026-11' },
      reply:
        'Date,Time,Description,Details,Amount in dollars,Refunded in dollars,Card ending in,Reward,Unit,Status\r\n' +
        '2026-11-06,19:42,Trattoria Lucia,,42.1,0,4242,126,miles,Posted\r\n',
    }),
    example(listGoals, schemas.listGoals, {
      reply: [
        {
          kind: 'vip',
          key: 'rewards.goal.vip',
          params: { count: '4', by: 'December 31' },
          progress: { done: 7, total: 11 },
        },
      ],
    }),
    example(getTransactionTimeline, schemas.getTransactionTimeline, {
      params: { id: transaction.sourceTransactionId },
      reply: {
        steps: [
          {
            at: '2026-11-07T00:42:00.000Z',
            key: 'rewards.story.seen',
            params: { merchant: 'Trattoria Lucia', lastFour: '4242', amount: '$42.10' },
          },
          { at: '2026-11-09T06:00:00.000Z', key: 'rewards.story.posted', params: { benefit: '126 miles' } },
        ],
        sum: [
          { key: 'rewards.sum.bill', params: {}, amount: '$42.10' },
          { key: 'rewards.sum.benefit', params: {}, amount: '126 miles' },
        ],
        next: null,
      },
    }),
    example(getStatementCreditBalance, schemas.getStatementCreditBalance, { reply: { memberBalance: 17.4 } }),
    example(getDineSummary, schemas.getDineSummary, { reply: { currentYearBenefits: 1260, currentYearDines: 9 } }),
    example(streamActivity, schemas.streamActivity, { reply: 'event: activity\ndata:\n\n' }),
    example(getFlexOffer, schemas.getFlexOffer, {
      params: { merchantId, publicId: 'hM3v0cXb6rQ2nT8kYw5ZpA' },
      reply: { id: 'f6rQ2nT8kYw5ZpAhM3v0cX', webMessageOfferAmount: '+5' },
    }),
    example(listFlexOffers, schemas.listFlexOffers, {
      reply: { offers: [{ merchantId, id: 'f6rQ2nT8kYw5ZpAhM3v0cX', webMessageOfferAmount: '+5' }] },
    }),
    example(getEarnQuote, schemas.getEarnQuote, {
      params: { merchantId },
      query: { amount: '60', date: '2026-12-04', time: '19:15' },
      reply: {
        benefit: 180,
        reason: quoteReason,
        basis: 'member',
        tier: 'OptedIn',
        ratePercent: 100,
        flexRate: 0,
        countedCents: 6000,
        visits: { used: 1, limit: 4 },
        bonus: 0,
        cardMissing: false,
      },
    }),
  ],
}
