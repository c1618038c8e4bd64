import { expect, test } from 'vitest'
import { getSignedInMember } from '../../src/identity/members/service.ts'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'
import { activateBonus, listActivatedBonuses, readBonuses } from '../../src/rewards/bonuses/service.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
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
  type TestCard,
  type TestMerchant,
  type TestPartner,
} from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

const offered = { code: 'DINE', description: 'A bonus', amount: 500, dines: 1, withinDays: 30, newMembers: false }

/** Creates a member with a card in a program with one bonus; `now` is a moment of March 2026. */
async function diner(
  bonus: Record<string, unknown>,
  program: Record<string, unknown> = {},
  partner: TestPartner = 'skyharbor',
) {
  const plain = createTestContext(harness, partner)
  const memberId = await addMember(plain.db)
  await plain.db
    .updateTable('members')
    .set({ joined_at: new Date('2026-01-05T00:00:00Z') })
    .where('id', '=', memberId)
    .execute()
  const card = await addCard(plain.db, memberId)
  const ctxAt = (now: string, changed: Record<string, unknown> = {}) => {
    const config = ProgramConfig.parse({
      ...programConfig(partner),
      ...program,
      bonuses: [{ startsOn: '2026-01-01', ...offered, ...bonus, ...changed }],
    })
    return { ...plain, actor: { ...plain.actor, memberId }, program: { config }, now: () => new Date(now) } as MemberCtx
  }
  const ctx = ctxAt('2026-03-10T12:00:00Z')
  let count = 0
  const send = async (
    name: 'clearing' | 'refund',
    {
      id,
      amount,
      at = '2026-03-10T23:30:00.000Z',
      merchant,
      of,
      paidWith = card,
    }: { id: string; amount: string; at?: string; merchant: TestMerchant; of?: string; paidWith?: TestCard },
    by: MemberCtx = ctx,
  ) =>
    receiveEvent(
      by,
      feedEvent(`transaction.${name}`, {
        id: `${id}-${memberId}`,
        programId: partner,
        amount,
        datetime: at,
        created: at,
        updated: new Date(Date.UTC(2026, 3, 1, 0, ++count)).toISOString(),
        card: { id: paidWith.token, lastNumbers: paidWith.lastFour },
        location: { id: merchant.locationId },
        ...(of && { originalTransactionId: `${of}-${memberId}` }),
      }),
    )
  const entry = async () => {
    const row = await ctx.db
      .selectFrom('transactions')
      .select(['benefit', 'award_status', 'merchant_id', 'merchant_name', 'network_location_id', 'occurred_at'])
      .select(['card_id', 'card_last_four', 'cleared_at'])
      .where('member_id', '=', memberId)
      .where('type_code', '=', 'B')
      .executeTakeFirst()
    return row
  }
  const status = async () =>
    (await readBonuses(ctx, await getSignedInMember(ctx))).map(({ bonusStatus }) => bonusStatus)
  const qualifiedAt = async () => (await listActivatedBonuses(ctx.db, memberId)).map((bonus) => bonus.qualifiedAt)
  const unit = partner === 'skyharbor' ? 'mile' : 'cent'
  const lastCard = { ...(await addCard(plain.db, memberId)), lastFour: '0019' }
  return {
    ctx,
    ctxAt,
    card,
    lastCard,
    send,
    entry,
    status,
    qualifiedAt,
    balance: () => getBalance(ctx.db, memberId, unit),
  }
}

test('HIST-045 a bonus can be activated from its first to its last day in the program’s time zone, and stays active after it', async () => {
  const { ctxAt } = await diner({ startsOn: '2026-03-10', endsOn: '2026-03-12' })
  const outcome = (now: string) =>
    activateBonus(ctxAt(now), 'DINE', { inApp: false }).catch(({ code }: { code: string }) => code)
  const listed = async (now: string) => {
    const ctx = ctxAt(now)
    return (await readBonuses(ctx, await getSignedInMember(ctx))).map(({ bonusStatus }) => bonusStatus)
  }
  for (const now of ['2026-03-10T03:59:59Z', '2026-03-13T04:00:00Z'])
    expect([now, await listed(now), await outcome(now)]).toEqual([now, [], 'bonusNotOffered'])
  expect(await listed('2026-03-10T04:00:00Z')).toEqual(['Eligible'])
  expect(await outcome('2026-03-13T03:59:59Z')).toBe(true)
  expect([await listed('2026-03-13T04:00:00Z'), await outcome('2026-03-13T04:00:00Z')]).toEqual([['Enrolled'], true])
})

