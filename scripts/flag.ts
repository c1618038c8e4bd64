import { flagsOf, writeFlag } from '../src/programs/partners/service.ts'
import { withProgramContext } from './command-context.ts'
import { createUsageExit, readArguments, readProgram } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Lists the feature flags of a program, or sets one. Running processes apply a change within a second.

  npm run flag -- --partner skyharbor
  npm run flag -- --partner skyharbor hasVIP off

A value that is set here overrides program.json until it is set to the value of the file again.`

const stop: (problem: string) => never = createUsageExit(usage)
const { values, positionals } = readArguments({ partner: { type: 'string' } }, stop)
const partner = readProgram(values.partner, stop)
const [name, value, ...more] = positionals
if (more.length > 0 || (name !== undefined && value !== 'on' && value !== 'off')) stop('A name, and on or off.')

const { pools, settings, close } = await connect()
try {
  await withProgramContext({ pools, settings }, partner, async (ctx) => {
    const flags = flagsOf(ctx.program.config, ctx.flags)
    const flag = flags.find((each) => each.name === name)
    if (name === undefined) {
      for (const each of flags) process.stdout.write(`${each.name.padEnd(30)} ${each.value ? 'on' : 'off'}\n`)
      return
    }
    if (!flag) throw new Error(`There is no feature flag ${name}. Without a name the command lists them.`)
    await writeFlag(ctx.db, { kind: flag.kind, name, value: value === 'on' })
    process.stdout.write(`${name} is ${value} for ${partner}.\n`)
  })
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
