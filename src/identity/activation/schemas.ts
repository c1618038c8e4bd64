import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { TierLevel } from '../../programs/partners/schemas.ts'

const activated = z.object({ publicId: z.string(), tierLevel: TierLevel })

export const activate = defineSchemas({
  summary: 'Activates a member enrolled by the partner; requires the bearer token of the known-member response',
  body: z.strictObject({ publicId: z.string().regex(/^[\w-]{22}$/) }),
  reply: activated,
  errors: { activationRejected: 401, notToActivate: 409 },
  bearer: true,
  perMinute: 10,
})

export const activateById = defineSchemas({
  summary: 'Activates a member enrolled by the partner, with the public id in the path',
  params: z.strictObject({ publicId: z.string().regex(/^[\w-]{22}$/) }),
  reply: activated,
  errors: { activationRejected: 401, notToActivate: 409 },
  bearer: true,
  perMinute: 10,
})
