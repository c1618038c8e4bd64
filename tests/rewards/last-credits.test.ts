import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { storeDecision } from '../../src/rewards/claims/console/store.ts'
import { insertClaim } from '../../src/rewards/claims/store.ts'
import { createDebtWorld } from '../support/debt-world.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { findLedgerViolations } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

const creditsOf = async (world: Awaited<ReturnType<typeof createDebtWorld>>, memberId: number) => {
  const rows = world.ctx.db.selectFrom('statement_credits').select(['amount_cents', 'delivery', 'target_label'])
  return (await rows.where('member_id', '=', memberId).orderBy('id').execute()).map((row) => [
    row.amount_cents,
    row.delivery,
    row.target_label,
  ])
}

test('ACCT-028 deleting an account pays out its balance, whatever the amount, to the card that earned last, and the last email says so', async () => {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  await world.link(ann, 'x')
  await world.dine('x', 500_00)
  expect([await world.balance(ann), await creditsOf(world, ann)]).toEqual([15_00, []])
  await world.remove(ann)
  const last = [15_00, 'Card', 'Visa ending in 4242']
  expect([await world.balance(ann), await creditsOf(world, ann)]).toEqual([0, [last]])
  const { rows } = await sql<{ text: string }>`
    select body_text as text from emails where topic = 'privacy.deleted' and about = ${String(ann)}`.execute(
    world.ctx.db,
  )
  expect(rows[0]?.text).toContain('privacy.mail.paid_out')
  await world.execute('completed')
  expect(await world.totals()).toMatchObject({ earned: 15_00, paid: 15_00, balances: 0 })
  expect(await findLedgerViolations(world.ctx.db)).toEqual([])
})

test('ACCT-028 a meal that clears after the deletion is paid at once, like the last one; a refund then is owed', async () => {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  await world.link(ann, 'x')
  await world.dine('x', 100_00)
  const open = await world.authorize('x', 200_00)
  await world.remove(ann)
  await world.clear(open)
  const label = 'Visa ending in 4242'
  expect(await creditsOf(world, ann)).toEqual([
    [3_00, 'Card', label],
    [6_00, 'Card', label],
  ])
  expect(await world.balance(ann)).toBe(0)
  await world.execute('completed')
  await world.refund(open.id, 200_00)
  expect(await world.totals()).toMatchObject({ openDebt: 6_00, balances: 0 })
  expect(await findLedgerViolations(world.ctx.db)).toEqual([])
})

test('ACCT-028 what the member owes from an earlier account is settled first, and nothing is paid without a balance', async () => {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  await world.link(ann, 'x')
  const meal = await world.dine('x', 1000_00)
  await world.execute('completed')
  await world.refund(meal, 1000_00)
  await world.remove(ann)
  const again = await world.join('ann')
  await world.link(again, 'y')
  await world.dine('y', 1100_00)
  expect([await world.balance(again), await creditsOf(world, again)]).toEqual([3_00, []])
  await world.remove(again)
  expect((await creditsOf(world, again)).map(([cents]) => cents)).toEqual([3_00])
  const empty = await world.join('bob')
  await world.remove(empty)
  expect(await creditsOf(world, empty)).toEqual([])
  expect(await findLedgerViolations(world.ctx.db)).toEqual([])
})

test('ACCT-028 a last credit goes to the card that earned last of those that are still linked, else to the payout provider', async () => {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  for (const card of ['x', 'y']) await world.link(ann, card)
  const name = (description: string, fingerprint: string) =>
    sql`update cards set description = ${description} where member_id = ${ann} and fingerprint like ${`%-${fingerprint}`}`.execute(
      world.ctx.db,
    )
  await name('Left', 'x')
  await name('Kept', 'y')
  await world.dine('y', 100_00)
  await world.dine('x', 200_00)
  await world.unlink(ann, 'x')
  await world.remove(ann)
  expect(await creditsOf(world, ann)).toEqual([[9_00, 'Card', 'Kept ending in 4242']])
  const bob = await world.join('bob')
  await world.link(bob, 'z')
  await world.dine('z', 100_00)
  await world.unlink(bob, 'z')
  await world.remove(bob)
  expect(await creditsOf(world, bob)).toEqual([[3_00, 'Email', '']])
})

test('a meal that clears after its card was removed is paid to another card that has earned, else to the payout provider', async () => {
  const world = await createDebtWorld(harness)
  const ann = await world.join('ann')
  for (const card of ['x', 'y']) await world.link(ann, card)
  await sql`update cards set description = 'Kept' where member_id = ${ann} and fingerprint like '%-y'`.execute(
    world.ctx.db,
  )
  await world.dine('y', 100_00)
  const open = await world.authorize('x', 700_00)
  await world.unlink(ann, 'x')
  await world.clear(open)
  expect(await creditsOf(world, ann)).toEqual([[24_00, 'Card', 'Kept ending in 4242']])
  const bob = await world.join('bob')
  await world.link(bob, 'z')
  const other = await world.authorize('z', 700_00)
  await world.unlink(bob, 'z')
  await world.clear(other)
  expect(await creditsOf(world, bob)).toEqual([[21_00, 'Email', '']])
})

test('ACCT-028 Case 152 what was decided about claims and not credited yet is paid out with the balance of a deleted account', async () => {
  const world = await createDebtWorld(harness)
  const { db } = world.ctx
  const ann = await world.join('ann')
  await world.link(ann, 'x')
  await world.dine('x', 500_00)
  const open = (cents: number) =>
    inTransaction(db, (tx) =>
      insertClaim(tx, {
        publicId: publicId(),
        memberId: ann,
        date: '2026-03-10',
        merchantId: null,
        merchantName: 'Corner Bistro',
        cents,
        cardId: null,
        note: '',
        receipt: null,
        findings: { findings: [] },
        respondBy: new Date(),
      }),
    )
  const claims = [await open(48_00), await open(47_00), await open(99_00), await open(300_00)].map(
    (row) => row.public_id,
  )
  const decisions = [
    { code: 'credited', benefit: 1_44 },
    // The same meal: it is paid once.
    { code: 'credited', benefit: 1_44 },
    { code: 'declined', benefit: 0 },
  ]
  for (const [index, decision] of decisions.entries()) {
    const made = { ...decision, words: '', by: 'sam' }
    expect(await inTransaction(db, (tx) => storeDecision(tx, claims[index] as string, made))).toBe(true)
  }
  await world.remove(ann)
  expect(await creditsOf(world, ann)).toEqual([[16_44, 'Card', 'Visa ending in 4242']])
  const { rows } = await sql<{ code: string; settled: boolean; entries: number }>`
    select c.decision ->> 'code' as code, c.settled_at is not null as settled,
      (select count(*)::int from audit_entries a where a.member_id = c.member_id and a.action = 'claim.settled'
        and a.detail ->> 'claim' = c.public_id and a.detail ->> 'by' = 'sam') as entries
    from claims c where c.member_id = ${ann} order by c.id`.execute(db)
  expect(rows.map(({ code, settled, entries }) => [code, settled, entries])).toEqual([
    ['credited', true, 1],
    ['alreadyEarned', true, 1],
    ['declined', true, 1],
    ['withdrawn', true, 0],
  ])
  const mails = await db.selectFrom('emails').select('topic').where('member_id', '=', ann).execute()
  expect(mails.filter(({ topic }) => topic === 'claim.decided')).toEqual([])
  expect(await findLedgerViolations(db)).toEqual([])
})
