import pg from 'pg'
import { feedEvent } from '../tests/support/reward-fixtures.ts'

/** How many rows are stored: members of Skyharbor, and meals of each. */
export interface Stored {
  members: number
  mealsEach: number
}

const tables = ['members', 'member_terms', 'cards', 'feed_messages', 'transactions', 'journal_entries', 'postings']

/** Runs work on a connection of the owner, who bypasses row-level security. */
export async function withOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Stores members with a card each, their meals, and the messages and entries of these, as after years of use. Every
 * restaurant of the program has had as many of the meals as every other.
 */
export async function storeRows(url: string, { members, mealsEach }: Stored): Promise<void> {
  await withOwner(url, async (client) => {
    // Disables triggers and foreign keys: these rows are only background data for the measurement.
    await client.query("set session_replication_role = 'replica'")
    await client.query('set synchronous_commit = off')
    // An index of millions of rows is built much faster than it grows.
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index i
       where indrelid = any($1::regclass[])
         and not exists (select 1 from pg_constraint where conindid = i.indexrelid)`,
      [tables],
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    await storeMembers(client, members)
    await storeMeals(client, { members, mealsEach })
    for (const { definition } of indexes) await client.query(definition)
    for (const table of tables) await client.query(`vacuum analyze ${table}`)
  })
}

async function storeMembers(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `insert into members (partner_id, public_id, referral_code, family_id, email, first_name, last_name, zip_code,
       tier_level, member_type, partner_number, joined_at)
     select 'skyharbor', 'stored-0000000000000' || i, 'ref-' || i, 'fam-' || i, i || '@stored.example',
       'Ada' || i % 1000, 'Stored' || i, '10001', (array['OptedIn', 'OptedOut', 'VIP'])[1 + i % 3], 'EnrolledCardMember',
       'SKY' || i, now() - i % 1000 * interval '1 day' - i * interval '1 second'
     from generate_series(1, $1::int) i`,
    [count],
  )
  await client.query(
    `insert into member_terms (partner_id, term, member_id)
     select distinct partner_id, lower(term), id from members m, unnest(array[m.email, m.first_name, m.last_name,
       m.first_name || ' ' || m.last_name, m.partner_number, m.public_id, m.referral_code]) term
     where m.email like '%@stored.example'`,
  )
  await client.query(
    `create temporary table others as
     select id, row_number() over (order by id) as n from members where email like '%@stored.example'`,
  )
  await client.query('create unique index on others (n)')
  await client.query(
    `insert into cards (partner_id, public_id, member_id, token, fingerprint, last_four, card_type, description)
     select 'skyharbor', 'stored-card-' || n, id, 'token-' || id, 'fingerprint-' || id, lpad((n % 10000)::text, 4, '0'),
       'VISA', ''
     from others`,
  )
  await client.query('analyze others')
}

const step = 250_000
/** Meals that have a whole message. More of them would only fill the disk. */
const readable = 1_000

async function storeMeals(client: pg.Client, { members, mealsEach }: Stored): Promise<void> {
  const count = members * mealsEach
  const message = JSON.stringify(feedEvent('transaction.clearing'))
  const { rows } = await client.query<{ ids: string }>(`select array_agg(id order by id)::text as ids from merchants`)
  const places = `('${rows[0]?.ids}'::bigint[])`
  for (let from = 1; from <= count; from += step) {
    const to = Math.min(count, from + step - 1)
    await client.query(
      `with m as materialized (select i, o.id as member, ${places}[1 + i % cardinality(${places})] as place,
           now() - (${count} - i) * (interval '700 days' / ${count}) as at
         from generate_series(${from}, ${to}) i join others o on o.n = i % ${members} + 1),
       messages as (insert into feed_messages (partner_id, event, updated_at, network_id, card_token, body, outcome, received_at)
         select 'skyharbor', 'transaction.clearing', at, 'meal-' || i, 'token-' || member,
           case when i <= ${readable} then jsonb_set($1::jsonb, '{transaction,id}', to_jsonb('meal-' || i)) else '{}' end,
           'applied', at from m),
       meals as (insert into transactions (partner_id, public_id, network_id, member_id, merchant_id, merchant_name, network_location_id,
           card_token, card_last_four, stage, award_status, ticket_cents, cleared_cents, benefit, unit, reason, occurred_at, cleared_at, is_limited, unmatched)
         select 'skyharbor', 'public-' || i, 'meal-' || i, member, case when i % 20000 > 0 then place end, 'Corner Bistro', 'somewhere', 'token-' || member, lpad((i % 10000)::text, 4, '0'),
           'cleared', 'Awarded', 2000 + i % 9000, 2000 + i % 9000, 126, 'mile', '{"code": "earned"}', at, at, false,
           case when i % 20000 = 0 then 'merchant' end from m),
       entries as (insert into journal_entries (partner_id, source, source_id, version, kind, reason, posted_at)
         select 'skyharbor', 'transaction', 'meal-' || i, 1, 'award', '{}', at from m returning id, source_id)
       insert into postings (partner_id, journal_entry_id, account, member_id, merchant_id, unit, amount)
       select 'skyharbor', e.id, side.account, case side.account when 'member' then m.member end, place, 'mile', side.amount
       from entries e join m on 'meal-' || m.i = e.source_id
       cross join (values ('member', 126), ('program', -126)) as side (account, amount)`,
      [message],
    )
  }
}
