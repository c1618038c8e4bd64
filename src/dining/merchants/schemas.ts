import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { sentLine, sentText } from '../../platform/form-schema.ts'
import { features, maxSearchText, meals, positionLiterals, radiusLimit, sorts, weekdays } from './names.ts'

const check = 'validation.check'

/** A repeated parameter; a single one arrives as a plain value. */
const list = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item, check).max(20, check).optional(),
  )
const flag = z.union([z.boolean(), z.stringbool()], check).optional()
/** A number, or its digits as in a query string; an empty parameter is not zero. */
const numeric = <T extends z.ZodType<number, number>>(number: T) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^-?\d{1,9}(\.\d{1,17})?$/)
          .transform(Number),
      ],
      check,
    )
    .pipe(number)
export const whole = (min: number, max: number) => numeric(z.number().int(check).min(min, check).max(max, check))
const between = (min: number, max: number) => numeric(z.number().min(min, check).max(max, check))
export const text = (maxLength: number) => sentLine().max(maxLength, `validation.max_length|${maxLength}`)

export const Feature = z.enum(features)
export const Meal = z.enum(meals)
export const Weekday = z.enum(weekdays)
export const SortBy = z.enum(sorts)

/** A search, as query string or body. Unknown fields are rejected. */
export const SearchRequest = z
  .strictObject({
    campaignCode: text(40).optional(),
    location: text(maxSearchText).optional(),
    latitude: between(-90, 90).optional(),
    longitude: between(-180, 180).optional(),
    /** Miles around the location. */
    radius: between(0.1, radiusLimit).optional(),
    acclaimed: flag,
    /** Weekdays on each of which a transaction must earn. */
    benefitsFor: list(Weekday),
    features: list(Feature),
    isNew: flag,
    mealsServed: list(Meal),
    pageNo: whole(1, 10_000).default(1),
    pageSize: whole(1, 100).default(10),
    priceRange: list(whole(1, 4)),
    reservations: flag,
    restaurantOrCuisine: text(maxSearchText).optional(),
    sortBy: SortBy.optional(),
  })
  .check(({ value, issues }) => {
    // Either literal requires coordinates, and latitude and longitude require each other.
    const { location, latitude, longitude } = value
    const literal = positionLiterals.some((name) => name === location)
    if (!literal && latitude === undefined && longitude === undefined) return
    for (const path of ['latitude', 'longitude'] as const) {
      if (value[path] === undefined) {
        issues.push({ code: 'custom', path: [path], message: 'validation.required', input: undefined })
      }
    }
  })
export type SearchRequest = z.output<typeof SearchRequest>

export const Merchant = z.object({
  id: z.string(),
  name: z.string(),
  /** The width is appended: `?w=200`. */
  images: z.object({ imageBaseUrl: z.string() }),
  details: z.object({
    rating: z.object({ overallRating: z.number(), numberOfRatings: z.number().int() }),
    priceRange: z.number().int().min(0).max(4),
    cuisines: z.array(z.string()),
    highlight: z.object({
      comingSoon: z.boolean(),
      leavingSoon: z.boolean(),
      new: z.boolean(),
      acclaimed: z.boolean(),
    }),
  }),
  location: z.object({
    address: z.object({ address1: z.string(), city: z.string(), state: z.string(), zipCode: z.string() }),
    neighborhood: z.string(),
    latitude: z.number(),
    longitude: z.number(),
    phone: z.string(),
  }),
  /** Miles from the origin of the search, null without an origin. */
  distance: z.number().nullable(),
  /** Label of the point from which the distance is measured. */
  origin: z.string().nullable(),
  acclaimedLevel: z.number().int(),
  benefitAvailability: z.object({ campaignCodes: z.array(z.string()) }),
  reservationProviders: z.array(z.string()),
  /**
   * Null when transactions earn nothing here at present. Days are 0 for Sunday; the percentage multiplies the program's
   * rate.
   */
  earn: z
    .object({
      type: z.enum(['Unlimited', 'Limited']),
      days: z.array(z.number().int()),
      ratePercent: z.number().int(),
      /** Restaurant's local times, `HH:MM`; absent when the offer holds all day. */
      hours: z.object({ from: z.string(), until: z.string() }).optional(),
      /** A transaction below this amount earns nothing; absent when there is no minimum. */
      minSpendCents: z.number().int().optional(),
    })
    .nullable(),
})
export type Merchant = z.infer<typeof Merchant>

export const Offer = z.object({
  type: z.enum(['Unlimited', 'Limited']),
  days: z.array(z.number().int()),
  startsOn: z.string(),
  endsOn: z.string().nullable(),
  maxSpendCents: z.number().int().nullable(),
  maxVisitsPerMonth: z.number().int().nullable(),
  /** Maximum spending of a month that earns, over all visits. */
  maxMonthlySpendCents: z.number().int().nullable(),
  /** A transaction below this amount earns nothing. */
  minSpendCents: z.number().int(),
  /** Restaurant's local times, `HH:MM`; null when the offer holds all day. */
  hours: z.object({ from: z.string(), until: z.string() }).nullable(),
  ratePercent: z.number().int(),
})
export type Offer = z.infer<typeof Offer>