test('a bonus is offered from its start, and to members who join later from then on', async () => {
  for (const [startsOn, offeredAt] of [
    ['2026-01-04', '2026-01-05T00:00:00.000Z'],
    ['2026-01-06', '2026-01-06T05:00:00.000Z'],
  ]) {
    const { ctx } = await diner({ startsOn })
    const offered = async () => (await readBonuses(ctx, await getSignedInMember(ctx)))[0]?.createDateUtc
    expect([startsOn, await offered()]).toEqual([startsOn, offeredAt])
    // It was offered then, whenever it is activated.
    await activateBonus(ctx, 'DINE', { inApp: false })
    expect([startsOn, await offered()]).toEqual([startsOn, offeredAt])
  }
})

test('a bonus for new members is offered until ninety days after joining, and stays active after them', async () => {
  const { ctxAt } = await diner({ newMembers: true })
  const [last, late] = [ctxAt('2026-04-05T00:00:00Z'), ctxAt('2026-04-05T00:00:00.001Z')]
  const listed = async (ctx: MemberCtx) =>
    (await readBonuses(ctx, await getSignedInMember(ctx))).map(({ bonusStatus }) => bonusStatus)
  expect([await listed(last), await listed(late)]).toEqual([['Eligible'], []])
  await expect(activateBonus(late, 'DINE', { inApp: false })).rejects.toMatchObject({ code: 'bonusNotOffered' })
  expect(await activateBonus(last, 'DINE', { inApp: false })).toBe(true)
  expect(await listed(late)).toEqual(['Enrolled'])
})

test('a bonus for two visits is earned on the day of the second one, in whatever order they are reported', async () => {
  const { ctx, ctxAt, send, entry, balance } = await diner({ dines: 2 })
  const merchant = await addMerchant(harness.pools.shared)
  await activateBonus(ctx, 'DINE', { inApp: false })
  // Another one, activated between the visits.
  await activateBonus(ctxAt('2026-03-12T12:00:00Z', { code: 'LATER' }), 'LATER', { inApp: false })
  const [first, second] = ['2026-03-11T23:30:00.000Z', '2026-03-13T23:30:00.000Z']
  await send('clearing', { id: 'b', amount: '50.00', at: second, merchant })
  await send('clearing', { id: 'a', amount: '50.00', at: first, merchant })
  expect([await balance(), (await entry())?.occurred_at]).toEqual([800, new Date(second)])
})

test('a partial refund below the minimum takes the bonus back, and one that stays above it does not', async () => {
  const { ctx, send, entry, status, balance } = await diner({ minimumCents: 40_00 })
  const merchant = await addMerchant(harness.pools.shared)
  await activateBonus(ctx, 'DINE', { inApp: false })
  await send('clearing', { id: 'a', amount: '50.00', merchant })
  expect([await balance(), await status()]).toEqual([650, ['Qualified']])
  await send('refund', { id: 'r1', amount: '-10.00', of: 'a', merchant })
  expect([await balance(), await status()]).toEqual([620, ['Qualified']])
  await send('refund', { id: 'r2', amount: '-0.01', of: 'a', merchant })
  expect([await balance(), await status(), (await entry())?.benefit]).toEqual([119, ['Enrolled'], 0])
  expect(await findLedgerViolations(ctx.db)).toEqual([])
})

