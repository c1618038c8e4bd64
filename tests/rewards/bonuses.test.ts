import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepMarks } from '../../src/identity/members/service.ts'
import { asOwner, startTestApp, type TestApp, visit } from '../support/app.ts'
import { type Diner, newDiner } from '../support/diner.ts'
import { linkCard } from '../support/members.ts'
import { ledgerFaults } from '../support/rewards.ts'
import { cardNumber } from '../support/sealed-card.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const activate = ({ visitor }: Diner, code: string, headers: Record<string, string> = {}) =>
  visitor.change('POST', `/api/Member/Bonus/${code}`, undefined, headers)
const bonusesOf = async ({ visitor }: Diner) =>
  (await visitor.get('/api/Member'))
    .json()
    .activeBonuses.map((bonus: { code: string; bonusStatus: string }) => [bonus.code, bonus.bonusStatus])
const asApp = { 'user-agent': 'Mozilla/5.0 DinebackApp/2.1.0 (ios)' }

test('API-033 BON-011 DATA-008 a bonus is activated once, answers true, and again true', async () => {
  const diner = await newDiner(app, 'orchard')
  expect(await bonusesOf(diner)).toEqual([
    ['ORC-PLUS', 'Eligible'],
    ['ORC-WELCOME', 'Eligible'],
  ])
  const answers = await Promise.all(Array.from({ length: 5 }, () => activate(diner, 'ORC-PLUS')))
  expect(answers.map((answer) => [answer.status, answer.text])).toEqual(Array(5).fill([200, 'true']))
  expect(await bonusesOf(diner)).toEqual([
    ['ORC-PLUS', 'Enrolled'],
    ['ORC-WELCOME', 'Eligible'],
  ])
  expect((await visit(app, 'orchard').change('POST', '/api/Member/Bonus/ORC-PLUS')).status).toBe(401)
  expect((await activate(diner, 'NOTHING')).status).toBe(404)
})

test('a welcome is for those who have not earned yet, and is paid with the first meal', async () => {
  const late = await newDiner(app)
  await late.dine('clearing', '20.00')
  expect((await activate(late, 'SKY-NMB')).json().code).toBe('bonusNotOffered')
  const invited = await newDiner(app, 'skyharbor', { source: 'EMAIL-NMB' })
  expect((await activate(invited, 'SKY-NMB')).text).toBe('true')
  await invited.dine('clearing', '20.00')
  const [first, second] = await invited.meals()
  const entries = [first, second].toSorted((a, b) => a.benefitAmount - b.benefitAmount)
  expect(entries.map((entry) => [entry.transactionTypeCode, entry.benefitAmount])).toEqual([
    ['S', 60],
    ['B', 500],
  ])
  expect(entries[1].reason).toMatchObject({
    key: 'rewards.why.bonus',
    params: { bonus: '500 miles for your first dine', benefit: '500 miles' },
  })
  expect(await bonusesOf(invited)).toContainEqual(['SKY-NMB', 'Qualified'])
})

test('BON-007 whoever came another way, or more than 90 days ago, is not offered the injected one', async () => {
  const other = await newDiner(app, 'skyharbor', { source: 'WEB' })
  expect((await activate(other, 'SKY-NMB')).status).toBe(409)
  const old = await newDiner(app, 'skyharbor', { source: 'EMAIL-NMB' })
  await sql`update members set joined_at = now() - interval '91 days' where id = ${old.memberId}`.execute(
    app.database.pools.forPartner('skyharbor'),
  )
  expect((await activate(old, 'SKY-NMB')).status).toBe(409)
})

test('BON-008 the app’s bonus is activated in the app only', async () => {
  const diner = await newDiner(app, 'gallonaire')
  expect((await activate(diner, 'GAL-APP')).status).toBe(409)
  expect((await activate(diner, 'GAL-APP', asApp)).text).toBe('true')
})

