import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeFinishedDays } from '../../src/console/reports/compute.ts'
import { type Figure, flows, levels, smallestGroup } from '../../src/console/reports/names.ts'
import { endOfPeriod, startOfPeriod } from '../../src/console/reports/rules.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { addDays, dayIn, startOfDay } from '../../src/platform/time.ts'
import { postAdjustment } from '../../src/rewards/awards/adjustment.ts'
import { postManualCredit } from '../../src/rewards/awards/manual-credit.ts'
import type { NetworkTransaction } from '../../src/rewards/feed/contract.ts'
import { fixClock } from '../support/fixed-clock.ts'
import { queryAsOwner } from '../support/owner.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  createTestHarness,
  receiveEvent,
  type TestCard,
  type TestHarness,
  type TestMerchant,
} from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'

/** Summer time ends on November 1. */
const firstDay = '2026-10-19'
const zone = 'America/New_York'
let clock: Awaited<ReturnType<typeof fixClock>>
let harness: TestHarness
let ctx: Ctx

beforeAll(async () => {
  harness = await createTestHarness(async (ownerUrl) => {
    clock = await fixClock(ownerUrl, startOfDay(firstDay, zone).toISOString())
  })
  const base = createTestContext(harness, 'beacon')
  const settlement = { restaurantFee: 1000, centsPer100Units: 130, partnerShare: 2000 }
  const config = { ...base.program.config, settlement, timeZone: zone, linkActivationHours: 0 }
  ctx = { ...base, program: { ...base.program, config }, now: () => new Date() }
})

afterAll(async () => {
  clock?.release()
  await harness?.close()
})

interface Stored {
  period: string
  figure: Figure
  day: string
  amount: number
  shown: number | null
}

const listStored = async (): Promise<Stored[]> =>
  (
    await sql<Stored>`select period, figure, starts_on as day, amount, shown from report_figures
      order by period, figure, starts_on`.execute(ctx.db)
  ).rows

/** Returns numbers from 0 to 1 that are the same in every run. */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Diner {
  memberId: number
  card: TestCard
  /** The purchases that can be refunded or charged. */
  purchases: { id: string; amount: string; isCleared: boolean }[]
}

/** Does random acts of a program's members and operators, each at the time of the clock. */
async function createTown(random: () => number) {
  const diners: Diner[] = []
  const restaurants: TestMerchant[] = []
  for (let count = 0; count < 3; count++) restaurants.push(await addMerchant(ctx.db))
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const send = (
    event: 'transaction.auth' | 'transaction.clearing' | 'transaction.refund',
    diner: Diner,
    given: Partial<NetworkTransaction>,
  ) => {
    const at = new Date().toISOString()
    return receiveEvent(
      ctx,
      feedEvent(event, {
        programId: 'beacon',
        card: { id: diner.card.token, scheme: 'visa', lastNumbers: '0002' },
        location: { id: pick(restaurants).locationId },
        datetime: at,
        created: at,
        updated: at,
        ...given,
      }),
    )
  }
  const amount = () => (10 + Math.floor(random() * 90_00) / 100).toFixed(2)
  const acts: Record<string, () => Promise<unknown>> = {
    async join() {
      const memberId = await addMember(ctx.db)
      diners.push({ memberId, card: await addCard(ctx.db, memberId, { linkedAt: new Date() }), purchases: [] })
    },
    async authorize() {
      const [diner, id, sum] = [pick(diners), randomUUID(), amount()]
      await send('transaction.auth', diner, { id, amount: sum })
      diner.purchases.push({ id, amount: sum, isCleared: false })
    },
    async clear() {
      const diner = pick(diners)
      const known = diner.purchases.find(({ isCleared }) => !isCleared)
      const purchase = known ?? { id: randomUUID(), amount: amount(), isCleared: true }
      await send('transaction.clearing', diner, { id: purchase.id, amount: purchase.amount })
      purchase.isCleared = true
      if (!known) diner.purchases.push(purchase)
    },
    async refund() {
      const diner = pick(diners)
      const purchase = diner.purchases.find(({ isCleared }) => isCleared)
      if (!purchase) return
      diner.purchases = diner.purchases.filter((other) => other !== purchase)
      const part = random() < 0.5 ? purchase.amount : '1.50'
      await send('transaction.refund', diner, { id: randomUUID(), amount: part, originalTransactionId: purchase.id })
    },
    adjust: () =>
      inTransaction(ctx.db, (tx) => {
        const credit = { id: randomUUID(), memberId: pick(diners).memberId, amount: Math.round(random() * 900) - 300 }
        return postAdjustment(tx, ctx, { ...credit, words: 'A test', by: ['Ada'] })
      }),
    claim: () =>
      inTransaction(ctx.db, (tx) => {
        const { memberId, card } = pick(diners)
        const meal = { merchantId: null, merchantName: randomUUID(), dinedAt: new Date(), cents: 20_00 }
        const claim = { claimId: randomUUID(), cardId: card.id, cardLastFour: card.lastFour, otherMeals: [] }
        return postManualCredit(tx, ctx, { ...meal, ...claim, memberId, benefit: 1 + Math.floor(random() * 400) })
      }),
    removeCard: () => sql`update cards set removed_at = now() where id = ${pick(diners).card.id}`.execute(ctx.db),
    linkAgain: () => sql`update cards set removed_at = null where id = ${pick(diners).card.id}`.execute(ctx.db),
  }
  const weighted = [
    'authorize',
    'clear',
    'clear',
    'clear',
    'clear',
    'refund',
    'adjust',
    'claim',
    'removeCard',
    'linkAgain',
  ]
  return {
    join: acts.join as () => Promise<unknown>,
    act: () => acts[pick(weighted)]?.() as Promise<unknown>,
    leave: () => sql`update members set deleted_at = now() where id = ${pick(diners).memberId}`.execute(ctx.db),
  }
}

