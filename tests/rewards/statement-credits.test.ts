import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import { getBalance, postEntries, rewardPostings } from '../../src/rewards/ledger/entries.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import type { CreditProcessor, SubmitAnswer } from '../../src/rewards/payouts/processor.ts'
import { executeCredit, payOutBalances } from '../../src/rewards/payouts/statement-credits.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  findLedgerViolations,
  receiveEvent,
  type TestCard,
} from '../support/rewards-harness.ts'
import { runJobs } from '../support/run-jobs.ts'
import { scaled } from '../support/scale.ts'

const harness = setUpTestHarness()
const now = new Date('2026-03-12T12:00:00Z')
const rejected = { outcome: 'rejected', reason: 'closed account' } as const
const beacon = () => createTestContext(harness, 'beacon', now)

async function cardholder() {
  const { db } = beacon()
  const memberId = await addMember(db)
  const [cards, merchant] = [[await addCard(db, memberId), await addCard(db, memberId)], await addMerchant(db)]
  let minute = 0
  // Two cards in turn: only the member's lock serializes their transactions.
  const event = (amount: string, id: string = randomUUID(), original?: string) => {
    const card = cards[minute % 2] as TestCard
    return feedEvent(original ? 'transaction.refund' : 'transaction.clearing', {
      id,
      programId: 'beacon',
      amount,
      updated: new Date(Date.UTC(2026, 2, 11, 0, minute++)).toISOString(),
      card: { id: card.token, lastNumbers: card.lastFour },
      location: { id: merchant.locationId },
      ...(original && { originalTransactionId: original }),
    })
  }
  return {
    memberId,
    event,
    pay: (amount: string, id?: string, original?: string) => receiveEvent(beacon(), event(amount, id, original)),
    balance: () => getBalance(db, memberId, 'cent'),
    credits: () =>
      db.selectFrom('statement_credits').selectAll().where('member_id', '=', memberId).orderBy('id').execute(),
    listTransactions: () =>
      db
        .selectFrom('transactions')
        .select(['award_status', 'benefit', 'paid_at'])
        .where('member_id', '=', memberId)
        .orderBy('id')
        .execute(),
  }
}

/** Runs the jobs of credits; with `early`, also those that wait for another attempt. Returns the errors. */
const executeCredits = (processor: CreditProcessor, when: { early?: boolean } = {}) =>
  runJobs(harness.url, 'statement-credits', (job) => executeCredit(beacon(), processor, job), when)

/** Executes all open credits with Dineback's own processor. */
const settleOpenCredits = () => executeCredits(ownProcessor)

