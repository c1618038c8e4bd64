import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { Day } from '../../platform/day.ts'
import { positiveAmountPattern } from '../../platform/money.ts'
import { TierLevel } from '../../programs/partners/schemas.ts'
import { AwardExplanation, FlexOffer, RewardTransaction } from '../earning/schemas.ts'
import { StatementCredit } from '../payouts/schemas.ts'
import { activityStatuses, periodPattern } from './activity-filter.ts'

/** A credit or debit by an operator, which belongs to no transaction; or the balance of another account of the member. */
export const Adjustment = z.object({
  kind: z.literal('adjustment'),
  adjustmentId: z.string(),
  /** Dollars, or whole miles or points; negative where it was taken back. */
  amount: z.number(),
  /** In the program's time zone. */
  date: z.iso.date(),
  /** Another account of the member was merged into this one, and brought the amount along. */
  isMerge: z.literal(true).optional(),
})
export type Adjustment = z.infer<typeof Adjustment>

export const RewardEntry = z.discriminatedUnion('kind', [RewardTransaction, Adjustment, StatementCredit])
export type RewardEntry = z.infer<typeof RewardEntry>

/** Filters the list: a status, and a year or a month in the restaurant's local time. */
const filterFields = {
  status: z.enum(activityStatuses, 'validation.check').optional(),
  period: z.string().regex(periodPattern, 'validation.check').optional(),
}

export const PageQuery = z.strictObject({
  ...filterFields,
  pageNo: z.coerce.number().int().min(1).max(10_000).default(1),
  resultsPerPage: z.coerce.number().int().min(1).max(100).default(10),
})

export const listTransactions = defineSchemas({
  summary:
    'Lists transactions and adjustments of the last twelve months, newest first (programs without statement credits)',
  query: PageQuery,
  reply: z.object({
    data: z.array(z.discriminatedUnion('kind', [RewardTransaction, Adjustment])),
    totalResultSize: z.number().int(),
    totalPages: z.number().int(),
  }),
  errors: { notOffered: 404 },
})

export const listTransactionsAndCredits = defineSchemas({
  summary:
    'Lists transactions, adjustments and statement credits of the last twelve months, newest first (credit programs)',
  query: PageQuery,
  reply: z.object({ data: z.array(RewardEntry), totalPages: z.number().int() }),
  errors: { notOffered: 404 },
})

export const exportActivity = defineSchemas({
  summary: 'Returns the same entries as a CSV file, with the same filters',
  query: z.strictObject(filterFields),
  reply: z.string(),
  replyType: 'text/csv',
  perMinute: 10,
})

export const getStatementCreditBalance = defineSchemas({
  summary: 'Returns the dollars earned and not yet paid (credit programs); negative after a refund of what was paid',
  reply: z.object({ memberBalance: z.number() }),
  errors: { notOffered: 404 },
})

export const getDineSummary = defineSchemas({
  summary:
    'Returns the rewards with adjustments (dollars, or whole miles or points) and the rewarded transactions of this calendar year',
  reply: z.object({ currentYearBenefits: z.number(), currentYearDines: z.number().int() }),
})

/** A sentence of a history: a copy key and its parameters. */
const sentence = { key: z.string(), params: z.record(z.string(), z.string()) }

/** The history of a transaction, the calculation of its reward, and the next step. */
export const TransactionTimeline = z.object({
  steps: z.array(z.object({ at: z.iso.datetime(), ...sentence })),
  /** From the bill to the reward, line by line; empty when it earns nothing. */
  sum: z.array(z.object({ ...sentence, amount: z.string() })),
  next: z.object(sentence).nullable(),
})
export type TransactionTimeline = z.infer<typeof TransactionTimeline>

export const getTransactionTimeline = defineSchemas({
  summary: 'Returns the history of a transaction, the calculation of its reward, and the next step',
  params: z.object({ id: z.string().max(80) }),
  reply: TransactionTimeline,
  errors: { transactionNotFound: 404 },
})

/** A goal: what is missing, until when, and the progress. */
export const Goal = z.object({
  kind: z.enum(['vip', 'credit', 'step', 'bonus']),
  ...sentence,
  /** Both in the same unit; null when nothing is counted. */
  progress: z.object({ done: z.number(), total: z.number() }).nullable(),
})
export type Goal = z.infer<typeof Goal>

export const listGoals = defineSchemas({
  summary: 'Lists what the member can reach next',
  reply: z.array(Goal),
})

export const streamActivity = defineSchemas({
  summary: 'Streams server-sent events: `activity`, without data, whenever something of this member changes',
  reply: z.unknown(),
  replyType: 'text/event-stream',
  errors: { tooManyStreams: 429 },
})

export const getFlexOffer = defineSchemas({
  summary: 'Returns the personal offer of the signed-in member at a restaurant',
  params: z.object({ merchantId: z.string().max(120), publicId: z.string().max(60) }),
  reply: FlexOffer,
  errors: { flexOfferNotFound: 404 },
})

export const listFlexOffers = defineSchemas({
  summary: 'Lists the restaurants with a personal offer for the signed-in member today',
  reply: z.object({ offers: z.array(z.object({ merchantId: z.string(), ...FlexOffer.shape })) }),
})

/** What a transaction would earn, by the function that computes awards. Rewards are in the smallest unit. */
export const EarnQuote = z.object({
  benefit: z.number().int(),
  reason: AwardExplanation,
  /** Whose rate applies: the member's, or that of a new member who receives emails. */
  basis: z.enum(['member', 'newMember']),
  tier: TierLevel,
  ratePercent: z.number().int(),
  /** The addition of a personal offer, per 100 dollars; 0 without one. */
  flexRate: z.number().int(),
  /** The part of the amount that counts, in cents. */
  countedCents: z.number().int(),
  /** Rewarded visits here in that month, and their limit; null without a limit. */
  visits: z.object({ used: z.number().int(), limit: z.number().int() }).nullable(),
  /** The bonus for a table that the member has reserved around that time. */
  bonus: z.number().int(),
  /** The member has no linked card and earns nothing until one is linked. */
  cardMissing: z.boolean(),
})
export type EarnQuote = z.infer<typeof EarnQuote>

export const getEarnQuote = defineSchemas({
  summary: 'Returns what a transaction would earn at a restaurant, now or at a local date and time, and why',
  params: z.object({ merchantId: z.string().max(120) }),
  query: z.strictObject({
    amount: z.string().trim().regex(positiveAmountPattern, 'rewards.quote.amount_wrong'),
    date: Day.optional(),
    time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'validation.check')
      .optional(),
    /** A linked card of the member; defaults to the card linked first. */
    card: z.string().max(60).optional(),
    /** `true` for a debit card used with its PIN. */
    pin: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
  }),
  reply: EarnQuote,
  errors: { merchantNotFound: 404, cardNotFound: 404 },
})
