import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { addDays, localMoment } from '../../src/platform/time.ts'
import { computeEarnQuote } from '../../src/rewards/activity/earn-quote.ts'
import { getMemberFlexOffer, listMemberFlexOffers } from '../../src/rewards/activity/flex-offers.ts'
import { saveBonus } from '../../src/rewards/awards/extra-entries.ts'
import { flexRateOf, getFlexRate, listFlexTerms } from '../../src/rewards/awards/flex-offers.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  findLedgerViolations,
  receiveEvent,
} from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'

const harness = setUpTestHarness()

// A Wednesday evening in New York.
const now = new Date('2026-03-12T00:30:00Z')
type Partner = 'skyharbor' | 'beacon' | 'gallonaire'

function contextOfMember<Id extends number | null>(partner: Partner, memberId: Id, over: object = {}) {
  const ctx = createTestContext(harness, partner, now)
  const config = { ...ctx.program.config, hasFlexOffers: true, acclaimed2Enabled: true, ...over }
  return { ...ctx, actor: { ...ctx.actor, memberId }, program: { ...ctx.program, config } }
}

async function getSlug(ctx: Ctx, id: number): Promise<string> {
  const row = await ctx.db.selectFrom('merchants').select('public_id').where('id', '=', id).executeTakeFirstOrThrow()
  return row.public_id
}

async function addFlexOffer(ctx: Ctx, merchantId: number, extraRate: number): Promise<void> {
  const offer = { public_id: publicId(), merchant_id: merchantId, extra_rate: extraRate, starts_on: '2026-01-01' }
  await ctx.db
    .insertInto('flex_offers')
    .values({ ...offer, tiers: ['OptedIn', 'VIP'] })
    .execute()
}

const scenario = fc.record({
  partner: fc.constantFrom<Partner>('skyharbor', 'beacon', 'gallonaire'),
  tier: fc.constantFrom('OptedOut', 'NonActivated', 'OptedIn', 'VIP'),
  cents: fc.integer({ min: 1, max: 40_000 }),
  days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
  ratePercent: fc.constantFrom(0, 50, 100, 200),
  maxSpendCents: fc.constantFrom(null, 2_000, 15_000),
  maxVisits: fc.constantFrom(null, 1, 2),
  earlier: fc.integer({ min: 0, max: 2 }),
  acclaimedLevel: fc.constantFrom(0, 0, 1, 2),
  flexRate: fc.constantFrom(0, 0, 200),
  hours: fc.constantFrom(null, null, { from: '17:00', until: '21:00' }, { from: '11:00', until: '14:00' }),
  minSpendCents: fc.constantFrom(0, 0, 5_000),
  monthlyCents: fc.constantFrom(null, null, 10_000, 3_000),
  minimumSpendCents: fc.constantFrom(0, 0, 3_000),
  maxRewardPerMeal: fc.constantFrom(undefined, undefined, 50),
  pin: fc.boolean(),
  linkedAt: fc.constantFrom('2026-01-02T12:00:00Z', '2026-01-02T12:00:00Z', '2026-03-11T20:00:00Z'),
  leftOn: fc.constantFrom(null, null, null, '2026-03-11'),
  formerTier: fc.constantFrom(null, null, 'VIP', 'OptedOut'),
})