test('a bonus of several meals is given once, taken back with a refund, and given again', async () => {
  const diner = await newDiner(app, 'orchard')
  await sql`update merchant_offers set max_visits_per_month = null where merchant_id = ${diner.place.id}`.execute(
    app.database.pools.shared,
  )
  await activate(diner, 'ORC-PLUS')
  const db = app.database.pools.forPartner('orchard')
  const review = () =>
    sql`update transactions set reason = jsonb_set(reason, '{inputs,review}', '"done"') where member_id = ${diner.memberId} and type_code = 'S'`.execute(
      db,
    )
  const eat = async (event: 'auth' | 'clearing' | 'refund', amount: string, id?: string) => {
    const meal = await diner.dine(event, amount, id)
    await review()
    return meal
  }
  const bonus = async () => {
    const entry = (await diner.meals()).find((meal) => meal.transactionTypeCode === 'B')
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
  diner.place = (await newDiner(app, 'orchard')).place
  const second = await eat('auth', '40.00')
  await eat('clearing', '40.00', second)
  expect(await bonus()).toEqual([400, 'Awarded'])
  await eat('refund', '40.00', second)
  expect(await bonus()).toEqual([0, 'Forfeit'])
  expect((await bonusesOf(diner))[0]).toEqual(['ORC-PLUS', 'Enrolled'])
  const third = await eat('auth', '50.00')
  await eat('clearing', '50.00', third)
  expect(await bonus()).toEqual([400, 'Awarded'])
  expect(await ledgerFaults(db)).toEqual([])
})

describe('a bonus for new members', () => {
  const bonusEntry = async (diner: Diner) => {
    const entry = (await diner.meals()).find((meal) => meal.transactionTypeCode === 'B')
    return entry && [entry.benefitAmount, entry.awardStatus]
  }
  const remove = async ({ visitor }: Diner) =>
    expect((await visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })).status).toBe(200)
  const number = () => `SKY${Math.random().toString().slice(2, 10)}`

  /** Creates a member who joined, activated the bonus, earned it, and deleted the account. */
  async function former(over: Record<string, unknown> = {}, card = cardNumber()) {
    const form = { source: 'EMAIL-NMB', email: `former-${card}@example.com`, partnerNumber: number(), ...over }
    const diner = await newDiner(app, 'skyharbor', form, card)
    expect((await activate(diner, 'SKY-NMB')).status).toBe(200)
    await diner.dine('clearing', '20.00')
    expect(await bonusEntry(diner)).toEqual([500, 'Awarded'])
    await remove(diner)
    return { form, card }
  }
  const invited = { source: 'EMAIL-NMB' }

  test('Case 73 is not offered to who comes back with the same address, written otherwise, or member number', async () => {
    const { form } = await former()
    const sameEmail = await newDiner(app, 'skyharbor', { ...invited, email: form.email.toUpperCase() })
    expect((await activate(sameEmail, 'SKY-NMB')).json().code).toBe('bonusNotOffered')
    const sameNumber = await newDiner(app, 'skyharbor', { ...invited, partnerNumber: form.partnerNumber })
    expect((await activate(sameNumber, 'SKY-NMB')).json().code).toBe('bonusNotOffered')
    expect((await bonusesOf(sameNumber)).find(([code]: string[]) => code === 'SKY-NMB')).toBeUndefined()
  })

  test('Case 73 is not paid for a card that an account had before, deleted or closed, and is for a new card', async () => {
    const { card } = await former()
    const back = await newDiner(app, 'skyharbor', invited, card)
    expect((await activate(back, 'SKY-NMB')).status).toBe(200)
    await back.dine('clearing', '20.00')
    expect(await bonusEntry(back)).toBeUndefined()
    // Closed by deleting the last card: the account remains and its card is free.
    const closed = await newDiner(app)
    const [linked] = (await closed.visitor.get('/api/Member/Cards')).json()
    await closed.visitor.change('DELETE', `/api/Member/Cards?id=${linked.id}`)
    const second = await newDiner(app, 'skyharbor', invited, closed.number)
    await activate(second, 'SKY-NMB')
    await second.dine('clearing', '20.00')
    expect(await bonusEntry(second)).toBeUndefined()
    // With the member's own card the bonus is paid.
    const { number: own } = await linkCard(app, second)
    await second.dine('clearing', '20.00', undefined, own.slice(-4))
    expect(await bonusEntry(second)).toEqual([500, 'Awarded'])
  })

  test('Case 73 is open to who left without having earned, and after two years to everybody', async () => {
    const email = `early-${cardNumber()}@example.com`
    await remove(await newDiner(app, 'skyharbor', { email }))
    const back = await newDiner(app, 'skyharbor', { ...invited, email })
    expect((await activate(back, 'SKY-NMB')).status).toBe(200)
    const { form } = await former()
    const db = app.database.pools.forPartner('skyharbor')
    await sql`update returning_marks set marked_at = now() - interval '731 days'`.execute(db)
    await sweepMarks(db)
    const late = await newDiner(app, 'skyharbor', { ...invited, email: form.email })
    expect((await activate(late, 'SKY-NMB')).status).toBe(200)
  })

  test('Case 73 is not offered once something was earned, also when it was refunded', async () => {
    const diner = await newDiner(app, 'skyharbor', invited)
    const meal = await diner.dine('clearing', '20.00')
    await diner.dine('refund', '20.00', meal)
    expect((await activate(diner, 'SKY-NMB')).json().code).toBe('bonusNotOffered')
  })

  test('Case 73 leaves marks that neither name a member nor can be made without the key', async () => {
    const { form } = await former()
    const marks = await asOwner<{ mark: Buffer }>(app, 'select mark from returning_marks')
    expect(marks.length).toBeGreaterThanOrEqual(3)
    const plain = [form.email, `email:${form.email}`, form.partnerNumber, `number:${form.partnerNumber}`]
    const hashes = plain.map((text) => createHash('sha256').update(text).digest('hex'))
    expect(marks.map(({ mark }) => mark.toString('hex')).filter((mark) => hashes.includes(mark))).toEqual([])
    const columns = await asOwner<{ name: string }>(
      app,
      "select column_name as name from information_schema.columns where table_name = 'returning_marks'",
    )
    expect(columns.map(({ name }) => name).toSorted()).toEqual(['mark', 'marked_at', 'partner_id'])
  })
})
