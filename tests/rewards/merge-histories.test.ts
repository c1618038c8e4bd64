import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { mergeAccounts } from '../../src/account/console/merge/rows.ts'
import { findMemberRow, lockMember, lockMembers, type MemberRow } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'
import { postAdjustment } from '../../src/rewards/awards/adjustment.ts'
import { getDiningProgress } from '../../src/rewards/awards/dining-progress.ts'
import { grantBonus } from '../../src/rewards/bonuses/service.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import type { CreditProcessor } from '../../src/rewards/payouts/processor.ts'
import { executeCredit } from '../../src/rewards/payouts/statement-credits.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  findLedgerViolations,
  programConfig,
  receiveEvent,
} from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'
import { whileLocked } from '../support/while-locked.ts'

const harness = setUpTestHarness()

const bonus = {
  code: 'TWO',
  description: 'two meals',
  amount: 4_00,
  dines: 2,
  withinDays: 60,
  startsOn: '2020-01-01',
  newMembers: true,
}

function createContext(config: object = {}): Ctx {
  const base = createTestContext(harness, 'beacon', new Date('2026-03-01T12:00:00Z'))
  const { bonuses } = ProgramConfig.parse({ ...programConfig('beacon'), bonuses: [bonus] })
  return { ...base, program: { ...base.program, config: { ...base.program.config, bonuses, ...config } } } as Ctx
}

/** Two accounts with a card each, and restaurants with and without a monthly limit. A meal of a dollar earns 3 cents. */
async function createAccounts(ctx: Ctx) {
  const { db } = ctx
  const [one, two] = [await addMember(db), await addMember(db)]
  const cards = [await addCard(db, one), await addCard(db, two)]
  const merchants = [await addMerchant(db), await addMerchant(db, { maxVisitsPerMonth: 1 })]
  let moment = Date.parse('2026-03-02T12:00:00Z')
  const send = (event: 'auth' | 'clearing' | 'refund', of: object) => {
    moment += 60_000
    return receiveEvent(
      ctx,
      feedEvent(`transaction.${event}`, { programId: 'beacon', updated: new Date(moment).toISOString(), ...of }),
    )
  }
  const mealOf = (card: number, merchant: number, cents: number) => {
    moment += 3_600_000
    const { token, lastFour } = cards[card] as (typeof cards)[number]
    return {
      id: randomUUID(),
      amount: (cents / 100).toFixed(2),
      datetime: new Date(moment).toISOString(),
      card: { id: token, lastNumbers: lastFour },
      location: { id: (merchants[merchant] as (typeof merchants)[number]).locationId },
    }
  }
  return {
    one,
    two,
    cards,
    merchants,
    mealOf,
    send,
    dine: async (card: number, merchant: number, cents: number) => {
      const meal = mealOf(card, merchant, cents)
      await send('clearing', meal)
      return meal
    },
    refund: (meal: ReturnType<typeof mealOf>, cents: number) =>
      send('refund', { ...meal, id: randomUUID(), originalTransactionId: meal.id, amount: (cents / 100).toFixed(2) }),
    benefitsOf: async () => {
      const { rows } = await sql<{ id: string; benefit: number }>`
        select network_id as id, benefit from transactions where member_id in (${one}, ${two}) and type_code = 'S'
          and award_status in ('Awarded', 'Paid')`.execute(db)
      return new Map(rows.map(({ id, benefit }) => [id, benefit]))
    },
  }
}

const merge = (ctx: Ctx, from: number, to: number) =>
  inTransaction(ctx.db, async (tx) => {
    await lockMembers(tx, [from, to])
    const [own, kept] = [await findMemberRow(tx, from), await findMemberRow(tx, to)]
    if (own?.merged_into_id !== null || kept?.merged_into_id !== null) throw new Error('merged already')
    await mergeAccounts(tx, ctx, { from: own as MemberRow, to: kept as MemberRow })
  })

async function balanceOf(ctx: Ctx, ...ids: number[]): Promise<number> {
  const all = await Promise.all(ids.map((id) => getBalance(ctx.db, id, 'cent')))
  return all.reduce((sum, each) => sum + each, 0)
}

/** Returns the sum of all postings of each account of the ledger, in cents. */
async function totals(ctx: Ctx): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: string; sum: number }>`
    select account, sum(amount)::bigint as sum from postings where partner_id = current_partner() group by account`.execute(
    ctx.db,
  )
  return Object.fromEntries(rows.map(({ account, sum }) => [account, sum]))
}

