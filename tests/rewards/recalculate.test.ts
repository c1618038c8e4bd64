import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Ctx } from '../../src/platform/http/context.ts'
import { recalculate } from '../../src/rewards/awards/recalculate.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  findLedgerViolations,
  receiveEvent,
} from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

async function memberWithTransactions(count: number, month = '2026-03') {
  const ctx = createTestContext(harness, 'skyharbor')
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db, { maxVisitsPerMonth: 2 })]
  for (let day = 0; day < count; day++) {
    await receiveEvent(
      ctx,
      feedEvent('transaction.clearing', {
        id: randomUUID(),
        datetime: `${month}-1${day}T23:30:00.000Z`,
        card: { id: card.token, lastNumbers: '0002' },
        location: { id: merchant.locationId },
      }),
    )
  }
  return { ctx, memberId, merchant, balance: () => getBalance(ctx.db, memberId, 'mile') }
}

const march = { from: '2026-03-01', to: '2026-03-31' }
const withEarnRates = (ctx: Ctx, earnRates: object): Ctx => ({
  ...ctx,
  program: { ...ctx.program, config: { ...ctx.program.config, earnRates } } as Ctx['program'],
})

test('a corrected rate: every difference is explained, posted once, and balances', async () => {
  const { ctx, balance } = await memberWithTransactions(2)
  expect(await Array.fromAsync(recalculate(ctx, { ...march, apply: true }))).toEqual([])
  const right = withEarnRates(ctx, { OptedOut: 100, NonActivated: 100, OptedIn: 400, VIP: 500 })
  const differences = await Array.fromAsync(recalculate(right, { ...march, apply: false }))
  expect(differences).toHaveLength(2)
  expect(differences[0]).toMatchObject({
    merchantName: 'Corner Bistro',
    was: { benefit: 126, code: 'earned' },
    is: { benefit: 168, code: 'earned' },
    terms: [{ path: 'program.earnRates.OptedIn', was: 300, is: 400 }],
  })
  expect(await balance()).toBe(252)
  expect(await Array.fromAsync(recalculate(right, { ...march, apply: true }))).toEqual(differences)
  expect(await balance()).toBe(336)
  expect(await Array.fromAsync(recalculate(right, { ...march, apply: true }))).toEqual([])
  expect(await balance()).toBe(336)
  const kinds = await ctx.db.selectFrom('journal_entries').select('kind').where('version', '=', 2).execute()
  expect(kinds).toEqual([{ kind: 'correction' }, { kind: 'correction' }])
  expect(await findLedgerViolations(ctx.db)).toEqual([])
})

test('waiting times that a program introduces later hold back no award that members have', async () => {
  const { ctx, memberId, balance } = await memberWithTransactions(2, '2026-06')
  const june = { from: '2026-06-01', to: '2026-06-30', apply: true }
  const config = { ...ctx.program.config, deferDays: 14, awardsNeedReview: true }
  const waits = { ...ctx, program: { ...ctx.program, config } } as Ctx
  expect(await Array.fromAsync(recalculate(waits, june))).toEqual([])
  expect(await balance()).toBe(252)
  const earnRates = { OptedOut: 100, NonActivated: 100, OptedIn: 400, VIP: 500 }
  expect(await Array.fromAsync(recalculate(withEarnRates(waits, earnRates), june))).toHaveLength(2)
  expect(await balance()).toBe(336)
  const held = await ctx.db
    .selectFrom('transactions')
    .select('award_status')
    .where('member_id', '=', memberId)
    .where('award_status', '<>', 'Awarded')
    .execute()
  expect(held).toEqual([])
})

test('waiting times that a program gives up later still apply to transactions that wait', async () => {
  const ctx = createTestContext(harness, 'skyharbor')
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  for (const waiting of [{ deferDays: 14 }, { awardsNeedReview: true }]) {
    const config = { ...ctx.program.config, ...waiting }
    await receiveEvent(
      { ...ctx, program: { ...ctx.program, config } } as Ctx,
      feedEvent('transaction.clearing', {
        id: randomUUID(),
        datetime: '2026-07-10T23:30:00.000Z',
        card: { id: card.token, lastNumbers: '0002' },
        location: { id: merchant.locationId },
      }),
    )
  }
  const right = withEarnRates(ctx, { OptedOut: 100, NonActivated: 100, OptedIn: 400, VIP: 500 })
  const july = { from: '2026-07-01', to: '2026-07-31', apply: true }
  expect(await Array.fromAsync(recalculate(right, july))).toHaveLength(2)
  const rows = ctx.db.selectFrom('transactions').select(['award_status', 'benefit']).where('member_id', '=', memberId)
  expect(await rows.orderBy('id').execute()).toEqual([
    { award_status: 'Deferred', benefit: 168 },
    { award_status: 'Pending', benefit: 168 },
  ])
  expect(await getBalance(ctx.db, memberId, 'mile')).toBe(0)
})

test('a transaction earns at the rates of its first message, also when it clears after a change', async () => {
  const ctx = createTestContext(harness, 'skyharbor')
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  const send = (at: Ctx, what: 'auth' | 'clearing', id: string) =>
    receiveEvent(
      at,
      feedEvent(`transaction.${what}`, {
        id,
        card: { id: card.token, lastNumbers: '0002' },
        location: { id: merchant.locationId },
      }),
    )
  const changed = withEarnRates(ctx, { OptedOut: 100, NonActivated: 100, OptedIn: 400, VIP: 500 })
  const [before, after] = [randomUUID(), randomUUID()]
  await send(ctx, 'auth', before)
  await send(changed, 'clearing', before)
  expect(await getBalance(ctx.db, memberId, 'mile')).toBe(126)
  await send(changed, 'clearing', after)
  expect(await getBalance(ctx.db, memberId, 'mile')).toBe(126 + 168)
})

