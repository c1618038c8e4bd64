import { randomUUID } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { publicConfig } from '../../src/programs/partners/public-config.ts'
import type { FeedEvent } from '../../src/rewards/feed/contract.ts'
import { postEntries, rewardPostings } from '../../src/rewards/ledger/entries.ts'
import { settlementFile, timeUntilAllFinal, timeUntilFinal } from '../../src/rewards/settlement/settlement-file.ts'
import { bonusPostings, sharesOf } from '../../src/rewards/settlement/shares.ts'
import { readStatement, statementCsv } from '../../src/rewards/settlement/statement.ts'
import { statementPdf, toPrintable } from '../../src/rewards/settlement/statement-pdf.ts'
import { listSettledDays, listSettledLines } from '../../src/rewards/settlement/store.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  findLedgerViolations,
  receiveEvent,
  type TestPartner,
} from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

const terms = { restaurantFee: 1000, centsPer100Units: 130, partnerShare: 2000 }

test('the file of a day is final a minute after midnight, when its last entries are stored', () => {
  const wait = (now: string) => timeUntilFinal('2026-11-20', new Date(now)) / 1000
  expect(wait('2026-11-20T23:59:59Z')).toBe(0)
  expect(wait('2026-11-21T00:00:00Z')).toBe(60)
  expect(wait('2026-11-21T00:00:45Z')).toBe(15)
  expect(wait('2026-11-21T00:01:00Z')).toBe(0)
  expect(wait('2026-12-24T12:00:00Z')).toBe(0)
})

test('the files of several days wait for yesterday when it is one of them, also when today is', () => {
  const wait = (first: string, last: string, now = '2026-11-21T00:00:45Z') =>
    timeUntilAllFinal({ first, last }, new Date(now)) / 1000
  expect(wait('2026-11-20', '2026-11-20')).toBe(15)
  expect(wait('2026-11-01', '2026-11-20')).toBe(15)
  expect(wait('2026-11-19', '2026-11-21')).toBe(15)
  expect(wait('2026-11-21', '2026-11-21')).toBe(0)
  expect(wait('2026-11-01', '2026-11-19')).toBe(0)
  expect(wait('2026-11-19', '2026-11-21', '2026-11-21T00:01:00Z')).toBe(0)
})

function program(partnerId: TestPartner): Ctx {
  const ctx = createTestContext(harness, partnerId)
  ctx.program.config.settlement = terms
  return ctx
}

async function createFixture(partnerId: TestPartner = 'skyharbor') {
  const ctx = program(partnerId)
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  let minute = 0
  const event = (what: 'auth' | 'clearing' | 'refund', over = {}): FeedEvent =>
    feedEvent(`transaction.${what}`, {
      id: randomUUID(),
      programId: partnerId,
      updated: new Date(Date.UTC(2026, 2, 11) + minute++ * 60_000).toISOString(),
      card: { id: card.token, lastNumbers: card.lastFour },
      location: { id: merchant.locationId },
      ...over,
    })
  const { public_id: slug } = await ctx.db
    .selectFrom('merchants')
    .select('public_id')
    .where('id', '=', merchant.id)
    .executeTakeFirstOrThrow()
  return { ctx, memberId, merchant, slug, event, send: (e: FeedEvent) => receiveEvent(ctx, e) }
}

/** Activates a bonus of 500 for the first visit. */
async function activateBonus(ctx: Ctx, memberId: number): Promise<void> {
  const bonus = { amount: 500, description: 'A first visit', dines: 1, withinDays: 366, distinctPlaces: false }
  const open = { minimumCents: 0, days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', until: '23:59' }
  await ctx.db
    .insertInto('member_bonuses')
    .values({
      public_id: randomUUID(),
      member_id: memberId,
      code: 'FIRST',
      status: 'Enrolled',
      terms: JSON.stringify({ ...bonus, ...open }),
      offered_at: new Date('2026-01-01'),
      enrolled_at: new Date('2026-01-01'),
    })
    .execute()
}

/** Returns the money balance of each account for one restaurant's transactions. */
async function accountBalances(ctx: Ctx, merchantId: number) {
  const { rows } = await sql<{ account: string; cents: number }>`
    select p.account, sum(p.amount)::bigint as cents
    from postings p join journal_entries j on j.id = p.journal_entry_id
    join transactions t on t.partner_id = j.partner_id and t.network_id = j.source_id
    where t.merchant_id = ${merchantId} and p.account in ('restaurant', 'partner', 'platform') and p.unit = 'cent'
    group by p.account`.execute(ctx.db)
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]))
}

