import { z } from 'zod'
import { reason } from '../../console-kit/reason.ts'
import { defineSchemas } from '../../platform/call.ts'

const kind = z.enum(['authFlags', 'filters', 'partnerFeatureFlags'])

export const Flag = z.object({
  kind,
  name: z.string(),
  isOn: z.boolean(),
  /** When it was set last, and by which operator; null as long as it is as in the program's files. */
  set: z.object({ at: z.iso.datetime(), by: z.string().nullable() }).nullable(),
})
export type Flag = z.infer<typeof Flag>

export const Flags = z.object({
  /** `partly`: for sign-in or joining only, or without them. */
  maintenance: z.enum(['on', 'off', 'partly']),
  flags: z.array(Flag),
})
export type Flags = z.infer<typeof Flags>

export const listFlags = defineSchemas({
  summary: 'Returns the feature flags and the maintenance of a program, since when they are so, and by whom',
  reply: Flags,
})

export const setFlag = defineSchemas({
  summary: 'Switches a feature flag. Every process applies it within a second',
  params: z.object({ kind: z.string().max(40), name: z.string().max(60) }),
  // `was` is the value that the operator saw.
  body: z.object({ isOn: z.boolean(), was: z.boolean(), reason }),
  multiline: ['reason'],
  reply: Flags,
  errors: { notFound: 404, conflict: 409 },
})

export const setMaintenance = defineSchemas({
  summary: 'Closes a program for maintenance, including sign-in and joining, or opens it again',
  // `was` is the state that the operator saw.
  body: z.object({ isOn: z.boolean(), was: Flags.shape.maintenance, reason }),
  multiline: ['reason'],
  reply: Flags,
  errors: { conflict: 409 },
})
