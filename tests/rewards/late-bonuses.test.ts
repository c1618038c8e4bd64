import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'
import { reconcileBonuses } from '../../src/rewards/awards/reconcile-bonuses.ts'
import { activateBonus } from '../../src/rewards/bonuses/service.ts'
import { createDebtWorld } from '../support/debt-world.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { findLedgerViolations, programConfig } from '../support/rewards-harness.ts'
import { whileLocked } from '../support/while-locked.ts'

const harness = setUpTestHarness()

/** Returns a world whose program has a bonus of 4 dollars for one dine. */
async function worldWithBonus(over: { newMembers?: boolean } = {}) {
  const world = await createDebtWorld(harness)
  const bonus = { description: 'a bonus', amount: 4_00, dines: 1, withinDays: 60, startsOn: '2020-01-01', ...over }
  const { bonuses } = ProgramConfig.parse({ ...programConfig('beacon'), bonuses: [{ ...bonus, code: 'ONE' }] })
  Object.assign(world.ctx.program.config, { bonuses })
  return {
    ...world,
    activate: async (memberId: number) => activateBonus(await world.as(memberId), 'ONE', { inApp: false }),
    /** Returns what each account has been given of the bonus, in cents. */
    async given(...memberIds: number[]) {
      expect(await findLedgerViolations(world.ctx.db)).toEqual([])
      const { rows } = await sql<{ sum: number }>`
        select coalesce((select sum(p.amount) from journal_entries j join postings p on p.journal_entry_id = j.id
          where p.member_id = member.id and j.source_id like 'bonus:%'), 0)::int as sum
        from unnest(${memberIds}::bigint[]) with ordinality as member (id, place) order by place`.execute(world.ctx.db)
      return rows.map(({ sum }) => sum)
    },
  }
}
const total = (cents: readonly number[]) => cents.reduce((sum, each) => sum + each, 0)

/** Two accounts have a card one after the other, and each pays a meal with it that completes the bonus. */
async function bonusesOfOneCard(isFirstMealLate: boolean) {
  const world = await worldWithBonus()
  const [ann, bob] = [await world.join('ann'), await world.join('bob')]
  for (const card of ['x', 'y']) await world.link(ann, card)
  await world.activate(ann)
  const first = await world.authorize('x', 1_00)
  if (!isFirstMealLate) await world.clear(first)
  await world.unlink(ann, 'x')
  await world.link(bob, 'x')
  await world.activate(bob)
  await world.dine('x', 1_00)
  if (isFirstMealLate) await world.clear(first)
  return world.given(ann, bob)
}

test('BON-027 counterpart: a card completes a bonus for the account that had it first', async () => {
  expect(await bonusesOfOneCard(false)).toEqual([4_00, 0])
})

test('BON-027 Case 134 a card completes a bonus once, also when the first meal is charged after the second one', async () => {
  expect(total(await bonusesOfOneCard(true))).toBe(4_00)
})

test.each([
  { who: 'everybody', newMembers: false },
  { who: 'new members', newMembers: true },
])(
  'BON-027 a person gets a bonus for $who once, who deletes the account again and again before the meals are charged',
  async ({ newMembers }) => {
    const world = await worldWithBonus({ newMembers })
    const number = randomUUID().replaceAll('-', '').slice(0, 20)
    const [accounts, meals] = [[] as number[], [] as Awaited<ReturnType<typeof world.authorize>>[]]
    for (const _ of [1, 2, 3]) {
      const account = await world.join('ann', number)
      accounts.push(account)
      await world.link(account, 'x')
      // From the second time on, a bonus for new members is not offered.
      await world.activate(account).catch(() => {})
      meals.push(await world.authorize('x', 1_00))
      await world.remove(account)
    }
    for (const meal of meals) await world.clear(meal)
    expect(total(await world.given(...accounts))).toBe(4_00)
  },
)

