import { inTransaction } from '../../platform/database/db.ts'
import { fingerprintOf, tryOrDo } from '../../platform/database/dry-run.ts'
import { ApiError } from '../../platform/errors.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import {
  changeDeadLetters,
  type DeadLetterAct,
  type LockedLetter,
  lockDeadLetters,
} from '../../platform/jobs/dead-letters.ts'
import type { JobDetail, JobEffect, ListedJob, QueueState } from './contract.ts'
import * as store from './store.ts'

/** Returns the queues with jobs of the program. */
export async function listQueues(ctx: OperatorCtx): Promise<QueueState[]> {
  const rows = await store.countQueues(ctx.db)
  return rows.map((row) => ({ ...row, oldestDueAt: row.oldestDueAt?.toISOString() ?? null }))
}

function toJob({ id, queue, task, state, at, queuedAt, attempts, maxAttempts, dueAt, error }: store.JobRow): ListedJob {
  return {
    id,
    queue,
    task,
    state,
    at: at.toISOString(),
    queuedAt: queuedAt.toISOString(),
    attempts,
    maxAttempts,
    dueAt: dueAt?.toISOString() ?? null,
    error: error === '' ? 'its process ended' : (error ?? ''),
  }
}

/** Returns one page of the jobs of the program. */
export async function listJobs(ctx: OperatorCtx, query: Parameters<typeof store.listJobs>[1]) {
  const { rows, next, total } = await store.listJobs(ctx.db, query)
  return { items: rows.map(toJob), next, total }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns a job with what it is about. Throws `notFound`, also for one that is done. */
export async function getJob(ctx: OperatorCtx, id: string): Promise<JobDetail> {
  const job = uuid.test(id) ? await store.findJob(ctx.db, id) : undefined
  if (!job) throw new ApiError('notFound')
  const about = await store.findAbout(ctx.db, job)
  return { ...toJob(job), row: job.row, startedAt: job.startedAt?.toISOString() ?? null, about }
}

/** Returns what retrying or discarding failed jobs would do. */
export const previewJobs = (ctx: OperatorCtx, act: DeadLetterAct, ids: readonly string[]): Promise<JobEffect> =>
  change(ctx, act, { ids, isDry: true })

interface Confirmed {
  ids: readonly string[]
  reason: string
  fingerprint: string
}

/** Retries or discards failed jobs. Throws `conflict` when the outcome is not the one shown. */
export const changeJobs = (ctx: OperatorCtx, act: DeadLetterAct, confirmed: Confirmed): Promise<JobEffect> =>
  change(ctx, act, { ...confirmed, isDry: false })

type Change = { ids: readonly string[] } & ({ isDry: true } | (Confirmed & { isDry: false }))

async function change(ctx: OperatorCtx, act: DeadLetterAct, given: Change): Promise<JobEffect> {
  const ids = [...new Set(given.ids)]
  return tryOrDo(given, (finish) =>
    inTransaction(ctx.db, async (tx) => {
      const letters = await lockDeadLetters(tx, ids)
      const count = await changeDeadLetters(tx, act, letters)
      const effect = effectOf(act, { letters, count, asked: ids.length })
      if (!given.isDry) {
        if (effect.fingerprint !== given.fingerprint) throw new ApiError('conflict')
        const [first] = letters
        await ctx.record(tx, {
          object: {
            type: 'job',
            id: letters.length === 1 && first ? first.id : 'several',
            label: effect.queues.map(({ queue, count: each }) => `${each} ${queue}`).join(', '),
          },
          before: { failed: letters.map(({ queue, row }) => `${queue} ${row}`) },
          after: { [act === 'retry' ? 'retried' : 'discarded']: count },
          reason: given.reason,
        })
      }
      return finish(effect)
    }),
  )
}

interface Outcome {
  letters: readonly LockedLetter[]
  count: number
  asked: number
}

function effectOf(act: DeadLetterAct, { letters, count, asked }: Outcome): JobEffect {
  const names = [...new Set(letters.map(({ queue }) => queue))].toSorted()
  const facts = [act, count, letters.map(({ id }) => id).toSorted()]
  return {
    count,
    queues: names.map((queue) => ({ queue, count: letters.filter((each) => each.queue === queue).length })),
    gone: asked - letters.length,
    waitingAlready: letters.length - count,
    fingerprint: fingerprintOf(facts),
  }
}
