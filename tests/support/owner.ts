import pg from 'pg'

const pools = new Map<string, pg.Pool>()

/** Runs a statement as the owner of a database, who bypasses row-level security; returns its rows. */
export async function queryAsOwner<T extends pg.QueryResultRow>(
  ownerUrl: string,
  statement: string,
  values: unknown[] = [],
): Promise<T[]> {
  return (await poolOf(ownerUrl).query<T>(statement, values)).rows
}

/** Ends the connections that `queryAsOwner` keeps open for its next statement. */
export async function closeOwner(ownerUrl: string): Promise<void> {
  const pool = pools.get(ownerUrl)
  pools.delete(ownerUrl)
  await pool?.end()
}

// A new connection takes as much work as a hundred statements.
function poolOf(ownerUrl: string): pg.Pool {
  const known = pools.get(ownerUrl)
  if (known) return known
  const pool = openTestPool({
    connectionString: ownerUrl,
    // Rows are read and aged by UTC, also on a server of another time zone.
    options: '-c row_security=off -c timezone=UTC',
    idleTimeoutMillis: 5_000,
    allowExitOnIdle: true,
  })
  pools.set(ownerUrl, pool)
  return pool
}

/**
 * Opens a pool whose connections may end at any time: the server of a test may be killed, and a database is dropped
 * while the last connections of an ended pool are still closing. Without a listener each such end is an uncaught error.
 */
export function openTestPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
