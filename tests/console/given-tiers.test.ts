import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { findMemberRow, getCurrentTier, insertTierGrant } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { addDays } from '../../src/platform/time.ts'
import { dayOf } from '../../src/programs/partners/rules.ts'
import { asOwner, withoutBotCheck } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, createTestContext, receiveEvent } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const partner = 'skyharbor'
const zone = { timeZone: 'America/New_York' }
let ada: ConsoleSession

beforeAll(async () => {
  await withoutBotCheck(partner, app)
  const [email, password] = ['ada@dineback.example', 'sourdough 4 breakfast']
  await addOperator(app.database.consolePools.shared, { email, name: 'Ada', role: 'admin', partners: null, password })
  ada = await openConsole(app, email, password)
})

const today = () => dayOf(zone, new Date())
const inDays = (days: number) => addDays(today(), days)
const at = (member: { publicId: string }, path = '') => `/api/programs/${partner}/members/${member.publicId}${path}`
const detail = async (member: { publicId: string }) => (await ada.call('GET', at(member))).body
const preview = (member: { publicId: string }, body: object) => ada.call('POST', at(member, '/tier-preview'), body)

async function give(member: { publicId: string }, lastDay: string, tier = 'VIP') {
  const { fingerprint } = (await preview(member, { tier, lastDay })).body
  return ada.call('POST', at(member, '/tiers'), { tier, lastDay, fingerprint, reason: 'A long wait for a table.' })
}

test('CON-752 an operator gives a tier until a day after seeing what the next dine earns, and ends it early', async () => {
  const member = await createCardMember(app, partner)
  const own = async () => (await member.visitor.get('/api/Member')).json()
  const earned = (await own()).tierLevel
  expect(earned).not.toBe('VIP')
  const lastDay = inDays(30)
  const { body: shown } = await preview(member, { tier: 'VIP', lastDay })
  expect(shown).toMatchObject({ after: 'VIP member', bill: '$100.00', replaces: null })
  expect([shown.rewardBefore, shown.rewardAfter]).toEqual(['300 miles', '500 miles'])
  expect(await own()).toMatchObject({ tierLevel: earned, tierUntil: null })

  const before = await member.sendTransaction('clearing', '100.00')
  expect((await give(member, lastDay)).body).toMatchObject({
    tierLevel: 'VIP',
    earnedTier: earned,
    givenTier: { until: lastDay, by: 'Ada' },
  })
  expect(await own()).toMatchObject({ tierLevel: 'VIP', tierUntil: lastDay })
  const during = await member.sendTransaction('clearing', '100.00')
  const benefits = async () => {
    const rows = await asOwner<{ id: string; benefit: number; given: boolean | null }>(
      app,
      `select network_id as id, benefit::int, (reason -> 'inputs' -> 'member' ->> 'granted')::boolean as given
       from transactions where member_id = $1 order by id`,
      [member.memberId],
    )
    return Object.fromEntries(rows.map(({ id, benefit, given }) => [id, [benefit, given]]))
  }
  expect(await benefits()).toEqual({ [before]: [300, null], [during]: [500, true] })

  // Extending it replaces it.
  const again = await preview(member, { tier: 'VIP', lastDay: inDays(60) })
  expect(again.body).toMatchObject({ before: 'VIP member', after: 'VIP member', replaces: lastDay })
  expect((await give(member, inDays(60))).body.givenTier.until).toBe(inDays(60))

  const ended = await ada.call('POST', at(member, '/tiers/end'), { reason: 'A mistake.' })
  expect(ended.body).toMatchObject({ tierLevel: earned, givenTier: null })
  expect(await own()).toMatchObject({ tierLevel: earned, tierUntil: null })
  const after = await member.sendTransaction('clearing', '100.00')
  // What was earned until then is kept, also when more is told of it.
  await member.sendTransaction('refund', '50.00', during)
  expect(await benefits()).toEqual({ [before]: [300, null], [during]: [250, true], [after]: [300, null] })
  expect((await ada.call('POST', at(member, '/tiers/end'), { reason: 'Once more' })).body.code).toBe('noGivenTier')

  const titles = (await ada.call('GET', at(member, '/timeline'))).body.items.map(
    ({ title }: { title: string }) => title,
  )
  expect(titles.filter((title: string) => title.startsWith('Tier given'))).toHaveLength(2)
  expect(titles).toContain('Given tier ended')
})

test('CON-752 a tier that is not higher, a day that is over or far away, and an outdated outcome are refused', async () => {
  const member = await createCardMember(app, partner)
  const fieldsOf = async (body: object) =>
    (await preview(member, body)).body.map(({ field }: { field: string }) => field)
  expect(await fieldsOf({ tier: 'VIP', lastDay: inDays(-1) })).toEqual(['lastDay'])
  expect(await fieldsOf({ tier: 'VIP', lastDay: inDays(732) })).toEqual(['lastDay'])
  expect((await preview(member, { tier: 'VIP', lastDay: inDays(731) })).status).toBe(200)
  expect((await preview(member, { tier: 'VIP', lastDay: today() })).status).toBe(200)
  expect(await fieldsOf({ tier: 'OptedOut', lastDay: today() })).toEqual(['tier'])
  expect(await fieldsOf({ tier: 'NonActivated', lastDay: today() })).toEqual(['tier'])
  const body = { tier: 'VIP', lastDay: today(), fingerprint: 'another', reason: 'A long wait.' }
  expect((await ada.call('POST', at(member, '/tiers'), body)).body.code).toBe('conflict')
  await asOwner(app, "update members set tier_level = 'VIP' where id = $1", [member.memberId])
  expect(await fieldsOf({ tier: 'OptedIn', lastDay: today() })).toEqual(['tier'])
  expect(await detail(member)).toMatchObject({ tiersToGive: [], givenTier: null })
})

