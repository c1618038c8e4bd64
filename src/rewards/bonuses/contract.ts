import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export const registerBonus = defineCall<typeof schemas.registerBonus>()({
  id: 'registerBonus',
  method: 'POST',
  path: '/api/Member/Bonus/:code',
  access: 'member',
})
