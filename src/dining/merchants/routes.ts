import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import {
  getMerchant,
  getMerchantReviews,
  getSearchFacets,
  listPins,
  searchMerchants,
  searchMerchantsByBody,
  suggestMerchants,
} from './contract.ts'
import type { MerchantReadModel } from './search/read-model.ts'
import { createSearch, merchantPage, merchantReviews } from './service.ts'

export function merchantRoutes(app: FastifyInstance, { model }: { model: MerchantReadModel }): void {
  const { search, facets, pins } = createSearch(model)
  serve(app, searchMerchants, (ctx, { query }) => search(ctx, query))
  serve(app, searchMerchantsByBody, (ctx, { body }) => search(ctx, body))
  serve(app, getSearchFacets, (ctx, { query }) => facets(ctx, query))
  serve(app, listPins, (ctx, { query }) => pins(ctx, query))
  serve(app, suggestMerchants, (_ctx, { query }) => ({ suggestions: model.suggest(query.query, 8) }))
  serve(app, getMerchant, (ctx, { params }) => merchantPage(ctx, params.merchantId))
  serve(app, getMerchantReviews, (ctx, { params, query }) => merchantReviews(ctx, model, params.merchantId, query))
}