test('the quoted award equals the award of the transaction', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (one) => {
      const { minimumSpendCents, maxRewardPerMeal } = one
      const program = { minimumSpendCents, maxRewardPerMeal, excludesPinDebit: true, linkActivationHours: 12 }
      const ctx = contextOfMember(one.partner, null, program)
      const memberId = await addMember(ctx.db, { tier: one.formerTier ?? one.tier })
      // Regardless of today's tier, the transaction earns at the tier of its day.
      if (one.formerTier) {
        await ctx.db.updateTable('members').set({ tier_level: one.tier }).where('id', '=', memberId).execute()
      }
      const card = await addCard(ctx.db, memberId, { linkedAt: new Date(one.linkedAt) })
      const merchant = await addMerchant(ctx.db)
      await ctx.db
        .updateTable('merchants')
        .set({ acclaimed_level: one.acclaimedLevel, left_on: one.leftOn })
        .where('id', '=', merchant.id)
        .execute()
      await ctx.db
        .updateTable('merchant_offers')
        .set({
          type: 'Limited',
          from_time: one.hours?.from ?? null,
          until_time: one.hours?.until ?? null,
          min_spend_cents: one.minSpendCents,
          max_monthly_spend_cents: one.monthlyCents,
          days: one.days,
          rate_percent: one.ratePercent,
          max_spend_cents: one.maxSpendCents,
          max_visits_per_month: one.maxVisits,
        })
        .where('merchant_id', '=', merchant.id)
        .execute()
      if (one.flexRate > 0) await addFlexOffer(ctx, merchant.id, one.flexRate)
      const eat = (cents: number, at: string, pin = false) => {
        const instant = `${at}.000Z`
        return receiveEvent(
          contextOfMember(one.partner, null, program),
          feedEvent('transaction.clearing', {
            id: randomUUID(),
            programId: one.partner,
            datetime: instant,
            created: instant,
            updated: instant,
            amount: (cents / 100).toFixed(2),
            card: { id: card.token, lastNumbers: card.lastFour },
            ...(pin && { verification: 'pin' }),
            location: { id: merchant.locationId },
          }),
        )
      }
      for (let visit = 0; visit < one.earlier; visit++) await eat(60_00, `2026-03-0${2 + visit}T23:30:00`)
      const quote = await computeEarnQuote(contextOfMember(one.partner, memberId, program), {
        merchantId: await getSlug(ctx, merchant.id),
        amount: (one.cents / 100).toFixed(2),
        date: '2026-03-11',
        time: '20:30',
        pin: one.pin,
      })
      await eat(one.cents, '2026-03-12T00:30:00', one.pin)
      const row = await ctx.db
        .selectFrom('transactions')
        .select(['benefit', 'reason'])
        .where('member_id', '=', memberId)
        .orderBy('occurred_at', 'desc')
        .executeTakeFirstOrThrow()
      expect({ benefit: quote.benefit, code: quote.reason.code }).toEqual({
        benefit: row.benefit,
        code: (row.reason as unknown as { code: string }).code,
      })
    }),
    { numRuns: scaled({ full: 150, short: 50 }) },
  )
  for (const partner of ['skyharbor', 'beacon', 'gallonaire'] as const) {
    expect(await findLedgerViolations(createTestContext(harness, partner).db)).toEqual([])
  }
}, 60_000)

test('a visitor gets the quote of a new member, not of a VIP, and a member without a card sees that one is missing', async () => {
  const ctx = contextOfMember('skyharbor', null)
  const merchantId = await getSlug(ctx, (await addMerchant(ctx.db)).id)
  expect(await computeEarnQuote(ctx, { merchantId, amount: '100' })).toMatchObject({
    basis: 'newMember',
    tier: 'OptedIn',
    benefit: 300,
  })
  const memberId = await addMember(ctx.db)
  const without = await computeEarnQuote(contextOfMember('skyharbor', memberId), { merchantId, amount: '100' })
  expect(without).toMatchObject({ basis: 'member', tier: 'OptedIn', benefit: 300, cardMissing: true })
  await addCard(ctx.db, memberId)
  expect(await computeEarnQuote(contextOfMember('skyharbor', memberId), { merchantId, amount: '100' })).toMatchObject({
    cardMissing: false,
  })
  await expect(computeEarnQuote(ctx, { merchantId: 'nowhere', amount: '1' })).rejects.toMatchObject({
    code: 'merchantNotFound',
  })
})