test('a bonus that is earned again belongs to the other transaction: its day, its restaurant and its card', async () => {
  const { ctx, card, lastCard, send, entry, status, qualifiedAt, balance } = await diner({})
  const [first, second] = [
    await addMerchant(harness.pools.shared, { name: 'Corner Bistro' }),
    await addMerchant(harness.pools.shared, { name: 'Harbor Grill' }),
  ]
  await activateBonus(ctx, 'DINE', { inApp: false })
  await send('clearing', { id: 'a', amount: '50.00', merchant: first })
  const at = (merchant: TestMerchant, name: string, day: string, paidWith: TestCard, cleared: string) => ({
    card_id: paidWith.id,
    card_last_four: paidWith.lastFour,
    cleared_at: new Date(cleared),
    merchant_id: merchant.id,
    merchant_name: name,
    network_location_id: merchant.locationId,
    occurred_at: new Date(day),
  })
  const earned = at(first, 'Corner Bistro', '2026-03-10T23:30:00.000Z', card, '2026-04-01T00:01:00Z')
  expect(await entry()).toMatchObject({ benefit: 500, ...earned })
  expect([await status(), await qualifiedAt()]).toEqual([['Qualified'], [earned.occurred_at]])
  await send('refund', { id: 'r', amount: '-50.00', of: 'a', merchant: first })
  // A reversed bonus stays where it was.
  expect(await entry()).toMatchObject({ benefit: 0, award_status: 'Forfeit', ...earned })
  expect([await status(), await qualifiedAt()]).toEqual([['Enrolled'], [null]])
  await send('clearing', {
    id: 'b',
    amount: '20.00',
    at: '2026-03-12T23:30:00.000Z',
    merchant: second,
    paidWith: lastCard,
  })
  expect(await entry()).toMatchObject({
    benefit: 500,
    award_status: 'Awarded',
    ...at(second, 'Harbor Grill', '2026-03-12T23:30:00.000Z', lastCard, '2026-04-01T00:03:00Z'),
  })
  expect([await status(), await qualifiedAt()]).toEqual([['Qualified'], [new Date('2026-03-12T23:30:00.000Z')]])
  expect(await balance()).toBe(560)
})

test('a bonus whose transaction is refunded moves to a later one that completes it', async () => {
  const { ctx, card, lastCard, send, entry, status, qualifiedAt, balance } = await diner({})
  const merchant = await addMerchant(harness.pools.shared, { name: 'Corner Bistro' })
  await activateBonus(ctx, 'DINE', { inApp: false })
  await send('clearing', { id: 'a', amount: '50.00', merchant })
  await send('clearing', { id: 'b', amount: '50.00', at: '2026-03-12T23:30:00.000Z', merchant, paidWith: lastCard })
  expect(await entry()).toMatchObject({ benefit: 500, card_id: card.id })
  await send('refund', { id: 'r', amount: '-50.00', of: 'a', merchant })
  const later = new Date('2026-03-12T23:30:00.000Z')
  expect(await entry()).toMatchObject({
    benefit: 500,
    award_status: 'Awarded',
    occurred_at: later,
    card_id: lastCard.id,
    card_last_four: lastCard.lastFour,
  })
  expect([await status(), await qualifiedAt(), await balance()]).toEqual([['Qualified'], [later], 650])
  expect(await findLedgerViolations(ctx.db)).toEqual([])
})

test('a bonus that was paid out stays paid when it moves to a later transaction, or is earned again', async () => {
  const { ctx, send, entry } = await diner({})
  const merchant = await addMerchant(harness.pools.shared)
  const [first, second, third] = ['2026-03-10', '2026-03-12', '2026-03-14'].map((day) => `${day}T23:30:00.000Z`)
  await activateBonus(ctx, 'DINE', { inApp: false })
  await send('clearing', { id: 'a', amount: '50.00', at: first, merchant })
  await ctx.db
    .updateTable('transactions')
    .set({ award_status: 'Paid', paid_at: new Date('2026-03-11T12:00:00Z') })
    .where('member_id', '=', ctx.actor.memberId)
    .execute()
  await send('clearing', { id: 'b', amount: '50.00', at: second, merchant })
  await send('refund', { id: 'r1', amount: '-50.00', of: 'a', merchant })
  expect(await entry()).toMatchObject({ benefit: 500, award_status: 'Paid', occurred_at: new Date(second ?? '') })
  await send('refund', { id: 'r2', amount: '-50.00', of: 'b', merchant })
  expect(await entry()).toMatchObject({ benefit: 0, award_status: 'Forfeit' })
  await send('clearing', { id: 'c', amount: '50.00', at: third, merchant })
  expect(await entry()).toMatchObject({ benefit: 500, award_status: 'Paid', occurred_at: new Date(third ?? '') })
  expect(await findLedgerViolations(ctx.db)).toEqual([])
})

