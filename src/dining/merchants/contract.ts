import { defineCall } from '../../platform/call.ts'
import type * as citySchemas from './city-schemas.ts'
import type * as schemas from './schemas.ts'

export type { CityList, CityPage } from './city-schemas.ts'
export type {
  MenuSection,
  Merchant,
  MerchantDetail,
  Offer,
  Pin,
  SearchFacets,
  SearchRequest,
  SearchResponse,
} from './schemas.ts'

export const searchMerchants = defineCall<typeof schemas.searchMerchants>()({
  id: 'searchMerchants',
  method: 'GET',
  path: '/api/v2/Merchants/Search',
  access: 'anyone',
})

export const searchMerchantsByBody = defineCall<typeof schemas.searchMerchantsByBody>()({
  id: 'searchMerchantsByBody',
  method: 'POST',
  path: '/api/v2/Merchants/Search',
  access: 'anyone',
  readOnly: true,
  // The call changes nothing, so it needs no CSRF protection.
  csrf: false,
})

export const getSearchFacets = defineCall<typeof schemas.getSearchFacets>()({
  id: 'getSearchFacets',
  method: 'GET',
  path: '/api/v2/Merchants/Facets',
  access: 'anyone',
})

export const listPins = defineCall<typeof schemas.listPins>()({
  id: 'listPins',
  method: 'GET',
  path: '/api/v2/Merchants/Pins',
  access: 'anyone',
})

export const getMerchant = defineCall<typeof schemas.getMerchant>()({
  id: 'getMerchant',
  method: 'GET',
  path: '/api/v2/Merchants/:merchantId',
  access: 'anyone',
})

export const getMerchantReviews = defineCall<typeof schemas.getMerchantReviews>()({
  id: 'getMerchantReviews',
  method: 'GET',
  path: '/api/v2/Merchants/:merchantId/Reviews',
  access: 'anyone',
})

export const suggestMerchants = defineCall<typeof schemas.suggestMerchants>()({
  id: 'suggestMerchants',
  method: 'GET',
  path: '/api/v2/Merchants/Suggest',
  access: 'anyone',
})

export const listCities = defineCall<typeof citySchemas.listCities>()({
  id: 'listCities',
  method: 'GET',
  path: '/api/v2/Cities',
  access: 'anyone',
})

export const getCity = defineCall<typeof citySchemas.getCity>()({
  id: 'getCity',
  method: 'GET',
  path: '/api/v2/Cities/:city',
  access: 'anyone',
})
