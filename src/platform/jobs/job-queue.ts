import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { type JobResult, type JobWithMetadata, PgBoss, type Db as QueueDatabase, type WorkOptions } from 'pg-boss'
import { PortTrackingClient } from '../database/address.ts'
import type { DatabaseListener } from '../database/listen.ts'
import { poolSizes, watchPool } from '../database/pool-use.ts'
import { SECOND } from '../time.ts'
import { deadLetters, type RowQueue, rowQueues, scheduleQueue, taskQueue } from './queues.ts'

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

/** Executes a job outside any transaction. Resolves when it is done; a rejection repeats it later. */
export type JobHandler = (job: ClaimedJob) => Promise<void>

/** A periodic task, of one program or, with an empty `partnerId`, of the installation. */
export interface PeriodicTask {
  /** Cron expression in UTC. */
  cron: string
  run: (partnerId: string) => Promise<unknown>
  /** True for a task of the whole installation instead of each program. */
  isShared?: boolean
}

export interface JobWorkersOptions {
  /** Connection string of the app's role; a transaction pooler may be between. */
  url: string
  dbListener: DatabaseListener
  partners: readonly string[]
  handlers: Readonly<Record<RowQueue, JobHandler>>
  tasks: Readonly<Record<string, PeriodicTask>>
  /** Milliseconds between two looks for jobs that became due without a notification: at least 500. */
  pollMs: number
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  /** Seconds between two looks for jobs whose lease is over. */
  superviseSeconds?: number
  /** Counts every attempt by its outcome. */
  countJob: (job: string, outcome: 'done' | 'failed') => void
}

/** The schema of the queue. The migrations create it; the app's role cannot. */
const schema = 'jobs'

/**
 * Jobs of one program that run at once, in all processes. The other workers stay free for other programs: a mail
 * server or a booking system that does not respond delays only its own program.
 */
const maxJobsPerProgram = 4
/** Workers of a queue in one process, and jobs that each claims at once. */
const workersPerQueue = 2
const batchSize = 4
const taskBatchSize = 20

interface JobData {
  partnerId: string
  id: string
}

interface TaskData {
  task: string
  partnerId: string
}

/**
 * Runs the jobs of this installation in this process, beside any number of others. A job is claimed with a lease and
 * executed outside any transaction; see docs/decisions/052. Returns a function that stops claiming and waits for the
 * jobs that are running.
 */
export async function startJobWorkers(options: JobWorkersOptions): Promise<() => Promise<void>> {
  const { log, handlers, tasks, partners } = options
  const { boss, close } = openJobQueue(options)
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  boss.on('warning', ({ message }) => log.warn(`job queue: ${message}`))
  await boss.start()
  const interval = Math.max(0.5, options.pollMs / SECOND)
  const polling = { pollingIntervalSeconds: interval, notifyPollingIntervalSeconds: interval }

  for (const queue of rowQueues) {
    await boss.work<JobData, unknown, WorkOptions & { includeMetadata: true; perJobResults: true }>(
      queue,
      {
        ...polling,
        batchSize,
        localConcurrency: workersPerQueue,
        groupConcurrency: maxJobsPerProgram,
        burstWhenBatchFull: true,
        includeMetadata: true,
        perJobResults: true,
      },
      (jobs) => Promise.all(jobs.map((job) => attempt(queue, job, handlers[queue]))),
    )
  }

  async function attempt(queue: RowQueue, job: JobWithMetadata<JobData>, handle: JobHandler): Promise<JobResult> {
    const { partnerId, id } = job.data
    const isLastAttempt = job.retryCount >= job.retryLimit
    try {
      await handle({ partnerId, id, isLastAttempt, signal: job.signal })
      options.countJob(queue, 'done')
      return { id: job.id, status: 'completed' }
    } catch (error) {
      options.countJob(queue, 'failed')
      log.warn({ err: error, job: queue, partner: partnerId, row: id, isLastAttempt }, 'a job failed')
      // The message only: other properties of an error may hold what was sent.
      const message = error instanceof Error ? error.message : 'unknown'
      return { id: job.id, status: 'failed', output: { message: message.slice(0, 500) } }
    }
  }

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
      await tasks[task]?.run(partnerId)
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
    await boss.schedule(scheduleQueue, cron, { cron }, { key: scheduleKey(cron) })
    // Also at startup: after a long downtime, the tasks are overdue.
    await enqueueTasks(cron)
  }
  for (const { key } of await boss.getSchedules(scheduleQueue)) {
    if (!crons.some((cron) => scheduleKey(cron) === key)) await boss.unschedule(scheduleQueue, key)
  }

  return async () => {
    await boss.stop({ graceful: true, timeout: 30 * SECOND, close: false })
    await close()
  }
}

/** A key has no characters of a cron expression. */
const scheduleKey = (cron: string) => cron.replaceAll('*', 'x').replaceAll('/', '-').replaceAll(' ', '_')

export interface DeadLetter {
  /** Its id, by which it is retried. */
  id: string
  queue: string
  partnerId: string
  row: string
  failedAt: Date
  /** The message of its last error. */
  error: string
}

/** Opens the queue for an operator's command: dead letters and how to retry them. */
export async function openDeadLetters(url: string) {
  const { boss, close } = openJobQueue({ url })
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
    /** Moves jobs back to their queues, all without `ids`. Returns how many. */
    retry: (ids?: string[]) => boss.redrive(deadLetters, ids ? { ids } : {}),
    async close() {
      await boss.stop({ graceful: false, close: false })
      await close()
    },
  }
}

/**
 * Opens the queue with its own small pool. Without a listener it neither supervises nor schedules, so that a command
 * does not do the work of the servers.
 */
export function openJobQueue({
  url,
  dbListener,
  superviseSeconds = 30,
}: {
  url: string
  dbListener?: DatabaseListener
  superviseSeconds?: number | undefined
}) {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSizes.jobs,
    connectionTimeoutMillis: 8 * SECOND,
    statement_timeout: 30 * SECOND,
    Client: PortTrackingClient,
  } as pg.PoolConfig)
  // A failing connection must not crash the process: the next query reports it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const unwatch = watchPool('jobs', pool)
  const db: QueueDatabase = { executeSql: (text, values) => pool.query(text, values as unknown[]) }
  if (dbListener) db.listen = async (channel, wake, reconnected) => listen(dbListener, channel, wake, reconnected)
  const boss = new PgBoss({
    schema,
    db,
    useListenNotify: dbListener !== undefined,
    supervise: dbListener !== undefined,
    schedule: dbListener !== undefined,
    // The migrations of the app do both.
    migrate: false,
    createSchema: false,
    // These need the owner of the tables.
    reindex: false,
    monitorVacuum: false,
    registerInstance: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  })
  return {
    boss,
    async close() {
      unwatch()
      await pool.end()
    },
  }
}

/** Listens on the connection that this process has for all channels. */
function listen(dbListener: DatabaseListener, channel: string, wake: (queue: string) => void, reconnected: () => void) {
  let isClosed = false
  dbListener.on(channel, (payload) => {
    if (isClosed) return
    if (payload === null) reconnected()
    else wake(payload)
  })
  return {
    async close() {
      isClosed = true
    },
  }
}
