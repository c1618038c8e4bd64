import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createDebtWorld } from '../support/debt-world.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { findLedgerViolations, receiveEvent } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

/** Ann has paid a meal with a card that is Bob's now; `isDeleted` tells whether she has deleted her account since. */
async function correctTime(isDeleted: boolean) {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  for (const card of ['X', 'Y']) await world.link(ann, card)
  const token = world.tokenOf('Y')
  const paidAt = Date.now() + 2
  const at = (milliseconds: number) => new Date(paidAt + milliseconds).toISOString()
  const meal = {
    id: randomUUID(),
    programId: 'beacon',
    amount: '900.00',
    datetime: at(0),
    updated: at(0),
    card: { id: token, lastNumbers: '4242' },
    location: { id: world.locationId },
  }
  await receiveEvent(world.ctx, feedEvent('transaction.clearing', meal))
  await world.execute('completed')
  await world.unlink(ann, 'Y')
  const bob = await world.join('bob')
  await world.link(bob, 'Y')
  expect(world.tokenOf('Y')).toBe(token)
  if (isDeleted) await world.remove(ann)
  // A file states the time a little more roughly than the message did.
  await receiveEvent(world.ctx, feedEvent('transaction.clearing', { ...meal, datetime: at(-1), updated: at(5000) }))
  const row = await world.ctx.db
    .selectFrom('transactions')
    .select(['member_id', 'benefit'])
    .where('network_id', '=', meal.id)
    .executeTakeFirstOrThrow()
  const debt = await world.ctx.db.selectFrom('debts').select('open_amount').where('member_id', '=', ann).execute()
  expect(await findLedgerViolations(world.ctx.db)).toEqual([])
  const holder = row.member_id === ann ? 'ann' : row.member_id === bob ? 'bob' : 'nobody'
  return { holder, benefit: row.benefit, debt: debt.map(({ open_amount }) => open_amount) }
}

test('HIST-054 counterpart: a meal whose time is corrected stays with the member who had the card', async () => {
  expect(await correctTime(false)).toEqual({ holder: 'ann', benefit: 27_00, debt: [] })
})

test('HIST-054 a meal of a deleted account whose time is corrected stays there, and the next holder of the card does not get it', async () => {
  expect(await correctTime(true)).toEqual({ holder: 'ann', benefit: 27_00, debt: [] })
})
