import {
  CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  type Kysely,
  PostgresDialect,
  Transaction,
} from 'kysely'

// A transaction uses only its executor; the other properties that its type requires never open a connection.
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction opens no connection')) })
const unused = { config: { dialect }, dialect, driver: dialect.createDriver() }

/**
 * Runs `work` in one transaction; an exception rolls everything back. Queries started together are sent together, the
 * first one with `begin`, and complete in the order in which they were started. Kysely's own transactions send each
 * query only after the previous one completed.
 */
export async function runTransaction<DB, T>(db: Kysely<DB>, work: (tx: Transaction<DB>) => Promise<T>): Promise<T> {
  const executor = db.getExecutor()
  return executor.provideConnection(async (connection) => {
    const open = new OpenProvider(connection)
    const execute = (text: string) => connection.executeQuery<{ command: string }>(CompiledQuery.raw(text))
    try {
      const started = open.provideConnection(() => execute('begin'))
      const tx = new Transaction<DB>({ ...unused, executor: executor.withConnectionProvider(open) })
      const [result] = await Promise.all([work(tx), started])
      await open.close()
      // When the work ignored the error of a query, PostgreSQL responds to `commit` with ROLLBACK.
      if ((await execute('commit')).rows[0]?.command === 'ROLLBACK')
        throw new Error('the transaction has already failed')
      return result
    } catch (error) {
      await open.close()
      // If even the rollback fails, the pool discards the connection and PostgreSQL ends its transaction.
      await execute('rollback').catch(() => undefined)
      throw error
    }
  })
}

/** Provides one connection to any number of concurrent queries. */
class OpenProvider implements ConnectionProvider {
  readonly #connection: DatabaseConnection
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async provideConnection<T>(use: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error('a query was started after its transaction had ended')
    const running = use(this.#connection)
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  /**
   * Rejects further queries and waits for running ones: a query after the end of the transaction would run on its own
   * and persist when everything else is rolled back.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
  }
}
