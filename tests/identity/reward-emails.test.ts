import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { notificationsCopy } from '../../src/identity/notifications/copy.ts'
import { maxListedRewards } from '../../src/identity/notifications/rules.ts'
import { type NewNotification, notifyAll, sendNotification } from '../../src/identity/notifications/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { postAdjustment } from '../../src/rewards/awards/adjustment.ts'
import { updateVip } from '../../src/rewards/awards/schedule-vip.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { plainTheme } from '../support/reservation-harness.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  receiveEvent,
  type TestCard,
  type TestMerchant,
} from '../support/rewards-harness.ts'

// What members get by email about rewards, bonuses and VIP. No worker runs: each job is called with its clock.

const harness = setUpTestHarness()
const texts: Readonly<Record<string, string>> = notificationsCopy

/** A context at noon in New York, today: emails have the time of the database. */
function context(partner: 'skyharbor' | 'beacon' = 'skyharbor'): Ctx {
  const ctx = createTestContext(harness, partner)
  return {
    ...ctx,
    t: (key: string) => texts[key] ?? key,
    program: { ...ctx.program, theme: plainTheme },
  } as Ctx
}

const reward = (memberId: number, about: string, over: Partial<NewNotification> = {}): NewNotification => ({
  memberId,
  topic: 'rewardPosted',
  about: `${memberId}:${about}`,
  params: { merchant: `Bistro ${about}`, benefit: `${about} miles`, day: 'Nov 24, 2026' },
  path: '/account/recent_activity',
  ...over,
})

const post = (ctx: Ctx, ...rewards: NewNotification[]) => inTransaction(ctx.db, (tx) => notifyAll(tx, rewards))

const choose = (ctx: Ctx, memberId: number, topic: string, wanted = true) =>
  sql`insert into notification_preferences (partner_id, member_id, topic, channel, wanted)
      values (current_partner(), ${memberId}, ${topic}, 'email', ${wanted})
      on conflict (partner_id, member_id, topic, channel) do update set wanted = excluded.wanted`.execute(ctx.db)

