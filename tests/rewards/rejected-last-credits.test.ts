import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Ctx } from '../../src/platform/http/context.ts'
import {
  insertDecision,
  listHistory,
  listWatchedCredits,
  type NewDecision,
} from '../../src/rewards/payouts/decision-store.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import { decisionsFor } from '../../src/rewards/payouts/rules.ts'
import { executeCredit } from '../../src/rewards/payouts/statement-credits.ts'
import { createDebtWorld } from '../support/debt-world.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { findLedgerViolations } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

test('ACCT-028 the last credit of a deleted account that is rejected is not lost: it is ordered again, an operator sees it, or the person’s next account has it', async () => {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  await world.link(ann, 'X')
  await world.dine('X', 500_00)
  await world.remove(ann)
  expect(await world.listOrders()).toMatchObject([{ memberId: ann, cents: 15_00 }])
  await world.execute('rejected')
  const next = await world.join('ann')
  await world.link(next, 'X')
  await world.carry()
  const shown = await world.ctx.db
    .selectFrom('statement_credits')
    .select('id')
    .where('member_id', '=', ann)
    .where('attention', 'is not', null)
    .execute()
  const orders = (await world.listOrders()).length
  const carried = await world.balance(next)
  expect({ isLost: orders === 1 && shown.length === 0 && carried === 0 }).toEqual({ isLost: false })
})

/** An account with 15 dollars that was deleted, and its last credit. */
async function closedAccount() {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  await world.link(ann, 'X')
  const meal = await world.dine('X', 500_00)
  const open = await world.authorize('X', 200_00)
  await world.remove(ann)
  const [{ id: creditId = 0 } = {}] = await world.listOrders()
  const { db } = world.ctx
  return {
    world,
    ann,
    meal,
    open,
    creditId,
    decide: async (decision: NewDecision['decision'], payoutBrand?: string) => {
      await insertDecision(db, { creditId, decision, reason: 'the bank says so', by: 'ana@dineback.example' })
      const config = { ...world.ctx.program.config, payoutBrand }
      const ctx = { ...world.ctx, program: { ...world.ctx.program, config } } as Ctx
      await executeCredit(ctx, ownProcessor, { id: String(creditId) })
    },
    listWatched: async () =>
      (await listWatchedCredits(db)).filter(({ id }) => id === creditId).map(({ attention }) => attention),
    listTargets: () =>
      db
        .selectFrom('statement_credits')
        .select(['amount_cents', 'brand', 'delivery', 'status'])
        .where('member_id', '=', ann)
        .orderBy('id')
        .execute(),
  }
}

test('ACCT-028 Case 135 an operator orders the rejected last credit of a deleted account again, once, from the payout provider', async () => {
  const { world, ann, creditId, decide, listWatched, listTargets } = await closedAccount()
  await world.execute('rejected')
  expect([await world.balance(ann), await listWatched()]).toEqual([15_00, ['leftInClosedAccount']])
  expect(decisionsFor('rejected', 'leftInClosedAccount')).toEqual(['ask', 'order', 'acknowledge'])
  // It was not open: it cannot be returned twice.
  for (const impossible of ['return', 'paid'] as const) await decide(impossible)
  expect(await world.balance(ann)).toBe(15_00)
  for (let time = 0; time < 2; time++) await decide('order', 'Beacon Pay')
  const before = { amount_cents: 15_00, brand: 'Visa', delivery: 'Card', status: 'rejected' }
  const again = { amount_cents: 15_00, brand: 'Beacon Pay', delivery: 'Email', status: 'pending' }
  expect(await listTargets()).toEqual([before, again])
  expect([await world.balance(ann), await listWatched()]).toEqual([0, []])
  expect((await listHistory(world.ctx.db, creditId)).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['rejected', 'orderedAgain', 'decision: order', 'decision: order (no longer possible)']),
  )
  await world.execute('completed')
  expect(await world.totals()).toMatchObject({ earned: 15_00, paid: 15_00, balances: 0 })
  expect(await findLedgerViolations(world.ctx.db)).toEqual([])
})

test('ACCT-028 a last credit that an operator returns is shown until it is ordered again', async () => {
  const { world, ann, creditId, decide, listWatched, listTargets } = await closedAccount()
  const unanswered = { attention: 'unanswered', attention_since: new Date(), submitted_at: new Date() }
  await world.ctx.db.updateTable('statement_credits').set(unanswered).where('id', '=', creditId).execute()
  await decide('return')
  expect([await world.balance(ann), await listWatched()]).toEqual([15_00, ['leftInClosedAccount']])
  await decide('order')
  expect([await world.balance(ann), await listWatched()]).toEqual([0, []])
  // Without a payout provider, to the same target.
  const target = { amount_cents: 15_00, brand: 'Visa', delivery: 'Card' }
  expect(await listTargets()).toEqual([
    { ...target, status: 'error' },
    { ...target, status: 'pending' },
  ])
})

test('ACCT-028 an award that clears later orders a rejected last credit too, and ends its notice', async () => {
  const { world, ann, open, listWatched } = await closedAccount()
  await world.execute('rejected')
  await world.clear(open)
  expect([await world.balance(ann), await listWatched()]).toEqual([0, []])
  expect((await world.listOrders()).map(({ cents }) => cents)).toEqual([15_00, 21_00])
})

test('ACCT-028 a rejected last credit settles what the account owes, and no notice remains without a rest', async () => {
  const { world, ann, meal, listWatched } = await closedAccount()
  await world.refund(meal, 500_00)
  await world.execute('rejected')
  expect([await world.balance(ann), await listWatched()]).toEqual([0, []])
  expect(await world.totals()).toMatchObject({ openDebt: 0, balances: 0 })
})

test('ACCT-028 Case 154 the notice of a rest ends when a refund has taken all of it, or a part and the rest is ordered', async () => {
  const { world, ann, meal, listWatched } = await closedAccount()
  await world.execute('rejected')
  await world.refund(meal, 200_00)
  // The amount that is left has a credit of its own.
  expect([await world.balance(ann), await listWatched()]).toEqual([0, []])
  const other = await closedAccount()
  await other.world.execute('rejected')
  await other.world.refund(other.meal, 500_00)
  expect([await other.world.balance(other.ann), await other.listWatched()]).toEqual([0, []])
  expect((await other.world.listOrders()).length).toBe(1)
  expect(await findLedgerViolations(world.ctx.db)).toEqual([])
})

test('ACCT-028 what earlier versions left in the balance of a deleted account is shown, and nothing else', async () => {
  const { world, ann, creditId, listWatched } = await closedAccount()
  await world.execute('rejected')
  const bob = await world.join('bob')
  await world.link(bob, 'Y')
  await world.dine('Y', 900_00)
  await world.execute('rejected')
  expect([await world.balance(ann), await world.balance(bob)]).toEqual([15_00, 27_00])
  const unseen = { attention: null, attention_since: null }
  await world.ctx.db.updateTable('statement_credits').set(unseen).where('id', '=', creditId).execute()
  const migration = readFileSync('db/migrations/0045-rests-of-closed-accounts.sql', 'utf8')
  await queryAsOwner(harness.ownerUrl, migration.slice(migration.indexOf('-- What earlier versions left')))
  expect(await listWatched()).toEqual(['leftInClosedAccount'])
  expect((await listWatchedCredits(world.ctx.db)).filter(({ amountCents }) => amountCents === 27_00)).toEqual([])
})
