import { assertSameSecrets, readCurrentSecrets, secretsOf, storeSecrets } from '../src/app/backup-secrets.ts'
import { migrationsDirectory } from '../src/app/database.ts'
import { checkArchive } from '../src/backup/read-archive.ts'
import { restore } from '../src/backup/restore.ts'
import { createUsageExit, readArguments } from './command-line.ts'
import { withOwner } from './with-owner.ts'

const usage = `Restores the database from a backup. Stop the app first.

  npm run restore -- FILE [--replace] [--other-secrets]

The archive is checked before anything is changed, and everything is restored or nothing. --replace removes the existing
data; without it, the database must be empty. --other-secrets accepts that this installation has other secrets than the
one that was backed up. Secrets in an archive are used outside production only. See docs/operations.md.`

const stop: (problem: string) => never = createUsageExit(usage)

const flag = { type: 'boolean', default: false } as const
const { values, positionals } = readArguments({ replace: flag, 'other-secrets': flag }, stop)
const [file, ...more] = positionals
if (file === undefined || more.length > 0) stop('One FILE is needed.')
await withOwner(async ({ url, dataDir }) => {
  const { manifest, secrets } = await checkArchive(file)
  const current = readCurrentSecrets(process.env, dataDir)
  const areOwnSecrets = process.env.NODE_ENV === 'production' || Object.keys(current).length > 0
  // The secrets of the archive are used when the folder has none yet, or with --replace.
  const archived =
    secrets && (!areOwnSecrets || (values.replace && process.env.NODE_ENV !== 'production')) ? secrets : null
  if (!values['other-secrets']) {
    // The environment's secrets take precedence over the stored ones when the app starts.
    assertSameSecrets(manifest.fingerprints, { current: archived ? secretsOf(process.env) : current, archived })
  }
  const log = (line: string) => process.stdout.write(`  ${line}\n`)
  await restore({ url, file, manifest, directory: migrationsDirectory, replace: values.replace, log })
  if (archived) storeSecrets(dataDir, archived)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  process.stdout.write(`Restored ${rows} rows of ${manifest.tables.length} tables, as of ${manifest.createdAt}.\n`)
})
