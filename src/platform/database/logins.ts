import pg from 'pg'

export interface LoginRequest {
  /** The group role whose rights the login inherits. */
  group: 'dineback_app' | 'dineback_vault' | 'dineback_forms' | 'dineback_console'
  /** Hex or base64 text; stored only in the database. */
  password: string
}

/** The roles or rights of the logins are missing in a database; the message is for the operator. */
export class RolesError extends Error {}

const groups = ['dineback_app', 'dineback_vault', 'dineback_forms', 'dineback_console', 'dineback_backup']

/**
 * Throws RolesError when a migrated database lacks its roles or their rights. This happens after a dump is restored on
 * a server without these roles.
 */
export async function assertRoles(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select name from unnest($1::text[]) name where not exists (select from pg_roles where rolname = name)
         or not exists (select from information_schema.table_privileges where grantee = name)`,
      [groups],
    )
    if (rows.length === 0) return
    const names = rows.map(({ name }) => name).join(', ')
    throw new RolesError(
      `Cannot start: ${names} did not exist when this database was restored, so the app has no rights in it. Create the roles and restore again; docs/operations.md says how.`,
    )
  } finally {
    await client.end()
  }
}

/**
 * Creates or updates the login of a group role for this database (`<database>_app`) and returns its connection string.
 * Logins belong to the server, so the login's name contains the database's name.
 */
export async function ensureLogin(ownerUrl: string, { group, password }: LoginRequest): Promise<string> {
  const url = new URL(ownerUrl)
  const login = `${decodeURIComponent(url.pathname.slice(1))}_${group.replace('dineback_', '')}`
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await retryConcurrent(() => createLogin(client, login, group, password))
  } finally {
    await client.end()
  }
  url.username = encodeURIComponent(login)
  url.password = encodeURIComponent(password)
  return url.href
}

async function createLogin(client: pg.Client, login: string, group: string, password: string): Promise<void> {
  const name = client.escapeIdentifier(login)
  const exists = await client.query('select from pg_roles where rolname = $1', [login])
  if (exists.rowCount === 0) await client.query(`create role ${name} login nobypassrls in role ${group}`)
  await client.query(`alter role ${name} login password ${client.escapeLiteral(password)}`)
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