test('a restaurant that will leave has quotes, and one that does not take part has none', async () => {
  const ctx = contextOfMember('skyharbor', null)
  const { id } = await addMerchant(ctx.db)
  const merchantId = await getSlug(ctx, id)
  const quote = async (left_on: string | null, date: string) => {
    await ctx.db.updateTable('merchants').set({ participating: false, left_on }).where('id', '=', id).execute()
    return computeEarnQuote(ctx, { merchantId, amount: '100', date })
  }
  expect([
    (await quote('2026-03-20', '2026-03-19')).benefit,
    (await quote('2026-03-20', '2026-03-20')).benefit,
  ]).toEqual([300, 0])
  await expect(quote(null, '2026-03-19')).rejects.toMatchObject({ code: 'merchantNotFound' })
})

test('a quote is for seven in the evening of its day unless it names a time, with the offer of that day', async () => {
  const ctx = contextOfMember('skyharbor', null)
  const { id } = await addMerchant(ctx.db)
  const merchantId = await getSlug(ctx, id)
  await ctx.db.deleteFrom('merchant_offers').where('merchant_id', '=', id).execute()
  // Of Wednesday, which is today in New York, and of Thursday.
  const offers = [
    { days: [3], rate_percent: 100, max_visits_per_month: 4, from_time: '12:00', until_time: '18:00' },
    { days: [4], rate_percent: 200, max_visits_per_month: 5, from_time: '18:59', until_time: '19:01' },
  ]
  for (const offer of offers)
    await ctx.db
      .insertInto('merchant_offers')
      .values({ merchant_id: id, type: 'Limited', starts_on: '2026-01-01', ...offer })
      .execute()
  const quote = async (over: { date?: string; time?: string }) => {
    const { benefit, ratePercent } = await computeEarnQuote(ctx, { merchantId, amount: '100', ...over })
    return [benefit, ratePercent]
  }
  expect(await quote({ date: '2026-03-12' })).toEqual([600, 200])
  expect(await quote({ date: '2026-03-12', time: '18:00' })).toEqual([0, 200])
  expect(await quote({ date: '2026-03-11' })).toEqual([0, 100])
  expect(await quote({ time: '18:00' })).toEqual([300, 100])
})

test('a quote late in the evening has the rate and the personal offer of that day at the restaurant', async () => {
  const earnRates = { OptedOut: 100, NonActivated: 100, OptedIn: 900, VIP: 500 }
  const ctx = contextOfMember('skyharbor', null, { formerRates: [{ until: '2026-03-11', earnRates }] })
  const { id } = await addMerchant(ctx.db)
  await addFlexOffer(ctx, id, 100)
  await ctx.db.updateTable('flex_offers').set({ ends_on: '2026-03-11' }).where('merchant_id', '=', id).execute()
  const merchantId = await getSlug(ctx, id)
  const benefitOn = async (date: string, time: string) =>
    (await computeEarnQuote(ctx, { merchantId, amount: '100', date, time })).benefit
  expect([await benefitOn('2026-03-11', '23:59'), await benefitOn('2026-03-12', '00:00')]).toEqual([1000, 300])
})

test('a quote is for the card that was linked first, or for the given one of the member’s own', async () => {
  const ctx = contextOfMember('skyharbor', null)
  const merchantId = await getSlug(ctx, (await addMerchant(ctx.db)).id)
  const [memberId, other] = [await addMember(ctx.db), await addMember(ctx.db)]
  const cards = [await addCard(ctx.db, memberId), await addCard(ctx.db, memberId), await addCard(ctx.db, other)]
  const ids: string[] = []
  for (const [index, { token }] of cards.entries()) {
    // The second one earns from tomorrow on.
    const linkedAt = index === 1 ? new Date(now.getTime() + 24 * 3_600_000) : new Date('2026-01-02T12:00:00Z')
    const row = await ctx.db
      .updateTable('cards')
      .set({ linked_at: linkedAt })
      .where('token', '=', token)
      .returning('public_id')
      .executeTakeFirstOrThrow()
    ids.push(row.public_id)
  }
  const quote = (card?: string) =>
    computeEarnQuote(contextOfMember('skyharbor', memberId), { merchantId, amount: '100', card })
  expect((await quote()).benefit).toBe(300)
  expect((await quote(ids[0])).benefit).toBe(300)
  expect((await quote(ids[1])).benefit).toBe(0)
  for (const card of [ids[2], 'unknown']) await expect(quote(card)).rejects.toMatchObject({ code: 'cardNotFound' })
  // Removed cards earn nothing.
  const remove = (index: number) =>
    ctx.db
      .updateTable('cards')
      .set({ removed_at: now })
      .where('public_id', '=', ids[index] as string)
      .execute()
  await remove(0)
  expect(await quote()).toMatchObject({ benefit: 0, cardMissing: false })
  await expect(quote(ids[0])).rejects.toMatchObject({ code: 'cardNotFound' })
  await remove(1)
  expect(await quote()).toMatchObject({ benefit: 300, cardMissing: true })
  // A visitor has no card.
  const asVisitor = computeEarnQuote(ctx, { merchantId, amount: '100', card: ids[0] })
  await expect(asVisitor).rejects.toMatchObject({ code: 'cardNotFound' })
})

