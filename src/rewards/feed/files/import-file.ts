import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { holdsCardNumber } from '../../../platform/card-numbers.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { CellProblem } from '../../../platform/files/columns.ts'
import { type Format, problemText, type Row, readRows, readUploadedRows } from '../../../platform/files/read-rows.ts'
import type { Ctx } from '../../../platform/http/context.ts'
import type { FeedEvent } from '../contract.ts'
import { createIntake, type Intake } from '../intake.ts'
import { receiveValue } from '../receive-batch.ts'
import { maxBatchSize } from '../receive-events.ts'
import { explainEvent, feedColumns, rowToEvent } from './csv.ts'
import { type Fault, findOrCreateFile, finishFile, recordProgress, type Tally, tallied } from './store.ts'

export interface FileReport extends Tally {
  /** Whether the same content had already been read completely: then nothing was done. */
  wasDone: boolean
  /** The line after which reading resumed; 0 for a new file. */
  resumedAfter: number
  /** The last line that was read. */
  lines: number
  /** The first lines that were rejected. */
  faults: readonly Fault[]
}

export interface FileImport {
  path: string
  format: Exclude<Format, 'geojson'>
  /** Called with the share of bytes read, 0 to 1, and the line. */
  onProgress?: (share: number, line: number) => void
}

/** Maximum number of rejected lines that are listed. */
const maxFaults = 100

/**
 * Imports a file of events. A file is identified by its content, not its name; an interrupted import resumes after
 * the last stored line. Lines are ordinary events, so a file that is imported again, or overlaps another, changes
 * nothing. Throws when the file is truncated or a line could not be stored; everything read before stays stored.
 */
export async function importFile(ctx: Ctx, { path, format, onProgress = () => {} }: FileImport): Promise<FileReport> {
  let share = 0
  const rows = readRows(path, format, {
    columns: columnsOf(format),
    onProgress: (read) => {
      share = read
    },
  })
  const identity = { hash: await computeHash(path), name: basename(path) }
  return importRows(ctx, identity, { rows, format, onProgress: (line) => onProgress(share, line) })
}

type TableFormat = FileImport['format']

/** Imports the bytes of a file that was uploaded, as `importFile` does. */
export async function importBytes(
  ctx: Ctx,
  { bytes, name, format }: { bytes: Buffer; name: string; format: TableFormat },
): Promise<FileReport> {
  const rows = readUploadedRows(bytes, format, { columns: columnsOf(format) })
  return importRows(ctx, { hash: hashOf(bytes), name }, { rows, format, onProgress: () => {} })
}

/** Returns what identifies the content of a file. */
export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const columnsOf = (format: TableFormat) => (format === 'csv' ? feedColumns : [])

interface Rows {
  rows: AsyncIterable<Row>
  format: TableFormat
  onProgress: (line: number) => void
}

async function importRows(
  ctx: Ctx,
  identity: { hash: string; name: string },
  { rows, format, onProgress }: Rows,
): Promise<FileReport> {
  const file = await findOrCreateFile(ctx.db, identity)
  const tally = Object.fromEntries(tallied.map((name) => [name, file[name]])) as Tally
  const faults = [...(file.faults as unknown as Fault[])]
  const resumedAfter = file.lines_read
  const report = () => ({ ...tally, wasDone: false, resumedAfter, faults, lines: file.lines_read })
  if (file.finished_at) return { ...report(), wasDone: true }
  const intake = createIntake()
  for await (const batch of batchesOf(rows, resumedAfter)) {
    const outcomes = await Promise.all(batch.map((row) => importRow(ctx, row, format, intake)))
    const fresh: Fault[] = []
    for (const [index, outcome] of outcomes.entries()) {
      tally[outcome.kind]++
      const line = batch[index]?.line as number
      if (outcome.kind === 'rejected') fresh.push({ line, code: outcome.code, texts: outcome.texts })
    }
    faults.push(...fresh.slice(0, Math.max(0, maxFaults - faults.length)))
    file.lines_read = batch.at(-1)?.line as number
    await recordProgress(ctx.db, file.id, { line: file.lines_read, tally, faults, fresh })
    onProgress(file.lines_read)
  }
  await finishFile(ctx.db, file.id)
  return report()
}

