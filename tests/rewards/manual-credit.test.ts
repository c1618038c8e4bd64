import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import { getDiningProgress, readYears } from '../../src/rewards/awards/dining-progress.ts'
import { type ManualCredit, postManualCredit } from '../../src/rewards/awards/manual-credit.ts'
import { listSettledLines } from '../../src/rewards/settlement/store.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  findLedgerViolations,
  receiveEvent,
  type TestPartner,
} from '../support/rewards-harness.ts'

const harness = setUpTestHarness()
const now = new Date('2026-03-12T12:00:00Z')

async function createFixture(partnerId: TestPartner, config: object = {}) {
  const ctx = createTestContext(harness, partnerId, now)
  Object.assign(ctx.program.config, config)
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  const credit = (over: Partial<ManualCredit> = {}) =>
    inTransaction(ctx.db, (tx) =>
      postManualCredit(tx, ctx, {
        memberId,
        cardId: card.id,
        cardLastFour: card.lastFour,
        merchantId: merchant.id,
        merchantName: 'Corner Bistro',
        claimId: randomUUID(),
        cents: 100_00,
        benefit: 300,
        dinedAt: new Date('2026-03-10T12:00:00Z'),
        otherMeals: [],
        ...over,
      }),
    )
  const send = (over: object) =>
    receiveEvent(
      ctx,
      feedEvent('transaction.clearing', {
        id: randomUUID(),
        programId: partnerId,
        amount: '100.00',
        card: { id: card.token, lastNumbers: card.lastFour },
        location: { id: merchant.locationId },
        ...over,
      }),
    )
  return { ctx, memberId, card, merchant, credit, send }
}

test('a credit is paid by the platform to the partner, and by no restaurant', async () => {
  const settlement = { restaurantFee: 1000, centsPer100Units: 150, partnerShare: 1000 }
  const { ctx, credit } = await createFixture('gallonaire', { settlement })
  expect(await credit({ claimId: 'once' })).toBe(true)
  expect(await credit({ claimId: 'once' })).toBe(true)
  const lines = await listSettledLines(ctx.db, { from: '2020-01-01', to: '2100-01-01' })
  expect(lines).toMatchObject([
    { merchantId: null, given: 1, rewards: 300, restaurantOwes: 0, partnerIsOwed: 450, platformShare: -450 },
  ])
})

test('a credit that fills the balance is paid to the card of the credited transaction', async () => {
  const { ctx, memberId, card, credit } = await createFixture('beacon')
  await ctx.db.updateTable('cards').set({ description: 'Travel card' }).where('id', '=', card.id).execute()
  await credit({ benefit: 20_00 })
  const credits = await ctx.db.selectFrom('statement_credits').selectAll().where('member_id', '=', memberId).execute()
  expect(credits).toMatchObject([{ amount_cents: 20_00, delivery: 'Card', target_label: 'Travel card ending in 0002' }])
})

test('nothing is credited once the transaction has been posted, up to a day and a half from noon of its day', async () => {
  const credited: boolean[] = []
  for (const datetime of [
    '2026-03-08T23:59:00Z',
    '2026-03-09T00:00:00Z',
    '2026-03-12T00:00:00Z',
    '2026-03-12T00:01:00Z',
  ]) {
    const { send, credit } = await createFixture('skyharbor')
    await send({ datetime })
    credited.push(await credit())
  }
  expect(credited).toEqual([true, false, false, true])
  // One that was paid out has been posted, too; one that the operator confirmed is another one.
  const { ctx, memberId, send, credit } = await createFixture('beacon')
  await send({ id: 'confirmed', datetime: '2026-03-10T20:00:00Z' })
  await ctx.db
    .updateTable('transactions')
    .set({ award_status: 'Paid', paid_at: now })
    .where('member_id', '=', memberId)
    .where('type_code', '=', 'S')
    .execute()
  expect(await credit()).toBe(false)
  expect(await findLedgerViolations(ctx.db)).toEqual([])
  const other = await createFixture('skyharbor')
  await other.send({ id: 'confirmed', datetime: '2026-03-10T20:00:00Z' })
  expect(await other.credit({ otherMeals: ['confirmed'] })).toBe(true)
})

test('a year counts credits as visits, a restaurant that is not known as one of its own, and refunds as not spent', async () => {
  const { ctx, memberId, merchant, credit, send } = await createFixture('skyharbor')
  const year = async () => (await readYears(ctx.db, [memberId], 2026)).get(memberId)
  expect(await year()).toMatchObject({ dines: 0, spentCents: 0, benefit: 0 })
  await credit()
  await credit({ merchantId: null, merchantName: 'Nowhere Diner' })
  await credit({ merchantId: null, merchantName: 'Elsewhere Diner' })
  expect(await year()).toMatchObject({ dines: 3, spentCents: 300_00, benefit: 900 })
  const id = randomUUID()
  await send({ id, datetime: '2026-03-01T20:00:00Z' })
  const refund = { id: randomUUID(), originalTransactionId: id, amount: '-40.00' }
  await receiveEvent(
    ctx,
    feedEvent('transaction.refund', {
      ...refund,
      updated: '2026-03-13T00:00:00Z',
      location: { id: merchant.locationId },
    }),
  )
  expect(await year()).toMatchObject({ dines: 4, spentCents: 360_00, benefit: 900 + 180 })
  // A refund beyond the charge takes nothing from other visits.
  await sql`update transactions set refunded_cents = 15000 where network_id = ${id}`.execute(ctx.db)
  expect(await year()).toMatchObject({ spentCents: 300_00 })
  const progress = await getDiningProgress(ctx.db, memberId, { ...ctx.program.config, vipDinesRequired: 5 }, now)
  expect(progress).toMatchObject({ status: 'Building', remainingDines: 1, dinesRequired: 5, ytdMilesOrDollars: 1080 })
})

const atOneMinute = (id: string) => ({ id, datetime: '2026-03-10T20:00:00Z' })

test('of two visits in one minute the one with the smaller id takes the place of the month, whichever arrives first', async () => {
  const earning: (string | undefined)[] = []
  for (const order of ['ab', 'ba']) {
    const { ctx, memberId, merchant, send } = await createFixture('skyharbor')
    await ctx.db
      .updateTable('merchant_offers')
      .set({ type: 'Limited', max_visits_per_month: 1 })
      .where('merchant_id', '=', merchant.id)
      .execute()
    for (const first of order) await send(atOneMinute(`${first}-${order}-${memberId}`))
    const rewarded = await ctx.db
      .selectFrom('transactions')
      .select('network_id')
      .where('member_id', '=', memberId)
      .where('benefit', '>', 0)
      .execute()
    earning.push(rewarded.map(({ network_id }) => network_id[0]).join())
  }
  expect(earning).toEqual(['a', 'a'])
})
