import { Refusal } from '../kit/refusal.ts'
import type { Ctx } from '../kit/server/context.ts'
import { localMoment } from '../kit/time.ts'
import type { ProgramConfig } from '../partners/contract.ts'
import { locate } from '../places/service.ts'
import type { Merchant, MerchantDetail, SearchAnswer, SearchRequest } from './contract.ts'
import { Hours, MenuSection, MerchantEvent, OrderingLink, positionLiterals } from './contract.ts'
import type { MerchantReadModel, SearchFilter } from './read-model.ts'
import { meanRating, offersOn } from './rules.ts'
import type { MerchantRow } from './store.ts'
import * as store from './store.ts'

export type { NetworkMerchant } from './store.ts'
export { findByLocation as merchantByNetworkLocation } from './store.ts'

const defaultRadius = 25
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

type Origin = SearchAnswer['origin']

/** Restaurants for a request. Refusal `locationUnknown` when its place is none. */
export function searchFor(ctx: Ctx, model: MerchantReadModel, request: SearchRequest): SearchAnswer {
  const origin = originOf(request)
  const { pageNo, pageSize } = request
  const { rows, total } = model.search(filterOf(request, origin, ctx.program.config), { pageNo, pageSize })
  return {
    merchants: rows.map(({ row, miles }) => cardOf(row, miles, origin, ctx.now())),
    totalResultSize: total,
    totalPages: Math.ceil(total / pageSize),
    pageNo,
    origin,
  }
}

function originOf({ location, latitude, longitude }: SearchRequest): Origin {
  const literal = positionLiterals.find((name) => name === location)
  if (latitude !== undefined && longitude !== undefined && (literal || !location)) {
    return { label: literal ?? 'Current Map View', latitude, longitude }
  }
  if (!location) return null
  const place = locate(location)
  if (!place) throw new Refusal('locationUnknown')
  return { label: place.label, latitude: place.latitude, longitude: place.longitude }
}

// A switch that the program does not have cannot be searched by either.
function filterOf(request: SearchRequest, origin: Origin, config: ProgramConfig): SearchFilter {
  return {
    text: request.restaurantOrCuisine ?? '',
    origin,
    radius: request.radius ?? defaultRadius,
    sortBy: request.sortBy ?? 'distance',
    acclaimed: config.acclaimedEnabled && request.acclaimed === true,
    isNew: request.isNew === true,
    reservations: config.openTableReservationsEnabled && request.reservations === true,
    features: request.features ?? [],
    mealsServed: request.mealsServed ?? [],
    earnDays: (request.benefitsFor ?? []).map((day) => weekdays.indexOf(day)),
    priceRange: request.priceRange ?? [],
    campaignCode: request.campaignCode ?? null,
  }
}

function cardOf(row: MerchantRow, miles: number | null, origin: Origin, now: Date): Merchant {
  const offer = offersOn(row.offers, localMoment(now, row.timeZone).date)[0]
  return {
    id: row.publicId,
    name: row.name,
    images: { imageBaseUrl: `/art/${row.publicId}` },
    details: {
      rating: { overallRating: meanRating(row.ratingSum, row.ratingCount), numberOfRatings: row.ratingCount },
      priceRange: row.priceRange,
      cuisines: row.cuisines,
      highlight: {
        comingSoon: row.highlight === 'comingSoon',
        leavingSoon: row.highlight === 'leavingSoon',
        new: row.highlight === 'new',
        acclaimed: row.highlight === 'acclaimed',
      },
    },
    location: {
      address: { address1: row.address1, city: row.city, state: row.state, zipCode: row.zipCode },
      neighborhood: row.neighborhood,
      latitude: row.latitude,
      longitude: row.longitude,
      phone: row.phone,
    },
    distance: miles === null ? null : Math.round(miles * 100) / 100,
    origin: origin?.label ?? null,
    acclaimedLevel: row.acclaimedLevel,
    benefitAvailability: { campaignCodes: row.campaignCodes },
    reservationProviders: row.reservationProvider ? [row.reservationProvider] : [],
    earn: offer ? { type: offer.type, days: offer.days, ratePercent: offer.ratePercent } : null,
  }
}

/** One restaurant's page. Refusal `merchantNotFound`, also for one that does not take part. */
export async function merchantPage(ctx: Ctx, model: MerchantReadModel, publicId: string): Promise<MerchantDetail> {
  const row = model.bySlug(publicId)
  const page = row && (await store.findPage(ctx.db, row.id))
  if (!row || !page) throw new Refusal('merchantNotFound')
  return {
    ...cardOf(row, null, null, ctx.now()),
    description: page.description,
    website: page.website,
    menuUrl: page.menuUrl,
    menus: MenuSection.array().parse(page.menus),
    events: MerchantEvent.array().parse(page.events),
    ordering: OrderingLink.array().parse(page.ordering),
    hours: page.hours === null ? null : Hours.parse(page.hours),
    timeZone: row.timeZone,
    features: row.features,
    meals: row.meals,
    offers: offersOn(row.offers, localMoment(ctx.now(), row.timeZone).date),
  }
}

/** A page of a restaurant's reviews. Refusal `merchantNotFound`. */
export async function merchantReviews(
  ctx: Ctx,
  model: MerchantReadModel,
  publicId: string,
  page: { pageNo: number; resultsPerPage: number },
) {
  const row = model.bySlug(publicId)
  if (!row) throw new Refusal('merchantNotFound')
  const { reviews, total } = await store.findReviews(ctx.db, row.id, page)
  return { data: reviews, totalResultSize: total, totalPages: Math.ceil(total / page.resultsPerPage) }
}
