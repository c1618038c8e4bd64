import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { recomputeAward } from '../../src/rewards/awards/apply.ts'
import { postManualCredit } from '../../src/rewards/awards/manual-credit.ts'
import { findTransaction, type TransactionRow } from '../../src/rewards/awards/store.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { receiveReview } from '../../src/rewards/reviews/service.ts'
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

const harness = setUpTestHarness()
const settlement = { restaurantFee: 1000, centsPer100Units: 100, partnerShare: 5000 }

/** A member with a card, a restaurant, and messages about purchases of 100 dollars, each a second later than the last. */
async function createFixture({ config = {}, now = new Date('2026-03-15T12:00:00Z') } = {}) {
  const ctx = createTestContext(harness, 'skyharbor', now)
  Object.assign(ctx.program.config, { settlement }, config)
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  let count = 0
  const send = (event: 'auth' | 'clearing' | 'refund', id: string, over: object = {}) => {
    count++
    const updated = new Date(Date.UTC(2026, 2, 11) + count * 1000).toISOString()
    const [shown, location] = [{ id: card.token, lastNumbers: card.lastFour }, { id: merchant.locationId }]
    const purchase = { id, amount: '100.00', updated, card: shown, location }
    return receiveEvent(ctx, feedEvent(`transaction.${event}`, { ...purchase, ...over }))
  }
  const balance = () => getBalance(ctx.db, memberId, 'mile')
  /** What the restaurant pays, in cents. */
  const charged = async () => {
    const { rows } = await sql<{ cents: number }>`
      select coalesce(-sum(amount), 0)::int as cents from postings
      where merchant_id = ${merchant.id} and account = 'restaurant'`.execute(ctx.db)
    return rows[0]?.cents
  }
  const rows = async () => {
    const { rows: found } = await sql<{ id: string; code: string; benefit: number }>`
      select network_id as id, reason ->> 'code' as code, benefit from transactions
      where member_id = ${memberId} and type_code = 'S' order by transactions.id`.execute(ctx.db)
    return found
  }
  const setOffer = (changes: object) =>
    harness.pools.shared.updateTable('merchant_offers').set(changes).where('merchant_id', '=', merchant.id).execute()
  const credit = (otherMeals: string[]) =>
    inTransaction(ctx.db, async (tx) => {
      await lockMember(tx, memberId)
      return postManualCredit(tx, ctx, {
        memberId,
        cardId: card.id,
        cardLastFour: card.lastFour,
        merchantId: merchant.id,
        merchantName: 'Corner Bistro',
        claimId: randomUUID(),
        cents: 100_00,
        benefit: 300,
        dinedAt: new Date('2026-03-10T12:00:00Z'),
        otherMeals,
      })
    })
  const expectPaid = async (miles: number, cents: number) => {
    expect([await balance(), await charged()]).toEqual([miles, cents])
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  }
  return { ctx, memberId, card, merchant, send, balance, charged, rows, setOffer, credit, expectPaid }
}

