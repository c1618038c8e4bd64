import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { createPools, type Db } from '../../src/platform/database/db.ts'
import { ensureLogin } from '../../src/platform/database/logins.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'
import type { FeedEvent, Outcome } from '../../src/rewards/feed/contract.ts'
import { receiveEvents } from '../../src/rewards/feed/receive-events.ts'
import { createTestDatabase } from './database.ts'

/** The programs of the tests, by reward currency. */
const configs = {
  skyharbor: { currencyType: 'Mile', hasVIP: true },
  beacon: { currencyType: 'Credit', statementCreditFromCents: 20_00, hasVIP: true, vipDollarsRequired: 500 },
  gallonaire: { currencyType: 'Dollar', earnStepCents: 50_00, statusCopy: 'fuel' },
} as const

export type TestPartner = keyof typeof configs

export function programConfig(partnerId: TestPartner): ProgramConfig {
  return ProgramConfig.parse({
    code: partnerId,
    name: partnerId,
    programName: `${partnerId} Dining`,
    currencyName: 'miles',
    earnRates: { OptedOut: 100, NonActivated: 100, OptedIn: 300, VIP: 500 },
    customerSupport: {
      phone: { href: 'tel:+18005550100', formatted: '(800) 555-0100' },
      email: { href: 'mailto:help@example.com', display: 'help@example.com' },
    },
    ...configs[partnerId],
  })
}

export type TestHarness = Awaited<ReturnType<typeof createTestHarness>>

/**
 * Opens a database with three partners, accessed as the application does, with row-level security. `prepare` gets the
 * owner's URL before anything connects as the application does.
 */
export async function createTestHarness(prepare?: (ownerUrl: string) => Promise<void>) {
  const database = await createTestDatabase('schema')
  await prepare?.(database.url)
  const url = await ensureLogin(database.url, { group: 'dineback_app', password: randomUUID() })
  const pools = createPools({ url, onError: () => {} })
  const ids = Object.keys(configs).map((id) => ({ id }))
  await pools.shared.insertInto('partners').values(ids).execute()
  return {
    url,
    ownerUrl: database.url,
    pools,
    async close() {
      await pools.close()
      await database.drop()
    },
  }
}

/** Returns the context that functions of this module receive; the clock is fixed unless the test moves it. */
export function createTestContext(harness: Pick<TestHarness, 'pools'>, partnerId: TestPartner, now = new Date()): Ctx {
  return {
    partnerId,
    db: harness.pools.forPartner(partnerId),
    actor: { memberId: null, sessionId: null, csrfToken: null, operator: null },
    requestId: 'test',
    address: '127.0.0.1',
    log: pino({ level: 'silent' }),
    t: (key: string) => key,
    returningKey: Buffer.alloc(32, 'returning'),
    now: () => now,
    program: { config: programConfig(partnerId) },
  } as unknown as Ctx
}

/** Processes one message in its own transaction. */
export async function receiveEvent(ctx: Ctx, event: FeedEvent): Promise<Outcome> {
  const [outcome] = await receiveEvents(ctx, [event])
  return outcome as Outcome
}

