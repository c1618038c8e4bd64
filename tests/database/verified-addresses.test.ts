import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { audit } from '../../src/platform/database/audit.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

const migration = readFileSync('db/migrations/0025-verified-addresses.sql', 'utf8')
const statement = (start: string) => {
  const from = migration.indexOf(start)
  return migration.slice(from, migration.indexOf(';', from))
}

test('RECV-010 Case 87 of the members of an earlier version only those who recovered at their present address are verified', async () => {
  const ctx = createTestContext(harness, 'gallonaire')
  const did = (memberId: number, action: string) => inTransaction(ctx.db, (tx) => audit(tx, ctx, { action, memberId }))
  const addOne = () => addMember(ctx.db)
  const [untouched, recovered, changed, again] = [await addOne(), await addOne(), await addOne(), await addOne()]
  await did(recovered, 'recovery.password-set')
  await did(changed, 'recovery.password-set')
  await did(changed, 'member.address-fixed')
  await did(again, 'member.address-fixed')
  await did(again, 'recovery.password-set')
  await queryAsOwner(harness.ownerUrl, statement('update members m set email_verified_at'))
  const verified = await queryAsOwner<{ id: number }>(
    harness.ownerUrl,
    'select id::int from members where email_verified_at is not null and id = any($1) order by id',
    [[untouched, recovered, changed, again]],
  )
  expect(verified).toEqual([{ id: recovered }, { id: again }])
})

test('RECV-011 Case 87 passkeys from before the last recovery are removed, and later ones stay', async () => {
  const ctx = createTestContext(harness, 'gallonaire')
  const [recovered, other] = [await addMember(ctx.db), await addMember(ctx.db)]
  const add = (memberId: number, name: string, age: string) =>
    queryAsOwner(
      harness.ownerUrl,
      `insert into passkeys (partner_id, member_id, credential_id, public_key, counter, name, created_at)
       values ('gallonaire', $1, $2, '', 0, $2, now() + $3::interval)`,
      [memberId, `${name} ${memberId}`, age],
    )
  await inTransaction(ctx.db, (tx) => audit(tx, ctx, { action: 'recovery.password-set', memberId: recovered }))
  for (const memberId of [recovered, other]) {
    await add(memberId, 'before', '-1 hour')
    await add(memberId, 'after', '1 hour')
  }
  await queryAsOwner(harness.ownerUrl, statement('delete from passkeys'))
  const left = await queryAsOwner<{ name: string }>(
    harness.ownerUrl,
    'select name from passkeys where member_id = any($1) order by id',
    [[recovered, other]],
  )
  expect(left.map(({ name }) => name)).toEqual([`after ${recovered}`, `before ${other}`, `after ${other}`])
})
