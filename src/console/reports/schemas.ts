import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { listOf, pageQuery } from '../../platform/list-call.ts'
import { isSupportedDay } from '../../platform/time.ts'
import { figures, periods } from './names.ts'

const Day = z.string().refine(isSupportedDay)

/** A figure of a period, of the one before, and of the same one a year earlier. Null: not known, or about too few people. */
const Compared = z.object({
  now: z.number().int().nullable(),
  before: z.number().int().nullable(),
  yearBefore: z.number().int().nullable(),
})

const query = z.object({
  by: z.enum(periods).default('day'),
  /** Days in the first and the last period; by default the latest ones. */
  from: Day.optional(),
  to: Day.optional(),
})
export type ReportQuery = z.infer<typeof query>

export const Report = z.object({
  by: z.enum(periods),
  /** The last day that is computed; null before the first one. */
  lastDay: z.iso.date().nullable(),
  /** Finished periods, the earliest first; at most 400, the latest ones. Days are those of the program. */
  rows: z.array(
    z.object({
      from: z.iso.date(),
      to: z.iso.date(),
      figures: z.record(z.enum(figures), Compared),
    }),
  ),
})
export type Report = z.infer<typeof Report>

export const getReport = defineSchemas({
  summary:
    'Returns the figures of a program by day, week or month, each with those of the period before and the year before',
  query,
  reply: Report,
})

export const exportReport = defineSchemas({
  summary: 'Sends the same figures as a CSV file; a cell is empty where fewer than ten people are behind it',
  query,
  replyType: 'text/csv',
  reply: z.any(),
})

/** Of the members whose first dine was in a month, how many had one in the months after it; in whole tens. */
export const Retention = z.object({
  cohorts: z.array(
    z.object({
      /** First day of the month. */
      cohort: z.iso.date(),
      /** By months since then, from 0 on; null: one to nine members. */
      members: z.array(z.number().int().nullable()),
    }),
  ),
})
export type Retention = z.infer<typeof Retention>

export const getRetention = defineSchemas({
  summary: 'Returns the retention of the cohorts of the last 24 months: how many had a dine in each later month',
  reply: Retention,
})

export const exportRetention = defineSchemas({
  summary: 'Sends the same cohorts as a CSV file',
  replyType: 'text/csv',
  reply: z.any(),
})

const filters = {
  of: z.enum(['restaurants', 'bonuses']).default('restaurants'),
  /** A day in the month; by default the last finished one. */
  month: Day.optional(),
}
const originFilters = z.object(filters)
export type OriginFilters = z.infer<typeof originFilters>

export const Origin = z.object({
  id: z.number().int(),
  kind: z.enum(['restaurant', 'bonus', 'reservation', 'operators', 'others']),
  /** The restaurant or the bonus, in words. */
  name: z.string(),
  /** In whole tens. */
  members: z.number().int(),
  dines: z.number().int(),
  spendCents: z.number().int(),
  rewards: z.number().int(),
})
export type Origin = z.infer<typeof Origin>

export const listReportMonths = defineSchemas({
  summary: 'Returns the first days of the finished months of a program, the latest first',
  reply: z.array(z.iso.date()),
})

export const listOrigins = defineSchemas({
  summary: 'Lists the restaurants, or the bonuses and credits, that the rewards of a finished month come from',
  query: z.object({ ...pageQuery, ...filters }),
  reply: listOf(Origin),
})

export const exportOrigins = defineSchemas({
  summary: 'Sends the same rows as a CSV file',
  query: originFilters,
  replyType: 'text/csv',
  reply: z.any(),
})
