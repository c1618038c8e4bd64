import { ApiError } from '../../../platform/errors.ts'
import type { Ctx } from '../../../platform/http/context.ts'
import { locate, type Place } from '../../../programs/places/service.ts'
import type { SearchRequest, SearchResponse } from '../contract.ts'
import { positionLiterals } from '../names.ts'
import { Weekday } from '../schemas.ts'
import { localDates } from './local-dates.ts'
import type { SearchFilter } from './query.ts'
import type { MerchantReadModel } from './read-model.ts'

/** Miles. */
const defaultRadius = 25

/** Where a search is. `state` is set when the location is a whole state. */
export interface SearchPlace {
  origin: SearchResponse['origin']
  state: string | null
  city?: SearchFilter['city']
}

/** Returns the place that a request names. Throws `locationUnknown`. */
export function findPlace(
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

/** Returns the filter of a request; conditions on features that the program has disabled are ignored. */
export function toFilter(ctx: Ctx, request: SearchRequest, { origin, state, city }: SearchPlace): SearchFilter {
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
    city,
    today: localDates(ctx.now()),
  }
}
