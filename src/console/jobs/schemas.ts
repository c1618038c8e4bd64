import { z } from 'zod'
import { reason } from '../../console-kit/reason.ts'
import { defineSchemas } from '../../platform/call.ts'
import { listOf, pageQuery } from '../../platform/list-call.ts'

const count = z.number().int()
const state = z.enum(['failed', 'waiting', 'retrying', 'running'])

export const QueueState = z.object({
  /** Name of the queue: `emails`. */
  queue: z.string(),
  waiting: count,
  /** Failed at least once, and repeated later. */
  retrying: count,
  running: count,
  /** Failed for good. */
  failed: count,
  /** Since when the oldest one that is due waits; null when none does. */
  oldestDueAt: z.iso.datetime().nullable(),
})
export type QueueState = z.infer<typeof QueueState>

export const listQueues = defineSchemas({
  summary: 'Returns how many jobs of a program wait, run and have failed, in each queue that has any',
  reply: z.array(QueueState),
})

export const ListedJob = z.object({
  id: z.string(),
  queue: z.string(),
  /** Name of the periodic task; null for the job of a row. */
  task: z.string().nullable(),
  state,
  /** When it failed for good, or was queued. */
  at: z.iso.datetime(),
  queuedAt: z.iso.datetime(),
  /** How often it was begun. */
  attempts: count,
  maxAttempts: count.nullable(),
  /** When it is begun next; null while it runs, and once it has failed. */
  dueAt: z.iso.datetime().nullable(),
  /** Message of the last failed attempt; empty without one. */
  error: z.string(),
})
export type ListedJob = z.infer<typeof ListedJob>

export const listJobs = defineSchemas({
  summary: 'Lists the jobs of a program that wait, run, or have failed for good, the latest first',
  query: z.object({
    ...pageQuery,
    state: z.enum(['all', ...state.options]).default('all'),
    queue: z.string().max(60).optional(),
    /** Part of the error. */
    q: z.string().max(120).optional(),
  }),
  reply: listOf(ListedJob),
})

const JobId = z.guid()

export const JobDetail = ListedJob.extend({
  /** Id of its row. */
  row: z.string().nullable(),
  startedAt: z.iso.datetime().nullable(),
  /** What the job is about, where the console shows it. */
  about: z
    .object({
      kind: z.enum(['email', 'member', 'payout', 'reservation', 'claim', 'feedFile']),
      id: z.string(),
    })
    .nullable(),
})
export type JobDetail = z.infer<typeof JobDetail>

export const getJob = defineSchemas({
  summary: 'Returns a job that waits, runs, or has failed for good',
  params: z.object({ id: z.string().max(60) }),
  reply: JobDetail,
  errors: { notFound: 404 },
})

const ids = z.array(JobId).min(1).max(200)

export const JobEffect = z.object({
  /** How many jobs are retried or discarded. */
  count,
  queues: z.array(z.object({ queue: z.string(), count })),
  /** Those that are no longer among the failed ones. */
  gone: count,
  /** Those that are not retried, because another job of the same row waits already. */
  waitingAlready: count,
  /** Names this outcome: sent back, it makes sure that the act does what was shown. */
  fingerprint: z.string(),
})
export type JobEffect = z.infer<typeof JobEffect>

export const previewJobs = defineSchemas({
  summary: 'Returns what retrying or discarding failed jobs would do. Stores nothing',
  body: z.object({ ids, act: z.enum(['retry', 'discard']) }),
  reply: JobEffect,
})

const confirmed = z.object({ ids, reason, fingerprint: z.string().max(100) })

export const retryJobs = defineSchemas({
  summary: 'Puts jobs that have failed for good back into their queues',
  body: confirmed,
  multiline: ['reason'],
  reply: JobEffect,
  errors: { conflict: 409 },
})

export const discardJobs = defineSchemas({
  summary: 'Removes jobs that have failed for good. What they were about keeps its state',
  body: confirmed,
  multiline: ['reason'],
  reply: JobEffect,
  errors: { conflict: 409 },
})