test('an amount is parsed in common formats, and a past day is rejected', async () => {
  const ctx = contextOfMember('skyharbor', null)
  const merchantId = await getSlug(ctx, (await addMerchant(ctx.db)).id)
  for (const [amount, benefit] of [
    ['$80', 240],
    ['1,000', 3000],
    ['$1,000.50', 3001],
  ] as const)
    expect(await computeEarnQuote(ctx, { merchantId, amount })).toMatchObject({ benefit })
  const today = localMoment(ctx.now(), 'America/New_York').date
  expect(await computeEarnQuote(ctx, { merchantId, amount: '60', date: today })).toMatchObject({ benefit: 180 })
  await expect(computeEarnQuote(ctx, { merchantId, amount: '60', date: addDays(today, -1) })).rejects.toMatchObject({
    fields: [{ field: 'date', message: 'rewards.quote.date_past' }],
  })
})

test('the month’s rewarded visits of the restaurant are counted against the limit', async () => {
  const ctx = contextOfMember('skyharbor', null)
  const [merchant, other] = [await addMerchant(ctx.db, { maxVisitsPerMonth: 3 }), await addMerchant(ctx.db)]
  const memberId = await addMember(ctx.db)
  const card = await addCard(ctx.db, memberId)
  // Half an hour before midnight on the last day of February in New York.
  const february = '2026-03-01T04:30:00.000Z'
  for (const [{ locationId }, datetime] of [
    [merchant, february],
    [merchant, '2026-03-10T23:30:00.000Z'],
    [other, '2026-03-10T23:30:00.000Z'],
    [other, '2026-03-10T23:30:00.000Z'],
  ] as const)
    await receiveEvent(
      ctx,
      feedEvent('transaction.clearing', {
        id: randomUUID(),
        datetime,
        created: datetime,
        updated: datetime,
        card: { id: card.token, lastNumbers: card.lastFour },
        location: { id: locationId },
      }),
    )
  const merchantId = await getSlug(ctx, merchant.id)
  // A bonus beside the transaction is no visit.
  await inTransaction(ctx.db, async (tx) => {
    const [visit] = await tx
      .selectFrom('transactions')
      .selectAll()
      .where('merchant_id', '=', merchant.id)
      .orderBy('occurred_at', 'desc')
      .execute()
    if (!visit) throw new Error('no transaction')
    const bonus = { networkId: `bonus:${visit.public_id}`, publicId: visit.public_id, benefit: 500, unit: 'mile' }
    await saveBonus(tx, visit, { ...bonus, reason: { code: 'bonus' } })
  })
  const quote = await computeEarnQuote(contextOfMember('skyharbor', memberId), { merchantId, amount: '60' })
  expect(quote.visits).toEqual({ used: 1, limit: 3 })
})

