import { PgBoss, type Db as QueueDatabase } from 'pg-boss'
import { PortTrackingClient } from '../database/address.ts'
import { FairPool } from '../database/fair-pool.ts'
import type { DatabaseListener } from '../database/listen.ts'
import { poolSizes, watchPool } from '../database/pool-use.ts'
import { SECOND } from '../time.ts'

/** What a process does for the queue besides its own jobs. */
interface Duties {
  /** Wakes workers; without it they look for jobs at intervals only. */
  dbListener: DatabaseListener
  /** Seconds between two looks for jobs whose lease is over. */
  superviseSeconds: number
}

/** Opens the queue over `db`. Without duties it neither supervises nor schedules. Call `start` before using it. */
export function openQueueOver(db: Pick<QueueDatabase, 'executeSql'>, duties?: Duties): PgBoss {
  const listening: QueueDatabase = { executeSql: db.executeSql }
  if (duties) listening.listen = async (...wanted) => listen(duties.dbListener, ...wanted)
  const superviseSeconds = duties?.superviseSeconds ?? 60
  const boss = new PgBoss({
    schema: 'jobs',
    db: listening,
    useListenNotify: duties !== undefined,
    supervise: duties !== undefined,
    schedule: duties !== undefined,
    // The migrations of the app do both; the app's role cannot.
    migrate: false,
    createSchema: false,
    // These need the owner of the tables.
    reindex: false,
    monitorVacuum: false,
    registerInstance: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  })
  // Without a listener, a timer's error would end the process. Workers add one that logs.
  boss.on('error', () => {})
  return boss
}

/** Opens the queue with a small pool of its own. `url` is a login in the app's role. */
export function openQueue(url: string, duties?: Duties) {
  const pool = new FairPool({
    connectionString: url,
    max: poolSizes.jobs,
    connectionTimeoutMillis: 8 * SECOND,
    statement_timeout: 30 * SECOND,
    Client: PortTrackingClient,
  })
  // A failing connection must not crash the process: the next query reports it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const unwatch = watchPool('jobs', pool)
  const executeSql = (text: string, values?: unknown[]) => pool.query(text, values)
  return {
    boss: openQueueOver({ executeSql }, duties),
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
