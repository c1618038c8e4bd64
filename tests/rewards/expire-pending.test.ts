import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../src/platform/http/context.ts'
import { DAY, HOUR } from '../../src/platform/time.ts'
import { readTransactionTimeline } from '../../src/rewards/activity/transaction-timeline.ts'
import { getDiningProgress } from '../../src/rewards/awards/dining-progress.ts'
import { findFlexOffer } from '../../src/rewards/awards/flex-offers.ts'
import { expirePending } from '../../src/rewards/awards/pending.ts'
import { recalculate } from '../../src/rewards/awards/recalculate.ts'
import { runVipTransitions } from '../../src/rewards/awards/schedule-vip.ts'
import { dayText } from '../../src/rewards/earning/explain.ts'
import { rematchJoinedLocations, rematchUnmatched } from '../../src/rewards/feed/receive-events.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  findLedgerViolations,
  programConfig,
  receiveEvent,
  type TestPartner,
} from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

const dinedAt = new Date('2026-03-10T23:30:00Z')
const daysLater = (days: number) => new Date(dinedAt.getTime() + days * DAY)

/** Inserts a member at a restaurant, and returns a clock that the test sets. */
async function createFixture(partnerId: TestPartner, config: object = {}, tier = 'OptedIn') {
  const clock = (now: Date): Ctx => {
    const ctx = createTestContext(harness, partnerId, now)
    return { ...ctx, program: { ...ctx.program, config: { ...ctx.program.config, ...config } } }
  }
  const { db } = clock(dinedAt)
  const memberId = await addMember(db, { tier })
  const [card, merchant] = [await addCard(db, memberId), await addMerchant(db)]
  const send = (what: 'auth' | 'clearing' | 'refund', over = {}, now = dinedAt) =>
    receiveEvent(
      clock(now),
      feedEvent(`transaction.${what}`, {
        id: randomUUID(),
        programId: partnerId,
        datetime: dinedAt.toISOString(),
        updated: now.toISOString(),
        card: { id: card.token, lastNumbers: card.lastFour },
        location: { id: merchant.locationId },
        ...over,
      }),
    )
  const getTransaction = (id: string) =>
    db.selectFrom('transactions').selectAll().where('network_id', '=', id).executeTakeFirstOrThrow()
  const balance = () => getBalance(db, memberId, partnerId === 'skyharbor' ? 'mile' : 'cent')
  return { clock, db, memberId, merchant, card, send, getTransaction, balance }
}

const codeOf = (transaction: { reason: unknown }) => (transaction.reason as { code: string }).code

