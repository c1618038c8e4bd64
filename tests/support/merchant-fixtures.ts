import type { MerchantRow } from '../../src/dining/merchants/catalog/store.ts'
import type { SearchFilter } from '../../src/dining/merchants/search/query.ts'

/** Returns a restaurant in Chelsea, New York, with one offer for every day; `over` overrides fields. */
export function merchantRow(over: Partial<MerchantRow> = {}): MerchantRow {
  const id = over.id ?? 1
  return {
    id,
    publicId: `kumo-sushi-new-york-${id}`,
    name: 'Kumo Sushi',
    cuisines: ['Japanese', 'Sushi'],
    features: ['dineIn'],
    meals: ['dinner'],
    priceRange: 2,
    ratingSum: 45,
    ratingCount: 10,
    highlight: null,
    acclaimedLevel: 0,
    campaignCodes: [],
    address1: '212 9th Avenue',
    city: 'New York',
    state: 'NY',
    zipCode: '10001',
    neighborhood: 'Chelsea',
    latitude: 40.7495,
    longitude: -73.9962,
    timeZone: 'America/New_York',
    phone: '',
    reservationProvider: null,
    participating: true,
    joinedOn: '2024-03-01',
    version: 1,
    updatedOn: '2026-03-01',
    offers: [
      {
        type: 'Unlimited',
        days: [0, 1, 2, 3, 4, 5, 6],
        startsOn: '2021-01-01',
        endsOn: null,
        maxSpendCents: null,
        maxVisitsPerMonth: null,
        maxMonthlySpendCents: null,
        minSpendCents: 0,
        hours: null,
        ratePercent: 100,
      },
    ],
    ...over,
  }
}

/** Returns a search without filters. */
export function searchFilter(over: Partial<SearchFilter> = {}): SearchFilter {
  return {
    text: '',
    origin: null,
    radius: 25,
    sortBy: 'distance',
    acclaimed: false,
    isNew: false,
    reservations: false,
    features: [],
    mealsServed: [],
    earnDays: [],
    priceRange: [],
    campaignCode: null,
    state: null,
    today: () => '2026-11-20',
    ...over,
  }
}
