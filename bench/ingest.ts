import { randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import pg from 'pg'
import type { Ctx } from '../src/platform/http/context.ts'
import type { FeedEvent } from '../src/rewards/feed/contract.ts'
import { createIntake } from '../src/rewards/feed/intake.ts'
import { feedEvent } from '../tests/support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  createTestHarness,
  findLedgerViolations,
} from '../tests/support/rewards-harness.ts'
import { storeRows, withOwner } from './stored-rows.ts'

const seconds = Number(process.env.SECONDS ?? 8)
/** Both sides alternate, because the speed of a machine changes from second to second. */
const turns = 4
/** Limit for writers of bare rows; PostgreSQL accepts 100 connections by default. */
const maxConnections = 50

/** Senders and batch sizes. Each sender sends its next batch after the response to the previous one. */
const loads = [
  { name: 'webhooks: one event a request, 50 at once', senders: 50, size: 1 },
  { name: 'webhooks: one event a request, 200 at once', senders: 200, size: 1 },
  { name: 'a file: 10 lines at a time', senders: 1, size: 10 },
  { name: 'a file: 100 lines at a time', senders: 1, size: 100 },
  { name: 'a file: 500 lines at a time', senders: 1, size: 500 },
  { name: 'two files: 500 lines at a time', senders: 2, size: 500 },
]

interface LinkedCard {
  token: string
  locationId: string
}

/** Ingests messages from a maker until the time is over. Returns messages per second. */
async function rate(batchSize: number, take: (batch: number) => Promise<unknown>, lasting = seconds): Promise<number> {
  const until = performance.now() + lasting * 1000
  const from = performance.now()
  let taken = 0
  while (performance.now() < until) {
    await take(batchSize)
    taken += batchSize
  }
  return (taken / (performance.now() - from)) * 1000
}

type Sender = (count: number) => Promise<unknown>

/** Total messages per second of all senders of a load, in one turn. */
async function measureTotalRate({ size }: { size: number }, senders: readonly Sender[]): Promise<number> {
  return sum(await Promise.all(senders.map((send) => rate(size, send, seconds / turns))))
}

