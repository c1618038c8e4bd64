import { rowJobs } from '../../src/app/server/background-jobs.ts'
import type { JobHandler, JobWorkersOptions } from '../../src/platform/jobs/workers.ts'
import { queryAsOwner } from './owner.ts'

/** Returns options of workers that execute jobs of some queues; those of the others fail. */
export function onlyJobs(
  handlers: Readonly<Record<string, JobHandler>>,
): Omit<JobWorkersOptions, 'url' | 'dbListener' | 'log'> {
  const reject: JobHandler = async () => {
    throw new Error('not a job of this test')
  }
  return {
    partners: [],
    handlers: Object.fromEntries(Object.keys(rowJobs).map((queue) => [queue, handlers[queue] ?? reject])),
    tasks: {},
    pollMs: 500,
    countJob: () => {},
  }
}

/** Makes a queue give up a dead process after a second, and repeat without delay. `url` is the owner. */
export async function shortenLease(url: string, queue: string): Promise<void> {
  await queryAsOwner(
    url,
    'update jobs.queue set expire_seconds = 1, retry_delay = 0, retry_backoff = false, retry_limit = 100 where name = $1',
    [queue],
  )
}
