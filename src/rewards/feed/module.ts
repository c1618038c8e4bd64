import { cleanup, perMinute } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { feedExamples } from './examples.ts'
import { rematchJoinedLocations } from './receive-events.ts'
import { importUpload, purgeUploads } from './uploads.ts'

export const feedModule: Module = {
  name: 'rewards/feed',
  examples: feedExamples,
  jobs: {
    'feed-uploads': {
      retries: { times: 20, firstSeconds: 5, longestSeconds: 900 },
      leaseSeconds: 900,
      run: (ctx, { id }) => importUpload(ctx, Number(id)),
    },
  },
  tasks: { rematch: perMinute(rematchJoinedLocations), 'feed-uploads': cleanup(purgeUploads) },
  memberTables: [
    { table: 'transactions', secret: ['card_token', 'reason', 'terms_id'], deletion: 'retained', merging: 'moved' },
  ],
}
