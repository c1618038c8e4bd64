import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { runAs } from '../../src/embedded-postgres/run-as.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { freePort } from '../support/free-port.ts'

// The embedded server is of a newer version, and takes what the oldest supported one rejects.
const programs = ['/usr/lib/postgresql/15/bin', '/usr/pgsql-15/bin', '/opt/homebrew/opt/postgresql@15/bin'].find(
  (folder) => existsSync(join(folder, 'initdb')),
)

test.runIf(programs)('all migrations apply to PostgreSQL 15 (Debian: postgresql-15)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dineback-oldest-'))
  // PostgreSQL refuses to run as root.
  const user = runAs(folder)
  if (user) chownSync(folder, user.uid, user.gid)
  const options: SpawnSyncOptions = { ...user, cwd: folder, stdio: 'ignore' }
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-U', 'dineback', '-A', 'trust', '--no-sync', '--locale=C', '--encoding=UTF8']
  expect(spawnSync(join(programs ?? '', 'initdb'), initdb, options).status).toBe(0)
  const port = await freePort()
  const server = spawn(
    join(programs ?? '', 'postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'fsync=off'],
    options,
  )
  const ended = new Promise<void>((done) => server.once('exit', () => done()))
  const endWithTests = () => server.kill('SIGKILL')
  process.once('exit', endWithTests)
  try {
    const url = `postgres://dineback@127.0.0.1:${port}/postgres`
    const client = new pg.Client({ connectionString: url })
    await vi.waitFor(async () => {
      const attempt = new pg.Client({ connectionString: url })
      await attempt.connect()
      await attempt.end()
    }, 20_000)
    await client.connect()
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version")
    expect(rows[0]?.version).toMatch(/^15/)
    await client.end()
    const { applied } = await migrate({ url, directory: 'db/migrations', log: () => {} })
    expect(applied.length).toBeGreaterThan(60)
  } finally {
    process.off('exit', endWithTests)
    server.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
})
