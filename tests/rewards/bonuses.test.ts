import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { purgeFormerMembers } from '../../src/identity/members/service.ts'
import { asOwner, visit } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { linkCard } from '../support/members.ts'
import { findLedgerViolations } from '../support/rewards-harness.ts'
import { cardNumber } from '../support/sealed-card.ts'

const app = setUpTestApp()

const activate = ({ visitor }: CardMember, code: string, headers: Record<string, string> = {}) =>
  visitor.change('POST', `/api/Member/Bonus/${code}`, undefined, headers)
const getBonuses = async ({ visitor }: CardMember) =>
  (await visitor.get('/api/Member'))
    .json()
    .activeBonuses.map((bonus: { code: string; bonusStatus: string }) => [bonus.code, bonus.bonusStatus])
const asApp = { 'user-agent': 'Mozilla/5.0 DinebackApp/2.1.0 (ios)' }

test('API-033 BON-011 DATA-008 a bonus is activated once, and every request returns true', async () => {
  const member = await createCardMember(app, 'orchard')
  expect(await getBonuses(member)).toEqual([
    ['ORC-PLUS', 'Eligible'],
    ['ORC-WELCOME', 'Eligible'],
  ])
  const responses = await Promise.all(Array.from({ length: 5 }, () => activate(member, 'ORC-PLUS')))
  expect(responses.map((response) => [response.status, response.text])).toEqual(Array(5).fill([200, 'true']))
  expect(await getBonuses(member)).toEqual([
    ['ORC-PLUS', 'Enrolled'],
    ['ORC-WELCOME', 'Eligible'],
  ])
  expect((await visit(app, 'orchard').change('POST', '/api/Member/Bonus/ORC-PLUS')).status).toBe(401)
  expect((await activate(member, 'NOTHING')).status).toBe(404)
})

test('a new-member bonus requires that nothing was earned yet, and is paid with the first transaction', async () => {
  const late = await createCardMember(app)
  await late.sendTransaction('clearing', '20.00')
  expect((await activate(late, 'SKY-NMB')).json().code).toBe('bonusNotOffered')
  const invited = await createCardMember(app, 'skyharbor', { source: 'EMAIL-NMB' })
  expect((await activate(invited, 'SKY-NMB')).text).toBe('true')
  await invited.sendTransaction('clearing', '20.00')
  const [first, second] = await invited.listTransactions()
  const entries = [first, second].toSorted((a, b) => a.benefitAmount - b.benefitAmount)
  expect(entries.map((entry) => [entry.transactionTypeCode, entry.benefitAmount])).toEqual([
    ['S', 60],
    ['B', 500],
  ])
  expect(entries[1].reason).toMatchObject({
    key: 'rewards.why.bonus',
    params: { bonus: '500 miles for your first dine', benefit: '500 miles' },
  })
  expect(await getBonuses(invited)).toContainEqual(['SKY-NMB', 'Qualified'])
})

test('BON-007 a member from another source, or who joined more than 90 days ago, is not offered the injected bonus', async () => {
  const other = await createCardMember(app, 'skyharbor', { source: 'WEB' })
  expect((await activate(other, 'SKY-NMB')).status).toBe(409)
  const old = await createCardMember(app, 'skyharbor', { source: 'EMAIL-NMB' })
  await sql`update members set joined_at = now() - interval '91 days' where id = ${old.memberId}`.execute(
    app.database.pools.forPartner('skyharbor'),
  )
  expect((await activate(old, 'SKY-NMB')).status).toBe(409)
})

test('BON-008 the app’s bonus can be activated in the app only', async () => {
  const member = await createCardMember(app, 'gallonaire')
  expect((await activate(member, 'GAL-APP')).status).toBe(409)
  expect((await activate(member, 'GAL-APP', asApp)).text).toBe('true')
})

