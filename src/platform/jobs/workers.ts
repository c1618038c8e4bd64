import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { JobPollingOptions, JobResult, JobWithMetadata, PgBoss, WorkOptions } from 'pg-boss'
import type { DatabaseListener } from '../database/listen.ts'
import { SECOND } from '../time.ts'
import { openQueue, openQueueOver } from './open-queue.ts'
import { reviewCallbacks, scheduleQueue, taskQueue } from './queues.ts'

/** A claimed job. */
export interface ClaimedJob {
  partnerId: string
  /** The id of its row, as text. */
  id: string
  /** True when the job fails for good unless this attempt succeeds. */
  isLastAttempt: boolean
  /** Aborted when the lease is over: another process may claim the job then. */
  signal: AbortSignal
}

/**
 * Executes a job outside any transaction. Resolves when it is done; a rejection repeats it later. The message of the
 * error is stored where no row-level security holds: it contains no personal data.
 */
export type JobHandler = (job: ClaimedJob) => Promise<void>

/** A periodic task, of one program or, with an empty `partnerId`, of the installation. */
export interface PeriodicTask {
  /** Cron expression in UTC. */
  cron: string
  run: (partnerId: string) => Promise<unknown>
  /** True for a task of the whole installation instead of each program. */
  isShared?: boolean
}

/** Counts every attempt by its outcome. */
export type CountJob = (job: string, outcome: 'done' | 'failed') => void

export interface JobWorkersOptions {
  /** Connection string of the app's role; a transaction pooler may be between. */
  url: string
  dbListener: DatabaseListener
  partners: readonly string[]
  /** What executes the jobs of each queue. */
  handlers: Readonly<Record<string, JobHandler>>
  tasks: Readonly<Record<string, PeriodicTask>>
  /** Milliseconds between two looks for due jobs, at least 500; three times that while notifications arrive. */
  pollMs: number
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  /** Seconds between two looks for jobs whose lease is over. */
  superviseSeconds?: number
  countJob: CountJob
}

/**
 * Jobs of one program that run at once, in all processes. The other workers stay free for other programs: a mail
 * server or a booking system that does not respond delays only its own program. Claims of the same moment do not see
 * each other and may exceed it.
 */
const maxJobsPerProgram = 4
/**
 * Workers of a queue in one process. Each claims one job at a time, because a batch is as slow as its slowest job. With
 * two connections, claims exceed `maxJobsPerProgram` by at most one.
 */
const workersPerQueue = 6
const taskBatchSize = 20

export interface JobData {
  partnerId: string
  id: string
}

interface TaskData {
  task: string
  partnerId: string
}

/** Returns how often a worker looks for due jobs, given the milliseconds between two looks. */
export function pollingOf(pollMs: number) {
  const interval = Math.max(0.5, pollMs / SECOND)
  // While notifications arrive, only retries and postponed jobs wait for the next look.
  return { pollingIntervalSeconds: interval, notifyPollingIntervalSeconds: 3 * interval }
}

/**
 * Runs the jobs of this installation in this process, beside any number of others. A job is claimed with a lease and
 * executed outside any transaction; see docs/decisions/052. Returns a function that stops claiming and waits for the
 * jobs that are running.
 */
export async function startJobWorkers(options: JobWorkersOptions): Promise<() => Promise<void>> {
  const { log, handlers, tasks, partners } = options
  const { dbListener, superviseSeconds = 30, countJob } = options
  const { boss, close } = openQueue(options.url, { dbListener, superviseSeconds })
  logProblems(boss, log)
  await boss.start()
  const polling = pollingOf(options.pollMs)
  for (const [queue, handle] of Object.entries(handlers))
    await workOnRows(boss, queue, handle, { polling, log, countJob })

  await boss.work<TaskData, unknown, WorkOptions & { perJobResults: true }>(
    taskQueue,
    { ...polling, batchSize: taskBatchSize, burstWhenBatchFull: true, perJobResults: true },
    async (jobs) => {
      const results: JobResult[] = []
      // One after the other: they use one connection of the pool, however many programs there are.
      for (const { id, data } of jobs) results.push({ id, status: await runTask(data) })
      return results
    },
  )

  async function runTask({ task, partnerId }: TaskData): Promise<'completed' | 'failed'> {
    try {
      // A process of an older release does not know the tasks of a newer one: it has not done the work.
      const known = tasks[task]
      if (!known) throw new Error('this process does not know the task')
      await known.run(partnerId)
      options.countJob(task, 'done')
      return 'completed'
    } catch (error) {
      options.countJob(task, 'failed')
      log.warn({ err: error, job: task, partner: partnerId }, 'a periodic task failed')
      return 'failed'
    }
  }

  // A time of the schedule enqueues a job for each program: one process does, and all share the work.
  const enqueueTasks = (cron: string) =>
    boss.insert(
      taskQueue,
      Object.entries(tasks)
        .filter(([, task]) => task.cron === cron)
        .flatMap(([task, { isShared }]) => (isShared ? [''] : partners).map((partnerId) => ({ task, partnerId })))
        .map((data) => ({ data, singletonKey: `${data.task}:${data.partnerId}` })),
    )
  await boss.work<{ cron: string }>(scheduleQueue, polling, async ([job]) => {
    await enqueueTasks((job as { data: { cron: string } }).data.cron)
  })
  const crons = [...new Set(Object.values(tasks).map(({ cron }) => cron))]
  for (const cron of crons) {
    // The singleton key, because the queue drops all but one of the jobs of the same key that wait.
    await boss.schedule(scheduleQueue, cron, { cron }, { key: scheduleKey(cron), singletonKey: scheduleKey(cron) })
    // Also at startup: after a long downtime, the tasks are overdue.
    await enqueueTasks(cron)
  }
  for (const { key } of await boss.getSchedules(scheduleQueue)) {
    if (!crons.some((cron) => scheduleKey(cron) === key)) await boss.unschedule(scheduleQueue, key)
  }

  return async () => {
    await stop(boss)
    await close()
  }
}