describe('a clearing that names its authorization in only one of its messages', () => {
  test.each([
    ['the first', true],
    ['the second', false],
  ])('HIST-050 Case 111 it is paid once, and charged once, when %s message names it', async (_, isFirst) => {
    const { send, rows, expectPaid } = await createFixture()
    const [authorization, clearing] = [randomUUID(), randomUUID()]
    const named = { originalTransactionId: authorization }
    await send('auth', authorization)
    await send('clearing', clearing, isFirst ? named : {})
    await send('clearing', clearing, isFirst ? {} : named)
    await expectPaid(300, 10_00)
    // A line that is not a purchase any more says so.
    const codes = (await rows()).map(({ code }) => code)
    expect(codes.toSorted()).toEqual(isFirst ? ['earned'] : ['earned', 'reportedTwice'])
    await send('refund', randomUUID(), { amount: '-100.00', originalTransactionId: authorization })
    await expectPaid(0, 0)
  })

  test('HIST-050 Case 111 it keeps its line and its terms when the authorization that it names was never reported', async () => {
    const { send, rows, setOffer, expectPaid } = await createFixture()
    const clearing = randomUUID()
    await send('clearing', clearing)
    await setOffer({ rate_percent: 1000 })
    await send('clearing', clearing, { originalTransactionId: randomUUID() })
    await expectPaid(300, 10_00)
    expect(await rows()).toMatchObject([{ id: clearing, code: 'earned' }])
  })

  test('HIST-050 Case 111 it is taken back when a refund with its id shows that it never was a purchase', async () => {
    const { send, rows, expectPaid } = await createFixture()
    const [meal, refund] = [randomUUID(), randomUUID()]
    await send('clearing', meal)
    await send('clearing', refund, { amount: '30.00' })
    await expectPaid(390, 13_00)
    await send('refund', refund, { amount: '-30.00', originalTransactionId: meal })
    await expectPaid(210, 7_00)
    expect(await rows()).toMatchObject([{ code: 'partlyRefunded' }, { code: 'reportedTwice', benefit: 0 }])
  })

  test('HIST-050 Case 111 it earns once when a correction names another authorization', async () => {
    const { send, expectPaid } = await createFixture()
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
    await send('clearing', first)
    await send('clearing', second, { amount: '50.00' })
    await send('clearing', second, { amount: '50.00', originalTransactionId: first })
    await expectPaid(450, 15_00)
    await send('clearing', second, { amount: '50.00', originalTransactionId: third })
    await expectPaid(450, 15_00)
  })
})

