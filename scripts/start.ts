import { ALREADY_RUNNING, alreadyRunningMessage, claimInstallation } from '../src/app/installation.ts'
import { checkPort } from '../src/app/server/check-port.ts'
import { configurationMessage, loadStartConfig } from '../src/app/startup.ts'
import { dataDirOf } from '../src/platform/config/data-dir.ts'
import { developmentSecrets } from '../src/platform/security/development-secrets.ts'
import { buildWebSeparately } from './build.ts'
import { createUsageExit, readOptions } from './command-line.ts'

const usage = `Builds what has changed, starts PostgreSQL unless DATABASE_URL names one, and serves the installation.

  npm start

Settings are environment variables; .env.example has them all.`

readOptions({}, createUsageExit(usage))

process.stdout.write('\n  Dineback\n\n')
// Runs before the build, which would replace files that a running installation serves. A folder that cannot be written, a
// wrong setting or a port in use ends the start before it, too.
try {
  const running = claimInstallation(process.env)
  if (running) {
    process.stderr.write(alreadyRunningMessage(running))
    process.exit(ALREADY_RUNNING)
  }
  const { settings } = loadStartConfig(process.env, () => developmentSecrets(dataDirOf(process.env)))
  await checkPort(settings)
} catch (error) {
  process.stderr.write(`${configurationMessage(error) ?? (error as Error).stack}\n`)
  process.exit(1)
}
await buildWebSeparately((line) => process.stdout.write(`  ${line}\n`))
await import('../src/main.ts')
