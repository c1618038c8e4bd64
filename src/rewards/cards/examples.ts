import { type CallGroup, example } from '../../platform/call-examples.ts'
import {
  createCardIntent,
  decideCardMove,
  deleteCard,
  linkCards,
  listCardMoves,
  listCardRequests,
  listCards,
  listPartnerCards,
  undoCardMove,
} from './contract.ts'
import * as schemas from './schemas.ts'

const card = {
  id: 'k2nT8kYw5ZpAhM3v0cXb6r',
  cardType: 'visa',
  description: 'Visa',
  lastFour: '4242',
  partnerCardId: null,
} as const
const moveId = '5f3a9c20-1e7b-4d86-8a45-c0b9d2e6f713'

export const cardExamples: CallGroup = {
  tag: 'Cards',
  place: 120,
  description: 'The linked cards of the member. Card numbers go to the card vault only; this API never receives one.',
  examples: [
    example(listCards, schemas.listCards, {
      reply: [
        { ...card, linkedAt: '2026-11-01T12:00:00.000Z', earnsFrom: '2026-11-01T12:00:00.000Z', expires: '2029-08' },
      ],
    }),
    example(createCardIntent, schemas.createCardIntent, {
      body: { attempt: 1 },
      reply: {
        intentId: 'i8kYw5ZpAhM3v0cXb6rQ2n',
        frameUrl: 'https://vault.example.com/frame?intent=i8kYw5ZpAhM3v0cXb6rQ2n',
        expiresAt: '2026-11-20T18:35:00.000Z',
      },
    }),
    example(linkCards, schemas.linkCards, {
      headers: { 'Idempotency-Key': '0f6b7a52-3c1d-4e98-a7f4-5b2d8c9e1036' },
      body: {
        creditCards: [
          {
            encryptedCardNumber:
              'eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSJ9..rQ2nT8kYw5ZpAhM3.v0cXb6rQ2nT8kYw5ZpA.hM3v0c',
            lastFour: '4242',
            cardType: 'VISA',
          },
        ],
        directFileFeedOptIn: true,
      },
      reply: { cardRegistration: [{ memberCard: card }] },
    }),
    example(listPartnerCards, schemas.listPartnerCards, {
      reply: [
        {
          cardId: 'p5ZpAhM3v0cXb6rQ2nT8kY',
          cardType: 'VISA',
          description: 'Everyday Visa',
          lastFour: '1881',
          partnerCardId: 'BC-20418',
        },
      ],
    }),
    example(listCardMoves, schemas.listCardMoves, {
      reply: [
        {
          id: moveId,
          direction: 'here',
          program: 'Orchard Dining',
          description: 'Visa',
          lastFour: '4242',
          undoUntil: '2026-11-21T18:30:00.000Z',
        },
      ],
    }),
    example(listCardRequests, schemas.listCardRequests, {
      reply: [{ askedAt: '2026-11-20T18:30:00.000Z', until: '2026-11-27T18:30:00.000Z' }],
    }),
    example(undoCardMove, schemas.undoCardMove, { body: { id: moveId }, reply: { undone: true } }),
    example(decideCardMove, schemas.decideCardMove, {
      body: { code: 'w5ZpAhM3v0cXb6rQ2nT8kYhM3v0cXb6rQ2nT8kYw5Zp', allow: true },
      reply: { allowed: true },
    }),
    example(deleteCard, schemas.deleteCard, { query: { id: card.id, closesAccount: 'false' }, reply: true }),
  ],
}
