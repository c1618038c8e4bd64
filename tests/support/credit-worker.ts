import pino from 'pino'
import { createPools } from '../../src/platform/database/db.ts'
import { createDatabaseListener } from '../../src/platform/database/listen.ts'
import { startJobWorkers } from '../../src/platform/jobs/workers.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import { executeCredit } from '../../src/rewards/payouts/statement-credits.ts'
import { onlyJobs } from './only-jobs.ts'
import { createTestContext } from './rewards-harness.ts'

// Executes statement credits until it is killed. The argument is the address of the database.
const url = process.argv[2] as string
const log = pino({ level: 'silent' })
const pools = createPools({ url, onError: () => {} })
const ctx = createTestContext({ pools }, 'beacon')
await startJobWorkers({
  ...onlyJobs({ 'statement-credits': (job) => executeCredit(ctx, ownProcessor, job) }),
  url,
  dbListener: createDatabaseListener({ url, log }),
  superviseSeconds: 1,
  log,
})
process.stdout.write('working\n')
