import { existsSync } from 'node:fs'
import { formatOf } from '../src/platform/files/read-rows.ts'
import type { Ctx } from '../src/platform/http/context.ts'
import { importFile } from '../src/rewards/feed/files/import-file.ts'
import { drawProgress, withProgramContext } from './command-context.ts'
import { createUsageExit, readArguments, readProgram } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Imports files of card-network events.

  npm run feed -- --partner skyharbor FILE...

FILE is .ndjson or .csv, each also as .gz; docs/feed.md describes the formats. Importing a file again changes nothing,
and an interrupted import is continued.`

const stop: (problem: string) => never = createUsageExit(usage)
const { values, positionals } = readArguments({ partner: { type: 'string' } }, stop)
const partner = readProgram(values.partner, stop)
if (positionals.length === 0) stop('Which file?')

const files = positionals.map((path) => {
  const format = formatOf(path)
  if (format === null || format === 'geojson') return stop(`${path} is neither .ndjson nor .csv (or .gz of these).`)
  if (!existsSync(path)) return stop(`There is no file ${path}.`)
  return { path, format }
})

async function importFeedFile(ctx: Ctx, { path, format }: (typeof files)[number]): Promise<void> {
  const onProgress = (share: number, line: number) => drawProgress(share, `${line.toLocaleString('en-US')} lines`)
  const report = await importFile(ctx, { path, format, onProgress })
  const { wasDone, resumedAfter, lines, applied, unmatched, repeated, ignored, rejected, faults } = report
  process.stdout.write(`\n  ${path}${wasDone ? ' was imported before' : ''}\n`)
  if (resumedAfter > 0 && !wasDone) process.stdout.write(`  continued after line ${resumedAfter}\n`)
  process.stdout.write(
    `  ${lines} lines: ${applied} applied, ${unmatched} unmatched, ${repeated} repeated, ${ignored} ignored, ${rejected} rejected\n`,
  )
  for (const { line, code, texts = [`line ${line}: ${code}`] } of faults)
    for (const text of texts) process.stdout.write(`    ${text}\n`)
  if (rejected > 0) process.exitCode = 1
}

const { pools, settings, close } = await connect()
try {
  await withProgramContext({ pools, settings }, partner, async (ctx) => {
    for (const file of files) await importFeedFile(ctx, file)
  })
} catch (error) {
  process.stderr.write(`\n  ${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
