import { ALREADY_RUNNING, alreadyRunningMessage, claimInstallation } from '../src/app/installation.ts'
import { buildWebSeparately } from './build.ts'
import { createUsageExit, readOptions } from './command-line.ts'

const usage = `Builds what has changed, starts PostgreSQL unless DATABASE_URL names one, and serves the installation.

  npm start

Settings are environment variables; .env.example has them all.`

readOptions({}, createUsageExit(usage))

process.stdout.write('\n  Dineback\n\n')
// Runs before the build, which would replace files that a running installation serves.
const running = claimInstallation(process.env)
if (running) {
  process.stderr.write(alreadyRunningMessage(running))
  process.exit(ALREADY_RUNNING)
}
await buildWebSeparately((line) => process.stdout.write(`  ${line}\n`))
await import('../src/main.ts')
