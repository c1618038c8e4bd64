import { join } from 'node:path'
import { createPools, type Pools } from '../kit/server/db.ts'
import { startPostgres } from '../kit/server/embedded-postgres.ts'
import { ensureLogin } from '../kit/server/logins.ts'
import { migrate } from '../kit/server/migrate.ts'
import { deriveKey, type Settings } from '../kit/server/settings.ts'

export interface Database {
  pools: Pools
  /** Login of the vault's role, which sees the vault's tables only. */
  vaultUrl: string
  /** Login of the form service's role. */
  formsUrl: string
  /** Connections of the console's role. */
  consolePools: Pools
  ownerUrl: string
  /** Closes our connections and stops an embedded PostgreSQL. */
  stop(): Promise<void>
  /** The same for a command: a PostgreSQL that was running already goes on. */
  leave(): Promise<void>
}

const migrations = new URL('../../db/migrations', import.meta.url).pathname

/** Starts or finds PostgreSQL, brings the schema up to date and opens the pools. `log` gets a line per step. */
export async function openDatabase(
  settings: Settings,
  { log, onError }: { log: (line: string) => void; onError: (error: Error) => void },
): Promise<Database> {
  const embedded = settings.DATABASE_URL
    ? null
    : await startPostgres({ dataDir: join(settings.DATA_DIR, 'postgres'), log })
  const ownerUrl = settings.DATABASE_URL ?? (embedded as { url: string }).url
  try {
    const { applied } = await migrate({ url: ownerUrl, directory: migrations, log })
    log(applied.length > 0 ? `database: ${applied.length} migrations applied` : 'database: schema is up to date')
    const passwordFor = (group: string, secret: string) => deriveKey(secret, `login:${group}`).toString('hex')
    const appUrl = await ensureLogin(ownerUrl, {
      group: 'dineback_app',
      password: passwordFor('app', settings.APP_SECRET),
    })
    const vaultUrl = await ensureLogin(ownerUrl, {
      group: 'dineback_vault',
      password: passwordFor('vault', settings.VAULT_SECRET),
    })
    const formsUrl = await ensureLogin(ownerUrl, {
      group: 'dineback_forms',
      password: passwordFor('forms', settings.APP_SECRET),
    })
    const consoleUrl = await ensureLogin(ownerUrl, {
      group: 'dineback_console',
      password: passwordFor('console', settings.APP_SECRET),
    })
    const consolePools = createPools({ url: consoleUrl, max: 3, onError })
    const pools = createPools({ url: appUrl, onError })
    return {
      pools,
      vaultUrl,
      formsUrl,
      consolePools,
      ownerUrl,
      async stop() {
        await Promise.all([pools.close(), consolePools.close()])
        await embedded?.stop()
      },
      async leave() {
        await Promise.all([pools.close(), consolePools.close()])
        if (embedded && !embedded.reused) await embedded.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}
