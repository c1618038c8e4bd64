import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx } from '../../src/platform/http/context.ts'
import { recalculate } from '../../src/rewards/awards/recalculate.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  createTestHarness,
  findLedgerViolations,
  receiveEvent,
  type TestHarness,
} from '../support/rewards-harness.ts'

let harness: TestHarness
beforeAll(async () => {
  harness = await createTestHarness()
})
afterAll(() => harness?.close())

async function memberWithTransactions(count: number) {
  const ctx = createTestContext(harness, 'skyharbor')
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db, { maxVisitsPerMonth: 2 })]
  for (let day = 0; day < count; day++) {
    await receiveEvent(
      ctx,
      feedEvent('transaction.clearing', {
        id: randomUUID(),
        datetime: `2026-03-1${day}T23:30:00.000Z`,
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
