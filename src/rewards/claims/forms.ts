import { day, type FormOutput, text } from '../../platform/form-fields.ts'
import { positiveAmountPattern } from '../../platform/money.ts'

/** A transaction that the member misses. */
export const MissingTransaction = {
  date: day(),
  /** The restaurant's public id, when it was found by name. */
  merchantId: text(120, { absent: 'undefined', trim: false, tooLong: 'validation.check' }),
  merchantName: text(120, { label: 'claims.merchant', min: 2, missing: 'claims.merchant_missing' }),
  amount: text(null, { label: 'claims.amount', pattern: [positiveAmountPattern, 'claims.amount_wrong'] }),
  /** The card used for payment, if the member knows it. */
  cardId: text(60, { absent: 'undefined', trim: false, tooLong: 'validation.check' }),
}

/** What the member adds to a claim. */
export const ClaimNote = { note: text(1000, { label: 'claims.note', absent: 'empty', multiline: true }) }
export type MissingTransaction = FormOutput<typeof MissingTransaction>