export async function addMember(db: Db, over: { tier?: string } = {}): Promise<number> {
  const row = await db
    .insertInto('members')
    .values({
      public_id: publicId(),
      referral_code: publicId(),
      family_id: publicId(),
      email: `${publicId()}@example.com`,
      first_name: 'Ada',
      last_name: 'Lovelace',
      zip_code: '10001',
      tier_level: over.tier ?? 'OptedIn',
      email_opt_in: over.tier !== 'OptedOut' && over.tier !== 'NonActivated',
      member_type: 'EnrolledCardMember',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export interface TestCard {
  id: number
  token: string
  lastFour: string
}

export async function addCard(
  db: Db,
  memberId: number,
  { token = publicId(), linkedAt = new Date('2026-01-02T12:00:00Z') }: { token?: string; linkedAt?: Date } = {},
): Promise<TestCard> {
  const row = await db
    .insertInto('cards')
    .values({
      public_id: publicId(),
      member_id: memberId,
      token,
      fingerprint: publicId(),
      card_type: 'VISA',
      description: 'Visa',
      last_four: '0002',
      linked_at: linkedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, token, lastFour: '0002' }
}

export interface TestMerchant {
  id: number
  locationId: string
}

export async function addMerchant(
  db: Db,
  {
    maxVisitsPerMonth = null,
    locationId = randomUUID(),
    name = 'Corner Bistro',
    timeZone = 'America/New_York',
    joinedOn = '2026-01-01',
  }: {
    maxVisitsPerMonth?: number | null
    locationId?: string
    name?: string
    timeZone?: string
    joinedOn?: string
  } = {},
): Promise<TestMerchant> {
  const slug = `bistro-${randomUUID()}`
  const { id } = await db
    .insertInto('merchants')
    .values({
      public_id: slug,
      source: 'test',
      source_id: slug,
      network_location_id: locationId,
      name,
      city: 'New York',
      state: 'NY',
      latitude: 40.7,
      longitude: -73.9,
      time_zone: timeZone,
      joined_on: joinedOn,
      version: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('merchant_offers')
    .values({
      merchant_id: id,
      type: maxVisitsPerMonth === null ? 'Unlimited' : 'Limited',
      max_visits_per_month: maxVisitsPerMonth,
      starts_on: joinedOn,
    })
    .execute()
  return { id, locationId }
}

/**
 * Checks the invariants of a partner's ledger; returns a sentence for each violation. Journal entries sum to zero, the
 * posted amount of every transaction equals its award, nothing was paid out twice, no deleted account owes anything, and no
 * merged account has anything.
 */
export async function findLedgerViolations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'journal ' || journal_entry_id || ' sums to ' || sum(amount) as fault
      from postings group by journal_entry_id, unit having sum(amount) <> 0
    union all
    select 'journal ' || j.id || ' has no postings'
      from journal_entries j where not exists (select from postings p where p.journal_entry_id = j.id)
    union all
    select 'meal ' || t.network_id || ' is worth ' || t.benefit || ' (' || t.award_status || '), posted ' || posted.sum
      from transactions t, lateral (
        select coalesce(sum(p.amount), 0) as sum from journal_entries j join postings p on p.journal_entry_id = j.id
        where j.source = 'transaction' and j.source_id = t.network_id and p.account = 'member'
      ) posted
      where posted.sum <> case when t.award_status in ('Awarded', 'Paid') then t.benefit else 0 end
    union all
    select 'credit ' || c.public_id || ' of ' || c.amount_cents || ' took ' || coalesce(taken.sum, 0)
      from statement_credits c left join lateral (
        select -sum(p.amount) as sum from postings p
        where p.journal_entry_id = c.journal_entry_id
          and p.member_id in (select id from members where id = c.member_id or merged_into_id = c.member_id)
      ) taken on true
      where taken.sum is distinct from c.amount_cents
    union all
    select 'debt ' || d.public_id || ' is open with ' || d.open_amount || ', posted ' || coalesce(posted.sum, 0)
      from debts d left join lateral (
        select -sum(p.amount) as sum from journal_entries j join postings p on p.journal_entry_id = j.id
        where j.source = 'debt' and j.source_id = d.public_id and p.account = 'debt'
      ) posted on true
      where coalesce(posted.sum, 0) <> d.open_amount
    union all
    select 'deleted account ' || m.id || ' owes ' || sum(p.amount)
      from members m join postings p on p.member_id = m.id
      where m.deleted_at is not null group by m.id, p.unit having sum(p.amount) < 0
    union all
    select 'merged account ' || m.id || ' has ' || sum(p.amount)
      from members m join postings p on p.member_id = m.id
      where m.merged_into_id is not null group by m.id, p.unit having sum(p.amount) <> 0`.execute(db)
  return rows.map((row) => row.fault)
}
