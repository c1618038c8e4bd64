import { loadEnrolledMember, readEnrolledMember } from '../src/identity/activation/service.ts'
import { formatOf, readRows } from '../src/platform/files/read-rows.ts'
import { programOrigin } from '../src/programs/partners/hosts.ts'
import { withProgramContext } from './command-context.ts'
import { createUsageExit, readArguments, readOneFile, readProgram } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Loads members enrolled by a partner, and prints the activation URL of each.

  npm run load:members -- --partner skyharbor FILE

FILE has one JSON object per line: {"email", "firstName", "lastName", "zipCode", "partnerNumber", "emailOptIn"}; the last
two are optional. Loading a file again updates accounts that are not activated yet and leaves all others unchanged.
Invalid lines are reported; all others are loaded. The program needs "hasAutoEnroll".`

const stop: (problem: string) => never = createUsageExit(usage)
const { values, positionals } = readArguments({ partner: { type: 'string' } }, stop)
const partner = readProgram(values.partner, stop)
const file = readOneFile(positionals, stop)
if (formatOf(file) !== 'ndjson') stop('FILE must be NDJSON: its name ends in .ndjson or .jsonl.')

const { pools, settings, close } = await connect()
const origin = programOrigin(settings, partner)
try {
  await withProgramContext(pools, partner, async (ctx) => {
    if (!ctx.program.config.hasAutoEnroll) throw new Error(`${partner} does not have hasAutoEnroll.`)
    let [loaded, wrong] = [0, 0]
    for await (const row of readRows(file, 'ndjson', () => {})) {
      const read = row.value ? readEnrolledMember(row.value) : { problem: row.problem ?? 'is not JSON' }
      const result = 'problem' in read ? read : await loadEnrolledMember(ctx, read)
      if ('problem' in result) {
        wrong++
        process.stderr.write(`  line ${row.line}: ${result.problem}\n`)
      } else {
        loaded++
        process.stdout.write(`${result.email} ${origin}/activate?publicId=${result.publicId}\n`)
      }
    }
    process.stderr.write(`  ${loaded} members loaded, ${wrong} lines wrong\n`)
    if (wrong > 0) process.exitCode = 1
  })
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
