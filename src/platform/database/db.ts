import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from '../../../db/schema.ts'
import { FairPool } from './fair-pool.ts'
import { poolSizes, watchPool } from './pool-use.ts'
import { PreparedStatementClient } from './prepared-statement-client.ts'
import { scopedPool } from './scoped-pool.ts'
import { runTransaction } from './transaction.ts'

export type Db = Kysely<DB>
export type Tx = Transaction<DB>

// bigint columns hold cents, miles and ids, all far below 2^53; dates stay text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

export interface Pools {
  /** Returns queries that see only this partner's rows. */
  forPartner(partnerId: string): Db
  /** Queries without a partner: they see shared tables and no partner-owned rows. */
  shared: Db
  /** Connection string of this role, for LISTEN. */
  url: string
  close(): Promise<void>
}

const partnerCode = /^[a-z][a-z0-9-]{1,30}$/

/**
 * Creates one connection pool for all partners. Every transaction, and every statement outside of one, sets its own
 * partner, so that no connection stays bound to one.
 */
export function createPools(options: {
  url: string
  /** Connection string of the pool when it uses a transaction pooler; LISTEN cannot use one. */
  poolUrl?: string
  max?: number
  /** Name of the pool in metrics. */
  name?: string
  onError?: (error: Error) => void
}): Pools {
  const pool = new FairPool({
    connectionString: options.poolUrl ?? options.url,
    max: options.max ?? poolSizes.app,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 8_000,
    statement_timeout: 8_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 15_000,
    pipeline: true,
    Client: PreparedStatementClient,
  } as pg.PoolConfig & { max: number })
  // A failing connection, idle or checked out, must not crash the process.
  const report = (error: Error) => options.onError?.(error)
  pool.on('error', report)
  pool.on('connect', (client) => client.on('error', report))
  const unwatch = watchPool(options.name ?? 'app', pool)
  const scoped = (partnerId: string) =>
    new Kysely<DB>({ dialect: new PostgresDialect({ pool: scopedPool(pool, partnerId) }) })
  const open = new Map<string, Db>()
  let closed: Promise<void> | undefined
  return {
    shared: scoped(''),
    url: options.url,
    forPartner(partnerId) {
      if (!partnerCode.test(partnerId)) throw new RangeError(`not a partner code: ${partnerId}`)
      let db = open.get(partnerId)
      if (!db) {
        db = scoped(partnerId)
        open.set(partnerId, db)
      }
      return db
    },
    async close() {
      unwatch()
      closed ??= pool.end()
      await closed
    },
  }
}

// serialization_failure, deadlock_detected
const retryable = new Set(['40001', '40P01'])

/**
 * Runs `work` in one transaction; retried up to twice on serialization failures and deadlocks. Given a transaction, `work`
 * is a part of it: so the act of an operator and its entry in the audit log are one.
 */
export async function inTransaction<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx)
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTransaction(db, work)
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (attempt >= 3 || !retryable.has(code)) throw error
    }
  }
}

/** Takes an advisory lock by name; released when the transaction ends. */
export async function acquireAdvisoryLock(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** Returns the name of the violated constraint, or null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code?.startsWith('23') ? (constraint ?? null) : null
}
