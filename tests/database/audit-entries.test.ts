import { expect, test } from 'vitest'
import { audit, hashEntry } from '../../src/platform/database/audit.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { anonymousActor, type Ctx } from '../../src/platform/http/context.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()

test('an entry names who acted, and is chained to the entry before it', async () => {
  const own = createTestContext(harness, 'gallonaire')
  const memberId = await addMember(own.db)
  const operator = { id: 3, name: 'Olga', mayChange: true }
  const actors: [over: Partial<Ctx>, given: { actor?: 'visitor' }, name: string][] = [
    [{ address: '' }, {}, 'system'],
    [{ address: '192.0.2.1' }, {}, 'visitor'],
    [{ actor: { ...anonymousActor, memberId: 7 }, address: '192.0.2.1' }, {}, 'member:7'],
    [{ actor: { ...anonymousActor, memberId: 7, operator }, address: '192.0.2.1' }, {}, 'operator:3 Olga'],
    [{ address: '' }, { actor: 'visitor' }, 'visitor'],
  ]
  for (const [index, [over, given]] of actors.entries()) {
    const ctx = { ...own, actor: anonymousActor, ...over }
    await inTransaction(ctx.db, (tx) => audit(tx, ctx, { action: 'test.act', memberId, detail: { index }, ...given }))
  }
  const rows = await own.db.selectFrom('audit_entries').selectAll().orderBy('id').execute()
  const added = rows.slice(-actors.length)
  expect(added.map(({ actor }) => actor)).toEqual(actors.map(([, , name]) => name))
  let previous = rows.at(-actors.length - 1)?.hash ?? Buffer.alloc(32)
  for (const [index, { actor, action, hash, previous_hash }] of added.entries()) {
    expect([index, previous_hash]).toEqual([index, previous])
    expect(hash).toEqual(hashEntry(previous, { actor, action, memberId, text: JSON.stringify({ index }) }))
    previous = hash
  }
  // Another program has a chain of its own.
  const other = createTestContext(harness, 'skyharbor')
  const otherMember = await addMember(other.db)
  await inTransaction(other.db, (tx) => audit(tx, other, { action: 'test.act', memberId: otherMember }))
  const first = await other.db.selectFrom('audit_entries').select('previous_hash').orderBy('id').executeTakeFirst()
  expect(first?.previous_hash).toEqual(Buffer.alloc(32))
})
