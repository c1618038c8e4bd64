import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type EmbeddedPostgres,
  isPostgresUsed,
  removePostgres,
  startPostgres,
} from '../../src/embedded-postgres/embedded-postgres.ts'
import { withStartLock } from '../../src/embedded-postgres/start-lock.ts'
import { memoryFolder } from './memory-folder.ts'

// Runs of one folder share a server. The folder of its data may be removed while another run waits, this one never is.
const folder = '.data-test'

/**
 * Starts PostgreSQL for tests of this folder, or uses the running one. Its data is in memory where there is enough, and
 * removed with the last user; `durable` data is on the disk and remains.
 */
export async function startTestPostgres({ durable }: { durable: boolean }): Promise<EmbeddedPostgres> {
  mkdirSync(folder, { recursive: true })
  const memory = durable ? null : memoryHome()
  const server = await withStartLock(folder, () =>
    startPostgres({ dataDir: memory ?? join(folder, 'postgres'), log: (line) => process.stdout.write(`   ${line}\n`) }),
  )
  return {
    ...server,
    stop: () =>
      withStartLock(folder, async () => {
        await server.stop()
        if (memory === null || (await isPostgresUsed(memory))) return
        await removePostgres(memory)
        rmSync(memory, { recursive: true, force: true })
      }),
  }
}

function memoryHome(): string | null {
  const memory = memoryFolder()
  if (memory === null) return null
  return join(memory, `postgres-${createHash('sha256').update(realpathSync('.')).digest('hex').slice(0, 12)}`)
}
