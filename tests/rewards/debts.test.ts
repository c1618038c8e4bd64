import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { activateMember, loadEnrolledMember } from '../../src/identity/activation/service.ts'
import { changeMember, lockMember, purgeFormerMembers } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { settleMember } from '../../src/rewards/awards/carry-debts.ts'
import { postManualCredit } from '../../src/rewards/awards/manual-credit.ts'
import { readCarriedDebts } from '../../src/rewards/debts/read-carried.ts'
import { postEntries, rewardPostings } from '../../src/rewards/ledger/entries.ts'
import { settlementFile } from '../../src/rewards/settlement/settlement-file.ts'
import { createDebtWorld } from '../support/debt-world.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { addMember, createTestContext, findLedgerViolations } from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'
import { whileLocked } from '../support/while-locked.ts'

const harness = setUpTestHarness()

type World = Awaited<ReturnType<typeof createDebtWorld>>

/** Returns a world in which an account has been paid 30 dollars for a meal that may be refunded. */
async function paidMember(name = 'ada', number?: string) {
  const world = await createDebtWorld(harness)
  const memberId = await world.join(name, number)
  await world.link(memberId, 'X')
  const meal = await world.dine('X', 1000_00)
  await world.execute('completed')
  expect(await world.totals()).toMatchObject({ earned: 30_00, paid: 30_00, balances: 0 })
  return { world, memberId, meal }
}

/** Returns a world in which that meal was refunded, and the account then deleted. */
async function indebted(name?: string, number?: string) {
  const { world, memberId, meal } = await paidMember(name, number)
  await world.refund(meal, 1000_00)
  await world.remove(memberId)
  expect([await world.balance(memberId), (await world.totals()).openDebt]).toEqual([0, 30_00])
  return { world, memberId, meal }
}

const textsOf = async (world: World, memberId: number) =>
  (await readCarriedDebts(await world.as(memberId))).map(({ key, params }) => `${key} ${params.amount}`)

/** Pays back 30 dollars, and earns 21 more, which are paid. */
async function payBack(world: World, card: string) {
  const before = (await world.totals()).paid
  await world.dine(card, 1000_00)
  expect((await world.totals()).paid).toBe(before)
  await world.dine(card, 700_00)
  const { paid, owed, openDebt } = await world.totals()
  expect({ paid, owed, openDebt }).toEqual({ paid: before + 21_00, owed: 0, openDebt: 0 })
  expect(await findLedgerViolations(world.ctx.db)).toEqual([])
}

