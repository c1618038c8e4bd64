import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { at, expect, test } from '../support/journey.ts'
import { linkCard, testCard } from '../support/journey-cards.ts'
import { joinViaApi } from '../support/journey-members.ts'
import { type JourneyServer, journeyServers, ownServer } from '../support/journey-servers.ts'
import { allTypedCardNumbers } from '../support/typed-card-numbers.ts'

// Runs after all journeys, as the teardown of their project, and checks the data that they left.

test('Case 13 after every journey no card number is in any table, in the log, or in the browser’s storage', async ({
  page,
}) => {
  await joinViaApi(page, 'skyharbor')
  await page.goto(at('skyharbor', '/add_card'))
  const own = testCard()
  await linkCard(page, own)
  await expect(page).toHaveURL(at('skyharbor', '/card_added'))
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  )
  const numbers = allTypedCardNumbers()
  expect(numbers).toContain(own)
  const places = new Map([['browser', stored]])
  for (const [index, server] of journeyServers().entries()) {
    places.set(`tables of server ${index}`, await dump(server))
    places.set(`log of server ${index}`, readLog(server))
  }
  // In a run of few journeys, the other servers log nothing.
  expect(readLog(ownServer())).toContain('/api/Members/Prospects')
  for (const [place, text] of places) {
    expect([place, numbers.filter((number) => text.includes(number))]).toEqual([place, []])
  }
  // Counterpart: the search finds a planted number, so it reads the tables.
  await planted(own, async () => expect(await dump(ownServer())).toContain(own))
})

const readLog = ({ dataDir }: JourneyServer) => readFileSync(join(dataDir, 'app.log'), 'utf8')

async function withOwnerClient<T>({ databaseUrl }: JourneyServer, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns every row of every table as text, including the vault's. */
function dump(server: JourneyServer): Promise<string> {
  return withOwnerClient(server, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema in ('public', 'vault', 'forms', 'console') and table_type = 'BASE TABLE'
         and table_name not in ('merchants', 'merchant_offers', 'merchant_tables')`,
    )
    const texts: string[] = []
    for (const { name } of rows) {
      const { rows: found } = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
      texts.push(...found.map(({ row }) => row))
    }
    return texts.join('\n')
  })
}

async function planted(number: string, check: () => Promise<void>): Promise<void> {
  const flag = (statement: string) =>
    withOwnerClient(ownServer(), (client) => client.query(statement, [JSON.stringify(number)]))
  await flag(
    "insert into feature_flags (partner_id, kind, name, value) values ('lantern', 'filters', 'planted', $1::jsonb)",
  )
  await check().finally(() => flag("delete from feature_flags where name = 'planted' and value = $1::jsonb"))
}
