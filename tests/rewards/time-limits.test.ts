import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { readActivity, readTransactionsAndCredits } from '../../src/rewards/activity/read-activity.ts'
import { readYears } from '../../src/rewards/awards/dining-progress.ts'
import { listAwaitingReview, listReviewsToNotify, listTimedOut } from '../../src/rewards/awards/pending-store.ts'
import { findListedTransactions, readTransaction } from '../../src/rewards/awards/read-transaction.ts'
import { listBonusTransactions } from '../../src/rewards/awards/reconcile-bonuses.ts'
import { findLimitedMonths, listTransactionsOfMonths } from '../../src/rewards/awards/store.ts'
import { findFormerTiers } from '../../src/rewards/awards/tier-history.ts'
import { readBonuses } from '../../src/rewards/bonuses/service.ts'
import { listCards } from '../../src/rewards/cards/service.ts'
import { listExpiringCards } from '../../src/rewards/cards/store.ts'
import { type ConsoleClaim, listSimilarTransactions } from '../../src/rewards/claims/console/store.ts'
import { listTransactionsAround } from '../../src/rewards/claims/store.ts'
import { listSettledLines } from '../../src/rewards/settlement/store.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, createTestContext, receiveEvent } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()
const now = new Date('2026-03-10T12:00:00Z')
let ctx: Ctx
let memberId: number

beforeAll(async () => {
  ctx = createTestContext(harness, 'skyharbor', now)
  memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  const moments = { datetime: now.toISOString(), updated: now.toISOString() }
  const parties = { card: { id: card.token, lastNumbers: card.lastFour }, location: { id: merchant.locationId } }
  await receiveEvent(ctx, feedEvent('transaction.clearing', { id: randomUUID(), ...moments, ...parties }))
})

/** Changes the transaction and returns whether `list` finds it. */
async function isListed(columns: Record<string, unknown>, list: () => Promise<readonly unknown[]>): Promise<boolean> {
  const names = Object.keys(columns)
  const assignments = names.map((name, index) => `${name} = $${index + 1}`)
  await queryAsOwner(harness.ownerUrl, `update transactions set ${assignments.join(', ')}`, Object.values(columns))
  return (await list()).length > 0
}

/** Returns the moment some days before now, and the moments a millisecond before and after it. */
function around(days: number): Date[] {
  const moment = now.getTime() - days * 86_400_000
  return [-1, 0, 1].map((milliseconds) => new Date(moment + milliseconds))
}

async function listedAround(days: number, column: string, columns: object, list: () => Promise<readonly unknown[]>) {
  const found: boolean[] = []
  for (const at of around(days)) found.push(await isListed({ ...columns, [column]: at }, list))
  return found
}

const unlinked = { unmatched: 'card', member_id: null }

describe('the wait of a transaction is over', () => {
  const timeouts = { clearing: 30, matching: 14 }
  const timedOut = () => listTimedOut(ctx.db, now, timeouts)

  test('30 days after it was authorized, unless it has cleared', async () => {
    const authorized = { award_status: 'Pending', stage: 'authorized', unmatched: null }
    expect(await listedAround(30, 'occurred_at', authorized, timedOut)).toEqual([true, false, false])
    expect(await isListed({ stage: 'cleared', occurred_at: around(31)[0] }, timedOut)).toBe(false)
    expect(await isListed({ stage: 'authorized', award_status: 'Awarded' }, timedOut)).toBe(false)
  })

  test('14 days after it if no card or restaurant was matched', async () => {
    const unmatched = { award_status: 'Deferred', stage: 'cleared', ...unlinked }
    expect(await listedAround(14, 'occurred_at', unmatched, timedOut)).toEqual([true, false, false])
    await isListed({ unmatched: null, member_id: memberId }, timedOut)
  })

  test('as soon as its deferral has ended, counted from its final amount', async () => {
    const deferred = { award_status: 'Deferred', stage: 'cleared', unmatched: null, occurred_at: around(40)[0] }
    expect(await listedAround(0, 'cleared_at', deferred, timedOut)).toEqual([true, true, false])
  })

  test('for its review, from the last moment on, and only once for its notification', async () => {
    const pending = { award_status: 'Pending', stage: 'cleared', unmatched: null }
    for (const list of [listAwaitingReview, listReviewsToNotify]) {
      const listed = () => list(ctx.db, now)
      expect(await listedAround(0, 'occurred_at', pending, listed)).toEqual([true, true, false])
      expect(await isListed({ occurred_at: now, stage: 'authorized' }, listed)).toBe(false)
      expect(await isListed({ stage: 'cleared', award_status: 'Deferred' }, listed)).toBe(false)
    }
    await queryAsOwner(
      harness.ownerUrl,
      `insert into notifications (partner_id, member_id, topic, about, channel, params, path, status)
       select partner_id, member_id, 'reviewDue', public_id, 'email', '{}', '/', 'sent' from transactions`,
    )
    expect(await isListed(pending, () => listReviewsToNotify(ctx.db, now))).toBe(false)
    expect(await isListed(pending, () => listAwaitingReview(ctx.db, now))).toBe(true)
  })
})

