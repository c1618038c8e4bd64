import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { removePostgres, startPostgres } from '../../src/embedded-postgres/embedded-postgres.ts'

/** Starts a PostgreSQL server for a test, without any of the app's roles, with an owner who is not a superuser. */
export async function startFreshServer() {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'dineback-server-'))
  // When run as root, PostgreSQL runs as another user, who needs access.
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'postgres')
  const { url } = await startPostgres({ dataDir, log: () => {} })
  await onServer(url, "create role keeper login createrole password 'for-this-test'")
  let databases = 0
  return {
    /** Creates an empty database; returns the connection strings of its owner and of the superuser. */
    async addDatabase(): Promise<{ owner: string; superuser: string }> {
      databases++
      const name = `installation_${databases}`
      await onServer(url, `create database ${name} owner keeper`)
      const [owner, superuser] = [new URL(url), new URL(url)]
      Object.assign(owner, { username: 'keeper', password: 'for-this-test', pathname: `/${name}` })
      superuser.pathname = `/${name}`
      return { owner: owner.href, superuser: superuser.href }
    },
    async stop() {
      await removePostgres(dataDir)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a statement and returns the rows, each as an array. */
export async function onServer(url: string, statement: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}
