import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './schema.ts'
import { runTransaction } from './transaction.ts'

export type Db = Kysely<DB>
export type Tx = Transaction<DB>

// bigint columns hold cents, miles and ids, all far below 2^53; calendar dates stay text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

// The statements of our code are few; a text that carries how many values it has makes more of them.
const names = new Map<string, string>()
const mostNames = 5000

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha1').update(text).digest('base64url')
  if (names.size === mostNames) names.clear()
  names.set(text, name)
  return name
}

/**
 * Names every parameterised statement by its text, so that PostgreSQL plans it once per connection, and sends in one go
 * what is asked in one turn of the event loop.
 */
class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's query has seven overloads; all arguments pass through unchanged
  override query(...args: any[]): any {
    const [config, values] = args
    if (typeof config === 'string' && Array.isArray(values) && values.length > 0) {
      args[0] = { name: nameOf(config), text: config }
    }
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    // biome-ignore lint/suspicious/noExplicitAny: see above
    return (super.query as any)(...args)
  }
}

export interface Pools {
  /** Connections that can only ever see this partner's rows. */
  forPartner(partnerId: string): Db
  /** Connections without a partner: they see shared tables and no partner-owned row at all. */
  shared: Db
  /** A connection string for this role, for LISTEN. */
  url: string
  close(): Promise<void>
}

const partnerCode = /^[a-z][a-z0-9-]{1,30}$/

/**
 * One small pool per partner, opened at first use. The partner is a start-up option of the connection,
 * so no statement of ours ever changes it.
 */
export function createPools(options: { url: string; max?: number; onError?: (error: Error) => void }): Pools {
  const open = new Map<string, Db>()
  const connect = (partnerId: string | null) => {
    const pool = new pg.Pool({
      connectionString: options.url,
      max: options.max ?? 8,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: 8_000,
      statement_timeout: 8_000,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 15_000,
      pipeline: true,
      options: partnerId === null ? undefined : `-c dineback.partner=${partnerId}`,
      Client: PreparingClient,
    } as pg.PoolConfig)
    // A connection that dies while idle or checked out must not take the process with it.
    const report = (error: Error) => options.onError?.(error)
    pool.on('error', report)
    pool.on('connect', (client) => client.on('error', report))
    return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  }
  const shared = connect(null)
  return {
    shared,
    url: options.url,
    forPartner(partnerId) {
      if (!partnerCode.test(partnerId)) throw new RangeError(`not a partner code: ${partnerId}`)
      let db = open.get(partnerId)
      if (!db) {
        db = connect(partnerId)
        open.set(partnerId, db)
      }
      return db
    },
    async close() {
      await Promise.all([shared, ...open.values()].map((db) => db.destroy()))
    },
  }
}

// serialization_failure, deadlock_detected
const retryable = new Set(['40001', '40P01'])

/** Runs `work` in one transaction; repeated up to three times when PostgreSQL asks for it. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTransaction(db, work)
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (attempt >= 3 || !retryable.has(code)) throw error
    }
  }
}

/** Waits for every other transaction that holds this name; released with the transaction. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** The name of the violated constraint, or null when the error is something else. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code?.startsWith('23') ? (constraint ?? null) : null
}