test('the terms are those of the activation, whatever the program offers later', async () => {
  const { ctx, ctxAt, send, balance } = await diner({ dines: 1, amount: 500 })
  const merchant = await addMerchant(harness.pools.shared)
  await activateBonus(ctx, 'DINE', { inApp: false })
  const later = ctxAt('2026-03-10T12:00:00Z', { amount: 9000, dines: 5, minimumCents: 1000_00, description: 'New' })
  await send('clearing', { id: 'a', amount: '50.00', merchant }, later)
  expect(await balance()).toBe(650)
})

test('a reward that is still held back does not count toward a bonus, and one that was paid out does', async () => {
  const held = await diner({ dines: 2 })
  const merchant = await addMerchant(harness.pools.shared)
  await activateBonus(held.ctx, 'DINE', { inApp: false })
  const program = { ...held.ctx.program, config: { ...held.ctx.program.config, deferDays: 10 } }
  await held.send('clearing', { id: 'a', amount: '50.00', merchant }, { ...held.ctx, program })
  const at = '2026-03-12T23:30:00.000Z'
  await held.send('clearing', { id: 'b', amount: '50.00', at, merchant })
  expect([await held.balance(), await held.status()]).toEqual([150, ['Enrolled']])
  const paid = await diner({ dines: 2 })
  await activateBonus(paid.ctx, 'DINE', { inApp: false })
  await paid.send('clearing', { id: 'a', amount: '50.00', merchant })
  await paid.ctx.db
    .updateTable('transactions')
    .set({ award_status: 'Paid', paid_at: new Date() })
    .where('member_id', '=', paid.ctx.actor.memberId)
    .execute()
  await paid.send('clearing', { id: 'b', amount: '50.00', at, merchant })
  expect([await paid.balance(), await paid.status()]).toEqual([800, ['Qualified']])
})

test('two programs that differ in everything keep to their own settings at the same restaurant', async () => {
  const merchant = await addMerchant(harness.pools.shared)
  const sky = await diner(
    { amount: 700, minimumCents: 10_00, withinDays: 5 },
    {
      earnRates: { OptedOut: 110, NonActivated: 120, OptedIn: 400, VIP: 600 },
      earnStepCents: 1,
      minimumSpendCents: 5_00,
      maxRewardPerMeal: 150,
    },
  )
  const gas = await diner(
    { amount: 90, minimumCents: 30_00, withinDays: 40 },
    {
      earnRates: { OptedOut: 10, NonActivated: 15, OptedIn: 30, VIP: 40 },
      earnStepCents: 25_00,
      minimumSpendCents: 20_00,
      maxRewardPerMeal: 1000,
    },
    'gallonaire',
  )
  const amounts: [amount: string, sky: number, gas: number][] = [
    ['12.00', 48 + 700, 0],
    ['26.00', 48 + 104 + 700, 7],
    ['60.00', 48 + 104 + 150 + 700, 7 + 15 + 90],
  ]
  for (const { ctx } of [sky, gas]) await activateBonus(ctx, 'DINE', { inApp: false })
  for (const [index, [amount, ofSky, ofGas]] of amounts.entries()) {
    const at = `2026-03-1${index + 1}T23:30:00.000Z`
    for (const member of [sky, gas]) await member.send('clearing', { id: `d${index}`, amount, at, merchant })
    expect([amount, await sky.balance(), await gas.balance()]).toEqual([amount, ofSky, ofGas])
  }
  for (const { ctx } of [sky, gas]) expect(await findLedgerViolations(ctx.db)).toEqual([])
})
