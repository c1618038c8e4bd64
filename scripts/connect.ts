import { join } from 'node:path'
import { openDatabase } from '../src/app/database.ts'
import { configurationMessage } from '../src/app/startup.ts'
import { dataDirOf } from '../src/platform/config/data-dir.ts'
import { readSettings, SettingsError } from '../src/platform/config/settings.ts'
import { developmentSecrets } from '../src/platform/security/development-secrets.ts'

/**
 * Opens the installation's database for a command, with or without a running app. What an administrator can correct, such
 * as a wrong secret, ends the command with one line.
 */
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
    existingLogins: 'keep',
  }).catch((error) => {
    const message = configurationMessage(error)
    if (message === null) throw error
    process.stderr.write(`${message}\n`)
    return process.exit(1)
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
