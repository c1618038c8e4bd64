import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { addDays, isDay, SECOND } from '../src/platform/time.ts'
import { settlementFile, timeUntilAllFinal } from '../src/rewards/settlement/settlement-file.ts'
import { withProgramContext } from './command-context.ts'
import { createUsageExit, readOptions, readProgram } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Writes the settlement of a partner by restaurant, one file per day.

  npm run settle -- --partner skyharbor [--from 2026-11-01] [--to 2026-11-20] [--out settlement]

Without days: yesterday (UTC). The amounts of a day that is over never change. Within a minute after midnight, the command
waits for the last entries of the day.`

const stop: (problem: string) => never = createUsageExit(usage)
const options = {
  partner: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  out: { type: 'string', default: 'settlement' },
} as const

const { partner: code, from, to, out } = readOptions(options, stop)
const partner = readProgram(code, stop)
const today = new Date().toISOString().slice(0, 10)
const yesterday = addDays(today, -1)
const [first, last] = [from ?? to ?? yesterday, to ?? from ?? yesterday]
for (const day of [first, last]) {
  if (!isDay(day)) stop(`Not a day: ${day}`)
}
if (first > last) stop(`${first} is after ${last}.`)
if (last > today) stop(`${last} has not started yet (UTC): there is nothing to settle.`)

const wait = timeUntilAllFinal({ first, last }, new Date())
if (wait > 0) {
  process.stdout.write(`  waiting ${Math.ceil(wait / SECOND)} s for the last entries of ${yesterday}\n`)
  await setTimeout(wait)
}

const { pools, settings, close } = await connect()
try {
  await withProgramContext({ pools, settings }, partner, async (ctx) => {
    mkdirSync(out, { recursive: true })
    for (let day = first; day <= last; day = addDays(day, 1)) {
      const path = join(out, `${partner}-${day}.csv`)
      writeFileSync(path, await settlementFile(ctx, day))
      process.stdout.write(`  ${path}\n`)
    }
  })
} catch (error) {
  process.stderr.write(`  ${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
