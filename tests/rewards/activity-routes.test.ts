import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import { createDatabaseListener, type DatabaseListener } from '../../src/platform/database/listen.ts'
import { activityCsv } from '../../src/rewards/activity/activity-csv.ts'
import { createActivityHub } from '../../src/rewards/activity/activity-stream.ts'
import { getDiningProgress } from '../../src/rewards/awards/dining-progress.ts'
import { saveBonus } from '../../src/rewards/awards/extra-entries.ts'
import type { TransactionFields } from '../../src/rewards/awards/store.ts'
import { ruleVersion } from '../../src/rewards/earning/rules.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import { executeCredit } from '../../src/rewards/payouts/statement-credits.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  programConfig,
  receiveEvent,
  type TestPartner,
} from '../support/rewards-harness.ts'
import { createRewardsServer } from '../support/rewards-server.ts'
import { runJobs } from '../support/run-jobs.ts'

const now = new Date('2026-03-20T12:00:00Z')
const harness = setUpTestHarness()
let dbListener: DatabaseListener
let app: FastifyInstance
let session: { partnerId: TestPartner; memberId: number | null } = { partnerId: 'skyharbor', memberId: null }

beforeAll(async () => {
  dbListener = createDatabaseListener({ url: harness.url, log: console })
  const contextFor = () => {
    const ctx = createTestContext(harness, session.partnerId, now)
    return { ...ctx, actor: { ...ctx.actor, memberId: session.memberId } }
  }
  app = await createRewardsServer(contextFor, {
    hub: createActivityHub({ listener: dbListener, liveSessions: async (_partnerId, ids) => ids, log: console }),
  })
})
afterAll(async () => {
  await app?.close()
  await dbListener?.close()
})

/** Signs in a new member with these transactions: dollars by day, each cleared. */
async function signIn(partnerId: TestPartner, amountsByDay: Record<string, string> = {}, tier = 'OptedIn') {
  const ctx = createTestContext(harness, partnerId, now)
  const memberId = await addMember(ctx.db, { tier })
  const linkedAt = new Date('2020-01-01T00:00:00Z')
  const [card, merchant] = [await addCard(ctx.db, memberId, { linkedAt }), await addMerchant(ctx.db)]
  await ctx.db.updateTable('merchants').set({ joined_on: '2020-01-01' }).where('id', '=', merchant.id).execute()
  await ctx.db
    .updateTable('merchant_offers')
    .set({ starts_on: '2020-01-01' })
    .where('merchant_id', '=', merchant.id)
    .execute()
  for (const [day, amount] of Object.entries(amountsByDay)) {
    const event = feedEvent('transaction.clearing', {
      id: randomUUID(),
      programId: partnerId,
      amount,
      datetime: `${day}T23:30:00.000Z`,
      card: { id: card.token, lastNumbers: card.lastFour },
      location: { id: merchant.locationId },
    })
    await receiveEvent(ctx, event)
  }
  session = { partnerId, memberId }
  return { ctx, memberId, merchant }
}

async function get(url: string) {
  const response = await app.inject({ method: 'GET', url })
  return { status: response.statusCode, json: response.json() }
}

const list = '/api/Member/Transactions'
const creditList = '/api/Member/TransactionsStatementCredits'

