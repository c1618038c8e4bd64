import { createReadStream, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { withoutCardNumbers } from '../card-numbers.ts'

/** The rest of the file cannot be read. Everything read before is complete. The message names no card number of the file. */
export class UnreadableFile extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(withoutCardNumbers(message), options)
    this.name = 'UnreadableFile'
  }
}

/** Limits of reading a file. A compressed file can expand a thousandfold. */
export interface ReadLimits {
  /** Maximum length of a line, in characters. */
  line: number
  /** Maximum size of the whole text, in uncompressed bytes. */
  total: number
  /** Maximum size of a collection that is parsed as one JSON text, in characters. */
  collection: number
}

const MB = 1024 * 1024
export const defaultLimits: ReadLimits = { line: MB, total: 16 * 1024 * MB, collection: 256 * MB }

export interface Line {
  /** Line number, starting at 1. */
  line: number
  text: string
}

/** Streams the uncompressed bytes of a file. `onProgress` receives the share of the file read so far, 0 to 1. */
export async function* readBytes(file: string, onProgress: (share: number) => void): AsyncGenerator<Buffer> {
  const size = Math.max(1, statSync(file).size)
  let read = 0
  const bytes = createReadStream(file)
  bytes.on('data', (chunk) => {
    read += chunk.length
    onProgress(read / size)
  })
  if (!file.toLowerCase().endsWith('.gz')) return yield* bytes
  const unpacked = bytes.pipe(createGunzip())
  // An error of the file ends the reader, not the process.
  bytes.on('error', (error) => unpacked.destroy(error))
  try {
    yield* unpacked
  } catch (error) {
    throw new UnreadableFile(`The file cannot be unpacked: ${(error as Error).message}.`, { cause: error })
  } finally {
    bytes.destroy()
  }
}

/**
 * Decodes bytes to text, chunk by chunk. Throws UnreadableFile, with the line number, when they are not UTF-8 text or
 * exceed `total`.
 */
export async function* readText(
  bytes: AsyncIterable<Buffer>,
  { total }: Pick<ReadLimits, 'total'>,
): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null
  let [line, size] = [1, 0]
  const decoded = (chunk?: Buffer): string => {
    let text: string
    try {
      decoder ??= decoderFor(chunk)
      text = decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new UnreadableFile(
        `Line ${line} or one soon after it is not text in UTF-8. Save the file as “CSV UTF-8”, or check that it is the right one.`,
      )
    }
    const nul = text.indexOf('\0')
    const read = nul === -1 ? text : text.slice(0, nul)
    for (let at = read.indexOf('\n'); at !== -1; at = read.indexOf('\n', at + 1)) line++
    if (nul !== -1) throw new UnreadableFile(`Line ${line} has a NUL character: this is not a text file.`)
    return text
  }
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > total)
      throw new UnreadableFile(`Line ${line}: the file is larger than ${sizeText(total)} when unpacked.`)
    yield decoded(chunk)
  }
  yield decoded()
}

// Spreadsheet programs write "Unicode text" in UTF-16, and say so in the first two bytes.
function decoderFor(start: Buffer | undefined): TextDecoder {
  const mark = start?.subarray(0, 2).toString('hex')
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding, { fatal: true })
}

/**
 * Yields the lines of a text. Throws UnreadableFile for a line longer than `limit` characters, without reading all of
 * it.
 */
export async function* readLines(text: AsyncIterable<string>, limit: number): AsyncGenerator<Line> {
  let line = 1
  let rest = ''
  for await (const piece of text) {
    const parts = piece.split('\n')
    for (const [index, part] of parts.entries()) {
      rest += part
      if (rest.length > limit) throw new UnreadableFile(`Line ${line} is longer than ${sizeText(limit)}.`)
      if (index === parts.length - 1) continue
      yield { line, text: rest.replace(/\r$/, '') }
      line++
      rest = ''
    }
  }
  if (rest !== '') yield { line, text: rest }
}

function sizeText(bytes: number): string {
  return bytes >= MB ? `${Math.round(bytes / MB).toLocaleString('en-US')} MB` : `${bytes.toLocaleString('en-US')} bytes`
}
