import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, createTestContext, receiveEvent } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

const migration = readFileSync('db/migrations/0061-codes-in-capitals.sql', 'utf8').replaceAll(/--.*$/gm, '')

test('HIST-052 Case 151 the codes of transactions and messages of an earlier version are in capitals', async () => {
  const ctx = createTestContext(harness, 'skyharbor')
  const card = await addCard(ctx.db, await addMember(ctx.db))
  const { locationId } = await addMerchant(ctx.db)
  const send = (id: string, authCode: string | null) =>
    receiveEvent(
      ctx,
      feedEvent('transaction.clearing', {
        id,
        authCode,
        card: { id: card.token, lastNumbers: card.lastFour },
        location: { id: locationId },
      }),
    )
  const codes = { first: 'a1b2c3', second: 'A1B2C4', third: null, fourth: ' straße-é ' }
  for (const [id, authCode] of Object.entries(codes)) await send(id, authCode)
  await queryAsOwner(harness.ownerUrl, "update transactions set auth_code = 'a1b2c3' where network_id = 'first'")
  for (const statement of migration.split(';').filter((each) => each.trim() !== '')) {
    await queryAsOwner(harness.ownerUrl, statement)
  }
  for (const table of ['transactions', 'feed_messages']) {
    const rows = await queryAsOwner<{ id: string; code: string | null }>(
      harness.ownerUrl,
      `select network_id as id, auth_code as code from ${table} where network_id = any($1)`,
      [Object.keys(codes)],
    )
    expect([table, Object.fromEntries(rows.map(({ id, code }) => [id, code]))]).toEqual([
      table,
      { first: 'A1B2C3', second: 'A1B2C4', third: null, fourth: 'STRAßE-é' },
    ])
  }
})
