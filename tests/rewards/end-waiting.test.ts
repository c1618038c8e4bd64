import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '../../src/platform/http/context.ts'
import { DAY } from '../../src/platform/time.ts'
import { diningProgress } from '../../src/rewards/awards/dining-progress.ts'
import { endWaiting } from '../../src/rewards/awards/end-waiting.ts'
import { keepVip } from '../../src/rewards/awards/note-vip.ts'
import { rematchArrived, rematchUnmatched } from '../../src/rewards/feed/receive-events.ts'
import { balanceOf } from '../../src/rewards/ledger/entries.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  contextOf,
  type Kitchen,
  ledgerFaults,
  openKitchen,
  programConfig,
  receiveOne,
  type TestPartner,
} from '../support/rewards.ts'

let kitchen: Kitchen
beforeAll(async () => {
  kitchen = await openKitchen()
})
afterAll(() => kitchen?.close())

const dinedAt = new Date('2026-03-10T23:30:00Z')
const daysLater = (days: number) => new Date(dinedAt.getTime() + days * DAY)

/** Inserts a member at a restaurant, and returns a clock that the test sets. */
async function table(partnerId: TestPartner, config: object = {}, tier = 'OptedIn') {
  const clock = (now: Date): Ctx => {
    const ctx = contextOf(kitchen, partnerId, now)
    return { ...ctx, program: { ...ctx.program, config: { ...ctx.program.config, ...config } } }
  }
  const { db } = clock(dinedAt)
  const memberId = await addMember(db, { tier })
  const [card, merchant] = [await addCard(db, memberId), await addMerchant(db)]
  const tell = (what: 'auth' | 'clearing' | 'refund', over = {}, now = dinedAt) =>
    receiveOne(
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
  const mealOf = (id: string) =>
    db.selectFrom('transactions').selectAll().where('network_id', '=', id).executeTakeFirstOrThrow()
  const balance = () => balanceOf(db, memberId, partnerId === 'skyharbor' ? 'mile' : 'cent')
  return { clock, db, memberId, merchant, card, tell, mealOf, balance }
}

const codeOf = (meal: { reason: unknown }) => (meal.reason as { code: string }).code

describe('what time ends', () => {
  test('HIST-025 CONST-010 a reward that is held back is given on its day, not before', async () => {
    const { clock, tell, mealOf, balance } = await table('skyharbor', { deferDays: 14 })
    const id = randomUUID()
    await tell('clearing', { id })
    expect([(await mealOf(id)).award_status, await balance()]).toEqual(['Deferred', 0])
    await endWaiting(clock(daysLater(13.9)))
    expect([(await mealOf(id)).award_status, await balance()]).toEqual(['Deferred', 0])
    await endWaiting(clock(daysLater(14)))
    expect([(await mealOf(id)).award_status, await balance()]).toEqual(['Awarded', 126])
    await endWaiting(clock(daysLater(15)))
    expect(await balance()).toBe(126)
  })

  test('a refund while it is held back leaves nothing to give', async () => {
    const { clock, tell, mealOf, balance } = await table('skyharbor', { deferDays: 14 })
    const id = randomUUID()
    await tell('clearing', { id })
    await tell('refund', { originalTransactionId: id, amount: '-42.10' }, daysLater(3))
    await endWaiting(clock(daysLater(20)))
    expect([(await mealOf(id)).award_status, await balance()]).toEqual(['Forfeit', 0])
  })

  test('what was approved and never charged is told after a month; what is charged after all still earns', async () => {
    const { clock, tell, mealOf, balance } = await table('skyharbor')
    const id = randomUUID()
    await tell('auth', { id })
    await endWaiting(clock(daysLater(30)))
    expect((await mealOf(id)).award_status).toBe('Pending')
    await endWaiting(clock(daysLater(30.1)))
    const given = await mealOf(id)
    expect([given.award_status, codeOf(given)]).toEqual(['Forfeit', 'neverCharged'])
    await tell('clearing', { id }, daysLater(40))
    expect([(await mealOf(id)).award_status, await balance()]).toEqual(['Awarded', 126])
  })

  test('a place that nobody knows is waited for for two weeks, and found after all when it joins', async () => {
    const { clock, db, tell, mealOf, balance } = await table('skyharbor')
    const [id, locationId] = [randomUUID(), randomUUID()]
    await tell('clearing', { id, location: { id: locationId } })
    expect((await mealOf(id)).award_status).toBe('Deferred')
    await endWaiting(clock(daysLater(14.1)))
    const given = await mealOf(id)
    expect([given.award_status, codeOf(given)]).toEqual(['Forfeit', 'locationNotEnrolled'])
    expect(await rematchArrived(clock(daysLater(15)))).toBe(0)
    await addMerchant(db, { locationId })
    expect(await rematchArrived(clock(daysLater(16)))).toBe(1)
    expect([(await mealOf(id)).award_status, await balance()]).toEqual(['Awarded', 126])
    expect(await rematchArrived(clock(daysLater(16)))).toBe(0)
  })

  test('a card that nobody has linked is waited for as long, without a member to tell', async () => {
    const { clock, tell, mealOf, memberId, db, balance } = await table('skyharbor')
    const [id, token] = [randomUUID(), randomUUID()]
    await tell('clearing', { id, card: { id: token, lastNumbers: '0007' } })
    await endWaiting(clock(daysLater(15)))
    expect((await mealOf(id)).award_status).toBe('Forfeit')
    await addCard(db, memberId, { token })
    expect(await rematchUnmatched(clock(daysLater(16)), { cardToken: token })).toBe(1)
    expect([(await mealOf(id)).award_status, await balance()]).toEqual(['Awarded', 126])
    expect(await ledgerFaults(db)).toEqual([])
  })

  test('two processes that end the same waiting at the same time give it once', async () => {
    const { clock, tell, balance } = await table('skyharbor', { deferDays: 1 })
    for (let meal = 0; meal < 10; meal++) await tell('clearing')
    await Promise.all([1, 2, 3].map(() => endWaiting(clock(daysLater(2)))))
    expect(await balance()).toBe(1260)
  })
})

describe('how the network knows a restaurant', () => {
  test('an id that no longer holds says that the restaurant changed how it takes cards; the new one earns', async () => {
    const { db, tell, mealOf, merchant, balance } = await table('skyharbor')
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
    await tell('clearing', { id: old })
    await tell('clearing', { id: fresh, location: { id: next } })
    await tell('clearing', { id: earlier, datetime: '2026-03-08T20:00:00Z' })
    expect(codeOf(await mealOf(old))).toBe('processingChanged')
    expect(codeOf(await mealOf(fresh))).toBe('earned')
    expect(codeOf(await mealOf(earlier))).toBe('earned')
    expect(await balance()).toBe(252)
  })

  test('an id that passed to another restaurant means whoever had it on the day', async () => {
    const { db, tell, mealOf, merchant } = await table('skyharbor')
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
    await tell('clearing', { id: before, datetime: '2026-03-09T20:00:00Z' })
    await tell('clearing', { id: after })
    expect([(await mealOf(before)).merchant_id, (await mealOf(after)).merchant_id]).toEqual([merchant.id, other.id])
  })
})

describe('VIP', () => {
  const goal = { hasVIP: true, vipDinesRequired: 3 }
  const config = { ...programConfig('skyharbor'), ...goal }
  // Each on its own day: two transactions at one restaurant on one day count as one visit.
  const days = (month: string, count = 3) =>
    Array.from({ length: count }, (_, index) => ({ datetime: `${month}-0${index + 1}T23:30:00Z` }))
  const at = (day: string) => ({ datetime: `${day}T23:30:00Z` })

  test('begins on the day after it was reached, lasts through the next year, and is renewed', async () => {
    const { clock, db, memberId, tell } = await table('skyharbor', goal)
    const tierOn = async (day: string) => {
      await keepVip(clock(new Date(`${day}T12:00:00Z`)))
      const row = await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst()
      return row?.tier_level
    }
    for (const meal of days('2026-03')) await tell('clearing', meal)
    expect(await tierOn('2026-03-10')).toBe('OptedIn')
    expect(await tierOn('2026-03-11')).toBe('VIP')
    for (const meal of days('2027-06')) await tell('clearing', meal, new Date('2027-06-11T00:00:00Z'))
    expect(await tierOn('2028-01-01')).toBe('VIP')
    expect(await tierOn('2029-01-01')).toBe('OptedIn')
  })

  test('is dropped when a refund undoes it, before and after it has begun', async () => {
    const { clock, db, memberId, tell } = await table('skyharbor', goal)
    const tierOn = async (day: string) => {
      await keepVip(clock(new Date(`${day}T12:00:00Z`)))
      return (await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst())
        ?.tier_level
    }
    const [first, last] = [randomUUID(), randomUUID()]
    await tell('clearing', { id: first, ...at('2026-03-08') })
    await tell('clearing', at('2026-03-09'))
    await tell('clearing', { id: last })
    await tell('refund', { originalTransactionId: last, amount: '-42.10' })
    expect(await tierOn('2026-03-12')).toBe('OptedIn')
    await tell('clearing', at('2026-03-07'))
    expect(await tierOn('2026-03-12')).toBe('VIP')
    await tell('refund', { originalTransactionId: first, amount: '-42.10' }, daysLater(5))
    expect(await tierOn('2026-03-20')).toBe('OptedIn')
    // When reached again, it starts again.
    await tell('clearing', { datetime: '2026-04-10T23:30:00Z' }, new Date('2026-04-11T00:00:00Z'))
    expect(await tierOn('2026-04-12')).toBe('VIP')
  })

  test('of two years lasts as long as the year that is still reached gives, and VIP given by hand stays', async () => {
    const { clock, db, memberId, tell } = await table('skyharbor', goal)
    const until = async (day: string) => {
      await keepVip(clock(new Date(`${day}T12:00:00Z`)))
      const row = await db
        .selectFrom('members')
        .select(['tier_level', 'vip_until'])
        .where('id', '=', memberId)
        .executeTakeFirst()
      return [row?.tier_level, row?.vip_until]
    }
    const [old, last] = [randomUUID(), randomUUID()]
    await tell('clearing', { id: old })
    for (const meal of days('2026-03', 2)) await tell('clearing', meal)
    await until('2026-03-11')
    for (const meal of days('2027-06', 2)) await tell('clearing', meal, new Date('2027-06-11T00:00:00Z'))
    await tell('clearing', { id: last, ...at('2027-06-10') }, new Date('2027-06-11T00:00:00Z'))
    expect(await until('2027-06-12')).toEqual(['VIP', '2028-12-31'])
    const refund = (id: string) => ({ originalTransactionId: id, amount: '-42.10' })
    await tell('refund', refund(last), new Date('2027-06-13T00:00:00Z'))
    expect(await until('2027-06-14')).toEqual(['VIP', '2027-12-31'])
    await tell('refund', refund(old), new Date('2027-06-15T00:00:00Z'))
    expect(await until('2027-06-16')).toEqual(['OptedIn', null])
    await db.updateTable('members').set({ tier_level: 'VIP' }).where('id', '=', memberId).execute()
    const given = randomUUID()
    await tell('clearing', { id: given, ...at('2027-06-10') }, new Date('2027-06-17T00:00:00Z'))
    await tell('refund', refund(given), new Date('2027-06-18T00:00:00Z'))
    expect(await until('2027-06-19')).toEqual(['VIP', null])
  })

  test('ROLE-009 ROLE-010 is earned by dining without emails, too, and who has none of them falls back to that', async () => {
    const { clock, db, memberId, tell, mealOf } = await table('skyharbor', goal, 'OptedOut')
    const tierOn = async (day: string) => {
      await keepVip(clock(new Date(`${day}T12:00:00Z`)))
      return (await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst())
        ?.tier_level
    }
    for (const meal of days('2026-03')) await tell('clearing', meal)
    // Received before the tier changed: the day decides.
    const id = randomUUID()
    await tell('clearing', { id, ...at('2026-03-12') }, new Date('2026-03-12T23:40:00Z'))
    expect((await mealOf(id)).benefit).toBe(210)
    expect(await tierOn('2026-03-11')).toBe('VIP')
    expect(await tierOn('2028-01-01')).toBe('OptedOut')
  })

  test('of an account that nobody has activated waits until it is', async () => {
    const { clock, db, memberId, tell } = await table('skyharbor', goal, 'NonActivated')
    const change = (over: object) => db.updateTable('members').set(over).where('id', '=', memberId).execute()
    for (const meal of days('2026-03')) await tell('clearing', meal)
    const tier = async () => {
      await keepVip(clock(new Date('2026-03-20T12:00:00Z')))
      return (await db.selectFrom('members').select('tier_level').where('id', '=', memberId).executeTakeFirst())
        ?.tier_level
    }
    expect(await tier()).toBe('NonActivated')
    await change({ tier_level: 'OptedOut' })
    expect(await tier()).toBe('VIP')
  })

  test('DATA-006 counts all dines at one restaurant on one day, by its clock, as one', async () => {
    const { db, memberId, tell } = await table('skyharbor', goal)
    // 23:30 in New York, and half an hour later on the next day.
    const times = ['2026-03-10T22:30:00Z', '2026-03-11T03:30:00Z', '2026-03-11T04:00:00Z', '2026-03-11T23:00:00Z']
    for (const datetime of times) await tell('clearing', { datetime })
    const { remainingDines } = await diningProgress(db, memberId, config, new Date('2026-03-12T12:00:00Z'))
    expect(remainingDines).toBe(1)
  })

  test('ACCT-008 says when it begins, from the day on which it was reached until it has', async () => {
    const { clock, db, memberId, tell } = await table('skyharbor', goal)
    const progressOn = (day: string) => diningProgress(db, memberId, config, new Date(`${day}T12:00:00Z`))
    for (const meal of days('2026-03', 2)) await tell('clearing', meal)
    expect(await progressOn('2026-03-10')).toMatchObject({ status: 'Building', remainingDines: 1, vipBegins: null })
    await tell('clearing')
    expect(await progressOn('2026-03-10')).toMatchObject({ status: 'Qualified', vipBegins: '2026-03-11' })
    await keepVip(clock(new Date('2026-03-11T12:00:00Z')))
    expect(await progressOn('2026-03-11')).toMatchObject({ status: 'Qualified', vipBegins: null })
  })

  test('a meal earns at the tier of its own day, however late it is told', async () => {
    const { db, memberId, tell, mealOf } = await table('skyharbor', goal)
    await db.updateTable('members').set({ tier_level: 'VIP' }).where('id', '=', memberId).execute()
    const [before, after] = [randomUUID(), randomUUID()]
    await tell('clearing', { id: before })
    await tell('clearing', { id: after, datetime: new Date().toISOString() })
    expect([(await mealOf(before)).benefit, (await mealOf(after)).benefit]).toEqual([126, 210])
  })
})
