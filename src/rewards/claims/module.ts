import { cleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { claimsCopy } from './copy.ts'
import { claimExamples } from './examples.ts'
import { claimRoutes } from './routes.ts'
import { executeDecision, purgeReceipts } from './service.ts'

interface Needs {
  origin: (partnerId: string) => string
}

export const claimsModule: Module<Needs> = {
  name: 'rewards/claims',
  messages: claimsCopy,
  examples: claimExamples,
  routes: claimRoutes,
  jobs: {
    'claim-decisions': {
      retries: { times: 18, firstSeconds: 5, longestSeconds: 900 },
      leaseSeconds: 60,
      run: (ctx, { id }, needs) => executeDecision(ctx, needs, Number(id)),
    },
  },
  tasks: { receipts: cleanup(purgeReceipts) },
  memberTables: [{ table: 'claims', secret: ['receipt'], deletion: 'redacted', merging: 'moved' }],
}
