import { isDay } from '../src/platform/time.ts'
import { publicConfig } from '../src/programs/partners/public-config.ts'
import { formatReward } from '../src/programs/partners/rates.ts'
import { recalculate } from '../src/rewards/awards/recalculate.ts'
import { withProgramContext } from './command-context.ts'
import { createUsageExit, readOptions, readProgram } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Recalculates awards under the current terms of the program and the offers, and prints every difference with its
cause.

  npm run recalculate -- --partner skyharbor --from 2026-11-01 --to 2026-11-20 [--apply]

Without --apply nothing is changed. With it, each difference is posted to the ledger as a correction. Whether and how
long a transaction waits before it is posted stays as it was.`

const stop: (problem: string) => never = createUsageExit(usage)
const options = {
  partner: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  apply: { type: 'boolean', default: false },
} as const

const { partner: code, from, to, apply } = readOptions(options, stop)
const partner = readProgram(code, stop)
if (!from || !to) stop('Which days?')
for (const day of [from, to]) if (!isDay(day)) stop(`Not a day: ${day}`)
if (from > to) stop(`${from} is after ${to}.`)
if (from > new Date().toISOString().slice(0, 10)) stop(`${from} has not started yet (UTC).`)

const { pools, settings, close } = await connect()
try {
  await withProgramContext({ pools, settings }, partner, async (ctx) => {
    const config = publicConfig(ctx.program.config)
    let [count, sum] = [0, 0]
    for await (const { publicId, dinedAt, merchantName, was, is, terms } of recalculate(ctx, { from, to, apply })) {
      count++
      sum += is.benefit - was.benefit
      process.stdout.write(
        `\n  ${dinedAt.toISOString().slice(0, 16)}  ${merchantName}  ${publicId}\n` +
          `    ${formatReward(config, was.benefit)} (${was.code}, rule ${was.rule}) -> ${formatReward(config, is.benefit)} (${is.code}, rule ${is.rule})\n`,
      )
      for (const { path, was: before, is: after } of terms) {
        process.stdout.write(`      ${path}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}\n`)
      }
    }
    const said = apply ? 'posted' : 'nothing was changed; --apply posts them'
    process.stdout.write(`\n  ${count} differences, ${sum >= 0 ? '+' : ''}${sum} in the smallest unit: ${said}\n`)
  })
} catch (error) {
  process.stderr.write(`  ${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
