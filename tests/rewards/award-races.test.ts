import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { eraseMember, lockMember } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { DAY } from '../../src/platform/time.ts'
import { recomputeAward } from '../../src/rewards/awards/apply.ts'
import { expirePending, expireReviews } from '../../src/rewards/awards/pending.ts'
import { recalculate } from '../../src/rewards/awards/recalculate.ts'
import { findTransaction } from '../../src/rewards/awards/store.ts'
import { storeDecision } from '../../src/rewards/claims/console/store.ts'
import { executeDecision, executeDecisionsOf, redactAndCloseClaims } from '../../src/rewards/claims/service.ts'
import { insertClaim } from '../../src/rewards/claims/store.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { receiveReview } from '../../src/rewards/reviews/service.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { createMemberContext } from '../support/reservation-harness.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, findLedgerViolations, receiveEvent } from '../support/rewards-harness.ts'
import { whileLocked } from '../support/while-locked.ts'

const harness = setUpTestHarness()

const dinedAt = new Date('2026-03-10T23:30:00Z')

async function createMember(config: object = {}) {
  const clock = { now: dinedAt }
  const base = await createMemberContext(harness, 'skyharbor', clock)
  const ctx: MemberCtx = { ...base, program: { ...base.program, config: { ...base.program.config, ...config } } }
  const { db } = ctx
  const { memberId } = ctx.actor
  return { clock, ctx, db, memberId, balance: () => getBalance(db, memberId, 'mile') }
}

/** Creates a member with a cleared transaction; its id is `networkId`. */
async function memberWithTransaction(config: object = {}) {
  const member = await createMember(config)
  const { ctx, db } = member
  const [card, merchant] = [await addCard(db, member.memberId), await addMerchant(db)]
  const networkId = randomUUID()
  await receiveEvent(
    ctx,
    feedEvent('transaction.clearing', {
      id: networkId,
      datetime: dinedAt.toISOString(),
      updated: dinedAt.toISOString(),
      card: { id: card.token, lastNumbers: card.lastFour },
      location: { id: merchant.locationId },
    }),
  )
  const getTransaction = async () => findTransaction(db, networkId)
  const getStatus = async () => (await getTransaction())?.award_status
  /** Runs `act` behind another process that decides the transaction again. */
  const runBehind = <T>(act: () => Promise<T>, change: Parameters<typeof recomputeAward>[3], statusBefore: string) =>
    whileLocked<[T]>(db, {
      hold: (tx) => lockMember(tx, member.memberId),
      acts: [act],
      meanwhile: async (tx) => {
        // It has written nothing yet.
        const free = tx
          .selectFrom('transactions')
          .select('award_status')
          .where('network_id', '=', networkId)
          .forUpdate()
        expect(await free.skipLocked().execute()).toEqual([{ award_status: statusBefore }])
        const transaction = await findTransaction(tx, networkId)
        if (!transaction) throw new Error('unreachable')
        await recomputeAward(tx, ctx, transaction, change)
      },
    })
  return { ...member, getTransaction, getStatus, runBehind }
}

