import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import { readCreditBalance, readTransactionsAndCredits } from '../../src/rewards/activity/read-activity.ts'
import { getBalance, postEntries, rewardPostings } from '../../src/rewards/ledger/entries.ts'
import { insertDecision, listHistory, listWatchedCredits } from '../../src/rewards/payouts/decision-store.ts'
import type { CreditProcessor } from '../../src/rewards/payouts/processor.ts'
import { creditStatusKey, type Decision, maxAttempts } from '../../src/rewards/payouts/rules.ts'
import { executeCredit, payOutBalances } from '../../src/rewards/payouts/statement-credits.ts'
import { enqueueOverdue } from '../../src/rewards/payouts/store.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { type Fate, fates, LossyProcessor } from '../support/lossy-processor.ts'
import { queryAsOwner } from '../support/owner.ts'
import { addMember, createTestContext, findLedgerViolations } from '../support/rewards-harness.ts'
import { runJobs } from '../support/run-jobs.ts'
import { scaled } from '../support/scale.ts'

const harness = setUpTestHarness()
const now = new Date('2026-03-12T12:00:00Z')
const beacon = (at = now) => createTestContext(harness, 'beacon', at)

async function earner() {
  const ctx = beacon()
  const memberId = await addMember(ctx.db)
  let earned = 0
  const listCredits = () =>
    ctx.db.selectFrom('statement_credits').selectAll().where('member_id', '=', memberId).orderBy('id').execute()
  return {
    memberId,
    listCredits,
    async earn(amount: number) {
      earned += amount
      await inTransaction(ctx.db, async (tx) => {
        const postings = rewardPostings({ memberId, unit: 'cent', amount })
        const entry = { source: 'adjustment', version: 1, kind: 'adjustment', reason: {} } as const
        await postEntries(tx, [{ ...entry, sourceId: randomUUID(), postings }])
        await payOutBalances(tx, ctx, new Map([[memberId, null]]))
      })
    },
    /** Returns where the money is, in cents. */
    async money() {
      const credits = await listCredits()
      const sumOf = (...statuses: string[]) =>
        credits.reduce((sum, { status, amount_cents }) => sum + (statuses.includes(status) ? amount_cents : 0), 0)
      const balance = await getBalance(ctx.db, memberId, 'cent')
      return { balance, open: sumOf('pending', 'pending_received'), paid: sumOf('completed'), earned }
    },
    /** Returns what the member is told: the balance, and the state of each credit. */
    async shown() {
      const { data } = await readTransactionsAndCredits(ctx, memberId, { pageNo: 1, resultsPerPage: 10 } as never)
      const states = data.flatMap((each) => (each.kind === 'credit' ? [creditStatusKey(each)] : []))
      return [(await readCreditBalance(ctx, memberId)).memberBalance, ...states]
    },
    async decide(decision: Decision, reason = 'the bank says so') {
      for (const { id } of await listCredits())
        await insertDecision(ctx.db, { creditId: id, decision, reason, by: 'ana@dineback.example' })
    },
    async execute(processor: CreditProcessor, times = 1) {
      for (let time = 0; time < times; time++)
        for (const { id } of await listCredits()) await executeCredit(ctx, processor, { id: String(id) })
    },
  }
}

const runCredits = (processor: CreditProcessor) =>
  runJobs(harness.url, 'statement-credits', (job) => executeCredit(beacon(), processor, job), { early: true })

/** A processor that pays what it receives, and whose answers are lost. */
function deafProcessor(): LossyProcessor {
  const processor = new LossyProcessor()
  processor.fates = Array.from({ length: 10_000 }, () => 'answerLost')
  return processor
}

