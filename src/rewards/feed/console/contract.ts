import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type {
  AttachPreview,
  FeedFile,
  FeedFileDetail,
  FeedMessageDetail,
  LikelyRestaurant,
  ListedMessage,
  UnmatchedDetail,
  UnmatchedTransaction,
} from './schemas.ts'

const unmatched = '/api/programs/:program/unmatched'

export const listUnmatched = defineCall<typeof schemas.listUnmatched>()({
  id: 'listUnmatched',
  method: 'GET',
  path: unmatched,
  access: 'operator',
  permission: 'transactions.read',
})

export const getUnmatched = defineCall<typeof schemas.getUnmatched>()({
  id: 'getUnmatched',
  method: 'GET',
  path: `${unmatched}/:id`,
  access: 'operator',
  permission: 'transactions.read',
  audited: true,
})

export const findRestaurants = defineCall<typeof schemas.findRestaurants>()({
  id: 'findRestaurants',
  method: 'GET',
  path: '/api/programs/:program/restaurant-names',
  access: 'operator',
  permission: 'transactions.read',
})

export const previewAttach = defineCall<typeof schemas.previewAttach>()({
  id: 'previewAttach',
  method: 'POST',
  path: `${unmatched}/:id/preview`,
  access: 'operator',
  permission: 'transactions.attach',
  readOnly: true,
})

export const attachTransaction = defineCall<typeof schemas.attachTransaction>()({
  id: 'attachTransaction',
  method: 'POST',
  path: `${unmatched}/:id/attach`,
  access: 'operator',
  permission: 'transactions.attach',
})

export const ignoreTransaction = defineCall<typeof schemas.ignoreTransaction>()({
  id: 'ignoreTransaction',
  method: 'POST',
  path: `${unmatched}/:id/ignore`,
  access: 'operator',
  permission: 'transactions.attach',
})

export const restoreTransaction = defineCall<typeof schemas.restoreTransaction>()({
  id: 'restoreTransaction',
  method: 'POST',
  path: `${unmatched}/:id/restore`,
  access: 'operator',
  permission: 'transactions.attach',
})

const files = '/api/programs/:program/feed-files'

export const listFeedFiles = defineCall<typeof schemas.listFeedFiles>()({
  id: 'listFeedFiles',
  method: 'GET',
  path: files,
  access: 'operator',
  permission: 'feed.read',
})

export const getFeedFile = defineCall<typeof schemas.getFeedFile>()({
  id: 'getFeedFile',
  method: 'GET',
  path: `${files}/:id`,
  access: 'operator',
  permission: 'feed.read',
})

export const exportFaults = defineCall<typeof schemas.exportFaults>()({
  id: 'exportFaults',
  method: 'GET',
  path: `${files}/:id/faults.csv`,
  access: 'operator',
  permission: 'feed.read',
  audited: true,
})

export const checkFeedFile = defineCall<typeof schemas.checkFeedFile>()({
  id: 'checkFeedFile',
  method: 'POST',
  path: `${files}/check`,
  access: 'operator',
  permission: 'feed.upload',
  readOnly: true,
})

export const uploadFeedFile = defineCall<typeof schemas.uploadFeedFile>()({
  id: 'uploadFeedFile',
  method: 'POST',
  path: files,
  access: 'operator',
  permission: 'feed.upload',
})

export const replayFile = defineCall<typeof schemas.replayFile>()({
  id: 'replayFile',
  method: 'POST',
  path: `${files}/:id/replay`,
  access: 'operator',
  permission: 'feed.upload',
})

export const previewReplay = defineCall<typeof schemas.previewReplay>()({
  id: 'previewReplay',
  method: 'POST',
  path: '/api/programs/:program/feed-replays/preview',
  access: 'operator',
  permission: 'feed.upload',
  readOnly: true,
})

export const replaySpan = defineCall<typeof schemas.replaySpan>()({
  id: 'replaySpan',
  method: 'POST',
  path: '/api/programs/:program/feed-replays',
  access: 'operator',
  permission: 'feed.upload',
})

const messages = '/api/programs/:program/transactions/:id/replay'

export const previewReplayOfTransaction = defineCall<typeof schemas.previewReplayOfTransaction>()({
  id: 'previewReplayOfTransaction',
  method: 'POST',
  path: `${messages}/preview`,
  access: 'operator',
  permission: 'feed.upload',
  readOnly: true,
})

export const replayTransaction = defineCall<typeof schemas.replayTransaction>()({
  id: 'replayTransaction',
  method: 'POST',
  path: messages,
  access: 'operator',
  permission: 'feed.upload',
})

const received = '/api/programs/:program/feed-messages'

export const listFeedMessages = defineCall<typeof schemas.listFeedMessages>()({
  id: 'listFeedMessages',
  method: 'GET',
  path: received,
  access: 'operator',
  permission: 'feed.read',
})

export const getFeedMessage = defineCall<typeof schemas.getFeedMessage>()({
  id: 'getFeedMessage',
  method: 'GET',
  path: `${received}/:id`,
  access: 'operator',
  permission: 'feed.read',
})