const days = ['2026-03-08T23:59:59.999Z', '2026-03-09T00:00:00Z', '2026-03-11T23:59:59.999Z', '2026-03-12T00:00:00Z']

test('a claim is compared with the transactions from the day before to the day after', async () => {
  const listed: boolean[] = []
  for (const occurred_at of days)
    listed.push(await isListed({ occurred_at }, () => listTransactionsAround(ctx.db, memberId, '2026-03-10')))
  expect(listed).toEqual([false, true, true, false])
  // One at an unknown restaurant, too.
  const { merchant_id } = await ctx.db.selectFrom('transactions').select('merchant_id').executeTakeFirstOrThrow()
  const around = () => listTransactionsAround(ctx.db, memberId, '2026-03-11')
  expect(await isListed({ merchant_id: null }, around)).toBe(true)
  expect(await isListed({ merchant_id }, around)).toBe(true)
})

test('the activity has the transactions of the last twelve months', async () => {
  const listed: boolean[] = []
  for (const occurred_at of ['2025-03-10T11:59:59.999Z', '2025-03-10T12:00:00Z'])
    listed.push(await isListed({ occurred_at }, () => readActivity(ctx, memberId, {})))
  expect(listed).toEqual([false, true])
})

test('the activity has the statement credits of the last twelve months', async () => {
  const bank = createTestContext(harness, 'beacon', now)
  const ownerId = await addMember(bank.db)
  for (const moment of ['2025-03-10T11:59:59.999Z', '2025-03-10T12:00:00Z'])
    await queryAsOwner(
      harness.ownerUrl,
      `with j as (insert into journal_entries (partner_id, source, source_id, version, kind, reason)
         values ('beacon', 'test', $2, 1, 'statement-credit', '{"covered": []}') returning id)
       insert into statement_credits (partner_id, public_id, member_id, journal_entry_id, amount_cents, target_type,
         target_label, processor, status, created_at)
       select 'beacon', $2, $1, j.id, 2000, 'card', 'Visa ending in 4242', 'sample', 'completed', $2::timestamptz from j`,
      [ownerId, moment],
    )
  const page = { pageNo: 1, resultsPerPage: 10 }
  const { data, totalPages } = await readTransactionsAndCredits(bank, ownerId, page)
  expect([data.map((entry) => entry.kind === 'credit' && entry.creditId), totalPages]).toEqual([
    ['2025-03-10T12:00:00Z'],
    1,
  ])
})

test('the transactions of a month are those from its first to its last moment in UTC', async () => {
  const [{ merchant_id }] = (await ctx.db.selectFrom('transactions').select('merchant_id').execute()) as [
    { merchant_id: number },
  ]
  const month = { member_id: memberId, merchant_id, from: '2026-03-09', until: '2026-03-11' }
  const listed: boolean[] = []
  for (const occurred_at of days)
    listed.push(
      await isListed({ occurred_at, is_limited: true }, () =>
        inTransaction(ctx.db, (tx) => listTransactionsOfMonths(tx, [month])),
      ),
    )
  expect(listed).toEqual([false, true, true, false])
  const limited: boolean[] = []
  for (const occurred_at of days)
    limited.push(
      await isListed({ occurred_at }, async () => [
        ...(await inTransaction(ctx.db, (tx) => findLimitedMonths(tx, [month]))),
      ]),
    )
  expect(limited).toEqual([false, true, true, false])
})

