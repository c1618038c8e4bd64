import type { Logger } from 'pino'
import type { Settings } from '../../platform/config/settings.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { setUpQueues } from '../../platform/jobs/set-up-queues.ts'
import { type CountJob, type JobHandler, type PeriodicTask, startJobWorkers } from '../../platform/jobs/workers.ts'
import type { Database } from '../database.ts'
import { modules } from '../modules.ts'
import type { ModuleServices } from './module-services.ts'

/** What the jobs of all modules need. */
export interface BackgroundWork {
  contextFor: (partnerId: string) => Ctx
  services: ModuleServices
}

export interface BackgroundJobDeps extends BackgroundWork {
  settings: Settings
  database: Database
  partners: readonly string[]
  logger: Logger
  /** Counts every attempt of a job by its outcome. */
  countJob: CountJob
}

/** The jobs that rows cause, by queue. */
export const rowJobs: Readonly<Record<string, Job<ModuleServices>>> = Object.assign(
  {},
  ...modules.map(({ jobs }) => jobs),
)

/**
 * Starts what completes the work of requests: emails, payouts and other jobs, and periodic tasks. Any number of
 * processes may run them. Returns a function that waits for the running ones.
 */
export async function startBackgroundJobs(deps: BackgroundJobDeps): Promise<() => Promise<void>> {
  await setUpQueues(deps.database.jobsUrl, rowJobs)
  return startJobWorkers({
    url: deps.database.jobsUrl,
    dbListener: deps.services.dbListener,
    partners: deps.partners,
    handlers: handlersOf(deps),
    tasks: tasksOf(deps),
    pollMs: deps.settings.JOB_POLL_MS,
    log: deps.logger,
    countJob: deps.countJob,
  })
}

/** Returns what executes the jobs of each queue. */
export function handlersOf({ contextFor, services }: BackgroundWork): Record<string, JobHandler> {
  return Object.fromEntries(
    Object.entries(rowJobs).map(([queue, { run }]) => [
      queue,
      async (job) => void (await run(contextFor(job.partnerId), job, services)),
    ]),
  )
}

/** Returns the periodic tasks of all modules by name. */
export function tasksOf({ contextFor, services }: BackgroundWork): Record<string, PeriodicTask> {
  const tasks = modules.flatMap((module) => Object.entries(module.tasks ?? {}))
  return Object.fromEntries(
    tasks.map(([name, task]) => [
      name,
      task.isShared
        ? { cron: task.cron, isShared: true, run: () => task.run(services) }
        : { cron: task.cron, run: (partnerId) => task.run(contextFor(partnerId), services) },
    ]),
  )
}
