import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'

export const registerBonus = defineSchemas({
  summary: 'Activates a bonus for the signed-in member; sent again, it changes nothing',
  params: z.object({ code: z.string().regex(/^[\w-]{1,40}$/) }),
  reply: z.literal(true),
  errors: { bonusNotFound: 404, bonusNotOffered: 409 },
})
