import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import { readDineSummary } from '../awards/dining-progress.ts'
import { type FeedDeps, feedRoutes } from '../feed/routes.ts'
import { activityCsv } from './activity-csv.ts'
import type { ActivityHub } from './activity-stream.ts'
import {
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
import { computeEarnQuote as quote } from './earn-quote.ts'
import { getMemberFlexOffer, listMemberFlexOffers } from './flex-offers.ts'
import { planGoals } from './plan-goals.ts'
import { readCreditBalance, readTransactions, readTransactionsAndCredits } from './read-activity.ts'
import * as schemas from './schemas.ts'
import { sendActivity } from './send-activity.ts'
import { readTransactionTimeline } from './transaction-timeline.ts'

export interface RewardDeps extends FeedDeps {
  hub: ActivityHub
}

export async function rewardRoutes(app: FastifyInstance, { hub, ...feed }: RewardDeps): Promise<void> {
  registerRoute(app, listTransactions, schemas.listTransactions, (ctx, { query }) =>
    readTransactions(ctx, ctx.actor.memberId, query),
  )
  registerRoute(app, listTransactionsAndCredits, schemas.listTransactionsAndCredits, (ctx, { query }) =>
    readTransactionsAndCredits(ctx, ctx.actor.memberId, query),
  )
  registerRoute(app, exportActivity, schemas.exportActivity, async (ctx, { query }, { reply }) => {
    const file = await activityCsv(ctx, ctx.actor.memberId, query)
    reply.type('text/csv; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="${ctx.partnerId}-activity.csv"`)
    return file
  })
  registerRoute(app, listGoals, schemas.listGoals, (ctx) => planGoals(ctx))
  registerRoute(app, getTransactionTimeline, schemas.getTransactionTimeline, (ctx, { params }) =>
    readTransactionTimeline(ctx, params.id),
  )
  registerRoute(app, getStatementCreditBalance, schemas.getStatementCreditBalance, (ctx) =>
    readCreditBalance(ctx, ctx.actor.memberId),
  )
  registerRoute(app, getDineSummary, schemas.getDineSummary, (ctx) => readDineSummary(ctx, ctx.actor.memberId))
  registerRoute(app, streamActivity, schemas.streamActivity, (ctx, _input, http) =>
    sendActivity(ctx, ctx.actor.memberId, http, hub),
  )
  registerRoute(app, getFlexOffer, schemas.getFlexOffer, (ctx, { params }) => getMemberFlexOffer(ctx, params))
  registerRoute(app, listFlexOffers, schemas.listFlexOffers, async (ctx) => ({
    offers: await listMemberFlexOffers(ctx),
  }))
  registerRoute(app, getEarnQuote, schemas.getEarnQuote, (ctx, { params, query }) =>
    quote(ctx, { ...params, ...query }),
  )
  await app.register((inner) => feedRoutes(inner, feed))
}
