import { join } from 'node:path'
import { fingerprintsOf, readCurrentSecrets } from '../src/app/backup-secrets.ts'
import { backUp } from '../src/backup/back-up.ts'
import { createUsageExit, readArguments } from './command-line.ts'
import { withOwner } from './with-owner.ts'

const usage = `Writes everything in the database into one archive, as of one moment. The app may go on working.

  npm run backup -- [FILE] [--with-secrets]

Without FILE it is made in backups/, named by the time. --with-secrets puts APP_SECRET and the other secrets into it:
who has such an archive has the keys of the installation. See docs/operations.md.`

const stop: (problem: string) => never = createUsageExit(usage)

const flag = { type: 'boolean', default: false } as const
const { values, positionals } = readArguments({ 'with-secrets': flag }, stop)
if (positionals.length > 1) stop('Only one FILE can be written.')
const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
const file = positionals[0] ?? join('backups', `dineback-${time}.tar`)
await withOwner(async ({ url, dataDir }) => {
  const secrets = readCurrentSecrets(process.env, dataDir)
  const { tables } = await backUp({
    url,
    file,
    fingerprints: fingerprintsOf(secrets),
    secrets: values['with-secrets'] ? secrets : null,
    log: (line) => process.stdout.write(`  ${line}\n`),
  })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  process.stdout.write(`${file} holds ${rows} rows of ${tables.length} tables.\n`)
  if (!values['with-secrets']) {
    process.stdout.write(
      'Secrets are not in it. Keep them elsewhere: without VAULT_SECRET the key of the vault is lost.\n',
    )
  }
})
