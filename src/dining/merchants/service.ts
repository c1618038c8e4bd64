import type { Db } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { SerializedJson } from '../../platform/http/register-route.ts'
import { locate, type Place } from '../../programs/places/service.ts'
import type { MerchantRow } from './catalog/store.ts'
import * as store from './catalog/store.ts'
import type { Merchant, MerchantDetail, Offer, Pin, SearchFacets, SearchRequest, SearchResponse } from './contract.ts'
import {
  Hours,
  MenuSection,
  MerchantEvent,
  maxPins,
  OrderingLink,
  positionLiterals,
  radiusLimit,
  Weekday,
} from './contract.ts'
import { meanRating, offersOn } from './rules.ts'
import { localDates, quarterHourOf } from './search/local-dates.ts'
import { LruCache } from './search/lru-cache.ts'
import type { MerchantReadModel, SearchFilter } from './search/read-model.ts'

export type { NetworkMerchant } from './catalog/store.ts'
export { addReview, findByLocation as findMerchantByNetworkLocation, redactReviews } from './catalog/store.ts'

/** A restaurant that accepts reservations, with every current and past offer. */
export type BookableMerchant = Omit<store.BookableMerchant, 'hours'> & { hours: MerchantDetail['hours'] }

/** Finds a participating restaurant by its public id, or any restaurant by its internal id. */
export async function findBookableMerchant(db: Db, id: string | number): Promise<BookableMerchant | undefined> {
  const row = typeof id === 'string' ? await store.findBookable(db, id) : await store.findBookableById(db, id)
  return row && { ...row, hours: row.hours === null ? null : Hours.parse(row.hours) }
}

/** Returns true when a transaction on a local date earns with these offers. */
export function earnsOn(offers: readonly Offer[], date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return offersOn(offers, date).some(({ days, ratePercent }) => ratePercent > 0 && days.includes(weekday))
}

/** Miles. */
const defaultRadius = 25

type Origin = SearchResponse['origin']

export interface MerchantSearch {
  /** Returns the merchants of a request. Throws `locationUnknown` for an unknown location; so do the other methods. */
  search(ctx: Ctx, request: SearchRequest): SerializedJson<SearchResponse>
  facets(ctx: Ctx, request: SearchRequest): SearchFacets
  pins(ctx: Ctx, request: SearchRequest): { pins: Pin[]; total: number }
}

/**
 * Searches a model. Recent results are cached until the merchants change; they depend on the request, two program flags
 * and the date, not on the user.
 */
export function createSearch(model: MerchantReadModel): MerchantSearch {
  const recent = new LruCache<SerializedJson<SearchResponse>>(500)
  model.onChange(() => recent.clear())
  return {
    search(ctx, request) {
      const { acclaimedEnabled, openTableReservationsEnabled } = ctx.program.config
      const part = quarterHourOf(ctx.now())
      const key = JSON.stringify([acclaimedEnabled, openTableReservationsEnabled, part, request])
      return recent.get(key, () => new SerializedJson(searchFor(ctx, model, request)))
    },
    facets: (ctx, request) => facetsFor(ctx, model, request),
    pins: (ctx, request) => pinsFor(ctx, model, request),
  }
}

function searchFor(ctx: Ctx, model: MerchantReadModel, request: SearchRequest): SearchResponse {
  const place = placeOfSearch(model, request)
  const { pageNo, pageSize } = request
  const today = localDates(ctx.now())
  const { rows, total } = model.search(filterOf(ctx, request, place), { pageNo, pageSize })
  const { origin } = place
  return {
    merchants: rows.map(({ row, miles }) => cardOf(row, { miles, origin, today: today(row.timeZone) })),
    totalResultSize: total,
    totalPages: Math.ceil(total / pageSize),
    pageNo,
    origin,
  }
}

const counting = { pageNo: 1, pageSize: 1 }

function facetsFor(ctx: Ctx, model: MerchantReadModel, request: SearchRequest): SearchFacets {
  const place = placeOfSearch(model, request)
  const totalOf = (changed: SearchRequest) => model.search(filterOf(ctx, changed, place), counting).total
  const total = totalOf(request)
  return {
    total,
    ...model.count(filterOf(ctx, request, place)),
    relaxations:
      total > 0
        ? []
        : relaxationsOf(request, place)
            .map(({ without, relaxed }) => ({ without, total: totalOf(relaxed) }))
            .filter((relaxation) => relaxation.total > 0)
            .toSorted((a, b) => b.total - a.total),
  }
}

const conditions = [
  'restaurantOrCuisine',
  'acclaimed',
  'isNew',
  'reservations',
  'benefitsFor',
  'features',
  'mealsServed',
  'priceRange',
  'campaignCode',
] as const

/** Returns the request without each one of its conditions; without `radius` it has the maximum radius. */
function relaxationsOf(request: SearchRequest, { origin, state }: SearchPlace) {
  const without = conditions
    .filter((name) => request[name] !== undefined && request[name] !== false)
    .map((name) => ({ without: name as string, relaxed: { ...request, [name]: undefined } }))
  const farther = { without: 'radius', relaxed: { ...request, radius: radiusLimit } }
  return origin && state === null ? [...without, farther] : without
}