describe('a decision of a claim', () => {
  async function memberWithClaim() {
    const member = await createMember()
    const claim = await inTransaction(member.db, (tx) =>
      insertClaim(tx, {
        publicId: publicId(),
        memberId: member.memberId,
        date: '2026-03-10',
        merchantId: null,
        merchantName: 'Corner Bistro',
        cents: 4800,
        cardId: null,
        note: '',
        receipt: null,
        findings: { findings: [] },
        respondBy: new Date(dinedAt.getTime() + 20 * DAY),
      }),
    )
    const decide = (benefit: number, by: string) =>
      inTransaction(member.db, (tx) => storeDecision(tx, claim.public_id, { code: 'credited', words: '', benefit, by }))
    return { ...member, claim, decide }
  }
  const deps = { origin: () => 'http://skyharbor.localhost:3000' }

  test('of two operators at the same time is the one of the first', async () => {
    const { db, claim, decide } = await memberWithClaim()
    const stored = await whileLocked(db, {
      hold: (tx) => tx.selectFrom('claims').select('id').where('id', '=', claim.id).forUpdate().execute(),
      acts: [() => decide(144, 'ann'), () => decide(999, 'bea')],
    })
    expect(stored).toEqual([true, false])
    const row = await db
      .selectFrom('claims')
      .select(['decided_by', 'decision'])
      .where('id', '=', claim.id)
      .executeTakeFirst()
    expect(row).toMatchObject({ decided_by: 'ann', decision: { benefit: 144 } })
  })

  test('that waits for the deletion of the account credits nothing and sends no email', async () => {
    const { ctx, db, memberId, claim, decide, balance } = await memberWithClaim()
    await decide(144, 'ann')
    await whileLocked(db, {
      hold: (tx) => lockMember(tx, memberId),
      acts: [() => executeDecision(ctx, deps, claim.id)],
      meanwhile: (tx) => eraseMember(tx, memberId),
    })
    expect(await balance()).toBe(0)
    expect(await db.selectFrom('emails').select('topic').where('member_id', '=', memberId).execute()).toEqual([])
  })

  test('Case 152 that the deletion of the account executes, while its job waits, is credited once, without an email', async () => {
    const { ctx, db, memberId, claim, decide, balance } = await memberWithClaim()
    await decide(144, 'ann')
    await whileLocked(db, {
      hold: (tx) => lockMember(tx, memberId),
      acts: [() => executeDecision(ctx, deps, claim.id)],
      meanwhile: async (tx) => {
        await executeDecisionsOf(tx, ctx, memberId)
        await redactAndCloseClaims(tx, memberId)
        await eraseMember(tx, memberId)
      },
    })
    expect(await balance()).toBe(144)
    const entries = await db.selectFrom('audit_entries').select('action').where('member_id', '=', memberId).execute()
    expect(entries).toEqual([{ action: 'claim.settled' }])
    expect(await db.selectFrom('emails').select('topic').where('member_id', '=', memberId).execute()).toEqual([])
  })

  test('that two processes execute at the same time credits and notifies once', async () => {
    const { ctx, db, memberId, claim, decide, balance } = await memberWithClaim()
    expect(await decide(144, 'ann')).toBe(true)
    await whileLocked(db, {
      hold: (tx) => lockMember(tx, memberId),
      acts: [1, 2].map(() => () => executeDecision(ctx, deps, claim.id)),
    })
    expect(await balance()).toBe(144)
    const settled = await db.selectFrom('claims').select('decision').where('id', '=', claim.id).executeTakeFirst()
    expect(settled?.decision).toMatchObject({ code: 'credited', benefit: 144 })
    const entries = await db.selectFrom('audit_entries').select('action').where('member_id', '=', memberId).execute()
    expect(entries).toEqual([{ action: 'claim.settled' }])
    const emails = await db.selectFrom('emails').select('topic').where('member_id', '=', memberId).execute()
    expect(emails).toEqual([{ topic: 'claim.decided' }])
  })
})

test('a transaction that waits for the removal of its card earns nothing', async () => {
  const { ctx, db, memberId, balance } = await createMember()
  const [card, merchant] = [await addCard(db, memberId), await addMerchant(db)]
  const event = feedEvent('transaction.clearing', {
    datetime: dinedAt.toISOString(),
    updated: dinedAt.toISOString(),
    card: { id: card.token, lastNumbers: card.lastFour },
    location: { id: merchant.locationId },
  })
  await whileLocked(db, {
    hold: (tx) => lockMember(tx, memberId),
    acts: [() => receiveEvent(ctx, event)],
    meanwhile: (tx) =>
      tx
        .updateTable('cards')
        .set({ removed_at: new Date(dinedAt.getTime() - DAY) })
        .where('id', '=', card.id)
        .execute(),
  })
  expect(await balance()).toBe(0)
})

