import type { JobWithMetadata } from 'pg-boss'
import { openQueue } from '../../src/platform/jobs/open-queue.ts'
import type { JobHandler } from '../../src/platform/jobs/workers.ts'

/**
 * Runs the jobs of a queue once, as the workers of the app do, until none is due or one has failed; with `early`, also
 * those that wait for a later time. Returns the errors of failed attempts. `url` is the app's role.
 */
export async function runJobs(
  url: string,
  queue: string,
  handle: JobHandler,
  { early = false }: { early?: boolean } = {},
): Promise<unknown[]> {
  const { boss, close } = openQueue(url)
  const errors: unknown[] = []
  const execute = async (job: JobWithMetadata<{ partnerId: string; id: string }>) => {
    const isLastAttempt = job.retryCount >= job.retryLimit
    try {
      await handle({ ...job.data, isLastAttempt, signal: new AbortController().signal })
      await boss.complete(queue, job.id)
    } catch (error) {
      errors.push(error)
      await boss.fail(queue, job.id)
    }
  }
  const claim = (ignoreStartAfter: boolean) =>
    boss.fetch<{ partnerId: string; id: string }>(queue, { includeMetadata: true, batchSize: 1000, ignoreStartAfter })
  try {
    await boss.start()
    for (let isFirst = true; errors.length === 0; isFirst = false) {
      const jobs = await claim(isFirst && early)
      if (jobs.length === 0) break
      for (const job of jobs) await execute(job)
    }
    return errors
  } finally {
    await boss.stop({ graceful: false, close: false })
    await close()
  }
}
