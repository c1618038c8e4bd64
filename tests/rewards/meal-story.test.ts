import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type Diner, newDiner } from '../support/diner.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

interface Line {
  key: string
  params: Record<string, string>
  amount: string
}

async function storyOf(diner: Diner, id?: string) {
  const meal = id ?? (await diner.meals())[0].sourceTransactionId
  return (await diner.visitor.get(`/api/Member/Transactions/${meal}/Story`)).json()
}
const kinds = (story: { steps: Line[] }) => story.steps.map(({ key }) => key.replace('rewards.story.', ''))
const amounts = (story: { sum: Line[] }) =>
  Object.fromEntries(story.sum.map(({ key, amount }) => [key.replace('rewards.sum.', ''), amount]))

test('a dinner with a tip is seen, charged more, posted, and each cent of it adds up', async () => {
  const diner = await newDiner(app)
  const id = await diner.dine('auth', '40.00')
  const waiting = await storyOf(diner)
  expect(kinds(waiting)).toEqual(['seen'])
  expect(waiting.next.key).toBe('rewards.story.next_clearing')
  await diner.dine('clearing', '48.00', id)
  const story = await storyOf(diner)
  expect(kinds(story)).toEqual(['seen', 'charged_more', 'posted'])
  expect(story.steps[1].params).toEqual({ amount: '$48.00', more: '$8.00' })
  expect(amounts(story)).toEqual({ bill: '$48.00', rate: '3 miles per dollar', benefit: '144 miles' })
  expect(story.next).toBeNull()
  expect((await diner.meals())[0].benefitAmount).toBe(144)
})

test('a refund is told, and what is taken back with it', async () => {
  const diner = await newDiner(app)
  const id = await diner.dine('clearing', '50.00')
  await diner.dine('refund', '20.00', id)
  const story = await storyOf(diner)
  expect(kinds(story)).toEqual(expect.arrayContaining(['charged', 'posted', 'refunded', 'taken_back']))
  expect(amounts(story)).toMatchObject({ bill: '$50.00', refunded: '−$20.00', benefit: '90 miles' })
})

test('whole steps are shown where rewards come by the step', async () => {
  const diner = await newDiner(app, 'gallonaire')
  await diner.dine('clearing', '137.50')
  expect(amounts(await storyOf(diner))).toEqual({
    bill: '$137.50',
    steps: '$100.00',
    rate: '10¢ per gallon for every $50',
    benefit: '20¢ per gallon',
  })
})

test('a limit, and an offer that gives more than the rate, are lines of their own', async () => {
  const diner = await newDiner(app)
  await sql`update merchant_offers set type = 'Limited', max_spend_cents = 3000, rate_percent = 200 where merchant_id = ${diner.place.id}`.execute(
    app.database.pools.shared,
  )
  await diner.dine('clearing', '50.00')
  expect(amounts(await storyOf(diner))).toEqual({
    bill: '$50.00',
    counted: '$30.00',
    rate: '3 miles per dollar',
    offer: '200%',
    benefit: '180 miles',
  })
})

test('what earns nothing has no sum, and what waits for its review says until when', async () => {
  const diner = await newDiner(app, 'orchard')
  await diner.dine('clearing', '60.00')
  const story = await storyOf(diner)
  expect(story.next.key).toBe('rewards.story.next_review')
  await sql`update merchants set left_on = '2026-01-02' where id = ${diner.place.id}`.execute(app.database.pools.shared)
  await diner.dine('clearing', '60.00')
  const nothing = await storyOf(diner)
  expect([nothing.sum, nothing.next]).toEqual([[], null])
})

test('Case 19 another member’s meal has no story for anybody else', async () => {
  const [diner, other] = [await newDiner(app), await newDiner(app)]
  await diner.dine('clearing', '30.00')
  const { sourceTransactionId: id } = (await diner.meals())[0]
  expect((await other.visitor.get(`/api/Member/Transactions/${id}/Story`)).status).toBe(404)
  expect((await diner.visitor.get(`/api/Member/Transactions/${id}/Story`)).status).toBe(200)
})
