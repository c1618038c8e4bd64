import { join } from 'node:path'
import { assertAllSecrets, fingerprintsOf, readCurrentSecrets } from '../src/app/backup-secrets.ts'
import { backUp } from '../src/backup/back-up.ts'
import { createUsageExit, readArguments } from './command-line.ts'
import { withOwner } from './with-owner.ts'

const usage = `Writes all data of the database into one archive, as a consistent snapshot. The app may be running.

  npm run backup -- [FILE] [--with-secrets | --without-fingerprints]

Without FILE it is created in backups/, named by the time. --with-secrets includes APP_SECRET and the other secrets:
such an archive gives access to the whole installation. --without-fingerprints makes a backup where the secrets are not
set: its restore cannot notice that it uses other secrets. See docs/operations.md.`

const stop: (problem: string) => never = createUsageExit(usage)

const flag = { type: 'boolean', default: false } as const
const { values, positionals } = readArguments({ 'with-secrets': flag, 'without-fingerprints': flag }, stop)
if (positionals.length > 1) stop('Only one FILE can be written.')
if (values['with-secrets'] && values['without-fingerprints']) stop('Secrets have fingerprints.')
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
const file = positionals[0] ?? join('backups', `dineback-${time}.tar`)
await withOwner(async ({ url, dataDir }) => {
  const secrets = readCurrentSecrets(process.env, dataDir)
  if (!values['without-fingerprints']) assertAllSecrets(secrets)
  const { tables } = await backUp({
    url,
    file,
    fingerprints: fingerprintsOf(secrets),
    secrets: values['with-secrets'] ? secrets : null,
    log: (line) => process.stdout.write(`  ${line}\n`),
    signal: stopping.signal,
  })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  process.stdout.write(`${file} holds ${rows} rows of ${tables.length} tables.\n`)
  if (!values['with-secrets']) {
    process.stdout.write(
      'It does not contain the secrets. Store them elsewhere: without VAULT_SECRET the key of the vault is lost.\n',
    )
  }
})
