import type { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import type { Line } from './read-lines.ts'

/** The cells of one record, or why it cannot be read. */
export type Cells = { line: number; cells: string[] } | { line: number; problem: string }

/** The characters that separate cells, in the order in which they are tried. */
const separators = [',', ';', '\t'] as const

/** A quoted cell may go on for so many lines: a quote that is never closed must not swallow the file. */
const maxLinesOfRecord = 200

/**
 * Yields the records of a table, first the headers. The separator is the one that `sep=;` names, as spreadsheets write
 * it, or that the headers have most often. Empty records, and those of separators only, are left out. A quote within a
 * cell is a part of it (`12" Subs`), and one that is never closed spoils its own line only, which no CSV library does:
 * so records are cut here, and csv-parse reads each that has a quote.
 */
export async function* readTable(lines: AsyncIterable<Line>, limit: number): AsyncGenerator<Cells> {
  const source = createSource(lines)
  let first = await source.next()
  while (first?.text.trim() === '') first = await source.next()
  if (!first) return
  const named = /^"?sep=(.)"?$/i.exec(first.text.trim())
  const header = named ? await source.next() : first
  if (!header) return
  const reading = { separator: named?.[1] ?? separatorOf(header.text), limit }
  source.putBack([header])
  for (let record = await nextRecord(source, reading); record; record = await nextRecord(source, reading)) {
    if ('problem' in record || record.cells.some((cell) => cell !== '')) yield record
  }
}

function separatorOf(header: string): string {
  const outside = header.replace(/"[^"]*"/g, '')
  const counts = separators.map((separator) => outside.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

interface Reading {
  separator: string
  /** The most characters of a record. */
  limit: number
}

type Source = ReturnType<typeof createSource>

/** Lines that can be put back after they were read. */
function createSource(lines: AsyncIterable<Line>) {
  const iterator = lines[Symbol.asyncIterator]()
  const waiting: Line[] = []
  return {
    async next(): Promise<Line | undefined> {
      if (waiting.length > 0) return waiting.shift()
      const { value, done } = await iterator.next()
      return done ? undefined : value
    },
    putBack: (read: readonly Line[]) => void waiting.unshift(...read),
  }
}

async function nextRecord(source: Source, { separator, limit }: Reading): Promise<Cells | undefined> {
  const start = await source.next()
  if (!start) return undefined
  const { line, text } = start
  if (!text.includes('"')) return { line, cells: text.split(separator).map((cell) => cell.trim()) }
  const alone = parseRecord(text, separator)
  if (typeof alone !== 'string') return { line, cells: alone }
  const more: Line[] = []
  let whole = text
  while (more.length < maxLinesOfRecord && whole.length < limit) {
    const next = await source.next()
    if (!next) break
    more.push(next)
    whole += `\n${next.text}`
    if (!next.text.includes('"')) continue
    const cells = parseRecord(whole, separator)
    if (typeof cells !== 'string') return { line, cells }
    // More lines cannot mend it.
    if (cells === 'broken') break
  }
  source.putBack(more)
  return { line, problem: 'A quotation mark is not closed, or text follows one that closes.' }
}

/** Returns the cells of a text that is exactly one record; `open` when a quote is not closed at its end. */
function parseRecord(text: string, separator: string): string[] | 'open' | 'broken' {
  const options = { delimiter: separator, trim: true, relax_column_count: true, skip_empty_lines: true }
  let result: 'open' | 'broken' = 'broken'
  // The lines of a cell must be quoted properly; a quote as a part of a cell is accepted within one line.
  for (const relax_quotes of text.includes('\n') ? [false] : [false, true]) {
    try {
      const records: string[][] = parse(text, { ...options, relax_quotes })
      if (records.length === 1) return records[0] as string[]
    } catch (error) {
      if ((error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED') result = 'open'
    }
  }
  return result
}
