import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Day } from '../../../platform/day.ts'
import { sentLine, sentText } from '../../../platform/form-schema.ts'
import { reservationProviders } from '../names.ts'
import { Feature, Hours, Meal, MenuSection, MerchantEvent, OrderingLink } from '../schemas.ts'
import { wordsOf } from '../search/text.ts'

const text = (maxLength: number) => sentLine().max(maxLength)
const lines = (maxLength: number) => sentText().max(maxLength)
const date = Day
const https = z.union([z.literal(''), z.url({ protocol: /^https$/ })])

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

export const OfferRecord = z
  .strictObject({
    type: z.enum(['Unlimited', 'Limited']),
    days: z.array(z.number().int().min(0).max(6)).default([0, 1, 2, 3, 4, 5, 6]),
    startsOn: date,
    endsOn: date.nullable().default(null),
    maxSpendCents: z.number().int().positive().nullable().default(null),
    maxVisitsPerMonth: z.number().int().positive().nullable().default(null),
    maxMonthlySpendCents: z.number().int().positive().nullable().default(null),
    minSpendCents: z.number().int().min(0).default(0),
    /** Restaurant's local times; null when the offer holds all day. */
    hours: z.strictObject({ from: clock, until: clock }).nullable().default(null),
    ratePercent: z.number().int().min(0).max(1000).default(100),
  })
  .refine((offer) => offer.type === 'Limited' || limitsOf(offer).every((limit) => limit === null), {
    message: 'an Unlimited offer has no limits',
  })

function limitsOf(offer: {
  maxSpendCents: number | null
  maxVisitsPerMonth: number | null
  maxMonthlySpendCents: number | null
}) {
  return [offer.maxSpendCents, offer.maxVisitsPerMonth, offer.maxMonthlySpendCents]
}

/** A merchant as it is imported and seeded. Values that a source lacks stay empty; none are invented. */
export const MerchantRecord = z.strictObject({
  source: text(40).min(1),
  sourceId: text(80).min(1),
  name: text(120).min(1),
  description: lines(2000).default(''),
  cuisines: z.array(text(40).min(1)).max(10).default([]),
  features: z.array(Feature).default([]),
  meals: z.array(Meal).default([]),
  priceRange: z.number().int().min(0).max(4).default(0),
  /** Ratings that the source knows. Members' reviews are added to them. */
  rating: z
    .strictObject({ sum: z.number().int().min(0), count: z.number().int().min(0) })
    .default({ sum: 0, count: 0 }),
  highlight: z.enum(['comingSoon', 'leavingSoon', 'new', 'acclaimed']).nullable().default(null),
  acclaimedLevel: z.number().int().min(0).max(2).default(0),
  campaignCodes: z.array(text(40).min(1)).default([]),
  address1: text(120).default(''),
  city: text(80).min(1),
  state: z.string().regex(/^[A-Z]{2}$/, 'must be a two-letter state'),
  zipCode: z
    .string()
    .regex(/^(\d{5})?$/, 'must be a five-digit ZIP code')
    .default(''),
  neighborhood: text(80).default(''),
  /** The United States from Alaska and Hawaii to the Virgin Islands, with American Samoa and Guam (144 to 147° east). */
  latitude: z.number().min(-15).max(72),
  longitude: z.number().min(-180).max(-60).or(z.number().min(144).max(147)),
  timeZone: sentLine(),
  phone: text(30).default(''),
  website: https.default(''),
  menuUrl: https.default(''),
  hours: Hours.nullable().default(null),
  menus: z.array(MenuSection).default([]),
  events: z.array(MerchantEvent).default([]),
  ordering: z.array(OrderingLink).default([]),
  /** The built-in reservation book, or a booking server that knows the restaurant as `reservationRef`. */
  reservationProvider: z.enum(reservationProviders).nullable().default(null),
  reservationRef: text(120).min(1).nullable().default(null),
  participating: z.boolean().default(false),
  joinedOn: date,
  offers: z.array(OfferRecord).default([]),
  tables: z.array(z.strictObject({ name: text(40).min(1), seats: z.number().int().min(1).max(30) })).default([]),
  reviews: z
    .array(
      z.strictObject({ rating: z.number().int().min(1).max(5), author: text(60), body: lines(2000), visitedOn: date }),
    )
    .default([]),
})
export type MerchantRecord = z.output<typeof MerchantRecord>

const digest = (record: Pick<MerchantRecord, 'source' | 'sourceId'>) =>
  createHash('sha256').update(`${record.source}:${record.sourceId}`).digest('hex')

/** Returns the slug of a merchant's page: readable, and stable for its source id. */
export function slugOf(record: Pick<MerchantRecord, 'source' | 'sourceId' | 'name' | 'city'>): string {
  const words = [...wordsOf(record.name), ...wordsOf(record.city)].join('-').slice(0, 60).replace(/-+$/, '')
  return `${words || 'merchant'}-${digest(record).slice(0, 6)}`
}

/** Returns the id of the merchant in card networks. */
export function locationIdOf(record: Pick<MerchantRecord, 'source' | 'sourceId'>): string {
  return `loc_${digest(record).slice(0, 20)}`
}
