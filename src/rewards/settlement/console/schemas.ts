import { z } from 'zod'
import { reason } from '../../../console-kit/reason.ts'
import { defineSchemas } from '../../../platform/call.ts'
import { Day } from '../../../platform/day.ts'
import { filterText, listOf, pageQuery } from '../../../platform/list-call.ts'
import { isMonth } from '../../../platform/time.ts'

const Month = z.string().refine(isMonth, 'validation.check')

export const SettledRestaurant = z.object({
  key: z.string(),
  kind: z.enum(['transactions', 'bonuses', 'adjustments']),
  /** Null for rewards that no restaurant pays for. */
  merchantId: z.string().nullable(),
  merchantName: z.string().nullable(),
  /** Journal entries that gave, and that took back. */
  given: z.number().int(),
  takenBack: z.number().int(),
  /** As text: `144 miles`. */
  rewardsGiven: z.string(),
  rewardsTakenBack: z.string(),
  owesCents: z.number().int(),
  partnerCents: z.number().int(),
  platformCents: z.number().int(),
})
export type SettledRestaurant = z.infer<typeof SettledRestaurant>

const filters = {
  /** `YYYY-MM` (UTC); by default the current one. */
  month: Month.optional(),
  /** Words of the name or the city of a restaurant, or its id. */
  q: filterText,
}

export const listSettlement = defineSchemas({
  summary: 'Lists what restaurants owe for a month, the most first',
  query: z.object({ ...pageQuery, ...filters }),
  reply: listOf(SettledRestaurant),
})

export const exportSettlement = defineSchemas({
  summary: 'Returns the same list as a CSV file',
  query: z.object(filters),
  reply: z.unknown(),
  replyType: 'text/csv',
})

const Totals = z.object({
  rewardsGiven: z.string(),
  rewardsTakenBack: z.string(),
  owesCents: z.number().int(),
  partnerCents: z.number().int(),
  platformCents: z.number().int(),
  /** Statement credits that left balances, less those that returned. */
  creditsCents: z.number().int(),
})

export const SettlementMonth = z.object({
  month: z.string(),
  /** Whether the program settles money with restaurants at all. */
  settles: z.boolean(),
  /** Whether no entry can be added to the month any more. */
  isOver: z.boolean(),
  /** Who closed it, and when; null while it is open. */
  closed: z.object({ by: z.string(), at: z.iso.datetime() }).nullable(),
  totals: Totals,
  /** Days with entries. `isFinal`: the day has its file. */
  days: z.array(Totals.extend({ day: z.iso.date(), isFinal: z.boolean() })),
})
export type SettlementMonth = z.infer<typeof SettlementMonth>

export const getSettlementMonth = defineSchemas({
  summary: 'Returns what a program and its restaurants owe each other for a month, by day',
  query: z.object({ month: Month.optional() }),
  reply: SettlementMonth,
})

export const getSettlementFile = defineSchemas({
  summary: 'Returns the settlement of a day as a CSV file',
  params: z.object({ day: Day }),
  reply: z.unknown(),
  replyType: 'text/csv',
  errors: { notFound: 404 },
})

const params = z.object({ merchant: z.string().max(100) })

const StatementLine = z.object({
  dinedAt: z.iso.datetime(),
  program: z.string(),
  billCents: z.number().int(),
  refundedCents: z.number().int(),
  countedCents: z.number().int(),
  reward: z.string(),
  isFirstVisit: z.boolean(),
  costCents: z.number().int(),
})

export const StatementDetail = z.object({
  merchantId: z.string(),
  merchantName: z.string(),
  city: z.string(),
  state: z.string(),
  timeZone: z.string(),
  month: z.string(),
  transactions: z.number().int(),
  firstVisits: z.number().int(),
  billCents: z.number().int(),
  refundedCents: z.number().int(),
  costCents: z.number().int(),
  /** Net spending for each dollar of cost; null without any cost. */
  returnCents: z.number().int().nullable(),
  /** The first ones; the files have all. */
  lines: z.array(StatementLine),
  lineCount: z.number().int(),
})
export type StatementDetail = z.infer<typeof StatementDetail>

export const getStatement = defineSchemas({
  summary: 'Returns the statement of a restaurant for a month, in the programs of the operator',
  params,
  query: z.object({ month: Month.optional() }),
  reply: StatementDetail,
  errors: { notFound: 404 },
})

export const getStatementFile = defineSchemas({
  summary: 'Returns the statement as a PDF or CSV file',
  params,
  query: z.object({ month: Month, format: z.enum(['pdf', 'csv']) }),
  reply: z.unknown(),
  replyType: 'application/octet-stream',
  errors: { notFound: 404 },
})

const OpenCounts = z.object({
  pending: z.number().int(),
  credits: z.number().int(),
  decisions: z.number().int(),
  unmatched: z.number().int(),
  claims: z.number().int(),
  approvals: z.number().int(),
  files: z.number().int(),
})

/** What closing a month does, and what is open, from a dry run. */
export const ClosePreview = z.object({
  month: z.string(),
  totals: Totals,
  open: OpenCounts,
  /** The invoices that are issued, and what restaurants are asked to pay. */
  invoices: z.object({ count: z.number().int(), cents: z.number().int() }),
  fingerprint: z.string(),
})
export type ClosePreview = z.infer<typeof ClosePreview>

const monthParams = z.object({ month: Month })
const closeErrors = { monthNotOver: 422, earlierMonthOpen: 422, monthClosed: 409, conflict: 409 } as const

export const previewCloseMonth = defineSchemas({
  summary: 'Returns what closing a month would do, and what is open. Stores nothing',
  params: monthParams,
  reply: ClosePreview,
  errors: closeErrors,
})

export const closeMonth = defineSchemas({
  summary: 'Closes a month of settlement: nothing is posted in it any more',
  params: monthParams,
  body: z.object({ reason, fingerprint: z.string().max(60) }),
  multiline: ['reason'],
  reply: ClosePreview,
  errors: closeErrors,
})
