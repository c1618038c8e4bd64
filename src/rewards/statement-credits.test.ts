import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../kit/server/db.ts'
import { receiveTransaction } from './feed/receive-transaction.ts'
import { feedEvent } from './fixtures.ts'
import { balanceOf, postEntry } from './post-award.ts'
import { type CreditProcessor, payOutBalance, recordStatus } from './statement-credits.ts'
import {
  addCard,
  addMember,
  addMerchant,
  contextOf,
  type Kitchen,
  ledgerFaults,
  openKitchen,
  type TestCard,
} from './test-kitchen.ts'

let kitchen: Kitchen
const now = new Date('2026-03-12T12:00:00Z')
const beacon = () => contextOf(kitchen, 'beacon', now)

beforeAll(async () => {
  kitchen = await openKitchen()
})
afterAll(() => kitchen?.close())

async function cardholder() {
  const { db } = beacon()
  const memberId = await addMember(db)
  const [cards, merchant] = [[await addCard(db, memberId), await addCard(db, memberId)], await addMerchant(db)]
  let minute = 0
  // Two cards in turn: only the member's own lock keeps their meals apart.
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
    pay: (amount: string, id?: string, original?: string) => receiveTransaction(beacon(), event(amount, id, original)),
    balance: () => balanceOf(db, memberId, 'cent'),
    credits: () =>
      db.selectFrom('statement_credits').selectAll().where('member_id', '=', memberId).orderBy('id').execute(),
    meals: () =>
      db
        .selectFrom('transactions')
        .select(['award_status', 'benefit', 'paid_at'])
        .where('member_id', '=', memberId)
        .orderBy('id')
        .execute(),
  }
}

describe('statement credits', () => {
  test('a balance of 20 dollars goes out whole, as one credit to the card, and its meals are paid', async () => {
    const { pay, balance, credits, meals } = await cardholder()
    await pay('600.00')
    expect([await balance(), await credits()]).toEqual([18_00, []])
    await pay('69.99')
    expect(await credits()).toMatchObject([
      {
        amount_cents: 20_09,
        target_type: 'card',
        target_label: 'Visa ending in 0002',
        processor: 'sample',
        status: 'completed',
      },
    ])
    expect(await balance()).toBe(0)
    expect(await meals()).toEqual([
      { award_status: 'Paid', benefit: 18_00, paid_at: now },
      { award_status: 'Paid', benefit: 2_09, paid_at: now },
    ])
  })

  test('a refund of a meal that was paid out leaves a debt that later meals fill first', async () => {
    const { pay, balance, credits, meals } = await cardholder()
    const id = randomUUID()
    await pay('700.00', id)
    await pay('-700.00', randomUUID(), id)
    expect(await balance()).toBe(-21_00)
    expect((await meals())[0]).toMatchObject({ award_status: 'Forfeit', benefit: 0 })
    await pay('1000.00')
    expect([await balance(), (await credits()).length]).toEqual([9_00, 1])
  })

  test('meals become paid when the processor says so, not before', async () => {
    const { memberId, pay, meals, credits } = await cardholder()
    const slow: CreditProcessor = { name: 'slow', accept: async () => 'pending_received' }
    const ctx = beacon()
    await pay('600.00')
    await inTransaction(ctx.db, (tx) => postEntry(tx, { ...adjustment, memberId, sourceId: randomUUID() }))
    await inTransaction(ctx.db, (tx) => payOutBalance(tx, ctx, { memberId, cardId: null }, slow))
    expect((await meals())[0]?.award_status).toBe('Awarded')
    const [credit] = await credits()
    expect(credit).toMatchObject({ amount_cents: 23_00, status: 'pending_received', target_type: 'other' })
    const creditId = credit?.public_id as string
    await inTransaction(ctx.db, (tx) => recordStatus(tx, ctx, { creditId, status: 'completed' }))
    expect((await meals())[0]).toMatchObject({ award_status: 'Paid', paid_at: now })
  })

  test('Case 12 a thousand meals of a hundred members, ten at a time each, pay nothing out twice', async () => {
    const members = await Promise.all(Array.from({ length: 100 }, cardholder))
    for (const { event, balance, credits } of members) {
      const events = Array.from({ length: 10 }, (_, index) => event(`${400 + index}.00`))
      const spent = events.reduce((sum, { transaction }) => sum + Number(transaction.amount), 0)
      await Promise.all(events.map((each) => receiveTransaction(beacon(), each)))
      const sent = await credits()
      const left = await balance()
      expect(sent.reduce((sum, credit) => sum + credit.amount_cents, 0) + left).toBe(spent * 3)
      // Money that went out twice would be missing from the balance.
      expect(left).toBeGreaterThanOrEqual(0)
      expect(sent.every((credit) => credit.amount_cents >= 20_00)).toBe(true)
    }
    expect(await ledgerFaults(beacon().db)).toEqual([])
  })
})

const adjustment = {
  source: 'adjustment',
  version: 1,
  kind: 'adjustment' as const,
  reason: {},
  unit: 'cent' as const,
  amount: 5_00,
  against: 'program' as const,
}

describe('the ledger guards itself', () => {
  test('Case 6 a journal that does not sum to zero is refused at commit', async () => {
    const { memberId } = await cardholder()
    const lopsided = inTransaction(beacon().db, async (tx) => {
      const entry = { ...adjustment, memberId, sourceId: randomUUID() }
      const journal = await postEntry(tx, entry)
      await tx
        .insertInto('postings')
        .values({ journal_id: journal, account: 'member', member_id: memberId, unit: 'cent', amount: 1 })
        .execute()
    })
    await expect(lopsided).rejects.toThrow(/does not balance/)
  })

  test('the same version of a source cannot be posted twice', async () => {
    const { memberId } = await cardholder()
    const entry = { ...adjustment, memberId, sourceId: randomUUID() }
    await inTransaction(beacon().db, (tx) => postEntry(tx, entry))
    await expect(inTransaction(beacon().db, (tx) => postEntry(tx, entry))).rejects.toThrow(/journals_partner_id_source/)
  })

  test.each(['journals', 'postings', 'feed_messages'])(
    'what is written in %s can be neither changed nor deleted',
    async (table) => {
      const { db } = beacon()
      await expect(sql`update ${sql.table(table)} set partner_id = partner_id`.execute(db)).rejects.toThrow(/denied/)
      await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow(/denied/)
    },
  )

  test('Case 6 saboteur: the checker notices a posting that was planted behind the back of every guard', async () => {
    const { memberId, pay } = await cardholder()
    await pay('100.00')
    const owner = new pg.Client({ connectionString: kitchen.ownerUrl })
    await owner.connect()
    await owner.query(`set session_replication_role = replica`)
    await owner.query(
      `insert into postings (partner_id, journal_id, account, member_id, unit, amount)
       select partner_id, journal_id, account, member_id, unit, 7 from postings where member_id = $1`,
      [memberId],
    )
    await owner.end()
    const faults = await ledgerFaults(beacon().db)
    expect(faults).toEqual([
      expect.stringMatching(/journal \d+ sums to 7/),
      expect.stringMatching(/meal .* is worth 300 \(Awarded\), posted 307/),
    ])
  })
})
