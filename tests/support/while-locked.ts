import { sql } from 'kysely'
import type { Db, Tx } from '../../src/platform/database/db.ts'
import { runTransaction } from '../../src/platform/database/transaction.ts'

interface Race<T> {
  /** Takes the locks. */
  hold: (tx: Tx) => Promise<unknown>
  /** Starts the operations that should wait for them. */
  act: () => Promise<T>
  /** How many of them wait; 1 by default. */
  waiting?: number
  /** Runs in the transaction that holds the locks. */
  meanwhile?: (tx: Tx) => Promise<unknown>
}

/**
 * Starts `act` while another transaction holds locks, and runs `meanwhile` in that transaction when the operations wait
 * for it, or are done without waiting. Returns the result of `act`.
 */
export async function whileLocked<T>(
  db: Db,
  { hold, act, waiting = 1, meanwhile = async () => {} }: Race<T>,
): Promise<T> {
  const { result } = await runTransaction(db, async (tx) => {
    await hold(tx)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    let isDone = false
    const running = act().finally(() => {
      isDone = true
    })
    // Its error is thrown below, after the transaction.
    running.catch(() => {})
    while (!isDone && (await countWaiting(db, rows[0]?.pid as number)) < waiting);
    await meanwhile(tx)
    return { result: running }
  })
  return result
}

/** Returns how many connections wait for a connection, or for one that waits for it. */
async function countWaiting(db: Db, pid: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with recursive waiting as (
      select pid from pg_stat_activity where datname = current_database() and ${pid} = any(pg_blocking_pids(pid))
      union
      select a.pid from pg_stat_activity a join waiting w on w.pid = any(pg_blocking_pids(a.pid))
      where a.datname = current_database()
    ) select count(*)::int as count from waiting`.execute(db)
  return rows[0]?.count ?? 0
}
