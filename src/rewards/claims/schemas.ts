import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { formSchema, sentLine } from '../../platform/form-schema.ts'
import { ClaimNote, MissingTransaction } from './forms.ts'
import { receiptTypes, resolutions } from './rules.ts'

/** A copy key and its parameters. */
const Sentence = z.object({ key: z.string(), params: z.record(z.string(), z.string()) })
export type Sentence = z.infer<typeof Sentence>

/**
 * `found`: it is in the statement; `explained`: why it did not earn; `wait`: it may still come; `claimed`: unknown, and the
 * member has opened a claim for it or for a meal like it; else unknown.
 */
export const Explanation = z.object({
  outcome: z.enum(['found', 'explained', 'wait', 'claimed', 'unexplained']),
  findings: z.array(Sentence),
  /** Of a found transaction: its id in the activity, and the month (`YYYY-MM`) by which the list can be narrowed. */
  transactionId: z.string().optional(),
  period: z.string().optional(),
  /** The claim that the member has opened for a meal like this. */
  claimId: z.string().optional(),
})
export type Explanation = z.infer<typeof Explanation>

export const explainMissing = defineSchemas({
  summary: 'Explains why a transaction is missing from the member’s rewards',
  body: formSchema(MissingTransaction),
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

export const listClaims = defineSchemas({
  summary: 'Lists the member’s claims, newest first',
  reply: z.array(Claim),
})

export const openClaim = defineSchemas({
  summary: 'Opens a claim for a missing transaction, with an optional receipt; sent again, it returns the same claim',
  body: formSchema(
    { ...MissingTransaction, ...ClaimNote },
    {
      /** The member says that it is none of the similar meals in the history and in earlier claims. */
      anotherMeal: z.boolean().default(false),
      receipt: z
        .strictObject({
          /** Named by the member's device. */
          name: sentLine().min(1).max(120),
          type: z.enum(receiptTypes, 'claims.receipt_wrong'),
          /** Base64. */
          content: z.base64('claims.receipt_wrong').max(2_800_000, 'claims.receipt_large'),
        })
        .optional(),
    },
  ),
  reply: Claim,
  multiline: ['note'],
  errors: {
    claimTooEarly: 409,
    tooManyClaims: 409,
    /** A meal like this is in the history: `detail.transaction`. */
    mealFound: 409,
    /** The member has a claim for a meal like this: `detail.claim`. */
    mealClaimed: 409,
  },
  perMinute: 10,
})