export interface FileCheck extends Tally {
  /** The first rejected lines. */
  faults: readonly Fault[]
  /** The first line that holds a card number, also one that is rejected for another reason; null without any. */
  cardNumberLine: number | null
}

/**
 * Reads an uploaded file as `importBytes` does, and stores nothing. `known` returns how many of the messages are stored
 * already, and how many have an unknown card or restaurant.
 */
export async function checkBytes(
  ctx: Ctx,
  { bytes, format }: { bytes: Buffer; format: TableFormat },
  known: (events: readonly FeedEvent[]) => Promise<{ repeated: number; unmatched: number }>,
): Promise<FileCheck> {
  const check = { applied: 0, unmatched: 0, repeated: 0, ignored: 0, rejected: 0 }
  const faults: Fault[] = []
  const textOf = linesOf(bytes)
  // The names of the columns are no row.
  let cardNumberLine = format === 'csv' && holdsCardNumber(textOf(1)) ? 1 : null
  for await (const batch of batchesOf(readUploadedRows(bytes, format, { columns: columnsOf(format) }), 0)) {
    const events: FeedEvent[] = []
    const intake: Intake = {
      receive: async (_ctx, event) => {
        if (event.transaction.programId !== ctx.partnerId) throw new ApiError('otherProgram')
        if (event.event.endsWith('.qualified')) return 'ignored'
        events.push(event)
        return 'applied'
      },
    }
    for (const row of batch) {
      const outcome = await importRow(ctx, row, format, intake)
      check[outcome.kind]++
      if (outcome.kind !== 'rejected') continue
      const found = row.isParsed ? row.value : textOf(row.line)
      if (outcome.code === 'cardNumber' || holdsCardNumber(found)) cardNumberLine ??= row.line
      if (faults.length < maxFaults) faults.push({ line: row.line, code: outcome.code, texts: outcome.texts })
    }
    const { repeated, unmatched } = await known(events)
    check.repeated += repeated
    check.unmatched += unmatched
    check.applied -= repeated + unmatched
  }
  return { ...check, faults, cardNumberLine }
}

/** Returns a function that returns a line of a file, counted from 1, as it is. */
function linesOf(bytes: Buffer): (line: number) => string {
  let lines: string[] | undefined
  return (line) => {
    lines ??= bytes.toString('utf8').split(/\r\n|\n|\r/)
    return lines[line - 1] ?? ''
  }
}

async function computeHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function* batchesOf(rows: AsyncIterable<Row>, after: number): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  for await (const row of rows) {
    if (row.line <= after) continue
    batch.push(row)
    if (batch.length < maxBatchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

type LineOutcome = { kind: Exclude<keyof Tally, 'rejected'> } | { kind: 'rejected'; code: string; texts: string[] }

async function importRow(ctx: Ctx, row: Row, format: FileImport['format'], intake: Intake): Promise<LineOutcome> {
  const isTable = format === 'csv'
  const rejected = (code: string, problems: readonly CellProblem[]): LineOutcome => ({
    kind: 'rejected',
    code,
    texts: problems.map((problem) => problemText(row.line, problem)),
  })
  if (!row.isParsed) return rejected(isTable ? 'malformed' : 'notJson', row.problems)
  const value = isTable ? rowToEvent(row.value) : row.value
  // The other cells are checked, too, so that all problems are named.
  if (row.problems.length > 0) return rejected('malformed', explainEvent(value, row, isTable))
  const result = await receiveValue(ctx, value, (event) => intake.receive(ctx, event))
  if (result.outcome) return { kind: result.outcome }
  // The line is valid: the next import of the file retries it.
  if (result.status >= 500) throw new Error(`line ${row.line} could not be kept; take the file again to go on`)
  const code = result.code ?? 'malformed'
  const problems = code === 'malformed' ? explainEvent(value, row, isTable) : []
  return rejected(code, problems.length > 0 ? problems : [{ column: '', text: reasons[code] ?? reasons.malformed }])
}

const reasons: Readonly<Record<string, string>> & { malformed: string } = {
  malformed: 'It has a character that cannot be stored.',
  cardNumber: 'It has a card number, which must never be sent.',
  futureDate: 'Its date is more than two days ahead.',
  otherProgram: 'It belongs to another program.',
}
