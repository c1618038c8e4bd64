import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError } from '../src/backup/manifest.ts'
import { startPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { dataDirOf } from '../src/platform/config/data-dir.ts'
import { MigrationError } from '../src/platform/database/migrate.ts'

/**
 * Runs work as the owner of the installation's database, without applying migrations or creating secrets. An error is
 * printed in one line, and the command exits with 1.
 */
export async function withOwner(work: (owner: { url: string; dataDir: string }) => Promise<void>): Promise<void> {
  const dataDir = dataDirOf(process.env)
  const given = process.env.DATABASE_URL
  if (!given) mkdirSync(dataDir, { recursive: true })
  const log = (line: string) => process.stdout.write(`  ${line}\n`)
  const embedded = given ? null : await startPostgres({ dataDir: join(dataDir, 'postgres'), log })
  try {
    await work({ url: given || (embedded as { url: string }).url, dataDir })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const isReadable = error instanceof BackupError || error instanceof MigrationError || code !== undefined
    if (!isReadable) throw error
    process.stderr.write(`${message}\n`)
    process.exitCode = 1
  } finally {
    await embedded?.stop()
  }
}