describe('the list of transactions', () => {
  test('DATA-022 DATA-024 HIST-002 HIST-032 a transaction has every field, its time with the restaurant’s time zone, and the reason for its award', async () => {
    await signIn('skyharbor', { '2026-03-10': '42.10' })
    const { status, json } = await get(list)
    expect(status).toBe(200)
    expect(json).toEqual({
      totalResultSize: 1,
      totalPages: 1,
      data: [
        {
          kind: 'transaction',
          sourceTransactionId: expect.stringMatching(/^[\w-]{22}$/),
          merchantId: expect.stringMatching(/^bistro-/),
          merchantName: 'Corner Bistro',
          timeZone: 'America/New_York',
          transactionCreatedAt: '2026-03-10T23:30:00.000Z',
          transactionStatus: 'paid',
          transactionTypeCode: 'S',
          dineAmount: 42.1,
          refundedAmount: 0,
          status: 'posted',
          benefitAmount: 126,
          ticketAmount: 42.1,
          cardLastFour: '0002',
          paidAt: null,
          date: '2026-03-10',
          awardStatus: 'Awarded',
          activeMerchant: true,
          reason: {
            code: 'earned',
            rule: ruleVersion,
            key: 'rewards.why.earned',
            params: { merchant: 'Corner Bistro', amount: '$42.10', benefit: '126 miles' },
          },
        },
      ],
    })
  })

  test('the refunded part of a transaction is never more than its amount', async () => {
    const { ctx, memberId } = await signIn('skyharbor', { '2026-03-10': '42.10' })
    const refunded = async (refunded_cents: number) => {
      await ctx.db.updateTable('transactions').set({ refunded_cents }).where('member_id', '=', memberId).execute()
      return (await get(list)).json.data[0].refundedAmount
    }
    expect([await refunded(12_10), await refunded(50_00)]).toEqual([12.1, 42.1])
  })

  test('HIST-003 a restaurant that has left is no longer linked', async () => {
    const { ctx, merchant } = await signIn('skyharbor', { '2026-03-10': '42.10' })
    const isLinked = async (leftOn: string) => {
      await ctx.db.updateTable('merchants').set({ left_on: leftOn }).where('id', '=', merchant.id).execute()
      return (await get(list)).json.data[0].activeMerchant
    }
    // Today is March 20.
    expect([await isLinked('2026-03-15'), await isLinked('2026-03-20'), await isLinked('2026-03-21')]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('API-036 HIST-031 pages are newest first, with ten entries by default or as many as requested', async () => {
    const days = Array.from({ length: 12 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`)
    await signIn('skyharbor', Object.fromEntries(days.map((day) => [day, '10.00'])))
    const first = (await get(list)).json
    expect([first.totalResultSize, first.totalPages, first.data.length]).toEqual([12, 2, 10])
    expect(first.data[0].date).toBe('2026-03-12')
    const last = (await get(`${list}?pageNo=3&resultsPerPage=5`)).json
    expect(last.data.map((entry: { date: string }) => entry.date)).toEqual(['2026-03-02', '2026-03-01'])
    expect((await get(`${list}?pageNo=9`)).json).toMatchObject({ data: [], totalResultSize: 12 })
  })

  test('ACCT-019 CONST-010 the list goes back twelve months and no further', async () => {
    await signIn('skyharbor', { '2025-03-19': '10.00', '2025-03-20': '20.00', '2026-03-01': '30.00' })
    expect((await get(list)).json.data.map((entry: { date: string }) => entry.date)).toEqual([
      '2026-03-01',
      '2025-03-20',
    ])
  })

  test('ROLE-017 a member sees own transactions only, a visitor none', async () => {
    await signIn('skyharbor', { '2026-03-10': '42.10' })
    await signIn('skyharbor')
    expect((await get(list)).json.data).toEqual([])
    session = { partnerId: 'skyharbor', memberId: null }
    expect((await get(list)).status).toBe(401)
  })

  test('HIST-034 the list is filtered by status and by year or month of the restaurant’s local time', async () => {
    const { ctx, memberId } = await signIn('skyharbor', {
      '2025-12-20': '10.00',
      '2026-02-10': '20.00',
      '2026-03-05': '30.00',
      '2026-03-10': '40.00',
    })
    const change = (day: string, values: Record<string, unknown>) =>
      ctx.db
        .updateTable('transactions')
        .set(values)
        .where('member_id', '=', memberId)
        .where('occurred_at', '=', new Date(`${day}T23:30:00.000Z`))
        .execute()
    await change('2025-12-20', { award_status: 'Forfeit' })
    await change('2026-02-10', { award_status: 'Deferred' })
    // 10:30 p.m. on February 28 in New York, March 1 in UTC.
    await change('2026-03-05', { occurred_at: new Date('2026-03-01T03:30:00.000Z') })
    const paid = async (query: string) => {
      const { json } = await get(`${list}?${query}`)
      return json.data.map((entry: { dineAmount: number }) => entry.dineAmount)
    }
    expect(await paid('status=earned')).toEqual([40, 30])
    expect(await paid('status=pending')).toEqual([20])
    expect(await paid('status=notEarned')).toEqual([10])
    expect(await paid('status=credit')).toEqual([])
    expect(await paid('period=2026-02')).toEqual([30, 20])
    expect(await paid('period=2026-03')).toEqual([40])
    expect(await paid('period=2025')).toEqual([10])
    expect(await paid('period=2026&status=earned')).toEqual([40, 30])
    expect((await get(`${list}?period=2026&resultsPerPage=2&pageNo=2`)).json).toMatchObject({
      totalResultSize: 3,
      totalPages: 2,
      data: [{ dineAmount: 20 }],
    })
  })

  test('HIST-035 the file has the rows of every page, filtered alike, in the restaurant’s local time', async () => {
    const { ctx, memberId } = await signIn('skyharbor', { '2026-02-10': '20.00', '2026-03-05': '30.50' })
    await ctx.db
      .updateTable('transactions')
      .set({ merchant_name: '=SUM(A1), Bar' })
      .where('member_id', '=', memberId)
      .where('occurred_at', '=', new Date('2026-03-05T23:30:00.000Z'))
      .execute()
    const file = async (query = '') => app.inject({ method: 'GET', url: `/api/Member/Activity/Export${query}` })
    const all = await file()
    expect(all.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(all.headers['content-disposition']).toBe('attachment; filename="skyharbor-activity.csv"')
    expect(all.body.split('\r\n')).toEqual([
      '\ufeffdate,time,what,details,amount,refunded,card,reward,unit,status'.replace(/\w+/g, 'activity.csv_$&'),
      '2026-03-05,18:30,"\'=SUM(A1), Bar",,30.50,0.00,0002,91,miles,rewards.status.plain.posted',
      '2026-02-10,18:30,Corner Bistro,,20.00,0.00,0002,60,miles,rewards.status.plain.posted',
      '',
    ])
    // A program may show no text for a posted transaction.
    const t = (key: string) => (key === 'rewards.status.plain.posted' ? '' : key)
    expect((await activityCsv({ ...ctx, t }, memberId, { period: '2026-02' })).split('\r\n')[1]).toBe(
      '2026-02-10,18:30,Corner Bistro,,20.00,0.00,0002,60,miles,rewards.status.posted',
    )
    expect((await file('?period=2026-02&status=earned')).body.split('\r\n')).toHaveLength(3)
    expect((await file('?status=pending')).body.split('\r\n')).toHaveLength(2)
    expect((await file('?status=open')).statusCode).toBe(400)
    // A bonus has its own name, and neither an amount nor a card.
    const [visit] = await ctx.db
      .selectFrom('transactions')
      .selectAll()
      .where('member_id', '=', memberId)
      .where('merchant_name', '=', 'Corner Bistro')
      .execute()
    const bonus = { networkId: 'bonus:csv', publicId: 'csv', benefit: 500, unit: 'mile' }
    const reason = { code: 'bonus', description: 'A first visit' }
    await inTransaction(ctx.db, (tx) => saveBonus(tx, visit as TransactionFields, { ...bonus, reason }))
    expect((await activityCsv(ctx, memberId, { period: '2026-02' })).split('\r\n')).toContain(
      '2026-02-10,18:30,Corner Bistro,activity.bonus_named,,,,500,miles,rewards.status.bonus',
    )
    await signIn('skyharbor')
    expect((await file()).body.split('\r\n')).toHaveLength(2)
    session = { partnerId: 'skyharbor', memberId: null }
    expect((await file()).statusCode).toBe(401)
  })

  test.each([
    'pageNo=0',
    'resultsPerPage=101',
    'pageNo=x',
    'memberId=1',
    'status=Awarded',
    'period=2026-13',
    'period=26',
    'period=2026-%25',
  ])('%s is rejected', async (query) => {
    await signIn('skyharbor')
    expect((await get(`${list}?${query}`)).status).toBe(400)
  })
})

describe('programs that send statement credits', () => {
  const executeCredits = () =>
    runJobs(harness.url, 'statement-credits', (job) =>
      executeCredit(createTestContext(harness, 'beacon', now), ownProcessor, job),
    )

  test('HIST-034 HIST-035 credits can be listed alone and are in the file', async () => {
    await signIn('beacon', { '2026-03-09': '100.00', '2026-03-10': '600.00' })
    await executeCredits()
    const kinds = async (query: string) => {
      const { json } = await get(`${creditList}?${query}`)
      return json.data.map((entry: { kind: string }) => entry.kind)
    }
    expect(await kinds('status=credit')).toEqual(['credit'])
    expect(await kinds('status=earned')).toEqual(['transaction', 'transaction'])
    expect(await kinds('period=2026-03')).toEqual(['credit', 'transaction', 'transaction'])
    expect([await kinds('period=2026-02'), await kinds('period=2026-02&status=credit')]).toEqual([[], []])
    const { body } = await app.inject({ method: 'GET', url: '/api/Member/Activity/Export?status=credit' })
    expect(body.split('\r\n')[1]).toMatch(
      /^20\d\d-\d\d-\d\d,,activity\.credit,Visa ending in 0002,,,,21\.00,activity\.csv_dollars,/,
    )
  })

  test('DATA-017 DATA-021 DATA-023 API-035 transactions and credits are one list, newest first, distinguished by their kind', async () => {
    await signIn('beacon', { '2026-03-09': '100.00', '2026-03-10': '600.00' })
    await executeCredits()
    const { json } = await get(creditList)
    expect(json).toMatchObject({ totalPages: 1 })
    expect(json).not.toHaveProperty('totalResultSize')
    expect(json.data).toMatchObject([
      {
        kind: 'credit',
        creditId: expect.any(String),
        creditAmountCents: 21_00,
        targetType: 'card',
        targetLabel: 'Visa ending in 0002',
        payoutBrand: 'Visa',
        delivery: 'Card',
        benefitProcessor: 'dineback',
        status: 'completed',
        isChecking: false,
        date: '2026-03-20',
      },
      { kind: 'transaction', date: '2026-03-10', awardStatus: 'Paid', transactionStatus: 'paid', benefitAmount: 18 },
      { kind: 'transaction', date: '2026-03-09', awardStatus: 'Paid', paidAt: now.toISOString() },
    ])
    const { steps } = (await get(`${list}/${json.data[2].sourceTransactionId}/Story`)).json
    expect(steps).toContainEqual({
      at: now.toISOString(),
      key: 'rewards.story.sent',
      params: { target: 'Visa ending in 0002' },
    })
  })

  test('API-034 HIST-030 the balance is what was earned and not yet paid out; until then a transaction is pending', async () => {
    await signIn('beacon', { '2026-03-09': '416.67' })
    expect((await get('/api/Member/StatementCreditBalance')).json).toEqual({ memberBalance: 12.5 })
    const { data } = (await get(creditList)).json
    expect(data).toMatchObject([{ awardStatus: 'Awarded', transactionStatus: 'pending' }])
  })

  test('each kind of program has its own list, and the other one gets 404', async () => {
    await signIn('skyharbor')
    const others = [creditList, '/api/Member/StatementCreditBalance']
    for (const url of others) expect(await get(url)).toMatchObject({ status: 404, json: { code: 'notOffered' } })
    await signIn('beacon')
    expect(await get(list)).toMatchObject({ status: 404, json: { code: 'notOffered' } })
  })
})

describe('the current year', () => {
  test('API-032 DATA-026 the dine summary counts the awards and rewarded transactions of this calendar year', async () => {
    await signIn('skyharbor', { '2025-12-31': '100.00', '2026-01-01': '10.00', '2026-03-10': '42.10' })
    expect((await get('/api/Member/DineSummary')).json).toEqual({ currentYearBenefits: 156, currentYearDines: 2 })
    const { ctx, memberId } = await signIn('beacon', { '2026-03-10': '42.10' })
    const ofYear = { currentYearBenefits: 1.26, currentYearDines: 1 }
    expect((await get('/api/Member/DineSummary')).json).toEqual(ofYear)
    // What was paid out counts as before.
    const paid = { award_status: 'Paid', paid_at: now }
    await ctx.db.updateTable('transactions').set(paid).where('member_id', '=', memberId).execute()
    expect((await get('/api/Member/DineSummary')).json).toEqual(ofYear)
  })

  const getProgress = async (partnerId: TestPartner, amountsByDay: Record<string, string>, tier?: string) => {
    const { ctx, memberId } = await signIn(partnerId, amountsByDay, tier)
    return getDiningProgress(ctx.db, memberId, programConfig(partnerId), now)
  }
  const visits = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`2026-01-${10 + index}`, '10.00']))

  test('DATA-006 DATA-007 progress counts visits toward VIP, or dollars in programs with a dollar goal', async () => {
    expect(await getProgress('skyharbor', visits(4))).toEqual({
      status: 'Building',
      remainingDines: 7,
      dinesRequired: 11,
      remainingDollars: null,
      dollarsRequired: null,
      ytdMilesOrDollars: 120,
      vipBegins: null,
    })
    expect(await getProgress('beacon', { '2026-01-10': '474.50' })).toMatchObject({
      status: 'Building',
      remainingDines: null,
      remainingDollars: 25.5,
      dollarsRequired: 500,
      ytdMilesOrDollars: 14.23,
    })
  })

  test('a VIP who qualifies again is QualifiedAndBuilding, and one with enough visits is Qualified', async () => {
    expect(await getProgress('skyharbor', visits(4), 'VIP')).toMatchObject({ status: 'QualifiedAndBuilding' })
    expect(await getProgress('skyharbor', visits(12))).toMatchObject({ status: 'Qualified', remainingDines: 0 })
  })

  test('a program without VIP has no goal', async () => {
    expect(await getProgress('gallonaire', { '2026-01-10': '100.00' })).toMatchObject({
      status: 'Building',
      dinesRequired: null,
      dollarsRequired: null,
    })
  })
})
