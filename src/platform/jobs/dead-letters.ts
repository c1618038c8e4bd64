import { CompiledQuery, sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Tx } from '../database/db.ts'
import { openQueue, openQueueOver } from './open-queue.ts'
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

/** Moves jobs back to their queues: those with these ids, or the oldest 1,000. Returns how many. */
const retry = (boss: PgBoss, ids?: string[]) => boss.redrive(deadLetters, ids ? { ids } : {})

/** Removes jobs for good. */
const discard = (boss: PgBoss, ids: string[]) => boss.deleteJob(deadLetters, ids)

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
    retry: (ids?: string[]) => retry(boss, ids),
    discard: (ids: string[]) => discard(boss, ids),
    async close() {
      await boss.stop({ graceful: false, close: false })
      await close()
    },
  }
}

/** What is done to a job that has failed for good. */
export type DeadLetterAct = 'retry' | 'discard'

/** A dead letter of the program of a transaction. */
export interface LockedLetter {
  id: string
  queue: string
  row: string
}

/** Locks the dead letters of the transaction's program among these ids, the oldest first. Others are left out. */
export async function lockDeadLetters(tx: Tx, ids: readonly string[]): Promise<LockedLetter[]> {
  const { rows } = await sql<LockedLetter>`
    select id, source_name as queue, data ->> 'id' as row from jobs.job
    where name = ${deadLetters} and id = any(${[...ids]}::uuid[]) and state = 'created'
      and data ->> 'partnerId' = current_partner() and source_name is not null
    order by created_on, id for update`.execute(tx)
  return rows
}

/**
 * Retries or discards dead letters that the transaction has locked. Returns how many were; one is not retried when another
 * job of its row waits already.
 */
export async function changeDeadLetters(
  tx: Tx,
  act: DeadLetterAct,
  letters: readonly Pick<LockedLetter, 'id'>[],
): Promise<number> {
  if (letters.length === 0) return 0
  const executeSql = async (text: string, values?: unknown[]) => {
    const { rows } = await tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values ?? []))
    return { rows }
  }
  const boss = openQueueOver({ executeSql })
  await boss.start()
  try {
    const ids = letters.map(({ id }) => id)
    if (act === 'retry') return await retry(boss, ids)
    await discard(boss, ids)
    return ids.length
  } finally {
    await boss.stop({ graceful: false, close: false })
  }
}

/** Removes the dead letters of rows that are queued anew in another way, in the transaction that does so. */
export async function discardDeadLettersOf(tx: Tx, queue: string, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    delete from jobs.job
    where name = ${deadLetters} and state = 'created' and source_name = ${queue}
      and data ->> 'partnerId' = current_partner() and data ->> 'id' = any(${[...rows]})`.execute(tx)
}
