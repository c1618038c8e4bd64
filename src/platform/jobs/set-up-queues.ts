import type { Job } from './jobs.ts'
import { openQueue } from './open-queue.ts'
import { deadLetters } from './queues.ts'

const day = 86_400

/** Returns the options of a queue as pg-boss stores them. A failed job stays among the dead letters for 90 days. */
const optionsOf = ({ retries, leaseSeconds }: Pick<Job<unknown>, 'retries' | 'leaseSeconds'>) => ({
  retryLimit: retries.times,
  retryDelay: retries.firstSeconds,
  retryDelayMax: retries.longestSeconds ?? null,
  retryBackoff: true,
  expireInSeconds: leaseSeconds,
  retentionSeconds: 90 * day,
  deleteAfterSeconds: 3_600,
  deadLetter: deadLetters,
  notify: true,
})

/**
 * Creates the queues that are missing, and gives all the retries and leases of the code; jobs that wait keep theirs. Any
 * number of processes may do so at once: pg-boss creates a queue under a lock, and an update writes the same for all.
 * `url` is a login in the app's role.
 */
export async function setUpQueues(
  url: string,
  jobs: Readonly<Record<string, Pick<Job<unknown>, 'retries' | 'leaseSeconds'>>>,
): Promise<void> {
  const { boss, close } = openQueue(url)
  try {
    await boss.start()
    for (const [name, job] of Object.entries(jobs)) {
      const { retryDelayMax, ...options } = optionsOf(job)
      await boss.createQueue(name, { policy: 'short', ...options, ...(retryDelayMax !== null && { retryDelayMax }) })
      await boss.updateQueue(name, { ...options, retryDelayMax })
    }
  } finally {
    await boss.stop({ graceful: false, close: false })
    await close()
  }
}
