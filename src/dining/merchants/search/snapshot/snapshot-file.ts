import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { ReservationProviders } from '../../names.ts'
import { buildIndex } from '../build-index.ts'
import type { Column, Columns } from '../segment/columns.ts'
import { RowPacker } from '../segment/packed-rows.ts'
import { sampleRow } from './sample-row.ts'

// A file is: a line of JSON that describes the columns, then the columns one after the other.

interface Header {
  /** Identifies the code and the reservation providers with which the columns were built. */
  format: string
  version: number
  columns: { name: string; type: keyof typeof types; bytes: number; crc: number }[]
}

const types = { Uint8Array, Uint16Array, Uint32Array, Float64Array, BigInt64Array }
const maxHeaderBytes = 64 * 1024
/** Bytes whose checksum takes a few milliseconds. */
const bytesPerTurn = 16e6

/** The columns of an index, and of the rows that it was built from, at a version of the merchants. */
export interface Snapshot {
  version: number
  columns: Columns
  /** The ids of all known merchants, ascending, and the stamp of each. */
  knownIds: Float64Array
  stamps: BigInt64Array
}

/** Writes a snapshot under another name and renames it, so that readers see the old file or the new one. */
export async function writeSnapshot(
  path: string,
  { version, columns, knownIds, stamps }: Snapshot,
  connected: ReservationProviders,
): Promise<void> {
  const named: [string, Column | BigInt64Array][] = [
    ...Object.entries(columns),
    ['knownIds', knownIds],
    ['stamps', stamps],
  ]
  const described: Header['columns'] = []
  for (const [name, values] of named) {
    const type = values.constructor.name as keyof typeof types
    described.push({ name, type, bytes: values.byteLength, crc: await checksumOf(bytesOf(values)) })
  }
  const header: Header = { format: formatOf(connected), version, columns: described }
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(header)}\n`)
      for (const [, values] of named) await file.writeFile(bytesOf(values))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Returns the snapshot of a file; null when there is none, it is damaged, or it was written by other code or with other providers. */
export async function readSnapshot(path: string, connected: ReservationProviders): Promise<Snapshot | null> {
  const file = await open(path, 'r').catch(() => null)
  if (!file) return null
  try {
    const start = Buffer.alloc(maxHeaderBytes)
    const { bytesRead } = await file.read(start, 0, maxHeaderBytes, 0)
    const headerBytes = start.subarray(0, bytesRead).indexOf('\n')
    const header: Header = JSON.parse(start.toString('utf8', 0, headerBytes))
    if (header.format !== formatOf(connected)) return null
    const columns: Record<string, unknown> = {}
    let position = headerBytes + 1
    for (const { name, type, bytes, crc } of header.columns) {
      const content = new Uint8Array(bytes)
      for (let done = 0; done < bytes; ) {
        const part = await file.read(content, done, bytes - done, position + done)
        if (part.bytesRead === 0) return null
        done += part.bytesRead
      }
      if (crc32(content) !== crc) return null
      const Type = types[type]
      columns[name] = new Type(content.buffer, 0, bytes / Type.BYTES_PER_ELEMENT)
      position += bytes
    }
    const { knownIds, stamps, ...others } = columns
    return {
      version: header.version,
      columns: others as Columns,
      knownIds: knownIds as Float64Array,
      stamps: stamps as BigInt64Array,
    }
  } catch {
    return null
  } finally {
    await file.close()
  }
}

/** Returns the checksum of bytes; searches that wait have their turns. */
async function checksumOf(bytes: Uint8Array): Promise<number> {
  let crc = 0
  for (let from = 0; from < bytes.length; from += bytesPerTurn) {
    crc = crc32(bytes.subarray(from, from + bytesPerTurn), crc)
    await setImmediate()
  }
  return crc
}

function bytesOf({ buffer, byteOffset, byteLength }: Column | BigInt64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

let sampleChecksum: string | undefined

function formatOf(connected: ReservationProviders): string {
  return [checksumOfSample(), ...[...connected].sort()].join(' ')
}

/** Returns a checksum of the index of a sample, which differs when the code that builds indexes has changed. */
function checksumOfSample(): string {
  if (sampleChecksum !== undefined) return sampleChecksum
  const packer = new RowPacker()
  packer.add(sampleRow)
  const columns = Object.entries(buildIndex(packer.finish(), []))
  const crc = columns.reduce((sum, [name, values]) => crc32(bytesOf(values), crc32(name, sum)), 0)
  sampleChecksum = crc.toString(16)
  return sampleChecksum
}
