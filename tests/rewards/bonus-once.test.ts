import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { getSignedInMember, purgeFormerMembers } from '../../src/identity/members/service.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'
import { activateBonus, readBonuses } from '../../src/rewards/bonuses/service.ts'
import { createDebtWorld } from '../support/debt-world.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { findLedgerViolations, programConfig } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

const bonus = {
  code: 'TWO',
  description: 'a bonus for everybody',
  amount: 4_00,
  dines: 1,
  withinDays: 60,
  startsOn: '2020-01-01',
}

/** Returns a world whose program has one bonus; a dine of one dollar earns 3 cents. */
async function worldWithBonus() {
  const world = await createDebtWorld(harness)
  const { bonuses } = ProgramConfig.parse({ ...programConfig('beacon'), bonuses: [bonus] })
  Object.assign(world.ctx.program.config, { bonuses })
  return {
    ...world,
    activate: async (memberId: number) => activateBonus(await world.as(memberId), 'TWO', { inApp: false }),
    async offered(memberId: number) {
      const ctx = await world.as(memberId)
      return (await readBonuses(ctx, await getSignedInMember(ctx))).map(({ bonusStatus }) => bonusStatus)
    },
    /** Returns what an account has of the bonus, in cents. */
    async given(memberId: number) {
      const { rows } = await sql<{ sum: number }>`
        select coalesce(sum(p.amount), 0)::bigint as sum from journal_entries j join postings p on p.journal_entry_id = j.id
        where p.member_id = ${memberId} and j.source_id like 'bonus:%'`.execute(world.ctx.db)
      return rows[0]?.sum
    },
  }
}

/** Returns a world in which an account has earned the bonus and is deleted. */
async function former(over: { number?: string; isVerified?: boolean } = {}) {
  const world = await worldWithBonus()
  const first = await world.join('ann', over.number)
  const verifiedAt = over.isVerified === false ? null : new Date()
  await world.ctx.db.updateTable('members').set({ email_verified_at: verifiedAt }).where('id', '=', first).execute()
  await world.link(first, 'x')
  await world.activate(first)
  await world.dine('x', 1_00)
  expect(await world.given(first)).toBe(4_00)
  await world.remove(first)
  return world
}

describe('Case 119 a bonus is given once', () => {
  test('BON-027 also to a member who deletes the account and joins again, with the same address or number', async () => {
    const number = '11112222333344445555'
    const world = await former({ number })
    for (const again of [await world.join('ANN'), await world.join('zoe', number)]) {
      expect(await world.offered(again)).toEqual([])
      await expect(world.activate(again)).rejects.toMatchObject({ code: 'bonusNotOffered' })
    }
    // Another person, with another card, earns it.
    const other = await world.join('bob')
    await world.link(other, 'y')
    expect(await world.offered(other)).toEqual(['Eligible'])
    await world.activate(other)
    await world.dine('y', 1_00)
    expect(await world.given(other)).toBe(4_00)
    expect(await findLedgerViolations(world.ctx.db)).toEqual([])
  })

  test('BON-027 also with one card: what it pays in an account with another address counts toward no bonus it has earned', async () => {
    const world = await former()
    const other = await world.join('bob')
    await world.link(other, 'x')
    await world.activate(other)
    await world.dine('x', 1_00)
    expect([await world.given(other), await world.offered(other)]).toEqual([0, ['Enrolled']])
    await world.link(other, 'y')
    await world.dine('y', 1_00)
    expect(await world.given(other)).toBe(4_00)
  })

  test('BON-027 also with a card of an account that stays open, except for what it paid before that account earned it', async () => {
    const world = await worldWithBonus()
    const [ann, bob] = [await world.join('ann'), await world.join('bob')]
    await world.link(ann, 'x')
    await world.link(ann, 'y')
    await world.activate(ann)
    await world.unlink(ann, 'y')
    await world.link(bob, 'y')
    await world.activate(bob)
    await world.dine('y', 1_00)
    await world.dine('x', 1_00)
    expect([await world.given(ann), await world.given(bob)]).toEqual([4_00, 4_00])
    // Decided again, and the same.
    await world.dine('y', 1_00)
    expect(await world.given(bob)).toBe(4_00)
    await world.unlink(ann, 'x')
    const zoe = await world.join('zoe')
    await world.link(zoe, 'x')
    await world.activate(zoe)
    await world.dine('x', 1_00)
    expect(await world.given(zoe)).toBe(0)
  })

  test('BON-027 and again two years after the deletion', async () => {
    const world = await former()
    await sql`update former_member_identifiers set recorded_at = now() - interval '731 days'`.execute(world.ctx.db)
    await purgeFormerMembers(world.ctx.db)
    const again = await world.join('ann')
    await world.link(again, 'x')
    await world.activate(again)
    await world.dine('x', 1_00)
    expect(await world.given(again)).toBe(4_00)
  })
})

test('BON-028 Case 120 an address that was only typed takes no bonus from its owner, and one that was proved does', async () => {
  for (const isVerified of [false, true]) {
    const world = await former({ isVerified })
    const owner = await world.join('ann')
    expect((await getSignedInMember(await world.as(owner))).has_returned).toBe(isVerified)
    expect(await world.offered(owner)).toEqual(isVerified ? [] : ['Eligible'])
    await world.link(owner, 'y')
    if (!isVerified) {
      await world.activate(owner)
      await world.dine('y', 1_00)
      expect(await world.given(owner)).toBe(4_00)
    }
  }
})
