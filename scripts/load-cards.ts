import { deriveKey } from '../src/platform/config/settings.ts'
import { type Row, readRows } from '../src/platform/files/read-rows.ts'
import { unstorablePath } from '../src/platform/text.ts'
import { addressRules, originOf } from '../src/programs/partners/hosts.ts'
import { loadPartnerCard, PartnerCardLoad } from '../src/rewards/cards/service.ts'
import { createHttpVault } from '../src/rewards/cards/vault.ts'
import { createUsageExit, readArguments, readOneFile, readProgram } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Loads cards that a partner has sealed for its members. The vault must be running.

  npm run load:cards -- --partner beacon FILE

FILE has one JSON object per line: {"holder", "partnerCardId", "description", "encryptedCardNumber"}; docs/partner-cards.md
describes how a card is sealed. Loading a file again changes nothing. Invalid lines are reported; all others are loaded.`

const stop: (problem: string) => never = createUsageExit(usage)
const { values, positionals } = readArguments({ partner: { type: 'string' } }, stop)
const partner = readProgram(values.partner, stop)
const file = readOneFile(positionals, stop)

/** Returns the problem of a line, or null when its card is loaded. */
async function loadLine(ctx: Parameters<typeof loadPartnerCard>[0], { value, problem }: Row): Promise<string | null> {
  if (!value) return problem ?? 'is not JSON'
  const unstorable = unstorablePath(value)
  if (unstorable !== null) return `${unstorable}: has a character that cannot be stored`
  const load = PartnerCardLoad.safeParse(value)
  if (!load.success) return load.error.issues.map((issue) => issue.path.join('.')).join(', ')
  return loadPartnerCard(ctx, vault, load.data)
}

const { pools, settings, close } = await connect()
const vault = createHttpVault({
  apiUrl: settings.VAULT_API_URL ?? settings.VAULT_URL ?? originOf('vault', addressRules(settings)),
  apiKey: deriveKey(settings.VAULT_SECRET, 'vault-api').toString('base64url'),
})
try {
  const ctx = { partnerId: partner, db: pools.forPartner(partner) }
  let [loaded, wrong] = [0, 0]
  for await (const row of readRows(file, 'ndjson', () => {})) {
    const problem = await loadLine(ctx, row)
    if (problem === null) loaded++
    else {
      wrong++
      process.stderr.write(`  line ${row.line}: ${problem}\n`)
    }
  }
  process.stdout.write(`  ${loaded} cards loaded, ${wrong} lines wrong\n`)
  if (wrong > 0) process.exitCode = 1
} catch (error) {
  process.stderr.write(`  ${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}
