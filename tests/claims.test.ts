import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addOperator } from '../src/operators/service.ts'
import { ledgerFaults } from '../src/rewards/test-kitchen.ts'
import { asOwner, startTestApp, type TestApp } from './support/app.ts'
import { openConsole } from './support/console.ts'
import { type Diner, newDiner } from './support/diner.ts'

let app: TestApp
const password = 'sourdough 4 breakfast'

beforeAll(async () => {
  app = await startTestApp()
  const operators = [
    { email: 'sam@dineback.example', name: 'Sam Support', role: 'support', partners: ['skyharbor'] },
    { email: 'eve@dineback.example', name: 'Eve Editor', role: 'editor', partners: null },
  ] as const
  for (const operator of operators) await addOperator(app.database.consolePools.shared, { ...operator, password })
})
afterAll(() => app?.stop())

const db = () => app.database.pools.forPartner('skyharbor')
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from('my secret receipt'),
])

const mealOf = (diner: Diner, over: Record<string, unknown> = {}) => ({
  date: daysAgo(12),
  merchantName: 'Corner Bistro',
  merchantId: diner.place.slug,
  amount: '48.00',
  ...over,
})
const explain = async (diner: Diner, over: Record<string, unknown> = {}) =>
  (await diner.visitor.change('POST', '/api/Member/MissingMeals', mealOf(diner, over))).json()
const claim = (diner: Diner, over: Record<string, unknown> = {}) =>
  diner.visitor.change('POST', '/api/Member/Claims', mealOf(diner, over))
const keys = (explanation: { findings: { key: string }[] }) => explanation.findings.map(({ key }) => key)

test('a meal that is there is found, tip or not, with why it earned what it did', async () => {
  const diner = await newDiner(app)
  await diner.dine('clearing', '48.00')
  const found = await explain(diner, { date: daysAgo(0), amount: '40.00' })
  expect([found.outcome, keys(found)]).toEqual(['found', ['claims.found', 'rewards.why.earned']])
})

test('the card was not linked then, is no longer, or never was: each has its sentence', async () => {
  const diner = await newDiner(app)
  const { memberId } = diner
  await sql`update cards set linked_at = now() - interval '5 days' where member_id = ${memberId}`.execute(db())
  expect(keys(await explain(diner))).toEqual(['claims.card_later'])
  await sql`update cards set linked_at = now() - interval '90 days' where member_id = ${memberId}`.execute(db())
  const [card] = (await diner.visitor.get('/api/Member/Cards')).json()
  expect((await explain(diner, { cardId: card.id })).outcome).toBe('unexplained')
  await sql`update cards set removed_at = now() - interval '60 days' where member_id = ${memberId}`.execute(db())
  expect(keys(await explain(diner))).toEqual(['claims.card_gone'])
  expect(keys(await explain(diner, { cardId: 'of-somebody-else' }))).toEqual(['claims.no_card'])
})

test('what the restaurant or the offer says is said in the engine’s own words', async () => {
  const diner = await newDiner(app)
  const { shared } = app.database.pools
  await sql`update merchants set left_on = ${daysAgo(40)} where id = ${diner.place.id}`.execute(shared)
  expect(await explain(diner)).toMatchObject({ outcome: 'explained', findings: [{ key: 'rewards.why.merchantLeft' }] })
  await sql`update merchants set left_on = null where id = ${diner.place.id}`.execute(shared)
  const weekday = new Date(`${daysAgo(12)}T12:00:00Z`).getUTCDay()
  await sql`update merchant_offers set days = array[${(weekday + 1) % 7}]::smallint[] where merchant_id = ${diner.place.id}`.execute(
    shared,
  )
  expect(keys(await explain(diner))).toEqual(['rewards.why.dayWithoutReward'])
})

test('HIST-024 ten days are to be waited for, on the eleventh a claim can be opened', async () => {
  const diner = await newDiner(app)
  const waiting = await explain(diner, { date: daysAgo(10) })
  expect([waiting.outcome, keys(waiting)]).toEqual(['wait', ['claims.would_earn', 'claims.wait']])
  expect((await claim(diner, { date: daysAgo(10) })).json().code).toBe('claimTooEarly')
  expect((await explain(diner, { date: daysAgo(11) })).outcome).toBe('unexplained')
  expect((await claim(diner, { date: daysAgo(11) })).status).toBe(200)
})

test('a place that nobody knows, a date to come and wrong amounts have their answers', async () => {
  const diner = await newDiner(app)
  const unknown = await explain(diner, { merchantId: undefined, merchantName: 'Nowhere Diner' })
  expect([unknown.outcome, keys(unknown)]).toEqual(['unexplained', ['claims.unknown_place']])
  for (const over of [
    { date: daysAgo(-3) },
    { date: 'soon' },
    { amount: '0.00' },
    { amount: 'ten' },
    { merchantName: 'x' },
  ]) {
    const answer = await diner.visitor.change('POST', '/api/Member/MissingMeals', mealOf(diner, over))
    expect([over, answer.status]).toEqual([over, 400])
  }
})

