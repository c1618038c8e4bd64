import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { BackupError, folderOf, Manifest, manifestHashName, manifestName, secretsName } from './manifest.ts'
import { readEntries } from './tar.ts'

const expand = promisify(gunzip)

export interface Archive {
  manifest: Manifest
  /** The secrets in the archive, or null. */
  secrets: Record<string, string> | null
}

/** Reads a whole archive and compares it with its manifest. Throws BackupError when anything is missing or changed. */
export async function checkArchive(path: string): Promise<Archive> {
  return withArchive(path, async (file) => {
    const found = new Map<string, { rows: number; bytes: number; hash: Hash }>()
    let manifest: Manifest | null = null
    let manifestHash = ''
    let statedHash: string | null = null
    let secrets: Record<string, string> | null = null
    for await (const { name, data } of readEntries(file)) {
      if (name === manifestName) {
        manifest = parseManifest(data)
        manifestHash = createHash('sha256').update(data).digest('hex')
      } else if (name === manifestHashName) statedHash = data.toString('utf8')
      else if (name === secretsName) secrets = JSON.parse(data.toString('utf8'))
      else {
        const folder = name.slice(0, name.lastIndexOf('/') + 1)
        const table = found.get(folder) ?? { rows: 0, bytes: 0, hash: createHash('sha256') }
        const text = await expand(data)
        table.hash.update(text)
        table.bytes += text.length
        // COPY writes each row as one line; line breaks within values are escaped.
        for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) table.rows++
        found.set(folder, table)
      }
    }
    if (!manifest || statedHash === null) throw new RangeError('it has no manifest')
    if (statedHash !== manifestHash) throw new RangeError('its manifest was changed')
    for (const table of manifest.tables) {
      const { rows, bytes, hash } = found.get(folderOf(table)) ?? { rows: 0, bytes: 0, hash: createHash('sha256') }
      found.delete(folderOf(table))
      if (rows !== table.rows || bytes !== table.bytes || hash.digest('hex') !== table.sha256) {
        throw new RangeError(`${table.schema}.${table.name} differs from the manifest`)
      }
    }
    if (found.size > 0) throw new RangeError(`${[...found.keys()].join(', ')} is not in the manifest`)
    return { manifest, secrets }
  })
}

/** Reads the rows of every table in archive order, as COPY text. */
export async function readRows(
  path: string,
  manifest: Manifest,
  load: (table: Manifest['tables'][number], text: AsyncGenerator<Buffer>) => Promise<void>,
): Promise<void> {
  await withArchive(path, async (file) => {
    const entries = readEntries(file)
    let entry = await entries.next()
    for (const table of manifest.tables) {
      async function* rowsOfTable(): AsyncGenerator<Buffer> {
        while (!entry.done && entry.value.name.startsWith(folderOf(table))) {
          yield await expand(entry.value.data)
          entry = await entries.next()
        }
      }
      await load(table, rowsOfTable())
    }
  })
}

async function withArchive<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'r').catch((error) => {
    throw new BackupError(`${path} cannot be read (${error.code ?? error.message}).`)
  })
  try {
    return await work(file)
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    const isDamaged = error instanceof RangeError || error instanceof SyntaxError || code.startsWith('Z_')
    throw isDamaged ? new BackupError(`${path} is not a complete backup: ${message}.`) : error
  } finally {
    await file.close()
  }
}

function parseManifest(data: Buffer): Manifest {
  const parsed = Manifest.safeParse(JSON.parse(data.toString('utf8')))
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')
  throw new RangeError(`its manifest is of another version or damaged (${fields})`)
}
