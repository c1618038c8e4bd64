import { Refusal } from '../kit/refusal.ts'
import type { Ctx } from '../kit/server/context.ts'
import type { Db } from '../kit/server/db.ts'
import type { ProgramConfig } from '../partners/contract.ts'
import { locate } from '../places/service.ts'
import type { Merchant, MerchantDetail, Offer, SearchAnswer, SearchRequest } from './contract.ts'
import { Hours, MenuSection, MerchantEvent, OrderingLink, positionLiterals, Weekday } from './contract.ts'
import { localDates, quarterOf } from './local-dates.ts'
import type { MerchantReadModel, SearchFilter } from './read-model.ts'
import { RecentAnswers } from './recent-answers.ts'
import { meanRating, offersOn } from './rules.ts'
import type { MerchantRow } from './store.ts'
import * as store from './store.ts'

export type { NetworkMerchant } from './store.ts'
export { findByLocation as merchantByNetworkLocation } from './store.ts'

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

/**
 * Searches a model. What was asked for of late is remembered until the merchants change: an answer depends on the
 * request, on two switches of the program and on the date, and not on who asks.
 */
export function createSearch(model: MerchantReadModel): (ctx: Ctx, request: SearchRequest) => SearchAnswer {
  const recent = new RecentAnswers<SearchAnswer>(500)
  model.onChange(() => recent.clear())
  return (ctx, request) => {
    const { acclaimedEnabled, openTableReservationsEnabled } = ctx.program.config
    const part = quarterOf(ctx.now())
    const question = JSON.stringify([acclaimedEnabled, openTableReservationsEnabled, part, request])
    return recent.get(question, () => searchFor(ctx, model, request))
  }
}

/** Restaurants for a request. Refusal `locationUnknown` when its place is none. */
function searchFor(ctx: Ctx, model: MerchantReadModel, request: SearchRequest): SearchAnswer {
  const origin = originOf(request)
  const { pageNo, pageSize } = request
  const today = localDates(ctx.now())
  const filter = filterOf(request, origin, ctx.program.config, today)
  const { rows, total } = model.search(filter, { pageNo, pageSize })
  return {
    merchants: rows.map(({ row, miles }) => cardOf(row, { miles, origin, today: today(row.timeZone) })),
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
function filterOf(
  request: SearchRequest,
  origin: Origin,
  config: ProgramConfig,
  today: SearchFilter['today'],
): SearchFilter {
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
    today,
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
    earn: offer ? { type: offer.type, days: offer.days, ratePercent: offer.ratePercent } : null,
  }
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