export const MenuSection = z.object({
  section: sentLine(),
  dishes: z.array(z.object({ name: sentLine(), priceCents: z.number().int() })),
})
export type MenuSection = z.infer<typeof MenuSection>
export const MerchantEvent = z.object({ title: sentLine(), date: sentLine(), text: sentText() })
export const OrderingLink = z.object({ name: sentLine(), url: z.url({ protocol: /^https$/ }) })
/** Spans of local time by weekday, "0" for Sunday. */
export const Hours = z.record(z.string().regex(/^[0-6]$/), z.array(z.tuple([z.string(), z.string()])))

export const MerchantDetail = z.object({
  ...Merchant.shape,
  /** False for a merchant that has left the program: its page remains, without offers. */
  participating: z.boolean(),
  /** Image for link previews: a PNG of 1200 by 630 pixels. */
  socialImageUrl: z.string(),
  description: z.string(),
  website: z.string(),
  menuUrl: z.string(),
  menus: z.array(MenuSection),
  /** An image of each section of the menu. */
  menuImages: z.array(z.object({ section: z.string(), url: z.string() })),
  events: z.array(MerchantEvent),
  ordering: z.array(OrderingLink),
  hours: Hours.nullable(),
  timeZone: z.string(),
  features: z.array(z.string()),
  meals: z.array(z.string()),
  offers: z.array(Offer),
})
export type MerchantDetail = z.infer<typeof MerchantDetail>

export const SearchResponse = z.object({
  merchants: z.array(Merchant),
  totalResultSize: z.number().int(),
  totalPages: z.number().int(),
  pageNo: z.number().int(),
  origin: z.object({ label: z.string(), latitude: z.number(), longitude: z.number() }).nullable(),
})
export type SearchResponse = z.infer<typeof SearchResponse>

const errors = { locationUnknown: 422 } as const

export const searchMerchants = defineSchemas({
  summary: 'Searches restaurants by location, text and filters',
  query: SearchRequest,
  reply: SearchResponse,
  errors,
})

export const searchMerchantsByBody = defineSchemas({
  summary: 'The same search, with its fields in the body',
  body: SearchRequest,
  reply: SearchResponse,
  errors,
})

const Counts = z.record(z.string(), z.number().int())

export const SearchFacets = z.object({
  total: z.number().int(),
  /** Number of results if this option were added. */
  acclaimed: z.number().int(),
  isNew: z.number().int(),
  reservations: z.number().int(),
  features: Counts,
  mealsServed: Counts,
  priceRange: Counts,
  /** For a search without results: the number of results without one of its conditions, largest first. */
  relaxations: z.array(z.object({ without: z.string(), total: z.number().int() })),
})
export type SearchFacets = z.infer<typeof SearchFacets>

export const getSearchFacets = defineSchemas({
  summary: 'Counts the results of each filter, and without results those of each relaxed condition',
  query: SearchRequest,
  reply: SearchFacets,
  errors,
})

export const Pin = z.object({
  id: z.string(),
  name: z.string(),
  /** Its neighborhood or city, used to label parts of a map. */
  place: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  priceRange: z.number().int().min(0).max(4),
  acclaimedLevel: z.number().int(),
  /** The percentage of the day's best offer; null when transactions earn nothing here at present. */
  ratePercent: z.number().nullable(),
  /** The days, hours and minimum of that offer, as in `earn`; each is absent where it does not limit. */
  days: z.array(z.number().int()).optional(),
  hours: z.object({ from: z.string(), until: z.string() }).optional(),
  minSpendCents: z.number().int().optional(),
})
export type Pin = z.infer<typeof Pin>

export const listPins = defineSchemas({
  summary: 'Returns the locations of the first 300 results of a search, for a map',
  query: SearchRequest,
  reply: z.object({ pins: z.array(Pin), total: z.number().int() }),
  errors,
})

const merchantParams = z.object({ merchantId: z.string().max(120) })

export const getMerchant = defineSchemas({
  summary: 'Returns a restaurant with its offers, menus, events and hours',
  params: merchantParams,
  reply: MerchantDetail,
  errors: { merchantNotFound: 404 },
})

export const Review = z.object({
  rating: z.number().int(),
  author: z.string(),
  body: z.string(),
  visitedOn: z.string(),
})

export const getMerchantReviews = defineSchemas({
  summary: 'Lists the reviews of a restaurant, newest first',
  params: merchantParams,
  query: z.strictObject({
    pageNo: whole(1, 10_000).default(1),
    resultsPerPage: whole(1, 100).default(10),
  }),
  reply: z.object({ data: z.array(Review), totalResultSize: z.number().int(), totalPages: z.number().int() }),
  errors: { merchantNotFound: 404 },
})

export const suggestMerchants = defineSchemas({
  summary: 'Suggests restaurant names and cuisines that begin with a text',
  query: z.strictObject({ query: text(80) }),
  reply: z.object({ suggestions: z.array(z.string()) }),
})
