import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { withoutCardNumbers } from '../card-numbers.ts'
import { type CellProblem, type Column, matchHeaders, type ReadRow, readCells, requireColumns } from './columns.ts'
import {
  defaultLimits,
  type Line,
  type ReadLimits,
  readBytes,
  readLines,
  readText,
  UnreadableFile,
} from './read-lines.ts'
import { type Cells, readTable } from './read-table.ts'

/** One row of a file, with its problems; `value` is empty when it cannot be parsed at all. */
export interface Row extends ReadRow {
  /** Line number, starting at 1. */
  line: number
  /** Whether it could be parsed; a cell that could not be understood does not count. */
  isParsed: boolean
}

export type Format = 'ndjson' | 'csv' | 'geojson'

/** Returns the format by file name, with or without `.gz`, or null for any other. */
export function formatOf(file: string): Format | null {
  const name = file.toLowerCase().replace(/\.gz$/, '')
  if (/\.(ndjson|jsonl)$/.test(name)) return 'ndjson'
  if (name.endsWith('.csv')) return 'csv'
  return /\.(geojson|geojsonl)$/.test(name) ? 'geojson' : null
}

/** Returns the name of a source by its file: `chicago` for `chicago.csv` and `chicago.csv.gz`, in any folder. */
export const sourceNameOf = (file: string): string => basename(file).replace(/\..*$/, '')

export interface Reading {
  /** The columns of the file. Tables may have others, too. */
  columns: readonly Column[]
  /** Receives the share of the file read so far, 0 to 1. */
  onProgress?: (share: number) => void
  limits?: ReadLimits
}

/**
 * Streams the rows of a file: a table (CSV, as spreadsheet programs write it), JSON lines or GeoJSON. Throws UnreadableFile
 * for a file without rows, without text, without a required column, or beyond the limits.
 */
export async function* readRows(
  file: string,
  format: Format,
  { columns, onProgress = () => {}, limits = defaultLimits }: Reading,
): AsyncGenerator<Row> {
  const text = readText(readBytes(file, onProgress), limits)
  yield* rowsOf(text, format, columns, limits)
}

/** Reads pasted text like a file: JSON lines when it begins with a bracket, else a table. */
export async function* readPastedRows(text: string, columns: readonly Column[]): AsyncGenerator<Row> {
  const format = /^\s*[{[]/.test(text) ? 'ndjson' : 'csv'
  yield* rowsOf(readText(piecesOf(text), defaultLimits), format, columns, defaultLimits)
}

/** Reads the bytes of a file that was uploaded, as `readRows` does. */
export async function* readUploadedRows(
  bytes: Uint8Array,
  format: Format,
  { columns, limits = defaultLimits }: Reading,
): AsyncGenerator<Row> {
  yield* rowsOf(readText(piecesOf(bytes), limits), format, columns, limits)
}

/** The reading of a piece takes some tens of milliseconds at most: one of 16,384 bytes has 5,000 rows of an empty object. */
const pieceBytes = 16_384

/** Yields a text in pieces. Requests are answered between them: nothing else of reading may wait for anything. */
async function* piecesOf(content: string | Uint8Array): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content as string)
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes)
    await setImmediate()
  }
}

async function* rowsOf(
  text: AsyncIterable<string>,
  format: Format,
  columns: readonly Column[],
  limits: ReadLimits,
): AsyncGenerator<Row> {
  let count = 0
  const rows =
    format === 'csv'
      ? readCsv(readLines(text, limits.line), limits.line, columns)
      : readObjects(text, format, limits, columns)
  for await (const row of rows) {
    count++
    yield row
  }
  if (count === 0) throw new UnreadableFile('The file has no rows.')
}

/** Returns a problem of a line as one sentence, without card numbers: it is stored and shown. */
export const problemText = (line: number, { column, text }: CellProblem): string =>
  withoutCardNumbers(`line ${line}${column && `, column ${column}`}: ${text}`)

/** Returns a problem as one sentence, where the line is said elsewhere. */
export const describeProblem = ({ column, text }: CellProblem): string =>
  withoutCardNumbers(column ? `${column}: ${text}` : text)

