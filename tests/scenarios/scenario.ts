import { asOwner, type TestApp } from '../support/app.ts'
import { jobsDone } from '../support/jobs-done.ts'
import { outlineOf, withoutCsrf } from '../support/page-outline.ts'
import { readRows } from '../support/row-changes.ts'

type Row = Record<string, unknown>
/** The rows of each table by primary key. */
type Rows = Map<string, Map<string, Row>>

interface Table {
  name: string
  key: string[]
  /** The table that each column of ids refers to. */
  references: Record<string, string>
}

/** Columns with hashes, keys and encrypted values, which differ in every run. */
const secrets =
  /(_hash|_key|secret|cipher|salt|nonce|signature|password|csrf_token|content_hash|^hash|^token$|fingerprint)/
/** Columns with short random texts. */
const codes = ['referral_code', 'confirmation']
const random = /^(?=.*[A-Z0-9])[\w-]{22}$|^[\w-]{43}$|^[0-9a-f]{32,64}$|^\\x[0-9a-f]+$/
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Random parts of longer texts: tokens of the vault, seals and codes of emails (also typed), addresses of samples. */
const parts =
  /\btok_[\w-]{43}|\b[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}\b|(?<=#code=)[\w-]{43}|(?<=:)[\w-]{22}(?=")|(?<=-)[\w-]{8}(?=@staging)/g

/**
 * Records what acts do: the responses, and which rows are added, changed and removed. Random values are replaced by
 * names in the order of their first appearance, so that the record is the same in every run.
 */
export async function createScenario(app: TestApp) {
  const tables = await listTables(app)
  const names = new Map<string, string>()
  const lines: string[] = []
  let before = await readTables(app)

  const nameOf = (value: string, kind: string) => {
    const known = names.get(value)
    if (known) return known
    const count = [...names.values()].filter((name) => name.startsWith(`‹${kind} `)).length
    const name = `‹${kind} ${count + 1}›`
    names.set(value, name)
    return name
  }
  /** Returns a text with every random value replaced by its name. */
  const named = (text: string): string => {
    let result = text
      .replaceAll(`:${app.port}`, ':PORT')
      .replace(uuid, (value) => nameOf(value, 'uuid'))
      .replace(parts, (value) => nameOf(value, 'part'))
    for (const [value, name] of names) if (result.includes(value)) result = result.replaceAll(value, name)
    return result
  }
  const learn = (value: unknown) => {
    if (typeof value === 'string' && random.test(value)) nameOf(value, 'id')
    else if (value && typeof value === 'object') for (const inner of Object.values(value)) learn(inner)
  }

  return {
    named,
    /** Returns the body of a response, JSON by line, with its random values named. */
    describe({ status, headers, text }: { status: number; headers: Record<string, unknown>; text: string }): string {
      const isJson = /json/.test(String(headers['content-type']))
      const body: unknown = isJson ? JSON.parse(text) : text
      learn(body)
      const lines = isJson ? JSON.stringify(body, hideSecrets, 2) : text.replaceAll('\r', '')
      return named(`${status} ${headers['content-type']}\n${lines}`)
    },
    text: () => `${lines.join('\n')}\n`,
    /** Adds a line to the record. */
    note: (text: string) => lines.push(named(text)),
    /** Runs an act and records its outcome and the rows that it changes. */
    async step<T>(title: string, act: () => Promise<T>): Promise<T> {
      const outcome = await act()
      await jobsDone(app.database)
      const after = await readTables(app)
      const changes = changesOf(tables, before, after, { learn, nameOf })
      lines.push('', `## ${title}`)
      const response = outcome as StepResponse | undefined
      if (typeof response?.status === 'number') {
        const isJson = response.text?.startsWith('{') || response.text?.startsWith('[')
        const body = isJson ? response.json?.() : textOf(response)
        learn(body)
        lines.push(named(`${response.status} ${typeof body === 'string' ? body : compact(body)}`.trimEnd()))
      }
      lines.push(...changes.flatMap((of) => of.map(named).sort()))
      before = after
      return outcome
    },
  }
}

export type Scenario = Awaited<ReturnType<typeof createScenario>>

interface StepResponse {
  status?: number
  headers?: Record<string, unknown>
  json?: () => unknown
  text?: string
}

/** Returns where a response leads, or what its page says. */
function textOf({ text = '', headers = {} }: StepResponse): string {
  if (headers.location !== undefined) return String(headers.location).replace(/(?<=[?&]token=)[^&]+/, '‹secret›')
  return text.startsWith('<!')
    ? withoutCsrf(
        outlineOf(text)
          .map((line) => `\n    ${line}`)
          .join(''),
      )
    : text
}

const hideSecrets = (key: string, value: unknown) =>
  /token|csrf|publicKey/i.test(key) && typeof value === 'string' ? '‹secret›' : value

const compact = (body: unknown) => JSON.stringify(body, hideSecrets)

async function listTables(app: TestApp): Promise<Table[]> {
  const rows = await asOwner<Table>(
    app,
    `select c.oid::regclass::text as name, array_agg(a.attname::text order by a.attnum) as key,
       coalesce((select jsonb_object_agg(fa.attname, f.confrelid::regclass::text)
         from pg_constraint f join pg_attribute fa on fa.attrelid = c.oid and fa.attnum = any(f.conkey)
         where f.conrelid = c.oid and f.contype = 'f' and fa.attname <> 'partner_id'), '{}') as references
     from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
     where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace::regnamespace::text in ('public', 'vault', 'forms', 'console')
      -- Copies of what the row of the member has, in lower case: random codes are not recognized in them.
      and c.relname <> 'member_terms'
     group by c.oid, c.relname order by c.relname, c.relnamespace::regnamespace::text`,
  )
  return rows
}

async function readTables({ database }: TestApp): Promise<Rows> {
  const all: Rows = new Map()
  for (const [name, text] of await readRows(database)) {
    const [, table = '', key = ''] = /^(\S+) (.*)$/s.exec(name) ?? []
    const rows = all.get(table) ?? new Map<string, Row>()
    all.set(table, rows.set(key, JSON.parse(text)))
  }
  return all
}

/** Returns the lines of each table's changes, and learns the random values in them. */
function changesOf(
  tables: readonly Table[],
  before: Rows,
  after: Rows,
  { learn, nameOf }: { learn(value: unknown): void; nameOf(value: string, kind: string): string },
): string[][] {
  const lines: string[][] = []
  for (const table of tables) {
    const [earlier, later] = [before.get(table.name) ?? new Map(), after.get(table.name) ?? new Map()]
    const added: string[] = []
    const changed: string[] = []
    for (const [key, row] of later) {
      const old = earlier.get(key)
      if (old && JSON.stringify(old) === JSON.stringify(row)) continue
      for (const [column, value] of Object.entries(row)) if (!secrets.test(column)) learn(value)
      for (const column of codes) if (typeof row[column] === 'string') nameOf(row[column], 'code')
      if (!old) added.push(`+ ${table.name} ${describeRow(table, row, Object.keys(row), [after, before])}`)
      else {
        const columns = Object.keys(row).filter((column) => JSON.stringify(old[column]) !== JSON.stringify(row[column]))
        changed.push(`~ ${table.name} ${describeRow(table, row, columns, [after, before])}`)
      }
    }
    const removed = [...earlier].filter(([key]) => !later.has(key))
    const removals = removed.map(
      ([, row]) => `- ${table.name} ${describeRow(table, row, Object.keys(row), [after, before])}`,
    )
    lines.push([...added, ...changed, ...removals])
  }
  return lines
}

/**
 * Returns the columns of a row that say something. Numbers of rows are left out, because jobs run side by side; a
 * reference shows the public id of its row.
 */
function describeRow({ key, references }: Table, row: Row, columns: readonly string[], all: readonly Rows[]): string {
  const describe = (column: string): string[] => {
    const value = row[column]
    if (value === null || column === 'partner_id') return []
    if (secrets.test(column)) return [`${column}=‹secret›`]
    const target = all.map((rows) => rows.get(references[column] ?? '')?.get(JSON.stringify([value]))).find(Boolean)
    if (target) return [`${column}=→${target.public_id ?? target.last_four ?? references[column]}`]
    return typeof value === 'number' && key.includes(column) ? [] : [`${column}=${describeValue(column, value)}`]
  }
  return columns.flatMap(describe).join(' ')
}

/** Texts are shown by line, and emails by what they say. */
function describeValue(column: string, value: unknown): string {
  if (typeof value !== 'string' || !value.includes('\n')) return JSON.stringify(value)
  const lines = column === 'body_html' ? outlineOf(value) : value.split('\n')
  return lines.map((line) => `\n    ${line}`.trimEnd()).join('')
}
