import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { applyVipTransitions, revokeScheduledVip, scheduleVip, shortenVip } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { createTestContext } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()
const db = () => createTestContext(harness, 'beacon').db

/** Tier, first day and last day of VIP, and whether there is the consent on which the tier depends otherwise. */
type Vip = readonly [tier: string, from: string | null, until: string | null, optIn?: boolean]

/** Creates a member for each row, runs `act`, and returns the rows afterwards. */
async function after(rows: readonly Vip[], act: (ids: number[]) => Promise<unknown>): Promise<Vip[]> {
  const ids: number[] = []
  for (const [tier, from, until, optIn = true] of rows) {
    const { rows: added } = await sql<{ id: number }>`
      insert into members (public_id, referral_code, family_id, email, first_name, last_name, zip_code, tier_level,
        vip_from, vip_until, email_opt_in)
      select x, x, x, x || '@example.com', 'Ada', 'Lovelace', '10001', ${tier}, ${from}::date, ${until}::date, ${optIn}
      from md5(random()::text) as x returning id`.execute(db())
    ids.push(added[0]?.id as number)
  }
  await act(ids)
  const { rows: left } = await sql<{ tier: string; from: string | null; until: string | null }>`
    select tier_level as tier, vip_from::text as from, vip_until::text as until from members
    where id = any(${ids}) order by id`.execute(db())
  return left.map(({ tier, from, until }) => [tier, from, until])
}

const [yesterday, today, tomorrow] = ['2026-03-09', '2026-03-10', '2026-03-11'] as const

test('VIP starts on its first day and ends after its last one', async () => {
  const rows: Vip[] = [
    ['OptedIn', today, tomorrow],
    ['OptedOut', yesterday, today, false],
    ['OptedIn', tomorrow, tomorrow],
    ['OptedIn', yesterday, yesterday],
    ['NonActivated', today, tomorrow],
    ['VIP', yesterday, today],
    ['VIP', yesterday, yesterday],
    ['VIP', yesterday, yesterday, false],
    ['VIP', null, null],
  ]
  expect(await after(rows, () => applyVipTransitions(db(), today))).toEqual([
    ['VIP', today, tomorrow],
    ['VIP', yesterday, today],
    ['OptedIn', tomorrow, tomorrow],
    ['OptedIn', yesterday, yesterday],
    ['NonActivated', today, tomorrow],
    ['VIP', yesterday, today],
    ['OptedIn', null, null],
    ['OptedOut', null, null],
    ['VIP', null, null],
  ])
})

test('only VIP that starts after today is revoked, and only of the given members', async () => {
  const rows: Vip[] = [
    ['OptedIn', tomorrow, tomorrow],
    ['OptedIn', today, tomorrow],
    ['OptedIn', tomorrow, tomorrow],
  ]
  const revoke = (ids: number[]) => inTransaction(db(), (tx) => revokeScheduledVip(tx, ids.slice(0, 2), today))
  expect(await after(rows, revoke)).toEqual([['OptedIn', null, null], ...rows.slice(1)])
})

test('VIP is only extended by scheduling, and only shortened by its end', async () => {
  const rows: Vip[] = [
    ['OptedIn', null, null],
    ['VIP', yesterday, today],
    ['VIP', yesterday, tomorrow],
    ['VIP', null, null],
    ['OptedIn', null, null],
  ]
  const years = (ids: number[], until: string) => ids.slice(0, 4).map((memberId) => ({ memberId, until }))
  const schedule = (ids: number[]) => inTransaction(db(), (tx) => scheduleVip(tx, years(ids, tomorrow), today))
  expect(await after(rows, schedule)).toEqual([
    ['OptedIn', today, tomorrow],
    ['VIP', yesterday, tomorrow],
    ['VIP', yesterday, tomorrow],
    ['VIP', null, null],
    ['OptedIn', null, null],
  ])
  const earlier = (ids: number[]) => inTransaction(db(), (tx) => scheduleVip(tx, years(ids, yesterday), yesterday))
  expect((await after([['VIP', yesterday, tomorrow]], earlier))[0]).toEqual(['VIP', yesterday, tomorrow])
  const shorten = (ids: number[]) => inTransaction(db(), (tx) => shortenVip(tx, years(ids, today)))
  expect(await after(rows, shorten)).toEqual([
    ['OptedIn', null, null],
    ['VIP', yesterday, today],
    ['VIP', yesterday, today],
    ['VIP', null, null],
    ['OptedIn', null, null],
  ])
  const ended: Vip[] = [
    ['VIP', yesterday, tomorrow, false],
    ['NonActivated', yesterday, tomorrow],
    ['VIP', null, null],
  ]
  const end = (ids: number[]) =>
    inTransaction(db(), (tx) =>
      shortenVip(
        tx,
        ids.map((memberId) => ({ memberId, until: null })),
      ),
    )
  expect(await after(ended, end)).toEqual([
    ['OptedOut', null, null],
    ['NonActivated', null, null],
    ['VIP', null, null],
  ])
})