/** Runs the jobs of a member's notifications that are due. */
async function runDue(ctx: Ctx, memberId: number): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from notifications
    where member_id = ${memberId} and channel = 'email' and status = 'waiting' and due_at <= now() order by id`.execute(
    ctx.db,
  )
  const deps = { origin: () => 'https://dining.example', push: null as never }
  for (const { id } of rows) await sendNotification(ctx, deps, { id, isLastAttempt: false })
}

const emailsOf = async (ctx: Ctx, memberId: number) =>
  (
    await sql<{ subject: string; text: string; html: string }>`
      select subject, body_text as text, body_html as html from emails where member_id = ${memberId} order by id`.execute(
      ctx.db,
    )
  ).rows
const subjects = async (ctx: Ctx, memberId: number) => (await emailsOf(ctx, memberId)).map(({ subject }) => subject)

const statuses = async (ctx: Ctx, memberId: number) =>
  (
    await sql<{
      about: string
      status: string
      due: string
    }>`select about, status, due_at::text as due from notifications
      where member_id = ${memberId} order by id`.execute(ctx.db)
  ).rows

test('ACCT-031 rewards that are posted together are one email, in text and HTML, and one of them alone has its own words', async () => {
  const ctx = context()
  const memberId = await addMember(ctx.db)
  await choose(ctx, memberId, 'rewardPosted')
  await post(ctx, reward(memberId, '1'))
  await runDue(ctx, memberId)
  await post(
    ctx,
    reward(memberId, '2'),
    reward(memberId, '3', { topic: 'bonusEarned', params: { bonus: 'Three lunches', benefit: '500 miles' } }),
    reward(memberId, '4', {
      topic: 'bonusEarned',
      params: { merchant: 'Salt & Co', benefit: '250 miles', variant: 'reserved' },
    }),
  )
  await runDue(ctx, memberId)
  const [single, digest, ...more] = await emailsOf(ctx, memberId)
  expect([single?.subject, digest?.subject, more]).toEqual(['1 miles posted', '3 rewards posted', []])
  expect(single?.text).toContain('For your meal at Bistro 1.')
  for (const line of [
    '2 miles: Bistro 2, Nov 24, 2026',
    '500 miles: Three lunches',
    '250 miles: Reserved table at Salt & Co',
  ])
    expect(digest?.text).toContain(line)
  expect(digest?.html).toContain('Reserved table at Salt &amp; Co')
  for (const each of [single, digest])
    expect(each?.text).toContain('You can change your notifications in your account, under Privacy.')
})

test('ACCT-031 after two emails about rewards in a day of the program, the others come as one the next morning', async () => {
  const ctx = context()
  const memberId = await addMember(ctx.db)
  await choose(ctx, memberId, 'rewardPosted')
  for (const about of ['1', '2', '3', '4', '5']) {
    await post(ctx, reward(memberId, about))
    await runDue(ctx, memberId)
  }
  expect(await subjects(ctx, memberId)).toEqual(['1 miles posted', '2 miles posted'])
  // Eight in the morning of the next day in New York.
  const { rows } = await sql<{ isMorning: boolean }>`
    select date_trunc('second', due_at at time zone 'America/New_York')
        = (now() at time zone 'America/New_York')::date + interval '1 day 8 hours' as "isMorning"
    from notifications where member_id = ${memberId} and status = 'waiting'`.execute(ctx.db)
  expect(rows).toEqual([{ isMorning: true }, { isMorning: true }, { isMorning: true }])
  // The night passes: everything is a day older.
  await sql`update emails set created_at = created_at - interval '1 day' where member_id = ${memberId}`.execute(ctx.db)
  await sql`update notifications set due_at = now() where member_id = ${memberId} and status = 'waiting'`.execute(
    ctx.db,
  )
  await runDue(ctx, memberId)
  expect(await subjects(ctx, memberId)).toEqual(['1 miles posted', '2 miles posted', '3 rewards posted'])
  expect((await statuses(ctx, memberId)).map(({ status }) => status)).toEqual(['sent', 'sent', 'sent', 'sent', 'sent'])
})

test('ACCT-031 many rewards are counted, and the first ones listed', async () => {
  const ctx = context()
  const memberId = await addMember(ctx.db)
  await choose(ctx, memberId, 'rewardPosted')
  const count = maxListedRewards + 3
  await post(ctx, ...Array.from({ length: count }, (_, index) => reward(memberId, String(index + 1))))
  await runDue(ctx, memberId)
  const [digest, ...others] = await emailsOf(ctx, memberId)
  expect([digest?.subject, others]).toEqual([`${count} rewards posted`, []])
  expect(digest?.text).toContain(`: Bistro ${maxListedRewards}, `)
  expect(digest?.text).not.toContain(`Bistro ${maxListedRewards + 1}, `)
  expect(digest?.text).toContain('Your account lists 3 more.')
})

test('ACCT-031 what a member has turned off while it waited is not sent, and other members’ rewards are no part of it', async () => {
  const ctx = context()
  const [memberId, other] = [await addMember(ctx.db), await addMember(ctx.db)]
  for (const id of [memberId, other]) await choose(ctx, id, 'rewardPosted')
  await post(ctx, reward(memberId, '71'), reward(other, '72'))
  await post(ctx, reward(memberId, '73', { topic: 'bonusEarned', params: { bonus: 'Lunches', benefit: '500 miles' } }))
  await choose(ctx, memberId, 'rewardPosted', false)
  await runDue(ctx, memberId)
  expect(await subjects(ctx, memberId)).toEqual(['Bonus earned: 500 miles'])
  expect((await statuses(ctx, memberId)).map(({ status }) => status)).toEqual(['unwanted', 'sent'])
  expect((await statuses(ctx, other)).map(({ status }) => status)).toEqual(['waiting'])
})

/** Receives a message about a dine of $500 now. */
const receiveDine = (ctx: Ctx, event: 'clearing' | 'refund', id: string, card: TestCard, merchant: TestMerchant) =>
  receiveEvent(
    ctx,
    feedEvent(`transaction.${event}`, {
      id,
      programId: ctx.partnerId,
      amount: event === 'refund' ? '-500.00' : '500.00',
      datetime: ctx.now().toISOString(),
      card: { id: card.token, scheme: 'visa', lastNumbers: card.lastFour },
      location: { id: merchant.locationId },
    }),
  )

test('ACCT-030 reaching VIP is told once a year, with its first and last day, also after a refund has taken it back', async () => {
  const ctx = context('beacon')
  const memberId = await addMember(ctx.db)
  const card = await addCard(ctx.db, memberId)
  const merchant = await addMerchant(ctx.db)
  const year = ctx.now().getUTCFullYear()
  const dine = (event: 'clearing' | 'refund', id: string) => receiveDine(ctx, event, id, card, merchant)
  await dine('clearing', 'vip-1')
  await runDue(ctx, memberId)
  const { rows } = await sql<{ from: string; until: string }>`select vip_from::text as from, vip_until::text as until
    from members where id = ${memberId}`.execute(ctx.db)
  expect(rows[0]?.until).toBe(`${year + 1}-12-31`)
  await dine('refund', 'vip-1')
  await dine('clearing', 'vip-2')
  await runDue(ctx, memberId)
  expect(await subjects(ctx, memberId)).toEqual(['You’ve reached VIP'])
  const [email] = await emailsOf(ctx, memberId)
  expect(email?.text).toMatch(new RegExp(`begins on .+ and lasts through Dec 31, ${year + 1}\\.`))
  // The next year is reached, too.
  await sql`update members set vip_from = ${`${year - 1}-05-01`}, vip_until = ${`${year}-12-31`}, tier_level = 'VIP'
    where id = ${memberId}`.execute(ctx.db)
  await sql`delete from notifications where member_id = ${memberId}`.execute(ctx.db)
  await inTransaction(ctx.db, (tx) => updateVip(tx, ctx, [memberId]))
  expect(await statuses(ctx, memberId)).toMatchObject([{ about: `${memberId}:${year + 1}-12-31` }])
})

test('ACCT-030 an account that is not activated gets no email about VIP', async () => {
  const ctx = context('beacon')
  const ids = [await addMember(ctx.db, { tier: 'NonActivated' }), await addMember(ctx.db, { tier: 'OptedOut' })]
  const merchant = await addMerchant(ctx.db)
  for (const memberId of ids) {
    const card = await addCard(ctx.db, memberId)
    await receiveDine(ctx, 'clearing', `tier-${memberId}`, card, merchant)
  }
  await runDue(ctx, ids[1] as number)
  const told = await Promise.all(ids.map((id) => statuses(ctx, id)))
  expect(told.map((rows) => rows.length)).toEqual([0, 1])
  // Another member has reached VIP of the same year.
  expect(await subjects(ctx, ids[1] as number)).toEqual(['You’ve reached VIP'])
})

test('CON-116 a credit and a debit of customer service are told once each, without the operator’s words, and not as rewards', async () => {
  const ctx = context('beacon')
  const memberId = await addMember(ctx.db)
  const adjust = (amount: number) =>
    inTransaction(ctx.db, (tx) =>
      postAdjustment(tx, ctx, { id: randomUUID(), memberId, amount, words: 'Olga called twice', by: ['Ada'] }),
    )
  await adjust(125)
  await adjust(-50)
  await choose(ctx, memberId, 'rewardPosted')
  await post(ctx, reward(memberId, '1'), reward(memberId, '2'), reward(memberId, '3'))
  await runDue(ctx, memberId)
  const { rows } = await sql<{ topic: string; subject: string; text: string }>`
    select topic, subject, body_text as text from emails where member_id = ${memberId} order by id`.execute(ctx.db)
  expect(rows.map(({ topic, subject }) => [topic, subject])).toEqual([
    ['notice.balanceAdjusted', '$1.25 added'],
    ['notice.balanceAdjusted', '$0.50 taken back'],
    ['notice.rewards', '3 rewards posted'],
  ])
  expect(rows[0]?.text).toContain('Customer service added $1.25 to your balance.')
  expect(rows[1]?.text).toContain('Customer service took $0.50 back from your balance.')
  expect(rows.map(({ text }) => text).join()).not.toContain('Olga')
  // Who turned it off gets none, and one who only wants devices to ring gets it there.
  await choose(ctx, memberId, 'balanceAdjusted', false)
  await sql`insert into push_subscriptions (partner_id, member_id, endpoint, p256dh, auth, time_zone)
    values (current_partner(), ${memberId}, ${`https://push.example/${memberId}`}, '', '', 'UTC')`.execute(ctx.db)
  await adjust(200)
  const queued = await sql<{ channel: string; params: object }>`select channel, params from notifications
    where member_id = ${memberId} and topic = 'balanceAdjusted' and status = 'waiting'`.execute(ctx.db)
  expect(queued.rows).toEqual([{ channel: 'push', params: { benefit: '$2.00' } }])
})