test('BON-029 a bonus for several transactions is given once, with one email, reversed by a refund, and given again', async () => {
  const member = await createCardMember(app, 'orchard')
  await sql`update merchant_offers set max_visits_per_month = null where merchant_id = ${member.merchant.id}`.execute(
    app.database.pools.shared,
  )
  await activate(member, 'ORC-PLUS')
  const db = app.database.pools.forPartner('orchard')
  const review = () =>
    sql`update transactions set reason = jsonb_set(reason, '{inputs,review}', '"done"') where member_id = ${member.memberId} and type_code = 'S'`.execute(
      db,
    )
  const eat = async (event: 'auth' | 'clearing' | 'refund', amount: string, id?: string) => {
    const transactionId = await member.sendTransaction(event, amount, id)
    await review()
    return transactionId
  }
  const bonus = async () => {
    const entry = (await member.listTransactions()).find((transaction) => transaction.transactionTypeCode === 'B')
    return entry && [entry.benefitAmount, entry.awardStatus]
  }
  await eat('auth', '20.00')
  const first = await eat('auth', '30.00')
  await eat('clearing', '30.00', first)
  expect(await bonus()).toBeUndefined()
  // At the same restaurant on the same day it would count as the same visit.
  const again = await eat('auth', '35.00')
  await eat('clearing', '35.00', again)
  expect(await bonus()).toBeUndefined()
  member.merchant = (await createCardMember(app, 'orchard')).merchant
  const second = await eat('auth', '40.00')
  await eat('clearing', '40.00', second)
  expect(await bonus()).toEqual([400, 'Awarded'])
  await eat('refund', '40.00', second)
  expect(await bonus()).toEqual([0, 'Forfeit'])
  expect((await getBonuses(member))[0]).toEqual(['ORC-PLUS', 'Enrolled'])
  const third = await eat('auth', '50.00')
  await eat('clearing', '50.00', third)
  expect(await bonus()).toEqual([400, 'Awarded'])
  const told = await asOwner<{ channel: string; params: object }>(
    app,
    "select channel, params from notifications where member_id = $1 and topic = 'bonusEarned'",
    [member.memberId],
  )
  expect(told).toEqual([{ channel: 'email', params: { bonus: 'Points Plus: two dinners', benefit: '400 points' } }])
  expect(await findLedgerViolations(db)).toEqual([])
})