test('MERCH-013 DATA-014 a personal offer applies to its member only, and only in programs that have them', async () => {
  const ctx = contextOfMember('skyharbor', null)
  const merchant = await addMerchant(ctx.db)
  const merchantId = await getSlug(ctx, merchant.id)
  await addFlexOffer(ctx, merchant.id, 500)
  const ids = await Promise.all(['OptedIn', 'OptedIn', 'OptedOut'].map((tier) => addMember(ctx.db, { tier })))
  const [ada, bob, out] = ids as [number, number, number]
  const getPublicId = async (id: number) =>
    (await ctx.db.selectFrom('members').select('public_id').where('id', '=', id).executeTakeFirstOrThrow()).public_id
  const getFlexOffer = async (memberId: number, about: number, over = {}) =>
    getMemberFlexOffer(contextOfMember('skyharbor', memberId, over), { merchantId, publicId: await getPublicId(about) })
  expect(await getFlexOffer(ada, ada)).toMatchObject({ webMessageOfferAmount: '+5' })
  const rejectedCalls = [
    () => getFlexOffer(ada, bob),
    () => getFlexOffer(out, out),
    () => getFlexOffer(ada, ada, { hasFlexOffers: false }),
  ]
  for (const call of rejectedCalls) {
    await expect(call()).rejects.toMatchObject({ code: 'flexOfferNotFound' })
  }
  expect(await listMemberFlexOffers(contextOfMember('skyharbor', ada))).toContainEqual(
    expect.objectContaining({ merchantId }),
  )
  expect(await listMemberFlexOffers(contextOfMember('skyharbor', out))).toEqual([])
  const elsewhere = await listMemberFlexOffers(
    contextOfMember('beacon', await addMember(contextOfMember('beacon', null).db)),
  )
  expect(elsewhere.map((offer) => offer.merchantId)).not.toContain(merchantId)
  // It is still the 11th in New York.
  const during = async (starts_on: string, ends_on: string | null) => {
    const span = { starts_on, ends_on }
    await ctx.db.updateTable('flex_offers').set(span).where('merchant_id', '=', merchant.id).execute()
    return getFlexOffer(ada, ada)
  }
  expect(await during('2026-01-01', '2026-03-11')).toMatchObject({ webMessageOfferAmount: '+5' })
  await expect(during('2026-03-12', null)).rejects.toMatchObject({ code: 'flexOfferNotFound' })
})

test('HIST-045 a personal offer holds from its first to its last day at the restaurant', async () => {
  const ctx = contextOfMember('skyharbor', null)
  const memberId = await addMember(ctx.db)
  const spans = [
    { starts_on: '2026-03-13', ends_on: null },
    { starts_on: '2026-03-12', ends_on: '2026-03-12' },
    { starts_on: '2026-01-01', ends_on: '2026-03-11' },
  ]
  const held: boolean[][] = []
  const listedBefore: boolean[] = []
  for (const span of spans) {
    const { id: merchantId } = await addMerchant(ctx.db)
    await addFlexOffer(ctx, merchantId, 500)
    await ctx.db.updateTable('flex_offers').set(span).where('merchant_id', '=', merchantId).execute()
    const at = { merchantId, tier: 'OptedIn', date: '2026-03-12' } as const
    const terms = await inTransaction(ctx.db, (tx) => listFlexTerms(tx, sql<number[]>`array[${merchantId}]::bigint[]`))
    const slug = await getSlug(ctx, merchantId)
    const member = contextOfMember('skyharbor', memberId)
    // Noon of March 12, and the evening before it, which is March 12 in UTC.
    const offers = await listMemberFlexOffers({ ...member, now: () => new Date('2026-03-12T16:00:00Z') })
    const evening = await listMemberFlexOffers(member)
    listedBefore.push(evening.some((offer) => offer.merchantId === slug))
    const rates = [await getFlexRate(ctx.db, at), flexRateOf(terms, at)]
    held.push([...rates.map((rate) => rate === 500), offers.some((offer) => offer.merchantId === slug)])
  }
  expect(held).toEqual([Array(3).fill(false), Array(3).fill(true), Array(3).fill(false)])
  expect(listedBefore).toEqual([false, false, true])
})