describe('expiration by time', () => {
  test('HIST-025 CONST-010 a deferred award is given on its day, not before', async () => {
    const { clock, send, getTransaction, balance } = await createFixture('skyharbor', { deferDays: 14 })
    const id = randomUUID()
    await send('clearing', { id })
    expect([(await getTransaction(id)).award_status, await balance()]).toEqual(['Deferred', 0])
    await expirePending(clock(daysLater(13.9)))
    expect([(await getTransaction(id)).award_status, await balance()]).toEqual(['Deferred', 0])
    await expirePending(clock(daysLater(14)))
    expect([(await getTransaction(id)).award_status, await balance()]).toEqual(['Awarded', 126])
    await expirePending(clock(daysLater(15)))
    expect(await balance()).toBe(126)
  })

  test('HIST-025 the days of a deferred award count from the final charge, not from the visit, as the member sees', async () => {
    const { clock, send, getTransaction, memberId } = await createFixture('skyharbor', { deferDays: 14 })
    const id = randomUUID()
    await send('auth', { id })
    await send('clearing', { id }, daysLater(5))
    const ctx = clock(daysLater(6))
    const { public_id: publicId } = await getTransaction(id)
    const timeline = await readTransactionTimeline({ ...ctx, actor: { ...ctx.actor, memberId } }, publicId)
    expect(timeline.next).toEqual({ key: 'rewards.story.next_held', params: { by: dayText('2026-03-29') } })
    const statusAfter = async (days: number) => {
      await expirePending(clock(daysLater(days)))
      return (await getTransaction(id)).award_status
    }
    expect([await statusAfter(14), await statusAfter(18.9), await statusAfter(19)]).toEqual([
      'Deferred',
      'Deferred',
      'Awarded',
    ])
  })

  test('a refund of a deferred transaction leaves nothing to give', async () => {
    const { clock, send, getTransaction, balance } = await createFixture('skyharbor', { deferDays: 14 })
    const id = randomUUID()
    await send('clearing', { id })
    await send('refund', { originalTransactionId: id, amount: '-42.10' }, daysLater(3))
    await expirePending(clock(daysLater(20)))
    expect([(await getTransaction(id)).award_status, await balance()]).toEqual(['Forfeit', 0])
  })

  test('an authorization that never cleared is reported after a month, and still earns if it clears later', async () => {
    const { clock, send, getTransaction, balance } = await createFixture('skyharbor')
    const id = randomUUID()
    await send('auth', { id })
    await expirePending(clock(daysLater(30)))
    expect((await getTransaction(id)).award_status).toBe('Pending')
    await expirePending(clock(daysLater(30.1)))
    const given = await getTransaction(id)
    expect([given.award_status, codeOf(given)]).toEqual(['Forfeit', 'neverCharged'])
    await send('clearing', { id }, daysLater(40))
    expect([(await getTransaction(id)).award_status, await balance()]).toEqual(['Awarded', 126])
  })

  test('an authorization that was given up and clears later is held back like any other', async () => {
    const { clock, send, getTransaction, balance } = await createFixture('skyharbor', { deferDays: 14 })
    const id = randomUUID()
    await send('auth', { id })
    await expirePending(clock(daysLater(30.1)))
    expect(codeOf(await getTransaction(id))).toBe('neverCharged')
    await send('clearing', { id }, daysLater(40))
    expect([(await getTransaction(id)).award_status, await balance()]).toEqual(['Deferred', 0])
    await expirePending(clock(daysLater(54)))
    expect([(await getTransaction(id)).award_status, await balance()]).toEqual(['Awarded', 126])
  })

  test('an unknown merchant is matched for two weeks, and still matched when it joins later', async () => {
    const { clock, db, send, getTransaction, balance } = await createFixture('skyharbor')
    const [id, locationId] = [randomUUID(), randomUUID()]
    await send('clearing', { id, location: { id: locationId } })
    expect((await getTransaction(id)).award_status).toBe('Deferred')
    await expirePending(clock(daysLater(14.1)))
    const given = await getTransaction(id)
    expect([given.award_status, codeOf(given)]).toEqual(['Forfeit', 'locationNotEnrolled'])
    expect(await rematchJoinedLocations(clock(daysLater(15)))).toBe(0)
    await addMerchant(db, { locationId })
    expect(await rematchJoinedLocations(clock(daysLater(16)))).toBe(1)
    expect([(await getTransaction(id)).award_status, await balance()]).toEqual(['Awarded', 126])
    expect(await rematchJoinedLocations(clock(daysLater(16)))).toBe(0)
  })

  test('an unknown merchant is matched from the first day of its network id on, not for the day before', async () => {
    const { clock, db, send, getTransaction } = await createFixture('skyharbor')
    const [id, locationId] = [randomUUID(), randomUUID()]
    await send('clearing', { id, location: { id: locationId } })
    await addMerchant(db, { locationId })
    const matchedSince = async (since: string) => {
      const change = 'update merchant_network_ids set since = $2 where network_id = $1'
      await queryAsOwner(harness.ownerUrl, change, [locationId, since])
      return rematchJoinedLocations(clock(daysLater(1)))
    }
    expect([await matchedSince('2026-03-11'), await matchedSince('2026-03-10')]).toEqual([0, 1])
    expect((await getTransaction(id)).award_status).toBe('Awarded')
  })

  test('an unknown card is matched for as long, and still matched when it is linked later', async () => {
    const { clock, send, getTransaction, memberId, db, balance } = await createFixture('skyharbor')
    const [id, token] = [randomUUID(), randomUUID()]
    await send('clearing', { id, card: { id: token, lastNumbers: '0007' } })
    await expirePending(clock(daysLater(15)))
    expect((await getTransaction(id)).award_status).toBe('Forfeit')
    await addCard(db, memberId, { token })
    expect(await rematchUnmatched(clock(daysLater(16)), { cardToken: token })).toBe(1)
    expect([(await getTransaction(id)).award_status, await balance()]).toEqual(['Awarded', 126])
    expect(await findLedgerViolations(db)).toEqual([])
  })

  test('two processes that expire the same award at the same time give it once', async () => {
    const { clock, send, balance } = await createFixture('skyharbor', { deferDays: 1 })
    for (let transaction = 0; transaction < 10; transaction++) await send('clearing')
    await Promise.all([1, 2, 3].map(() => expirePending(clock(daysLater(2)))))
    expect(await balance()).toBe(1260)
  })
})

