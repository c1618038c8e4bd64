import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { getMember, listJournal, listTimeline } from '../src/account/console/detail.ts'
import { listMembers, readMembers } from '../src/account/console/list.ts'
import * as memberSchemas from '../src/account/console/schemas.ts'
import { getHome } from '../src/console/home/service.ts'
import { createPools } from '../src/platform/database/db.ts'
import { ensureLogin } from '../src/platform/database/logins.ts'
import type { OperatorCtx } from '../src/platform/http/operator.ts'
import { getTransaction, listTransactions } from '../src/rewards/activity/console/service.ts'
import { readTransactions } from '../src/rewards/activity/console/store.ts'
import { listClaimQueue } from '../src/rewards/claims/console/service.ts'
import { getUnmatched, listUnmatched } from '../src/rewards/feed/console/unmatched-service.ts'
import { addMerchant, createTestContext, createTestHarness } from '../tests/support/rewards-harness.ts'
import { storeRows, withOwner } from './stored-rows.ts'

const amounts = (process.env.STORED ?? '10000,1000000').split(',').map(Number)
const rounds = Number(process.env.ROUNDS ?? 15)
const mealsEach = 10
const restaurants = 500
/** Rows of a table that a call may read without an index: the count of a list reads as many. */
const mostReadWhole = 10_500

const print = (line: string) => process.stdout.write(`${line}\n`)

const members = (over: Record<string, string> = {}) => memberSchemas.listMembers.query.parse(over)
const transactions = (over: Partial<Parameters<typeof listTransactions>[1]> = {}) =>
  ({ status: 'any', reason: 'any', limit: 50, ...over }) as const
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** What is measured; `i` differs by round, so that no answer is the one before, and is below the fewest members. */
const calls: Readonly<Record<string, (ctx: OperatorCtx, i: number) => Promise<unknown>>> = {
  'home of a program': (ctx) => getHome(ctx),
  'members: first page': (ctx) => listMembers(ctx, members()),
  'members: a tier': (ctx) => listMembers(ctx, members({ tier: 'VIP' })),
  'members: joined in a week': (ctx, i) =>
    listMembers(ctx, members({ joinedFrom: dayBefore(i + 7), joinedTo: dayBefore(i) })),
  'members: with a card, oldest first': (ctx) => listMembers(ctx, members({ card: 'yes', sort: 'oldest' })),
  'members: who dined in a week': (ctx, i) =>
    listMembers(ctx, members({ dinedFrom: dayBefore(i + 7), dinedTo: dayBefore(i) })),
  'members: an email address': (ctx, i) => listMembers(ctx, members({ q: `${i}@stored.example` })),
  'members: a first name': (ctx, i) => listMembers(ctx, members({ q: `ada${i}` })),
  'members: the last four of a card': (ctx, i) => listMembers(ctx, members({ q: String(1000 + i) })),
  'a member: page': async (ctx, i) => {
    const id = `stored-0000000000000${i}`
    return Promise.all([getMember(ctx, Buffer.alloc(32), id), listTimeline(ctx, id, { limit: 25 })])
  },
  'a member: journal': (ctx, i) => listJournal(ctx, `stored-0000000000000${i}`, { limit: 25 }),
  'transactions: first page': (ctx) => listTransactions(ctx, transactions()),
  'transactions: a day': (ctx, i) => listTransactions(ctx, transactions({ from: dayBefore(i), to: dayBefore(i) })),
  'transactions: a status': (ctx) => listTransactions(ctx, transactions({ status: 'Awarded' })),
  'transactions: amounts': (ctx, i) => listTransactions(ctx, transactions({ min: 3_000 + i, max: 3_010 + i })),
  'transactions: the last four of a card': (ctx, i) => listTransactions(ctx, transactions({ q: String(1000 + i) })),
  'transactions: of a member': (ctx, i) => listTransactions(ctx, transactions({ member: `${i}@stored.example` })),
  'a transaction: page': (ctx, i) => getTransaction(ctx, `public-${i}`),
  'claims: queue': (ctx) => listClaimQueue(ctx, { state: 'open', owner: 'anybody', limit: 50 }),
  'unmatched: queue': (ctx) => listUnmatched(ctx, { state: 'open', missing: 'any', limit: 50 }),
  'unmatched: one': async (ctx) => {
    const [first] = (await listUnmatched(ctx, { state: 'open', missing: 'any', limit: 1 })).items
    return first && getUnmatched(ctx, first.id)
  },
}

