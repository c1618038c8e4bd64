import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import { readDineSummary } from '../awards/dining-progress.ts'
import { memberFlexOffer, memberFlexOffers } from '../awards/flex-offers.ts'
import { type FeedParts, feedRoutes } from '../feed/routes.ts'
import { activityCsv } from './activity-csv.ts'
import type { ActivityHub } from './activity-stream.ts'
import {
  exportActivity,
  getDineSummary,
  getFlexOffer,
  getMealStory,
  getStatementCreditBalance,
  listFlexOffers,
  listGoals,
  listTransactions,
  listTransactionsAndCredits,
  quoteMeal,
  streamActivity,
} from './contract.ts'
import { readStory } from './meal-story.ts'
import { planGoals } from './plan-goals.ts'
import { quoteMeal as quote } from './quote-meal.ts'
import { readCreditBalance, readTransactions, readTransactionsAndCredits } from './read-activity.ts'
import { sendActivity } from './send-activity.ts'

export interface RewardParts extends FeedParts {
  hub: ActivityHub
}

export async function rewardRoutes(app: FastifyInstance, { hub, ...feed }: RewardParts): Promise<void> {
  serve(app, listTransactions, (ctx, { query }) => readTransactions(ctx, ctx.actor.memberId as number, query))
  serve(app, listTransactionsAndCredits, (ctx, { query }) =>
    readTransactionsAndCredits(ctx, ctx.actor.memberId as number, query),
  )
  serve(app, exportActivity, async (ctx, { query }, { reply }) => {
    const file = await activityCsv(ctx, ctx.actor.memberId as number, query)
    reply.type('text/csv; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="${ctx.partnerId}-activity.csv"`)
    return file
  })
  serve(app, listGoals, (ctx) => planGoals(ctx))
  serve(app, getMealStory, (ctx, { params }) => readStory(ctx, params.id))
  serve(app, getStatementCreditBalance, (ctx) => readCreditBalance(ctx, ctx.actor.memberId as number))
  serve(app, getDineSummary, (ctx) => readDineSummary(ctx, ctx.actor.memberId as number))
  serve(app, streamActivity, (ctx, _input, http) => sendActivity(ctx, ctx.actor.memberId as number, http, hub))
  serve(app, getFlexOffer, (ctx, { params }) => memberFlexOffer(ctx, params))
  serve(app, listFlexOffers, async (ctx) => ({ offers: await memberFlexOffers(ctx) }))
  serve(app, quoteMeal, (ctx, { params, query }) => quote(ctx, { ...params, ...query }))
  await app.register((inner) => feedRoutes(inner, feed))
}