describe('network ids of a restaurant', () => {
  test('an expired id says that the restaurant changed how it takes cards, and the new one earns', async () => {
    const { clock, db, send, getTransaction, merchant, balance } = await createFixture('skyharbor')
    const next = randomUUID()
    await db.updateTable('merchants').set({ network_location_id: next }).where('id', '=', merchant.id).execute()
    // As if it had been changed on the day before the transaction.
    for (const [column, id] of [['until', merchant.locationId] as const, ['since', next] as const]) {
      await db
        .updateTable('merchant_network_ids')
        .set({ [column]: '2026-03-09' })
        .where('network_id', '=', id)
        .execute()
    }
    const [old, fresh, earlier] = [randomUUID(), randomUUID(), randomUUID()]
    await send('clearing', { id: old })
    await send('clearing', { id: fresh, location: { id: next } })
    await send('clearing', { id: earlier, datetime: '2026-03-08T20:00:00Z' })
    expect(codeOf(await getTransaction(old))).toBe('processingChanged')
    expect(codeOf(await getTransaction(fresh))).toBe('earned')
    expect(codeOf(await getTransaction(earlier))).toBe('earned')
    expect(await balance()).toBe(252)
    // It stays expired when the award is computed again.
    const march = { from: '2026-03-01', to: '2026-03-31', apply: false }
    const differences = await Array.fromAsync(recalculate(clock(dinedAt), march))
    const { public_id: publicId } = await getTransaction(old)
    expect(differences.filter((difference) => difference.publicId === publicId)).toEqual([])
  })

  test('an id that passed to another restaurant belongs to the one that had it on the day', async () => {
    const { db, send, getTransaction, merchant } = await createFixture('skyharbor')
    const other = await addMerchant(db, { name: 'The Successor' })
    await db
      .updateTable('merchant_network_ids')
      .set({ until: '2026-03-10' })
      .where('network_id', '=', merchant.locationId)
      .execute()
    await db
      .insertInto('merchant_network_ids')
      .values({ network_id: merchant.locationId, merchant_id: other.id, since: '2026-03-10' })
      .execute()
    const [before, after] = [randomUUID(), randomUUID()]
    // Half an hour before midnight in New York, and half an hour after it.
    await send('clearing', { id: before, datetime: '2026-03-10T03:30:00Z' })
    await send('clearing', { id: after, datetime: '2026-03-10T04:30:00Z' })
    expect([(await getTransaction(before)).merchant_id, (await getTransaction(after)).merchant_id]).toEqual([
      merchant.id,
      other.id,
    ])
  })
})

