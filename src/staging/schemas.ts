import { z } from 'zod'
import { SignedIn } from '../identity/session/schemas.ts'
import { defineSchemas } from '../platform/call.ts'
import { sentEmail } from '../platform/form-schema.ts'
import { amountPattern } from '../platform/money.ts'
import { memberStates } from './rules.ts'

export const StagingCard = z.object({
  id: z.string(),
  member: z.string(),
  lastFour: z.string(),
})

export const listStagingCards = defineSchemas({
  summary: 'Returns the linked cards of this program, for sending transactions (staging only)',
  reply: z.object({ cards: z.array(StagingCard) }),
})

const FlagKind = z.enum(['authFlags', 'filters', 'partnerFeatureFlags'])

export const setFlag = defineSchemas({
  summary: 'Sets a feature flag of this program (staging only)',
  body: z.strictObject({
    kind: FlagKind,
    name: z.string().regex(/^\w{1,60}$/),
    value: z.boolean(),
  }),
  reply: z.object({ set: z.literal(true) }),
})

export const DineForm = z.strictObject({
  cardId: z.string().min(1, 'validation.required').max(60),
  merchantId: z.string().min(1, 'validation.required').max(90),
  amount: z.string().trim().regex(amountPattern, 'validation.check'),
  event: z.enum(['auth', 'clearing', 'refund']),
  /** The network's id of an earlier event that this one belongs to. */
  transactionId: z
    .string()
    .regex(/^[\w.:-]{1,60}$/, 'validation.check')
    .optional(),
})

export const sendDine = defineSchemas({
  summary: 'Sends a signed card-network event to this program (staging only)',
  body: DineForm,
  reply: z.object({ outcome: z.string(), transactionId: z.string() }),
  errors: { cardNotFound: 404, merchantNotFound: 404 },
})

export const loadPartnerCards = defineSchemas({
  summary: 'Loads three sample cards for the signed-in member, as the partner would (staging only)',
  reply: z.object({ loaded: z.literal(true) }),
  errors: { notOffered: 404, vaultUnavailable: 503 },
})

export const barDiner = defineSchemas({
  summary: 'Bars a person from booking, or allows bookings again (staging only)',
  body: z.strictObject({ email: sentEmail(), barred: z.boolean() }),
  reply: z.object({ barred: z.boolean() }),
})

export const StagingMember = z.object({
  publicId: z.string(),
  name: z.string(),
  email: z.string(),
  memberType: z.string(),
  tierLevel: z.string(),
  active: z.boolean(),
  hasWebProfile: z.boolean(),
})
export type StagingMember = z.infer<typeof StagingMember>

export const listStagingMembers = defineSchemas({
  summary: 'Returns the newest members of this program (staging only)',
  reply: z.object({ members: z.array(StagingMember) }),
})

export const makeMember = defineSchemas({
  summary: 'Creates a member in a given state (staging only)',
  body: z.strictObject({ state: z.enum(memberStates) }),
  reply: StagingMember.extend({ password: z.string().nullable() }),
  errors: { notOffered: 404, busy: 429 },
})

export const becomeMember = defineSchemas({
  summary: 'Signs this browser in as a member without a password (staging only)',
  body: z.strictObject({ publicId: z.string().max(60) }),
  reply: SignedIn.pick({ csrfToken: true, memberType: true }),
  cookies: ['__Host-sid', 'session_expiry'],
  errors: { memberNotFound: 404 },
})

export const loadMembers = defineSchemas({
  summary: 'Loads members enrolled by the partner, one JSON object per line (staging only)',
  body: z.strictObject({ lines: z.string().min(1, 'validation.required').max(60_000) }),
  multiline: ['lines'],
  reply: z.object({
    members: z.array(z.object({ email: z.string(), publicId: z.string() })),
    problems: z.array(z.object({ line: z.number().int(), problem: z.string() })),
  }),
  errors: { notOffered: 404 },
})

export const Clock = z.object({ now: z.iso.datetime(), isSet: z.boolean() })

export const getClock = defineSchemas({
  summary: 'Returns the current time of this installation (staging only)',
  reply: Clock,
})

export const setClock = defineSchemas({
  summary: 'Sets the time of this process for all programs, or restores the real time (staging only)',
  // The same years as `Day` allows.
  body: z.strictObject({
    at: z.iso
      .datetime({ offset: true, message: 'validation.check' })
      .regex(/^(19|20|21)/, 'validation.check')
      .nullable(),
  }),
  reply: Clock,
})

export const listFlags = defineSchemas({
  summary: 'Returns the feature flags of this program and their values (staging only)',
  reply: z.object({ flags: z.array(z.object({ kind: FlagKind, name: z.string(), value: z.boolean() })) }),
})
