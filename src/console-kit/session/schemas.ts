import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { CurrencyType, TierLevel } from '../../programs/partners/schemas.ts'

export const ConsoleProgram = z.object({
  code: z.string(),
  name: z.string(),
  /** Origin of the member app. */
  origin: z.string(),
  timeZone: z.string(),
  currency: z.object({
    currencyType: CurrencyType,
    currencyName: z.string(),
    currencyNameSingular: z.string().optional(),
    rewardPer: z.string().optional(),
  }),
  /** What the program calls its tiers. */
  tierNames: z.record(TierLevel, z.string()),
  /** What the operator may do in it. */
  permissions: z.array(z.string()),
})

export const getSession = defineSchemas({
  summary: 'Returns the signed-in operator, and the programs with what the operator may do in each',
  reply: z.object({
    operator: z.object({ name: z.string(), email: z.string() }),
    /** To send in `X-XSRF-TOKEN` with every call that changes something. */
    csrfToken: z.string(),
    programs: z.array(ConsoleProgram),
  }),
})
