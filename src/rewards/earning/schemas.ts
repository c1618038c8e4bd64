import { z } from 'zod'

/** The status of an award. `transactionStatus` is the same in the vocabulary of the statement. */
export const AwardStatus = z.enum(['Awarded', 'Pending', 'Forfeit', 'Paid', 'Deferred'])
export type AwardStatus = z.infer<typeof AwardStatus>

/**
 * The status of a transaction that members read, on every page and in every file. `open`: the final amount is still to
 * come; `held`: the program holds the reward back for some days; `checking`: its card or restaurant is not matched yet.
 */
export const DisplayStatus = z.enum([
  'open',
  'review',
  'held',
  'checking',
  'posted',
  'paid',
  'bonus',
  'bonusTakenBack',
  'refunded',
  'canceled',
  'expired',
  'reviewExpired',
  'belowMinimum',
  'outsideOffer',
  'limitReached',
  'replaced',
  'notEarned',
])
export type DisplayStatus = z.infer<typeof DisplayStatus>

export const TransactionStatus = z.enum(['deferred', 'forfeit', 'paid', 'pending'])
export type TransactionStatus = z.infer<typeof TransactionStatus>

/** M manual, J bonus adjustment, + corporate, A adjustment, B bonus, S settle. */
export const TransactionTypeCode = z.enum(['M', 'J', '+', 'A', 'B', 'S'])

/** Why a transaction earned its award: a copy key and its parameters. `code` is for programs, `rule` is a version. */
export const AwardExplanation = z.object({
  code: z.string(),
  rule: z.number().int(),
  key: z.string(),
  params: z.record(z.string(), z.string()),
})
export type AwardExplanation = z.infer<typeof AwardExplanation>

/**
 * One transaction. Amounts of money are dollars with at most two decimals; the benefit is in dollars for Dollar and
 * Credit programs, else in whole miles or points. `date` is the day at the restaurant, whose time zone is `timeZone`; UTC while the restaurant is unknown.
 */
export const RewardTransaction = z.object({
  kind: z.literal('transaction'),
  sourceTransactionId: z.string(),
  /** Null while the restaurant is unknown. */
  merchantId: z.string().nullable(),
  merchantName: z.string(),
  transactionCreatedAt: z.iso.datetime(),
  /** Null while the restaurant is unknown. */
  timeZone: z.string().nullable(),
  transactionStatus: TransactionStatus,
  transactionTypeCode: TransactionTypeCode,
  dineAmount: z.number(),
  /** The refunded part of it. */
  refundedAmount: z.number(),
  benefitAmount: z.number(),
  ticketAmount: z.number(),
  cardLastFour: z.string(),
  paidAt: z.iso.datetime().nullable(),
  date: z.iso.date(),
  awardStatus: AwardStatus,
  status: DisplayStatus,
  /** Whether the restaurant has a page to link to. */
  activeMerchant: z.boolean(),
  reason: AwardExplanation,
})
export type RewardTransaction = z.infer<typeof RewardTransaction>

export const FlexOffer = z.object({
  id: z.string(),
  /** The addition to the rate: `+5`, `+2%`. */
  webMessageOfferAmount: z.string(),
})
export type FlexOffer = z.infer<typeof FlexOffer>
