import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { postManualCredit } from '../../src/rewards/awards/manual-credit.ts'
import { receiveEvents } from '../../src/rewards/feed/receive-events.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { asOwner } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { daysAgo, openClaim, settleClaim } from '../support/claims.ts'
import { decideClaim, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { linkCard } from '../support/members.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { createTestContext, findLedgerViolations } from '../support/rewards-harness.ts'

const app = setUpTestApp()
let consoleSession: Awaited<ReturnType<typeof openConsole>>
beforeAll(async () => {
  const sam = { email: 'sam@dineback.example', name: 'Sam Support', password: 'sourdough 4 breakfast' } as const
  await addOperator(app.database.consolePools.shared, { ...sam, role: 'support', partners: ['skyharbor'] })
  // One session: sign-ins are limited.
  consoleSession = await openConsole(app, sam.email, sam.password)
})

const db = () => app.database.pools.forPartner('skyharbor')
const decide = async (id: string, reward = '144', confirmed: { otherMeals?: readonly string[] } = {}) => {
  const { status } = await decideClaim(consoleSession, 'skyharbor', id, { code: 'credited', reward, ...confirmed })
  expect(status).toBe(200)
}
const settled = (id: string) => settleClaim(app, id)
const entries = async (member: CardMember) =>
  (await member.listTransactions())
    .map((transaction) => [
      transaction.transactionTypeCode,
      transaction.awardStatus,
      transaction.benefitAmount,
      transaction.reason.code,
    ])
    .toSorted()
const balance = ({ memberId }: CardMember) => getBalance(db(), memberId, 'mile')
/** Credits $48.00 of today by hand, as a claim does whose operator confirmed that it is none of these entries. */
const credit = (member: CardMember, name: string, otherMeals: readonly string[] = []) =>
  inTransaction(db(), (tx) =>
    postManualCredit(tx, createTestContext(app.database, 'skyharbor'), {
      memberId: member.memberId,
      cardId: null,
      cardLastFour: member.lastFour,
      merchantId: member.merchant.id,
      merchantName: 'Corner Bistro',
      claimId: `${name}-${member.publicId}`,
      cents: 48_00,
      benefit: 144,
      dinedAt: new Date(`${daysAgo(0)}T12:00:00Z`),
      otherMeals,
    }),
  )
/** Moves the claim to today, because the staging tools create transactions of today. */
const asToday = (member: CardMember) =>
  sql`update claims set transaction_date = ${daysAgo(0)} where member_id = ${member.memberId}`.execute(db())
/** Opens a claim about a transaction of today, which an operator credits. */
async function creditClaim(member: CardMember, over: Record<string, unknown> = {}): Promise<void> {
  const { id } = (await openClaim(member, over)).json()
  await asToday(member)
  await decide(id)
  await settled(id)
}

describe('a transaction that arrives after its claim was credited', () => {
  test('HIST-024 replaces the credit: a transaction is paid once, also after later refunds', async () => {
    const member = await createCardMember(app)
    await creditClaim(member)
    expect(await balance(member)).toBe(144)
    const network = await member.sendTransaction('auth', '48.00')
    expect(await balance(member)).toBe(144)
    await member.sendTransaction('clearing', '48.00', network)
    expect(await entries(member)).toEqual([
      ['M', 'Forfeit', 0, 'replacedByTransaction'],
      ['S', 'Awarded', 144, 'earned'],
    ])
    expect(await balance(member)).toBe(144)
    await member.sendTransaction('refund', '48.00', network)
    expect(await balance(member)).toBe(0)
    expect(await findLedgerViolations(db())).toEqual([])
  })

  test('HIST-024 replaces one credit: two purchases that arrive at once replace two', async () => {
    const member = await createCardMember(app)
    const claims = []
    // The amounts differ, so that they are two claims, and each could be either purchase.
    for (const amount of ['48.00', '48.50'])
      claims.push((await openClaim(member, { amount, anotherMeal: true })).json().id as string)
    await asToday(member)
    for (const id of claims) {
      // The second is confirmed to be another meal than the first.
      await decide(id, '144', id === claims[0] ? undefined : { otherMeals: [`manual:claim:${claims[0]}`] })
      await settled(id)
    }
    const [card] = await asOwner<{ token: string }>(app, 'select token from cards where member_id = $1', [
      member.memberId,
    ])
    const [place] = await asOwner<{ id: string }>(
      app,
      'select network_location_id as id from merchants where id = $1',
      [member.merchant.id],
    )
    const at = `${daysAgo(0)}T00:00:01.000Z`
    const events = ['one', 'two'].map((name) =>
      feedEvent('transaction.clearing', {
        id: `${name}-${member.publicId}`,
        programId: 'skyharbor',
        amount: '48.00',
        datetime: at,
        created: at,
        updated: at,
        card: { id: card?.token ?? '', lastNumbers: member.lastFour },
        location: { id: place?.id ?? '' },
      }),
    )
    await receiveEvents(createTestContext(app.database, 'skyharbor'), events)
    const credits = (await entries(member)).filter(([type]) => type === 'M')
    expect(credits).toEqual([
      ['M', 'Forfeit', 0, 'replacedByTransaction'],
      ['M', 'Forfeit', 0, 'replacedByTransaction'],
    ])
    expect(await findLedgerViolations(db())).toEqual([])
  })

  test('HIST-024 replaces one credit each: two purchases that arrive one after the other', async () => {
    const member = await createCardMember(app)
    const confirmed = [`manual:claim:one-${member.publicId}`]
    expect([await credit(member, 'one'), await credit(member, 'two', confirmed)]).toEqual([true, true])
    const credits = async () => (await entries(member)).filter(([type]) => type === 'M').map(([, status]) => status)
    expect([await credits(), await balance(member)]).toEqual([['Awarded', 'Awarded'], 288])
    await member.sendTransaction('clearing', '48.00')
    expect([await credits(), await balance(member)]).toEqual([['Awarded', 'Forfeit'], 288])
    await member.sendTransaction('clearing', '48.00')
    expect([await credits(), await balance(member)]).toEqual([['Forfeit', 'Forfeit'], 288])
  })

  test('HIST-024 is another one than an earlier purchase of that day, which leaves the credit when it is corrected', async () => {
    const member = await createCardMember(app)
    const earlier = await member.sendTransaction('clearing', '48.00')
    await member.sendTransaction('clearing', '49.00', earlier)
    const isCredited = await credit(member, 'late', [earlier])
    expect([isCredited, await balance(member)]).toEqual([true, 147 + 144])
    await member.sendTransaction('clearing', '50.00', earlier)
    expect(await balance(member)).toBe(150 + 144)
  })

  test('HIST-024 Case 153 keeps the place of the credit when its charge is corrected to nothing, and leaves it as another meal', async () => {
    const member = await createCardMember(app)
    await credit(member, 'void')
    const meal = await member.sendTransaction('clearing', '48.00')
    expect(await balance(member)).toBe(144)
    const voided = [
      ['M', 'Forfeit', 0, 'replacedByTransaction'],
      ['S', 'Forfeit', 0, 'reversed'],
    ]
    for (const _ of [1, 2]) {
      await member.sendTransaction('clearing', '0.00', meal)
      expect([await entries(member), await balance(member)]).toEqual([voided, 0])
    }
    // Another meal of that day takes no second place, and another credit gets a place of its own.
    await credit(member, 'second', [meal, `manual:claim:void-${member.publicId}`])
    expect(await balance(member)).toBe(144)
    await member.sendTransaction('clearing', '48.00')
    expect(await balance(member)).toBe(144)
    // It was charged after all.
    await member.sendTransaction('clearing', '48.00', meal)
    expect(await balance(member)).toBe(288)
    await member.sendTransaction('clearing', '0.00', meal)
    expect(await balance(member)).toBe(144)
    // A charge of another amount was another meal.
    await member.sendTransaction('clearing', '400.00', meal)
    expect(await balance(member)).toBe(144 + 144 + 1200)
    expect(await findLedgerViolations(db())).toEqual([])
  })

  test('HIST-024 Case 153 a charge of nothing takes the place of no credit that an operator decides on later', async () => {
    const member = await createCardMember(app)
    const meal = await member.sendTransaction('auth', '48.00')
    await member.sendTransaction('clearing', '0.00', meal)
    expect([await credit(member, 'later'), await balance(member)]).toEqual([true, 144])
    await member.sendTransaction('clearing', '0.00', meal)
    expect(await balance(member)).toBe(144)
  })

  test('HIST-024 began with a credit like any reward: beside the card that the claim names, completing a bonus', async () => {
    const member = await createCardMember(app, 'skyharbor', { source: 'EMAIL-NMB' })
    const { number } = await linkCard(app, member)
    expect((await member.visitor.change('POST', '/api/Member/Bonus/SKY-NMB')).status).toBe(200)
    await sql`update member_bonuses set enrolled_at = now() - interval '2 days' where member_id = ${member.memberId}`.execute(
      db(),
    )
    const cards = (await member.visitor.get('/api/Member/Cards')).json<{ id: string; lastFour: string }[]>()
    const older = cards.find(({ lastFour }) => lastFour === member.lastFour)
    expect(number.slice(-4)).not.toBe(older?.lastFour)
    await creditClaim(member, { cardId: older?.id })
    expect(await balance(member)).toBe(144 + 500)
    const posted = await asOwner(
      app,
      'select type_code, card_last_four from transactions where member_id = $1 and benefit > 0 order by type_code',
      [member.memberId],
    )
    expect(posted).toEqual([
      { type_code: 'B', card_last_four: member.lastFour },
      { type_code: 'M', card_last_four: member.lastFour },
    ])
  })

  test('HIST-024 a credit is beside the card that was linked on the day, and the audit log names nobody for its posting', async () => {
    const member = await createCardMember(app)
    await linkCard(app, member)
    const { id } = (await openClaim(member)).json()
    await decide(id)
    await settled(id)
    const [posted] = await asOwner<{ lastFour: string }>(
      app,
      `select card_last_four as "lastFour" from transactions where member_id = $1 and type_code = 'M'`,
      [member.memberId],
    )
    expect(posted?.lastFour).toBe(member.lastFour)
    const entries = await asOwner<{ actor: string; action: string }>(
      app,
      "select actor, action from audit_entries where member_id = $1 and action like 'claim.%' order by id",
      [member.memberId],
    )
    expect(entries).toEqual([
      { actor: `member:${member.memberId}`, action: 'claim.opened' },
      { actor: 'system', action: 'claim.settled' },
    ])
  })

  test('HIST-024 is not credited again when it arrives between decision and posting', async () => {
    const member = await createCardMember(app)
    const { id } = (await openClaim(member)).json()
    await asToday(member)
    // Decided just before the purchase is posted, and applied after it.
    const credited = '{"code": "credited", "words": "", "benefit": 144}'
    await sql`update claims set decided_at = now(), settled_at = now(), decided_by = 'sam', decision = ${credited}
    where public_id = ${id}`.execute(db())
    await member.sendTransaction('clearing', '48.00')
    for (const status of ['Awarded', 'Paid']) {
      await sql`update transactions set award_status = ${status}
        where member_id = ${member.memberId} and type_code = 'S'`.execute(db())
      // The decision enqueues its job.
      await sql`update claims set settled_at = null, decided_at = decided_at, decision = ${credited}
      where public_id = ${id}`.execute(db())
      expect(await settled(id)).toBe('alreadyEarned')
      // The credit is stored, because a correction can show that the purchase was another meal.
      expect(await entries(member)).toEqual([
        ['M', 'Forfeit', 0, 'replacedByTransaction'],
        ['S', status, 144, 'earned'],
      ])
    }
    expect(await balance(member)).toBe(144)
    const emails = await asOwner<{ text: string }>(
      app,
      "select body_text as text from emails where topic = 'claim.decided' and member_id = $1",
      [member.memberId],
    )
    expect(emails).toEqual([{ text: expect.stringContaining('It had already earned.') }])
  })

  test('HIST-024 leaves the credit if restaurant, bill or day differ', async () => {
    const member = await createCardMember(app)
    await creditClaim(member)
    await member.sendTransaction('clearing', '20.00')
    expect((await entries(member)).map(([type, , benefit]) => [type, benefit])).toEqual([
      ['M', 144],
      ['S', 60],
    ])
    await sql`update transactions set occurred_at = occurred_at - interval '3 days' where member_id = ${member.memberId} and type_code = 'M'`.execute(
      db(),
    )
    await member.sendTransaction('clearing', '48.00')
    expect(await balance(member)).toBe(144 + 60 + 144)
    expect(await findLedgerViolations(db())).toEqual([])
  })
})