describe('what two accounts have earned together', () => {
  const act = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('dine' as const),
        card: fc.nat(1),
        merchant: fc.nat(1),
        dollars: fc.integer({ min: 20, max: 900 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('authorize' as const), card: fc.nat(1), merchant: fc.nat(1) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('clear' as const), meal: fc.nat(9) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('refund' as const),
        meal: fc.nat(9),
        percent: fc.constantFrom(50, 100, 100),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('bonus' as const), card: fc.nat(1) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('adjust' as const), card: fc.nat(1) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('answer' as const), isPaid: fc.boolean() }) },
  )

  async function answerCredits(ctx: Ctx, isPaid: boolean): Promise<void> {
    const processor: CreditProcessor = isPaid
      ? ownProcessor
      : {
          ...ownProcessor,
          submit: async () => ({ outcome: 'rejected', reason: 'closed card' }),
          check: async () => ({ outcome: 'rejected', reason: 'closed card' }),
        }
    const { rows } = await sql<{ id: number }>`
      select id from statement_credits where partner_id = current_partner() and status in ('pending', 'pending_received')`.execute(
      ctx.db,
    )
    for (const { id } of rows) await executeCredit(ctx, processor, { id: String(id) })
  }

  test('CON-750 stays the same by the merge but for what the rules give one person once, and nothing is paid twice afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 4, maxLength: 14 }),
        fc.array(act, { minLength: 2, maxLength: 8 }),
        fc.boolean(),
        async (before, after, isReverse) => {
          // VIP begins with a day, which the accounts reach at different times.
          const ctx = createContext({ hasVIP: false })
          const world = await createAccounts(ctx)
          // The same meals in one account that has always had both cards.
          const control = await createAccounts(ctx)
          await sql`update cards set member_id = ${control.one} where member_id = ${control.two}`.execute(ctx.db)
          const [meals, waiting]: [Meal[], Meal[]] = [[], []]
          type Meal = { own: ReturnType<typeof world.mealOf>; same: ReturnType<typeof world.mealOf>; cents: number }
          const perform = async (each: (typeof before)[number], holders: readonly number[]) => {
            if (each.kind === 'dine') {
              const cents = each.dollars * 100
              const own = await world.dine(each.card, each.merchant, cents)
              meals.push({ own, same: await control.dine(each.card, each.merchant, cents), cents })
            } else if (each.kind === 'authorize') {
              const [own, same] = [world, control].map((of) => of.mealOf(each.card, each.merchant, 300_00))
              if (!own || !same) return
              await world.send('auth', own)
              await control.send('auth', same)
              waiting.push({ own, same, cents: 300_00 })
            } else if (each.kind === 'clear' && waiting.length > 0) {
              const [meal] = waiting.splice(each.meal % waiting.length, 1) as [Meal]
              await world.send('clearing', meal.own)
              await control.send('clearing', meal.same)
              meals.push(meal)
            } else if (each.kind === 'refund' && meals.length > 0) {
              const meal = meals[each.meal % meals.length] as Meal
              await world.refund(meal.own, (meal.cents * each.percent) / 100)
              await control.refund(meal.same, (meal.cents * each.percent) / 100)
            } else if (each.kind === 'bonus') {
              const member = (await findMemberRow(ctx.db, holders[each.card] as number)) as MemberRow
              await inTransaction(ctx.db, (tx) => grantBonus(tx, ctx, member, 'TWO')).catch(() => {})
            } else if (each.kind === 'adjust') {
              const memberId = holders[each.card] as number
              const adjustment = { id: randomUUID(), memberId, amount: 1_25, words: 'Sorry', by: ['Ada'] }
              await inTransaction(ctx.db, (tx) => postAdjustment(tx, ctx, adjustment))
            } else if (each.kind === 'answer') await answerCredits(ctx, each.isPaid)
          }
          for (const each of before) await perform(each, [world.one, world.two])

          const [from, to] = isReverse ? [world.two, world.one] : [world.one, world.two]
          const [sum, all] = [await balanceOf(ctx, from, to), await totals(ctx)]
          await merge(ctx, from, to)
          const { rows } = await sql<{ changed: number; settled: number }>`
            select coalesce(sum(p.amount) filter (where p.member_id in (${from}, ${to}) and j.source <> 'merge'), 0)::bigint as changed,
              count(*) filter (where j.source = 'merge' and p.account <> 'member') as settled
            from journal_entries j join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id
            where j.partner_id = current_partner() and j.posted_at = (
              select merged_at from member_merges where merged_member_id = ${from})`.execute(ctx.db)
          const { changed = 0, settled = 0 } = rows[0] ?? {}
          expect(await balanceOf(ctx, from, to)).toBe(sum + changed)
          expect(await balanceOf(ctx, from)).toBe(0)
          expect(settled).toBe(0)
          if (changed === 0) expect(await totals(ctx)).toEqual(all)

          for (const each of after) await perform(each, [to, to])
          // Everything that is left is refunded: the kept account owes it.
          expect(await balanceOf(ctx, from)).toBe(0)
          const benefitOf = async (meal: Meal) => [
            (await world.benefitsOf()).get(meal.own.id) ?? 0,
            (await control.benefitsOf()).get(meal.same.id) ?? 0,
          ]
          for (const meal of meals) {
            const [own, same] = await benefitOf(meal)
            expect(own).toBe(same)
          }
          const posted = Object.values(await totals(ctx)).reduce((sums, each) => sums + each, 0)
          expect(posted).toBe(0)
          const bonuses = await sql<{ count: number }>`select count(*)::int as count from transactions
            where member_id in (${from}, ${to}) and type_code = 'B' and benefit > 0`.execute(ctx.db)
          expect(bonuses.rows[0]?.count).toBeLessThanOrEqual(1)
          expect(await findLedgerViolations(ctx.db)).toEqual([])
        },
      ),
      { numRuns: scaled({ full: 60, short: 12 }) },
    )
  })

  test('CON-750 a monthly limit and a bonus of new members count once, and the differences are posted', async () => {
    const ctx = createContext({ statementCreditFromCents: undefined })
    const { one, two, dine, refund } = await createAccounts(ctx)
    for (const id of [one, two]) {
      const member = (await findMemberRow(ctx.db, id)) as MemberRow
      await inTransaction(ctx.db, (tx) => grantBonus(tx, ctx, member, 'TWO'))
    }
    for (const card of [0, 1]) {
      await dine(card, 0, 100_00)
      await dine(card, 1, 200_00)
    }
    // Three and six dollars, and a bonus of four, in each.
    expect([await balanceOf(ctx, one), await balanceOf(ctx, two)]).toEqual([13_00, 13_00])
    await merge(ctx, one, two)
    expect([await balanceOf(ctx, one), await balanceOf(ctx, two)]).toEqual([0, 16_00])
    // The meal of the limited restaurant that counts is the first: with its refund the other one counts.
    const [first] = [await dine(0, 1, 50_00)]
    expect(await balanceOf(ctx, two)).toBe(16_00)
    await refund(first, 50_00)
    expect(await balanceOf(ctx, two)).toBe(16_00)
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  })

  test('CON-750 reaches VIP together, and VIP of the merged account stays', async () => {
    const ctx = createContext({ statementCreditFromCents: undefined })
    const { one, two, dine } = await createAccounts(ctx)
    await dine(0, 0, 300_00)
    await dine(1, 0, 250_00)
    const progress = (id: number) => getDiningProgress(ctx.db, id, ctx.program.config, ctx.now())
    expect((await progress(two)).status).toBe('Building')
    await merge(ctx, one, two)
    expect(await progress(two)).toMatchObject({ status: 'Qualified', vipBegins: '2026-03-02' })

    const other = await createAccounts(ctx)
    const vip = { tier_level: 'VIP', vip_from: '2026-01-05', vip_until: '2026-12-31' }
    await ctx.db.updateTable('members').set(vip).where('id', '=', other.one).execute()
    await merge(ctx, other.one, other.two)
    expect(await findMemberRow(ctx.db, other.two)).toMatchObject(vip)
  })
})