/** Returns the text of a PDF: the characters of its fonts as hexadecimal codes, in compressed streams. */
function textOf(pdf: Buffer): string {
  const streams = pdf.toString('latin1').matchAll(/FlateDecode[\s\S]*?stream\n([\s\S]*?)\nendstream/g)
  const drawn = [...streams].map(([, bytes = '']) => inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1'))
  const lines = [...drawn.join('\n').matchAll(/\[(.*)\] TJ/g)].map(([, line = '']) =>
    [...line.matchAll(/<(\w+)>/g)].map(([, codes = '']) => Buffer.from(codes, 'hex').toString('latin1')).join(''),
  )
  return lines.join('\n')
}

describe('shares of a rewarded transaction', () => {
  test('a bill of 42.10 with 126 miles: the restaurant pays 4.21, of which the partner gets 2.14', () => {
    // 10 % of 42.10; 126 miles at 1.3 cents are 1.63; of the remaining 2.58 a fifth, rounded down, is 0.51.
    expect(sharesOf(42_10, 126, terms)).toEqual({ restaurantCents: 4_21, partnerCents: 2_14, platformCents: 2_07 })
    // 10 % of 30.76, 92 miles, and a fifth of the other 1.88: each is rounded down.
    expect(sharesOf(30_76, 92, terms)).toEqual({ restaurantCents: 3_07, partnerCents: 1_56, platformCents: 1_51 })
  })

  test('the price of a bonus is rounded down, and is not paid by a restaurant', () => {
    const amounts = (benefit: number) => bonusPostings(benefit, terms).map(({ account, amount }) => [account, amount])
    expect(amounts(5)).toEqual([
      ['partner', 6],
      ['platform', -6],
    ])
    expect([amounts(0), bonusPostings(5, undefined)]).toEqual([[], []])
  })

  test('rounding creates and loses no cent, and the platform pays where awards cost more than the fee', () => {
    const anything = {
      counted: fc.nat(1e9),
      benefit: fc.nat(1e9),
      fee: fc.nat(5000),
      price: fc.nat(1000),
      share: fc.nat(10_000),
    }
    fc.assert(
      fc.property(fc.record(anything), ({ counted, benefit, fee, price, share }) => {
        const shares = sharesOf(counted, benefit, { restaurantFee: fee, centsPer100Units: price, partnerShare: share })
        expect(shares.partnerCents + shares.platformCents).toBe(shares.restaurantCents)
        expect(Object.values(shares).every(Number.isSafeInteger)).toBe(true)
        expect(shares.partnerCents).toBeGreaterThanOrEqual(Math.floor((benefit * price) / 100))
        expect(shares.restaurantCents).toBeLessThanOrEqual(counted / 2)
      }),
      { numRuns: 2000 },
    )
  })

  test('a transaction that is corrected and partly refunded costs the same as one with the final amount', async () => {
    const { ctx, merchant, event, send } = await createFixture()
    const id = randomUUID()
    await send(event('auth', { id, amount: '33.33' }))
    expect(await accountBalances(ctx, merchant.id)).toEqual({})
    for (const amount of ['39.99', '41.27', '37.77']) await send(event('clearing', { id, amount }))
    await send(event('refund', { originalTransactionId: id, amount: '-7.01' }))
    const single = await createFixture()
    await single.send(single.event('clearing', { amount: '30.76' }))
    expect(await accountBalances(ctx, merchant.id)).toEqual(await accountBalances(single.ctx, single.merchant.id))
    await send(event('refund', { originalTransactionId: id, amount: '-30.76' }))
    expect(await accountBalances(ctx, merchant.id)).toEqual({ restaurant: 0, partner: 0, platform: 0 })
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  })

  test('a refund months later is settled at the price of its transaction', async () => {
    const { ctx, merchant, event, send } = await createFixture()
    const id = randomUUID()
    await send(event('clearing', { id }))
    ctx.program.config.settlement = { ...terms, centsPer100Units: 500 }
    await receiveEvent(ctx, event('refund', { originalTransactionId: id, amount: '-42.10' }))
    expect(await accountBalances(ctx, merchant.id)).toEqual({ restaurant: 0, partner: 0, platform: 0 })
  })

  test('a transaction after a price change is settled at the new price', async () => {
    const { ctx, merchant, event, send } = await createFixture()
    await send(event('clearing'))
    const before = await accountBalances(ctx, merchant.id)
    ctx.program.config.settlement = { ...terms, centsPer100Units: 0, partnerShare: 0 }
    await receiveEvent(ctx, event('clearing'))
    const after = await accountBalances(ctx, merchant.id)
    expect(after.partner).toBe(before.partner)
    expect(after.restaurant).toBe(2 * Number(before.restaurant))
  })

  test('a bonus stays settled at the price of the transaction that completed it', async () => {
    const { ctx, memberId, event, send } = await createFixture()
    await activateBonus(ctx, memberId)
    const owed = async () => {
      const { rows } = await sql<{ cents: number }>`
        select coalesce(sum(p.amount), 0)::bigint as cents from postings p join journal_entries j on j.id = p.journal_entry_id
        join member_bonuses b on j.source_id = 'bonus:' || b.public_id
        where p.account = 'partner' and b.member_id = ${memberId}`.execute(ctx.db)
      return rows[0]?.cents
    }
    // Of two visits at one moment, either may complete the bonus.
    await send(event('clearing', { datetime: '2026-03-10T12:00:00Z' }))
    expect(await owed()).toBe(6_50)
    ctx.program.config.settlement = { ...terms, centsPer100Units: 500 }
    await receiveEvent(ctx, event('clearing', { datetime: '2026-03-11T12:00:00Z' }))
    expect(await owed()).toBe(6_50)
  })

  test('a transaction that moves to another restaurant is paid by that one', async () => {
    const { ctx, merchant, event, send } = await createFixture()
    const otherMerchant = await addMerchant(ctx.db)
    const id = randomUUID()
    await send(event('clearing', { id }))
    await send(event('clearing', { id, location: { id: otherMerchant.locationId } }))
    const { rows } = await sql<{ merchant: number; cents: number }>`
      select merchant_id as merchant, sum(amount)::bigint as cents from postings
      where account = 'restaurant' and merchant_id in (${merchant.id}, ${otherMerchant.id})
      group by merchant_id order by 2`.execute(ctx.db)
    expect(rows).toEqual([
      { merchant: otherMerchant.id, cents: -4_21 },
      { merchant: merchant.id, cents: 0 },
    ])
  })
})

describe('the settlement file of a day', () => {
  test('lists what each restaurant owes and the partner is owed, and sums to the ledger', async () => {
    const { ctx, slug, event, send } = await createFixture('beacon')
    const id = randomUUID()
    await send(event('clearing', { id, amount: '100.00' }))
    await send(event('clearing', { amount: '50.00' }))
    await send(event('refund', { originalTransactionId: id, amount: '-100.00' }))
    const file = await settlementFile(ctx, new Date().toISOString().slice(0, 10))
    const [head, ...lines] = file.trimEnd().split('\r\n')
    expect(head).toMatch(/^\ufeffday,program,restaurant,.*platform_share_cents$/)
    const own = lines.find((line) => line.includes(slug))
    // 50.00 at 10 %; 150 cents of reward at 130 per 100 are 195; of the other 305 a fifth.
    expect(own).toMatch(/,Corner Bistro,transactions,cent,2,1,150,500,256,244$/)
    // The console shows the rewards of these three entries.
    const days = { from: new Date().toISOString().slice(0, 10), to: new Date().toISOString().slice(0, 10) }
    const amounts = { rewardsGiven: 450, rewardsTakenBack: 300 }
    expect(await listSettledDays(ctx.db, days)).toEqual([expect.objectContaining(amounts)])
    expect(await listSettledLines(ctx.db, days)).toEqual([expect.objectContaining({ merchantId: slug, ...amounts })])
    const total = lines.at(-1)?.split(',').slice(-3).map(Number)
    const { rows } = await sql<{ cents: number }>`
      select sum(amount)::bigint as cents from postings where account in ('restaurant', 'partner', 'platform')
      group by account order by account`.execute(ctx.db)
    const [partner, platform, restaurant] = rows.map(({ cents }) => cents)
    expect(total).toEqual([-(restaurant as number), partner, platform])
  })

  test('has bonuses in a line of their own, not in that of the restaurant where they were earned', async () => {
    const { ctx, memberId, slug, event, send } = await createFixture('gallonaire')
    const bonusesOf = async () => {
      const lines = (await settlementFile(ctx, new Date().toISOString().slice(0, 10))).split('\r\n')
      const [own] = lines.filter((line) => line.includes(slug)).map((line) => line.split(',').slice(4))
      const [bonuses] = lines.filter((line) => line.includes(',bonuses,')).map((line) => line.split(',').slice(4))
      return { own, bonuses }
    }
    await activateBonus(ctx, memberId)
    await send(event('clearing', { amount: '100.00' }))
    // 300 at 130 per 100 are 390, and a fifth of the other 610 is 122. The bonus costs 650.
    expect(await bonusesOf()).toEqual({
      own: ['transactions', 'cent', '1', '0', '300', '1000', '512', '488'],
      bonuses: ['bonuses', 'cent', '1', '0', '500', '0', '650', '-650'],
    })
  })

  test('lists restaurants by name, and what none of them pays last', async () => {
    const { ctx, memberId, event, send } = await createFixture()
    await activateBonus(ctx, memberId)
    for (const name of ['Noodles', 'Anchor', 'Zebra', 'Harbor']) {
      const merchant = await addMerchant(ctx.db, { name })
      await send(event('clearing', { location: { id: merchant.locationId } }))
    }
    const lines = (await settlementFile(ctx, new Date().toISOString().slice(0, 10))).split('\r\n')
    const names = lines.slice(1, -1).map((line) => line.split(',').slice(3, 5).find(Boolean))
    const sorted = ['Anchor', 'Harbor', 'Noodles', 'Zebra', 'bonuses', 'total']
    expect(names.filter((name) => name !== 'Corner Bistro')).toEqual(sorted)
  })

  test('counts no reward for a refund that changes only the price', async () => {
    // A reward for every full 50.00.
    const { ctx, slug, event, send } = await createFixture('gallonaire')
    const id = randomUUID()
    await send(event('clearing', { id, amount: '110.00' }))
    await send(event('refund', { originalTransactionId: id, amount: '-5.00' }))
    const lines = (await settlementFile(ctx, new Date().toISOString().slice(0, 10))).split('\r\n')
    // Given, taken back, rewards, and 10 % of what remains.
    expect(lines.find((line) => line.includes(slug))).toMatch(/,cent,1,0,\d+,1050,/)
  })

  test.each([
    ['skyharbor', terms],
    ['beacon', undefined],
  ] as const)(
    'of a past day stays when a transaction of %s moves to another restaurant',
    async (partnerId, settlement) => {
      const { ctx, slug, event, send } = await createFixture(partnerId)
      if (!settlement) delete ctx.program.config.settlement
      const otherMerchant = await addMerchant(ctx.db)
      const { public_id: otherSlug } = await ctx.db
        .selectFrom('merchants')
        .select('public_id')
        .where('id', '=', otherMerchant.id)
        .executeTakeFirstOrThrow()
      const id = randomUUID()
      const [today = '', yesterday = ''] = [0, 1].map((ago) =>
        new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
      )
      const linesOf = async (day: string) => {
        const lines = (await settlementFile(ctx, day)).split('\r\n').map((line) => line.split(','))
        return [slug, otherSlug].map((merchant) =>
          lines
            .find((cells) => cells[2] === merchant)
            ?.slice(5)
            .join(','),
        )
      }
      await send(event('clearing', { id, amount: '100.00' }))
      await queryAsOwner(
        harness.ownerUrl,
        "update journal_entries set posted_at = posted_at - interval '1 day' where source_id = $1",
        [id],
      )
      const before = await settlementFile(ctx, yesterday)
      await send(event('clearing', { id, amount: '100.00', location: { id: otherMerchant.locationId } }))
      expect(await settlementFile(ctx, yesterday)).toBe(before)
      const unit = partnerId === 'skyharbor' ? 'mile' : 'cent'
      const [moved, arrived] = await linesOf(today)
      const [there] = await linesOf(yesterday)
      const [, given, , rewards, owes, partner, platform] = there?.split(',') ?? []
      expect(given).toBe('1')
      expect(moved).toBe(
        [unit, 0, 1, ...[rewards, owes, partner, platform].map((text) => -Number(text) || 0)].join(','),
      )
      expect(arrived).toBe(there)
      expect(Number(rewards)).toBeGreaterThan(0)
      expect([owes, partner, platform].map((text) => Number(text) > 0)).toEqual(Array(3).fill(settlement !== undefined))
    },
  )

  test('has the statement credits that were sent, less those that came back', async () => {
    const { ctx, memberId, event, send } = await createFixture('gallonaire')
    Object.assign(ctx.program.config, { currencyType: 'Credit', earnStepCents: 1, statementCreditFromCents: 20_00 })
    const lineOf = async (kind: string) => {
      const lines = (await settlementFile(ctx, new Date().toISOString().slice(0, 10))).split('\r\n')
      return lines.find((line) => line.includes(`,,,${kind},`))
    }
    const creditsOf = () => lineOf('statement-credits')
    const takenBack = async () => (await lineOf('total'))?.split(',')[7]
    const before = await takenBack()
    await send(event('clearing', { amount: '700.00' }))
    expect(await creditsOf()).toMatch(/,,,statement-credits,cent,,,2100,0,0,0$/)
    const { public_id: sourceId } = await ctx.db
      .selectFrom('statement_credits')
      .select('public_id')
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow()
    const postings = rewardPostings({ memberId, unit: 'cent', amount: 5_00 }, 'payout')
    const entry = { source: 'statement-credit', sourceId, version: 2, kind: 'returned-credit', reason: {} } as const
    await inTransaction(ctx.db, (tx) => postEntries(tx, [{ ...entry, postings }]))
    expect(await creditsOf()).toMatch(/,cent,,,1600,0,0,0$/)
    // A credit takes no reward back.
    expect(await takenBack()).toBe(before)
  })

  test('of a day without entries has a total of zero', async () => {
    expect(await settlementFile(program('skyharbor'), '2020-01-01')).toMatch(
      /\r\n2020-01-01,skyharbor,,,total,,0,0,,0,0,0\r\n$/,
    )
  })
})

describe('the statement of a restaurant', () => {
  test('names a visit as the first while no earlier one was rewarded', async () => {
    const { ctx, slug, event, send } = await createFixture()
    const id = randomUUID()
    await send(event('clearing', { id, datetime: '2026-03-03T23:30:00Z', amount: '80.00' }))
    await send(event('refund', { originalTransactionId: id, amount: '-80.00' }))
    await send(event('clearing', { datetime: '2026-03-10T23:30:00Z', amount: '42.10' }))
    await send(event('clearing', { datetime: '2026-03-11T23:30:00Z', amount: '42.10' }))
    const programs = [{ config: publicConfig(ctx.program.config), db: ctx.db }]
    const statement = await readStatement(programs, { merchantId: slug, month: '2026-03' })
    expect(statement?.transactions.map(({ isReturning }) => isReturning)).toEqual([false, false, true])
    // What was refunded was not kept, cost nothing, and is no visit.
    expect(statement?.totals).toEqual({
      transactions: 2,
      firstVisits: 1,
      billCents: 164_20,
      refundedCents: 80_00,
      costCents: 8_42,
      returnCents: 1000,
    })
    const visits = statementCsv(statement as NonNullable<typeof statement>).split('\r\n')
    expect(visits.slice(1, 4).map((line) => line.split(',')[7])).toEqual(['no', 'yes', 'no'])
    expect(textOf(await statementPdf(statement as NonNullable<typeof statement>))).toContain('$84.20')
  })

  test('has visits whose rewards were paid out, also of a program that charges nothing for them', async () => {
    const { ctx, memberId, slug, event, send } = await createFixture('beacon')
    delete ctx.program.config.settlement
    for (const day of ['03', '10']) await send(event('clearing', { datetime: `2026-03-${day}T23:30:00Z` }))
    const paid = { award_status: 'Paid', paid_at: new Date() }
    await ctx.db.updateTable('transactions').set(paid).where('member_id', '=', memberId).execute()
    const programs = [{ config: publicConfig(ctx.program.config), db: ctx.db }]
    const statement = await readStatement(programs, { merchantId: slug, month: '2026-03' })
    expect(statement?.transactions.map(({ isReturning, costCents }) => [isReturning, costCents])).toEqual([
      [false, 0],
      [true, 0],
    ])
    expect(statement?.totals).toMatchObject({ firstVisits: 1, billCents: 84_20, costCents: 0, returnCents: null })
  })

  test('names no visit as a return for visits of others, or of the member elsewhere', async () => {
    const { ctx, merchant, slug, event, send } = await createFixture()
    const elsewhere = await addMerchant(ctx.db)
    const otherCard = await addCard(ctx.db, await addMember(ctx.db))
    const card = { id: otherCard.token, lastNumbers: otherCard.lastFour }
    await send(event('clearing', { datetime: '2026-03-03T23:30:00Z', location: { id: elsewhere.locationId } }))
    await send(event('clearing', { datetime: '2026-03-04T23:30:00Z', card }))
    await send(event('clearing', { datetime: '2026-03-10T23:30:00Z' }))
    // One that came from another restaurant costs this one only what it pays itself.
    const id = randomUUID()
    const datetime = '2026-03-12T23:30:00Z'
    await send(event('clearing', { id, datetime, location: { id: elsewhere.locationId } }))
    await send(event('clearing', { id, datetime, location: { id: merchant.locationId } }))
    // One that only the other restaurant paid, and got back, is none of this one's.
    const refunded = { id: randomUUID(), datetime: '2026-03-13T23:30:00Z' }
    await send(event('clearing', { ...refunded, location: { id: elsewhere.locationId } }))
    await send(event('refund', { originalTransactionId: refunded.id, amount: '-42.10' }))
    await send(event('clearing', refunded))
    const programs = [{ config: publicConfig(ctx.program.config), db: ctx.db }]
    const statement = await readStatement(programs, { merchantId: slug, month: '2026-03' })
    expect(statement?.transactions.map(({ isReturning, costCents }) => [isReturning, costCents])).toEqual([
      [false, 4_21],
      [false, 4_21],
      [true, 4_21],
    ])
  })

  test('lists what every transaction cost and earned, from the ledger, over all programs, without names', async () => {
    const { ctx, merchant, slug, event, send } = await createFixture()
    const other = program('beacon')
    const otherCard = await addCard(other.db, await addMember(other.db))
    await send(event('clearing', { datetime: '2026-03-03T23:30:00Z', amount: '80.00' }))
    await send(event('clearing', { datetime: '2026-03-10T23:30:00Z', amount: '42.10' }))
    // In the restaurant's local time it is still March.
    await receiveEvent(
      other,
      feedEvent('transaction.clearing', {
        id: randomUUID(),
        programId: 'beacon',
        datetime: '2026-04-01T02:00:00Z',
        amount: '60.00',
        card: { id: otherCard.token, lastNumbers: '0002' },
        location: { id: merchant.locationId },
      }),
    )
    const programs = [ctx, other].map(({ program: { config }, db }) => ({ config: publicConfig(config), db }))
    const statement = await readStatement(programs, { merchantId: slug, month: '2026-03' })
    if (!statement) throw new Error('no statement')
    expect(
      statement.transactions.map(({ costCents, isReturning, rewardText }) => [costCents, isReturning, rewardText]),
    ).toEqual([
      [8_00, false, '240 miles'],
      [4_21, true, '126 miles'],
      [6_00, false, '$1.80'],
    ])
    // In the order of the visits, whichever program they belong to.
    const reversed = await readStatement(programs.toReversed(), { merchantId: slug, month: '2026-03' })
    expect(reversed).toEqual(statement)
    expect(statement.totals).toEqual({
      transactions: 3,
      firstVisits: 2,
      billCents: 182_10,
      refundedCents: 0,
      costCents: 18_21,
      returnCents: 1000,
    })
    const { rows } = await sql<{ cents: number }>`
      select -sum(amount)::bigint as cents from postings
      where account = 'restaurant' and merchant_id = ${merchant.id}`.execute(ctx.db)
    const { rows: others } = await sql<{ cents: number }>`
      select -sum(amount)::bigint as cents from postings
      where account = 'restaurant' and merchant_id = ${merchant.id}`.execute(other.db)
    expect((rows[0]?.cents ?? 0) + (others[0]?.cents ?? 0)).toBe(statement.totals.costCents)
    const csv = statementCsv(statement)
    expect(csv).toBe(
      [
        '\ufeffdined_at,program,bill_cents,refunded_cents,counted_cents,reward,unit,first_visit,cost_cents',
        '2026-03-03T23:30:00.000Z,skyharbor Dining,8000,0,8000,240,mile,yes,800',
        '2026-03-10T23:30:00.000Z,skyharbor Dining,4210,0,4210,126,mile,no,421',
        '2026-04-01T02:00:00.000Z,beacon Dining,6000,0,6000,180,cent,yes,600',
        'total,,18210,0,,,,2,1821',
        '',
      ].join('\r\n'),
    )
    expect(csv).not.toMatch(/Lovelace|0002|@/)
    const pdf = await statementPdf(statement)
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await statementPdf(statement)).equals(pdf)).toBe(true)
    const text = textOf(pdf)
    for (const day of ['Mar 3, 2026', 'Mar 10, 2026', 'Mar 31, 2026']) expect(text).toContain(day)
    for (const amount of ['$80.00', '$182.10', '$18.21', '126 miles']) expect(text).toContain(amount)
    // Each page names the columns, and each row has what was refunded of its own bill.
    const countPages = async (rows: number) => {
      const [row] = statement.transactions as [(typeof statement.transactions)[0]]
      const transactions = Array.from({ length: rows }, () => ({ ...row, refundedCents: 20_01 }))
      const long = await statementPdf({ ...statement, transactions })
      const countIn = (part: RegExp, of = textOf(long)) => of.match(part)?.length
      return [countIn(/\/Type \/Page\b/g, long.toString('latin1')), countIn(/Reward given/g), countIn(/\$20\.01/g)]
    }
    expect(await Promise.all([20, 60, 70].map(countPages))).toEqual([
      [1, 1, 20],
      [2, 2, 60],
      [3, 3, 70],
    ])
  })

  test('names preserve every character that the PDF font has, and lose only diacritics otherwise', () => {
    expect(toPrintable('Café Déjà Vu – Zaʿatar')).toBe('Café Déjà Vu – Za?atar')
    expect(toPrintable('Phở Hà Nội')).toBe('Pho Hà Noi')
  })

  test('of a month without transactions says so, and an unknown restaurant has none', async () => {
    const { ctx, slug } = await createFixture()
    const programs = [{ config: publicConfig(ctx.program.config), db: ctx.db }]
    const empty = await readStatement(programs, { merchantId: slug, month: '2026-02' })
    expect(empty?.totals).toMatchObject({ transactions: 0, costCents: 0, returnCents: null })
    expect(await readStatement(programs, { merchantId: 'nowhere', month: '2026-02' })).toBeNull()
    expect((await statementPdf(empty as NonNullable<typeof empty>)).length).toBeGreaterThan(500)
  })
})
