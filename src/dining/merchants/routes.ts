import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import { loadMerchantPage } from './catalog/merchant-page.ts'
import * as citySchemas from './city-schemas.ts'
import {
  getCity,
  getMerchant,
  getMerchantReviews,
  getSearchFacets,
  listCities,
  listPins,
  searchMerchants,
  searchMerchantsByBody,
  suggestMerchants,
} from './contract.ts'
import type { ReservationProviders } from './names.ts'
import { loadMerchantReviews } from './reviews/load-reviews.ts'
import * as schemas from './schemas.ts'
import * as cityPages from './search/city-page.ts'
import type { MerchantReadModel } from './search/read-model.ts'
import { createSearch } from './search/search-merchants.ts'

export function merchantRoutes(
  app: FastifyInstance,
  { model, reservationProviders }: { model: MerchantReadModel; reservationProviders: ReservationProviders },
): void {
  const { search, facets, pins } = createSearch(model)
  registerRoute(app, searchMerchants, schemas.searchMerchants, (ctx, { query }) => search(ctx, query))
  registerRoute(app, searchMerchantsByBody, schemas.searchMerchantsByBody, (ctx, { body }) => search(ctx, body))
  registerRoute(app, getSearchFacets, schemas.getSearchFacets, (ctx, { query }) => facets(ctx, query))
  registerRoute(app, listPins, schemas.listPins, (ctx, { query }) => pins(ctx, query))
  registerRoute(app, suggestMerchants, schemas.suggestMerchants, (_ctx, { query }) => ({
    suggestions: model.suggest(query.query, 8),
  }))
  registerRoute(app, listCities, citySchemas.listCities, () => cityPages.listCities(model))
  registerRoute(app, getCity, citySchemas.getCity, (ctx, { params, query }) =>
    cityPages.getCity(ctx, model, { ...params, ...query }),
  )
  registerRoute(app, getMerchant, schemas.getMerchant, (ctx, { params }) =>
    loadMerchantPage(ctx, params.merchantId, reservationProviders),
  )
  registerRoute(app, getMerchantReviews, schemas.getMerchantReviews, (ctx, { params, query }) =>
    loadMerchantReviews(ctx, model, params.merchantId, query),
  )
}