describe('BON-027 a bonus is given once to a person or card', () => {
  test('who deletes an account before its meal is charged, and joins again', async () => {
    for (const isOpenFirst of [false, true]) {
      const world = await worldWithBonus()
      const number = randomUUID().replaceAll('-', '').slice(0, 20)
      const former = await world.join('ann', number)
      await world.link(former, 'x')
      await world.activate(former)
      const late = await world.authorize('x', 1_00)
      await world.remove(former)
      const open = await world.join('zoe', number)
      await world.link(open, 'y')
      await world.activate(open)
      if (!isOpenFirst) await world.clear(late)
      await world.dine('y', 1_00)
      if (isOpenFirst) await world.clear(late)
      expect(await world.given(former, open)).toEqual(isOpenFirst ? [0, 4_00] : [4_00, 0])
    }
  })

  test.each([true, false])(
    'whose deleted account had the card of an open one (which linked it later: %s)',
    async (isLater) => {
      const world = await worldWithBonus()
      const [ann, bob] = [await world.join('ann'), await world.join('bob')]
      const join = async (member: number) => {
        await world.link(member, 'x')
        await world.activate(member)
      }
      if (!isLater) {
        await join(bob)
        await world.unlink(bob, 'x')
      }
      await join(ann)
      const late = await world.authorize('x', 1_00)
      await world.unlink(ann, 'x')
      await world.remove(ann)
      await join(bob)
      await world.dine('x', 1_00)
      await world.clear(late)
      expect(await world.given(ann, bob)).toEqual([0, 4_00])
    },
  )

  test('who deletes an account whose meal is too small to earn, but counts', async () => {
    const world = await worldWithBonus()
    const [ann, zoe] = [await world.join('ann'), await world.join('zoe')]
    await world.link(ann, 'x')
    await world.activate(ann)
    const late = await world.authorize('x', 10)
    await world.remove(ann)
    await world.clear(late)
    await world.link(zoe, 'x')
    await world.activate(zoe)
    await world.dine('x', 1_00)
    expect(total(await world.given(ann, zoe))).toBe(4_00)
  })

  test('when two transactions complete it in two accounts at the same moment', async () => {
    const world = await worldWithBonus()
    const { ctx } = world
    const number = randomUUID().replaceAll('-', '').slice(0, 20)
    const former = await world.join('ann', number)
    await world.link(former, 'x')
    await world.activate(former)
    const late = await world.authorize('x', 1_00)
    await world.remove(former)
    const open = await world.join('zoe', number)
    await world.link(open, 'y')
    await world.dine('y', 1_00)
    await world.activate(open)
    await sql`update member_bonuses set enrolled_at = now() - interval '1 day' where member_id = ${open}`.execute(
      ctx.db,
    )
    await whileLocked(ctx.db, {
      hold: async (tx) => {
        await lockMember(tx, open)
        await reconcileBonuses(tx, ctx, open)
      },
      acts: [() => world.clear(late)],
    })
    expect(await world.given(former, open)).toEqual([0, 4_00])
  })
})

describe('BON-027 counterpart: who has a bonus keeps it', () => {
  test('when another account that has it links the card afterwards', async () => {
    const world = await worldWithBonus()
    const [ann, bob] = [await world.join('ann'), await world.join('bob')]
    for (const [member, card] of [
      [ann, 'x'],
      [ann, 'z'],
      [bob, 'y'],
    ] as const)
      await world.link(member, card)
    for (const member of [bob, ann]) await world.activate(member)
    await world.dine('y', 1_00)
    const meal = await world.dine('x', 1_00)
    await world.unlink(ann, 'x')
    await world.link(bob, 'x')
    // Decided again, and the same.
    await world.refund(meal, 10)
    expect(await world.given(ann, bob)).toEqual([4_00, 4_00])
    await world.refund(meal, 1_00)
    expect(await world.given(ann, bob)).toEqual([0, 4_00])
    await world.dine('z', 1_00)
    expect(await world.given(ann, bob)).toEqual([4_00, 4_00])
  })

  test('but not by a meal that did not count when it got it', async () => {
    const world = await worldWithBonus()
    const [ann, bob] = [await world.join('ann'), await world.join('bob')]
    await world.link(ann, 'x')
    await world.activate(ann)
    await world.dine('x', 1_00)
    await world.unlink(ann, 'x')
    for (const card of ['x', 'y']) await world.link(bob, card)
    await world.activate(bob)
    await world.dine('x', 1_00)
    const meal = await world.dine('y', 1_00)
    expect(await world.given(ann, bob)).toEqual([4_00, 4_00])
    await world.refund(meal, 1_00)
    expect(await world.given(ann, bob)).toEqual([4_00, 0])
  })
})
