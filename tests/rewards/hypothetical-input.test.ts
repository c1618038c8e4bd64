import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findMemberRow, type MemberRow } from '../../src/identity/members/service.ts'
import { evaluateMissing } from '../../src/rewards/activity/evaluate-missing.ts'
import { buildHypotheticalInput } from '../../src/rewards/activity/hypothetical-input.ts'
import { getMerchantTerms } from '../../src/rewards/awards/current-terms.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, createTestContext, receiveEvent } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()
const linkedAt = new Date('2026-01-02T12:00:00Z')

/** Creates a member, a restaurant in New York that rewards two visits a month, and the function that dines there. */
async function createFixture() {
  const ctx = createTestContext(harness, 'skyharbor')
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db, { maxVisitsPerMonth: 2 })]
  const dine = async (datetime: string, amount: string, over: object = {}) => {
    const id = randomUUID()
    const parties = { card: { id: card.token, lastNumbers: '0002' }, location: { id: merchant.locationId } }
    await receiveEvent(ctx, feedEvent('transaction.clearing', { id, datetime, amount, ...parties, ...over }))
    return id
  }
  const { public_id: merchantId } = await ctx.db
    .selectFrom('merchants')
    .select('public_id')
    .where('id', '=', merchant.id)
    .executeTakeFirstOrThrow()
  const found = await getMerchantTerms(ctx.db, merchantId)
  const inputAt = async (dinedAt: string, memberOrTier?: 'OptedIn') =>
    buildHypotheticalInput(ctx.db, ctx.program.config, {
      merchant: found as NonNullable<typeof found>,
      memberOrTier: memberOrTier ?? ((await findMemberRow(ctx.db, memberId)) as MemberRow),
      cardLinkedAt: linkedAt,
      dinedAt: new Date(dinedAt),
      cents: 60_00,
    })
  return { ctx, memberId, merchantId, dine, inputAt }
}

test('the used part of a month is that of earlier rewarded visits of the member, in the restaurant’s local month', async () => {
  const { ctx, dine, inputAt } = await createFixture()
  await dine('2026-02-20T20:00:00Z', '20.00')
  // Ten in the evening of February 28 in New York.
  await dine('2026-03-01T03:00:00Z', '30.00')
  await dine('2026-03-05T20:00:00Z', '50.00')
  const refunded = await dine('2026-03-06T20:00:00Z', '90.00')
  const refund = { id: randomUUID(), originalTransactionId: refunded, amount: '-90.00', location: { id: 'any' } }
  await receiveEvent(ctx, feedEvent('transaction.refund', { ...refund, updated: '2026-04-01T00:00:00Z' }))
  await dine('2026-03-20T20:00:00Z', '70.00')
  const otherCard = await addCard(ctx.db, await addMember(ctx.db))
  await dine('2026-03-04T20:00:00Z', '40.00', { card: { id: otherCard.token, lastNumbers: '0002' } })
  const elsewhere = await addMerchant(ctx.db)
  await dine('2026-03-04T20:00:00Z', '45.00', { location: { id: elsewhere.locationId } })
  const usedAt = async (dinedAt: string) => {
    const { earlierVisits, earlierCountedCents } = await inputAt(dinedAt)
    return [earlierVisits, earlierCountedCents]
  }
  expect(await usedAt('2026-03-01T04:00:00Z')).toEqual([2, 50_00])
  expect(await usedAt('2026-03-01T06:00:00Z')).toEqual([0, undefined])
  expect(await usedAt('2026-03-05T20:00:00Z')).toEqual([0, undefined])
  expect(await usedAt('2026-03-10T20:00:00Z')).toEqual([1, 50_00])
  expect(await usedAt('2026-03-31T20:00:00Z')).toEqual([2, 120_00])
  expect(await inputAt('2026-03-31T20:00:00Z', 'OptedIn')).toMatchObject({ earlierVisits: 0, member: { open: true } })
})

test('visits after a missing transaction do not reduce its reward', async () => {
  const { ctx, memberId, merchantId, dine } = await createFixture()
  const missing = (date: string) =>
    evaluateMissing(ctx, { memberId, merchantId, date, cents: 60_00, cardLinkedAt: linkedAt })
  for (const day of ['12', '13']) await dine(`2026-05-${day}T20:00:00Z`, '50.00')
  expect(await missing('2026-05-11')).toMatchObject({ benefit: 180, mostOfDay: 180 })
  expect(await missing('2026-05-14')).toMatchObject({ benefit: 0, mostOfDay: 0, reason: { code: 'visitsUsedUp' } })
})

test('a closed or disabled account earns nothing, and one without a card is shown what a card would earn', async () => {
  const { ctx, memberId, inputAt } = await createFixture()
  const isOpen = async (columns: { member_type: string; active: boolean }) => {
    await ctx.db.updateTable('members').set(columns).where('id', '=', memberId).execute()
    return (await inputAt('2026-03-10T20:00:00Z')).member?.open
  }
  expect(await isOpen({ member_type: 'EnrolledCardMember', active: true })).toBe(true)
  expect(await isOpen({ member_type: 'EnrolledCardMember', active: false })).toBe(false)
  expect(await isOpen({ member_type: 'ClosedAccountMember', active: true })).toBe(false)
  expect(await isOpen({ member_type: 'NonCardMember', active: false })).toBe(true)
})
