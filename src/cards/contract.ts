import { z } from 'zod'
import { HumanAnswer } from '../bot-check/contract.ts'
import { defineCall } from '../kit/call.ts'
import { CardType } from '../partners/contract.ts'

export const MemberCard = z.object({
  id: z.string(),
  cardType: z.enum(['visa', 'amex', 'mastercard', 'discover']),
  description: z.string(),
  lastFour: z.string(),
  partnerCardId: z.string().nullable(),
})
export type MemberCard = z.infer<typeof MemberCard>

/** One card to link, sealed by the vault's frame. */
export const NewCard = z.strictObject({
  encryptedCardNumber: z.string().min(50, 'cards.number_missing').max(4096),
  lastFour: z.string().regex(/^\d{4}$/, 'cards.number_missing'),
  cardType: CardType,
})
export type NewCard = z.output<typeof NewCard>

export const AddCardForm = z.strictObject({
  creditCards: z.array(NewCard).min(1, 'cards.number_missing').max(12),
  directFileFeedOptIn: z.literal(true, 'cards.terms_missing'),
  gRecaptchaResponse: HumanAnswer,
})
export type AddCardForm = z.output<typeof AddCardForm>

export const CardRegistration = z.object({
  memberCard: MemberCard,
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})
export type CardRegistration = z.infer<typeof CardRegistration>

export const listCards = defineCall({
  id: 'listCards',
  method: 'GET',
  path: '/api/Member/Cards',
  access: 'member',
  summary: 'The cards the member has linked',
  reply: z.array(MemberCard),
})

export const createCardIntent = defineCall({
  id: 'createCardIntent',
  method: 'POST',
  path: '/api/Member/Cards/Intent',
  access: 'member',
  summary: 'A one-time permission to bring a card, and the address of the frame that takes it',
  body: z.strictObject({ attempt: z.number().int().min(1).max(1000) }),
  reply: z.object({ intentId: z.string(), frameUrl: z.url(), expiresAt: z.iso.datetime() }),
  refusals: { vaultUnavailable: 503 },
  perMinute: 30,
})

export const linkCards = defineCall({
  id: 'linkCards',
  method: 'POST',
  path: '/api/Member/Cards',
  access: 'member',
  summary:
    'Links sealed cards; sent again (same body or same Idempotency-Key) it answers the same and links nothing more',
  body: AddCardForm,
  reply: z.object({ cardRegistration: z.array(CardRegistration) }),
  refusals: { vaultUnavailable: 503, keyReused: 422 },
  perMinute: 30,
})

export const deleteCard = defineCall({
  id: 'deleteCard',
  method: 'DELETE',
  path: '/api/Member/Cards',
  access: 'member',
  summary: 'Unlinks a card; without any card left the account is closed',
  query: z.strictObject({ id: z.string().max(60) }),
  reply: z.literal(true),
  refusals: { cardNotFound: 404 },
})
