import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { CarriedDebt } from './schemas.ts'

export const listCarriedDebts = defineCall<typeof schemas.listCarriedDebts>()({
  id: 'listCarriedDebts',
  method: 'GET',
  path: '/api/Member/CarriedDebts',
  access: 'member',
})