test('a corrected offer changes which visits count, and the difference names the term that caused it', async () => {
  const { ctx, merchant, balance } = await memberWithTransactions(3)
  expect(await balance()).toBe(252)
  await ctx.db
    .updateTable('merchant_offers')
    .set({ max_visits_per_month: 1 })
    .where('merchant_id', '=', merchant.id)
    .execute()
  const differences = await Array.fromAsync(recalculate(ctx, { ...march, apply: true }))
  const own = differences.filter(({ terms }) => terms.some(({ path }) => path.endsWith('maxVisitsPerMonth')))
  expect(own).toMatchObject([
    {
      was: { benefit: 126, code: 'earned' },
      is: { benefit: 0, code: 'visitsUsedUp' },
      terms: [{ path: 'merchant.offers.0.maxVisitsPerMonth', was: 2, is: 1 }],
    },
  ])
  expect(await balance()).toBe(126)
  expect(await findLedgerViolations(ctx.db)).toEqual([])
})

test('Case 117 a limit that was missing is corrected in, and out again, and each correction finds every visit of the month', async () => {
  const ctx = createTestContext(harness, 'skyharbor')
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  const dine = (day: number) =>
    receiveEvent(
      ctx,
      feedEvent('transaction.clearing', {
        id: randomUUID(),
        datetime: `2026-03-1${day}T23:30:00.000Z`,
        card: { id: card.token, lastNumbers: '0002' },
        location: { id: merchant.locationId },
      }),
    )
  for (const day of [1, 2, 3]) await dine(day)
  const balance = () => getBalance(ctx.db, memberId, 'mile')
  const correct = async (limit: number | null) => {
    const change = { type: limit === null ? 'Unlimited' : 'Limited', max_visits_per_month: limit }
    await ctx.db.updateTable('merchant_offers').set(change).where('merchant_id', '=', merchant.id).execute()
    return Array.fromAsync(recalculate(ctx, { ...march, apply: true }))
  }
  const isLimited = async () => {
    const rows = ctx.db.selectFrom('transactions').select('is_limited').where('member_id', '=', memberId)
    return (await rows.execute()).map(({ is_limited }) => is_limited)
  }
  expect(await balance()).toBe(3 * 126)
  expect((await correct(1)).map(({ is }) => is.code)).toEqual(['visitsUsedUp', 'visitsUsedUp'])
  expect(await balance()).toBe(126)
  expect(await isLimited()).toEqual([true, true, true])
  // One that arrives later, and was earlier, is now the visit that counts.
  await dine(0)
  expect(await balance()).toBe(126)
  expect(await correct(null)).toHaveLength(3)
  expect(await balance()).toBe(4 * 126)
  expect(await isLimited()).toEqual([false, false, false, false])
  expect(await correct(null)).toEqual([])
  expect(await findLedgerViolations(ctx.db)).toEqual([])
})

test('the first and the last day are included, to the millisecond, in UTC', async () => {
  const ctx = createTestContext(harness, 'skyharbor')
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  const [before, first, last, after] = [
    '2026-04-09T23:59:59.999Z',
    '2026-04-10T00:00:00.000Z',
    '2026-04-12T23:59:59.999Z',
    '2026-04-13T00:00:00.000Z',
  ]
  for (const datetime of [before, first, last, after]) {
    await receiveEvent(
      ctx,
      feedEvent('transaction.clearing', {
        id: randomUUID(),
        datetime,
        card: { id: card.token, lastNumbers: '0002' },
        location: { id: merchant.locationId },
      }),
    )
  }
  const corrected = withEarnRates(ctx, { OptedOut: 100, NonActivated: 100, OptedIn: 400, VIP: 500 })
  const days = { from: '2026-04-10', to: '2026-04-12', apply: false }
  const recalculated = async (over: object = {}) =>
    (await Array.fromAsync(recalculate(corrected, { ...days, ...over }))).map(({ dinedAt }) => dinedAt.toISOString())
  expect(await recalculated()).toEqual([first, last])
  expect(await recalculated({ from: '2026-04-12' })).toEqual([last])
})

test('a transaction near midnight is recalculated with the rate of its local day', async () => {
  const ctx = createTestContext(harness, 'skyharbor')
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  // 23:30 in New York on the last day of the former rates, and half an hour after midnight.
  for (const datetime of ['2026-05-11T03:30:00.000Z', '2026-05-11T04:30:00.000Z']) {
    await receiveEvent(
      ctx,
      feedEvent('transaction.clearing', {
        id: randomUUID(),
        datetime,
        card: { id: card.token, lastNumbers: '0002' },
        location: { id: merchant.locationId },
      }),
    )
  }
  const earnRates = { OptedOut: 100, NonActivated: 100, OptedIn: 400, VIP: 500 }
  const formerRates = [{ until: '2026-05-10', earnRates: ctx.program.config.earnRates }]
  const config = { ...ctx.program.config, earnRates, formerRates }
  const changed = { ...ctx, program: { ...ctx.program, config } } as Ctx
  const differences = await Array.fromAsync(
    recalculate(changed, { from: '2026-05-10', to: '2026-05-11', apply: false }),
  )
  expect(differences.map(({ dinedAt }) => dinedAt.toISOString())).toEqual(['2026-05-11T04:30:00.000Z'])
})
