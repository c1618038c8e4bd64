import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { postManualCredit } from '../../src/rewards/awards/manual-credit.ts'
import { createDebtWorld } from '../support/debt-world.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { findLedgerViolations, receiveEvent } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

test('DATA-033 a card owes what was paid twice for its meal until a code showed that two reports are one purchase', async () => {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  for (const card of ['X', 'Y']) await world.link(ann, card)
  const paidAt = Date.now() + 2
  const at = (milliseconds: number) => new Date(paidAt + milliseconds).toISOString()
  const ids = [randomUUID(), randomUUID()]
  const report = (id: string, over: { updated: string; authCode?: string }) =>
    receiveEvent(
      world.ctx,
      feedEvent('transaction.clearing', {
        id,
        programId: 'beacon',
        amount: '400.00',
        datetime: at(0),
        card: { id: world.tokenOf('X'), lastNumbers: '4242' },
        location: { id: world.locationId },
        ...over,
      }),
    )
  for (const id of ids) await report(id, { updated: at(0) })
  await world.execute('completed')
  expect(await world.totals()).toMatchObject({ earned: 24_00, paid: 24_00 })
  for (const id of ids) await report(id, { updated: at(1000), authCode: 'A1B2C3' })
  expect([await world.totals(), await world.balance(ann)]).toMatchObject([{ earned: 12_00, paid: 24_00 }, -12_00])
  await world.unlink(ann, 'X')
  const bob = await world.join('bob')
  await world.link(bob, 'X')
  await world.dine('X', 1000_00)
  await world.carry()
  expect(await findLedgerViolations(world.ctx.db)).toEqual([])
  // Of the 30 dollars that the card has earned since, 12 were paid before.
  expect([await world.balance(ann), await world.balance(bob)]).toEqual([0, 18_00])
})

type World = Awaited<ReturnType<typeof createDebtWorld>>

/** Credits 18 dollars for a meal of today that a claim says was paid. */
const creditClaim = ({ ctx, merchantId }: World, memberId: number) =>
  inTransaction(ctx.db, async (tx) => {
    await lockMember(tx, memberId)
    await postManualCredit(tx, ctx, {
      memberId,
      cardId: null,
      cardLastFour: '4242',
      merchantId,
      merchantName: 'Corner Bistro',
      claimId: randomUUID(),
      cents: 600_00,
      benefit: 18_00,
      dinedAt: new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`),
      otherMeals: [],
    })
  })

/** Returns the balances after the card X has gone to another person, who earns 30 dollars with it. */
async function moveCard(world: World, memberId: number) {
  await world.unlink(memberId, 'X')
  const bob = await world.join('bob')
  await world.link(bob, 'X')
  await world.dine('X', 1000_00)
  await world.carry()
  expect(await findLedgerViolations(world.ctx.db)).toEqual([])
  return [await world.balance(memberId), await world.balance(bob)]
}

/** An account with two cards. */
async function openAccount() {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  for (const card of ['X', 'Y']) await world.link(ann, card)
  return { world, ann }
}

test('DATA-033 a card owes what the paid credit of a claim was larger than the meal that has replaced it', async () => {
  const { world, ann } = await openAccount()
  await creditClaim(world, ann)
  await world.dine('Y', 200_00)
  await world.execute('completed')
  expect(await world.totals()).toMatchObject({ paid: 24_00 })
  // The meal of the claim earns 17.50: half a dollar was paid for nothing.
  await world.dine('X', 583_33)
  const owed = -(await world.balance(ann))
  expect(owed).toBeGreaterThan(0)
  expect(await moveCard(world, ann)).toEqual([0, 0])
  expect(await world.totals()).toMatchObject({ owed: 0, paid: 24_00 + 30_00 - owed })
})

test('DATA-033 a card owes nothing for the credit of a claim that its earlier meal has replaced at once', async () => {
  const { world, ann } = await openAccount()
  await world.dine('X', 600_00)
  await creditClaim(world, ann)
  expect(await world.balance(ann)).toBe(18_00)
  const other = await world.dine('Y', 800_00)
  await world.execute('completed')
  await world.refund(other, 800_00)
  // The other card owes 24 dollars, and stays.
  expect(await moveCard(world, ann)).toEqual([-24_00, 0])
})
