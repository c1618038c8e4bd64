import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleClaim, listSimilarTransactions } from '../../src/rewards/claims/console/store.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  createTestHarness,
  receiveEvent,
  type TestHarness,
} from '../support/rewards-harness.ts'

let harness: TestHarness
beforeAll(async () => {
  harness = await createTestHarness()
})
afterAll(() => harness?.close())

test('a claim shows the member’s transactions around its day, and those of unlinked cards for about its amount', async () => {
  const ctx = createTestContext(harness, 'skyharbor')
  const [memberId, otherId] = [await addMember(ctx.db), await addMember(ctx.db)]
  const [card, otherCard] = [await addCard(ctx.db, memberId), await addCard(ctx.db, otherId)]
  const [claimed, elsewhere] = [await addMerchant(ctx.db), await addMerchant(ctx.db, { name: 'Harbor Grill' })]
  const send = (datetime: string, amount: string, token: string, { locationId } = claimed, name = 'Corner Bistro') =>
    receiveEvent(
      ctx,
      feedEvent('transaction.clearing', {
        id: randomUUID(),
        amount,
        datetime,
        created: datetime,
        updated: datetime,
        card: { id: token, lastNumbers: token === 'unlinked' ? '9999' : '0002' },
        location: { id: locationId },
        brand: { name },
      }),
    )
  const claim = {
    memberId,
    merchantId: claimed.id,
    merchantName: 'Corner Bistro',
    amountCents: 100_00,
    dinedOn: '2026-03-10',
  } as unknown as ConsoleClaim
  // The member's own: from the day before to the day after, at any restaurant and of any amount.
  for (const [datetime, amount] of [
    ['2026-03-08T23:59:59.999Z', '1.01'],
    ['2026-03-09T00:00:00.000Z', '1.02'],
    ['2026-03-11T23:59:59.999Z', '1.03'],
    ['2026-03-12T00:00:00.000Z', '1.04'],
  ] as const)
    await send(datetime, amount, card.token, elsewhere, 'Harbor Grill')
  await send('2026-03-10T20:00:00.000Z', '100.00', otherCard.token)
  // Of unlinked cards: at this restaurant, from 70 to 140 percent of the amount.
  for (const amount of ['69.99', '70.00', '140.00', '140.01'])
    await send('2026-03-10T18:00:00.000Z', amount, 'unlinked')
  await send('2026-03-10T18:00:00.000Z', '100.01', 'unlinked', elsewhere, 'Harbor Grill')
  const cents = async (over: Partial<ConsoleClaim> = {}) =>
    (await listSimilarTransactions(ctx.db, { ...claim, ...over })).similar.map((row) => row.cents).sort((a, b) => a - b)
  expect(await cents()).toEqual([1_02, 1_03, 70_00, 140_00])
  // A restaurant that is not known is found by its name, in any case.
  expect(await cents({ merchantId: null, merchantName: 'CORNER bistro' })).toEqual([1_02, 1_03, 70_00, 140_00])
  expect(await cents({ merchantId: null, merchantName: 'Bistro' })).toEqual([1_02, 1_03])
  const { similar, more } = await listSimilarTransactions(ctx.db, claim)
  const [first, ...rest] = similar
  expect(more).toBe(0)
  expect(first).toMatchObject({ merchantName: 'Harbor Grill', cents: 1_02, cardLastFour: '0002', unmatched: null })
  expect(rest.map(({ unmatched }) => unmatched)).toEqual(['card', 'card', null])
  expect([first, ...rest].every((row) => typeof row?.status === 'string' && row.status !== '')).toBe(true)
})
