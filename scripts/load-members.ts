import { loadEnrolledMember, memberColumns, readEnrolledMember } from '../src/identity/activation/service.ts'
import { formatOf, problemText, readRows } from '../src/platform/files/read-rows.ts'
import { programOrigin } from '../src/programs/partners/hosts.ts'
import { withProgramContext } from './command-context.ts'
import { createUsageExit, readArguments, readOneFile, readProgram } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Loads members enrolled by a partner, and prints the activation URL of each.

  npm run load:members -- --partner skyharbor FILE

FILE is .csv or .ndjson, each also as .gz, with email, firstName, lastName, zipCode, partnerNumber, emailOptIn; the last two
are optional. Loading a file again updates accounts that are not activated yet and leaves all others unchanged.
Invalid lines are reported; all others are loaded. The program needs "hasAutoEnroll".`

const stop: (problem: string) => never = createUsageExit(usage)
const { values, positionals } = readArguments({ partner: { type: 'string' } }, stop)
const partner = readProgram(values.partner, stop)
const file = readOneFile(positionals, stop)
const format = formatOf(file)
if (format === null || format === 'geojson') stop(`${file} is neither .csv nor .ndjson (or .gz of these).`)

const { pools, settings, close } = await connect()
const origin = programOrigin(settings, partner)
try {
  await withProgramContext({ pools, settings }, partner, async (ctx) => {
    if (!ctx.program.config.hasAutoEnroll) throw new Error(`${partner} does not have hasAutoEnroll.`)
    let [loaded, wrong] = [0, 0]
    for await (const row of readRows(file, format, { columns: memberColumns })) {
      const read = readEnrolledMember(row)
      const result = 'problems' in read ? read : await loadEnrolledMember(ctx, read)
      if ('problems' in result) {
        wrong++
        for (const problem of result.problems) process.stderr.write(`  ${problemText(row.line, problem)}\n`)
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
