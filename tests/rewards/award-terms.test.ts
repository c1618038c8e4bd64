import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '../../src/platform/http/context.ts'
import { findTransaction, reasonOf } from '../../src/rewards/awards/store.ts'
import { receiveEvents } from '../../src/rewards/feed/receive-events.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  receiveEvent,
  type TestCard,
} from '../support/rewards-harness.ts'

const harness = setUpTestHarness()
let ctx: Ctx
beforeAll(() => {
  ctx = createTestContext(harness, 'skyharbor')
})

const clearingAt = (card: TestCard, locationId: string, id: string = randomUUID()) =>
  feedEvent('transaction.clearing', {
    id,
    amount: '40.00',
    card: { id: card.token, scheme: 'visa', lastNumbers: card.lastFour },
    location: { id: locationId },
  })

const countTerms = async (db: Ctx['db']) => (await db.selectFrom('award_terms').select('id').execute()).length

test('the terms of a merchant are stored once for all its transactions, and again when an offer changes', async () => {
  const [card, merchant] = [await addCard(ctx.db, await addMember(ctx.db)), await addMerchant(ctx.db)]
  const before = await countTerms(ctx.db)
  await receiveEvents(
    ctx,
    Array.from({ length: 20 }, () => clearingAt(card, merchant.locationId)),
  )
  await receiveEvent(ctx, clearingAt(card, merchant.locationId))
  expect((await countTerms(ctx.db)) - before).toBe(1)
  await sql`update merchant_offers set rate_percent = 200 where merchant_id = ${merchant.id}`.execute(ctx.db)
  const higherRateEvent = clearingAt(card, merchant.locationId)
  await receiveEvent(ctx, higherRateEvent)
  expect((await countTerms(ctx.db)) - before).toBe(2)
  expect(await findTransaction(ctx.db, higherRateEvent.transaction.id)).toMatchObject({ benefit: 240 })
})

test('a stored award is read the same whether its terms are shared or stored with it', async () => {
  const [card, merchant] = [await addCard(ctx.db, await addMember(ctx.db)), await addMerchant(ctx.db)]
  const event = clearingAt(card, merchant.locationId)
  await receiveEvent(ctx, event)
  const shared = await findTransaction(ctx.db, event.transaction.id)
  if (!shared) throw new Error('no meal')
  const reason = reasonOf(shared)
  expect(reason.inputs).toMatchObject({
    cents: 4000,
    program: { currencyType: 'Mile' },
    merchant: { offers: [{ type: 'Unlimited' }] },
  })
  // As stored before terms were shared.
  await sql`update transactions set terms_id = null, reason = ${JSON.stringify(reason)}::jsonb where id = ${shared.id}`.execute(
    ctx.db,
  )
  const alone = await findTransaction(ctx.db, event.transaction.id)
  expect(alone && reasonOf(alone)).toEqual(reason)
  // A later message about it shares the terms again, and reverses the award.
  await receiveEvent(
    ctx,
    feedEvent('transaction.refund', {
      ...event.transaction,
      id: randomUUID(),
      amount: '-40.00',
      originalTransactionId: event.transaction.id,
    }),
  )
  expect(await findTransaction(ctx.db, event.transaction.id)).toMatchObject({ benefit: 0, terms_id: shared.terms_id })
})

test('terms that do not exist, or belong to another program, are rejected by the database', async () => {
  const [card, merchant] = [await addCard(ctx.db, await addMember(ctx.db)), await addMerchant(ctx.db)]
  const event = clearingAt(card, merchant.locationId)
  await receiveEvent(ctx, event)
  const point = (id: string) =>
    sql`update transactions set terms_id = ${id}::uuid where network_id = ${event.transaction.id}`.execute(ctx.db)
  await expect(point(randomUUID())).rejects.toThrow(/unknown terms/)
  const other = createTestContext(harness, 'gallonaire').db
  const [foreign] = (
    await sql<{ id: string }>`insert into award_terms (id, terms) values (${randomUUID()}, '{}') returning id`.execute(
      other,
    )
  ).rows
  await expect(point(foreign?.id as string)).rejects.toThrow(/unknown terms/)
  expect(
    await ctx.db
      .selectFrom('award_terms')
      .select('id')
      .where('id', '=', foreign?.id as string)
      .execute(),
  ).toEqual([])
})