describe('a second id of a purchase that is stored, with the same code', () => {
  const ids = () => ['b', 'a'].map((letter) => `${letter}${randomUUID()}`) as [string, string]
  const authCode = 'A1B2C3'

  test('HIST-051 Case 112 it leaves the reward by the terms of the first one', async () => {
    for (const changes of [{ rate_percent: 1000 }, { ends_on: '2026-03-05' }]) {
      const { send, setOffer, expectPaid } = await createFixture()
      const [first, second] = ids()
      await send('clearing', first, { authCode })
      await setOffer(changes)
      await send('clearing', second, { authCode })
      await expectPaid(300, 10_00)
    }
    const { send, merchant, expectPaid } = await createFixture()
    const [first, second] = ids()
    await send('clearing', first, { authCode })
    const left = { left_on: '2026-03-01', participating: false }
    await harness.pools.shared.updateTable('merchants').set(left).where('id', '=', merchant.id).execute()
    await send('clearing', second, { authCode })
    await expectPaid(300, 10_00)
  })

  test('HIST-051 Case 112 it leaves the review, the credit of another meal and the bonus of a reservation', async () => {
    const reviewed = await createFixture({ config: { awardsNeedReview: true } })
    const [first, second] = ids()
    await reviewed.send('clearing', first, { authCode })
    const { rows } = await sql<{ txnId: string; familyId: string }>`
      select t.public_id as "txnId", m.family_id as "familyId" from transactions t join members m on m.id = t.member_id
      where t.network_id = ${first}`.execute(reviewed.ctx.db)
    await receiveReview(reviewed.ctx, { ...rows[0], completed: true, comment: 'good' } as never)
    expect(await reviewed.balance()).toBe(300)
    await reviewed.send('clearing', second, { authCode })
    expect(await reviewed.balance()).toBe(300)

    const claimed = await createFixture()
    const [own, again] = ids()
    await claimed.send('clearing', own, { authCode })
    await claimed.credit([own])
    expect(await claimed.balance()).toBe(600)
    await claimed.send('clearing', again, { authCode })
    expect(await claimed.balance()).toBe(600)

    const booked = await createFixture()
    const startsAt = new Date('2026-03-10T23:30:00Z')
    const { memberId, merchant } = booked
    const reservation = {
      public_id: publicId(),
      member_id: memberId,
      merchant_id: merchant.id,
      provider: 'own',
      token: publicId(),
      confirmation: 'C1',
      status: 'booked',
      starts_at: startsAt,
      local_date: '2026-03-10',
      local_time: '19:30',
      party_size: 2,
      bonus: JSON.stringify({ amount: 500, type: 'miles', condition: 'x' }),
      agreed_at: new Date('2026-03-01T00:00:00Z'),
      clear_until: new Date('2026-03-11T01:30:00Z'),
      created_at: new Date('2026-03-01T00:00:00Z'),
      updated_at: new Date('2026-03-01T00:00:00Z'),
    }
    await booked.ctx.db
      .insertInto('reservations')
      .values(reservation as never)
      .execute()
    const [meal, repeated] = ids()
    await booked.send('clearing', meal, { authCode })
    expect(await booked.balance()).toBe(800)
    await booked.send('clearing', repeated, { authCode, datetime: '2026-03-11T04:30:00.000Z' })
    expect(await booked.balance()).toBe(800)
  })

  test('HIST-051 Case 112 it displaces nothing when it was reversed, is in another currency or was paid with another card', async () => {
    const reversed = await createFixture()
    const [first, second] = ids()
    await reversed.send('clearing', first, { authCode })
    await reversed.send('auth', second, { authCode })
    await reversed.send('clearing', second, { authCode, amount: '0.00' })
    await reversed.expectPaid(300, 10_00)

    const foreign = await createFixture()
    const [own, other] = ids()
    await foreign.send('clearing', own, { authCode })
    await foreign.send('clearing', other, { authCode, currency: 'EUR' })
    await foreign.expectPaid(300, 10_00)

    const twoCards = await createFixture()
    const late = await addCard(twoCards.ctx.db, twoCards.memberId, { linkedAt: new Date('2026-03-20T00:00:00Z') })
    const [mine, later] = ids()
    await twoCards.send('clearing', mine, { authCode })
    await twoCards.send('clearing', later, { authCode, card: { id: late.token, lastNumbers: '0002' } })
    await twoCards.expectPaid(300, 10_00)
  })

  test.each([[ids], [() => ids().toReversed()]])(
    'HIST-051 Case 112 it counts when the first one was reversed',
    async (twoIds) => {
      const { send, expectPaid } = await createFixture()
      const [first, second] = twoIds() as [string, string]
      await send('auth', first, { authCode })
      await send('clearing', first, { authCode, amount: '0.00' })
      await expectPaid(0, 0)
      await send('auth', second, { authCode })
      await send('clearing', second, { authCode })
      await expectPaid(300, 10_00)
    },
  )

  test.each([[ids], [() => ids().toReversed()]])(
    'HIST-051 Case 112 it is another purchase once a correction gives it a code of its own, and one purchase again',
    async (twoIds) => {
      const { send, expectPaid } = await createFixture()
      const [first, second] = twoIds() as [string, string]
      await send('clearing', first, { authCode })
      await send('clearing', second, { authCode })
      await expectPaid(300, 10_00)
      await send('clearing', first, { authCode: 'OTHER' })
      await expectPaid(600, 20_00)
      await send('clearing', first, { authCode })
      await expectPaid(300, 10_00)
    },
  )
})

