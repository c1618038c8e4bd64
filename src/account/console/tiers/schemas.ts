import { z } from 'zod'
import { reason } from '../../../console-kit/reason.ts'
import { defineSchemas } from '../../../platform/call.ts'
import { Day } from '../../../platform/day.ts'
import { TierLevel } from '../../../programs/partners/schemas.ts'
import { MemberDetail, params, errors as readErrors } from '../record-schemas.ts'

const errors = { ...readErrors, mergedAccount: 409 }
const given = {
  tier: TierLevel,
  /** Inclusive. */
  lastDay: Day,
}

export const TierPreview = z.object({
  /** In the words of the program. */
  before: z.string(),
  after: z.string(),
  /** The bill of the next dine, and what it earns before and after. */
  bill: z.string(),
  rewardBefore: z.string(),
  rewardAfter: z.string(),
  /** The last day of what was given before and ends with it. */
  replaces: z.iso.date().nullable(),
  fingerprint: z.string(),
})
export type TierPreview = z.infer<typeof TierPreview>

export const previewTier = defineSchemas({
  summary: 'Returns what a tier that is given until a day would change',
  params,
  body: z.object(given),
  reply: TierPreview,
  errors,
})

export const giveTier = defineSchemas({
  summary: 'Gives a member a higher tier until a day; what was given before ends',
  params,
  body: z.object({
    ...given,
    /** Of the outcome that the operator saw. */
    fingerprint: z.string().max(60),
    reason,
  }),
  multiline: ['reason'],
  reply: MemberDetail,
  errors: { ...errors, conflict: 409 },
})

export const endTier = defineSchemas({
  summary: 'Ends a tier that was given until a day before that day. What was earned with it stays',
  params,
  body: z.object({ reason }),
  multiline: ['reason'],
  reply: MemberDetail,
  errors: { ...errors, noGivenTier: 409 },
})
