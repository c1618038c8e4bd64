import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { amountPattern } from '../kit/money.ts'

export const StagingCard = z.object({
  id: z.string(),
  member: z.string(),
  lastFour: z.string(),
})

export const listStagingCards = defineCall({
  id: 'listStagingCards',
  method: 'GET',
  path: '/api/staging/cards',
  access: 'anyone',
  summary: 'Cards linked in this program, for sending a meal (staging only)',
  reply: z.object({ cards: z.array(StagingCard) }),
})

export const setFlag = defineCall({
  id: 'setFlag',
  method: 'PUT',
  path: '/api/staging/flags',
  access: 'anyone',
  summary: 'Switches something of this program on or off (staging only)',
  body: z.strictObject({
    kind: z.enum(['authFlags', 'filters', 'partnerFeatureFlags']),
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
  /** The network's id of an earlier event, when this one belongs to it. */
  transactionId: z
    .string()
    .regex(/^[\w.:-]{1,60}$/, 'validation.check')
    .optional(),
})

export const sendDine = defineCall({
  id: 'sendDine',
  method: 'POST',
  path: '/api/staging/dine',
  access: 'anyone',
  summary: 'Sends a signed card-network event to this program (staging only)',
  body: DineForm,
  reply: z.object({ outcome: z.string(), transactionId: z.string() }),
  refusals: { cardNotFound: 404, merchantNotFound: 404 },
})

export const loadPartnerCards = defineCall({
  id: 'loadPartnerCards',
  method: 'POST',
  path: '/api/staging/partner-cards',
  access: 'member',
  summary: 'Loads three sample cards for the signed-in member, as the partner would (staging only)',
  reply: z.object({ loaded: z.literal(true) }),
  refusals: { notOffered: 404, vaultUnavailable: 503 },
})

export const barDiner = defineCall({
  id: 'barDiner',
  method: 'PUT',
  path: '/api/staging/barred-diners',
  access: 'anyone',
  summary: 'Has the book refuse a diner, or take them again (staging only)',
  body: z.strictObject({ email: z.email('validation.check').max(254), barred: z.boolean() }),
  reply: z.object({ barred: z.boolean() }),
})