async function* readCsv(lines: AsyncIterable<Line>, limit: number, columns: readonly Column[]): AsyncGenerator<Row> {
  const records = readTable(lines, limit)
  const first = (await records.next()).value as Cells | undefined
  if (!first) return
  if ('problem' in first) throw new UnreadableFile(`Line ${first.line}: ${first.problem}`)
  const headers = first.cells
  const matched = matchHeaders(headers, columns)
  requireColumns(headers, matched, columns)
  for await (const record of records) {
    if ('problem' in record) {
      yield broken(record.line, record.problem)
      continue
    }
    const { line, cells } = record
    // Spreadsheets write empty cells behind the last column.
    const count = cells.findLastIndex((cell) => cell !== '') + 1
    const counts = `The line has ${cells.length} cells, the first line has ${headers.length}.`
    if (count > headers.length || cells.length < headers.length) yield broken(line, counts)
    else
      yield {
        line,
        isParsed: true,
        ...readCells(
          headers.map((header, index) => [header, cells[index]]),
          matched,
        ),
      }
  }
}

const broken = (line: number, text: string): Row => ({
  line,
  isParsed: false,
  value: {},
  headers: {},
  problems: [{ column: '', text }],
})

async function* readObjects(
  text: AsyncIterable<string>,
  format: Exclude<Format, 'csv'>,
  { line: limit, collection }: ReadLimits,
  columns: readonly Column[],
): AsyncGenerator<Row> {
  const objects =
    format === 'ndjson' ? readJsonLines(readLines(text, limit)) : readGeoJson(readLines(text, collection), collection)
  for await (const { line, value, problem } of objects) {
    if (!value) {
      yield broken(line, `The line ${problem}.`)
      continue
    }
    yield readObject(line, value, columns)
  }
}

/** Reads an object as a row. Its names are taken literally: it may have one twice, in another case. */
export function readObject(line: number, value: object, columns: readonly Column[]): Row {
  const entries = Object.entries(value)
  const matched = entries.map(
    ([name]) => columns.find((column) => column.name === name || column.also?.includes(name)) ?? null,
  )
  return { line, isParsed: true, ...readCells(entries, matched) }
}

interface Parsed {
  line: number
  value?: Record<string, unknown>
  problem?: string
}

async function* readJsonLines(lines: AsyncIterable<Line>): AsyncGenerator<Parsed> {
  for await (const { line, text } of lines) {
    if (text.trim() !== '') yield { line, ...parseObject(text) }
  }
}

function parseObject(text: string): Omit<Parsed, 'line'> {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value }
      : { problem: 'is not a JSON object' }
  } catch {
    return { problem: 'is not JSON' }
  }
}

// A FeatureCollection is one JSON text and read as a whole. Features with one line each are streamed.
async function* readGeoJson(lines: AsyncGenerator<Line>, maxSize: number): AsyncGenerator<Parsed> {
  const texts: string[] = []
  let size = 0
  for await (const { line, text } of lines) {
    const first = size === 0 ? parseObject(text) : {}
    if (first.value?.type === 'Feature') {
      yield { line, ...flatten(first.value) }
      for await (const row of readJsonLines(lines)) yield row.value ? { line: row.line, ...flatten(row.value) } : row
      return
    }
    size += text.trim().length
    if (size > maxSize) throw new UnreadableFile(`Line ${line}: the collection is too large to be read whole.`)
    texts.push(text)
  }
  if (size === 0) return
  const whole = parseObject(texts.join('\n'))
  const features = whole.value?.features
  if (!Array.isArray(features)) return yield { line: 1, problem: whole.problem ?? 'is not a FeatureCollection' }
  // These features have no line numbers: their position is used instead.
  for (const [index, feature] of features.entries()) yield { line: index + 1, ...flatten(feature) }
}

function flatten(feature: Record<string, unknown> | null): Omit<Parsed, 'line'> {
  const geometry = feature?.geometry as { type?: string; coordinates?: number[] } | null | undefined
  if (!feature || geometry?.type !== 'Point' || !geometry.coordinates) return { problem: 'is not a Point feature' }
  const [longitude, latitude] = geometry.coordinates
  const properties = (feature.properties ?? {}) as Record<string, unknown>
  return { value: { ...(feature.id !== undefined && { id: feature.id }), ...properties, longitude, latitude } }
}
