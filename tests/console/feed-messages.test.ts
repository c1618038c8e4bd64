import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { receiveEvents } from '../../src/rewards/feed/receive-events.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, createTestContext } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor'
const ctx = () => createTestContext(app.database, 'skyharbor')
let support: ConsoleSession
let viewer: ConsoleSession
let other: ConsoleSession
let token = ''

beforeAll(async () => {
  const { shared } = app.database.consolePools
  for (const [name, role, partner] of [
    ['sam', 'support', 'skyharbor'],
    ['vic', 'viewer', 'skyharbor'],
    ['oto', 'admin', 'gallonaire'],
  ] as const)
    await addOperator(shared, { email: `${name}@dineback.example`, name, role, partners: [partner], password })
  support = await openConsole(app, 'sam@dineback.example', password)
  viewer = await openConsole(app, 'vic@dineback.example', password)
  other = await openConsole(app, 'oto@dineback.example', password)
  token = (await addCard(ctx().db, await addMember(ctx().db))).token
})

const list = async (query = '') => (await support.call('GET', `${program}/feed-messages${query}`)).body
const idsOf = ({ items }: { items: { networkId: string }[] }) => items.map(({ networkId }) => networkId)

const eventOf = (locationId: string, name: 'transaction.auth' | 'transaction.clearing' = 'transaction.clearing') =>
  feedEvent(name, {
    id: randomUUID(),
    amount: '50.00',
    card: { id: token, lastNumbers: '0002' },
    location: { id: locationId },
    brand: { name: 'Corner Bistro' },
  })

test('CON-409 stored messages are listed by outcome, id and day, page by page, also those that came together', async () => {
  const { locationId } = await addMerchant(ctx().db)
  const together = [eventOf(locationId), eventOf(locationId), eventOf('unknown-place')]
  await receiveEvents(ctx(), together)
  const ids = together.map(({ transaction }) => transaction.id)
  const all = await list()
  expect(all.total).toEqual({ count: 3, isExact: true })
  expect(new Set(idsOf(all))).toEqual(new Set(ids))
  expect(all.items[0]).toMatchObject({ event: 'transaction.clearing', merchantName: 'Corner Bistro', cents: 5000 })
  expect(idsOf(await list('?outcome=unmatched'))).toEqual([ids[2]])
  expect(idsOf(await list('?outcome=ignored'))).toEqual([])
  expect(idsOf(await list(`?q=${ids[1]}`))).toEqual([ids[1]])
  expect(idsOf(await list('?to=2020-01-01'))).toEqual([])
  expect(idsOf(await list('?from=2020-01-01'))).toHaveLength(3)
  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const page = await list(`?limit=1${cursor && `&cursor=${cursor}`}`)
    paged.push(...idsOf(page))
    if (page.next === null) break
    cursor = page.next
  }
  expect(paged).toEqual(idsOf(all))
  for (const keys of [
    ['2026-01-01 00:00:00+00', 'x'],
    ['x', all.items[0].id],
    [1, 2],
  ]) {
    const cursor = Buffer.from(JSON.stringify(keys)).toString('base64url')
    expect((await support.call('GET', `${program}/feed-messages?cursor=${cursor}`)).status).toBe(400)
  }
})

test('CON-409 a message shows its raw text without the token of the card, and its transaction, in its own program only', async () => {
  const { locationId } = await addMerchant(ctx().db)
  const event = eventOf(locationId, 'transaction.auth')
  await receiveEvents(ctx(), [event])
  const [{ id }] = (await list(`?q=${event.transaction.id}`)).items
  const { body } = await support.call('GET', `${program}/feed-messages/${id}`)
  const [transaction] = await asOwner<{ public_id: string }>(
    app,
    'select public_id from transactions where network_id = $1',
    [event.transaction.id],
  )
  expect(body).toMatchObject({ event: 'transaction.auth', outcome: 'applied', transaction: transaction?.public_id })
  expect(JSON.parse(body.body)).toMatchObject({ transaction: { id: event.transaction.id, amount: '50.00' } })
  expect(body.body).not.toContain(token)
  // Its transaction can be replayed from here.
  expect((await support.call('GET', `${program}/transactions/${body.transaction}`)).status).toBe(200)
  expect((await viewer.call('GET', `${program}/feed-messages`)).status).toBe(403)
  expect((await viewer.call('GET', `${program}/feed-messages/${id}`)).status).toBe(403)
  expect((await other.call('GET', `/api/programs/gallonaire/feed-messages/${id}`)).status).toBe(404)
  const keyOf = (keys: unknown) => Buffer.from(JSON.stringify(keys)).toString('base64url')
  for (const wrong of ['nonsense', keyOf([1, 2, 3]), keyOf(['x', 'transaction.auth', 'yesterday'])])
    expect((await support.call('GET', `${program}/feed-messages/${wrong}`)).status).toBe(404)
})
