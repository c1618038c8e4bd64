import { basename, join } from 'node:path'
import { importMerchants } from '../src/dining/merchants/import/import-merchants.ts'
import { formatOf, sourceNameOf } from '../src/platform/files/read-rows.ts'
import { drawProgress } from './command-context.ts'
import { createUsageExit, readArguments, readOneFile } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Imports restaurants: the whole file, or nothing.

  npm run import:merchants -- FILE [--source NAME] [--participating] [--skip-errors] [--dry-run]

FILE is .ndjson, .csv or .geojson, each also as .gz. Rows are identified by their id within the source, so importing
a file again changes only rows that changed. Without --participating, only restaurants whose row says so participate.
docs/restaurants.md describes the columns.`

const stop: (problem: string) => never = createUsageExit(usage)
const flag = { type: 'boolean', default: false } as const
const { values, positionals } = readArguments(
  { source: { type: 'string' }, participating: flag, 'skip-errors': flag, 'dry-run': flag },
  stop,
)
const file = readOneFile(positionals, stop)
const format = formatOf(file)
if (!format) stop(`${file} is none of .ndjson, .csv, .geojson (or .gz of these).`)

const { pools, settings, close } = await connect()
const report = join(settings.DATA_DIR, `${basename(file)}.errors.txt`)
try {
  const began = performance.now()
  const result = await importMerchants(pools.shared, {
    file,
    format,
    defaults: {
      source: values.source ?? sourceNameOf(file),
      participating: values.participating,
      joinedOn: new Date().toISOString().slice(0, 10),
    },
    skipErrors: values['skip-errors'],
    dryRun: values['dry-run'],
    report,
    onProgress: (share, rows) => drawProgress(share, `${rows.toLocaleString('en-US')} rows`),
  })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const { rows, wrong, added, changed, unchanged, written } = result
  process.stdout.write(
    `\n  ${rows} rows in ${seconds} s: ${added} new, ${changed} changed, ${unchanged} as before, ${wrong} wrong\n`,
  )
  if (wrong > 0) process.stdout.write(`  What is wrong is in ${report}\n`)
  if (!written) process.stdout.write('  Nothing was written.\n')
  if (!written && !values['dry-run']) process.exitCode = 1
} catch (error) {
  process.stderr.write(`\n  Nothing was written: ${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
