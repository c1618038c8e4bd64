import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { encodeScope, runScoped } from './scoped-query.ts'

/**
 * Returns a view of a pool whose connections see only the rows of one program, or no program rows with an empty name.
 * Each transaction, and each statement outside of one, sets its own program. State left on a connection has no effect,
 * and a transaction pooler may use another server connection for each transaction.
 */
export function scopedPool(pool: pg.Pool, program: string): PostgresPool {
  const scope = encodeScope(program)
  const views = new WeakMap<pg.PoolClient, ScopedClient>()
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      let scoped = views.get(client)
      if (!scoped) {
        scoped = new ScopedClient(client, program, scope)
        views.set(client, scoped)
      }
      return scoped as unknown as PostgresPoolClient
    },
    // The pool is shared; its creator closes it.
    end: () => Promise.resolve(),
  }
}

class ScopedClient {
  readonly #client: pg.PoolClient
  readonly #program: string
  readonly #scope: Buffer
  #isInTransaction = false

  constructor(client: pg.PoolClient, program: string, scope: Buffer) {
    this.#client = client
    this.#program = program
    this.#scope = scope
  }

  query(text: string, values: readonly unknown[]): Promise<unknown> {
    // The texts that Kysely and `runTransaction` send; a transaction started with another text is only slower.
    if (text === 'begin' || text.startsWith('start transaction')) {
      this.#isInTransaction = true
      return this.#client.query(`${text}; set local dineback.partner = '${this.#program}'`)
    }
    if (text === 'commit' || text === 'rollback') this.#isInTransaction = false
    else if (!this.#isInTransaction) return runScoped(this.#client, this.#scope, text, values)
    return this.#client.query(text, values as unknown[])
  }

  release(isBroken?: boolean): void {
    this.#isInTransaction = false
    // A connection with an open transaction would leak it to the next user.
    this.#client.release(isBroken || this.#client.getTransactionStatus() !== 'I')
  }
}
