import { z } from 'zod'
import { cardTypes } from '../../programs/partners/names.ts'

/** The frame's message with a complete, sealed card. */
const FrameCard = z.strictObject({
  type: z.literal('dineback-card'),
  encryptedCardNumber: z.string().min(50).max(4096),
  lastFour: z.string().regex(/^\d{4}$/),
  cardType: z.enum(cardTypes),
})
export type FrameCard = z.infer<typeof FrameCard>

/** The frame's message about its state. Heights are CSS pixels. */
const FrameState = z.strictObject({
  type: z.literal('dineback-frame'),
  state: z.enum(['ready', 'invalid', 'cleared', 'height']),
  /** The problem with the input, if any. */
  wrong: z.enum(['missing', 'number', 'expiry']).optional(),
  height: z.number().min(0).max(2000).optional(),
})

/** The reason why the typed card cannot be linked. */
export type FrameProblem = NonNullable<z.infer<typeof FrameState>['wrong']>

/** The page's message to the frame when the form is submitted with an incomplete card. */
export const checkMessage = 'dineback-check'

const FrameMessage = z.discriminatedUnion('type', [FrameCard, FrameState])
export type FrameMessage = z.infer<typeof FrameMessage>

/** Parses a message of the frame, JSON text; returns null for anything else. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  if (typeof data !== 'string' || data.length > 8192) return null
  try {
    return FrameMessage.safeParse(JSON.parse(data)).data ?? null
  } catch {
    return null
  }
}
