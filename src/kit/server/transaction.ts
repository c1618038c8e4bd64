import {
  CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  type Kysely,
  PostgresDialect,
  Transaction,
} from 'kysely'

// A transaction asks its executor for everything; of what else its type wants, nothing is ever connected.
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction opens no connection')) })
const unused = { config: { dialect }, dialect, driver: dialect.createDriver() }

/**
 * Runs `work` in one transaction; what it throws rolls everything back. Queries that are begun together are sent
 * together, the first with the beginning itself, and answered in the order in which they were begun. Kysely's own
 * transactions send each when the one before is answered.
 */
export async function runTransaction<DB, T>(db: Kysely<DB>, work: (tx: Transaction<DB>) => Promise<T>): Promise<T> {
  const executor = db.getExecutor()
  return executor.provideConnection(async (connection) => {
    const open = new OpenProvider(connection)
    const say = (text: string) => connection.executeQuery<{ command: string }>(CompiledQuery.raw(text))
    try {
      const begun = open.provideConnection(() => say('begin'))
      const tx = new Transaction<DB>({ ...unused, executor: executor.withConnectionProvider(open) })
      const [result] = await Promise.all([work(tx), begun])
      await open.close()
      // Where the work passed over a query's error, PostgreSQL answers a commit so.
      if ((await say('commit')).rows[0]?.command === 'ROLLBACK') throw new Error('the transaction had failed before')
      return result
    } catch (error) {
      await open.close()
      // A connection that cannot even do this is no longer used by the pool, and PostgreSQL ends its transaction.
      await say('rollback').catch(() => undefined)
      throw error
    }
  })
}

/** Provides one connection to any number of queries at once. */
class OpenProvider implements ConnectionProvider {
  readonly #connection: DatabaseConnection
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async provideConnection<T>(use: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error('a query was begun after the work of its transaction was over')
    const running = use(this.#connection)
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  /**
   * Lets no further query begin and waits for those under way: what came after the end of the transaction would stand
   * alone, and stay when all else is rolled back.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
  }
}