test('a transaction that gets another member while its expiry waits is left to the next run', async () => {
  const { clock, ctx, db, memberId } = await createMember()
  const [card, merchant] = [await addCard(db, memberId), await addMerchant(db)]
  const id = randomUUID()
  await receiveEvent(
    ctx,
    feedEvent('transaction.auth', {
      id,
      datetime: dinedAt.toISOString(),
      updated: dinedAt.toISOString(),
      card: { id: card.token, lastNumbers: card.lastFour },
      location: { id: merchant.locationId },
    }),
  )
  const other = await addMember(db)
  clock.now = new Date(dinedAt.getTime() + 31 * DAY)
  await whileLocked(db, {
    hold: (tx) => lockMember(tx, memberId),
    acts: [() => expirePending(ctx)],
    meanwhile: (tx) => tx.updateTable('transactions').set({ member_id: other }).where('network_id', '=', id).execute(),
  })
  expect(await findTransaction(db, id)).toMatchObject({ member_id: other, award_status: 'Pending' })
  await expirePending(ctx)
  expect((await findTransaction(db, id))?.award_status).toBe('Forfeit')
})

test('a review that arrives while its award expires wins: the award is posted', async () => {
  const { clock, ctx, db, getStatus, runBehind, balance } = await memberWithTransaction({ awardsNeedReview: true })
  clock.now = new Date(dinedAt.getTime() + 37 * DAY)
  await runBehind(() => expireReviews(ctx), { review: 'done' }, 'Pending')
  expect([await getStatus(), await balance()]).toEqual(['Awarded', 126])
  expect(await findLedgerViolations(db)).toEqual([])
})

test('a review that arrives while a refund is applied awards what remains', async () => {
  const { ctx, db, memberId, getTransaction, runBehind, balance } = await memberWithTransaction({
    awardsNeedReview: true,
    hasReviews: true,
  })
  const { family_id: familyId } = await db
    .selectFrom('members')
    .select('family_id')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  const txnId = (await getTransaction())?.public_id ?? ''
  const review = { txnId, familyId, completed: true, comment: '' }
  const [stored] = await runBehind(() => receiveReview(ctx, review), { refundedCents: 2210 }, 'Pending')
  expect(stored).toBe('stored')
  expect(await balance()).toBe(60)
  expect(await findLedgerViolations(db)).toEqual([])
})

test('a refund that arrives while a deferred award becomes due wins: nothing is posted', async () => {
  const { clock, ctx, db, getStatus, runBehind, balance } = await memberWithTransaction({ deferDays: 3 })
  clock.now = new Date(dinedAt.getTime() + 4 * DAY)
  await runBehind(() => expirePending(ctx), { refundedCents: 4210 }, 'Deferred')
  expect([await getStatus(), await balance()]).toEqual(['Forfeit', 0])
  expect(await findLedgerViolations(db)).toEqual([])
})

test('a recalculation starts from what a concurrent message has changed', async () => {
  const { ctx, db, getTransaction, runBehind, balance } = await memberWithTransaction()
  const id = (await getTransaction())?.public_id
  const earnRates = { ...ctx.program.config.earnRates, OptedIn: 400 }
  const corrected = { ...ctx, program: { ...ctx.program, config: { ...ctx.program.config, earnRates } } }
  const march = { from: '2026-03-01', to: '2026-03-31', apply: true }
  const [differences] = await runBehind(
    () => Array.fromAsync(recalculate(corrected, march)),
    { refundedCents: 2210 },
    'Awarded',
  )
  const own = differences.filter((difference) => difference.publicId === id)
  expect(own).toMatchObject([{ was: { benefit: 60 }, is: { benefit: 80 } }])
  expect(await balance()).toBe(80)
  expect(await findLedgerViolations(db)).toEqual([])
})