describe('the day on which a network id passes to another restaurant', () => {
  const now = Date.now()
  const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()

  /** Sends a meal before the moment at which the id passes to the other restaurant, and one after it. */
  async function passOn(from: string, to: string, how: 'changed' | 'added') {
    const { clock, db, send, getTransaction, merchant } = await createFixture('skyharbor', { settlement })
    await db.updateTable('merchants').set({ time_zone: from }).where('id', '=', merchant.id).execute()
    const { locationId } = merchant
    const other = how === 'changed' ? await addMerchant(db, { name: 'The Successor', timeZone: to }) : null
    await db.updateTable('merchants').set({ network_location_id: randomUUID() }).where('id', '=', merchant.id).execute()
    const change = db.updateTable('merchants').set({ network_location_id: locationId })
    if (other) await change.where('id', '=', other.id).execute()
    const { id: successor } = other ?? (await addMerchant(db, { name: 'The Successor', timeZone: to, locationId }))
    const [before, after] = [randomUUID(), randomUUID()]
    const later = clock(new Date(now + 3_600_000)).now()
    const here = { location: { id: locationId } }
    await send('clearing', { id: before, ...here, datetime: at(-5), updated: at(0) }, later)
    await send('clearing', { id: after, ...here, datetime: at(5), updated: at(5) }, later)
    const charged = await db
      .selectFrom('postings')
      .select('merchant_id')
      .where('account', '=', 'restaurant')
      .where('merchant_id', 'in', [merchant.id, successor])
      .orderBy('id')
      .execute()
    const names = new Map([
      [merchant.id, 'old'],
      [successor, 'new'],
    ])
    const places = [await getTransaction(before), await getTransaction(after)].map(({ merchant_id }) => merchant_id)
    return {
      of: places.map((id) => names.get(id ?? 0)),
      charged: charged.map(({ merchant_id }) => names.get(merchant_id ?? 0)),
    }
  }
  const settlement = { restaurantFee: 1200, centsPer100Units: 100, partnerShare: 3000 }
  const eachItsOwn = { of: ['old', 'new'], charged: ['old', 'new'] }

  test('HIST-056 a meal before the change is charged to the one that had the id, and one after it to the other', async () => {
    expect(await passOn('America/New_York', 'America/New_York', 'changed')).toEqual(eachItsOwn)
    expect(await passOn('America/New_York', 'America/New_York', 'added')).toEqual(eachItsOwn)
  })

  test('HIST-056 each restaurant’s day is its own, however far apart the two are', async () => {
    expect(await passOn('Pacific/Guam', 'Pacific/Honolulu', 'changed')).toEqual(eachItsOwn)
    expect(await passOn('Pacific/Honolulu', 'Pacific/Guam', 'changed')).toEqual(eachItsOwn)
  })
})

test('around midnight, rates and personal offers are those of the restaurant’s local day', async () => {
  const { earnRates } = programConfig('skyharbor')
  const formerRates = [{ until: '2026-03-09', earnRates: { ...earnRates, OptedIn: 900 } }]
  const { db, merchant, send, getTransaction } = await createFixture('skyharbor', { formerRates, hasFlexOffers: true })
  const offer = { public_id: randomUUID(), merchant_id: merchant.id, tiers: ['OptedIn'], extra_rate: 100 }
  await db
    .insertInto('flex_offers')
    .values({ ...offer, starts_on: '2026-03-09', ends_on: '2026-03-09' })
    .execute()
  const benefitAt = async (datetime: string) => {
    const id = randomUUID()
    await send('clearing', { id, datetime })
    return (await getTransaction(id)).benefit
  }
  const offerOn = async (date: string) =>
    (await findFlexOffer(db, { merchantId: merchant.id, tier: 'OptedIn', date }))?.publicId
  const offered = [await offerOn('2026-03-08'), await offerOn('2026-03-09'), await offerOn('2026-03-10')]
  expect(offered).toEqual([undefined, offer.public_id, undefined])
  // New York is four hours behind UTC from March 8.
  expect(await benefitAt('2026-03-09T03:59:00Z')).toBe(378)
  expect(await benefitAt('2026-03-09T04:00:00Z')).toBe(421)
  expect(await benefitAt('2026-03-10T03:59:00Z')).toBe(421)
  expect(await benefitAt('2026-03-10T04:00:00Z')).toBe(126)
  // The best of several offers counts.
  const less = { ...offer, public_id: randomUUID(), extra_rate: 50 }
  await db
    .insertInto('flex_offers')
    .values({ ...less, starts_on: '2026-03-08', ends_on: '2026-03-09' })
    .execute()
  expect([await offerOn('2026-03-08'), await offerOn('2026-03-09')]).toEqual([less.public_id, offer.public_id])
  expect(await benefitAt('2026-03-09T12:00:00Z')).toBe(421)
})