/** A realistic feed: each transaction is authorized, then cleared with its tip in a later message. */
function createEventMaker(linkedCards: readonly LinkedCard[]): () => FeedEvent {
  let next = 0
  const open: { id: string; linkedCard: LinkedCard; cents: number }[] = []
  return () => {
    const now = new Date(Date.now() - 3_600_000).toISOString()
    const due = open.length > 2000 ? open.shift() : undefined
    const transaction = due ?? {
      id: randomUUID(),
      linkedCard: linkedCards[next++ % linkedCards.length] as LinkedCard,
      cents: 2000 + (next % 9000),
    }
    if (!due) open.push(transaction)
    const cents = due ? Math.round(transaction.cents * 1.2) : transaction.cents
    return feedEvent(due ? 'transaction.clearing' : 'transaction.auth', {
      id: transaction.id,
      amount: (cents / 100).toFixed(2),
      datetime: now,
      created: now,
      updated: new Date().toISOString(),
      card: { id: transaction.linkedCard.token, scheme: 'visa', lastNumbers: '0002' },
      location: { id: transaction.linkedCard.locationId },
    })
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Compares the rate at which messages become ledger entries with the rate of bare inserts on the same machine. */
export async function benchIngest(): Promise<void> {
  const harness = await createTestHarness()
  const { ownerUrl } = harness
  const ctx = createTestContext(harness, 'skyharbor')
  const take = createSender(ctx, await createLinkedCards(ctx, 2_000, 200))
  print(`${cpus().length} cores; auth and clearing of each meal, ${seconds} s a line and side, everything durable\n`)
  for (let warm = 0; warm < 40; warm++) await take(500)
  // Autovacuum does the same within its first minute; until then the planner lacks table statistics.
  await withOwner(ownerUrl, (client) => client.query('vacuum analyze'))
  const rowsPerEvent = await measureRowsPerEvent(ownerUrl)
  for (const load of loads) {
    const bare = await openBare(ownerUrl, load.senders, rowsPerEvent)
    let [ours, others] = [0, 0]
    for (let turn = 0; turn < turns; turn++) {
      ours += await measureTotalRate(load, Array(load.senders).fill(take))
      others += await measureTotalRate(load, bare.senders)
    }
    await bare.close()
    print(
      `${load.name.padEnd(44)} ${fixed(ours / turns)} events/s   ` +
        `bare: ${rowsPerEvent.toFixed(1)} rows each ${fixed(others / turns)} events/s   ratio ${percent(ours / others)}`,
    )
  }
  const faults = await findLedgerViolations(ctx.db)
  print(faults.length === 0 ? '\nthe ledger balances' : `\nFAULTS ${faults.slice(0, 3)}`)
  await harness.close()
}

/** Measures the cost of an event for different numbers of stored transactions. */
export async function benchStored(): Promise<void> {
  const amounts = (process.env.STORED ?? '10000,1000000').split(',').map(Number)
  const harnesses: StoredHarness[] = []
  for (const stored of amounts) harnesses.push(await openStored(stored))
  for (let turn = 0; turn < turns; turn++) {
    for (const harness of harnesses) harness.cost += 1e6 / (await measureTotalRate({ size: 500 }, [harness.take]))
  }
  for (const { stored, cost, close } of harnesses) {
    const ratio = cost / (harnesses[0]?.cost ?? cost)
    print(
      `${stored.toLocaleString('en-US').padStart(12)} meals stored   ` +
        `${(cost / turns).toFixed(0)} µs an event   ratio ${ratio.toFixed(2)}`,
    )
    await close()
  }
}

interface StoredHarness {
  stored: number
  take: Sender
  /** Microseconds per event, summed over all turns. */
  cost: number
  close: () => Promise<void>
}

/** Opens a database with `stored` transactions and a sender of further ones. */
async function openStored(stored: number): Promise<StoredHarness> {
  const harness = await createTestHarness()
  const ctx = createTestContext(harness, 'skyharbor')
  const linkedCards = await createLinkedCards(ctx, 2_000, 200)
  await storeRows(harness.ownerUrl, { members: Math.ceil(stored / 50), mealsEach: 50 })
  const take = createSender(ctx, linkedCards)
  // The first batches read from disk.
  for (let warm = 0; warm < 20; warm++) await take(500)
  return { stored, take, cost: 0, close: () => harness.close() }
}

function createSender(ctx: Ctx, linkedCards: readonly LinkedCard[]): Sender {
  const next = createEventMaker(linkedCards)
  const intake = createIntake()
  return (count) => Promise.all(Array.from({ length: count }, () => intake.receive(ctx, next())))
}

const sum = (rates: readonly number[]) => rates.reduce((total, each) => total + each, 0)
const fixed = (value: number) => String(Math.round(value)).padStart(6)
const percent = (ratio: number) => `${Math.round(ratio * 100)} %`

async function createLinkedCards(ctx: Ctx, members: number, merchants: number): Promise<LinkedCard[]> {
  const places = await Promise.all(Array.from({ length: merchants }, () => addMerchant(ctx.db)))
  const linkedCards: LinkedCard[] = []
  for (let index = 0; index < members; index++) {
    const card = await addCard(ctx.db, await addMember(ctx.db))
    linkedCards.push({ token: card.token, locationId: places[index % merchants]?.locationId as string })
  }
  return linkedCards
}

/** Rows written per event: its message, the inserted or updated transaction and its ledger rows. */
async function measureRowsPerEvent(url: string): Promise<number> {
  return withOwner(url, async (client) => {
    const { rows } = await client.query(
      `select 2 + ((select count(*) from journal_entries) + (select count(*) from postings))::float8
         / (select count(*) from feed_messages) as count`,
    )
    return rows[0].count
  })
}

/** Senders that write the same number of rows per event into a table without indexes. */
async function openBare(url: string, count: number, rowsPerEvent: number) {
  const body = feedEvent('transaction.auth')
  const pool = new pg.Pool({ connectionString: url, max: Math.min(count, maxConnections) })
  await pool.query('create table bare_rows (id bigint, partner text, body jsonb, at timestamptz)')
  const send = (events: number) =>
    pool.query({
      name: 'bare',
      text: `insert into bare_rows select id, partner, body, at
        from json_to_recordset($1::json) as r(id bigint, partner text, body jsonb, at timestamptz)`,
      values: [
        JSON.stringify(
          Array.from({ length: Math.max(1, Math.round(events * rowsPerEvent)) }, (_, id) => ({
            id,
            partner: 'skyharbor',
            body,
            at: new Date(),
          })),
        ),
      ],
    })
  return {
    senders: Array<Sender>(count).fill(send),
    async close() {
      await pool.query('drop table bare_rows')
      await pool.end()
    },
  }
}
