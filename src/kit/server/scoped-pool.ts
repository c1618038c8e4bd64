import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { runScoped, scopeOf } from './scoped-query.ts'

/**
 * A view of a pool whose connections see the rows of one program, or with an empty name of none. Connections have no
 * program: each transaction, and each statement outside of one, sets its own. What was left behind on a connection does
 * not count, and a pooler may hand another server connection to every transaction.
 */
export function scopedPool(pool: pg.Pool, program: string): PostgresPool {
  const scope = scopeOf(program)
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
    // The pool is shared, and belongs to those who opened it.
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
    // These are the words of Kysely and of `runTransaction`; a transaction that is begun in others is only slower.
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
    // A connection whose transaction is still open would give it to the next who uses it.
    this.#client.release(isBroken || this.#client.getTransactionStatus() !== 'I')
  }
}
