import { openQueue } from './open-queue.ts'
import { deadLetters } from './queues.ts'
import type { JobData } from './workers.ts'

/** A job that has failed for good. */
export interface DeadLetter {
  /** Its id, by which it is retried. */
  id: string
  queue: string
  partnerId: string
  /** The id of its row. */
  row: string
  failedAt: Date
  /** The message of its last error. */
  error: string
}

/** Opens the dead letters for an operator's command. `url` is a login in the app's role. */
export async function openDeadLetters(url: string) {
  const { boss, close } = openQueue(url)
  await boss.start()
  return {
    /** Returns the oldest 1,000. */
    async list(): Promise<DeadLetter[]> {
      const jobs = await boss.findJobs<JobData>(deadLetters, { queued: true })
      return jobs.map((job) => ({
        id: job.id,
        queue: job.sourceName ?? 'unknown',
        partnerId: job.data.partnerId,
        row: job.data.id,
        failedAt: job.createdOn,
        error: (job.sourceOutput as { message?: string } | null)?.message ?? 'its process ended',
      }))
    },
    /** Moves jobs back to their queues: those with these ids, or the oldest 1,000. Returns how many. */
    retry: (ids?: string[]) => boss.redrive(deadLetters, ids ? { ids } : {}),
    /** Removes jobs for good. */
    discard: (ids: string[]) => boss.deleteJob(deadLetters, ids),
    async close() {
      await boss.stop({ graceful: false, close: false })
      await close()
    },
  }
}