/** Returns the state of a program now, which no report has a part in. */
async function readState(): Promise<Record<'dines' | 'spend' | 'members' | 'cards' | 'liability', number>> {
  const { rows } = await sql<Awaited<ReturnType<typeof readState>>>`
    select count(*) filter (where is_dine) as dines,
      coalesce(sum(cleared_cents - refunded_cents) filter (where is_dine), 0)::bigint as spend,
      (select count(*) from members where deleted_at is null) as members,
      (select count(*) from cards where removed_at is null) as cards,
      (select coalesce(sum(amount), 0)::bigint from postings where account = 'member') as liability
    from (select *, member_id is not null and unmatched is null and type_code = 'S' and stage <> 'authorized' as is_dine
      from transactions) t`.execute(ctx.db)
  return rows[0] as Awaited<ReturnType<typeof readState>>
}

/** Returns what the ledger says of each day. */
async function readLedger(): Promise<Map<string, Record<string, number>>> {
  const { rows } = await sql<Record<string, number> & { day: string }>`
    select (e.posted_at at time zone ${zone})::date as day,
      sum(case when account = 'member' and kind not in ('statement-credit', 'returned-credit') then amount else 0 end)::bigint as rewards,
      -sum(case when account = 'member' and kind in ('statement-credit', 'returned-credit') then amount else 0 end)::bigint as payouts,
      -sum(case when account = 'restaurant' then amount else 0 end)::bigint as fees,
      sum(case when account = 'partner' then amount else 0 end)::bigint as "partnerShare",
      sum(case when account = 'platform' then amount else 0 end)::bigint as margin
    from journal_entries e join postings p on p.journal_entry_id = e.id group by 1`.execute(ctx.db)
  return new Map(rows.map(({ day, ...sums }) => [day, sums]))
}

test('CON-501 CON-502 CON-503 figures of past days equal the ledger, never change, and show no small group', async () => {
  const random = numbersOf(20261019)
  const town = await createTown(random)
  const days = scaled({ full: 100, short: 20 })
  let before: Stored[] = []
  for (let at = 0; at < days; at++) {
    const day = addDays(firstDay, at)
    const start = startOfDay(day, zone).getTime()
    const acts = at % 7 === 3 ? 0 : 4 + Math.floor(random() * 26)
    const moments = Array.from({ length: acts + 1 }, () => start + random() * 22.9 * 3_600_000).sort((a, b) => a - b)
    for (const [index, moment] of moments.entries()) {
      await clock.moveTo(new Date(moment).toISOString())
      if (at === 0 || (index < 2 && random() < 0.6)) await town.join()
      else await town.act()
    }
    if (at % 9 === 8) await town.leave()
    const state = await readState()
    // Not before the day is over for an hour.
    const next = startOfDay(addDays(day, 1), zone).getTime()
    await clock.moveTo(new Date(next + 59 * 60_000).toISOString())
    await computeFinishedDays(ctx)
    expect(await listStored()).toEqual(before)
    await clock.moveTo(new Date(next + 60 * 60_000).toISOString())
    await computeFinishedDays(ctx)
    const stored = await listStored()
    expect(stored.length).toBeGreaterThan(before.length)
    expect(stored.filter((row) => before.some((other) => isSame(other, row)))).toEqual(before)
    const sumOf = (figure: Figure) =>
      stored.filter((row) => row.period === 'day' && row.figure === figure).reduce((sum, row) => sum + row.amount, 0)
    const last = (figure: Figure) =>
      stored.find((row) => row.period === 'day' && row.figure === figure && row.day === day)
    expect({ dines: sumOf('dines'), spend: sumOf('spend') }).toEqual({ dines: state.dines, spend: state.spend })
    for (const level of ['members', 'cards', 'liability'] as const)
      expect([day, level, last(level)?.amount]).toEqual([day, level, state[level]])
    before = stored
  }
  const ledger = await readLedger()
  const daily = before.filter(({ period }) => period === 'day')
  for (const figure of ['rewards', 'payouts', 'fees', 'partnerShare', 'margin'] as const) {
    const shown = daily.filter((row) => row.figure === figure)
    expect(shown.map(({ day, amount }) => [figure, day, amount])).toEqual(
      shown.map(({ day }) => [figure, day, ledger.get(day)?.[figure] ?? 0]),
    )
    // Not a test of zeros.
    expect(shown.filter(({ amount }) => amount !== 0).length).toBeGreaterThan(1)
  }
  await expectBlocks(daily)
  expectPeriods(before)
})

