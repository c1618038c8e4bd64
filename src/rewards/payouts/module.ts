import { cleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import type { CreditProcessor } from './processor.ts'
import { enqueueOverdueCredits, executeCredit } from './statement-credits.ts'

interface Needs {
  processor: CreditProcessor
}

export const payoutsModule: Module<Needs> = {
  name: 'rewards/payouts',
  jobs: {
    'statement-credits': {
      retries: { times: 7, firstSeconds: 60 },
      leaseSeconds: 120,
      run: (ctx, job, { processor }) => executeCredit(ctx, processor, job),
    },
  },
  tasks: { 'overdue-credits': cleanup(enqueueOverdueCredits) },
  memberTables: [{ table: 'statement_credits', secret: ['last_error'], deletion: 'retained', merging: 'moved' }],
}
