import type { z } from 'zod'
import { withoutCardNumbers } from '../card-numbers.ts'
import { plainWord } from './cells.ts'
import { UnreadableFile } from './read-lines.ts'

/** A column of a file: how it may be called, and how its cells are read. */
export interface Column {
  /** The name of its field. */
  name: string
  /** Other names for it. Case, spaces and signs never count. */
  also?: readonly string[]
  /** Whether a table without it is refused. */
  required?: boolean
  /**
   * Returns the value of a text, or undefined for one that it cannot understand. `row` has the texts of the whole row. By
   * default the text itself.
   */
  read?: (text: string, row: Readonly<Record<string, unknown>>) => unknown
  /** Whether a list of JSON is read like a text, too. */
  isList?: boolean
  /** What a value must be; follows the value in a sentence: `is not a day; write 2026-01-15 or 1/15/2026`. */
  expected?: string
}

/** What is wrong in one column of a row, as a sentence without the line; `column` as the file calls it. */
export interface CellProblem {
  column: string
  text: string
}

export interface ReadRow {
  /** The values by the names of their columns; empty cells are left out. Other columns keep the file's name and text. */
  value: Record<string, unknown>
  problems: CellProblem[]
  /** How the file calls the columns. */
  headers: Readonly<Record<string, string>>
}

/** Returns the column for each header, or null for an unknown one. Throws UnreadableFile for one that is there twice. */
export function matchHeaders(headers: readonly string[], columns: readonly Column[]): (Column | null)[] {
  const known = new Map(
    columns.flatMap((column) => [column.name, ...(column.also ?? [])].map((name) => [plainWord(name), column])),
  )
  const matched = headers.map((header) => known.get(plainWord(header)) ?? null)
  const seen = new Map<string, string>()
  for (const [index, header] of headers.entries()) {
    if (header === '') continue
    const name = matched[index]?.name ?? plainWord(header)
    const before = seen.get(name)
    if (before !== undefined)
      throw new UnreadableFile(
        before === header
          ? `Two columns are called ${header}. Remove one of them.`
          : `The columns ${before} and ${header} mean the same. Remove one of them.`,
      )
    seen.set(name, header)
  }
  return matched
}

/** Throws UnreadableFile with the columns that were found, when required ones are missing. */
export function requireColumns(
  headers: readonly string[],
  matched: readonly (Column | null)[],
  columns: readonly Column[],
): void {
  const missing = columns.filter((column) => column.required && !matched.includes(column)).map(({ name }) => name)
  if (missing.length === 0) return
  const found = headers.filter((header) => header !== '').join(', ')
  const [noun, names] = [missing.length === 1 ? 'column' : 'columns', missing.join(', ')]
  throw new UnreadableFile(
    `The file has no ${noun} ${names}. The first line must have the names of the columns; found: ${found || 'nothing'}.`,
  )
}

/** Reads the given values of a row: texts as the columns read them, other values as they are. */
export function readCells(
  given: readonly (readonly [header: string, value: unknown])[],
  matched: readonly (Column | null)[],
): ReadRow {
  const values: [string, unknown][] = []
  const headers: [string, string][] = []
  const problems: CellProblem[] = []
  // Not assigned one by one: `__proto__` is a name like any other.
  const row = Object.fromEntries(given.map(([header, cell], index) => [matched[index]?.name ?? header, cell]))
  for (const [index, [header, cell]] of given.entries()) {
    if (cell === '' || cell === null || cell === undefined) continue
    const column = matched[index]
    const name = column?.name ?? header
    headers.push([name, header])
    const text = column?.isList && Array.isArray(cell) ? cell.join(';') : cell
    const read = column?.read && typeof text === 'string' ? column.read(text.trim(), row) : cell
    if (read === undefined)
      problems.push({ column: header, text: `${quoted(cell)} ${column?.expected ?? 'cannot be read'}.` })
    else values.push([name, read])
  }
  return { value: Object.fromEntries(values), problems, headers: Object.fromEntries(headers) }
}

/** Returns the problems that a schema finds in the values of a row; a column with a problem already is left out. */
export function explainIssues(
  issues: readonly z.core.$ZodIssue[],
  { value, problems, headers }: ReadRow,
  columns: readonly Column[],
): CellProblem[] {
  const known = new Set(problems.map(({ column }) => column))
  const found = issues.flatMap((issue): CellProblem[] => {
    const [name = '', ...path] = issue.path.map(String)
    const column = Object.hasOwn(headers, name) ? (headers[name] ?? name) : name
    if (issue.code === 'unrecognized_keys' && name === '')
      return issue.keys.map((key) => ({ column: headers[key] ?? key, text: 'There is no such column.' }))
    if (known.has(column)) return []
    const where = path.length > 0 ? `${path.join('.')}: ` : ''
    const expected = columns.find((one) => one.name === name)?.expected
    return [
      {
        column: column || 'the row',
        text: `${where}${explainIssue(issue, valueAt(value, issue.path), path.length === 0 ? expected : undefined)}.`,
      },
    ]
  })
  return [...problems, ...found]
}

function explainIssue(issue: z.core.$ZodIssue, value: unknown, expected: string | undefined): string {
  const isEmpty = value === undefined || (typeof value === 'string' && value.trim() === '')
  if (isEmpty && issue.code !== 'custom') return 'It is required, but empty'
  if ((issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'string') {
    const [bound, word] = issue.code === 'too_big' ? [issue.maximum, 'at most'] : [issue.minimum, 'at least']
    return `${quoted(value)} has ${String(value).length} characters; it may have ${word} ${bound}`
  }
  // A rule of ours about several fields; a copy key is only the place of a message.
  if (issue.code === 'custom' && !issue.message.startsWith('validation.'))
    return issue.message.charAt(0).toUpperCase() + issue.message.slice(1)
  if (expected) return `${quoted(value)} ${expected}`
  if (issue.code === 'too_big') return `${quoted(value)} is too large; the most is ${issue.maximum}`
  if (issue.code === 'too_small') return `${quoted(value)} is too small; the least is ${issue.minimum}`
  if (issue.code === 'invalid_value') return `${quoted(value)} is none of ${issue.values.join(', ')}`
  if (issue.code === 'invalid_type') return `${quoted(value)} is not ${kindNames[issue.expected] ?? issue.expected}`
  if (issue.code === 'unrecognized_keys') return `has unknown fields: ${issue.keys.join(', ')}`
  // Messages of our own say what is expected; those of the library show patterns.
  return /^invalid/i.test(issue.message) ? `${quoted(value)} has a wrong form` : `${quoted(value)} ${issue.message}`
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return at
}

/** Returns a value in quotation marks, at most sixty characters of it, without card numbers. */
export function quoted(value: unknown): string {
  const text = withoutCardNumbers(typeof value === 'string' ? value : JSON.stringify(value))
  return `“${text.length > 60 ? `${text.slice(0, 57)}…` : text}”`
}