describe('the code of a purchase', () => {
  const authCode = 'A1B2C3'

  test('HIST-052 Case 151 the code is the same in capitals and small letters, in either order', async () => {
    for (const codes of [
      ['a1b2c3', 'A1B2C3'],
      ['A1b2C3', ' a1B2c3 '],
    ]) {
      const { send, expectPaid } = await createFixture()
      for (const authCode of codes) await send('clearing', randomUUID(), { authCode })
      await expectPaid(300, 10_00)
      for (const authCode of codes) {
        await send('refund', randomUUID(), { amount: '-30.00', authCode: `r${authCode.trim()}` })
      }
      await expectPaid(210, 7_00)
    }
  })

  test('HIST-052 Case 113 the code is that of any message: a file without codes changes nothing', async () => {
    const { send, expectPaid } = await createFixture()
    const [first, second] = [randomUUID(), randomUUID()]
    await send('clearing', first, { authCode })
    await send('clearing', first)
    await send('clearing', second, { authCode })
    await expectPaid(300, 10_00)
    await send('clearing', second)
    await expectPaid(300, 10_00)
  })

  test('HIST-052 Case 113 the code still shows one purchase when the amount of one report is corrected, and the corrected amount counts', async () => {
    for (const isFirst of [true, false]) {
      const { send, expectPaid } = await createFixture()
      const [first, second] = [randomUUID(), randomUUID()]
      await send('clearing', first, { authCode })
      await send('clearing', second, { authCode })
      await send('clearing', isFirst ? first : second, { authCode, amount: '90.00' })
      await expectPaid(270, 9_00)
    }
  })

  test('HIST-052 Case 113 the code joins reports that name two network ids of one restaurant', async () => {
    const { send, merchant, expectPaid } = await createFixture()
    await send('clearing', randomUUID(), { authCode })
    const locationId = randomUUID()
    await sql`insert into merchant_network_ids (merchant_id, network_id, since)
      values (${merchant.id}, ${locationId}, '2026-01-01')`.execute(harness.pools.shared)
    await send('clearing', randomUUID(), { authCode, location: { id: locationId } })
    await expectPaid(300, 10_00)
  })
})

