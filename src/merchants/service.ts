import { Refusal } from '../kit/refusal.ts'
import type { Ctx } from '../kit/server/context.ts'
import type { Db } from '../kit/server/db.ts'
import { Prepared } from '../kit/server/serve.ts'
import { locate, type Place } from '../places/service.ts'
import type { Merchant, MerchantDetail, Offer, Pin, SearchAnswer, SearchFacets, SearchRequest } from './contract.ts'
import {
  Hours,
  MenuSection,
  MerchantEvent,
  mostPins,
  OrderingLink,
  positionLiterals,
  radiusLimit,
  Weekday,
} from './contract.ts'
import { localDates, quarterOf } from './local-dates.ts'
import type { MerchantReadModel, SearchFilter } from './read-model.ts'
import { RecentAnswers } from './recent-answers.ts'
import { meanRating, offersOn } from './rules.ts'
import type { MerchantRow } from './store.ts'
import * as store from './store.ts'

export type { NetworkMerchant } from './store.ts'
export { addReview, blankReviews, findByLocation as merchantByNetworkLocation } from './store.ts'

/** A restaurant that tables are booked at, with every offer it has or had. */
export type BookableMerchant = Omit<store.BookableMerchant, 'hours'> & { hours: MerchantDetail['hours'] }

/** The restaurant behind a page's id, when it takes part; behind its own id, always. */
export async function bookableMerchant(db: Db, id: string | number): Promise<BookableMerchant | undefined> {
  const row = typeof id === 'string' ? await store.findBookable(db, id) : await store.findBookableById(db, id)
  return row && { ...row, hours: row.hours === null ? null : Hours.parse(row.hours) }
}

/** Whether a meal on a local date earns by these offers. */
export function earnsOn(offers: readonly Offer[], date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return offersOn(offers, date).some(({ days, ratePercent }) => ratePercent > 0 && days.includes(weekday))
}

/** Miles. */
const defaultRadius = 25

type Origin = SearchAnswer['origin']

export interface MerchantSearch {
  /** Restaurants for a request. Refusal `locationUnknown` when its place is none; the same for the others. */
  search(ctx: Ctx, request: SearchRequest): Prepared<SearchAnswer>
  facets(ctx: Ctx, request: SearchRequest): SearchFacets
  pins(ctx: Ctx, request: SearchRequest): { pins: Pin[]; total: number }
}

/**
 * Searches a model. What was asked for of late is remembered until the merchants change: an answer depends on the
 * request, on two switches of the program and on the date, and not on who asks.
 */
export function createSearch(model: MerchantReadModel): MerchantSearch {
  const recent = new RecentAnswers<Prepared<SearchAnswer>>(500)
  model.onChange(() => recent.clear())
  return {
    search(ctx, request) {
      const { acclaimedEnabled, openTableReservationsEnabled } = ctx.program.config
      const part = quarterOf(ctx.now())
      const question = JSON.stringify([acclaimedEnabled, openTableReservationsEnabled, part, request])
      return recent.get(question, () => new Prepared(searchFor(ctx, model, request)))
    },
    facets: (ctx, request) => facetsFor(ctx, model, request),
    pins: (ctx, request) => pinsFor(ctx, model, request),
  }
}

function searchFor(ctx: Ctx, model: MerchantReadModel, request: SearchRequest): SearchAnswer {
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

/** The same request without one of its conditions each; `radius` reaches as far as a search can. */
function relaxationsOf(request: SearchRequest, { origin, state }: SearchPlace) {
  const without = conditions
    .filter((name) => request[name] !== undefined && request[name] !== false)
    .map((name) => ({ without: name as string, relaxed: { ...request, [name]: undefined } }))
  const farther = { without: 'radius', relaxed: { ...request, radius: radiusLimit } }
  return origin && state === null ? [...without, farther] : without
}

function pinsFor(ctx: Ctx, model: MerchantReadModel, request: SearchRequest): { pins: Pin[]; total: number } {
  const filter = filterOf(ctx, request, placeOfSearch(model, request))
  const { rows, total } = model.search(filter, { pageNo: 1, pageSize: mostPins })
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
  if (!place) throw new Refusal('locationUnknown')
  const origin = { label: place.label, latitude: place.latitude, longitude: place.longitude }
  return { origin, state: place.state ?? null }
}

// A switch that the program does not have cannot be searched by either.
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
 * One restaurant's page. Refusal `merchantNotFound`, also for one that never took part; one that has left keeps its
 * page, without offers, since members have meals there in their activity.
 */
export async function merchantPage(ctx: Ctx, publicId: string): Promise<MerchantDetail> {
  const row = await store.findPage(ctx.db, publicId)
  if (!row || (!row.participating && row.leftOn === null)) throw new Refusal('merchantNotFound')
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

/** The restaurant's name and menu, for pictures of it; null when there is no such page. */
export async function menuOf(ctx: Ctx, publicId: string): Promise<{ name: string; menus: MenuSection[] } | null> {
  const row = await store.findPage(ctx.db, publicId)
  if (!row || (!row.participating && row.leftOn === null)) return null
  return { name: row.name, menus: MenuSection.array().parse(row.menus) }
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
