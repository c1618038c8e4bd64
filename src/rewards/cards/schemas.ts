import { z } from 'zod'
import { BotCheckResponse } from '../../identity/bot-check/schemas.ts'
import { defineSchemas } from '../../platform/call.ts'
import { CardType, mostCards } from '../../programs/partners/schemas.ts'

export const MemberCard = z.object({
  id: z.string(),
  cardType: z.enum(['visa', 'amex', 'mastercard', 'discover']),
  description: z.string(),
  lastFour: z.string(),
  partnerCardId: z.string().nullable(),
  linkedAt: z.iso.datetime(),
  /** Transactions from this moment on earn. */
  earnsFrom: z.iso.datetime(),
  /** The last valid month of the card, `YYYY-MM`; null for cards linked before it was stored. */
  expires: z.string().nullable(),
})
export type MemberCard = z.infer<typeof MemberCard>

const face = { lastFour: z.string().regex(/^\d{4}$/, 'cards.number_missing'), cardType: CardType }
/** A typed card, sealed by the vault's frame. */
const TypedCard = z.strictObject({
  encryptedCardNumber: z.string().min(50, 'cards.number_missing').max(4096),
  ...face,
})
/** A card that the partner has loaded for the member. */
const ChosenCard = z.strictObject({ cardId: z.string().min(1).max(60), ...face })
/** One card to link. */
export const NewCard = z.union([TypedCard, ChosenCard], 'cards.number_missing')
export type NewCard = z.output<typeof NewCard>

export const AddCardForm = z.strictObject({
  creditCards: z.array(NewCard).min(1, 'cards.number_missing').max(mostCards),
  directFileFeedOptIn: z.literal(true, 'cards.terms_missing'),
  /** For cards that earn in another program: requests the move by email from their owner there. */
  moveHere: z.boolean().default(false),
  gRecaptchaResponse: BotCheckResponse,
})
export type AddCardForm = z.output<typeof AddCardForm>

/** A value that does not match is ignored. */
export const LinkCardsHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\w-]{8,200}$/)
    .describe('Identifies this request: when it is sent again, the stored response is returned.')
    .optional(),
  'X-Card-Session': z
    .string()
    .regex(/^[\w.-]{20,200}$/)
    .describe('The session of the device in the network’s card frame, which its risk check needs.')
    .optional(),
})

export const CardRegistration = z.object({
  memberCard: MemberCard.pick({ id: true, cardType: true, description: true, lastFour: true, partnerCardId: true }),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
    })
    .optional(),
})
export type CardRegistration = z.infer<typeof CardRegistration>

export const listCards = defineSchemas({
  summary: 'Lists the linked cards of the member',
  reply: z.array(MemberCard),
})

export const createCardIntent = defineSchemas({
  summary: 'Creates a one-time permission to enter a card, and the URL of the card frame',
  body: z.strictObject({ attempt: z.number().int().min(1).max(1000) }),
  reply: z.object({ intentId: z.string(), frameUrl: z.url(), expiresAt: z.iso.datetime() }),
  errors: { vaultUnavailable: 503 },
  perMinute: 30,
})

export const linkCards = defineSchemas({
  summary:
    'Links sealed cards; sent again within a day with the same body or Idempotency-Key, it returns the same ' +
    'response and links nothing more',
  headers: LinkCardsHeaders,
  body: AddCardForm,
  reply: z.object({ cardRegistration: z.array(CardRegistration) }),
  errors: { vaultUnavailable: 503, keyReused: 422, tooManyCards: 429 },
  perMinute: 30,
})

/** A card that the partner has loaded for the member, linked or not. */
export const PartnerCard = z.object({
  cardId: z.string(),
  cardType: CardType,
  description: z.string(),
  lastFour: z.string(),
  partnerCardId: z.string(),
})
export type PartnerCard = z.infer<typeof PartnerCard>

export const listPartnerCards = defineSchemas({
  summary: 'Lists the cards that the partner has loaded for the member and that no other member has linked',
  reply: z.array(PartnerCard),
  errors: { notOffered: 404 },
})

/** A card moved to or from another program, within the day in which the move can be undone. */
export const CardMove = z.object({
  id: z.uuid(),
  /** `here` came to this program, `away` left it. */
  direction: z.enum(['here', 'away']),
  /** The other program. */
  program: z.string(),
  description: z.string(),
  lastFour: z.string(),
  undoUntil: z.iso.datetime(),
})
export type CardMove = z.infer<typeof CardMove>

export const listCardMoves = defineSchemas({
  summary: 'Lists cards moved to or from another program, as long as the move can be undone',
  reply: z.array(CardMove),
})

/** A card of another program that the member has asked for, within the week in which its holder may agree. */
export const CardRequest = z.object({ askedAt: z.iso.datetime(), until: z.iso.datetime() })
export type CardRequest = z.infer<typeof CardRequest>

export const listCardRequests = defineSchemas({
  summary:
    'Lists when the member has asked for cards of other programs that have not arrived, whether or not they matched',
  reply: z.array(CardRequest),
})

export const undoCardMove = defineSchemas({
  summary: 'Moves a card back to the program it came from',
  body: z.strictObject({ id: z.uuid() }),
  reply: z.object({ undone: z.literal(true) }),
  errors: { moveOver: 409, moveBlocked: 409, moveFull: 409 },
})

export const decideCardMove = defineSchemas({
  summary: 'Allows or declines, with the code of the email, that a member of another program moves a card',
  body: z.strictObject({ code: z.string().trim().min(1).max(100), allow: z.boolean() }),
  reply: z.object({ allowed: z.boolean() }),
  errors: { moveRequestOver: 410 },
  perMinute: 10,
})

export const deleteCard = defineSchemas({
  summary: 'Unlinks a card; the account is closed with its last card',
  query: z.strictObject({
    id: z.string().max(60),
    // What the member was told. When it is not so, nothing is deleted.
    closesAccount: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
  }),
  reply: z.literal(true),
  // Only when the account is closed.
  cookies: ['__Host-sid', 'session_expiry'],
  errors: { cardNotFound: 404, cardsChanged: 409 },
})