describe('a bonus for new members', () => {
  const bonusEntry = async (member: CardMember) => {
    const entry = (await member.listTransactions()).find((transaction) => transaction.transactionTypeCode === 'B')
    return entry && [entry.benefitAmount, entry.awardStatus]
  }
  const remove = async ({ visitor }: CardMember) =>
    expect((await visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })).status).toBe(200)
  const number = () => `SKY${Math.random().toString().slice(2, 10)}`

  /** Creates a member who joined, verified the address, activated the bonus, earned it, and deleted the account. */
  async function former(over: Record<string, unknown> = {}, card = cardNumber()) {
    const form = { source: 'EMAIL-NMB', email: `former-${card}@example.com`, partnerNumber: number(), ...over }
    const member = await createCardMember(app, 'skyharbor', form, card)
    await asOwner(app, 'update members set email_verified_at = now() where id = $1', [member.memberId])
    expect((await activate(member, 'SKY-NMB')).status).toBe(200)
    await member.sendTransaction('clearing', '20.00')
    expect(await bonusEntry(member)).toEqual([500, 'Awarded'])
    await remove(member)
    return { form, card }
  }
  const invited = { source: 'EMAIL-NMB' }

  test('Case 73 is not offered to a member who returns with the same address, in another spelling, or the same member number', async () => {
    const { form } = await former()
    const sameEmail = await createCardMember(app, 'skyharbor', { ...invited, email: form.email.toUpperCase() })
    expect((await activate(sameEmail, 'SKY-NMB')).json().code).toBe('bonusNotOffered')
    const sameNumber = await createCardMember(app, 'skyharbor', { ...invited, partnerNumber: form.partnerNumber })
    expect((await activate(sameNumber, 'SKY-NMB')).json().code).toBe('bonusNotOffered')
    expect((await getBonuses(sameNumber)).find(([code]: string[]) => code === 'SKY-NMB')).toBeUndefined()
  })

  test('Case 73 is not paid for a card that another account had, deleted or closed, and is paid for a new card', async () => {
    const { card } = await former()
    const back = await createCardMember(app, 'skyharbor', invited, card)
    expect((await activate(back, 'SKY-NMB')).status).toBe(200)
    await back.sendTransaction('clearing', '20.00')
    expect(await bonusEntry(back)).toBeUndefined()
    // Closed by deleting the last card: the account remains and its card is free.
    const closed = await createCardMember(app)
    const [linked] = (await closed.visitor.get('/api/Member/Cards')).json()
    await closed.visitor.change('DELETE', `/api/Member/Cards?id=${linked.id}`)
    const second = await createCardMember(app, 'skyharbor', invited, closed.number)
    await activate(second, 'SKY-NMB')
    await second.sendTransaction('clearing', '20.00')
    expect(await bonusEntry(second)).toBeUndefined()
    // With the member's own card the bonus is paid.
    const { number: own } = await linkCard(app, second)
    await second.sendTransaction('clearing', '20.00', undefined, own.slice(-4))
    expect(await bonusEntry(second)).toEqual([500, 'Awarded'])
  })

  test('Case 73 is offered to a former member who had earned nothing, and to everyone after two years', async () => {
    const email = `early-${cardNumber()}@example.com`
    await remove(await createCardMember(app, 'skyharbor', { email }))
    const back = await createCardMember(app, 'skyharbor', { ...invited, email })
    expect((await activate(back, 'SKY-NMB')).status).toBe(200)
    const { form } = await former()
    const db = app.database.pools.forPartner('skyharbor')
    await sql`update former_member_identifiers set recorded_at = now() - interval '731 days'`.execute(db)
    await purgeFormerMembers(db)
    const late = await createCardMember(app, 'skyharbor', { ...invited, email: form.email })
    expect((await activate(late, 'SKY-NMB')).status).toBe(200)
  })

  test('Case 73 is not offered once something was earned, even if it was refunded', async () => {
    const member = await createCardMember(app, 'skyharbor', invited)
    const transactionId = await member.sendTransaction('clearing', '20.00')
    await member.sendTransaction('refund', '20.00', transactionId)
    expect((await activate(member, 'SKY-NMB')).json().code).toBe('bonusNotOffered')
  })

  test('Case 73 leaves hashes that identify no member and cannot be computed without the key', async () => {
    const { form } = await former()
    const marks = await asOwner<{ mark: Buffer }>(app, 'select identifier_hash as mark from former_member_identifiers')
    expect(marks.length).toBeGreaterThanOrEqual(3)
    const plain = [form.email, `email:${form.email}`, form.partnerNumber, `number:${form.partnerNumber}`]
    const hashes = plain.map((text) => createHash('sha256').update(text).digest('hex'))
    expect(marks.map(({ mark }) => mark.toString('hex')).filter((mark) => hashes.includes(mark))).toEqual([])
    const columns = await asOwner<{ name: string }>(
      app,
      "select column_name as name from information_schema.columns where table_name = 'former_member_identifiers'",
    )
    // The account and its card are redacted rows.
    const linked = ['card_id', 'member_id']
    expect(columns.map(({ name }) => name).toSorted()).toEqual(
      ['id', 'identifier_hash', 'partner_id', 'recorded_at', ...linked].toSorted(),
    )
    const members = await asOwner(
      app,
      `select email like '%@deleted.invalid' as is_redacted from members
        where id in (select member_id from former_member_identifiers) group by 1`,
    )
    expect(members).toEqual([{ is_redacted: true }])
  })
})
