import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'

/** Form field with the proof; empty on the first attempt. Its name is that of the best-known check. */
export const BotCheckResponse = z.string().max(4096).default('')

const Challenge = z.strictObject({
  parameters: z.strictObject({
    algorithm: z.string().max(40),
    nonce: z.string().max(100),
    salt: z.string().max(100),
    cost: z.number().int(),
    keyLength: z.number().int(),
    keyPrefix: z.string().max(64),
    expiresAt: z.number(),
    data: z.strictObject({ program: z.string().max(40) }),
  }),
  signature: z.string().max(200),
})

export const getBotChallenge = defineSchemas({
  summary: 'Returns a proof-of-work challenge (ALTCHA), valid for five minutes',
  reply: Challenge,
  perMinute: 60,
})

export const solveBotChallenge = defineSchemas({
  summary: 'Verifies a solved challenge and returns a single-use token for a form of this session',
  body: z.strictObject({
    challenge: Challenge,
    solution: z.strictObject({
      counter: z.number().int().min(0).max(4_294_967_295),
      derivedKey: z.string().max(200),
      time: z.number().optional(),
    }),
  }),
  reply: z.object({ token: z.string() }),
  errors: { notSolved: 400 },
  perMinute: 60,
})
