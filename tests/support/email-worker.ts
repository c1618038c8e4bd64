import pino from 'pino'
import { sendEmail } from '../../src/identity/email/service.ts'
import { createPools } from '../../src/platform/database/db.ts'
import { createDatabaseListener } from '../../src/platform/database/listen.ts'
import { startJobWorkers } from '../../src/platform/jobs/workers.ts'
import { onlyJobs } from './only-jobs.ts'

// Sends emails. The arguments are the address of the database, and how the transport behaves: with `hang` it accepts
// one message and never returns, so that the process can be killed between sending and recording.
const [url = '', how] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const pools = createPools({ url, onError: () => {} })
let sentCount = 0
const transport = async ({ messageId }: { messageId: string }) => {
  if (how === 'hang' && sentCount++ > 0) return new Promise<void>(() => {})
  process.stdout.write(`${messageId}\n`)
  if (how === 'hang') await new Promise(() => {})
}
await startJobWorkers({
  ...onlyJobs({
    emails: (job) =>
      sendEmail(
        { db: pools.forPartner(job.partnerId), partnerId: job.partnerId, transport, from: 'Dineback <a@b.example>' },
        job,
      ),
  }),
  url,
  dbListener: createDatabaseListener({ url, log }),
  superviseSeconds: 1,
  log,
})
