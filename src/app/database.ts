import { join } from 'node:path'
import { startPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { deriveKey, type Settings } from '../platform/config/settings.ts'
import { createPools, type Pools } from '../platform/database/db.ts'
import { assertLogin, type ExistingLogins, ensureLogins, type LoginRequest } from '../platform/database/logins.ts'
import { migrate } from '../platform/database/migrate.ts'
import { poolSizes } from '../platform/database/pool-use.ts'

export interface Database {
  pools: Pools
  /** Login of the vault's role, which sees only the vault's tables. */
  vaultUrl: string
  /** Login of the form service's role. */
  formsUrl: string
  /** Connections of the console's role. */
  consolePools: Pools
  /** Login of the app's role, for the job queue's own connections. */
  jobsUrl: string
  ownerUrl: string
  /** Closes our connections and stops an embedded PostgreSQL that no other process uses. */
  stop(): Promise<void>
}

/** Folder of the installation's migrations. */
export const migrationsDirectory = join(import.meta.dirname, '../../db/migrations')

/**
 * Starts or finds PostgreSQL, applies migrations and opens the pools. `log` receives a line per step. With `keep`, as for
 * commands, existing logins stay unchanged, and a password that the database rejects is a LoginError.
 */
export async function openDatabase(
  settings: Settings,
  options: { log: (line: string) => void; onError: (error: Error) => void; existingLogins?: ExistingLogins },
): Promise<Database> {
  const { log, onError, existingLogins = 'update' } = options
  const embedded = settings.DATABASE_URL
    ? null
    : await startPostgres({ dataDir: join(settings.DATA_DIR, 'postgres'), log, supervised: true })
  const ownerUrl = settings.DATABASE_URL ?? (embedded as { url: string }).url
  try {
    const { applied } = await migrate({ url: ownerUrl, directory: migrationsDirectory, log })
    log(applied.length > 0 ? `database: ${applied.length} migrations applied` : 'database: schema is up to date')
    const login = (group: LoginRequest['group'], secret: string): LoginRequest => ({
      group,
      password: deriveKey(secret, `login:${group.replace('dineback_', '')}`).toString('hex'),
    })
    const requests = [
      login('dineback_app', settings.APP_SECRET),
      login('dineback_vault', settings.VAULT_SECRET),
      login('dineback_forms', settings.APP_SECRET),
      login('dineback_console', settings.APP_SECRET),
    ]
    const logins = await ensureLogins(ownerUrl, requests, existingLogins)
    const [appUrl, vaultUrl, formsUrl, consoleUrl] = logins as [string, string, string, string]
    if (existingLogins === 'keep') await assertLogin(appUrl)
    const pooled = (url: string) => throughPooler(url, settings.DATABASE_POOLER)
    const consolePools = createPools({
      url: consoleUrl,
      poolUrl: pooled(consoleUrl),
      max: poolSizes.console,
      name: 'console',
      onError,
    })
    const pools = createPools({ url: appUrl, poolUrl: pooled(appUrl), max: settings.DATABASE_POOL_SIZE, onError })
    return {
      pools,
      vaultUrl: pooled(vaultUrl),
      formsUrl: pooled(formsUrl),
      consolePools,
      jobsUrl: pooled(appUrl),
      ownerUrl,
      async stop() {
        await Promise.all([pools.close(), consolePools.close()])
        await embedded?.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

/** Returns the connection string with the host of the transaction pooler, if configured. */
export function throughPooler(url: string, pooler: string | undefined): string {
  if (pooler === undefined) return url
  const { host } = new URL(`postgres://${pooler}`)
  return Object.assign(new URL(url), { host }).href
}
