import { randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import pg from 'pg'
import type { Ctx } from '../src/kit/server/context.ts'
import type { FeedEvent } from '../src/rewards/feed/contract.ts'
import { createIntake } from '../src/rewards/feed/intake.ts'
import { feedEvent } from '../src/rewards/fixtures.ts'
import { addCard, addMember, addMerchant, contextOf, ledgerFaults, openKitchen } from '../src/rewards/test-kitchen.ts'
import { keepPostgres } from '../tests/support/database.ts'

const seconds = Number(process.env.SECONDS ?? 8)

/** Who sends how much: each sends its next batch when the last one is answered. */
const loads = [
  { name: 'webhooks: one event a request, 50 at once', senders: 50, size: 1 },
  { name: 'a file: 10 lines at a time', senders: 1, size: 10 },
  { name: 'a file: 100 lines at a time', senders: 1, size: 100 },
  { name: 'a file: 500 lines at a time', senders: 1, size: 500 },
  { name: 'two files: 500 lines at a time', senders: 2, size: 500 },
]

interface Diner {
  token: string
  locationId: string
}

/** Takes messages in from a maker until the time is over; answers how many a second. */
async function rate(batchSize: number, take: (batch: number) => Promise<unknown>): Promise<number> {
  const until = performance.now() + seconds * 1000
  const from = performance.now()
  let taken = 0
  while (performance.now() < until) {
    await take(batchSize)
    taken += batchSize
  }
  return (taken / (performance.now() - from)) * 1000
}

/** The feed as it comes: each meal is authorised, and charged with its tip in a later message. */
function mealMaker(diners: readonly Diner[]): () => FeedEvent {
  let next = 0
  const open: { id: string; diner: Diner; cents: number }[] = []
  return () => {
    const now = new Date(Date.now() - 3_600_000).toISOString()
    const due = open.length > 2000 ? open.shift() : undefined
    const meal = due ?? {
      id: randomUUID(),
      diner: diners[next++ % diners.length] as Diner,
      cents: 2000 + (next % 9000),
    }
    if (!due) open.push(meal)
    const cents = due ? Math.round(meal.cents * 1.2) : meal.cents
    return feedEvent(due ? 'transaction.clearing' : 'transaction.auth', {
      id: meal.id,
      amount: (cents / 100).toFixed(2),
      datetime: now,
      created: now,
      updated: new Date().toISOString(),
      card: { id: meal.diner.token, scheme: 'visa', lastNumbers: '0002' },
      location: { id: meal.diner.locationId },
    })
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`)

/** How fast messages become entries of the ledger, beside how fast the same machine takes as many bare rows. */
export async function benchIngest(): Promise<void> {
  await inKitchen(async (ctx, ownerUrl) => {
    const next = mealMaker(await seat(ctx, 2_000, 200))
    const intake = createIntake()
    print(`${cpus().length} cores; auth and clearing of each meal, ${seconds} s a line, everything durable\n`)
    const take = (count: number) => Promise.all(Array.from({ length: count }, () => intake.receive(ctx, next())))
    for (let warm = 0; warm < 10; warm++) await take(500)
    // As autovacuum does within its first minute: until then nobody knows how large the tables are.
    await withOwner(ownerUrl, (client) => client.query('vacuum analyze'))
    for (const { name, senders, size } of loads) {
      const before = await rowsOf(ownerUrl)
      let events = 0
      const send = (count: number) => {
        events += count
        return take(count)
      }
      const ingest = sum(await Promise.all(Array.from({ length: senders }, () => rate(size, send))))
      const rowsPerEvent = ((await rowsOf(ownerUrl)) - before) / events
      const bare = await bareRate(ownerUrl, senders, size, rowsPerEvent)
      print(
        `${name.padEnd(44)} ${fixed(ingest)} events/s   ${rowsPerEvent.toFixed(1)} rows each   ` +
          `bare: as many rows ${fixed(bare)} events/s   ratio ${percent(ingest / bare)}`,
      )
    }
    const faults = await ledgerFaults(ctx.db)
    print(faults.length === 0 ? '\nthe ledger balances' : `\nFAULTS ${faults.slice(0, 3)}`)
  })
}

/** What an event costs when so many meals are stored already. */
export async function benchStored(): Promise<void> {
  for (const stored of (process.env.STORED ?? '10000,1000000').split(',').map(Number)) {
    await inKitchen(async (ctx, ownerUrl) => {
      const diners = await seat(ctx, 2_000, 200)
      await store(ownerUrl, stored)
      const next = mealMaker(diners)
      const intake = createIntake()
      const take = (count: number) => Promise.all(Array.from({ length: count }, () => intake.receive(ctx, next())))
      // The first ones are read from the disk.
      for (let warm = 0; warm < 10; warm++) await take(500)
      const perSecond = await rate(500, take)
      print(`${stored.toLocaleString('en-US').padStart(12)} meals stored   ${(1e6 / perSecond).toFixed(0)} µs an event`)
    })
  }
}

async function inKitchen(work: (ctx: Ctx, ownerUrl: string) => Promise<void>): Promise<void> {
  const postgres = await keepPostgres()
  process.env.TEST_DATABASE_URL = postgres.url
  const kitchen = await openKitchen()
  const ctx = contextOf(kitchen, 'skyharbor')
  try {
    await work(ctx, kitchen.ownerUrl)
  } finally {
    await kitchen.close()
    await postgres.stop()
  }
}

/** Meals of other members, fifty each, with their messages and entries: as they are after years. */
async function store(url: string, meals: number): Promise<void> {
  await withOwner(url, async (client) => {
    // Nothing is checked here: what is checked is what comes after.
    await client.query("set session_replication_role = 'replica'")
    const members = Math.ceil(meals / 50)
    await client.query(
      `insert into members (partner_id, public_id, referral_code, family_id, email, first_name, last_name, zip_code, tier_level, member_type)
       select 'skyharbor', 'stored-0000000000000' || i, 'ref-' || i, 'fam-' || i, i || '@stored.example', 'A', 'B', '10001', 'OptedIn', 'EnrolledCardMember'
       from generate_series(1, $1::int) i`,
      [members],
    )
    await client.query(
      `create temporary table others as select id, row_number() over (order by id) as n from members where email like '%@stored.example'`,
    )
    await client.query('create unique index on others (n)')
    const place = `(select id from merchants order by id limit 1)`
    const step = 250_000
    for (let from = 1; from <= meals; from += step) {
      const to = Math.min(meals, from + step - 1)
      await client.query(
        `with m as (select i, o.id as member, now() - (i % 700) * interval '1 day' as at
           from generate_series(${from}, ${to}) i join others o on o.n = i % ${members} + 1),
         messages as (insert into feed_messages (partner_id, event, updated_at, network_id, card_token, body, outcome, received_at)
           select 'skyharbor', 'transaction.clearing', at, 'meal-' || i, 'token-' || member, '{}', 'applied', at from m),
         meals as (insert into transactions (partner_id, public_id, network_id, member_id, merchant_id, merchant_name, network_location_id,
             card_token, card_last_four, stage, award_status, ticket_cents, dine_cents, benefit, unit, reason, dined_at, cleared_at, is_limited)
           select 'skyharbor', 'public-' || i, 'meal-' || i, member, ${place}, 'Corner Bistro', 'somewhere', 'token-' || member, '0002',
             'cleared', 'Awarded', 4210, 4210, 126, 'mile', '{"code": "earned", "rule": 4, "countedCents": 4210, "inputs": {}}', at, at, false from m),
         entries as (insert into journals (partner_id, source, source_id, version, kind, reason, posted_at)
           select 'skyharbor', 'transaction', 'meal-' || i, 1, 'award', '{}', at from m returning id, source_id)
         insert into postings (partner_id, journal_id, account, member_id, unit, amount)
         select 'skyharbor', e.id, side.account, case side.account when 'member' then m.member end, 'mile', side.amount
         from entries e join m on 'meal-' || m.i = e.source_id
         cross join (values ('member', 126), ('program', -126)) as side (account, amount)`,
      )
    }
    for (const table of ['members', 'feed_messages', 'transactions', 'journals', 'postings'])
      await client.query(`vacuum analyze ${table}`)
  })
}

const sum = (rates: readonly number[]) => rates.reduce((total, each) => total + each, 0)
const fixed = (value: number) => String(Math.round(value)).padStart(6)
const percent = (ratio: number) => `${Math.round(ratio * 100)} %`

async function seat(ctx: Ctx, members: number, merchants: number): Promise<Diner[]> {
  const places = await Promise.all(Array.from({ length: merchants }, () => addMerchant(ctx.db)))
  const diners: Diner[] = []
  for (let index = 0; index < members; index++) {
    const card = await addCard(ctx.db, await addMember(ctx.db))
    diners.push({ token: card.token, locationId: places[index % merchants]?.locationId as string })
  }
  return diners
}

async function withOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Rows that were written so far, updates too. */
async function rowsOf(url: string): Promise<number> {
  return withOwner(url, async (client) => {
    await client.query('select pg_stat_force_next_flush()')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const { rows } = await client.query(
      `select coalesce(sum(n_tup_ins + n_tup_upd), 0)::int as count from pg_stat_user_tables
       where relname in ('feed_messages', 'transactions', 'journals', 'postings')`,
    )
    return rows[0].count
  })
}

/** The events a second whose rows, bare and into a table without any index, are as many, by as many senders. */
async function bareRate(url: string, senders: number, size: number, rowsPerEvent: number): Promise<number> {
  const body = feedEvent('transaction.auth')
  await withOwner(url, (client) =>
    client.query('create table if not exists bare_rows (id bigint, partner text, body jsonb, at timestamptz)'),
  )
  const insert = (client: pg.Client) => (count: number) =>
    client.query({
      name: 'bare',
      text: `insert into bare_rows select id, partner, body, at
        from json_to_recordset($1::json) as r(id bigint, partner text, body jsonb, at timestamptz)`,
      values: [
        JSON.stringify(
          Array.from({ length: Math.max(1, Math.round(count * rowsPerEvent)) }, (_, id) => ({
            id,
            partner: 'skyharbor',
            body,
            at: new Date(),
          })),
        ),
      ],
    })
  const one = () => withOwner(url, (client) => rate(size, insert(client)))
  const rates = await Promise.all(Array.from({ length: senders }, one))
  await withOwner(url, (client) => client.query('drop table bare_rows'))
  return sum(rates)
}
