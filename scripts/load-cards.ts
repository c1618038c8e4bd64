import { deriveKey } from '../src/platform/config/settings.ts'
import { type CellProblem, explainIssues } from '../src/platform/files/columns.ts'
import { formatOf, problemText, type Row, readRows } from '../src/platform/files/read-rows.ts'
import { unstorablePath } from '../src/platform/text.ts'
import { addressRules, originOf } from '../src/programs/partners/hosts.ts'
import { loadPartnerCard, PartnerCardLoad, partnerCardColumns, vaultProblems } from '../src/rewards/cards/service.ts'
import { createHttpVault } from '../src/rewards/cards/vault.ts'
import { createUsageExit, readArguments, readOneFile, readProgram } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Loads cards that a partner has sealed for its members. The vault must be running.

  npm run load:cards -- --partner beacon FILE

FILE is .csv or .ndjson, each also as .gz, with holder, partnerCardId, description, encryptedCardNumber; docs/partner-cards.md
describes how a card is sealed. Loading a file again changes nothing. Invalid lines are reported; all others are loaded.`

const stop: (problem: string) => never = createUsageExit(usage)
const { values, positionals } = readArguments({ partner: { type: 'string' } }, stop)
const partner = readProgram(values.partner, stop)
const file = readOneFile(positionals, stop)
const format = formatOf(file)
if (format === null || format === 'geojson') stop(`${file} is neither .csv nor .ndjson (or .gz of these).`)

/** Returns the problems of a line; none when its card is loaded. */
async function loadLine(ctx: Parameters<typeof loadPartnerCard>[0], row: Row): Promise<readonly CellProblem[]> {
  if (!row.isParsed) return row.problems
  const unstorable = unstorablePath(row.value)
  if (unstorable !== null) return [{ column: unstorable, text: 'It has a character that cannot be stored.' }]
  const load = PartnerCardLoad.safeParse(row.value)
  if (!load.success) return explainIssues(load.error.issues, row, partnerCardColumns)
  const problem = await loadPartnerCard(ctx, vault, load.data)
  return problem === null ? [] : [{ column: row.headers.encryptedCardNumber ?? '', text: vaultProblems[problem] }]
}

const { pools, settings, close } = await connect()
const vault = createHttpVault({
  apiUrl: settings.VAULT_API_URL ?? settings.VAULT_URL ?? originOf('vault', addressRules(settings)),
  apiKey: deriveKey(settings.VAULT_SECRET, 'vault-api').toString('base64url'),
})
try {
  const ctx = { partnerId: partner, db: pools.forPartner(partner) }
  let [loaded, wrong] = [0, 0]
  for await (const row of readRows(file, format, { columns: partnerCardColumns })) {
    const problems = await loadLine(ctx, row)
    if (problems.length === 0) loaded++
    else wrong++
    for (const problem of problems) process.stderr.write(`  ${problemText(row.line, problem)}\n`)
  }
  process.stdout.write(`  ${loaded} cards loaded, ${wrong} lines wrong\n`)
  if (wrong > 0) process.exitCode = 1
} catch (error) {
  process.stderr.write(`  ${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
