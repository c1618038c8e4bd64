import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { Merchant, text, whole } from './schemas.ts'

export const CitySummary = z.object({
  /** Its part of addresses, such as `new-york-ny`. */
  slug: z.string(),
  name: z.string(),
  state: z.string(),
  /** Number of restaurants. */
  count: z.number().int(),
})
const Cuisine = z.object({ slug: z.string(), name: z.string(), count: z.number().int() })

export const CityList = z.object({
  /** In alphabetical order, as are their cities. */
  states: z.array(z.object({ name: z.string(), cities: z.array(CitySummary) })),
  totalCities: z.number().int(),
  totalRestaurants: z.number().int(),
})
export type CityList = z.infer<typeof CityList>

export const listCities = defineSchemas({
  summary: 'Lists the cities with most restaurants',
  reply: CityList,
})

export const CityPage = z.object({
  city: CitySummary,
  cuisine: Cuisine.nullable(),
  merchants: z.array(Merchant),
  totalResultSize: z.number().int(),
  totalPages: z.number().int(),
  pageNo: z.number().int(),
  /** The cuisines in the city, most frequent first. */
  cuisines: z.array(Cuisine),
  /** The nearest other cities with restaurants. */
  neighbors: z.array(CitySummary),
})
export type CityPage = z.infer<typeof CityPage>

export const getCity = defineSchemas({
  summary: 'Returns the restaurants of a city, or of one cuisine there, best rated first',
  params: z.object({ city: z.string().max(120) }),
  query: z.strictObject({ cuisine: text(80).optional(), pageNo: whole(1, 10_000).default(1) }),
  reply: CityPage,
  errors: { cityNotFound: 404 },
})
