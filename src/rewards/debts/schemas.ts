import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'

/** What was carried into or out of a balance: a message and its parameters. */
export const CarriedDebt = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  key: z.string(),
  params: z.object({ amount: z.string() }),
})
export type CarriedDebt = z.infer<typeof CarriedDebt>

export const listCarriedDebts = defineSchemas({
  summary: 'Lists what the member carried over from an earlier account or with a card, newest first',
  reply: z.array(CarriedDebt),
})