interface Side {
  stored: number
  ctx: OperatorCtx
  ownerUrl: string
  close: () => Promise<void>
}

async function open(stored: number): Promise<Side> {
  const harness = await createTestHarness()
  const plain = createTestContext(harness, 'skyharbor')
  for (let n = 0; n < restaurants; n++) await addMerchant(plain.db)
  const since = performance.now()
  await storeRows(harness.ownerUrl, { members: stored, mealsEach })
  const seconds = Math.round((performance.now() - since) / 1000)
  print(`${count(stored)} members, ${count(stored * mealsEach)} transactions stored in ${seconds} s`)
  const login = await ensureLogin(harness.ownerUrl, { group: 'dineback_console', password: randomUUID() })
  const pools = createPools({ url: login })
  const operator = { id: 1, email: 'bench@dineback.example', name: 'Bench', grants: [] }
  const ctx = {
    ...plain,
    db: pools.forPartner('skyharbor'),
    operator,
    may: () => true,
    record: async () => {},
  } as unknown as OperatorCtx
  const close = async () => {
    await pools.close()
    await harness.close()
  }
  return { stored, ctx, ownerUrl: harness.ownerUrl, close }
}

/**
 * Compares the console's reads with few and with many rows, call by call in turns, and names the tables that a call reads
 * from end to end. Then it exports all members and transactions and says how much memory that took.
 */
export async function benchConsole(): Promise<void> {
  const sides: Side[] = []
  for (const stored of amounts) sides.push(await open(stored))
  print(`\n${''.padEnd(40)}${sides.map(({ stored }) => count(stored).padStart(12)).join('')}   ratio`)
  for (const [name, call] of Object.entries(calls)) {
    const times = sides.map(() => [] as number[])
    const whole = new Set<string>()
    for (const { ctx } of sides) await call(ctx, 1)
    const last = sides.at(-1) as Side
    const before = await rowsReadWhole(last)
    for (let round = 0; round < rounds; round++) {
      for (const [index, { ctx }] of sides.entries()) {
        const since = performance.now()
        await call(ctx, 2 + round)
        times[index]?.push(performance.now() - since)
      }
    }
    for (const [table, rows] of await rowsReadWhole(last)) {
      // A small table is read as fast from end to end.
      if ((rows - (before.get(table) ?? 0)) / rounds > mostReadWhole) whole.add(table)
    }
    const medians = times.map(median)
    const ratio = (medians.at(-1) ?? 0) / (medians[0] ?? 1)
    const found = whole.size > 0 ? `   reads all of ${[...whole].join(', ')}` : ''
    print(
      `${name.padEnd(40)}${medians.map((ms) => `${ms.toFixed(1)} ms`.padStart(12)).join('')}${ratio.toFixed(2).padStart(8)}${found}`,
    )
  }
  for (const { stored, ctx } of sides) await benchExports(stored, ctx)
  for (const { close } of sides) await close()
}

async function benchExports(stored: number, ctx: OperatorCtx): Promise<void> {
  const exports = {
    members: async function* () {
      for await (const rows of readMembers(ctx, members())) yield rows.length
    },
    transactions: async function* () {
      for await (const rows of readTransactions(ctx.db, transactions(), 'UTC')) yield rows.length
    },
  }
  for (const [name, parts] of Object.entries(exports)) {
    globalThis.gc?.()
    const [before, since] = [process.memoryUsage().rss, performance.now()]
    let [most, rows] = [before, 0]
    for await (const part of parts()) {
      rows += part
      most = Math.max(most, process.memoryUsage().rss)
      if (rows >= 1_000_000) break
    }
    const seconds = (performance.now() - since) / 1000
    print(
      `export of ${count(rows)} ${name} of ${count(stored)} members: ${Math.round(rows / seconds)} rows/s, ` +
        `at most ${Math.round((most - before) / 1e6)} MB more than before`,
    )
  }
}

/** Returns the rows that sequential scans have read, by table. */
async function rowsReadWhole({ ownerUrl }: Side): Promise<Map<string, number>> {
  // Sessions report what they did up to a second later.
  await wait(1_500)
  return withOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ relname: string; rows: number }>(
      'select relname, seq_tup_read::float8 as rows from pg_stat_user_tables',
    )
    return new Map(rows.map(({ relname, rows: read }) => [relname, read]))
  })
}

const count = (value: number) => value.toLocaleString('en-US')
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
