import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Adjustment, EarnQuote, Goal, RewardEntry, TransactionTimeline } from './schemas.ts'

export const listTransactions = defineCall<typeof schemas.listTransactions>()({
  id: 'listTransactions',
  method: 'GET',
  path: '/api/Member/Transactions',
  access: 'member',
})

export const listTransactionsAndCredits = defineCall<typeof schemas.listTransactionsAndCredits>()({
  id: 'listTransactionsAndCredits',
  method: 'GET',
  path: '/api/Member/TransactionsStatementCredits',
  access: 'member',
})

export const exportActivity = defineCall<typeof schemas.exportActivity>()({
  id: 'exportActivity',
  method: 'GET',
  path: '/api/Member/Activity/Export',
  access: 'member',
})

export const getStatementCreditBalance = defineCall<typeof schemas.getStatementCreditBalance>()({
  id: 'getStatementCreditBalance',
  method: 'GET',
  path: '/api/Member/StatementCreditBalance',
  access: 'member',
})

export const getDineSummary = defineCall<typeof schemas.getDineSummary>()({
  id: 'getDineSummary',
  method: 'GET',
  path: '/api/Member/DineSummary',
  access: 'member',
})

export const getTransactionTimeline = defineCall<typeof schemas.getTransactionTimeline>()({
  id: 'getTransactionTimeline',
  method: 'GET',
  path: '/api/Member/Transactions/:id/Story',
  access: 'member',
})

export const listGoals = defineCall<typeof schemas.listGoals>()({
  id: 'listGoals',
  method: 'GET',
  path: '/api/Member/Goals',
  access: 'member',
})

export const streamActivity = defineCall<typeof schemas.streamActivity>()({
  id: 'streamActivity',
  method: 'GET',
  path: '/api/Member/Activity/Stream',
  access: 'member',
})

export const getFlexOffer = defineCall<typeof schemas.getFlexOffer>()({
  id: 'getFlexOffer',
  method: 'GET',
  path: '/api/merchants/:merchantId/flex-offers/members/:publicId',
  access: 'member',
})

export const listFlexOffers = defineCall<typeof schemas.listFlexOffers>()({
  id: 'listFlexOffers',
  method: 'GET',
  path: '/api/Member/FlexOffers',
  access: 'member',
})

export const getEarnQuote = defineCall<typeof schemas.getEarnQuote>()({
  id: 'getEarnQuote',
  method: 'GET',
  path: '/api/v2/Merchants/:merchantId/Earn',
  access: 'anyone',
})
