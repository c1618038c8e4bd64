import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { postManualCredit } from '../../src/rewards/awards/manual-credit.ts'
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

async function createFixture() {
  const ctx = createTestContext(harness, 'skyharbor')
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  const send = (id: string, over: object = {}, event: 'auth' | 'clearing' | 'refund' = 'clearing') =>
    receiveEvent(
      ctx,
      feedEvent(`transaction.${event}`, {
        id,
        amount: '48.00',
        authCode: 'A1B2C3',
        card: { id: card.token, lastNumbers: card.lastFour },
        location: { id: merchant.locationId },
        ...over,
      }),
    )
  const credit = (claimId: string, cents: number) =>
    inTransaction(ctx.db, async (tx) => {
      await lockMember(tx, memberId)
      return postManualCredit(tx, ctx, {
        memberId,
        cardId: card.id,
        cardLastFour: card.lastFour,
        merchantId: merchant.id,
        merchantName: 'Corner Bistro',
        claimId,
        cents,
        benefit: 144,
        dinedAt: new Date('2026-03-10T12:00:00Z'),
        otherMeals: [],
      })
    })
  const balance = () => getBalance(ctx.db, memberId, 'mile')
  const reasons = async () => {
    const rows = await ctx.db
      .selectFrom('transactions')
      .select(['network_id', sql<string>`reason ->> 'code'`.as('code')])
      .where('member_id', '=', memberId)
      .orderBy('network_id')
      .execute()
    return rows.map(({ network_id, code }) => [network_id.slice(0, 1), code])
  }
  return { ctx, memberId, merchant, send, credit, balance, reasons }
}

test('HIST-049 Case 107 a purchase that a file and a message report with different ids is rewarded once, in either order', async () => {
  for (const order of ['ab', 'ba']) {
    const { ctx, send, balance, reasons } = await createFixture()
    const suffix = randomUUID()
    const report = {
      a: () => send(`a${suffix}`, {}, 'auth'),
      b: () => send(`b${suffix}`, { datetime: '2026-03-10T23:31:00.000Z' }),
    }
    for (const each of order) await report[each as 'a' | 'b']()
    // One purchase is one line, that of the id which came first.
    expect([await reasons(), await balance()]).toEqual([[[order[0], 'earned']], 144])
    await send(`a${suffix}`, { updated: '2026-03-12T00:00:00.000Z' })
    expect(await balance()).toBe(144)
    // A refund that names either takes it back.
    const [refunded] = order
    const back = {
      originalTransactionId: `${refunded}${suffix}`,
      amount: '-48.00',
      updated: '2026-03-13T00:00:00.000Z',
    }
    await send(`refund-${suffix}`, back, 'refund')
    expect(await balance()).toBe(0)
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  }
})

test('HIST-049 two equal coffees of one day each earn: their codes differ, or their ids do and there is no code', async () => {
  const codes = [
    ['A1B2C3', 'A1B2C4'],
    [null, null],
    ['A1B2C3', null],
  ]
  for (const pair of codes) {
    const { send, balance } = await createFixture()
    for (const authCode of pair) await send(randomUUID(), { authCode })
    expect([pair, await balance()]).toEqual([pair, 288])
  }
  // The same code of another day, restaurant or amount is another purchase.
  const { ctx, send, balance } = await createFixture()
  const elsewhere = await addMerchant(ctx.db)
  await send(randomUUID())
  await send(randomUUID(), { datetime: '2026-03-12T23:30:00.000Z' })
  await send(randomUUID(), { location: { id: elsewhere.locationId } })
  await send(randomUUID(), { amount: '20.00' })
  expect(await balance()).toBe(3 * 144 + 60)
})

test('HIST-024 Case 106 a credit that is posted while its transaction arrives is paid once', async () => {
  for (let round = 0; round < 6; round++) {
    const { ctx, send, credit, balance } = await createFixture()
    const acts = [() => credit(randomUUID(), 48_00), () => send(randomUUID(), { datetime: '2026-03-10T20:00:00.000Z' })]
    await Promise.all((round % 2 ? acts : acts.toReversed()).map((act) => act()))
    expect(await balance()).toBe(144)
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  }
})

test('HIST-024 Case 106 of two claims for a similar meal that two operators credit at once, one is credited', async () => {
  for (let round = 0; round < 4; round++) {
    const { credit, balance } = await createFixture()
    const credited = await Promise.all([credit(randomUUID(), 48_00), credit(randomUUID(), 50_00)])
    expect([credited.toSorted(), await balance()]).toEqual([[false, true], 144])
  }
})

test('HIST-024 a correction to another restaurant posts the credit again, whichever of the two came first', async () => {
  for (const isCreditFirst of [true, false]) {
    const { ctx, send, credit, balance } = await createFixture()
    const elsewhere = await addMerchant(ctx.db)
    const purchase = { id: randomUUID(), datetime: '2026-03-10T20:00:00.000Z' }
    const acts = [() => credit(randomUUID(), 48_00), () => send(purchase.id, purchase)]
    for (const act of isCreditFirst ? acts : acts.toReversed()) await act()
    expect(await balance()).toBe(144)
    const corrected = { location: { id: elsewhere.locationId }, updated: '2026-03-12T00:00:00.000Z' }
    await send(purchase.id, { ...purchase, ...corrected })
    expect(await balance()).toBe(288)
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  }
})
