import pg from 'pg'

export interface LoginRequest {
  /** The group role whose rights the login inherits. */
  group: 'dineback_app' | 'dineback_vault' | 'dineback_forms' | 'dineback_console'
  /** Hex or base64 text; stored only in the database. */
  password: string
}

/** The roles or rights of the logins are missing in a database; the message is for the operator. */
export class RolesError extends Error {}

/** The database rejects a login of the installation; the message is for the operator. */
export class LoginError extends Error {}

/**
 * What happens to logins that exist. The server sets their passwords, so that a changed secret takes effect with its
 * restart. A command leaves them as they are: with other secrets, it would lock out the running server.
 */
export type ExistingLogins = 'update' | 'keep'

/**
 * Groups whose rights the logins of another group have, too: operators do in the console what the modules' own functions
 * do, in one transaction with the entry of the audit log. Granted to logins, because a restored database keeps no
 * memberships.
 */
const alsoIn: Partial<Record<LoginRequest['group'], string>> = { dineback_console: 'dineback_app' }

const groups = ['dineback_app', 'dineback_vault', 'dineback_forms', 'dineback_console', 'dineback_backup']

/**
 * Throws RolesError when a migrated database lacks its roles or their rights. This happens after a dump is restored on
 * a server without these roles.
 */
export const assertRoles = (ownerUrl: string): Promise<void> => withOwner(ownerUrl, checkRoles)

/**
 * Creates the logins of group roles for this database (`<database>_app`), or updates existing ones, and returns their
 * connection strings. Their sessions use UTC. Logins belong to the server, so a login's name contains the database's
 * name. Throws RolesError as `assertRoles`.
 */
export async function ensureLogins(
  ownerUrl: string,
  requests: readonly LoginRequest[],
  existing: ExistingLogins = 'update',
): Promise<string[]> {
  const database = decodeURIComponent(new URL(ownerUrl).pathname.slice(1))
  const nameOf = (group: string) => `${database}_${group.replace('dineback_', '')}`
  // One connection: each takes the server longer than all of these statements.
  await withOwner(ownerUrl, async (client) => {
    await checkRoles(client)
    for (const { group, password } of requests)
      await retryConcurrent(() => createLogin(client, { login: nameOf(group), group, password, existing }))
  })
  return requests.map(({ group, password }) => {
    const url = new URL(ownerUrl)
    url.username = encodeURIComponent(nameOf(group))
    url.password = encodeURIComponent(password)
    return url.href
  })
}

/** Does the same for one login. */
export async function ensureLogin(ownerUrl: string, request: LoginRequest): Promise<string> {
  const [url] = await ensureLogins(ownerUrl, [request])
  return url as string
}

/** Opens one connection with a login. Throws LoginError when the database rejects its password. */
export async function assertLogin(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 8_000 })
  try {
    await client.connect()
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '28P01') throw error
    throw new LoginError(
      `The database rejects the login ${decodeURIComponent(new URL(url).username)}: APP_SECRET is not the one that the app was started with.`,
      { cause: error },
    )
  } finally {
    await client.end()
  }
}

async function withOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function checkRoles(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) name left join pg_roles on rolname = name
     where not exists (select from pg_class, aclexplode(relacl) acl where acl.grantee = pg_roles.oid)`,
    [groups],
  )
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name).join(', ')
  throw new RolesError(
    `Cannot start: ${names} did not exist when this database was restored, so the app has no rights in it. Create the roles and restore again; docs/operations.md says how.`,
  )
}

async function createLogin(
  client: pg.Client,
  { login, group, password, existing }: LoginRequest & { login: string; existing: ExistingLogins },
): Promise<void> {
  const name = client.escapeIdentifier(login)
  const exists = await client.query('select from pg_roles where rolname = $1', [login])
  if (exists.rowCount === 1 && existing === 'keep') return
  if (exists.rowCount === 0) await client.query(`create role ${name} login nobypassrls in role ${group}`)
  await client.query(`alter role ${name} login password ${client.escapeLiteral(password)}`)
  const also = alsoIn[group]
  if (also) {
    const { rows } = await client.query<{ has: boolean }>(`select pg_has_role($1, $2, 'member') as has`, [login, also])
    if (!rows[0]?.has) await client.query(`grant ${also} to ${name}`)
  }
  // Days and months are those of UTC, also on a server of another time zone.
  await client.query(`alter role ${name} set timezone to 'UTC'`)
  const { rows } = await client.query<{ database: string; may_connect: boolean }>(
    `select current_database() as database, has_database_privilege($1, current_database(), 'connect') as may_connect`,
    [login],
  )
  const { database = '', may_connect = false } = rows[0] ?? {}
  if (!may_connect) await client.query(`grant connect on database ${client.escapeIdentifier(database)} to ${name}`)
}

// Roles are shared by all databases of a server, and PostgreSQL does not queue concurrent changes of roles.
async function retryConcurrent(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      const concurrent = code === '23505' || code === '42710' || message.includes('concurrently')
      if (!concurrent || attempt >= 10) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt))
    }
  }
}
