import { z } from 'zod'
import { defineCall } from '../../platform/call.ts'
import { Day } from '../../platform/day.ts'
import { positiveAmountPattern } from '../../platform/money.ts'
import { receiptTypes, resolutions } from './rules.ts'

const transactionFields = {
  date: Day,
  /** The restaurant's public id, when it was found by name. */
  merchantId: z.string().max(120).optional(),
  merchantName: z.string().trim().min(2, 'claims.merchant_missing').max(120),
  amount: z.string().trim().regex(positiveAmountPattern, 'claims.amount_wrong'),
  /** The card used for payment, if the member knows it. */
  cardId: z.string().max(60).optional(),
}

/** A transaction that the member misses. */
export const MissingTransaction = z.strictObject(transactionFields)
export type MissingTransaction = z.output<typeof MissingTransaction>

/** A copy key and its parameters. */
const Sentence = z.object({ key: z.string(), params: z.record(z.string(), z.string()) })
export type Sentence = z.infer<typeof Sentence>

/** `found`: it is in the statement; `explained`: why it did not earn; `wait`: it may still come; else unknown. */
export const Explanation = z.object({
  outcome: z.enum(['found', 'explained', 'wait', 'unexplained']),
  findings: z.array(Sentence),
})
export type Explanation = z.infer<typeof Explanation>

export const explainMissing = defineCall({
  id: 'explainMissing',
  method: 'POST',
  path: '/api/Member/MissingMeals',
  access: 'member',
  readOnly: true,
  summary: 'Explains why a transaction is missing from the member’s rewards',
  body: MissingTransaction,
  reply: Explanation,
  perMinute: 20,
})

export const Claim = z.object({
  id: z.string(),
  date: z.iso.date(),
  merchantName: z.string(),
  /** Dollars. */
  amount: z.number(),
  openedAt: z.iso.datetime(),
  answerBy: z.iso.datetime(),
  hasReceipt: z.boolean(),
  /** Null while it is open. */
  decision: z.object({ code: z.enum(resolutions), words: z.string(), at: z.iso.datetime() }).nullable(),
})
export type Claim = z.infer<typeof Claim>

export const listClaims = defineCall({
  id: 'listClaims',
  method: 'GET',
  path: '/api/Member/Claims',
  access: 'member',
  summary: 'Lists the member’s claims, newest first',
  reply: z.array(Claim),
})

export const openClaim = defineCall({
  id: 'openClaim',
  method: 'POST',
  path: '/api/Member/Claims',
  access: 'member',
  summary: 'Opens a claim for a missing transaction, with an optional receipt; sent again, it returns the same claim',
  body: z.strictObject({
    ...transactionFields,
    note: z.string().trim().max(1000, 'validation.check').default(''),
    receipt: z
      .strictObject({
        name: z.string().min(1).max(120),
        type: z.enum(receiptTypes, 'claims.receipt_wrong'),
        /** Base64. */
        content: z.base64('claims.receipt_wrong').max(2_800_000, 'claims.receipt_large'),
      })
      .optional(),
  }),
  reply: Claim,
  errors: { claimTooEarly: 409, tooManyClaims: 409 },
  perMinute: 10,
})
