import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Attachment } from './schemas.ts'

export const listOutbox = defineCall<typeof schemas.listOutbox>()({
  id: 'listOutbox',
  method: 'GET',
  path: '/api/staging/outbox',
  access: 'anyone',
})
