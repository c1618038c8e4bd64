import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { centsFromDecimal } from '../../platform/money.ts'

const Id = z.string().regex(/^[\w.:-]{1,100}$/)
/** With an offset it is an instant; without one it is the restaurant's local time. */
const Moment = z.iso.datetime({ offset: true, local: true }).regex(/^(19|20)/)

/** Dollars and cents as a decimal; negative for refunds. */
const Amount = z.union([z.number(), z.string()]).refine((amount) => {
  try {
    centsFromDecimal(amount)
    return true
  } catch {
    return false
  }
})

/** A transaction as the card network sends it (Fidel Select's shape). Unknown properties are stored, not read. */
export const NetworkTransaction = z.looseObject({
  id: Id,
  accountId: z.string().max(100).optional(),
  programId: z.string().max(100),
  amount: Amount,
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/)
    .toUpperCase(),
  datetime: Moment,
  created: Moment,
  updated: Moment,
  auth: z.boolean().optional(),
  cleared: z.boolean().optional(),
  authCode: z.string().max(40).nullish(),
  cardPresent: z.boolean().nullish(),
  merchantCategoryCode: z.string().max(10).nullish(),
  originalTransactionId: Id.nullish(),
  refundTransactionId: Id.nullish(),
  /** Parts of the amount, where the point of sale separates them. */
  tipAmount: Amount.nullish(),
  taxAmount: Amount.nullish(),
  /** How the cardholder was verified. */
  verification: z.enum(['pin', 'signature', 'none']).nullish(),
  card: z.looseObject({
    /** The vault's token. */
    id: z.string().min(1).max(200),
    scheme: z.string().max(40).optional(),
    lastNumbers: z.string().regex(/^\d{4}$/),
    funding: z.enum(['credit', 'debit', 'prepaid']).nullish(),
  }),
  brand: z.looseObject({ name: z.string().min(1).max(120) }).optional(),
  location: z.looseObject({ id: z.string().min(1).max(200) }),
  identifiers: z.looseObject({}).nullish(),
  offer: z.looseObject({}).nullish(),
})
export type NetworkTransaction = z.infer<typeof NetworkTransaction>

export const FeedEventName = z.enum([
  'transaction.auth',
  'transaction.auth.qualified',
  'transaction.clearing',
  'transaction.clearing.qualified',
  'transaction.refund',
  'transaction.refund.qualified',
])

export const FeedEvent = z.looseObject({ event: FeedEventName, transaction: NetworkTransaction })
export type FeedEvent = z.infer<typeof FeedEvent>

/** `repeated`: the same message was received before and changed nothing now. */
export const Outcome = z.enum(['applied', 'unmatched', 'ignored', 'repeated'])
export type Outcome = z.infer<typeof Outcome>

const signatureErrors = { badSignature: 401, staleTimestamp: 401 } as const

export const receiveFeedEvent = defineSchemas({
  summary: 'Receives an event of the card network',
  body: FeedEvent,
  reply: z.object({ outcome: Outcome }),
  errors: {
    ...signatureErrors,
    otherProgram: 422,
    futureDate: 422,
    cardNumber: 400,
    notJson: 400,
    /** Sent with `Retry-After`: nothing was stored, and the message can be sent again. */
    tooManyWaiting: 503,
  },
})

export const BatchResult = z.object({
  /** Counted from 1; empty lines are counted and have no result. */
  line: z.number().int(),
  status: z.number().int(),
  outcome: Outcome.optional(),
  code: z.string().optional(),
})
export type BatchResult = z.infer<typeof BatchResult>

export const receiveFeedBatch = defineSchemas({
  summary: 'Receives up to 500 events as NDJSON, signed as a whole; each line is processed separately',
  body: z.string(),
  bodyType: 'application/x-ndjson',
  eachItem: true,
  reply: z.object({ results: z.array(BatchResult) }),
  status: 207,
  errors: { ...signatureErrors, tooManyLines: 413 },
})