describe('the clearings and refunds of one authorization', () => {
  test('HIST-053 Case 115 several clearings are its parts, and each counts once however often it is sent', async () => {
    for (const amounts of [
      ['60.00', '40.00'],
      ['100.00', '20.00'],
      ['50.00', '50.00'],
    ]) {
      const { send, rows, expectPaid } = await createFixture()
      const authorization = randomUUID()
      const parts = amounts.map((amount) => ({ id: randomUUID(), amount }))
      const total = amounts.reduce((sum, amount) => sum + Number(amount), 0)
      for (const _ of [1, 2]) {
        for (const { id, amount } of parts) await send('clearing', id, { amount, originalTransactionId: authorization })
        await send('auth', authorization)
      }
      await expectPaid(total * 3, total * 10)
      expect(await rows()).toHaveLength(1)
      // A part that is reversed, or corrected under its own id, is not there twice.
      await send('clearing', parts[1]?.id ?? '', { amount: '0.00', originalTransactionId: authorization })
      await expectPaid(Number(amounts[0]) * 3, Number(amounts[0]) * 10)
    }
  })

  test('HIST-053 Case 138 clearings in other currencies add nothing to those in dollars, in any order', async () => {
    for (const order of [
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
    ]) {
      const { ctx, send, rows, expectPaid } = await createFixture({ config: { countsTip: false } })
      const authorization = randomUUID()
      const parts = [
        ['auth', authorization, { amount: '90.00', currency: 'JPY' }],
        ['clearing', randomUUID(), { amount: '90000.00', currency: 'JPY', originalTransactionId: authorization }],
        ['clearing', randomUUID(), { amount: '100.00', originalTransactionId: authorization }],
      ] as const
      for (const index of order) {
        const [event, id, over] = parts[index] ?? parts[0]
        await send(event, id, over)
      }
      await expectPaid(300, 10_00)
      const [row] = await rows()
      const stored = ctx.db.selectFrom('transactions').select(['ticket_cents', 'cleared_cents'])
      expect(await stored.where('network_id', '=', row?.id ?? '').execute()).toEqual([
        { ticket_cents: 100_00, cleared_cents: 100_00 },
      ])
    }
  })

  test('HIST-053 Case 115 the tip and the tax of all parts are left out where they do not count', async () => {
    const { send, expectPaid } = await createFixture({ config: { countsTip: false, countsTax: false } })
    const authorization = randomUUID()
    await send('auth', authorization)
    await send('clearing', randomUUID(), { amount: '90.00', taxAmount: '5.00', originalTransactionId: authorization })
    await send('clearing', randomUUID(), { amount: '30.00', taxAmount: '4.00', originalTransactionId: authorization })
    // Charged were 120: 20 more than authorized, with a tax of 9.
    await expectPaid(91 * 3, 9_10)
  })

  test('HIST-053 Case 115 a refund that is reported with two ids is deducted once: by its code, or by the ids of the purchase', async () => {
    const byCode = await createFixture()
    const meal = randomUUID()
    const refund = { amount: '-30.00', authCode: 'R1' }
    await byCode.send('clearing', meal, { authCode: 'A1' })
    await byCode.send('refund', randomUUID(), { ...refund, originalTransactionId: meal })
    await byCode.send('refund', randomUUID(), { ...refund, originalTransactionId: meal })
    await byCode.send('refund', randomUUID(), { ...refund, datetime: '2026-03-11T12:00:00.000Z' })
    await byCode.expectPaid(210, 7_00)

    const byReport = await createFixture()
    const reports = [randomUUID(), randomUUID()]
    for (const id of reports) await byReport.send('clearing', id, { authCode: 'A1' })
    for (const id of reports) {
      await byReport.send('refund', randomUUID(), { amount: '-30.00', originalTransactionId: id })
    }
    await byReport.expectPaid(210, 7_00)
    await byReport.send('refund', randomUUID(), { amount: '-20.00', originalTransactionId: reports[0] })
    await byReport.expectPaid(150, 5_00)
  })

  test('HIST-053 Case 115 two refunds of one amount with different ids are both deducted', async () => {
    for (const codes of [
      [null, null],
      ['R1', 'R2'],
      // Refunds may have the code of the purchase, which tells nothing about them.
      ['A1', 'A1'],
    ]) {
      const { send, expectPaid } = await createFixture()
      const meal = randomUUID()
      await send('clearing', meal, { authCode: 'A1' })
      for (const [index, authCode] of codes.entries()) {
        await send('refund', randomUUID(), {
          amount: '-30.00',
          authCode,
          datetime: `2026-03-1${index}T21:00:00.000Z`,
          originalTransactionId: meal,
        })
      }
      await expectPaid(120, 4_00)
    }
  })

  test('HIST-053 Case 115 a refund without a reference is deducted by the time of the restaurant, and after its network id has changed', async () => {
    const times = [
      ['2026-03-10T23:30:00.000Z', '2026-03-10T20:15:00'],
      ['2026-03-10T19:30:00', '2026-03-10T20:15:00'],
      ['2026-03-10T19:30:00', '2026-03-11T00:15:00.000Z'],
    ]
    for (const [paidAt, refundedAt] of times) {
      const { send, expectPaid } = await createFixture()
      await send('clearing', randomUUID(), { datetime: paidAt })
      await send('refund', randomUUID(), { amount: '-100.00', datetime: refundedAt })
      await expectPaid(0, 0)
    }
    for (const isRefundFirst of [true, false]) {
      const { send, merchant, expectPaid } = await createFixture()
      const renamed = { network_location_id: randomUUID() }
      await harness.pools.shared.updateTable('merchants').set(renamed).where('id', '=', merchant.id).execute()
      const meal = () => send('clearing', randomUUID())
      const location = { id: renamed.network_location_id }
      const refund = () =>
        send('refund', randomUUID(), { amount: '-100.00', location, datetime: '2026-03-20T23:30:00.000Z' })
      for (const act of isRefundFirst ? [refund, meal] : [meal, refund]) await act()
      await expectPaid(0, 0)
    }
  })
})

