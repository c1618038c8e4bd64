import pg from 'pg'

/** Runs a statement as the owner of a database, who bypasses row-level security; returns its rows. */
export async function queryAsOwner<T extends pg.QueryResultRow>(
  ownerUrl: string,
  statement: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('set row_security = off')
    return (await client.query<T>(statement, values)).rows
  } finally {
    await client.end()
  }
}
