import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { DAY } from '../platform/time.ts'
import {
  assertSeesAllRows,
  type CatalogTable,
  quoted,
  readAppliedMigrations,
  readPartitions,
  readSequences,
  readTables,
} from './catalog.ts'
import {
  type BackedUpTable,
  BackupError,
  folderOf,
  type Manifest,
  manifestHashName,
  manifestName,
  secretsName,
} from './manifest.ts'
import { appendEntry, endArchive } from './tar.ts'

const compress = promisify(gzip)
const PART_BYTES = 4_000_000

/**
 * Writes every row of a database into one archive, as one consistent snapshot, while the app may be running. Throws
 * BackupError when the file exists or row-level security hides rows.
 */
export async function backUp(options: {
  /** Connection string of the database owner. */
  url: string
  file: string
  /** Fingerprints of the secrets in use, by name. */
  fingerprints: Record<string, string>
  /** The secrets to include in the archive, or null. */
  secrets: Record<string, string> | null
  log: (line: string) => void
  /** Stops the backup, which then leaves no file. */
  signal?: AbortSignal
}): Promise<Manifest> {
  const { file, signal } = options
  assertAbsent(file)
  mkdirSync(dirname(file), { recursive: true })
  removeUnfinished(dirname(file))
  const client = new pg.Client({ connectionString: options.url })
  client.on('error', () => {})
  await client.connect()
  // Ends the statement that is being executed, too.
  const stop = () => void client.end()
  signal?.addEventListener('abort', stop)
  try {
    return await makeArchive(client, options)
  } catch (error) {
    throw signal?.aborted ? new BackupError('The backup was stopped, and left no file.') : error
  } finally {
    signal?.removeEventListener('abort', stop)
    if (!signal?.aborted) await client.end()
  }
}

function assertAbsent(file: string): void {
  if (existsSync(file)) throw new BackupError(`${file} exists already; a backup is never overwritten.`)
}

/** Time without a write after which an unfinished archive counts as that of a killed process. */
const unfinishedMs = DAY

/** Removes what killed backups have left in a folder: nobody else does. One that is being made is written to all the time. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => /\.[0-9a-f]{8}\.partial$/.test(each))) {
    const path = join(folder, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs !== undefined && Date.now() - mtimeMs > unfinishedMs) rmSync(path, { force: true })
  }
}

/** Writes the archive under a name of its own, and renames it once it is complete. */
async function makeArchive(client: pg.Client, options: Parameters<typeof backUp>[0]): Promise<Manifest> {
  const { file } = options
  // Another backup to the same file may be under way.
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`
  const archive = await open(partial, 'wx', 0o600)
  try {
    const manifest = await writeArchive(client, archive, options)
    await archive.sync()
    await archive.close()
    assertAbsent(file)
    await rename(partial, file)
    return manifest
  } catch (error) {
    await archive.close().catch(() => {})
    rmSync(partial, { force: true })
    throw error
  }
}

async function writeArchive(
  client: pg.Client,
  archive: FileHandle,
  { fingerprints, secrets, log }: Parameters<typeof backUp>[0],
): Promise<Manifest> {
  await client.query('begin isolation level repeatable read read only')
  await client.query(portableText)
  const migrations = await readAppliedMigrations(client)
  if (migrations.length === 0) throw new BackupError('This database contains no installation.')
  await assertSeesAllRows(client)
  const catalog = await readTables(client)
  await client.query(`lock table ${catalog.map(quoted).join(', ')} in access share mode`)
  const tables: BackedUpTable[] = []
  for (const table of catalog) {
    const written = await writeTable(client, archive, table)
    if (written.rows > 0) log(`${table.schema}.${table.name}: ${written.rows} rows`)
    tables.push(written)
  }
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  const manifest: Manifest = {
    format: 'dineback-backup',
    version: 1,
    createdAt: new Date().toISOString(),
    postgres: rows[0]?.server_version ?? '',
    migrations,
    tables,
    partitions: await readPartitions(client),
    sequences: await readSequences(client),
    fingerprints,
  }
  await client.query('commit')
  if (secrets) await appendEntry(archive, { name: secretsName, data: Buffer.from(JSON.stringify(secrets, null, 2)) })
  const data = Buffer.from(JSON.stringify(manifest, null, 2))
  await appendEntry(archive, { name: manifestName, data })
  await appendEntry(archive, {
    name: manifestHashName,
    data: Buffer.from(createHash('sha256').update(data).digest('hex')),
  })
  await endArchive(archive)
  return manifest
}

/** Settings that make the text form of values identical on every server. */
export const portableText = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 3; set local bytea_output = 'hex'; set local client_encoding = 'UTF8'; set local row_security = on;
  set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0`

async function writeTable(client: pg.Client, archive: FileHandle, table: CatalogTable): Promise<BackedUpTable> {
  const { schema, name, columns } = table
  const list = columns.map(pg.escapeIdentifier).join(', ')
  const stream = client.query(copyTo(`copy (select ${list} from ${quoted(table)}) to stdout`))
  const hash = createHash('sha256')
  let bytes = 0
  let part = 0
  let waiting: Buffer[] = []
  let size = 0
  const writePart = async () => {
    const data = await compress(Buffer.concat(waiting))
    part++
    await appendEntry(archive, { name: `${folderOf(table)}${String(part).padStart(6, '0')}.copy.gz`, data })
    waiting = []
    size = 0
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
    size += chunk.length
    waiting.push(chunk)
    if (size >= PART_BYTES) await writePart()
  }
  if (size > 0) await writePart()
  return { schema, name, columns, rows: stream.rowCount, bytes, sha256: hash.digest('hex') }
}
