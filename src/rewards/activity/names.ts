/** Returns the copy key of an operator's credit, or of a debit. */
export const adjustmentKey = (amount: number) =>
  amount < 0 ? 'activity.adjustment_debit' : 'activity.adjustment_credit'
