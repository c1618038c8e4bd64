import { z } from 'zod'
import { defineCall } from '../../platform/call.ts'
import { TierLevel } from '../../programs/partners/contract.ts'

const activated = z.object({ publicId: z.string(), tierLevel: TierLevel })

export const activate = defineCall({
  id: 'activate',
  method: 'POST',
  path: '/api/Member/Activate',
  access: 'anyone',
  summary: 'Activates a member enrolled by the partner; requires the bearer token of the known-member response',
  body: z.strictObject({ publicId: z.string().regex(/^[\w-]{22}$/) }),
  reply: activated,
  errors: { activationRejected: 401, notToActivate: 409 },
  bearer: true,
  perMinute: 10,
})

export const activateById = defineCall({
  id: 'activateById',
  method: 'POST',
  path: '/api/Members/:publicId/Activate',
  access: 'anyone',
  summary: 'Activates a member enrolled by the partner, with the public id in the path',
  params: z.strictObject({ publicId: z.string().regex(/^[\w-]{22}$/) }),
  reply: activated,
  errors: { activationRejected: 401, notToActivate: 409 },
  bearer: true,
  perMinute: 10,
})
