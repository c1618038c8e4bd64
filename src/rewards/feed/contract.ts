import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { BatchResult, FeedEvent, NetworkTransaction, Outcome } from './schemas.ts'

export const feedPaths = { event: '/api/feed/events', batch: '/api/feed/batch' } as const

export const receiveFeedEvent = defineCall<typeof schemas.receiveFeedEvent>()({
  id: 'receiveFeedEvent',
  method: 'POST',
  path: feedPaths.event,
  access: 'machine',
})

export const receiveFeedBatch = defineCall<typeof schemas.receiveFeedBatch>()({
  id: 'receiveFeedBatch',
  method: 'POST',
  path: feedPaths.batch,
  access: 'machine',
})
