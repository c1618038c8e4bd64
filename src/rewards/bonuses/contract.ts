import { z } from 'zod'
import { defineCall } from '../../platform/call.ts'

export const registerBonus = defineCall({
  id: 'registerBonus',
  method: 'POST',
  path: '/api/Member/Bonus/:code',
  access: 'member',
  summary: 'Activates a bonus for the signed-in member; sent again, it changes nothing',
  params: z.object({ code: z.string().regex(/^[\w-]{1,40}$/) }),
  reply: z.literal(true),
  errors: { bonusNotFound: 404, bonusNotOffered: 409 },
})
