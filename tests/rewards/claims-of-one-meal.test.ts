import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { storeDecision } from '../../src/rewards/claims/console/store.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { asOwner } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { daysAgo, openClaim, settleClaim } from '../support/claims.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
const db = () => app.database.pools.forPartner('skyharbor')

/** Waits until so many transactions wait for a lock. */
const untilWaiting = (count: number) =>
  vi.waitFor(async () => {
    const rows = await asOwner<{ count: number }>(
      app,
      'select count(distinct pid)::int as count from pg_locks where not granted',
      [],
    )
    expect(rows[0]?.count).toBe(count)
  }, 15_000)

/** Two claims about one meal of today, and their decisions, which the console takes one after the other. */
async function openTwoClaims() {
  const member = await createCardMember(app)
  const first: string = (await openClaim(member)).json().id
  const second: string = (await openClaim(member, { amount: '50.00', anotherMeal: true })).json().id
  await sql`update claims set transaction_date = ${daysAgo(0)} where member_id = ${member.memberId}`.execute(db())
  // As the console does when it has the lock of the member, which the test holds. The operator has confirmed nothing: no
  // credit of the other claim was shown.
  const decision = { code: 'credited', words: '', benefit: 144, by: 'sam@dineback.example' }
  const decide = async (id: string) => {
    expect(await inTransaction(db(), (tx) => storeDecision(tx, id, decision))).toBe(true)
  }
  return { member, first, second, decide }
}

test.each([
  {
    order: 'the meal, the first decision, the second one',
    isMealFirst: true,
    outcomes: ['alreadyEarned', 'alreadyEarned'],
  },
  {
    order: 'the first decision, the meal, the second one',
    isMealFirst: false,
    outcomes: ['credited', 'alreadyEarned'],
  },
])(
  'HIST-024 a meal is paid once when two claims for it were decided before either was carried out: $order',
  async ({ isMealFirst, outcomes }) => {
    const { member, first, second, decide } = await openTwoClaims()
    const acts = [() => decide(first), () => member.sendTransaction('clearing', '48.00')]
    const pending: Promise<unknown>[] = []
    // Whatever changes this member waits, in this order.
    await inTransaction(db(), async (tx) => {
      await lockMember(tx, member.memberId)
      for (const [index, act] of (isMealFirst ? acts.toReversed() : acts).entries()) {
        pending.push(act())
        await untilWaiting(index + 1)
      }
      await decide(second)
      await untilWaiting(3)
    })
    await Promise.all(pending)
    expect([await settleClaim(app, first), await settleClaim(app, second)]).toEqual(outcomes)
    expect(await getBalance(db(), member.memberId, 'mile')).toBe(144)
  },
)
