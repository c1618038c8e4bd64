/** Returns the copy key of an operator's credit, of a debit, or of the balance of another account of the member. */
export const adjustmentKey = ({ amount, isMerge = false }: { amount: number; isMerge?: boolean | undefined }) =>
  isMerge ? 'activity.merge' : amount < 0 ? 'activity.adjustment_debit' : 'activity.adjustment_credit'
