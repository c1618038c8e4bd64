import pino from 'pino'
import { createDatabaseListener } from '../../src/platform/database/listen.ts'
import { queryAsOwner } from './owner.ts'
import { createTestHarness } from './rewards-harness.ts'

/** Opens a database without jobs, and what workers need: its listener and a log that says nothing. */
export async function createJobHarness() {
  const harness = await createTestHarness()
  const log = pino({ level: 'silent' })
  const dbListener = createDatabaseListener({ url: harness.url, log })
  return {
    ...harness,
    /** What workers of this database need. */
    workerOptions: { url: harness.url, dbListener, log },
    clearJobs: () => queryAsOwner(harness.ownerUrl, 'delete from jobs.job'),
    async close() {
      await dbListener.close()
      await harness.close()
    },
  }
}

export type JobHarness = Awaited<ReturnType<typeof createJobHarness>>
