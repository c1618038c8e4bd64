import { cleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { recoveryCopy } from './copy.ts'
import { recoveryExamples } from './examples.ts'
import { confirmRecoveryPost, requestRecoveryPost, updateRecoveryPost } from './page-posts.ts'
import { type RecoveryRouteDeps, recoveryRoutes } from './routes.ts'
import { processRequestById, purgeRecoveries, type RecoveryDeps } from './service.ts'

interface Needs extends Omit<RecoveryRouteDeps, 'deps'>, RecoveryDeps {}

export const recoveryModule: Module<Needs> = {
  name: 'identity/recovery',
  messages: recoveryCopy,
  examples: recoveryExamples,
  routes: (app, needs) => recoveryRoutes(app, { deps: needs, botCheck: needs.botCheck, cookies: needs.cookies }),
  pagePosts: [requestRecoveryPost, confirmRecoveryPost, updateRecoveryPost],
  jobs: {
    'recovery-requests': {
      retries: { times: 16, firstSeconds: 5, longestSeconds: 900 },
      leaseSeconds: 60,
      run: (ctx, { id }, needs) => processRequestById(ctx, needs, Number(id)),
    },
  },
  tasks: { recoveries: cleanup(purgeRecoveries) },
  memberTables: [
    {
      table: 'recoveries',
      secret: ['code_hash', 'reset_hash', 'browser_hash', 'digits_hash'],
      deletion: 'deleted',
      merging: 'ended',
    },
  ],
}
