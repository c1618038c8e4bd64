import pg from 'pg'
import { statementName } from './preparing-client.ts'

// No row comes of it: one answer less to read.
const setText = "select where set_config('dineback.partner', $1, true) is null"
const setName = statementName(setText)
// invalid_sql_statement_name
const unknownStatement = '26000'

/** What `pg` does with a query, as far as a scoped one takes part in it. */
interface Wire {
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  stream: { cork(): void; uncork(): void; write(bytes: Buffer): void }
  parse(statement: { name: string; text: string }): void
}

interface QueryOfPg {
  name: string | undefined
  text: string
  submit(connection: Wire): Error | null
  handleCommandComplete(message: unknown, connection: Wire): void
  handleError(error: Error, connection: Wire): void
}

type Callback = (error: Error | null, result: pg.QueryResult) => void

const QueryOfPg = pg.Query as unknown as new (
  config: { text: string; values: readonly unknown[]; name?: string; queryMode: 'extended' },
  callback: Callback,
) => QueryOfPg

/**
 * One statement that sees the rows of one program. The program is set for the transaction, and both leave without a
 * synchronization between them: to PostgreSQL they are one transaction in one trip. When the setting fails, the
 * statement is skipped; when the transaction ends, either way, the setting is gone. `pg` takes both for one query, so
 * the answers to the setting are taken out here.
 */
class ScopedQuery extends QueryOfPg {
  readonly #scope: Buffer
  // Those of the statement, while the answers belong to the setting: `pg` notes what is parsed by the query's name.
  #statement: { name: string | undefined; text: string } | null = null

  constructor(scope: Buffer, text: string, values: readonly unknown[], callback: Callback) {
    const name = values.length > 0 ? { name: statementName(text) } : {}
    super({ text, values, ...name, queryMode: 'extended' }, callback)
    this.#scope = scope
  }

  override submit(connection: Wire): Error | null {
    const { parsedStatements, submittedNamedStatements, stream } = connection
    stream.cork()
    try {
      if (!parsedStatements[setName] && !submittedNamedStatements[setName]) {
        connection.parse({ name: setName, text: setText })
        submittedNamedStatements[setName] = setText
      }
      stream.write(this.#scope)
      const refused = super.submit(connection)
      this.#statement = { name: this.name, text: this.text }
      this.name = setName
      this.text = setText
      return refused
    } finally {
      stream.uncork()
    }
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#statement) this.#beginStatement()
    else super.handleCommandComplete(message, connection)
  }

  override handleError(error: Error & { code?: string }, connection: Wire): void {
    // It is no longer prepared on the server: next time it is prepared again.
    if (error.code === unknownStatement && this.name) delete connection.parsedStatements[this.name]
    if (this.#statement) {
      this.#beginStatement()
      // PostgreSQL has skipped it: it is not prepared unless it was before.
      if (this.name) delete connection.submittedNamedStatements[this.name]
    }
    super.handleError(error, connection)
  }

  #beginStatement(): void {
    if (!this.#statement) return
    this.name = this.#statement.name
    this.text = this.#statement.text
    this.#statement = null
  }
}

/** Returns what sets the program, as messages of PostgreSQL's protocol: a Bind and an Execute, always the same. */
export function scopeOf(program: string): Buffer {
  const value = Buffer.from(program)
  const bind = Buffer.alloc(1 + setName.length + 1 + 2 + 2 + 4)
  bind.write(setName, 1)
  bind.writeInt16BE(1, setName.length + 4)
  bind.writeInt32BE(value.length, setName.length + 6)
  const execute = Buffer.alloc(5)
  return Buffer.concat([message('B', bind, value, Buffer.alloc(2)), message('E', execute)])
}

function message(kind: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const head = Buffer.from(`${kind}0000`)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Runs one statement for the program of a scope, in a transaction of its own. */
export function runScoped(
  client: pg.ClientBase,
  scope: Buffer,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new ScopedQuery(scope, text, values, (error, result) => (error ? reject(error) : resolve(result)))
    client.query(query as unknown as pg.Submittable)
  })
}
