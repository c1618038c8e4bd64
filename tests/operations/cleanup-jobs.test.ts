import type { Logger } from 'pino'
import { expect, test, vi } from 'vitest'
import { startCleanupJobs } from '../../src/app/server/cleanup-jobs.ts'
import { createPools } from '../../src/platform/database/db.ts'
import { startTestApp } from '../support/app.ts'

test('cleanup jobs that are stopped right away leave no query running on a closed pool', async () => {
  const app = await startTestApp()
  try {
    const pools = createPools({ url: app.database.pools.url })
    const consolePools = createPools({ url: app.database.consolePools.url })
    const warn = vi.fn()
    const stop = startCleanupJobs({
      settings: app.settings,
      database: { ...app.database, pools, consolePools },
      partners: [...app.programs.keys()],
      logger: { warn } as unknown as Logger,
    })
    await stop()
    await Promise.all([pools.close(), consolePools.close()])
    // A query that comes too late fails in one of the next turns of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(warn).not.toHaveBeenCalled()
  } finally {
    await app.stop()
  }
})