test('CON-753 a tier that is given never lowers one that is earned meanwhile', async () => {
  const member = await createCardMember(app, partner)
  await asOwner(app, "update members set tier_level = 'OptedOut', email_opt_in = false where id = $1", [
    member.memberId,
  ])
  await give(member, inDays(10), 'OptedIn')
  expect(await detail(member)).toMatchObject({ tierLevel: 'OptedIn', earnedTier: 'OptedOut' })
  await asOwner(app, "update members set tier_level = 'VIP' where id = $1", [member.memberId])
  expect(await detail(member)).toMatchObject({ tierLevel: 'VIP', earnedTier: 'VIP', givenTier: null })
})

test('CON-753 it ends by itself after its last day: for meals in the calendar of the restaurant, else of the program', async () => {
  const now = { at: new Date('2026-12-20T12:00:00Z') }
  const ctx = { ...createTestContext({ pools: app.database.pools }, partner), now: () => now.at }
  const memberId = await addMember(ctx.db)
  const card = await addCard(ctx.db, memberId, { linkedAt: new Date('2026-01-02T12:00:00Z') })
  const grant = { publicId: publicId(), memberId, tier: 'VIP' as const, givenAt: now.at, givenBy: 'Ada' }
  await inTransaction(ctx.db, (tx) => insertTierGrant(tx, { ...grant, lastDay: '2026-12-31' }))
  const places = {
    honolulu: await addMerchant(ctx.db, { timeZone: 'Pacific/Honolulu' }),
    newYork: await addMerchant(ctx.db),
  }
  const earnedAt = async (datetime: string, place: keyof typeof places) => {
    const id = randomUUID()
    const location = { id: places[place].locationId }
    const of = {
      id,
      amount: '100.00',
      datetime,
      updated: datetime,
      card: { id: card.token, lastNumbers: card.lastFour },
    }
    await receiveEvent(ctx, feedEvent('transaction.clearing', { ...of, location }))
    const [row] = await asOwner<{ benefit: number }>(
      app,
      'select benefit::int from transactions where network_id = $1',
      [id],
    )
    return row?.benefit
  }
  // Messages come later than the meals.
  now.at = new Date('2027-01-04T12:00:00Z')
  expect([
    await earnedAt('2026-12-20T11:59:59Z', 'newYork'),
    await earnedAt('2026-12-20T12:00:00Z', 'newYork'),
    // A minute before and after midnight in New York, and in Honolulu, five hours later.
    await earnedAt('2027-01-01T04:59:00Z', 'newYork'),
    await earnedAt('2027-01-01T05:00:00Z', 'newYork'),
    await earnedAt('2027-01-01T09:59:00Z', 'honolulu'),
    await earnedAt('2027-01-01T10:00:00Z', 'honolulu'),
  ]).toEqual([300, 500, 500, 300, 500, 300])

  const member = await findMemberRow(ctx.db, memberId)
  const shownAt = async (instant: string) => {
    now.at = new Date(instant)
    return (await getCurrentTier(ctx, member as NonNullable<typeof member>)).tier
  }
  expect(ctx.program.config.timeZone).toBe('America/New_York')
  expect([
    await shownAt('2026-12-20T11:59:59Z'),
    await shownAt('2026-12-20T12:00:00Z'),
    await shownAt('2027-01-01T04:59:59Z'),
    await shownAt('2027-01-01T05:00:00Z'),
  ]).toEqual(['OptedIn', 'VIP', 'VIP', 'OptedIn'])
})

afterEach(() => setClock(null))
const setClock = async (moment: string | null) => {
  const member = await clockSetter
  await member?.visitor.change('PUT', '/api/staging/clock', { at: moment })
}
let clockSetter: ReturnType<typeof createCardMember> | undefined

test('CON-753 CON-754 with the staging clock after its last day the member has the earned tier again', async () => {
  clockSetter = createCardMember(app, partner)
  const member = await clockSetter
  const earned = (await member.visitor.get('/api/Member')).json().tierLevel
  await give(member, inDays(2))
  const tierAt = async (day: string) => {
    await setClock(`${day}T17:00:00Z`)
    const { tierLevel, tierUntil } = (await member.visitor.get('/api/Member')).json()
    return [tierLevel, tierUntil]
  }
  expect(await tierAt(inDays(2))).toEqual(['VIP', inDays(2)])
  expect(await tierAt(inDays(3))).toEqual([earned, null])
})

test('CON-754 the member reads until when the tier is given, and why a meal earned more', async () => {
  const member = await createCardMember(app, partner)
  const lastDay = inDays(30)
  await give(member, lastDay)
  const quote = await member.visitor.get(`/api/v2/Merchants/${member.merchant.slug}/Earn?amount=100`)
  expect(quote.json()).toMatchObject({ benefit: 500, tier: 'VIP', reason: { key: 'rewards.why.earned_given' } })
  await member.sendTransaction('clearing', '100.00')
  const [transaction] = await member.listTransactions()
  expect(transaction.reason.key).toBe('rewards.why.earned_given')
  await member.sendTransaction('auth', '100.00')
  const pending = (await member.listTransactions()).find(({ awardStatus }) => awardStatus === 'Pending')
  expect(pending.reason.key).toBe('rewards.why.earned_given_pending')
  const transactions = `/api/programs/${partner}/transactions/${transaction.sourceTransactionId}`
  expect(JSON.stringify((await ada.call('GET', transactions)).body)).toContain('VIP member, given until a day')
})