describe('a merge at the same time as', () => {
  test('CON-751 a message about a meal of the merged account: the kept one has the reward, once', async () => {
    for (const feedFirst of [true, false]) {
      const ctx = createContext({ statementCreditFromCents: undefined })
      const { one, two, mealOf, send } = await createAccounts(ctx)
      const receive = () => send('clearing', mealOf(0, 0, 100_00))
      const join = () => merge(ctx, one, two)
      await whileLocked<unknown[]>(ctx.db, {
        hold: (tx) => lockMember(tx, one),
        acts: feedFirst ? [receive, join] : [join, receive],
      })
      expect([await balanceOf(ctx, one), await balanceOf(ctx, two)]).toEqual([0, 3_00])
      expect(await findLedgerViolations(ctx.db)).toEqual([])
    }
  })

  test('CON-751 the merge in the other direction: one of them happens', async () => {
    const ctx = createContext({ statementCreditFromCents: undefined })
    const { one, two, dine } = await createAccounts(ctx)
    for (const card of [0, 1]) await dine(card, 0, 100_00)
    const outcomes = await Promise.allSettled([merge(ctx, one, two), merge(ctx, two, one)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const balances = [await balanceOf(ctx, one), await balanceOf(ctx, two)]
    expect(balances.toSorted((a, b) => a - b)).toEqual([0, 6_00])
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  })

  test('CON-751 an answer about a statement credit of the merged account: what returns is in the kept one', async () => {
    const ctx = createContext()
    const { one, two, dine } = await createAccounts(ctx)
    await dine(0, 0, 900_00)
    expect(await balanceOf(ctx, one)).toBe(0)
    const { rows } = await sql<{ id: number }>`select id from statement_credits where member_id = ${one}`.execute(
      ctx.db,
    )
    const rejecting: CreditProcessor = {
      ...ownProcessor,
      submit: async () => {
        await merge(ctx, one, two)
        return { outcome: 'rejected', reason: 'closed card' }
      },
    }
    await executeCredit(ctx, rejecting, { id: String(rows[0]?.id) })
    expect([await balanceOf(ctx, one), await balanceOf(ctx, two)]).toEqual([0, 27_00])
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  })
})
