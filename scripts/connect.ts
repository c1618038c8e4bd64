import { join } from 'node:path'
import { openDatabase } from '../src/app/database.ts'
import { dataDirOf } from '../src/platform/config/data-dir.ts'
import { readSettings, SettingsError } from '../src/platform/config/settings.ts'
import { developmentSecrets } from '../src/platform/security/development-secrets.ts'

/** Opens the installation's database for a command, with or without a running app. */
export async function connect() {
  const settings = (() => {
    try {
      return readSettings(process.env, () => developmentSecrets(dataDirOf(process.env)))
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      process.stderr.write(`${error.message}\n`)
      return process.exit(1)
    }
  })()
  const database = await openDatabase(settings, {
    log: () => {},
    onError: (error) => process.stderr.write(`${error.message}\n`),
  })
  return {
    settings,
    pools: database.pools,
    formsUrl: database.formsUrl,
    consolePools: database.consolePools,
    jobsUrl: database.jobsUrl,
    postgresDir: join(settings.DATA_DIR, 'postgres'),
    close: () => database.stop(),
  }
}
