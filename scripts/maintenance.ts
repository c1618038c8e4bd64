import { setMaintenance } from '../src/programs/partners/service.ts'
import { createUsageExit, readArguments, readProgram } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Closes a program for maintenance, including sign-in and joining, or opens it again. Running processes apply the
change within a second.

  npm run maintenance -- on|off --partner skyharbor`

const stop: (problem: string) => never = createUsageExit(usage)
const { values, positionals } = readArguments({ partner: { type: 'string' } }, stop)
const partner = readProgram(values.partner, stop)
const [state, ...more] = positionals
if (more.length > 0 || (state !== 'on' && state !== 'off')) stop('on or off?')

const { pools, close } = await connect()
try {
  await setMaintenance(pools.forPartner(partner), state === 'on')
  process.stdout.write(`Maintenance of ${partner} is ${state}.\n`)
} finally {
  await close()
}
