import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { TierLevel } from '../partners/contract.ts'

export const activate = defineCall({
  id: 'activate',
  method: 'POST',
  path: '/api/Member/Activate',
  access: 'anyone',
  summary: 'Activates a member whom the partner has enrolled; with the short-lived token of the known-member answer',
  body: z.strictObject({ publicId: z.string().regex(/^[\w-]{22}$/) }),
  reply: z.object({ publicId: z.string(), tierLevel: TierLevel }),
  refusals: { activationRefused: 401, notToActivate: 409 },
  perMinute: 10,
})
