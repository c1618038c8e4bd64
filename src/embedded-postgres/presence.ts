import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

// Advisory locks are per database; every process takes this one in the database `postgres`.
const lock = 7_341_220_116
const attempts = 5

/** Marks this process as a user of a server while its connection is open. */
export interface Presence {
  /** Ends the presence. Returns whether another process is present. Call it while holding the start lock. */
  leave(): Promise<boolean>
}

/**
 * Takes the shared lock that every process using an embedded server holds. PostgreSQL releases it when the process
 * ends, even after a crash. `onLost` is called when the connection is lost. Call it while holding the start lock.
 */
export async function registerPresence(url: string, onLost: () => void): Promise<Presence> {
  const client = newClient(url)
  let left = false
  let lost = false
  client.on('end', () => {
    lost = true
    if (!left) onLost()
  })
  await client.connect()
  await client.query('select pg_advisory_lock_shared($1)', [lock])
  // The connection must not prevent an otherwise idle process from exiting. The published types lack this method.
  const { connection } = client as unknown as { connection: { ref(): void; unref(): void } }
  connection.unref()
  return {
    async leave() {
      left = true
      // Waits for the end of the connection, even in an otherwise idle process.
      connection.ref()
      if (!lost) await client.end().catch(() => {})
      return isUsed(url)
    },
  }
}

/**
 * Returns whether any process uses a server. Call it while holding the start lock, so that none can enter meanwhile.
 */
export async function isUsed(url: string): Promise<boolean> {
  const client = newClient(url)
  try {
    await client.connect()
    // The connection of a process killed just now takes a moment to end.
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [lock])
      if (rows[0]?.free) return false
      await wait(20)
    }
    return true
  } catch (error) {
    // "Too many connections" means that the server is in use. An unreachable server has no connections.
    return (error as { code?: string }).code === '53300'
  } finally {
    await client.end().catch(() => {})
  }
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'dineback presence',
    keepAlive: true,
    connectionTimeoutMillis: 8_000,
  })
  client.on('error', () => {})
  return client
}