describe('Case 102 a debt outlives its account', () => {
  test('DATA-033 it is carried by the next account with the same email address, in upper or lower case', async () => {
    const { world } = await indebted()
    const memberId = await world.join('ADA')
    expect(await world.balance(memberId)).toBe(-30_00)
    expect(await textsOf(world, memberId)).toEqual(['debts.debtCarried $30.00'])
    await world.link(memberId, 'Y')
    await payBack(world, 'Y')
  })

  test('Case 102 an address that was never verified brings no debt to its owner, and the card still brings it', async () => {
    const { world, memberId, meal } = await paidMember()
    await inTransaction(world.ctx.db, (tx) => changeMember(tx, memberId, { email_verified_at: null }))
    await world.refund(meal, 1000_00)
    await world.remove(memberId)
    const owner = await world.join('ada')
    expect(await world.balance(owner)).toBe(0)
    const other = await world.join('eve')
    await world.link(other, 'X')
    expect([await world.balance(owner), await world.balance(other)]).toEqual([0, -30_00])
  })

  test('Case 102 it is carried by the next account with the same member number', async () => {
    const number = randomUUID().replaceAll('-', '').slice(0, 20)
    const { world } = await indebted('ada', number)
    expect(await world.balance(await world.join('grace', number))).toBe(-30_00)
  })

  test('Case 102 it is carried by the next account that links the same card, also later', async () => {
    const { world } = await indebted()
    const memberId = await world.join('eve')
    await world.link(memberId, 'Y')
    expect(await world.balance(memberId)).toBe(0)
    await world.link(memberId, 'X')
    expect(await world.balance(memberId)).toBe(-30_00)
    expect(await textsOf(world, memberId)).toEqual(['debts.cardDebtCarried $30.00'])
    await payBack(world, 'Y')
  })

  test('Case 102 it is carried by an account that the partner has opened, when it is activated', async () => {
    const { world } = await indebted()
    const ctx = {
      ...world.ctx,
      program: { ...world.ctx.program, config: { ...world.ctx.program.config, hasAutoEnroll: true } },
    }
    const line = {
      email: world.emailOf('ada'),
      firstName: 'Ada',
      lastName: 'Lovelace',
      zipCode: '10001',
      emailOptIn: true,
    }
    const loaded = await loadEnrolledMember(ctx, line)
    if ('problems' in loaded) throw new Error(JSON.stringify(loaded))
    const { id, has_returned } = await activateMember(ctx, loaded.publicId, settleMember)
    expect([await world.balance(id), has_returned]).toEqual([-30_00, true])
  })

  test('Case 102 an account of another program with the same address carries nothing', async () => {
    const { world } = await indebted()
    const ctx = createTestContext(harness, 'gallonaire')
    const memberId = await addMember(ctx.db)
    await inTransaction(ctx.db, async (tx) => {
      await changeMember(tx, memberId, { email: world.emailOf('ada') })
      await settleMember(tx, ctx, memberId)
    })
    expect([await world.balance(memberId), (await world.totals()).openDebt]).toEqual([0, 30_00])
  })

  test('Case 102 the settlement file of a day has the same amounts before and after a debt is carried and written off', async () => {
    const { world, memberId, meal } = await paidMember()
    await world.refund(meal, 1000_00)
    const day = new Date().toISOString().slice(0, 10)
    const before = await settlementFile(world.ctx, day)
    await world.remove(memberId)
    const next = await world.join('ada')
    expect(await world.balance(next)).toBe(-30_00)
    await world.remove(next)
    await queryAsOwner(harness.ownerUrl, 'delete from former_member_identifiers where member_id = any($1)', [
      [memberId, next],
    ])
    await world.carry()
    expect(await world.totals()).toMatchObject({ openDebt: 0, owed: 0 })
    expect(await settlementFile(world.ctx, day)).toBe(before)
  })

  test('Case 102 a stranger with another card, address and number carries nothing', async () => {
    const { world } = await indebted()
    const memberId = await world.join('eve')
    await world.link(memberId, 'Y')
    await world.dine('Y', 700_00)
    expect(await world.totals()).toMatchObject({ paid: 51_00, openDebt: 30_00 })
    expect(await textsOf(world, memberId)).toEqual([])
  })

  test('Case 102 a refund after the deletion is carried by the next account, joined later or before', async () => {
    const { world, memberId, meal } = await paidMember()
    await world.remove(memberId)
    await world.refund(meal, 500_00)
    expect(await world.balance(memberId)).toBe(0)
    const next = await world.join('ada')
    expect(await world.balance(next)).toBe(-15_00)
    // The rest of the meal: the account that carries the debt is known.
    await world.refund(meal, 1000_00)
    expect(await world.balance(next)).toBe(-30_00)
  })

  test('Case 102 a refund after the person has joined again is found by the periodic task, and before any payment', async () => {
    const { world, memberId, meal } = await paidMember()
    await world.remove(memberId)
    const next = await world.join('ada')
    await world.link(next, 'X')
    await world.dine('X', 600_00)
    await world.refund(meal, 1000_00)
    expect([await world.balance(next), (await world.totals()).openDebt]).toEqual([18_00, 30_00])
    await world.dine('X', 200_00)
    expect(await world.totals()).toMatchObject({ paid: 30_00, openDebt: 0, owed: 6_00 })
    const other = await paidMember()
    await other.world.remove(other.memberId)
    const again = await other.world.join('ada')
    await other.world.refund(other.meal, 1000_00)
    expect(await other.world.balance(again)).toBe(0)
    await other.world.carry()
    expect(await other.world.balance(again)).toBe(-30_00)
  })

  test('Case 102 a refund that is corrected after its debt was carried reaches the account that carries it, once', async () => {
    const { world, memberId, meal } = await indebted()
    const next = await world.join('ada')
    await world.refund(meal, 0)
    expect([await world.balance(memberId), await world.balance(next)]).toEqual([0, 0])
    await world.refund(meal, 0)
    await world.carry()
    expect([await world.balance(memberId), await world.balance(next)]).toEqual([0, 0])
    expect(await textsOf(world, next)).toEqual(['debts.debtReturned $30.00', 'debts.debtCarried $30.00'])
    // Refunded again.
    await world.refund(meal, 1000_00)
    expect(await world.balance(next)).toBe(-30_00)
    expect(await findLedgerViolations(world.ctx.db)).toEqual([])
  })

  test('Case 102 a refund that is corrected after the debt was paid back in a deleted account reaches the next one', async () => {
    const { world, memberId, meal } = await indebted()
    const second = await world.join('ada')
    await world.link(second, 'X')
    await world.dine('X', 1000_00)
    await world.remove(second)
    await world.refund(meal, 0)
    expect([await world.balance(memberId), (await world.totals()).openDebt]).toEqual([0, -30_00])
    expect(await world.balance(await world.join('ada'))).toBe(0)
    expect(await world.totals()).toMatchObject({ openDebt: 0, earned: 60_00, paid: 60_00 })
  })

  test('Case 102 the debts of several deleted accounts, and the rest of a debt that was paid back in part, add up', async () => {
    const { world } = await indebted()
    const second = await world.join('ada')
    await world.link(second, 'X')
    await world.dine('X', 400_00)
    expect(await world.balance(second)).toBe(-18_00)
    await world.remove(second)
    expect(await world.totals()).toMatchObject({ openDebt: 18_00 })
    // Another debt of the same card, in an account with another address.
    const eve = await world.join('eve')
    await world.link(eve, 'Y')
    const meal = await world.dine('Y', 800_00)
    await world.execute('completed')
    await world.refund(meal, 800_00)
    await world.remove(eve)
    const third = await world.join('ada')
    expect(await world.balance(third)).toBe(-18_00)
    await world.link(third, 'Y')
    expect(await world.balance(third)).toBe(-42_00)
    expect(await world.totals()).toMatchObject({ openDebt: 0, owed: 42_00 })
    expect(await findLedgerViolations(world.ctx.db)).toEqual([])
  })

  test('Case 102 a credit that is rejected after the deletion settles the debt', async () => {
    const world = await createDebtWorld(harness)
    const memberId = await world.join('ada')
    await world.link(memberId, 'X')
    const meal = await world.dine('X', 1000_00)
    await world.refund(meal, 1000_00)
    await world.remove(memberId)
    const next = await world.join('ada')
    expect(await world.balance(next)).toBe(-30_00)
    await world.execute('rejected')
    expect([await world.balance(memberId), await world.balance(next)]).toEqual([0, 0])
    expect(await world.totals()).toMatchObject({ earned: 0, paid: 0, balances: 0, openDebt: 0 })
  })

  test('Case 102 a debt in one unit is not paid back by a balance in another', async () => {
    const { world, memberId } = await paidMember()
    const post = (id: number, unit: 'mile' | 'point', amount: number) =>
      inTransaction(world.ctx.db, (tx) =>
        postEntries(tx, [
          {
            source: 'adjustment',
            sourceId: randomUUID(),
            version: 1,
            kind: 'adjustment',
            reason: {},
            postings: rewardPostings({ memberId: id, unit, amount }),
          },
        ]),
      )
    await post(memberId, 'mile', -500)
    await post(memberId, 'point', 40)
    await world.remove(memberId)
    const next = await world.join('ada')
    await world.link(next, 'Y')
    await world.dine('Y', 700_00)
    expect(await textsOf(world, next)).toEqual(['debts.debtCarried 500 miles'])
    expect((await world.totals()).paid).toBe(51_00)
    expect(await findLedgerViolations(world.ctx.db)).toEqual([])
  })

  test('Case 102 a card owes what was taken back from its own meals, also when another person links it', async () => {
    const world = await createDebtWorld(harness)
    const ada = await world.join('ada')
    await world.link(ada, 'X')
    await world.link(ada, 'shared')
    const meals = [await world.dine('X', 700_00), await world.dine('shared', 800_00)] as const
    await world.execute('completed')
    await world.refund(meals[0], 700_00)
    await world.refund(meals[1], 100_00)
    await world.remove(ada)
    const spouse = await world.join('spouse')
    await world.link(spouse, 'shared')
    expect(await world.balance(spouse)).toBe(-3_00)
    expect(await world.balance(await world.join('ada'))).toBe(-21_00)
  })

  test('Case 102 a debt follows its card from an account that stays open, whether it arises before or after', async () => {
    const { world, memberId, meal } = await paidMember()
    await world.refund(meal, 500_00)
    await world.unlink(memberId, 'X')
    expect(await world.balance(memberId)).toBe(-15_00)
    const eve = await world.join('eve')
    await world.link(eve, 'X')
    expect([await world.balance(memberId), await world.balance(eve)]).toEqual([0, -15_00])
    expect(await textsOf(world, memberId)).toEqual(['debts.debtLeft $15.00'])
    await world.refund(meal, 1000_00)
    expect([await world.balance(memberId), await world.balance(eve)]).toEqual([0, -30_00])
    await world.refund(meal, 0)
    expect([await world.balance(memberId), await world.balance(eve)]).toEqual([0, 0])
    expect(await findLedgerViolations(world.ctx.db)).toEqual([])
  })

  test('Case 102 a debt that an account without its card has taken over follows the card', async () => {
    const { world } = await indebted()
    const dormant = await world.join('ada')
    expect(await world.balance(dormant)).toBe(-30_00)
    const eve = await world.join('eve')
    await world.link(eve, 'X')
    expect([await world.balance(dormant), await world.balance(eve)]).toEqual([0, -30_00])
    // It does not go back and forth.
    await world.carry()
    await inTransaction(world.ctx.db, (tx) => settleMember(tx, world.ctx, dormant))
    expect([await world.balance(dormant), await world.balance(eve)]).toEqual([0, -30_00])
  })

  test('DATA-033 after two years the hashes are deleted, and the debt is written off in the ledger', async () => {
    const { world, memberId } = await indebted()
    const { db } = world.ctx
    const age = (interval: string) =>
      queryAsOwner(
        harness.ownerUrl,
        'update former_member_identifiers set recorded_at = now() - $2::interval where member_id = $1',
        [memberId, interval],
      )
    await age('730 days -1 minute')
    await purgeFormerMembers(db)
    await world.carry()
    expect((await world.totals()).openDebt).toBe(30_00)
    await age('730 days 1 minute')
    await purgeFormerMembers(db)
    await world.carry()
    expect((await world.totals()).openDebt).toBe(0)
    const { rows } = await sql`
      select j.kind, p.account, p.amount from debts d join journal_entries j on j.source = 'debt' and j.source_id = d.public_id
      join postings p on p.journal_entry_id = j.id where d.member_id = ${memberId} order by 1, 2`.execute(db)
    expect(rows).toEqual([
      { kind: 'debt', account: 'debt', amount: -30_00 },
      { kind: 'debt', account: 'member', amount: 30_00 },
      { kind: 'written-off-debt', account: 'debt', amount: 30_00 },
      { kind: 'written-off-debt', account: 'program', amount: -30_00 },
    ])
    expect(await world.balance(await world.join('ada'))).toBe(0)
    expect(await findLedgerViolations(db)).toEqual([])
  })
})