test('the console shows the member’s transactions of those days, and of unlinked cards those of about the amount', async () => {
  const claim = {
    memberId,
    dinedOn: '2026-03-10',
    amountCents: 100_00,
    merchantId: null,
    merchantName: 'corner bistro',
  }
  const similar = async (over: object = {}) =>
    (await listSimilarTransactions(ctx.db, { ...claim, ...over } as unknown as ConsoleClaim)).similar
  const listed: boolean[] = []
  for (const occurred_at of days) listed.push(await isListed({ occurred_at }, similar))
  expect(listed).toEqual([false, true, true, false])
  const other = { memberId: memberId + 1 }
  expect(await isListed({ occurred_at: now }, () => similar(other))).toBe(false)
  const amounts: boolean[] = []
  for (const cleared_cents of [69_99, 70_00, 140_00, 140_01])
    amounts.push(await isListed({ ...unlinked, ticket_cents: 0, cleared_cents }, () => similar(other)))
  expect(amounts).toEqual([false, true, true, false])
  const elsewhere = () => similar({ ...other, merchantName: 'Other' })
  expect(await isListed({ cleared_cents: 100_00 }, elsewhere)).toBe(false)
  await isListed({ unmatched: null, member_id: memberId }, similar)
})

test('HIST-045 a year counts from its first to its last moment at the restaurant', async () => {
  const year = () => readYears(ctx.db, [memberId], 2026).then((years) => (years.get(memberId)?.dines ? [1] : []))
  const counted: boolean[] = []
  // The restaurant is in New York.
  const ends = ['2026-01-01T04:59:59.999Z', '2026-01-01T05:00:00Z', '2027-01-01T04:59:59.999Z', '2027-01-01T05:00:00Z']
  for (const occurred_at of ends) counted.push(await isListed({ award_status: 'Awarded', occurred_at }, year))
  expect(counted).toEqual([false, true, true, false])
  expect(await isListed({ award_status: 'Forfeit', occurred_at: now }, year)).toBe(false)
})

test('the restaurant of a transaction is active while it participates, until the day on which it left', async () => {
  const { public_id } = await ctx.db.selectFrom('transactions').select('public_id').executeTakeFirstOrThrow()
  const active: unknown[] = []
  for (const [participating, left_on] of [
    [true, null],
    [true, '2026-03-11'],
    [true, '2026-03-10'],
    [false, null],
  ]) {
    await queryAsOwner(harness.ownerUrl, 'update merchants set participating = $1, left_on = $2', [
      participating,
      left_on,
    ])
    active.push((await readTransaction(ctx, memberId, public_id))?.activeMerchant)
  }
  expect(active).toEqual([true, true, false, false])
})

test('a bonus for new members is offered in their first ninety days', async () => {
  const id = await addMember(ctx.db)
  const bonus = { code: 'NEW', description: '', newMembers: true, injectedOnly: false, startsOn: '2026-01-01' }
  const program = { config: { ...ctx.program.config, bonuses: [bonus] } }
  const offered: number[] = []
  for (const joined_at of around(90)) {
    const member = { id, joined_at, enrollment_source: null, has_returned: false, email: '', partner_number: null }
    offered.push((await readBonuses({ ...ctx, program } as never, member)).length)
  }
  expect(offered).toEqual([0, 1, 1])
})

test('a card earns from some hours after it was linked, if the program says so', async () => {
  const earnsFrom = async (linkActivationHours: number) => {
    const program = { config: { ...ctx.program.config, linkActivationHours } }
    const [card] = await listCards({ ...ctx, program, actor: { ...ctx.actor, memberId } } as never)
    return card?.earnsFrom
  }
  expect([await earnsFrom(0), await earnsFrom(24)]).toEqual(['2026-01-02T12:00:00.000Z', '2026-01-03T12:00:00.000Z'])
})

test('a card is listed as expiring in its month, until it is removed or its member notified', async () => {
  const expiring = (since: string, until: string) => listExpiringCards(ctx.db, { since, until })
  await ctx.db.updateTable('cards').set({ expires: '2026-04' }).execute()
  expect(await expiring('2026-03', '2026-04')).toHaveLength(1)
  expect(await expiring('2026-04', '2026-05')).toHaveLength(1)
  expect(await expiring('2026-05', '2026-06')).toHaveLength(0)
  expect(await expiring('2026-02', '2026-03')).toHaveLength(0)
  await queryAsOwner(
    harness.ownerUrl,
    `insert into notifications (partner_id, member_id, topic, about, channel, params, path, status)
     select partner_id, member_id, 'cardExpires', public_id || ':2025-04', 'email', '{}', '/', 'sent' from cards`,
  )
  expect(await expiring('2026-04', '2026-04')).toHaveLength(1)
  await queryAsOwner(harness.ownerUrl, `update notifications set about = replace(about, '2025', '2026')`)
  expect(await expiring('2026-04', '2026-04')).toHaveLength(0)
  await queryAsOwner(harness.ownerUrl, `delete from notifications`)
  await ctx.db.updateTable('cards').set({ removed_at: now }).execute()
  expect(await expiring('2026-04', '2026-04')).toHaveLength(0)
})

