import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { startPostgres } from '../../src/kit/server/embedded-postgres.ts'

/** The server that tests make their databases on: a given one, else an embedded one of their own. */
export async function keepPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  const log = (line: string) => process.stdout.write(`   ${line}\n`)
  const { url, reused, stop } = await startPostgres({ dataDir: '.data-test/postgres', log })
  return { url, stop: reused ? async () => {} : stop }
}

/** An empty database that nobody else has; `drop` takes it and its logins away. */
export async function temporaryDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { url: serverUrl } = await keepPostgres()
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await onServer(serverUrl, `drop database if exists ${name} with (force)`)
      for (const role of ['app', 'vault']) await onServer(serverUrl, `drop role if exists ${name}_${role}`)
    },
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
