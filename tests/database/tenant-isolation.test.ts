import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMember } from '../../src/identity/members/service.ts'
import { createPools, type Pools } from '../../src/platform/database/db.ts'
import { ensureLogin } from '../../src/platform/database/logins.ts'
import { registerPartners } from '../../src/programs/partners/store.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let pools: Pools

beforeAll(async () => {
  database = await createTestDatabase('schema')
  pools = createPools({ url: await ensureLogin(database.url, { group: 'dineback_app', password: randomUUID() }) })
  await registerPartners(pools.shared, ['skyharbor', 'beacon'])
  for (const partner of ['skyharbor', 'beacon']) {
    await pools
      .forPartner(partner)
      .transaction()
      .execute((tx) =>
        createMember(tx, { email: `ada@${partner}.example`, first_name: 'Ada', last_name: partner, zip_code: '10001' }),
      )
  }
})

afterAll(async () => {
  await pools?.close()
  await database?.drop()
})

/** Returns the tables with a partner_id, which partners own. */
async function ownedTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where column_name = 'partner_id' and table_schema = 'public' order by 1`.execute(pools.shared)
  return rows.map(({ name }) => name)
}

test('Case 18 a query without a partner condition returns only the rows of its own partner', async () => {
  for (const partner of ['skyharbor', 'beacon']) {
    const rows = await pools.forPartner(partner).selectFrom('members').select('last_name').execute()
    expect(rows).toEqual([{ last_name: partner }])
  }
})

test('Case 18 a connection without a partner sees no partner-owned row in any table', async () => {
  for (const table of await ownedTables()) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      pools.shared,
    )
    expect([table, rows[0]?.count]).toEqual([table, 0])
  }
})

test('Case 18 every partner-owned table has forced row-level security, and the login role cannot bypass it', async () => {
  // A view reads as the one who queries it: as its owner, it would show the rows of all partners.
  const { rows } = await sql<{ name: string; walled: boolean }>`
    select relname as name, case relkind when 'v' then coalesce('security_invoker=true' = any(reloptions), false)
      else relrowsecurity and relforcerowsecurity end as walled from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')`.execute(pools.shared)
  const isForced = new Map(rows.map((row) => [row.name, row.walled]))
  for (const table of await ownedTables()) expect([table, isForced.get(table)]).toEqual([table, true])
  const login = await sql<{ mighty: boolean }>`
    select rolsuper or rolbypassrls or rolcreaterole as mighty from pg_roles where rolname = current_user`.execute(
    pools.shared,
  )
  expect(login.rows[0]?.mighty).toBe(false)
})

test('Case 17 a row cannot be written for, or moved to, another partner', async () => {
  const db = pools.forPartner('skyharbor')
  await expect(
    sql`insert into feature_flags (partner_id, kind, name, value) values ('beacon', 'authFlags', 'x', 'true')`.execute(
      db,
    ),
  ).rejects.toThrow(/row-level security/)
  await expect(sql`update members set partner_id = 'beacon'`.execute(db)).rejects.toThrow(/row-level security/)
  const changed = await sql`update members set first_name = 'Eve' where last_name = 'beacon'`.execute(db)
  expect(changed.numAffectedRows).toBe(0n)
})

test('Case 18 counterpart: without row-level security the same 4,000 reads return rows of another partner', async () => {
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query('alter table members disable row level security')
    await owner.query('set local role dineback_app')
    const { rows } = await owner.query('select distinct last_name from members')
    expect(rows).toHaveLength(2)
  } finally {
    await owner.query('rollback')
    await owner.end()
  }
  const reads = Array.from({ length: 4_000 }, (_, index) => {
    const partner = index % 2 === 0 ? 'skyharbor' : 'beacon'
    return pools
      .forPartner(partner)
      .selectFrom('members')
      .select('last_name')
      .execute()
      .then((rows) => rows.every((row) => row.last_name === partner))
  })
  expect((await Promise.all(reads)).filter((isOwn) => !isOwn)).toHaveLength(0)
})

test('the vault and the app cannot read each other’s tables', async () => {
  await expect(sql`select * from vault.cards`.execute(pools.shared)).rejects.toThrow(/permission denied/)
  const vaultUrl = await ensureLogin(database.url, { group: 'dineback_vault', password: randomUUID() })
  const client = new pg.Client({ connectionString: vaultUrl })
  await client.connect()
  try {
    await expect(client.query('select * from members')).rejects.toThrow(/permission denied/)
    await expect(client.query('select * from cards')).rejects.toThrow(/permission denied/)
  } finally {
    await client.end()
  }
})

test('ledger, consents and audit entries are append-only', async () => {
  const db = pools.forPartner('skyharbor')
  for (const table of ['journal_entries', 'postings', 'consents', 'audit_entries', 'feed_messages']) {
    await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow(/permission denied/)
    await expect(sql`update ${sql.table(table)} set partner_id = partner_id`.execute(db)).rejects.toThrow(
      /permission denied/,
    )
  }
})

test('a name that is not a partner code never reaches a connection', () => {
  for (const name of ['', 'x -c role=postgres', 'UPPER', "a'b", 'a'.repeat(40)]) {
    expect(() => pools.forPartner(name)).toThrow(RangeError)
  }
})