describe('statement credits', () => {
  test('a balance of 20 dollars is paid out whole, as one credit to the card, and its transactions are paid', async () => {
    const { pay, balance, credits, listTransactions } = await cardholder()
    const neighbor = await cardholder()
    await neighbor.pay('600.00')
    await pay('600.00')
    expect([await balance(), await credits()]).toEqual([18_00, []])
    await pay('69.99')
    const target = { target_type: 'card', target_label: 'Visa ending in 0002', brand: 'Visa', delivery: 'Card' }
    expect(await credits()).toMatchObject([{ amount_cents: 20_09, ...target, status: 'pending' }])
    expect((await listTransactions())[0]).toMatchObject({ award_status: 'Awarded' })
    await settleOpenCredits()
    expect(await credits()).toMatchObject([{ processor: 'dineback', status: 'completed' }])
    expect(await balance()).toBe(0)
    expect(await listTransactions()).toEqual([
      { award_status: 'Paid', benefit: 18_00, paid_at: now },
      { award_status: 'Paid', benefit: 2_09, paid_at: now },
    ])
    expect(await neighbor.listTransactions()).toMatchObject([{ award_status: 'Awarded', paid_at: null }])
  })

  test('a balance of exactly 20 dollars is paid out, one of a cent less is not', async () => {
    const { pay, balance, credits } = await cardholder()
    await pay('666.34')
    expect([await balance(), await credits()]).toEqual([19_99, []])
    await pay('0.34')
    expect(await balance()).toBe(0)
    expect(await credits()).toMatchObject([{ amount_cents: 20_00 }])
  })

  test('each member’s credit goes to the own card, under its name and with the brand as the processor names it', async () => {
    const ctx = beacon()
    const cards = new Map<number, number | null>()
    for (const card_type of ['VISA', 'MAST', 'AMEX', 'DISC']) {
      const memberId = await addMember(ctx.db)
      const { id } = await addCard(ctx.db, memberId)
      const change = { card_type, description: `Fleet ${card_type}` }
      await ctx.db.updateTable('cards').set(change).where('id', '=', id).execute()
      cards.set(memberId, id)
    }
    cards.set(await addMember(ctx.db), null)
    const members = [...cards.keys()]
    await inTransaction(ctx.db, async (tx) => {
      for (const memberId of members) {
        const postings = rewardPostings({ memberId, unit: 'cent', amount: 20_00 })
        await postEntries(tx, [{ ...adjustment, sourceId: randomUUID(), postings }])
      }
      await payOutBalances(tx, ctx, cards)
    })
    const stored = ctx.db.selectFrom('statement_credits').select(['brand', 'target_label']).orderBy('member_id')
    expect(await stored.where('member_id', 'in', members).execute()).toEqual([
      { brand: 'Visa', target_label: 'Fleet VISA ending in 0002' },
      { brand: 'MasterCard', target_label: 'Fleet MAST ending in 0002' },
      { brand: 'XXXX', target_label: 'Fleet AMEX ending in 0002' },
      { brand: 'XXXX', target_label: 'Fleet DISC ending in 0002' },
      { brand: 'XXXX', target_label: '' },
    ])
    await settleOpenCredits()
  })

  test('the open pages of a member are refreshed when the status of a credit changes, not after each check', async () => {
    await settleOpenCredits()
    const { memberId, pay, credits } = await cardholder()
    await pay('700.00')
    const listener = new pg.Client({ connectionString: harness.url })
    const refreshed: string[] = []
    listener.on('notification', ({ payload = '' }) => refreshed.push(payload))
    await listener.connect()
    await listener.query('listen member_activity')
    const [credit] = await credits()
    const job = { id: String(credit?.id) }
    const statusAfter = async (outcome: 'accepted' | 'completed') => {
      const respond = async () => ({ outcome })
      await executeCredit(beacon(), { ...ownProcessor, submit: respond, check: respond }, job)
      await sql`select pg_notify('member_activity', ${outcome})`.execute(beacon().db)
    }
    try {
      for (const outcome of ['accepted', 'accepted', 'completed'] as const) await statusAfter(outcome)
      await vi.waitFor(() => expect(refreshed.at(-1)).toBe('completed'), 20_000)
    } finally {
      await listener.end()
    }
    const own = JSON.stringify({ partner: 'beacon', members: [memberId] })
    expect(refreshed).toEqual([own, 'accepted', 'accepted', own, 'completed'])
  })

  test('a refund of a paid-out transaction leaves a debt that later awards offset', async () => {
    const { pay, balance, credits, listTransactions } = await cardholder()
    const id = randomUUID()
    await pay('700.00', id)
    await settleOpenCredits()
    await pay('-700.00', randomUUID(), id)
    expect(await balance()).toBe(-21_00)
    expect((await listTransactions())[0]).toMatchObject({ award_status: 'Forfeit', benefit: 0 })
    await pay('1000.00')
    expect([await balance(), (await credits()).length]).toEqual([9_00, 1])
  })

  test('DATA-020 DATA-021 without a card the payout provider pays it, and transactions are paid when it confirms', async () => {
    const { memberId, pay, listTransactions, credits } = await cardholder()
    const ctx = beacon()
    ctx.program.config.payoutBrand = 'Payday'
    await pay('600.00')
    const gift = {
      ...adjustment,
      sourceId: randomUUID(),
      postings: rewardPostings({ memberId, unit: 'cent', amount: 5_00 }),
    }
    await inTransaction(ctx.db, async (tx) => {
      await postEntries(tx, [gift])
      await payOutBalances(tx, ctx, new Map([[memberId, null]]))
    })
    let response: SubmitAnswer = { outcome: 'accepted' }
    const slow: CreditProcessor = {
      name: 'slow',
      checkEvery: 0,
      submit: async () => response,
      check: async () => response,
    }
    // Checked once: with an interval of 0 it would be checked in a loop while it is open.
    await executeCredits({ ...slow, checkEvery: 60_000 })
    expect((await listTransactions())[0]?.award_status).toBe('Awarded')
    const other = { target_type: 'other', brand: 'Payday', delivery: 'Email' }
    expect(await credits()).toMatchObject([{ amount_cents: 23_00, status: 'pending_received', ...other }])
    response = { outcome: 'completed' }
    await executeCredits(slow)
    expect((await listTransactions())[0]?.award_status).toBe('Awarded')
    await executeCredits(slow, { early: true })
    expect((await listTransactions())[0]).toMatchObject({ award_status: 'Paid', paid_at: now })
  })

  test('DATA-020 a credit that is rejected returns to the balance, once', async () => {
    const { pay, balance, credits, listTransactions } = await cardholder()
    await pay('700.00')
    expect(await balance()).toBe(0)
    const rejecting: CreditProcessor = { ...ownProcessor, submit: async () => rejected }
    await Promise.all([1, 2, 3].map(() => executeCredits(rejecting)))
    expect(await credits()).toMatchObject([{ status: 'rejected' }])
    expect([await balance(), (await listTransactions())[0]?.award_status]).toEqual([21_00, 'Awarded'])
    const [credit] = await credits()
    const entries = beacon().db.selectFrom('journal_entries').select(['id', 'version', 'kind'])
    expect(
      await entries
        .where('source_id', '=', credit?.public_id ?? '')
        .orderBy('version')
        .execute(),
    ).toEqual([
      { id: credit?.journal_entry_id, version: 1, kind: 'statement-credit' },
      { id: credit?.return_journal_entry_id, version: 2, kind: 'returned-credit' },
    ])
    // The next transaction orders it again.
    await pay('10.00')
    expect(await credits()).toMatchObject([{ status: 'rejected' }, { status: 'pending', amount_cents: 21_30 }])
    expect(await findLedgerViolations(beacon().db)).toEqual([])
  })

  test('a transaction that was refunded while its credit was under way is not paid', async () => {
    const { pay, credits, listTransactions } = await cardholder()
    await pay('300.00')
    const id = randomUUID()
    await pay('500.00', id)
    expect(await credits()).toHaveLength(1)
    await pay('-500.00', randomUUID(), id)
    expect(await settleOpenCredits()).toEqual([])
    const statuses = (await listTransactions()).map(({ award_status, paid_at }) => [award_status, paid_at !== null])
    expect(statuses).toEqual([
      ['Paid', true],
      ['Forfeit', false],
    ])
  })

  test.each(['pending', 'pending_received'] as const)(
    'a credit covers no transaction of another one that is under way: %s',
    async (state) => {
      await settleOpenCredits()
      const { pay, balance, credits, listTransactions } = await cardholder()
      await pay('700.00')
      if (state !== 'pending')
        await executeCredits({ ...ownProcessor, checkEvery: 60, submit: async () => ({ outcome: 'accepted' }) })
      await pay('700.00')
      const [first, second] = await credits()
      const outcomes = new Map<string | undefined, SubmitAnswer>([
        [first?.public_id, rejected],
        [second?.public_id, { outcome: 'completed' }],
      ])
      const coveredBy = async (credit: typeof first) =>
        (
          await beacon()
            .db.selectFrom('journal_entries')
            .select('reason')
            .where('id', '=', credit?.journal_entry_id ?? 0)
            .executeTakeFirstOrThrow()
        ).reason as { covered: number[] }
      expect([(await coveredBy(first)).covered.length, (await coveredBy(second)).covered.length]).toEqual([1, 1])
      const decide = async (_ctx: unknown, order: { creditId: string }) => outcomes.get(order.creditId) ?? rejected
      await executeCredits({ ...ownProcessor, submit: decide, check: decide }, { early: true })
      expect((await listTransactions()).map(({ award_status, paid_at }) => [award_status, paid_at])).toEqual([
        ['Awarded', null],
        ['Paid', now],
      ])
      expect(await balance()).toBe(21_00)
      // The next credit covers what came back.
      await pay('10.00')
      expect((await coveredBy((await credits()).at(-1))).covered).toHaveLength(2)
    },
  )

  test('a transaction that was authorized before the credit and cleared after it is not paid with it', async () => {
    const { pay, event, balance, listTransactions } = await cardholder()
    const { transaction } = event('100.00')
    await receiveEvent(beacon(), feedEvent('transaction.auth', transaction))
    await pay('700.00')
    await pay('100.00', transaction.id)
    await settleOpenCredits()
    expect((await listTransactions()).map(({ award_status }) => award_status)).toEqual(['Awarded', 'Paid'])
    expect(await balance()).toBe(3_00)
  })

  test('a credit that has its outcome is not ordered or queried again', async () => {
    const { pay, credits } = await cardholder()
    await pay('800.00')
    await settleOpenCredits()
    const [credit] = await credits()
    const silent = () => Promise.reject(new Error('no call is expected'))
    const job = { id: String(credit?.id) }
    await executeCredit(beacon(), { ...ownProcessor, submit: silent, check: silent }, job)
    expect(await credits()).toEqual([credit])
    expect(credit?.status).toBe('completed')
  })

  test('a credit whose outcome two processes report at the same time has the first one', async () => {
    const { pay, credits, balance, listTransactions } = await cardholder()
    await pay('800.00')
    const [credit] = await credits()
    const job = { id: String(credit?.id) }
    const withSubmit = (submit: CreditProcessor['submit']) => executeCredit(beacon(), { ...ownProcessor, submit }, job)
    const bothAsked = Promise.withResolvers<void>()
    const first = withSubmit(async () => {
      await bothAsked.promise
      return { outcome: 'completed' }
    })
    await withSubmit(async () => {
      bothAsked.resolve()
      await first
      return rejected
    })
    expect((await credits()).map(({ status }) => status)).toEqual(['completed'])
    expect([await balance(), (await listTransactions()).map(({ award_status }) => award_status)]).toEqual([0, ['Paid']])
    expect(await findLedgerViolations(beacon().db)).toEqual([])
  })

  test('Case 12 transactions of many members, ten at a time each, pay nothing out twice', async () => {
    const members = await Promise.all(Array.from({ length: scaled({ full: 100, short: 8 }) }, cardholder))
    for (const { event, balance, credits } of members) {
      const events = Array.from({ length: 10 }, (_, index) => event(`${400 + index}.00`))
      const spent = events.reduce((sum, { transaction }) => sum + Number(transaction.amount), 0)
      await Promise.all(events.map((each) => receiveEvent(beacon(), each)))
      const sent = await credits()
      const left = await balance()
      expect(sent.reduce((sum, credit) => sum + credit.amount_cents, 0) + left).toBe(spent * 3)
      // Money paid out twice would be missing from the balance.
      expect(left).toBeGreaterThanOrEqual(0)
      expect(sent.every((credit) => credit.amount_cents >= 20_00)).toBe(true)
    }
    expect(await findLedgerViolations(beacon().db)).toEqual([])
  })
})

