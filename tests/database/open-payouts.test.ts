import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'
import { addUnansweredCredit } from '../support/unanswered-credit.ts'

const harness = setUpTestHarness()

const migration = readFileSync('db/migrations/0029-open-payouts.sql', 'utf8')
const fill = migration.slice(migration.indexOf('-- What earlier versions stored'))

test('credits of earlier versions are asked about, also where the owner of the tables is no superuser', async () => {
  const { db } = createTestContext(harness, 'beacon')
  const creditIds: string[] = []
  for (const status of ['pending', 'pending_received', 'error', 'rejected', 'completed']) {
    const creditId = await addUnansweredCredit(db, await addMember(db))
    const old = { status, submitted_at: null, unanswered: 0, last_error: null, attention: null, attention_since: null }
    await db.updateTable('statement_credits').set(old).where('public_id', '=', creditId).execute()
    await db.insertInto('payout_orders').values({ credit_id: creditId, amount_cents: 21_00 }).execute()
    creditIds.push(creditId)
  }
  await queryAsOwner(
    harness.ownerUrl,
    `begin;
     create role plain_owner;
     grant create, usage on schema public to plain_owner;
     alter table statement_credits owner to plain_owner;
     alter table payout_orders owner to plain_owner;
     set local role plain_owner;
     ${fill}
     reset role;
     alter table statement_credits owner to current_user;
     alter table payout_orders owner to current_user;
     revoke all on schema public from plain_owner;
     drop role plain_owner;
     commit`,
  )
  const rows = await queryAsOwner(
    harness.ownerUrl,
    `select c.status, c.submitted_at = c.created_at as "isSubmitted", c.checks_left as "checksLeft",
       o.paid_at is not null as "isPaid", t.relforcerowsecurity as "isForced"
     from statement_credits c join payout_orders o on o.credit_id = c.public_id
       join pg_class t on t.oid = 'statement_credits'::regclass
     order by c.id`,
  )
  const kept = { isSubmitted: null, checksLeft: 0, isPaid: false, isForced: true }
  expect(rows).toEqual([
    { status: 'pending', ...kept, isSubmitted: true, isPaid: true },
    { status: 'pending_received', ...kept, isSubmitted: true, isPaid: true },
    { status: 'error', ...kept, checksLeft: 30 },
    { status: 'rejected', ...kept },
    { status: 'completed', ...kept },
  ])
})
