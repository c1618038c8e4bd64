import { day, type FormOutput, text } from '../../platform/form-fields.ts'
import { positiveAmountPattern } from '../../platform/money.ts'

/** A transaction that the member misses. */
export const MissingTransaction = {
  date: day(),
  /** The restaurant's public id, when it was found by name. */
  merchantId: text(120, { absent: 'undefined', trim: false, tooLong: 'validation.check' }),
  merchantName: text(120, { min: 2, missing: 'claims.merchant_missing', tooLong: 'validation.check' }),
  amount: text(null, { pattern: [positiveAmountPattern, 'claims.amount_wrong'] }),
  /** The card used for payment, if the member knows it. */
  cardId: text(60, { absent: 'undefined', trim: false, tooLong: 'validation.check' }),
}
export type MissingTransaction = FormOutput<typeof MissingTransaction>
