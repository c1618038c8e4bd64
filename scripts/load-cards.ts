import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { loadPartnerCard, PartnerCardLoad } from '../src/cards/service.ts'
import { httpVault } from '../src/cards/vault.ts'
import { deriveKey } from '../src/kit/server/settings.ts'
import { originOf } from '../src/partners/hosts.ts'
import { connect } from './connect.ts'

const usage = `Loads cards that a partner has sealed for its members. The vault must be running.

  npm run load:cards -- --partner beacon FILE

FILE has a JSON object a line: {"holder", "partnerCardId", "description", "encryptedCardNumber"}; docs/partner-cards.md
says how a card is sealed. Loading a file again changes nothing. Lines that are wrong are named; all others are loaded.`

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { partner: { type: 'string' } } })
const [file] = positionals
if (!file || !values.partner) fail(usage)
if (!existsSync(file)) fail(`There is no file ${file}.`)

/** What is wrong with a line, or null when its card is loaded. */
async function loadLine(ctx: Parameters<typeof loadPartnerCard>[0], line: string): Promise<string | null> {
  try {
    const load = PartnerCardLoad.safeParse(JSON.parse(line))
    if (!load.success) return load.error.issues.map((issue) => issue.path.join('.')).join(', ')
    return await loadPartnerCard(ctx, vault, load.data)
  } catch (error) {
    if (error instanceof SyntaxError) return 'not JSON'
    throw error
  }
}

const { pools, settings, close } = await connect()
const port = settings.PUBLIC_PORT ?? settings.PORT
const own = settings.PUBLIC_SCHEME === 'https' ? 443 : 80
const rules = {
  baseDomain: settings.BASE_DOMAIN,
  scheme: settings.PUBLIC_SCHEME,
  port: port === own ? null : port,
}
const vault = httpVault({
  apiUrl: settings.VAULT_API_URL ?? settings.VAULT_URL ?? originOf('vault', rules),
  apiKey: deriveKey(settings.VAULT_SECRET, 'vault-api').toString('base64url'),
})
try {
  const ctx = { partnerId: values.partner, db: pools.forPartner(values.partner) }
  let [number, loaded, wrong] = [0, 0, 0]
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number++
    if (line.trim() === '') continue
    const problem = await loadLine(ctx, line)
    if (problem === null) loaded++
    else {
      wrong++
      process.stderr.write(`  line ${number}: ${problem}\n`)
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
