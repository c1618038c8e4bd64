import { ApiError } from '../../../platform/errors.ts'
import type { Ctx } from '../../../platform/http/context.ts'
import { stateName } from '../../../programs/places/service.ts'
import { toMerchant } from '../catalog/to-merchant.ts'
import type { CityList, CityPage } from '../contract.ts'
import type { City } from './cities.ts'
import { localDates } from './local-dates.ts'
import type { MerchantReadModel } from './read-model.ts'
import { toFilter } from './search-filter.ts'

const pageSize = 10
/** Maximum number of cities in the list of all: the largest. Smaller ones are linked by their neighbors. */
const maxCities = 300
const maxCuisines = 60
const maxNeighbors = 8
const neighborMiles = 60

/** Lists the cities with most restaurants, by state. */
export function listCities({ cities }: Pick<MerchantReadModel, 'cities'>): CityList {
  const all = cities.all()
  return {
    states: byState(all.slice(0, maxCities).map(toSummary)),
    totalCities: all.length,
    totalRestaurants: all.reduce((sum, { count }) => sum + count, 0),
  }
}

/**
 * Returns one page of the restaurants of a city, or of one cuisine there, best rated first. Throws `cityNotFound` for a
 * city, a cuisine or a page without restaurants.
 */
export function getCity(
  ctx: Ctx,
  model: MerchantReadModel,
  { city: slug, cuisine: cuisineSlug, pageNo }: { city: string; cuisine?: string | undefined; pageNo: number },
): CityPage {
  const city = model.cities.find(slug)
  const cuisine = city?.cuisines.find((each) => each.slug === cuisineSlug)
  if (!city || (cuisineSlug !== undefined && !cuisine)) throw new ApiError('cityNotFound')
  const filter = toFilter(
    ctx,
    { pageNo, pageSize, sortBy: 'rating' },
    { origin: null, state: null, city: { slug, cuisine: cuisine?.slug ?? null } },
  )
  const { rows, total } = model.search(filter, { pageNo, pageSize })
  if (rows.length === 0) throw new ApiError('cityNotFound')
  const today = localDates(ctx.now())
  return {
    city: toSummary(city),
    cuisine: cuisine ? { slug: cuisine.slug, name: cuisine.name, count: cuisine.count } : null,
    merchants: rows.map(({ row }) => toMerchant(row, { miles: null, origin: null, today: today(row.timeZone) })),
    totalResultSize: total,
    totalPages: Math.ceil(total / pageSize),
    pageNo,
    cuisines: city.cuisines.slice(0, maxCuisines).map(({ slug, name, count }) => ({ slug, name, count })),
    neighbors: model.cities.near(city, { miles: neighborMiles, limit: maxNeighbors }).map(toSummary),
  }
}

const inEnglish = new Intl.Collator('en-US').compare

function byState(cities: readonly CityPage['city'][]): CityList['states'] {
  return [...Map.groupBy(cities, ({ state }) => state)]
    .map(([state, inState]) => ({
      name: stateName(state) ?? state,
      cities: inState.toSorted((a, b) => inEnglish(a.name, b.name)),
    }))
    .sort((a, b) => inEnglish(a.name, b.name))
}

function toSummary({ slug, name, state, count }: City): CityPage['city'] {
  return { slug, name, state, count }
}
