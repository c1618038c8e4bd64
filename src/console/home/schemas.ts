import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'

/** What waits for an operator. */
export const taskKinds = [
  'lateClaims',
  'lateUnmatched',
  'claims',
  'approvals',
  'unmatched',
  'payouts',
  'deadLetters',
  'emails',
  'files',
  'invoices',
] as const

export const Home = z.object({
  program: z.string(),
  /** Only what the operator may see, and nothing with a count of 0. */
  tasks: z.array(z.object({ kind: z.enum(taskKinds), count: z.number().int() })),
  /** Null without the permission to see reports. Each figure of the last seven days, and of the seven days before. */
  week: z
    .object({
      /** The seven days, in the program's zone. */
      from: z.iso.date(),
      to: z.iso.date(),
      figures: z.array(
        z.object({
          kind: z.enum(['dines', 'spendCents', 'rewards', 'revenueCents', 'members', 'cards']),
          now: z.number(),
          before: z.number(),
        }),
      ),
    })
    .nullable(),
  /** When the last message of the card feed arrived; null without any. */
  lastFeedAt: z.iso.datetime().nullable(),
})
export type Home = z.infer<typeof Home>

export const getHome = defineSchemas({
  summary: 'Returns what waits for an operator in a program, and the last seven days beside those before',
  reply: Home,
})

export const listHomes = defineSchemas({
  summary: 'Returns the same for each of the operator’s programs',
  reply: z.array(Home),
})
