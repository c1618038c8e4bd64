import { z } from 'zod'
import { Day } from '../../platform/day.ts'
import { positiveAmountPattern } from '../../platform/money.ts'

/** A transaction that the member misses. */
export const MissingTransaction = z.strictObject({
  date: Day,
  /** The restaurant's public id, when it was found by name. */
  merchantId: z.string().max(120).optional(),
  merchantName: z.string().trim().min(2, 'claims.merchant_missing').max(120),
  amount: z.string().trim().regex(positiveAmountPattern, 'claims.amount_wrong'),
  /** The card used for payment, if the member knows it. */
  cardId: z.string().max(60).optional(),
})
export type MissingTransaction = z.output<typeof MissingTransaction>