test('HIST-036 Case 108 a credit that is paid while its answers are lost is not ordered again by the next award', async () => {
  const { earn, money, listCredits, shown } = await earner()
  await earn(21_00)
  expect(await shown()).toEqual([0, 'activity.credit_pending'])
  const processor = deafProcessor()
  for (let time = 0; time < 10; time++) {
    await runCredits(processor)
    processor.pay()
  }
  expect(await money()).toEqual({ balance: 0, open: 21_00, paid: 0, earned: 21_00 })
  await earn(1_00)
  await runCredits(processor)
  expect(await listCredits()).toHaveLength(1)
  expect(await shown()).toEqual([1, 'activity.credit_checking'])
  // Days later, the line works again.
  processor.fates = []
  await runCredits(processor)
  expect(await money()).toEqual({ balance: 1_00, open: 0, paid: 21_00, earned: 22_00 })
  expect(await shown()).toEqual([1, 'activity.credit_completed'])
  expect([...processor.books.values()]).toEqual([{ amountCents: 21_00, state: 'paid', payments: 1 }])
})

test('a credit without an answer is asked for again ever more rarely, and after three days an operator is asked', async () => {
  const { earn, listCredits } = await earner()
  await earn(21_00)
  const processor = deafProcessor()
  const waits: number[] = []
  const attempt = async () => {
    await runCredits(processor)
    const [credit] = await listCredits()
    waits.push(Math.round(((credit?.next_attempt_at.getTime() ?? 0) - Date.now()) / 60_000))
    return credit
  }
  for (let time = 1; time < maxAttempts; time++)
    expect(await attempt()).toMatchObject({ attention: null, unanswered: time })
  expect(waits.slice(0, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360])
  expect(waits.reduce((sum, wait) => sum + wait, 0) / 60).toBeGreaterThan(60)
  expect(await listWatchedCredits(beacon().db)).toMatchObject([{ attention: null, lastError: 'no answer' }])
  expect(await attempt()).toMatchObject({ attention: 'unanswered', attention_since: now, status: 'pending' })
  const figures = () => queryAsOwner(harness.ownerUrl, 'select partner_id, state, value from payout_figures()')
  expect(await figures()).toEqual([
    { partner_id: 'beacon', state: 'unanswered', value: 1 },
    { partner_id: 'beacon', state: 'attention', value: 1 },
  ])
  // It is still asked for, once a day, and an answer needs no operator.
  expect(waits.at(-1)).toBe(24 * 60)
  processor.fates = []
  processor.pay()
  await runCredits(processor)
  expect(await listCredits()).toMatchObject([{ status: 'completed', attention: null, attention_since: null }])
  expect(await listWatchedCredits(beacon().db)).toEqual([])
  expect(await figures()).toEqual([])
})

test('a processor that accepts a credit and does not pay it for a week, or forgets it again and again, is shown to an operator', async () => {
  const { earn, listCredits, execute } = await earner()
  await earn(21_00)
  const processor = new LossyProcessor()
  await execute(processor)
  const [credit] = await listCredits()
  const created = credit?.created_at.getTime() ?? 0
  const after = async (ms: number) => {
    await executeCredit(beacon(new Date(created + ms)), processor, { id: String(credit?.id) })
    return (await listCredits())[0]?.attention
  }
  const week = 7 * 86_400_000
  expect([await after(week - 1), await after(week)]).toEqual([null, 'unfinished'])
  for (let time = 1; time < maxAttempts; time++) {
    processor.drop('forget')
    expect(await after(0)).toBe(null)
  }
  processor.drop('forget')
  expect(await after(0)).toBe('unknownThere')
  expect(await listCredits()).toMatchObject([{ resubmitted: maxAttempts, status: 'pending_received' }])
  expect([...processor.books.keys()]).toEqual([credit?.public_id])
})

