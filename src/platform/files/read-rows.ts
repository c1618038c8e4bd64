import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { CsvError, parse as parseCsv } from 'csv-parse'
import {
  defaultLimits,
  type Line,
  type ReadLimits,
  readBytes,
  readLines,
  readText,
  UnreadableFile,
} from './read-lines.ts'

/** One row of a file; `problem` replaces `value` when the row cannot be parsed. */
export interface Row {
  /** Line number, starting at 1. */
  line: number
  value?: Record<string, unknown>
  problem?: string
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

/**
 * Streams a file's rows. `onProgress` receives the share of the file read so far, 0 to 1. Throws UnreadableFile for a
 * file without rows, without text, or beyond the limits.
 */
export async function* readRows(
  file: string,
  format: Format,
  onProgress: (share: number) => void,
  limits: ReadLimits = defaultLimits,
): AsyncGenerator<Row> {
  const text = readText(readBytes(file, onProgress), limits)
  let count = 0
  for await (const row of rowsOf(text, format, limits)) {
    count++
    yield row
  }
  if (count === 0) throw new UnreadableFile('The file has no rows.')
}

function rowsOf(text: AsyncIterable<string>, format: Format, { line, collection }: ReadLimits): AsyncIterable<Row> {
  if (format === 'csv') return readCsv(text, line)
  return format === 'ndjson'
    ? readJsonLines(readLines(text, line))
    : readGeoJson(readLines(text, collection), collection)
}

async function* readJsonLines(lines: AsyncIterable<Line>): AsyncGenerator<Row> {
  for await (const { line, text } of lines) {
    if (text.trim() !== '') yield { line, ...parseObject(text) }
  }
}

function parseObject(text: string): Pick<Row, 'value' | 'problem'> {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value }
      : { problem: 'is not a JSON object' }
  } catch (error) {
    return { problem: `is not JSON (${(error as Error).message})` }
  }
}

async function* readCsv(text: AsyncIterable<string>, maxLength: number): AsyncGenerator<Row> {
  const parser = parseCsv({
    columns: true,
    bom: true,
    trim: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: maxLength,
    // A row with too many or too few cells does not affect others: it is reported with its error.
    relax_column_count: true,
  })
  const source = Readable.from(text)
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const { record, info } of parser) {
      yield info.error ? { line: info.lines, problem: info.error.message } : { line: info.lines, value: record }
    }
  } catch (error) {
    // Others are errors of the file system, or name their line.
    if (!(error instanceof CsvError)) throw error
    throw new UnreadableFile(`Line ${error.lines}: ${error.message}.`, { cause: error })
  } finally {
    source.destroy()
  }
}

// A FeatureCollection is one JSON text and read as a whole. Features with one line each are streamed.
async function* readGeoJson(lines: AsyncGenerator<Line>, maxSize: number): AsyncGenerator<Row> {
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

function flatten(feature: Record<string, unknown> | null): Pick<Row, 'value' | 'problem'> {
  const geometry = feature?.geometry as { type?: string; coordinates?: number[] } | null | undefined
  if (!feature || geometry?.type !== 'Point' || !geometry.coordinates) return { problem: 'is not a Point feature' }
  const [longitude, latitude] = geometry.coordinates
  const properties = (feature.properties ?? {}) as Record<string, unknown>
  return { value: { ...(feature.id !== undefined && { id: feature.id }), ...properties, longitude, latitude } }
}
