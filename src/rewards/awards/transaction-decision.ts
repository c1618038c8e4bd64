import { type Award, computeAward } from '../earning/rules.ts'
import type { AwardInput } from '../earning/terms.ts'
import type { TransactionFields } from './store.ts'
import { reasonOf, type TransactionRow } from './store.ts'

/** A transaction being processed: its stored row, its current facts, and the award computed from them. */
export interface TransactionDecision {
  /** Undefined for a new transaction. */
  existing: TransactionRow | undefined
  fields: TransactionFields
  input: AwardInput
  award: Award
}

export function decideTransaction(
  existing: TransactionRow | undefined,
  fields: TransactionFields,
  input: AwardInput,
): TransactionDecision {
  return { existing, fields, input, award: computeAward(input) }
}

/**
 * Opens a stored transaction for a new decision; `change` overrides its inputs. Returns null for manual entries, which
 * an operator decided.
 */
export function redecideTransaction(
  existing: TransactionRow,
  change: Partial<AwardInput> = {},
): TransactionDecision | null {
  const inputs: AwardInput | undefined = reasonOf(existing).inputs
  return inputs ? decideTransaction(existing, existing, { ...inputs, ...change }) : null
}

/** Returns the transaction, decided with these totals of earlier visits in its month. */
export function decideAfterEarlier(
  transaction: TransactionDecision,
  earlier: { visits: number; countedCents: number },
): TransactionDecision {
  const { earlierVisits, earlierCountedCents = 0 } = transaction.input
  if (earlierVisits === earlier.visits && earlierCountedCents === earlier.countedCents) return transaction
  const { earlierCountedCents: _, ...input } = transaction.input
  return decideTransaction(transaction.existing, transaction.fields, {
    ...input,
    earlierVisits: earlier.visits,
    ...(earlier.countedCents > 0 && { earlierCountedCents: earlier.countedCents }),
  })
}

/** Returns whether a transaction of this status is posted to the ledger. */
export function isPostedStatus(status: string): boolean {
  return status === 'Awarded' || status === 'Paid'
}

/** Returns the status to store: a paid transaction stays `Paid` while its award is above zero. */
export function statusToStore({ existing, award }: TransactionDecision): string {
  const isPaid = existing?.paid_at != null
  return isPaid && award.awardStatus === 'Awarded' ? 'Paid' : award.awardStatus
}

/** Returns whether a transaction is or was posted: only then does it affect more than the list of transactions. */
export function isPosted(transaction: TransactionDecision): boolean {
  return (
    isPostedStatus(statusToStore(transaction)) ||
    (transaction.existing !== undefined && isPostedStatus(transaction.existing.award_status))
  )
}
