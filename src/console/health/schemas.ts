import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'

const moment = z.iso.datetime().nullable()
const count = z.number().int()

export const OutsideSystem = z.object({
  kind: z.enum(['cardNetwork', 'payouts', 'email', 'notifications', 'booking', 'surveys']),
  /** False when this installation uses its included replacement, or nothing. */
  isSetUp: z.boolean(),
  /** When it last did what it was asked to. */
  lastSuccessAt: moment,
  /** The server knows of successes of the last hour only. */
  isOfLastHour: z.boolean(),
  /** The last failure that is not repaired yet. */
  lastFailureAt: moment,
  /** What waits for it, and of that what has failed at least once. */
  waiting: count,
  retrying: count,
  /** What has failed for good, or needs a decision. */
  failed: count,
  /** Since when the oldest one that is due waits. */
  oldestDueAt: moment,
})
export type OutsideSystem = z.infer<typeof OutsideSystem>

export const getOutsideSystems = defineSchemas({
  summary: 'Returns how the outside systems of a program do: what succeeded and failed last, and what waits for them',
  reply: z.array(OutsideSystem),
})