const isSame = (a: Stored, b: Stored) => a.period === b.period && a.figure === b.figure && a.day === b.day

/** What is shown of a flow is the sum of the days since it was shown last, and about ten people or nobody. */
async function expectBlocks(daily: readonly Stored[]): Promise<void> {
  const people = await listPeople()
  let hidden = 0
  for (const flow of flows) {
    let block: Stored[] = []
    for (const row of daily.filter(({ figure }) => figure === flow)) {
      block.push(row)
      const sums = new Map<number, number>()
      for (const { day } of block)
        for (const each of people.get(`${flow} ${day}`) ?? [])
          sums.set(each.person, (sums.get(each.person) ?? 0) + each.amount)
      const count = [...sums.values()].filter((sum) => sum !== 0).length
      const total = block.reduce((sum, { amount }) => sum + amount, 0)
      const isShown = count >= smallestGroup || (count === 0 && total === 0)
      expect([flow, row.day, count, row.shown]).toEqual([flow, row.day, count, isShown ? total : null])
      if (isShown) block = []
      else hidden++
    }
  }
  expect(hidden).toBeGreaterThan(20)
}

/** Returns what each person adds to each flow on each day, by queries that have nothing in common with the reports'. */
async function listPeople(): Promise<Map<string, { person: number; amount: number }[]>> {
  const found = await queryAsOwner<{ flow: string; day: string; person: string; amount: string }>(
    harness.ownerUrl,
    `with steps as (
      select member_id, kind, at, row_number() over (partition by member_id, kind order by at, subject_id) as nth from (
        select member_id, kind, subject_id, min(at) as at from report_facts where count > 0 group by 1, 2, 3) firsts),
    facts as (
      select 'joined' as flow, joined_at as at, id as person, 1::bigint as amount from members
      union all select 'left', deleted_at, id, 1 from members where deleted_at is not null
      union all select 'dines', at, member_id, count from report_facts where kind = 'dine'
      union all select 'spend', at, member_id, cents from report_facts where kind = 'dine'
      union all select 'linked', at, member_id, 1 from report_facts where kind = 'card' and count = 1
      union all select 'removed', at, member_id, 1 from report_facts where kind = 'card' and count = -1
      union all select 'firstCards', at, member_id, 1 from steps where kind = 'card' and nth = 1
      union all select 'firstDines', at, member_id, 1 from steps where kind = 'dine' and nth = 1
      union all select 'fifthDines', at, member_id, 1 from steps where kind = 'dine' and nth = 5
      union all
      select case when p.account = 'member' then case when e.kind in ('statement-credit', 'returned-credit') then 'payouts' else 'rewards' end
          else case p.account when 'restaurant' then 'fees' when 'partner' then 'partnerShare' else 'margin' end end,
        e.posted_at,
        (select member_id from postings m where m.journal_entry_id = e.id and m.account = 'member' limit 1),
        case when p.account = 'restaurant' or e.kind in ('statement-credit', 'returned-credit') then -p.amount else p.amount end
      from journal_entries e join postings p on p.journal_entry_id = e.id
      where p.account in ('member', 'restaurant', 'partner', 'platform'))
    select flow, (at at time zone $1)::date::text as day, person, sum(amount) as amount from facts where person is not null group by 1, 2, 3`,
    [zone],
  )
  const rows = found.map(({ flow, day, person, amount }) => ({
    key: `${flow} ${day}`,
    person: Number(person),
    amount: Number(amount),
  }))
  return Map.groupBy(rows, ({ key }) => key)
}

