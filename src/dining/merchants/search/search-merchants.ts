import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../../platform/http/context.ts'
import { SerializedJson } from '../../../platform/http/register-route.ts'
import { toEarn } from '../catalog/to-merchant.ts'
import type { Offer, Pin, SearchFacets, SearchRequest, SearchResponse } from '../contract.ts'
import { radiusLimit } from '../names.ts'
import { offersOn } from '../rules.ts'
import { localDates, quarterHourOf } from './local-dates.ts'
import type { MerchantReadModel } from './read-model.ts'
import { findPlace, type SearchPlace, toFilter } from './search-filter.ts'
import { merchantJson, searchJson } from './search-json.ts'

/** Maximum number of pins on one map. */
const maxPins = 300

export interface MerchantSearch {
  /** Returns the merchants of a request. Throws `locationUnknown` for an unknown location; so do the other methods. */
  search(ctx: Ctx, request: SearchRequest): SerializedJson<SearchResponse>
  facets(ctx: Ctx, request: SearchRequest): SearchFacets
  pins(ctx: Ctx, request: SearchRequest): { pins: Pin[]; total: number }
}

/** Number of search results that are cached: popular searches repeat between changes of the restaurants. */
const maxRecent = 500

/**
 * Searches a model. Recent results are cached until the merchants change; they depend on the request, two program flags
 * and the date, not on the user.
 */
export function createSearch(model: MerchantReadModel): MerchantSearch {
  const recent = new LRUCache<string, SerializedJson<SearchResponse>, { ctx: Ctx; request: SearchRequest }>({
    max: maxRecent,
    memoMethod: (_key, _stale, { context }) => searchFor(context.ctx, model, context.request),
  })
  model.onChange(() => recent.clear())
  return {
    search(ctx, request) {
      const { acclaimedEnabled, openTableReservationsEnabled } = ctx.program.config
      const part = quarterHourOf(ctx.now())
      const key = JSON.stringify([acclaimedEnabled, openTableReservationsEnabled, part, request])
      return recent.memo(key, { context: { ctx, request } })
    },
    facets: (ctx, request) => facetsFor(ctx, model, request),
    pins: (ctx, request) => pinsFor(ctx, model, request),
  }
}

function searchFor(ctx: Ctx, model: MerchantReadModel, request: SearchRequest): SerializedJson<SearchResponse> {
  const place = findPlace(model, request)
  const { pageNo, pageSize } = request
  const today = localDates(ctx.now())
  const { rows, total } = model.search(toFilter(ctx, request, place), { pageNo, pageSize })
  const { origin } = place
  const originJson = JSON.stringify(origin?.label ?? null)
  // The distance to the middle of a state concerns nobody.
  const isState = place.state !== null
  const merchants = rows.map(({ row, miles }) =>
    merchantJson(row, isState ? null : miles, originJson, today(row.timeZone)),
  )
  const totals = { totalResultSize: total, totalPages: Math.ceil(total / pageSize), pageNo }
  return new SerializedJson(searchJson(merchants, { ...totals, origin }))
}

const counting = { pageNo: 1, pageSize: 1 }

function facetsFor(ctx: Ctx, model: MerchantReadModel, request: SearchRequest): SearchFacets {
  const place = findPlace(model, request)
  const totalOf = (changed: SearchRequest) => model.search(toFilter(ctx, changed, place), counting).total
  const total = totalOf(request)
  return {
    total,
    ...model.count(toFilter(ctx, request, place)),
    relaxations:
      total > 0
        ? []
        : relax(request, place)
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

/** Returns one request per condition, without that condition. The one without `radius` has the maximum radius. */
function relax(request: SearchRequest, { origin, state }: SearchPlace) {
  const without = conditions
    .filter((name) => request[name] !== undefined && request[name] !== false)
    .map((name) => ({ without: name as string, relaxed: { ...request, [name]: undefined } }))
  const farther = { without: 'radius', relaxed: { ...request, radius: radiusLimit } }
  return origin && state === null ? [...without, farther] : without
}

function pinsFor(ctx: Ctx, model: MerchantReadModel, request: SearchRequest): { pins: Pin[]; total: number } {
  const filter = toFilter(ctx, request, findPlace(model, request))
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
    ...earnOfPin(offersOn(row.offers, today(row.timeZone))[0]),
  }))
  return { pins, total }
}

function earnOfPin(offer: Offer | undefined): Pick<Pin, 'ratePercent' | 'days' | 'hours' | 'minSpendCents'> {
  if (!offer) return { ratePercent: null }
  const { type: _, days, ...earn } = toEarn(offer)
  return { ...earn, ...(days.length < 7 && { days }) }
}
