import type { Db } from '../database/db.ts'
import type { Ctx } from '../http/context.ts'
import type { ClaimedJob } from './workers.ts'

/** How often a failed job is repeated before it is a dead letter: the intervals double, up to the longest one. */
export interface Retries {
  times: number
  /** Seconds before the first repetition, at least half of which pass. */
  firstSeconds: number
  longestSeconds?: number
}

/** What the job of a row does. */
export interface Job<Needs> {
  retries: Retries
  /** Seconds after which the job of a process that has ended is repeated. */
  leaseSeconds: number
  /** Executes the job outside any transaction, in the context of its program: see `JobHandler`. */
  run: (ctx: Ctx, job: ClaimedJob, needs: Needs) => Promise<unknown>
}

/** Work that a schedule starts, for each program or, when it is shared, once for the installation. */
export type PeriodicWork<Needs> = { cron: string } & (
  | { isShared?: false; run: (ctx: Ctx, needs: Needs) => Promise<unknown> }
  | { isShared: true; run: (needs: Needs) => Promise<unknown> }
)

const everyTenMinutes = '*/10 * * * *'

/** Work for each program in every minute. */
export const perMinute = (run: (ctx: Ctx) => Promise<unknown>): PeriodicWork<unknown> => ({ cron: '* * * * *', run })

/** Removes what a program no longer needs, every ten minutes. */
export const cleanup = (work: (db: Db) => Promise<unknown>): PeriodicWork<unknown> => ({
  cron: everyTenMinutes,
  run: ({ db }) => work(db),
})

/** Removes what the installation no longer needs, every ten minutes. */
export const sharedCleanup = <Needs>(run: (needs: Needs) => Promise<unknown>): PeriodicWork<Needs> => ({
  cron: everyTenMinutes,
  isShared: true,
  run,
})
