import pg from 'pg'

// Loaded into every process that runs the app in tests. A connection without pipelining executes one query at a time: pg
// only warns of a second one, once in a process, and its next major version rejects it. Here it fails.

interface Queued {
  pipeline: boolean
  _activeQuery: unknown
  _queryQueue: unknown[]
}

const key = Symbol.for('dineback.one-query-at-a-time')
const shared = globalThis as { [key]?: true }

if (!shared[key]) {
  shared[key] = true
  const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  Object.assign(pg.Client.prototype, {
    query(this: Queued, ...args: unknown[]) {
      if (!this.pipeline && (this._activeQuery || this._queryQueue.length > 0))
        throw new Error(`A query was started while its connection executes another one: ${JSON.stringify(args[0])}`)
      return query.apply(this, args)
    },
  })
}