describe('Case 103', () => {
  test('Case 103 nothing is paid while the account that owes for a linked card is locked by another transaction', async () => {
    const { world, memberId, meal } = await paidMember()
    await world.refund(meal, 500_00)
    await world.unlink(memberId, 'X')
    const eve = await world.join('eve')
    await world.link(eve, 'Y')
    const { paid } = await world.totals()
    await whileLocked(world.ctx.db, {
      hold: (tx) => lockMember(tx, memberId),
      acts: [
        async () => {
          await world.link(eve, 'X')
          await world.dine('Y', 700_00)
        },
      ],
    })
    expect([await world.balance(memberId), await world.balance(eve)]).toEqual([-15_00, 21_00])
    expect((await world.totals()).paid).toBe(paid)
    await world.dine('Y', 500_00)
    expect([await world.balance(memberId), await world.balance(eve)]).toEqual([0, 0])
    expect((await world.totals()).paid).toBe(paid + 21_00)
  })

  test('Case 103 a refund, a deletion, a new account and payments at the same time lose nothing and pay nothing twice', async () => {
    for (let round = 0; round < scaled({ full: 40, short: 3 }); round++) {
      const { world, memberId, meal } = await paidMember()
      const other = await world.join('eve')
      await world.link(other, 'Y')
      const rejoin = async () => {
        await world.remove(memberId)
        const next = await world.join('ada')
        await world.link(next, 'X')
        return next
      }
      const [next] = await Promise.all([
        rejoin(),
        world.refund(meal, 1000_00),
        world.dine('Y', 700_00),
        world.dine('X', 900_00),
        world.carry(),
        world.execute('completed'),
      ])
      await world.carry()
      const { earned, paid, balances, owed, openDebt } = await world.totals()
      expect(balances - openDebt).toBe(earned - paid)
      expect({ openDebt, owed: owed > 0 }).toEqual({ openDebt: 0, owed: (await world.balance(next)) < 0 })
      await world.dine('X', 1500_00)
      await world.dine('X', 1500_00)
      const after = await world.totals()
      expect(after).toMatchObject({ owed: 0, openDebt: 0 })
      expect(after.paid).toBeLessThanOrEqual(after.earned)
      expect(await findLedgerViolations(world.ctx.db)).toEqual([])
    }
  })
})