test('a claim sent ten times at once is one claim, and only its member’s', async () => {
  const [diner, other] = [await newDiner(app), await newDiner(app)]
  const answers = await Promise.all(Array.from({ length: 10 }, () => claim(diner, { note: 'By the window.' })))
  expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
  expect((await diner.visitor.get('/api/Member/Claims')).json()).toHaveLength(1)
  expect((await other.visitor.get('/api/Member/Claims')).json()).toEqual([])
})

test('a receipt must be what it says it is, and not too large', async () => {
  const diner = await newDiner(app)
  const receipt = (bytes: Buffer, type = 'image/png') => ({ name: 'r.png', type, content: bytes.toString('base64') })
  const send = async (sent: unknown) => {
    const answer = await claim(diner, { receipt: sent })
    return [answer.status, answer.status === 200 ? null : answer.json()[0].message]
  }
  expect(await send(receipt(Buffer.from('<script>')))).toEqual([400, 'This is no photo (JPEG, PNG, WebP) and no PDF.'])
  expect((await send(receipt(png, 'text/html')))[0]).toBe(400)
  expect((await send(receipt(Buffer.concat([png, Buffer.alloc(2_097_152)]))))[0]).toBe(400)
  expect(await send(receipt(png))).toEqual([200, null])
})

test('support decides once; the reward is posted, the member told, the books balance', async () => {
  const diner = await newDiner(app)
  const receipt = { name: 'r.png', type: 'image/png', content: png.toString('base64') }
  const { id } = (await claim(diner, { receipt, note: 'Paid at the bar.' })).json()
  const desk = await openConsole(app, 'sam@dineback.example', password)
  expect((await desk.get('/skyharbor/claims')).text).toContain(`/skyharbor/claims/${id}`)
  const page = (await desk.get(`/skyharbor/claims/${id}`)).text
  for (const words of ['Paid at the bar.', 'By what we know it should have earned 144 miles.', 'value="144"']) {
    expect(page).toContain(words)
  }
  const file = await desk.get(`/skyharbor/claims/${id}/receipt`)
  expect([file.headers['content-type'], file.headers['content-disposition']]).toEqual([
    'image/png',
    'attachment; filename="receipt"',
  ])
  expect((await desk.post(`/skyharbor/claims/${id}`, { code: 'credited', benefit: '0' })).status).toBe(400)
  const decide = (benefit: string) =>
    desk.post(`/skyharbor/claims/${id}`, { code: 'credited', benefit, words: 'The network lost it.' })
  expect((await decide('144')).status).toBe(303)
  await decide('99999')
  await vi.waitFor(async () => {
    const [entry] = await diner.meals()
    expect(entry).toMatchObject({ transactionTypeCode: 'M', benefitAmount: 144, merchantName: 'Corner Bistro' })
  }, 15_000)
  const [settled] = (await diner.visitor.get('/api/Member/Claims')).json()
  expect(settled.decision).toMatchObject({ code: 'credited', words: 'The network lost it.' })
  const { mails } = (await diner.visitor.get('/api/staging/outbox')).json()
  expect(mails.filter((mail: { text: string }) => mail.text.includes('The network lost it.'))).toHaveLength(1)
  expect(await ledgerFaults(db())).toEqual([])
  const [only, ...others] = await diner.meals()
  expect(others).toEqual([])
  // It is a meal like any other: it has a story, and it can be reviewed.
  const story = await diner.visitor.get(`/api/Member/Transactions/${only.sourceTransactionId}/Story`)
  expect(story.json().steps.map(({ key }: { key: string }) => key)).toEqual(['rewards.story.posted'])
})

test('editors have no desk, support of another program neither, and the console cannot write rewards itself', async () => {
  const diner = await newDiner(app)
  const { id } = (await claim(diner)).json()
  const editor = await openConsole(app, 'eve@dineback.example', password)
  expect((await editor.get(`/skyharbor/claims/${id}`)).status).toBe(404)
  const sam = await openConsole(app, 'sam@dineback.example', password)
  expect((await sam.get('/gallonaire/claims')).status).toBe(404)
  const role = app.database.consolePools.forPartner('skyharbor')
  await expect(
    sql`insert into journals (source, source_id, version, kind, reason) values ('x', 'x', 1, 'award', '{}')`.execute(
      role,
    ),
  ).rejects.toThrow(/permission denied/)
  await expect(sql`update claims set amount_cents = 1`.execute(role)).rejects.toThrow(/permission denied/)
})

test('Case 62 a deleted account takes its words and receipts along', async () => {
  const diner = await newDiner(app)
  const receipt = { name: 'r.png', type: 'image/png', content: png.toString('base64') }
  await claim(diner, { receipt, note: 'My secret note.' })
  await diner.visitor.change('POST', '/api/Member/Prove', { password })
  expect((await diner.visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })).status).toBe(200)
  const rows = await asOwner(app, 'select note, receipt, receipt_name from claims where member_id = $1', [
    diner.memberId,
  ])
  expect(rows).toEqual([{ note: '', receipt: null, receipt_name: null }])
})
