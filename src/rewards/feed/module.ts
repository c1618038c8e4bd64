import { perMinute } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { feedExamples } from './examples.ts'
import { rematchJoinedLocations } from './receive-events.ts'

export const feedModule: Module = {
  name: 'rewards/feed',
  examples: feedExamples,
  tasks: { rematch: perMinute(rematchJoinedLocations) },
  memberTables: [{ table: 'transactions', secret: ['card_token', 'reason', 'terms_id'], deletion: 'retained' }],
}
