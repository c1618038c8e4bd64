import { type CallGroup, example } from '../../platform/call-examples.ts'
import * as citySchemas from './city-schemas.ts'
import {
  getCity,
  getMerchant,
  getMerchantReviews,
  getSearchFacets,
  listCities,
  listPins,
  type Merchant,
  type SearchResponse,
  searchMerchants,
  searchMerchantsByBody,
  suggestMerchants,
} from './contract.ts'
import * as schemas from './schemas.ts'

const merchant: Merchant = {
  id: 'trattoria-lucia-new-york',
  name: 'Trattoria Lucia',
  images: { imageBaseUrl: '/art/trattoria-lucia-new-york' },
  details: {
    rating: { overallRating: 4.6, numberOfRatings: 212 },
    priceRange: 2,
    cuisines: ['Italian'],
    highlight: { comingSoon: false, leavingSoon: false, new: false, acclaimed: true },
  },
  location: {
    address: { address1: '118 West 27th Street', city: 'New York', state: 'NY', zipCode: '10001' },
    neighborhood: 'Chelsea',
    latitude: 40.7457,
    longitude: -73.9921,
    phone: '2125550148',
  },
  distance: 0.3,
  origin: 'New York, NY 10001',
  acclaimedLevel: 1,
  benefitAvailability: { campaignCodes: [] },
  reservationProviders: ['book'],
  earn: { type: 'Unlimited', days: [0, 1, 2, 3, 4, 5, 6], ratePercent: 125 },
}

const query = { location: '10001', radius: 5, features: ['dineIn'], benefitsFor: ['Fri'], pageSize: 10 } as const
const search = { ...query, features: [...query.features], benefitsFor: [...query.benefitsFor] }
const found: SearchResponse = {
  merchants: [merchant],
  totalResultSize: 1,
  totalPages: 1,
  pageNo: 1,
  origin: { label: 'New York, NY 10001', latitude: 40.7484, longitude: -73.9967 },
}

const city = { slug: 'new-york-ny', name: 'New York', state: 'NY', count: 1 }
const cuisine = { slug: 'italian', name: 'Italian', count: 1 }

export const merchantExamples: CallGroup = {
  tag: 'Restaurants',
  place: 40,
  description: 'The restaurants of the program: search, map and the page of each restaurant.',
  examples: [
    example(searchMerchants, schemas.searchMerchants, { query: search, reply: found }),
    example(searchMerchantsByBody, schemas.searchMerchantsByBody, { body: search, reply: found }),
    example(getSearchFacets, schemas.getSearchFacets, {
      query: search,
      reply: {
        total: 1,
        acclaimed: 1,
        isNew: 0,
        reservations: 1,
        features: { dineIn: 1, takeout: 1 },
        mealsServed: { lunch: 1, dinner: 1 },
        priceRange: { '2': 1 },
        relaxations: [],
      },
    }),
    example(listPins, schemas.listPins, {
      query: search,
      reply: {
        pins: [
          {
            id: merchant.id,
            name: merchant.name,
            place: 'Chelsea',
            latitude: 40.7457,
            longitude: -73.9921,
            priceRange: 2,
            acclaimedLevel: 1,
            ratePercent: 125,
          },
        ],
        total: 1,
      },
    }),
    example(suggestMerchants, schemas.suggestMerchants, {
      query: { query: 'tratt' },
      reply: { suggestions: ['Trattoria Lucia'] },
    }),
    example(listCities, citySchemas.listCities, {
      reply: { states: [{ name: 'New York', cities: [city] }], totalCities: 1, totalRestaurants: 1 },
    }),
    example(getCity, citySchemas.getCity, {
      params: { city: city.slug },
      query: { cuisine: 'italian', pageNo: 1 },
      reply: {
        city,
        cuisine,
        merchants: [{ ...merchant, distance: null, origin: null }],
        totalResultSize: 1,
        totalPages: 1,
        pageNo: 1,
        cuisines: [cuisine],
        neighbors: [{ slug: 'brooklyn-ny', name: 'Brooklyn', state: 'NY', count: 6 }],
      },
    }),
    example(getMerchant, schemas.getMerchant, {
      params: { merchantId: merchant.id },
      reply: {
        ...merchant,
        distance: null,
        origin: null,
        participating: true,
        socialImageUrl: '/art/trattoria-lucia-new-york/social/0Zr3uGmXv1b2N4cTq8yLkA.png',
        description: 'Handmade pasta and a short list of wines from Emilia-Romagna.',
        website: 'https://trattoria-lucia.example.com',
        menuUrl: 'https://trattoria-lucia.example.com/menu',
        menus: [{ section: 'Pasta', dishes: [{ name: 'Tagliatelle al ragù', priceCents: 2400 }] }],
        menuImages: [{ section: 'Pasta', url: '/art/trattoria-lucia-new-york/menu/0' }],
        events: [{ title: 'Truffle week', date: '2026-11-27', text: 'White truffles with every pasta.' }],
        ordering: [{ name: 'Order online', url: 'https://order.example.com/trattoria-lucia' }],
        hours: { '5': [['17:00', '23:00']] },
        timeZone: 'America/New_York',
        features: ['dineIn', 'takeout'],
        meals: ['lunch', 'dinner'],
        offers: [
          {
            type: 'Unlimited',
            days: [0, 1, 2, 3, 4, 5, 6],
            startsOn: '2026-01-01',
            endsOn: null,
            maxSpendCents: null,
            maxVisitsPerMonth: null,
            maxMonthlySpendCents: null,
            minSpendCents: 0,
            hours: null,
            ratePercent: 125,
          },
        ],
      },
    }),
    example(getMerchantReviews, schemas.getMerchantReviews, {
      params: { merchantId: merchant.id },
      query: { pageNo: 1, resultsPerPage: 10 },
      reply: {
        data: [{ rating: 5, author: 'Ana R.', body: 'The ragù alone is worth the trip.', visitedOn: '2026-10-09' }],
        totalResultSize: 1,
        totalPages: 1,
      },
    }),
  ],
}