/** Weeks and months are the sums of their days, in amounts and in what is shown; levels are those of the last day. */
function expectPeriods(stored: readonly Stored[]): void {
  const daily = stored.filter(({ period }) => period === 'day')
  const longer = stored.filter((row): row is Stored & { period: 'week' | 'month' } => row.period !== 'day')
  expect(new Set(longer.map(({ period }) => period))).toEqual(new Set(['week', 'month']))
  for (const row of longer) {
    expect(startOfPeriod(row.period, row.day)).toBe(row.day)
    const end = endOfPeriod(row.period, row.day)
    const own = daily.filter(({ figure, day }) => figure === row.figure && day >= row.day && day <= end)
    if (row.figure === 'diners') continue
    if (Object.hasOwn(levels, row.figure)) {
      expect(row).toMatchObject({ amount: own.at(-1)?.amount, shown: own.at(-1)?.shown })
      continue
    }
    const shown = own.flatMap((each) => each.shown ?? [])
    expect(row).toMatchObject({
      amount: own.reduce((sum, { amount }) => sum + amount, 0),
      shown: shown.length === 0 ? null : shown.reduce((sum, each) => sum + each, 0),
    })
  }
}

test('CON-503 active diners are counted once in a period, in whole tens', async () => {
  const rows = (await listStored()).filter(({ figure }) => figure === 'diners')
  const facts = await queryAsOwner<{ at: Date; member: string }>(
    harness.ownerUrl,
    "select at, member_id as member from report_facts where kind = 'dine' and count > 0",
  )
  expect(rows.length).toBeGreaterThan(20)
  for (const { period, day, amount, shown } of rows) {
    const end = endOfPeriod(period as 'day', day)
    const own = facts.filter(({ at }) => dayIn(at, zone) >= day && dayIn(at, zone) <= end)
    const people = new Set(own.map(({ member }) => member)).size
    expect([period, day, amount, shown]).toEqual([
      period,
      day,
      people,
      people > 0 && people < 10 ? null : Math.floor(people / 10) * 10,
    ])
  }
})

test('CON-506 of each cohort, the members with a dine in a month are counted, in whole tens', async () => {
  const stored = (
    await sql<{ cohort: string; month: string; members: number; shown: number | null }>`
      select * from report_cohorts order by cohort, month`.execute(ctx.db)
  ).rows
  const facts = await queryAsOwner<{ at: Date; member: string }>(
    harness.ownerUrl,
    "select at, member_id as member from report_facts where kind = 'dine' and count > 0 order by at",
  )
  const monthsOf = new Map<string, string[]>()
  for (const { at, member } of facts)
    monthsOf.set(member, [...(monthsOf.get(member) ?? []), startOfPeriod('month', dayIn(at, zone))])
  expect(stored.length).toBeGreaterThan(0)
  for (const { cohort, month, members, shown } of stored) {
    const people = [...monthsOf.values()].filter((months) => months[0] === cohort && months.includes(month)).length
    expect([cohort, month, members, shown]).toEqual([
      cohort,
      month,
      people,
      people < 10 ? null : people - (people % 10),
    ])
  }
})

interface OriginRow {
  month: string
  kind: string
  origin: string
  dines: number
  spend: number
  rewards: number
  members: number
}

test('CON-507 CON-508 restaurants and bonuses are parts of what the days of a month show, each of ten people or more', async () => {
  const { rows } = await sql<OriginRow>`select * from report_origins order by month, kind, origin`.execute(ctx.db)
  expect(rows.length).toBeGreaterThan(1)
  const figuresOfDays = (await listStored()).filter(({ period }) => period === 'day')
  for (const month of new Set(rows.map((row) => row.month))) {
    const own = rows.filter((row) => row.month === month)
    const end = endOfPeriod('month', month)
    for (const figure of ['dines', 'spend', 'rewards'] as const) {
      const days = figuresOfDays.filter((row) => row.figure === figure && row.shown !== null)
      const shown = days.filter(({ day }) => day >= month && day <= end)
      const total = shown.reduce((sum, row) => sum + (row.shown ?? 0), 0)
      expect([month, figure, own.reduce((sum, row) => sum + row[figure], 0)]).toEqual([month, figure, total])
      if (figure === 'rewards') continue
      const since = days.filter(({ day }) => day < month).at(-1)?.day ?? '2000-01-01'
      const people = await queryAsOwner<{ merchant: string; people: string }>(
        harness.ownerUrl,
        `select merchant_id::text as merchant, count(*) as people from (
          select merchant_id, member_id, sum(case $4 when 'dines' then count else cents end) as amount from report_facts
          where kind = 'dine' and (at at time zone $1)::date > $2 and (at at time zone $1)::date <= $3 group by 1, 2) each
         where amount <> 0 group by 1`,
        [zone, since, shown.at(-1)?.day, figure],
      )
      for (const { merchant, people: count } of people) {
        const isListed = own.some(({ kind, origin }) => kind === 'restaurant' && origin === merchant)
        if (isListed) expect([merchant, Number(count) >= smallestGroup]).toEqual([merchant, true])
      }
    }
    expect(own.filter(({ members }) => members < 10)).toEqual([])
  }
})
