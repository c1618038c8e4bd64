import pg from 'pg'
import { statementName } from './prepared-statement-client.ts'

// Returns no row, so there is one message less to read.
const setText = "select where set_config('dineback.partner', $1, true) is null"
const setName = statementName(setText)
// invalid_sql_statement_name
const unknownStatement = '26000'

/** The parts of `pg`'s connection that a scoped query uses. */
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
 * One statement that sees the rows of one program. The program is set for the transaction, and both messages are sent
 * without a Sync between them: PostgreSQL runs them as one transaction in one round trip. When the setting fails, the
 * statement is skipped; when the transaction ends, the setting is reset. `pg` treats both as one query, so the
 * responses to the setting are filtered out here.
 */
class ScopedQuery extends QueryOfPg {
  readonly #scope: Buffer
  // Name and text of the statement while responses belong to the setting: `pg` tracks prepared statements by the
  // query's name.
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
      const error = super.submit(connection)
      this.#statement = { name: this.name, text: this.text }
      this.name = setName
      this.text = setText
      return error
    } finally {
      stream.uncork()
    }
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#statement) this.#beginStatement()
    else super.handleCommandComplete(message, connection)
  }

  override handleError(error: Error & { code?: string }, connection: Wire): void {
    // The statement is no longer prepared on the server; it is prepared again next time.
    if (error.code === unknownStatement && this.name) delete connection.parsedStatements[this.name]
    if (this.#statement) {
      this.#beginStatement()
      // PostgreSQL skipped the statement: it is not prepared unless it was before.
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

/** Returns the PostgreSQL protocol messages that set the program: a constant Bind and Execute. */
export function encodeScope(program: string): Buffer {
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

/** Runs one statement for the program of a scope, in its own transaction. */
export function runScoped(
  client: pg.ClientBase,
  scope: Buffer,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new ScopedQuery(scope, text, values, (error, result) => (error ? reject(error) : resolve(result)))
    void client.query(query as unknown as pg.Submittable)
  })
}
