import { sql } from 'kysely'
import type { Db, Tx } from '../../src/platform/database/db.ts'
import { runTransaction } from '../../src/platform/database/transaction.ts'

interface Race<T extends readonly unknown[]> {
  /** Takes the locks. */
  hold: (tx: Tx) => Promise<unknown>
  /** The operations that should wait for them, started in this order. */
  acts: { [index in keyof T]: () => Promise<T[index]> }
  /** Runs in the transaction that holds the locks. */
  meanwhile?: (tx: Tx) => Promise<unknown>
}

/**
 * Starts operations while another transaction holds locks, each one when those before it wait or are done, and then runs
 * `meanwhile` in that transaction. Returns the results of the operations.
 */
export async function whileLocked<T extends readonly unknown[]>(
  db: Db,
  { hold, acts, meanwhile = async () => {} }: Race<T>,
): Promise<T> {
  const running: Promise<unknown>[] = []
  await runTransaction(db, async (tx) => {
    await hold(tx)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    let open = 0
    const isDone = () => {
      open--
    }
    for (const act of acts) {
      open++
      const result = act()
      running.push(result)
      // Its error is thrown below, after the transaction.
      result.then(isDone, isDone)
      while ((await countWaiting(db, rows[0]?.pid as number)) < open);
    }
    await meanwhile(tx)
  })
  return (await Promise.all(running)) as unknown as T
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