function pinsFor(ctx: Ctx, model: MerchantReadModel, request: SearchRequest): { pins: Pin[]; total: number } {
  const filter = filterOf(ctx, request, placeOfSearch(model, request))
  const { rows, total } = model.search(filter, { pageNo: 1, pageSize: maxPins })
  const today = localDates(ctx.now())
  const pins = rows.map(({ row }) => ({
    id: row.publicId,
    name: row.name,
    place: row.neighborhood || row.city,
    latitude: row.latitude,
    longitude: row.longitude,
    priceRange: row.priceRange,
    acclaimedLevel: row.acclaimedLevel,
    ratePercent: offersOn(row.offers, today(row.timeZone))[0]?.ratePercent ?? null,
  }))
  return { pins, total }
}

interface SearchPlace {
  origin: Origin
  state: string | null
}

function placeOfSearch(
  model: Pick<MerchantReadModel, 'findNeighborhood'>,
  { location, latitude, longitude }: SearchRequest,
): SearchPlace {
  const literal = positionLiterals.find((name) => name === location)
  if (latitude !== undefined && longitude !== undefined && (literal || !location)) {
    return { origin: { label: literal ?? 'Current Map View', latitude, longitude }, state: null }
  }
  if (!location) return { origin: null, state: null }
  const place: Place | undefined = locate(location) ?? model.findNeighborhood(location)
  if (!place) throw new ApiError('locationUnknown')
  const origin = { label: place.label, latitude: place.latitude, longitude: place.longitude }
  return { origin, state: place.state ?? null }
}

// Filters of features that the program has disabled are ignored.
function filterOf(ctx: Ctx, request: SearchRequest, { origin, state }: SearchPlace): SearchFilter {
  const { config } = ctx.program
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
    earnDays: (request.benefitsFor ?? []).map((day) => Weekday.options.indexOf(day)),
    priceRange: request.priceRange ?? [],
    campaignCode: request.campaignCode ?? null,
    state,
    today: localDates(ctx.now()),
  }
}

function cardOf(row: MerchantRow, seen: { miles: number | null; origin: Origin; today: string }): Merchant {
  const { miles, origin, today } = seen
  const offer = offersOn(row.offers, today)[0]
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
    earn: offer ? earnOf(offer) : null,
  }
}

function earnOf({ type, days, ratePercent, hours, minSpendCents }: Offer): NonNullable<Merchant['earn']> {
  return { type, days, ratePercent, ...(hours && { hours }), ...(minSpendCents > 0 && { minSpendCents }) }
}

/**
 * Returns one restaurant's page. Throws `merchantNotFound`, also for a merchant that never participated. One that has
 * left keeps its page, without offers, because members' activity links to it.
 */
export async function loadMerchantPage(ctx: Ctx, publicId: string): Promise<MerchantDetail> {
  const row = await store.findPage(ctx.db, publicId)
  if (!row || (!row.participating && row.leftOn === null)) throw new ApiError('merchantNotFound')
  const today = localDates(ctx.now())(row.timeZone)
  const offers = row.participating ? offersOn(row.offers, today) : []
  const menus = MenuSection.array().parse(row.menus)
  return {
    ...cardOf({ ...row, offers }, { miles: null, origin: null, today }),
    participating: row.participating,
    description: row.description,
    website: row.website,
    menuUrl: row.menuUrl,
    menus,
    menuImages: menus.map(({ section }, index) => ({ section, url: `/art/${row.publicId}/menu/${index}` })),
    events: MerchantEvent.array()
      .parse(row.events)
      .filter(({ date }) => date >= today),
    ordering: OrderingLink.array().parse(row.ordering),
    hours: row.hours === null ? null : Hours.parse(row.hours),
    timeZone: row.timeZone,
    features: row.features,
    meals: row.meals,
    offers,
  }
}

/** Returns the restaurant's name and menu, for images; null when there is no such page. */
export async function findMenu(ctx: Ctx, publicId: string): Promise<{ name: string; menus: MenuSection[] } | null> {
  const row = await store.findPage(ctx.db, publicId)
  if (!row || (!row.participating && row.leftOn === null)) return null
  return { name: row.name, menus: MenuSection.array().parse(row.menus) }
}

/** Returns a page of a restaurant's reviews. Throws `merchantNotFound`. */
export async function loadMerchantReviews(
  ctx: Ctx,
  model: MerchantReadModel,
  publicId: string,
  page: { pageNo: number; resultsPerPage: number },
) {
  const row = model.bySlug(publicId)
  if (!row) throw new ApiError('merchantNotFound')
  const { reviews, total } = await store.findReviews(ctx.db, row.id, page)
  return { data: reviews, totalResultSize: total, totalPages: Math.ceil(total / page.resultsPerPage) }
}
