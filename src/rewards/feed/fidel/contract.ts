import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { FidelEvent } from './schemas.ts'

/** Path of Fidel's webhooks: one URL per event, as in its documentation. */
export const fidelPath = '/api/feed/fidel/:event'

export const receiveFidelEvent = defineCall<typeof schemas.receiveFidelEvent>()({
  id: 'receiveFidelEvent',
  method: 'POST',
  path: fidelPath,
  access: 'machine',
})
