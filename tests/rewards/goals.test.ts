import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { addDays, startOfDay } from '../../src/platform/time.ts'
import { planGoals } from '../../src/rewards/activity/plan-goals.ts'
import { listActivatedBonuses, periodOf } from '../../src/rewards/bonuses/service.ts'
import { getBalance, postEntries, rewardPostings } from '../../src/rewards/ledger/entries.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, createTestContext, receiveEvent } from '../support/rewards-harness.ts'

const app = setUpTestApp()

interface Goal {
  kind: string
  key: string
  params: Record<string, string>
  progress: { done: number; total: number } | null
}
const getGoals = async ({ visitor }: CardMember): Promise<Goal[]> => (await visitor.get('/api/Member/Goals')).json()
const of = async (member: CardMember, kind: string) => (await getGoals(member)).find((goal) => goal.kind === kind)

test('the visits missing to VIP are counted down to the end of the year', async () => {
  const member = await createCardMember(app)
  const before = await of(member, 'vip')
  expect([before?.params.count, before?.progress]).toEqual(['11', { done: 0, total: 11 }])
  expect(before?.params.by).toMatch(/^Dec 31, \d{4}$/)
  await member.sendTransaction('clearing', '30.00')
  expect((await of(member, 'vip'))?.params.count).toBe('10')
})

test('a fuel program names the bill of the next step, and a transaction of that amount earns it', async () => {
  const member = await createCardMember(app, 'gallonaire')
  const step = await of(member, 'step')
  expect(step?.params).toEqual({ bill: '$50.00', benefit: '10¢ per gallon' })
  await member.sendTransaction('clearing', '50.00')
  expect((await member.listTransactions())[0].benefitAmount).toBe(0.1)
})

test('an activated bonus shows how many visits are missing', async () => {
  const member = await createCardMember(app, 'orchard')
  await member.visitor.change('POST', '/api/Member/Bonus/ORC-WELCOME')
  expect(await of(member, 'bonus')).toMatchObject({
    key: 'rewards.goal.bonus_one',
    params: { benefit: '500 points', bonus: 'A welcome gift for your first dinner' },
    progress: { done: 0, total: 1 },
  })
  const db = app.database.pools.forPartner('orchard')
  const [bonus] = await listActivatedBonuses(db, member.memberId)
  const ctx = { ...createTestContext(app.database, 'skyharbor'), db }
  const { lastDay } = periodOf(ctx.program.config, bonus as NonNullable<typeof bonus>)
  const end = startOfDay(addDays(lastDay, 1), ctx.program.config.timeZone).getTime()
  const shownAt = async (time: number) => {
    const goals = await planGoals({
      ...ctx,
      actor: { ...ctx.actor, memberId: member.memberId },
      now: () => new Date(time),
    } as MemberCtx)
    return goals.some(({ kind }) => kind === 'bonus')
  }
  expect([await shownAt(end - 1), await shownAt(end)]).toEqual([true, false])
})

test('a statement credit is a goal as long as a cent is missing', async () => {
  const ctx = createTestContext(app.database, 'beacon')
  const memberId = await addMember(ctx.db)
  const [card, { locationId }] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  const over = { id: randomUUID(), programId: 'beacon', card: { id: card.token, lastNumbers: card.lastFour } }
  await receiveEvent(ctx, feedEvent('transaction.clearing', { ...over, location: { id: locationId } }))
  const creditGoal = async (statementCreditFromCents: number) => {
    const config = { ...ctx.program.config, statementCreditFromCents }
    const goals = await planGoals({
      ...ctx,
      actor: { ...ctx.actor, memberId },
      program: { ...ctx.program, config },
    } as MemberCtx)
    return goals.find(({ kind }) => kind === 'credit')
  }
  const missing = async (cents: number) => (await creditGoal(cents))?.params.left
  const balance = await getBalance(ctx.db, memberId, 'cent')
  expect(balance).toBeGreaterThan(0)
  expect([await missing(balance + 1), await missing(balance)]).toEqual(['$0.01', undefined])
  // What was sent and then refunded is missing too, and is no progress.
  const postings = rewardPostings({ memberId, unit: 'cent', amount: -balance - 1_00 })
  const entry = { source: 'adjustment', sourceId: randomUUID(), version: 1, kind: 'adjustment', reason: {} } as const
  await inTransaction(ctx.db, (tx) => postEntries(tx, [{ ...entry, postings }]))
  expect(await creditGoal(20_00)).toMatchObject({
    params: { left: '$21.00', full: '$20.00' },
    progress: { done: 0, total: 20_00 },
  })
})

test('ACCT-027 a VIP is told what keeps VIP in the next year, once it would end, and nothing without an end', async () => {
  const ctx = createTestContext(app.database, 'skyharbor', new Date('2026-11-20T17:00:00Z'))
  const memberId = await addMember(ctx.db, { tier: 'VIP' })
  const vipGoal = async (config = ctx.program.config) => {
    const goals = await planGoals({
      ...ctx,
      actor: { ...ctx.actor, memberId },
      program: { ...ctx.program, config },
    } as MemberCtx)
    return goals.find(({ kind }) => kind === 'vip')
  }
  const endsOn = (vip_until: string | null) =>
    ctx.db
      .updateTable('members')
      .set({ vip_from: vip_until && '2026-01-01', vip_until })
      .where('id', '=', memberId)
      .execute()
  expect(await vipGoal()).toBeUndefined()
  await endsOn('2026-12-31')
  const by = 'Dec 31, 2026'
  expect(await vipGoal()).toMatchObject({ key: 'rewards.goal.vip_keep', params: { count: '11', by, year: '2027' } })
  expect(await vipGoal({ ...ctx.program.config, vipDinesRequired: 1 })).toMatchObject({
    key: 'rewards.goal.vip_keep_one',
  })
  expect(await vipGoal({ ...ctx.program.config, vipDollarsRequired: 500 })).toMatchObject({
    key: 'rewards.goal.vip_keep_dollars',
    params: { amount: '$500.00', by, year: '2027' },
  })
  await endsOn('2027-12-31')
  expect(await vipGoal()).toBeUndefined()
})
