import { expect, test } from 'vitest'
import { rematchUnmatched } from '../../src/rewards/feed/receive-events.ts'
import { createDebtWorld } from '../support/debt-world.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { addMerchant, findLedgerViolations } from '../support/rewards-harness.ts'

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
