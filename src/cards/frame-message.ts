import { z } from 'zod'
import { cardTypes } from '../partners/names.ts'

/** What the frame says when a card is complete and sealed. */
const FrameCard = z.strictObject({
  type: z.literal('dineback-card'),
  encryptedCardNumber: z.string().min(50).max(4096),
  lastFour: z.string().regex(/^\d{4}$/),
  cardType: z.enum(cardTypes),
})
export type FrameCard = z.infer<typeof FrameCard>

/** What the frame says of itself. Heights are CSS pixels. */
const FrameState = z.strictObject({
  type: z.literal('dineback-frame'),
  state: z.enum(['ready', 'invalid', 'cleared', 'height']),
  /** What is wrong with what was typed, when something is. */
  wrong: z.enum(['missing', 'number', 'expiry']).optional(),
  height: z.number().min(0).max(2000).optional(),
})

/** What keeps the typed card from being linked. */
export type FrameProblem = NonNullable<z.infer<typeof FrameState>['wrong']>

/** What the page says to the frame when its form is sent with a card that is not complete. */
export const checkMessage = 'dineback-check'

const FrameMessage = z.discriminatedUnion('type', [FrameCard, FrameState])
export type FrameMessage = z.infer<typeof FrameMessage>

/** Reads a message of the frame, JSON text in the agreed form; anything else is null. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  if (typeof data !== 'string' || data.length > 8192) return null
  try {
    return FrameMessage.safeParse(JSON.parse(data)).data ?? null
  } catch {
    return null
  }
}
