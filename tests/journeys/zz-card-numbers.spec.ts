import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { at, cardNumbersTyped, expect, joinQuickly, linkCard, test, testCard } from './road.ts'

// By its name the last of the journeys: it looks at what all of them have left behind.

test('Case 13 after every journey no card number is in any table, in the log, or in what the browser keeps', async ({
  page,
}) => {
  await joinQuickly(page, 'skyharbor')
  await page.goto(at('skyharbor', '/add_card'))
  const own = testCard()
  await linkCard(page, own)
  await expect(page).toHaveURL(at('skyharbor', '/card_added'))
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
  const numbers = cardNumbersTyped()
  expect(numbers).toContain(own)
  const places = { tables: await dump(), log: log(), browser: kept }
  for (const [place, text] of Object.entries(places)) {
    expect([place, numbers.filter((number) => text.includes(number))]).toEqual([place, []])
  }
  // The look itself: what is planted is found.
  await planted(own, async () => expect(await dump()).toContain(own))
})

function log(): string {
  const dir = process.env.JOURNEY_DATA_DIR
  return dir ? readFileSync(join(dir, 'app.log'), 'utf8') : ''
}

async function asOwnerOf<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: process.env.JOURNEY_DATABASE_URL })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Every row of every table as text, the vault's too. */
function dump(): Promise<string> {
  return asOwnerOf(async (client) => {
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

async function planted(number: string, look: () => Promise<void>): Promise<void> {
  const flag = (statement: string) => asOwnerOf((client) => client.query(statement, [JSON.stringify(number)]))
  await flag(
    "insert into feature_flags (partner_id, kind, name, value) values ('lantern', 'filters', 'planted', $1::jsonb)",
  )
  await look().finally(() => flag("delete from feature_flags where name = 'planted' and value = $1::jsonb"))
}
