import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { localMoment, MINUTE } from '../../src/platform/time.ts'
import { computeAward } from '../../src/rewards/earning/rules.ts'
import type { MerchantTerms } from '../../src/rewards/earning/terms.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { awardInput, bistro, feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  receiveEvent,
  type TestMerchant,
} from '../support/rewards-harness.ts'

const harness = setUpTestHarness()
const ctx = () => createTestContext(harness, 'skyharbor')
const zones = ['Pacific/Pago_Pago', 'Pacific/Honolulu', 'America/New_York', 'Pacific/Guam'] as const

test.each(zones)(
  'HIST-047 a dine in %s before its restaurant left on the same day earns, one after it does not',
  async (timeZone) => {
    const { db } = ctx()
    const merchant = await addMerchant(db, { timeZone })
    const memberId = await addMember(db)
    const card = await addCard(db, memberId)
    await db.updateTable('merchants').set({ participating: false }).where('id', '=', merchant.id).execute()
    const { rows } = await sql<{ leftAt: Date }>`
    select left_at as "leftAt" from merchants where id = ${merchant.id}`.execute(db)
    const leftAt = rows[0]?.leftAt as Date
    const dine = async (at: Date) => {
      const over = {
        id: randomUUID(),
        datetime: at.toISOString(),
        card: { id: card.token, lastNumbers: card.lastFour },
      }
      await receiveEvent(
        { ...ctx(), now: () => new Date(leftAt.getTime() + MINUTE * 120) },
        feedEvent('transaction.clearing', { ...over, location: { id: merchant.locationId } }),
      )
      const row = await db
        .selectFrom('transactions')
        .select(['benefit', 'reason'])
        .where('network_id', '=', over.id)
        .executeTakeFirstOrThrow()
      return [row.benefit, (row.reason as { code: string }).code]
    }
    expect(await dine(new Date(leftAt.getTime() - MINUTE))).toEqual([126, 'earned'])
    expect(await dine(new Date(leftAt.getTime() + MINUTE))).toEqual([0, 'merchantLeft'])
  },
)

test('HIST-047 a restaurant that joins again and leaves again has left at the last moment', async () => {
  const { db } = ctx()
  const merchant = await addMerchant(db)
  const set = (participating: boolean) =>
    db.updateTable('merchants').set({ participating }).where('id', '=', merchant.id).execute()
  const state = async () => {
    const row = await db
      .selectFrom('merchants')
      .select(['left_on', 'left_at'])
      .where('id', '=', merchant.id)
      .executeTakeFirstOrThrow()
    return [row.left_on, row.left_at && localMoment(row.left_at, 'America/New_York').date]
  }
  await set(false)
  const first = await state()
  expect(first[0]).toBe(first[1])
  await set(true)
  expect(await state()).toEqual([null, null])
  await set(false)
  expect(await state()).toEqual(first)
})

test('HIST-047 only the last day of a restaurant has an hour: without one, the day it left earns nothing', () => {
  const at = (over: Partial<MerchantTerms>) =>
    computeAward({ ...awardInput, merchant: { ...bistro, participating: false, ...over } }).reason
  // The meal is on March 10, at 7:30 PM in New York.
  expect(at({ leftOn: '2026-03-10' }).code).toBe('merchantLeft')
  expect(at({ leftOn: '2026-03-10', leftAt: '2026-03-11T01:00:00.000Z' }).code).toBe('earned')
  expect(at({ leftOn: '2026-03-10', leftAt: '2026-03-10T23:30:00.000Z' })).toMatchObject({
    code: 'merchantLeft',
    leftAt: '2026-03-10T23:30:00.000Z',
  })
  expect(at({ leftOn: '2026-03-10', leftAt: '2026-03-10T23:30:01.000Z' }).code).toBe('earned')
})

async function changeNetworkId(merchant: TestMerchant): Promise<string> {
  const id = randomUUID()
  await ctx().db.updateTable('merchants').set({ network_location_id: id }).where('id', '=', merchant.id).execute()
  return id
}

test.each(zones)(
  'HIST-047 on the day on which a restaurant in %s changes its network id, dines with either id earn',
  async (timeZone) => {
    const { db } = ctx()
    const merchant = await addMerchant(db, { timeZone })
    const card = await addCard(db, await addMember(db))
    const newId = await changeNetworkId(merchant)
    const now = new Date()
    for (const locationId of [merchant.locationId, newId]) {
      const over = {
        id: randomUUID(),
        datetime: now.toISOString(),
        card: { id: card.token, lastNumbers: card.lastFour },
      }
      await receiveEvent(ctx(), feedEvent('transaction.clearing', { ...over, location: { id: locationId } }))
      const row = await db
        .selectFrom('transactions')
        .select('benefit')
        .where('network_id', '=', over.id)
        .executeTakeFirstOrThrow()
      expect(row.benefit).toBe(126)
    }
  },
)
