import { expect, test } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import { rematchUnmatched } from '../../src/rewards/feed/receive-events.ts'
import { createDebtWorld } from '../support/debt-world.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { addMerchant, findLedgerViolations } from '../support/rewards-harness.ts'
import { whileLocked } from '../support/while-locked.ts'

const harness = setUpTestHarness()

type World = Awaited<ReturnType<typeof createDebtWorld>>

/** A meal of a card that earns nothing yet, and what lets it earn 30 dollars later. */
const lateAwards: Record<string, (world: World) => Promise<{ meal: string; earn: () => Promise<unknown> }>> = {
  'an authorization that is too small to earn': async (world) => {
    const meal = await world.authorize('X', 10)
    return { meal: meal.id, earn: () => world.clear({ ...meal, amount: '1000.00' }) }
  },
  'a meal at a restaurant that joins later': async (world) => {
    const locationId = `joins-later-${world.locationId}-${Math.random()}`
    const meal = await world.dine('X', 1000_00, { location: { id: locationId } })
    const earn = async () => {
      await addMerchant(world.ctx.db, { locationId })
      await rematchUnmatched(world.ctx, { locationId })
    }
    return { meal, earn }
  },
}

for (const [name, begin] of Object.entries(lateAwards)) {
  test(`DATA-033 Case 136 ${name} is owed by the person and the card when its account was deleted before it earned`, async () => {
    const world = await createDebtWorld(harness)
    const ann = await world.join('ann')
    await world.link(ann, 'X')
    const { meal, earn } = await begin(world)
    await world.remove(ann)
    await earn()
    await world.execute('completed')
    await world.refund(meal, 1000_00)
    const again = await world.join('ann')
    expect(await world.balance(again)).toBe(-30_00)
    const bob = await world.join('bob')
    await world.link(bob, 'X')
    expect([await world.balance(again), await world.balance(bob)]).toEqual([0, -30_00])
    expect(await findLedgerViolations(world.ctx.db)).toEqual([])
  })
}

test('DATA-033 Case 136 counterpart: nothing is kept of an account that has paid no meal', async () => {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  await world.link(ann, 'X')
  await world.remove(ann)
  const rows = await world.ctx.db
    .selectFrom('former_member_identifiers')
    .select('id')
    .where('member_id', '=', ann)
    .execute()
  expect(rows).toEqual([])
})

/** Returns a world in which ann has deleted an account that owes 30 dollars for a meal with the card X. */
async function annOwes() {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  await world.link(ann, 'X')
  const meal = await world.dine('X', 1000_00)
  await world.execute('completed')
  await world.remove(ann)
  await world.refund(meal, 1000_00)
  expect(await world.totals()).toMatchObject({ paid: 30_00, openDebt: 30_00 })
  return world
}

for (const isNextThere of [false, true]) {
  const when = isNextThere ? 'after the next account has carried it' : 'before there is a next account'
  test(`DATA-033 Case 137 a meal that is charged after the deletion of its account settles what the person owes, ${when}`, async () => {
    const world = await annOwes()
    for (let round = 0; round < 3; round++) {
      const again = await world.join('ann')
      await world.link(again, 'X')
      const meal = await world.authorize('X', 1000_00)
      await world.remove(again)
      const next = isNextThere ? await world.join('ann') : null
      if (next !== null) await world.link(next, 'X')
      await world.clear(meal)
      expect(await world.totals()).toMatchObject({ paid: 30_00, openDebt: 0, owed: 0 })
      await world.refund(meal.id, 1000_00)
      if (next !== null) await world.remove(next)
      expect(await world.totals()).toMatchObject({ paid: 30_00, openDebt: 30_00 })
      expect(await findLedgerViolations(world.ctx.db)).toEqual([])
    }
  })
}

test('DATA-033 Case 137 it settles what its card owes, and the rest is paid', async () => {
  const world = await annOwes()
  const bob = await world.join('bob')
  await world.link(bob, 'X')
  const meal = await world.authorize('X', 1500_00)
  await world.remove(bob)
  await world.clear(meal)
  expect(await world.totals()).toMatchObject({ paid: 45_00, openDebt: 0, balances: 0 })
})

test('DATA-033 Case 137 counterpart: it settles nothing of another person who has the card since, or had it before', async () => {
  const world = await annOwes()
  const [bob, cid] = [await world.join('bob'), await world.join('cid')]
  await world.link(cid, 'Z')
  const meal = await world.authorize('Z', 1000_00)
  await world.link(cid, 'X')
  await world.unlink(cid, 'X')
  await world.link(bob, 'X')
  expect([await world.balance(bob), await world.balance(cid)]).toEqual([-30_00, 0])
  await world.remove(cid)
  await world.clear(meal)
  expect(await world.totals()).toMatchObject({ paid: 60_00, owed: 30_00 })
  expect(await world.balance(bob)).toBe(-30_00)
})

test('DATA-033 Case 137 it waits while the account that carries the debt is locked, and is then settled and paid', async () => {
  const world = await annOwes()
  const again = await world.join('ann')
  await world.link(again, 'X')
  const meal = await world.authorize('X', 1500_00)
  await world.remove(again)
  const next = await world.join('ann')
  await whileLocked(world.ctx.db, { hold: (tx) => lockMember(tx, next), acts: [() => world.clear(meal)] })
  expect(await world.totals()).toMatchObject({ paid: 30_00, owed: 30_00 })
  await world.carry()
  expect(await world.totals()).toMatchObject({ paid: 45_00, owed: 0, openDebt: 0, balances: 0 })
  await world.carry()
  expect(await world.listOrders()).toHaveLength(2)
})

test('DATA-033 Case 139 what a corrected refund gives back reaches only who has proved the address', async () => {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  await world.link(ann, 'X')
  const meal = await world.dine('X', 1000_00)
  await world.execute('completed')
  await world.remove(ann)
  await world.refund(meal, 1000_00)
  const second = await world.join('ann')
  await world.link(second, 'Y')
  await world.dine('Y', 1000_00)
  await world.remove(second)
  await world.refund(meal, 0)
  expect(await world.totals()).toMatchObject({ openDebt: -30_00 })
  const eve = await world.join('ann', undefined, false)
  await world.carry()
  expect((await world.listOrders()).filter(({ memberId }) => memberId === eve)).toEqual([])
  const third = await world.join('ann')
  await world.carry()
  expect((await world.listOrders()).at(-1)).toMatchObject({ memberId: third, cents: 30_00 })
  expect(await world.totals()).toMatchObject({ openDebt: 0, balances: 0 })
})