describe('Case 114 an entry that another one of the same purchase has replaced', () => {
  /** Returns what a person who links the card X takes over when the first account owes for its other card. */
  async function carriedWith(earn: (world: World, memberId: number) => Promise<unknown>) {
    const world = await createDebtWorld(harness)
    const memberId = await world.join('ann')
    for (const card of ['X', 'Y']) await world.link(memberId, card)
    await earn(world, memberId)
    const meal = await world.dine('Y', 800_00)
    await world.execute('completed')
    await world.refund(meal, 800_00)
    await world.unlink(memberId, 'X')
    const next = await world.join('bob')
    await world.link(next, 'X')
    await world.dine('X', 2000_00)
    await world.carry()
    const { rows } = await sql<{ cents: number }>`
      select coalesce(sum(p.amount), 0)::int as cents from postings p join journal_entries j on j.id = p.journal_entry_id
      where p.member_id = ${next} and j.source = 'debt'`.execute(world.ctx.db)
    expect(await findLedgerViolations(world.ctx.db)).toEqual([])
    return [rows[0]?.cents, await world.balance(memberId)]
  }

  test('was not taken back from its card: two clearings turn out to be parts of one purchase', async () => {
    const carried = await carriedWith(async ({ dine, balance }, memberId) => {
      const first = await dine('X', 300_00)
      const second = await dine('X', 300_00)
      await dine('X', 300_00, { id: second, originalTransactionId: first })
      expect(await balance(memberId)).toBe(18_00)
    })
    expect(carried).toEqual([0, -24_00])
  })

  test('was not taken back from its card: a transaction takes the place of the credit of a claim', async () => {
    const carried = await carriedWith(async ({ ctx, merchantId, dine, balance }, memberId) => {
      const cards = ctx.db.selectFrom('cards').select('id').where('member_id', '=', memberId).orderBy('id')
      const [card] = await cards.execute()
      await inTransaction(ctx.db, async (tx) => {
        await lockMember(tx, memberId)
        await postManualCredit(tx, ctx, {
          memberId,
          cardId: card?.id ?? null,
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
      expect(await balance(memberId)).toBe(18_00)
      await dine('X', 600_00)
      expect(await balance(memberId)).toBe(18_00)
    })
    expect(carried).toEqual([0, -24_00])
  })

  test('counterpart: what was refunded of the card goes with it', async () => {
    const carried = await carriedWith(async ({ dine, refund }) => {
      const meal = await dine('X', 600_00)
      await refund(meal, 200_00)
    })
    expect(carried).toEqual([-6_00, -18_00])
  })
})
