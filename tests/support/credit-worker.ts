import pino from 'pino'
import { createPools } from '../../src/platform/database/db.ts'
import { createDatabaseListener } from '../../src/platform/database/listen.ts'
import { startJobWorkers } from '../../src/platform/jobs/workers.ts'
import { httpProcessor } from '../../src/rewards/payouts/http-processor.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import { executeCredit } from '../../src/rewards/payouts/statement-credits.ts'
import { onlyJobs } from './only-jobs.ts'
import { createTestContext } from './rewards-harness.ts'

// Executes statement credits until it is killed. The arguments are the address of the database, and that of a processor.
const [, , url = '', processorUrl] = process.argv
const processor = processorUrl === undefined ? ownProcessor : httpProcessor(processorUrl, 'key')
const log = pino({ level: 'silent' })
const pools = createPools({ url, onError: () => {} })
const ctx = createTestContext({ pools }, 'beacon')
await startJobWorkers({
  ...onlyJobs({ 'statement-credits': (job) => executeCredit(ctx, processor, job) }),
  url,
  dbListener: createDatabaseListener({ url, log }),
  superviseSeconds: 1,
  log,
})
process.stdout.write('working\n')
