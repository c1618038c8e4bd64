import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, createTestContext, receiveEvent } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

const migration = readFileSync('db/migrations/0018-restaurants-of-postings.sql', 'utf8')
const fill = migration.slice(migration.indexOf('update postings p'))

interface Row {
  version: number
  account: string
  merchant_id: number | null
  amount: number
}

const listPostings = (sourceId: string) =>
  queryAsOwner<Row>(
    harness.ownerUrl,
    `select j.version, p.account, p.merchant_id::int, p.amount::int from journal_entries j
     join postings p on p.journal_entry_id = j.id where j.source_id = $1
     order by j.version, p.account, p.merchant_id nulls last`,
    [sourceId],
  )

test('postings of earlier versions get the restaurant of their entry, and those of an entry of two that of the transaction', async () => {
  const ctx = createTestContext(harness, 'skyharbor')
  ctx.program.config.settlement = { restaurantFee: 1000, centsPer100Units: 130, partnerShare: 2000 }
  const memberId = await addMember(ctx.db)
  const card = await addCard(ctx.db, memberId)
  const [first, second] = [await addMerchant(ctx.db), await addMerchant(ctx.db)]
  let minute = 0
  const clear = (id: string, locationId: string) =>
    receiveEvent(
      ctx,
      feedEvent('transaction.clearing', {
        id,
        amount: '100.00',
        programId: 'skyharbor',
        updated: new Date(Date.UTC(2026, 2, 11, 0, minute++)).toISOString(),
        card: { id: card.token, lastNumbers: card.lastFour },
        location: { id: locationId },
      }),
    )
  const [id, moved] = [randomUUID(), randomUUID()]
  await clear(id, first.locationId)
  await clear(moved, first.locationId)
  await clear(moved, second.locationId)
  const before = await listPostings(id)
  const accounts = ['member', 'partner', 'platform', 'program', 'restaurant']
  expect(before.map(({ account, merchant_id }) => [account, merchant_id])).toEqual(
    accounts.map((account) => [account, first.id]),
  )
  // As earlier versions stored them: only the restaurant's own posting names it. The network has since moved one more.
  await queryAsOwner(harness.ownerUrl, "update postings set merchant_id = null where account <> 'restaurant'")
  await queryAsOwner(harness.ownerUrl, 'update transactions set merchant_id = $1 where network_id = $2', [
    second.id,
    id,
  ])
  await queryAsOwner(harness.ownerUrl, fill)
  expect(await listPostings(id)).toEqual(before)
  const merchantsOf = async (version: number, isOwn: boolean) =>
    new Set(
      (await listPostings(moved))
        .filter((row) => row.version === version && (row.account === 'restaurant') === isOwn)
        .map((row) => row.merchant_id),
    )
  expect(await merchantsOf(1, false)).toEqual(new Set([first.id]))
  expect(await merchantsOf(2, true)).toEqual(new Set([first.id, second.id]))
  expect(await merchantsOf(2, false)).toEqual(new Set([second.id]))
})

test('a posting of a restaurant names it', async () => {
  await expect(
    queryAsOwner(
      harness.ownerUrl,
      `with entry as (
         insert into journal_entries (partner_id, source, source_id, version, kind, reason)
         values ('skyharbor', 'transaction', 'unnamed', 1, 'award', '{}') returning id)
       insert into postings (partner_id, journal_entry_id, account, unit, amount)
       select 'skyharbor', id, account, 'cent', amount from entry,
         (values ('restaurant', -1), ('platform', 1)) as sides (account, amount)`,
    ),
  ).rejects.toThrow(/postings_name_restaurant/)
})
