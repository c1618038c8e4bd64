import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledgerFaults } from '../src/rewards/test-kitchen.ts'
import { startTestApp, type TestApp, visit } from './support/app.ts'
import { type Diner, newDiner } from './support/diner.ts'

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
