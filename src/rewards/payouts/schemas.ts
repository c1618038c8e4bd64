import { z } from 'zod'

export const RedemptionStatus = z.enum(['pending', 'pending_received', 'completed', 'rejected', 'error'])
export type RedemptionStatus = z.infer<typeof RedemptionStatus>

/** A payout to the member. */
export const StatementCredit = z.object({
  kind: z.literal('credit'),
  creditId: z.string(),
  creditAmountCents: z.number().int(),
  targetType: z.enum(['card', 'other']),
  targetLabel: z.string(),
  /** A card brand, the brand of a payout provider, or `XXXX` when unknown. */
  payoutBrand: z.string(),
  delivery: z.enum(['Card', 'Email']),
  benefitProcessor: z.string(),
  status: RedemptionStatus,
  /** Whether the processor has not responded: the credit is on its way, and its outcome is asked for. */
  isChecking: z.boolean(),
  date: z.iso.date(),
})
export type StatementCredit = z.infer<typeof StatementCredit>
