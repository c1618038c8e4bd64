import { existsSync } from 'node:fs'
import { formatOf } from '../src/platform/files/read-rows.ts'
import type { Ctx } from '../src/platform/http/context.ts'
import { takeFile } from '../src/rewards/feed/files/take-file.ts'
import { drawProgress, inProgram } from './command-context.ts'
import { readArguments, readProgram, usageOf } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Takes files of card-network events in.

  npm run feed -- --partner skyharbor FILE...

FILE is .ndjson or .csv, each also as .gz; docs/feed.md has the shapes. Taking a file again changes nothing, and one that
was cut off is gone on with.`

const stop: (problem: string) => never = usageOf(usage)
const { values, positionals } = readArguments({ partner: { type: 'string' } }, stop)
const partner = readProgram(values.partner, stop)
if (positionals.length === 0) stop('Which file?')

const files = positionals.map((path) => {
  const format = formatOf(path)
  if (format === null || format === 'geojson') return stop(`${path} is neither .ndjson nor .csv (or .gz of these).`)
  if (!existsSync(path)) return stop(`There is no file ${path}.`)
  return { path, format }
})

async function take(ctx: Ctx, { path, format }: (typeof files)[number]): Promise<void> {
  const onProgress = (share: number, line: number) => drawProgress(share, `${line.toLocaleString('en-US')} lines`)
  const report = await takeFile(ctx, { path, format, onProgress })
  const { wasDone, resumedAfter, lines, applied, unmatched, repeated, ignored, refused, faults } = report
  process.stdout.write(`\n  ${path}${wasDone ? ' was taken in before' : ''}\n`)
  if (resumedAfter > 0 && !wasDone) process.stdout.write(`  gone on with after line ${resumedAfter}\n`)
  process.stdout.write(
    `  ${lines} lines: ${applied} applied, ${unmatched} unmatched, ${repeated} repeated, ${ignored} ignored, ${refused} refused\n`,
  )
  for (const { line, code } of faults) process.stdout.write(`    line ${line}: ${code}\n`)
  if (refused > 0) process.exitCode = 1
}

const { pools, close } = await connect()
try {
  await inProgram(pools, partner, async (ctx) => {
    for (const file of files) await take(ctx, file)
  })
} catch (error) {
  process.stderr.write(`\n  ${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