test('a personal offer counts for a transaction whose card is linked afterwards', async () => {
  const { clock, db, memberId, merchant, send, getTransaction } = await createFixture('skyharbor', {
    hasFlexOffers: true,
  })
  const offer = { public_id: randomUUID(), merchant_id: merchant.id, tiers: ['OptedIn'], extra_rate: 100 }
  await db
    .insertInto('flex_offers')
    .values({ ...offer, starts_on: '2026-03-10', ends_on: '2026-03-10' })
    .execute()
  const [id, token] = [randomUUID(), randomUUID()]
  await send('clearing', { id, card: { id: token, lastNumbers: '0007' } })
  await addCard(db, memberId, { token })
  expect(await rematchUnmatched(clock(daysLater(1)), { cardToken: token })).toBe(1)
  // Four miles per dollar, of which one is the offer’s.
  expect((await getTransaction(id)).benefit).toBe(168)
})

describe('VIP', () => {
  const goal = { hasVIP: true, vipDinesRequired: 3 }
  const config = { ...programConfig('skyharbor'), ...goal }
  // Each on its own day: two transactions at one restaurant on one day count as one visit.
  const days = (month: string, count = 3) =>
    Array.from({ length: count }, (_, index) => ({ datetime: `${month}-0${index + 1}T23:30:00Z` }))
  const at = (day: string) => ({ datetime: `${day}T23:30:00Z` })

  test('begins on the day after it was reached, lasts through the next year, and is renewed', async () => {
    const { clock, db, memberId, send } = await createFixture('skyharbor', goal)
    const tierOn = async (day: string) => {
      await runVipTransitions(clock(new Date(`${day}T12:00:00Z`)))
      const row = await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst()
      return row?.tier_level
    }
    for (const transaction of days('2026-03')) await send('clearing', transaction)
    expect(await tierOn('2026-03-10')).toBe('OptedIn')
    expect(await tierOn('2026-03-11')).toBe('VIP')
    for (const transaction of days('2027-06')) await send('clearing', transaction, new Date('2027-06-11T00:00:00Z'))
    expect(await tierOn('2028-01-01')).toBe('VIP')
    expect(await tierOn('2029-01-01')).toBe('OptedIn')
  })

  test('ends when a refund undoes it, before and after it has started', async () => {
    const { clock, db, memberId, send } = await createFixture('skyharbor', goal)
    const tierOn = async (day: string) => {
      await runVipTransitions(clock(new Date(`${day}T12:00:00Z`)))
      return (await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst())
        ?.tier_level
    }
    const [first, last] = [randomUUID(), randomUUID()]
    await send('clearing', { id: first, ...at('2026-03-08') })
    await send('clearing', at('2026-03-09'))
    await send('clearing', { id: last })
    await send('refund', { originalTransactionId: last, amount: '-42.10' })
    expect(await tierOn('2026-03-12')).toBe('OptedIn')
    await send('clearing', at('2026-03-07'))
    expect(await tierOn('2026-03-12')).toBe('VIP')
    await send('refund', { originalTransactionId: first, amount: '-42.10' }, daysLater(5))
    expect(await tierOn('2026-03-20')).toBe('OptedIn')
    // When reached again, it starts again.
    await send('clearing', { datetime: '2026-04-10T23:30:00Z' }, new Date('2026-04-11T00:00:00Z'))
    expect(await tierOn('2026-04-12')).toBe('VIP')
  })

  test('ends when a refund undoes it on its first day', async () => {
    const { clock, db, memberId, send } = await createFixture('skyharbor', goal)
    const [first, last] = [randomUUID(), randomUUID()]
    const [day, otherDay] = days('2026-03', 2)
    await send('clearing', { id: first, ...day })
    await send('clearing', otherDay)
    await send('clearing', { id: last })
    const firstDay = new Date('2026-03-11T12:00:00Z')
    await runVipTransitions(clock(firstDay))
    await send('refund', { originalTransactionId: last, amount: '-42.10' }, firstDay)
    const columns = ['tier_level', 'vip_from', 'vip_until'] as const
    const row = await db.selectFrom('members').select(columns).where('id', '=', memberId).executeTakeFirst()
    expect(row).toEqual({ tier_level: 'OptedIn', vip_from: null, vip_until: null })
    // Where visits have not earned it, a correction ends it only if it lowers a reward.
    const until = { vip_from: '2026-03-01', vip_until: '2026-12-31' }
    await db
      .updateTable('members')
      .set({ tier_level: 'VIP', ...until })
      .where('id', '=', memberId)
      .execute()
    const tierAfter = async (amount: string, hours: number) => {
      await send('clearing', { id: first, ...day, amount }, new Date(firstDay.getTime() + hours * HOUR))
      return (await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst())
        ?.tier_level
    }
    expect([await tierAfter('42.11', 1), await tierAfter('40.00', 2)]).toEqual(['VIP', 'OptedIn'])
  })

  test('of a goal in dollars ends when a refund lowers what was spent, even if it lowers no reward', async () => {
    const capped = { hasVIP: true, vipDollarsRequired: 500, maxRewardPerMeal: 100 }
    const { clock, db, memberId, send, balance } = await createFixture('skyharbor', capped)
    const id = randomUUID()
    await send('clearing', { id, amount: '600.00' })
    await runVipTransitions(clock(new Date('2026-03-11T12:00:00Z')))
    const tierAfter = async (amount: string, day: string) => {
      await send('refund', { originalTransactionId: id, amount }, new Date(`${day}T12:00:00Z`))
      return (await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst())
        ?.tier_level
    }
    expect([await tierAfter('-100.00', '2026-03-12'), await tierAfter('-0.01', '2026-03-13')]).toEqual([
      'VIP',
      'OptedIn',
    ])
    expect(await balance()).toBe(100)
  })

  test('of a goal in dollars ends when the charge is corrected below it, even if that lowers no reward', async () => {
    const capped = { hasVIP: true, vipDollarsRequired: 500, maxRewardPerMeal: 100 }
    const { clock, db, memberId, send, balance } = await createFixture('skyharbor', capped)
    const id = randomUUID()
    await send('clearing', { id, amount: '600.00' })
    await runVipTransitions(clock(new Date('2026-03-11T12:00:00Z')))
    const tierAfter = async (amount: string, day: string) => {
      await send('clearing', { id, amount }, new Date(`${day}T12:00:00Z`))
      return (await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst())
        ?.tier_level
    }
    expect([await tierAfter('500.00', '2026-03-12'), await tierAfter('499.99', '2026-03-13')]).toEqual([
      'VIP',
      'OptedIn',
    ])
    expect(await balance()).toBe(100)
  })

  test('ends when a correction moves a visit to the day of another one, or into the former year', async () => {
    for (const movedTo of ['2026-03-02T22:30:00Z', '2025-12-31T23:30:00Z']) {
      const { clock, db, memberId, send, card, balance } = await createFixture('skyharbor', goal)
      await db
        .updateTable('cards')
        .set({ linked_at: new Date('2025-01-01') })
        .where('id', '=', card.id)
        .execute()
      await db.updateTable('merchants').set({ joined_on: '2025-01-01' }).execute()
      await db.updateTable('merchant_offers').set({ starts_on: '2025-01-01' }).execute()
      const id = randomUUID()
      for (const transaction of days('2026-03', 2)) await send('clearing', transaction)
      await send('clearing', { id })
      await runVipTransitions(clock(new Date('2026-03-11T12:00:00Z')))
      await send('clearing', { id, datetime: movedTo }, new Date('2026-03-12T12:00:00Z'))
      const row = await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst()
      expect([row?.tier_level, await balance()]).toEqual(['OptedIn', 3 * 126])
    }
  })

  test('of two years lasts as long as the remaining qualifying year gives, and VIP given manually stays', async () => {
    const { clock, db, memberId, send } = await createFixture('skyharbor', goal)
    const until = async (day: string) => {
      await runVipTransitions(clock(new Date(`${day}T12:00:00Z`)))
      const row = await db
        .selectFrom('members')
        .select(['tier_level', 'vip_until'])
        .where('id', '=', memberId)
        .executeTakeFirst()
      return [row?.tier_level, row?.vip_until]
    }
    const [old, last] = [randomUUID(), randomUUID()]
    await send('clearing', { id: old })
    for (const transaction of days('2026-03', 2)) await send('clearing', transaction)
    await until('2026-03-11')
    for (const transaction of days('2027-06', 2)) await send('clearing', transaction, new Date('2027-06-11T00:00:00Z'))
    await send('clearing', { id: last, ...at('2027-06-10') }, new Date('2027-06-11T00:00:00Z'))
    expect(await until('2027-06-12')).toEqual(['VIP', '2028-12-31'])
    const refund = (id: string) => ({ originalTransactionId: id, amount: '-42.10' })
    // A fourth visit is refunded. Both years still qualify, and the later one decides.
    const extra = randomUUID()
    await send('clearing', { id: extra, ...at('2027-06-09') }, new Date('2027-06-12T00:00:00Z'))
    await send('refund', refund(extra), new Date('2027-06-12T12:00:00Z'))
    expect(await until('2027-06-13')).toEqual(['VIP', '2028-12-31'])
    await send('refund', refund(last), new Date('2027-06-13T00:00:00Z'))
    expect(await until('2027-06-14')).toEqual(['VIP', '2027-12-31'])
    await send('refund', refund(old), new Date('2027-06-15T00:00:00Z'))
    expect(await until('2027-06-16')).toEqual(['OptedIn', null])
    await db.updateTable('members').set({ tier_level: 'VIP' }).where('id', '=', memberId).execute()
    const given = randomUUID()
    await send('clearing', { id: given, ...at('2027-06-10') }, new Date('2027-06-17T00:00:00Z'))
    await send('refund', refund(given), new Date('2027-06-18T00:00:00Z'))
    expect(await until('2027-06-19')).toEqual(['VIP', null])
  })

  test('ROLE-009 ROLE-010 is earned by dining without emails, too, and falls back to OptedOut without them', async () => {
    const { clock, db, memberId, send, getTransaction } = await createFixture('skyharbor', goal, 'OptedOut')
    const tierOn = async (day: string) => {
      await runVipTransitions(clock(new Date(`${day}T12:00:00Z`)))
      return (await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst())
        ?.tier_level
    }
    for (const transaction of days('2026-03')) await send('clearing', transaction)
    // Received before the tier changed: the day decides.
    const id = randomUUID()
    await send('clearing', { id, ...at('2026-03-12') }, new Date('2026-03-12T23:40:00Z'))
    expect((await getTransaction(id)).benefit).toBe(210)
    expect(await tierOn('2026-03-11')).toBe('VIP')
    expect(await tierOn('2028-01-01')).toBe('OptedOut')
  })

  test('of last year is still reached in January, when December clears, but no longer in spring', async () => {
    const december = days('2026-12')
    const levelAfter = async (clearedOn: string) => {
      const { clock, db, memberId, send } = await createFixture('skyharbor', goal)
      for (const transaction of december) await send('clearing', transaction, new Date(`${clearedOn}T12:00:00Z`))
      const until = () =>
        db.selectFrom('members').select(['vip_from', 'vip_until']).where('id', '=', memberId).executeTakeFirst()
      const scheduled = await until()
      // Visits of the new year, below the goal, change nothing, and neither do their refunds.
      const [noon, id] = [new Date('2027-04-02T12:00:00Z'), randomUUID()]
      await send('clearing', at('2027-04-01'), noon)
      await send('clearing', { id, ...at('2027-04-01') }, noon)
      await send('refund', { originalTransactionId: id, amount: '-42.10' }, noon)
      await runVipTransitions(clock(new Date('2027-04-03T12:00:00Z')))
      expect(await until()).toEqual(scheduled)
      return [scheduled?.vip_from, scheduled?.vip_until]
    }
    expect(await levelAfter('2027-01-31')).toEqual(['2027-02-01', '2027-12-31'])
    expect(await levelAfter('2027-02-01')).toEqual([null, null])
  })

  test('of last year lasts in spring when a visit of this year is refunded, to its last day', async () => {
    const { clock, db, memberId, send } = await createFixture('skyharbor', goal)
    const tierOn = async (day: string) => {
      await runVipTransitions(clock(new Date(`${day}T12:00:00Z`)))
      return (await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst())
        ?.tier_level
    }
    const statusOn = async (day: string) =>
      (await getDiningProgress(db, memberId, config, new Date(`${day}T12:00:00Z`))).status
    for (const transaction of days('2026-03')) await send('clearing', transaction)
    expect(await tierOn('2027-03-01')).toBe('VIP')
    const id = randomUUID()
    await send('clearing', { id, ...at('2027-03-10') }, new Date('2027-03-11T00:00:00Z'))
    const refund = { originalTransactionId: id, amount: '-42.10' }
    await send('refund', refund, new Date('2027-03-12T00:00:00Z'))
    expect([await tierOn('2027-03-13'), await statusOn('2027-03-13')]).toEqual(['VIP', 'QualifiedAndBuilding'])
    expect([await tierOn('2027-12-31'), await statusOn('2027-12-31')]).toEqual(['VIP', 'QualifiedAndBuilding'])
    expect([await tierOn('2028-01-01'), await statusOn('2028-01-01')]).toEqual(['OptedIn', 'Building'])
  })

  test('of an account that is not activated waits until it is', async () => {
    const { clock, db, memberId, send } = await createFixture('skyharbor', goal, 'NonActivated')
    const change = (over: object) => db.updateTable('members').set(over).where('id', '=', memberId).execute()
    for (const transaction of days('2026-03')) await send('clearing', transaction)
    const tier = async () => {
      await runVipTransitions(clock(new Date('2026-03-20T12:00:00Z')))
      return (await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst())
        ?.tier_level
    }
    expect(await tier()).toBe('NonActivated')
    await change({ tier_level: 'OptedOut' })
    expect(await tier()).toBe('VIP')
  })

  test('DATA-006 counts all dines at one restaurant on one local day as one', async () => {
    const { db, memberId, send } = await createFixture('skyharbor', goal)
    const remaining = async () =>
      (await getDiningProgress(db, memberId, config, new Date('2026-03-12T12:00:00Z'))).remainingDines
    // 18:30 and 23:30 in New York, on two days of UTC, and half an hour later on the next day.
    for (const datetime of ['2026-03-10T22:30:00Z', '2026-03-11T03:30:00Z']) await send('clearing', { datetime })
    expect(await remaining()).toBe(2)
    for (const datetime of ['2026-03-11T04:00:00Z', '2026-03-11T23:00:00Z']) await send('clearing', { datetime })
    expect(await remaining()).toBe(1)
  })

  test('ACCT-008 shows when it begins, from the day on which it was reached until it has started', async () => {
    const { clock, db, memberId, send } = await createFixture('skyharbor', goal)
    const progressOn = (day: string) => getDiningProgress(db, memberId, config, new Date(`${day}T12:00:00Z`))
    for (const transaction of days('2026-03', 2)) await send('clearing', transaction)
    expect(await progressOn('2026-03-10')).toMatchObject({ status: 'Building', remainingDines: 1, vipBegins: null })
    await send('clearing')
    expect(await progressOn('2026-03-10')).toMatchObject({ status: 'Qualified', vipBegins: '2026-03-11' })
    await runVipTransitions(clock(new Date('2026-03-11T12:00:00Z')))
    expect(await progressOn('2026-03-11')).toMatchObject({ status: 'Qualified', vipBegins: null })
  })

  test('a transaction earns at the tier of its own day, however late its message arrives', async () => {
    const { db, memberId, send, getTransaction } = await createFixture('skyharbor', goal)
    await db.updateTable('members').set({ tier_level: 'VIP' }).where('id', '=', memberId).execute()
    const [before, after] = [randomUUID(), randomUUID()]
    await send('clearing', { id: before })
    await send('clearing', { id: after, datetime: new Date().toISOString() })
    expect([(await getTransaction(before)).benefit, (await getTransaction(after)).benefit]).toEqual([126, 210])
  })
})