test('Case 109 a credit that an operator returned and the processor paid leaves the balance again, and is shown', async () => {
  const { earn, money, listCredits, execute, decide, shown } = await earner()
  await earn(21_00)
  const processor = deafProcessor()
  // While the processor may still answer, nothing can be decided.
  await execute(processor)
  await decide('return')
  await execute(processor)
  expect(await money()).toMatchObject({ balance: 0, open: 21_00 })
  await execute(processor, maxAttempts)
  await decide('return', 'no trace of it')
  await runCredits(processor)
  expect(await money()).toMatchObject({ balance: 21_00, open: 0, paid: 0 })
  expect(await listCredits()).toMatchObject([{ status: 'error', attention: null }])
  expect(await shown()).toEqual([21, 'activity.credit_error'])
  // It is asked about for a month.
  processor.fates = []
  await execute(processor)
  expect(await listCredits()).toMatchObject([{ status: 'error', attention: 'openAfterReturn' }])
  processor.pay()
  await execute(processor)
  expect(await money()).toMatchObject({ balance: 0, open: 0, paid: 21_00 })
  const [credit] = await listCredits()
  expect(credit).toMatchObject({ status: 'completed', attention: 'paidAfterReturn' })
  const { db } = beacon()
  expect((await listHistory(db, credit?.id ?? 0)).map(({ kind, detail }) => [kind, detail])).toEqual(
    expect.arrayContaining([
      ['decision: return (no longer possible)', 'ana@dineback.example: the bank says so'],
      ['returned', 'ana@dineback.example: no trace of it'],
      ['acceptedAfterReturn', ''],
      ['paidAfterReturn', ''],
    ]),
  )
  await decide('acknowledge', 'the member owes nothing')
  await execute(processor)
  expect(await listCredits()).toMatchObject([{ status: 'completed', attention: null }])
  expect(await findLedgerViolations(db)).toEqual([])
  const audited = db.selectFrom('audit_entries').select('action').where('action', 'like', 'payout.%').orderBy('id')
  expect((await audited.execute()).map(({ action }) => action)).toEqual(['payout.return', 'payout.acknowledge'])
})

test('Case 109 a credit that an operator declared paid and the processor rejected is shown, and moves money only by decision', async () => {
  const { earn, money, listCredits, execute, decide } = await earner()
  await earn(21_00)
  const processor = deafProcessor()
  await execute(processor, maxAttempts)
  await decide('paid')
  await execute(processor)
  expect(await money()).toMatchObject({ balance: 0, paid: 21_00 })
  processor.fates = []
  processor.drop('reject')
  await execute(processor)
  expect(await listCredits()).toMatchObject([{ status: 'completed', attention: 'rejectedAfterPaid' }])
  expect(await money()).toMatchObject({ balance: 0, paid: 21_00 })
  await decide('return')
  await execute(processor)
  expect(await listCredits()).toMatchObject([{ status: 'error', attention: null }])
  expect(await money()).toMatchObject({ balance: 21_00, paid: 0 })
  expect(await findLedgerViolations(beacon().db)).toEqual([])
})

test('a decision needs a reason, and is carried out once', async () => {
  const { earn, money, listCredits, execute, decide } = await earner()
  await earn(21_00)
  const processor = deafProcessor()
  await execute(processor, maxAttempts)
  await expect(decide('return', ' ')).rejects.toThrow(/check constraint/)
  await decide('return')
  const [credit] = await listCredits()
  const job = { id: String(credit?.id) }
  await Promise.all([1, 2, 3].map(() => executeCredit(beacon(), processor, job)))
  expect(await money()).toMatchObject({ balance: 21_00, open: 0 })
  const { db } = beacon()
  await expect(sql`update statement_credit_events set detail = ''`.execute(db)).rejects.toThrow(/denied/)
  await expect(sql`update statement_credit_decisions set reason = 'x'`.execute(db)).rejects.toThrow(/denied/)
  await expect(sql`delete from statement_credit_decisions`.execute(db)).rejects.toThrow(/denied/)
})

test('an open credit whose job has failed for good gets another one', async () => {
  const { earn, money } = await earner()
  await earn(21_00)
  await queryAsOwner(harness.ownerUrl, `delete from jobs.job where name = 'statement-credits'`)
  const processor = new LossyProcessor()
  expect(await enqueueOverdue(beacon().db)).toBe(0)
  const minutesAgo = (minutes: number) =>
    queryAsOwner(
      harness.ownerUrl,
      `alter table statement_credits disable trigger enqueue_statement_credit;
       update statement_credits set next_attempt_at = now() - interval '${minutes} minutes' where status = 'pending';
       alter table statement_credits enable trigger enqueue_statement_credit`,
    )
  await minutesAgo(59)
  expect(await enqueueOverdue(beacon().db)).toBe(0)
  await minutesAgo(61)
  expect(await enqueueOverdue(beacon().db)).toBe(1)
  await runCredits(processor)
  processor.pay()
  await runCredits(processor)
  expect(await money()).toMatchObject({ open: 0, paid: 21_00 })
})

