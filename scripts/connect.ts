import { join } from 'node:path'
import { openDatabase } from '../src/app/database.ts'
import { developmentSecrets } from '../src/kit/server/development-secrets.ts'
import { readSettings } from '../src/kit/server/settings.ts'

/** Opens the installation's database for a command, beside a running app or without one. */
export async function connect() {
  const settings = readSettings(process.env, () => developmentSecrets(process.env.DATA_DIR ?? '.data'))
  const database = await openDatabase(settings, {
    log: () => {},
    onError: (error) => process.stderr.write(`${error.message}\n`),
  })
  return {
    settings,
    pools: database.pools,
    formsUrl: database.formsUrl,
    consolePools: database.consolePools,
    postgresDir: join(settings.DATA_DIR, 'postgres'),
    close: () => database.leave(),
  }
}