test('Case 12 counterpart: without the member’s lock one balance is paid out twice, and the check detects it', async () => {
  const { memberId, balance } = await cardholder()
  const ctx = beacon()
  const postings = rewardPostings({ memberId, unit: 'cent', amount: 21_00 })
  await inTransaction(ctx.db, (tx) => postEntries(tx, [{ ...adjustment, sourceId: randomUUID(), postings }]))
  let ordered = 0
  const bothOrdered = Promise.withResolvers<void>()
  const payOut = () =>
    inTransaction(ctx.db, async (tx) => {
      await payOutBalances(tx, ctx, new Map([[memberId, null]]))
      if (++ordered === 2) bothOrdered.resolve()
      await bothOrdered.promise
    })
  await Promise.all([payOut(), payOut()])
  expect(await balance()).toBe(-21_00)
})

const adjustment = {
  source: 'adjustment',
  version: 1,
  kind: 'adjustment' as const,
  reason: {},
} as const

describe('ledger constraints', () => {
  test('Case 6 a journal entry that does not sum to zero is rejected at commit', async () => {
    const { memberId } = await cardholder()
    const postings = [
      ...rewardPostings({ memberId, unit: 'cent', amount: 5_00 }),
      { account: 'platform', unit: 'cent', amount: 1 } as const,
    ]
    const lopsided = inTransaction(beacon().db, (tx) =>
      postEntries(tx, [{ ...adjustment, sourceId: randomUUID(), postings }]),
    )
    await expect(lopsided).rejects.toThrow(/does not balance/)
  })

  test('the same version of a source cannot be posted twice', async () => {
    const { memberId } = await cardholder()
    const postings = rewardPostings({ memberId, unit: 'cent', amount: 5_00 })
    const entry = { ...adjustment, sourceId: randomUUID(), postings }
    await inTransaction(beacon().db, (tx) => postEntries(tx, [entry]))
    await expect(inTransaction(beacon().db, (tx) => postEntries(tx, [entry]))).rejects.toThrow(
      /journal_entries_partner_id_source/,
    )
  })

  test('a connection of an unknown partner can write no entry', async () => {
    const unknownPartner = harness.pools.forPartner('unknown')
    const row = { source: 'adjustment', source_id: randomUUID(), version: 1, kind: 'adjustment', reason: '{}' }
    await expect(unknownPartner.insertInto('journal_entries').values(row).execute()).rejects.toThrow(/unknown partner/)
  })

  test.each(['journal_entries', 'postings', 'feed_messages'])(
    'rows of %s can be neither changed nor deleted',
    async (table) => {
      const { db } = beacon()
      await expect(sql`update ${sql.table(table)} set partner_id = partner_id`.execute(db)).rejects.toThrow(/denied/)
      await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow(/denied/)
    },
  )

  test('Case 6 counterpart: the checker finds a posting that was inserted past every constraint', async () => {
    const { memberId, pay } = await cardholder()
    await pay('100.00')
    const owner = new pg.Client({ connectionString: harness.ownerUrl })
    await owner.connect()
    await owner.query(`set session_replication_role = replica`)
    await owner.query(
      `insert into postings (partner_id, journal_entry_id, account, member_id, unit, amount)
       select partner_id, journal_entry_id, account, member_id, unit, 7 from postings where member_id = $1`,
      [memberId],
    )
    await owner.end()
    const faults = await findLedgerViolations(beacon().db)
    expect(faults).toEqual([
      expect.stringMatching(/journal \d+ sums to 7/),
      expect.stringMatching(/meal .* is worth 300 \(Awarded\), posted 307/),
    ])
  })
})