/** A key has no characters of a cron expression. */
const scheduleKey = (cron: string) => cron.replaceAll('*', 'x').replaceAll('/', '-').replaceAll(' ', '_')

function logProblems(boss: PgBoss, log: JobWorkersOptions['log']): void {
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  boss.on('warning', ({ message }) => log.warn(`job queue: ${message}`))
}

const stop = (boss: PgBoss) => boss.stop({ graceful: true, timeout: 20 * SECOND, close: false })

/** Executes the jobs of one queue. Returns the id of its first worker. */
async function workOnRows(
  boss: PgBoss,
  queue: string,
  handle: JobHandler,
  { polling, log, countJob }: Pick<JobWorkersOptions, 'log' | 'countJob'> & { polling: JobPollingOptions },
): Promise<string> {
  const workers: string[] = []
  for (let worker = 0; worker < workersPerQueue; worker++) {
    const id = await boss.work<JobData, unknown, WorkOptions & { includeMetadata: true; perJobResults: true }>(
      queue,
      { ...polling, groupConcurrency: maxJobsPerProgram, includeMetadata: true, perJobResults: true },
      async (jobs) => {
        const results = await Promise.all(jobs.map(attempt))
        // The worker looks for the next job at once.
        boss.notifyWorker(id)
        return results
      },
    )
    workers.push(id)
  }
  return workers[0] as string

  async function attempt(job: JobWithMetadata<JobData>): Promise<JobResult> {
    const { partnerId, id } = job.data
    const isLastAttempt = job.retryCount >= job.retryLimit
    try {
      await handle({ partnerId, id, isLastAttempt, signal: job.signal })
      countJob(queue, 'done')
      return { id: job.id, status: 'completed' }
    } catch (error) {
      countJob(queue, 'failed')
      log.warn({ err: error, job: queue, partner: partnerId, row: id, isLastAttempt }, 'a job failed')
      const message = error instanceof Error ? error.message : 'unknown'
      return { id: job.id, status: 'failed', output: { message: message.slice(0, 500) } }
    }
  }
}

/**
 * Executes the review callbacks of the form service over its own connections, which can touch no other jobs. Starts as
 * soon as the database is available. `now` looks for jobs at once.
 */
export function startCallbackWorker(
  handle: JobHandler,
  {
    executeSql,
    log,
    countJob = () => {},
  }: Pick<JobWorkersOptions, 'log'> & {
    executeSql: Parameters<typeof openQueueOver>[0]['executeSql']
    countJob?: CountJob | undefined
  },
): { now: () => void; stop: () => Promise<void> } {
  const boss = openQueueOver({ executeSql })
  logProblems(boss, log)
  const polling = { pollingIntervalSeconds: 5 }
  const stopping = new AbortController()
  let worker: string | null = null
  async function startWorker(): Promise<void> {
    while (worker === null && !stopping.signal.aborted) {
      try {
        await boss.start()
        worker = await workOnRows(boss, reviewCallbacks, handle, { polling, log, countJob })
      } catch (error) {
        log.warn({ err: error }, 'the job queue could not be opened')
        await sleep(5 * SECOND, null, { signal: stopping.signal, ref: false }).catch(() => {})
      }
    }
  }
  const started = startWorker()
  return {
    now: () => worker !== null && boss.notifyWorker(worker),
    async stop() {
      stopping.abort()
      await started
      await stop(boss)
    },
  }
}