test('an email about a card that expires names its month in any time zone of the server, and one that is unwanted is only recorded', async () => {
  vi.stubEnv('TZ', 'America/New_York')
  // A copy of the module that is loaded in that time zone.
  const path = '../../src/rewards/cards/notify-expiry.ts?new-york'
  const { notifyExpiringCards } = (await import(path)) as typeof import('../../src/rewards/cards/notify-expiry.ts')
  const members = [await addMember(ctx.db), await addMember(ctx.db)] as const
  for (const id of members) await addCard(ctx.db, id)
  await ctx.db.updateTable('cards').set({ expires: '2026-04' }).where('member_id', 'in', members).execute()
  const unwanted = { member_id: members[1], topic: 'cardExpires', channel: 'email', wanted: false }
  await ctx.db.insertInto('notification_preferences').values(unwanted).execute()
  for (let round = 0; round < 2; round++) await notifyExpiringCards(ctx)
  const { rows } = await sql`
    select member_id, status, params ->> 'month' as month from notifications where topic = 'cardExpires'
    order by id`.execute(ctx.db)
  expect(rows).toEqual([
    { member_id: members[0], status: 'waiting', month: 'April 2026' },
    { member_id: members[1], status: 'unwanted', month: 'April 2026' },
  ])
  expect(await listExpiringCards(ctx.db, { since: '2026-04', until: '2026-04' })).toEqual([])
})

test('former tiers are listed in the order in which they ended', async () => {
  for (const [tier, until] of [
    ['VIP', '2026-02-01'],
    ['OptedOut', '2026-01-01'],
    ['OptedIn', '2026-03-01'],
  ])
    await queryAsOwner(
      harness.ownerUrl,
      `insert into member_tiers (partner_id, member_id, tier_level, until) values ('skyharbor', $1, $2, $3)`,
      [memberId, tier, until],
    )
  const former = await inTransaction(ctx.db, (tx) => findFormerTiers(tx, sql<number[]>`array[${memberId}]::bigint[]`))
  expect(former.get(memberId)?.map(({ tier }) => tier)).toEqual(['OptedOut', 'VIP', 'OptedIn'])
})

// The last test of the file: it takes parts of the transaction away.
test('a transaction without its restaurant, its card or stored terms is in the same lists', async () => {
  const wanted = {
    award_status: 'Awarded',
    unmatched: null,
    stage: 'cleared',
    member_id: memberId,
    occurred_at: now,
  }
  const days = { from: '2020-01-01', to: '2100-01-01' }
  const listsWithout = async (
    column: 'merchant_id' | 'card_id' | 'terms_id' | 'network_id',
    list: () => Promise<readonly unknown[]>,
  ) => {
    const before = await ctx.db.selectFrom('transactions').select(column).executeTakeFirstOrThrow()
    const withIt = await isListed(wanted, list)
    const without = await isListed({ [column]: column === 'network_id' ? 'other' : null }, list)
    await isListed(before, list)
    return [withIt, without]
  }
  const { id } = await ctx.db.selectFrom('transactions').select('id').executeTakeFirstOrThrow()
  const countDines = async () => ((await readYears(ctx.db, [memberId], 2026)).get(memberId)?.dines ? [1] : [])
  expect(await listsWithout('merchant_id', countDines)).toEqual([true, true])
  expect(await listsWithout('merchant_id', () => findListedTransactions(ctx.db, [id]))).toEqual([true, true])
  expect(await listsWithout('merchant_id', () => listSettledLines(ctx.db, days))).toEqual([true, true])
  expect(await listsWithout('network_id', () => listSettledLines(ctx.db, days))).toEqual([true, true])
  expect(await listsWithout('card_id', () => listBonusTransactions(ctx, memberId, new Date(0)))).toEqual([true, true])
  Object.assign(wanted, { award_status: 'Pending', stage: 'authorized', occurred_at: around(31)[0] })
  expect(await listsWithout('terms_id', () => listTimedOut(ctx.db, now, { clearing: 30, matching: 14 }))).toEqual([
    true,
    true,
  ])
})