describe('in whatever order the messages of a purchase arrive', () => {
  const purchase = randomUUID
  const authorization = { datetime: '2026-03-11T03:30:00.000Z', updated: '2026-03-11T03:30:00.000Z' }
  const clearing = { datetime: '2026-03-11T05:30:00.000Z', updated: '2026-03-12T03:30:00.000Z' }

  test('HIST-054 Case 155 that counts in another program, whose card has moved there, counts here once another card paid it', async () => {
    const { ctx, memberId, send, expectPaid } = await createFixture()
    const meal = randomUUID()
    await send('clearing', meal)
    await inTransaction(ctx.db, async (tx) => {
      await lockMember(tx, memberId)
      const row = await findTransaction(tx, meal)
      await recomputeAward(tx, ctx, row as TransactionRow, { countedElsewhere: true })
    })
    await expectPaid(0, 0)
    // A further message about the same card changes nothing: the other program has told of its meal.
    await send('clearing', meal)
    await expectPaid(0, 0)
    const other = await addCard(ctx.db, memberId)
    await send('clearing', meal, { card: { id: other.token, lastNumbers: other.lastFour } })
    await expectPaid(300, 10_00)
  })

  test('HIST-054 Case 116 the tier is that of the time of the payment', async () => {
    for (const isClearingFirst of [true, false]) {
      const { ctx, memberId, send, balance } = await createFixture()
      await sql`insert into member_tiers (member_id, tier_level, until, last_day)
        values (${memberId}, 'VIP', '2026-03-10T12:00:00Z', '2026-03-10')`.execute(ctx.db)
      const id = purchase()
      const acts = [() => send('auth', id, authorization), () => send('clearing', id, clearing)]
      for (const act of isClearingFirst ? acts.toReversed() : acts) await act()
      expect(await balance()).toBe(500)
    }
  })

  test('HIST-054 Case 116 the member is the one who had the card at that time', async () => {
    for (const isClearingFirst of [true, false]) {
      const { ctx, memberId, card, send } = await createFixture()
      await sql`update cards set removed_at = '2026-03-11T04:00:00Z' where id = ${card.id}`.execute(ctx.db)
      const next = await addMember(ctx.db)
      await addCard(ctx.db, next, { token: card.token, linkedAt: new Date('2026-03-11T05:00:00Z') })
      const id = purchase()
      const acts = [() => send('auth', id, authorization), () => send('clearing', id, clearing)]
      for (const act of isClearingFirst ? acts.toReversed() : acts) await act()
      const balances = [memberId, next].map((each) => getBalance(ctx.db, each, 'mile'))
      expect(await Promise.all(balances)).toEqual([300, 0])
      expect(await findLedgerViolations(ctx.db)).toEqual([])
    }
  })

  test('HIST-054 Case 116 a meal that turns out to be another member’s leaves the credit of the first one', async () => {
    const { ctx, memberId, card, send, credit } = await createFixture()
    await sql`update cards set removed_at = '2026-03-11T04:00:00Z' where id = ${card.id}`.execute(ctx.db)
    const next = await addMember(ctx.db)
    await addCard(ctx.db, next, { token: card.token, linkedAt: new Date('2026-03-11T05:00:00Z') })
    await credit([])
    const id = purchase()
    await send('clearing', id, authorization)
    await send('clearing', id, clearing)
    const balances = [memberId, next].map((each) => getBalance(ctx.db, each, 'mile'))
    expect(await Promise.all(balances)).toEqual([300, 300])
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  })

  test('HIST-054 Case 116 a personal offer is that of the restaurant, and the rates are those of the day', async () => {
    const { ctx: base } = await createFixture()
    const former = [{ until: '2026-03-10', earnRates: { ...base.program.config.earnRates, OptedIn: 100 } }]
    for (const order of [[0], [0, 1], [1, 0]]) {
      const { ctx, merchant, send, balance } = await createFixture({
        config: { hasFlexOffers: true, formerRates: former },
      })
      const other = await addMerchant(ctx.db)
      const offer = { extra_rate: 700, starts_on: '2026-01-01', tiers: ['OptedIn', 'VIP'] }
      await ctx.db
        .insertInto('flex_offers')
        .values({ public_id: publicId(), merchant_id: other.id, ...offer })
        .execute()
      const id = purchase()
      const messages = [
        {
          datetime: '2026-03-11T23:30:00.000Z',
          updated: '2026-03-13T00:00:00.000Z',
          location: { id: merchant.locationId },
        },
        {
          datetime: '2026-03-10T23:30:00.000Z',
          updated: '2026-03-12T00:00:00.000Z',
          location: { id: other.locationId },
        },
      ]
      for (const index of order) await send('clearing', id, messages[index])
      expect([order, await balance()]).toEqual([order, 300])
    }
  })
})
