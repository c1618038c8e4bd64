import { createReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { parse as parseCsv } from 'csv-parse'

/** One row of a file; `problem` stands in for `value` when the row cannot even be read. */
export interface Row {
  /** Counted from 1, as an editor does. */
  line: number
  value?: Record<string, unknown>
  problem?: string
}

export type Format = 'ndjson' | 'csv' | 'geojson'

/** The format by the file's name, with or without `.gz`; null for any other. */
export function formatOf(file: string): Format | null {
  const name = file.toLowerCase().replace(/\.gz$/, '')
  if (/\.(ndjson|jsonl)$/.test(name)) return 'ndjson'
  if (name.endsWith('.csv')) return 'csv'
  return /\.(geojson|geojsonl)$/.test(name) ? 'geojson' : null
}

/** Streams a file's rows. `onProgress` gets the share of the file's bytes read so far, 0 to 1. */
export function readRows(file: string, format: Format, onProgress: (share: number) => void): AsyncIterable<Row> {
  const size = Math.max(1, statSync(file).size)
  let read = 0
  const bytes = createReadStream(file)
  bytes.on('data', (chunk) => {
    read += chunk.length
    onProgress(read / size)
  })
  const text = file.toLowerCase().endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
  // A broken archive fails the reader, not the process.
  bytes.on('error', (error) => text.destroy(error))
  if (format === 'csv') return readCsv(text)
  return format === 'ndjson' ? readJsonLines(text) : readGeoJson(text)
}

async function* readJsonLines(stream: Readable): AsyncGenerator<Row> {
  let line = 0
  for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
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

async function* readCsv(stream: Readable): AsyncGenerator<Row> {
  const parser = stream.pipe(
    parseCsv({ columns: true, bom: true, trim: true, info: true, skip_empty_lines: true, relax_column_count: false }),
  )
  stream.on('error', (error) => parser.destroy(error))
  try {
    for await (const { record, info } of parser) yield { line: info.lines, value: record }
  } catch (error) {
    const { lines = 0, message } = error as { lines?: number; message: string }
    yield { line: lines, problem: message }
  }
}

// A collection is one JSON text: it is read whole. Features one a line stream.
async function* readGeoJson(stream: Readable): AsyncGenerator<Row> {
  const lines: string[] = []
  for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) lines.push(text)
  const first = parseObject(lines.find((text) => text.trim() !== '') ?? '').value
  if (first?.type === 'Feature') {
    for await (const row of readJsonLines(Readable.from(lines.map((text) => `${text}\n`)))) {
      yield row.value ? { line: row.line, ...flatten(row.value) } : row
    }
    return
  }
  const whole = parseObject(lines.join('\n'))
  const features = whole.value?.features
  if (!Array.isArray(features)) return yield { line: 1, problem: whole.problem ?? 'is not a FeatureCollection' }
  // Without line numbers of its own a feature is named by its place.
  for (const [index, feature] of features.entries()) yield { line: index + 1, ...flatten(feature) }
}

function flatten(feature: Record<string, unknown>): Pick<Row, 'value' | 'problem'> {
  const geometry = feature.geometry as { type?: string; coordinates?: number[] } | null
  if (geometry?.type !== 'Point' || !geometry.coordinates) return { problem: 'is not a Point feature' }
  const [longitude, latitude] = geometry.coordinates
  const properties = (feature.properties ?? {}) as Record<string, unknown>
  return { value: { ...(feature.id !== undefined && { id: feature.id }), ...properties, longitude, latitude } }
}