// Everything that can happen to an order, in any sequence.
const act = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('earn' as const), cents: fc.integer({ min: 300, max: 30_00 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('ask' as const),
      fates: fc.array(fc.constantFrom<Fate>(...fates), { minLength: 1, maxLength: 2 }),
      at: fc.nat(5),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constantFrom('pay', 'reject', 'forget', 'deliverLate', 'releaseAnswers', 'giveUp', 'return'),
    }),
  },
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

/** Plays acts, checks after each that no money appears or is lost, and at the end that both sides have the same books. */
async function play(acts: readonly Act[], processor: LossyProcessor, through: CreditProcessor = processor) {
  const { earn, money, listCredits, execute, decide } = await earner()
  const held: Promise<unknown>[] = []
  const check = async () => {
    const { balance, open, paid, earned } = await money()
    expect(balance + open + paid).toBe(earned)
    for (const { payments } of processor.books.values()) expect(payments).toBeLessThanOrEqual(1)
  }
  for (const each of acts) {
    if (each.act === 'earn') await earn(each.cents)
    else if (each.act === 'ask') {
      const credits = await listCredits()
      const credit = credits[each.at % Math.max(1, credits.length)]
      if (!credit) continue
      processor.fates = [...each.fates]
      processor.interrupted = Promise.withResolvers()
      const call = executeCredit(beacon(), through, { id: String(credit.id) })
      // A held answer arrives after other acts; a process that has ended never records its own.
      if ((await Promise.race([call, processor.interrupted.promise])) === 'answerHeld') held.push(call)
      processor.fates = []
    } else if (each.act === 'pay') processor.pay()
    else if (each.act === 'reject' || each.act === 'forget') processor.drop(each.act)
    else if (each.act === 'deliverLate') processor.deliverLate()
    else if (each.act === 'releaseAnswers') {
      processor.releaseAnswers()
      await Promise.all(held.splice(0))
    } else if (each.act === 'giveUp') {
      processor.fates = Array.from({ length: 1000 }, () => 'requestLost')
      await execute(through, maxAttempts)
      processor.fates = []
    } else {
      await decide('return')
      await execute(through)
    }
    await check()
  }
  processor.deliverLate()
  for (let round = 0; round < 4; round++) {
    processor.releaseAnswers()
    await Promise.all(held.splice(0))
    processor.pay()
    await runCredits(through)
    await check()
  }
  const { open, paid } = await money()
  expect({ open, paid }).toEqual({ open: 0, paid: processor.paidCents })
}

const runs = scaled({ full: 400, short: 12 })

test('Case 110 whatever is lost, late, repeated, rejected or forgotten: balance, open and paid are what was earned, and both sides’ books agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), (acts) => play(acts, new LossyProcessor())),
    { numRuns: runs, seed: 110 },
  )
  expect(await findLedgerViolations(beacon().db)).toEqual([])
})

test('Case 110 counterpart: if a lost answer counted as a rejection, both sides’ books would differ, and the check detects it', async () => {
  const property = fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
    const processor = new LossyProcessor()
    const hasty: CreditProcessor = {
      ...{ name: 'hasty', checkEvery: 0 },
      submit: (ctx, order) => processor.submit(ctx, order).catch(() => ({ outcome: 'rejected', reason: 'no answer' })),
      check: (ctx, order) => processor.check(ctx, order),
    }
    await play(acts, processor, hasty)
  })
  const { failed } = await fc.check(property, { numRuns: 50, seed: 110, endOnFailure: true })
  expect(failed).toBe(true)
})
