import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { receiveEvents } from '../../src/rewards/feed/receive-events.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, createTestContext, findLedgerViolations } from '../support/rewards-harness.ts'
import { whileLocked } from '../support/while-locked.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor'
let support: ConsoleSession
let editor: ConsoleSession
let other: ConsoleSession
let manager: ConsoleSession

const ctx = () => createTestContext(app.database, 'skyharbor')

beforeAll(async () => {
  const { shared } = app.database.consolePools
  for (const [email, role, partners] of [
    ['sam@dineback.example', 'support', null],
    ['sue@dineback.example', 'support', ['skyharbor']],
    ['eve@dineback.example', 'editor', ['skyharbor']],
    ['oto@dineback.example', 'admin', ['gallonaire']],
    ['max@dineback.example', 'manager', ['skyharbor']],
  ] as const)
    await addOperator(shared, { email, name: email, role, partners, password })
  support = await openConsole(app, 'sam@dineback.example', password)
  editor = await openConsole(app, 'eve@dineback.example', password)
  other = await openConsole(app, 'oto@dineback.example', password)
  manager = await openConsole(app, 'max@dineback.example', password)
})

interface Dine {
  token: string
  locationId: string
  amount?: string
  name?: string
  id?: string
  lastFour?: string
  datetime?: string
}

/** Receives a charged meal; returns its public id. */
async function dine(meal: Dine): Promise<string> {
  const { id = randomUUID(), amount = '100.00', name = 'Corner Bistro', token, locationId, lastFour = '0002' } = meal
  const datetime = meal.datetime ?? '2026-03-10T19:30:00.000Z'
  await receiveEvents(ctx(), [
    feedEvent('transaction.clearing', {
      id,
      amount,
      datetime,
      created: datetime,
      updated: datetime,
      card: { id: token, lastNumbers: lastFour },
      location: { id: locationId, address: '12 Dock Street', city: 'New York', postcode: '10001' },
      brand: { name },
    }),
  ])
  const [row] = await asOwner<{ public_id: string }>(app, 'select public_id from transactions where network_id = $1', [
    id,
  ])
  return row?.public_id ?? ''
}

async function newCard() {
  const { db } = ctx()
  const memberId = await addMember(db)
  return { ...(await addCard(db, memberId)), memberId }
}

const acts = (action: string) =>
  asOwner<{ status: number; reason: string; after: Record<string, unknown> }>(
    app,
    'select status, reason, after from console.acts where action = $1 order by id',
    [action],
  )

const get = async (path: string, session = support) => {
  const { status, json } = await session.call('GET', path)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
  return { status, body: json<any>() }
}
const post = async (path: string, body?: unknown, session = support) => {
  const { status, json } = await session.call('POST', path, body ?? {})
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
  return { status, body: json<any>() }
}

test('CON-150 lists transactions by id, card, restaurant, member, days, status, reason and amount', async () => {
  const card = await newCard()
  const place = await addMerchant(ctx().db, { name: 'Zebra Room' })
  const networkId = randomUUID()
  const id = await dine({ token: card.token, locationId: place.locationId, id: networkId, amount: '41.37' })
  await dine({
    token: card.token,
    locationId: place.locationId,
    amount: '500.00',
    datetime: '2026-03-12T19:30:00.000Z',
  })
  const { rows } = await import('kysely').then(({ sql }) =>
    sql<{ email: string }>`select email from members where id = ${card.memberId}`.execute(ctx().db),
  )
  const ids = async (query: Record<string, string>) => {
    const { status, body } = await get(`${program}/transactions?${new URLSearchParams(query)}`)
    expect([query, status]).toEqual([query, 200])
    return body.items.map((item: { id: string }) => item.id)
  }
  for (const query of [
    { q: id },
    { q: networkId },
    { restaurant: 'zebra', to: '2026-03-11' },
    { member: rows[0]?.email ?? '', max: '100' },
    { restaurant: 'Zebra', min: '41.37', max: '41.37' },
    { q: '0002', restaurant: 'zebra', from: '2026-03-10', to: '2026-03-10', status: 'Awarded', reason: 'earned' },
  ])
    expect([query, await ids(query as unknown as Record<string, string>)]).toEqual([query, [id]])
  expect(await ids({ restaurant: 'zebra', status: 'Forfeit' })).toEqual([])
  expect(await ids({ restaurant: 'no such place' })).toEqual([])
  expect((await ids({ restaurant: 'zebra' })).length).toBe(2)
  // Page by page.
  const first = await get(`${program}/transactions?restaurant=zebra&limit=1`)
  expect(first.body.total).toEqual({ count: 2, isExact: true })
  const second = await get(`${program}/transactions?restaurant=zebra&limit=1&cursor=${first.body.next}`)
  expect([second.body.items[0].id, second.body.next]).toEqual([id, null])
  expect((await get(`${program}/transactions?min=much`)).status).toBe(400)
  expect((await get(`${program}/transactions?cursor=nonsense`)).status).toBe(400)
})

test('CON-151 returns the same list as a CSV file, and records that it was taken', async () => {
  const card = await newCard()
  const place = await addMerchant(ctx().db, { name: '=Formula Diner' })
  const id = await dine({ token: card.token, locationId: place.locationId, amount: '20.00' })
  const { status, headers, text } = await support.call('GET', `${program}/transactions.csv?q=${id}`)
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = text.trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`${id},`)
  expect(lines[1]).toContain("'=Formula Diner")
  // The entry follows the response, which is sent while it is read.
  await vi.waitFor(async () => expect(await acts('exportTransactions')).toMatchObject([{ status: 200 }]))
})

test('CON-152 shows a transaction with its reason, journal and messages, in which the card’s token is masked', async () => {
  const card = await newCard()
  const place = await addMerchant(ctx().db)
  const id = await dine({ token: card.token, locationId: place.locationId })
  const { status, body } = await get(`${program}/transactions/${id}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ reasonCode: 'earned', awardStatus: 'Awarded', cents: 100_00, unmatched: null })
  expect(body.memberWords).toContain('Corner Bistro')
  expect(body.journal.map((entry: { kind: string }) => entry.kind)).toEqual(['Award'])
  const accounts = body.journal[0].postings.map((each: { account: string }) => each.account)
  expect(accounts).toEqual(expect.arrayContaining(['Member', 'Program']))
  expect(body.messages).toHaveLength(1)
  expect(body.messages[0].body).toContain('"transaction.clearing"')
  expect(JSON.stringify(body)).not.toContain(card.token)
  expect((await acts('getTransaction')).length).toBeGreaterThan(0)
})

test('CON-153 suggests the restaurant of an unmatched transaction, shows what attaching earns, and attaches it', async () => {
  const card = await newCard()
  const place = await addMerchant(ctx().db, { name: 'Salt Pier Kitchen', locationId: 'loc-salt-pier-01' })
  const unknown = 'loc-salt-pier-02'
  const id = await dine({ token: card.token, locationId: unknown, name: 'Salt Pier Kitchen' })
  const later = await dine({
    token: card.token,
    locationId: unknown,
    name: 'Salt Pier',
    datetime: '2026-03-11T20:00:00Z',
  })
  const queue = await get(`${program}/unmatched?missing=merchant&q=salt`)
  expect(queue.body.items.map((item: { id: string }) => item.id)).toEqual([id, later])
  const { body: detail } = await get(`${program}/unmatched/${id}`)
  expect(detail.restaurants[0]).toMatchObject({ name: 'Salt Pier Kitchen' })
  expect(detail.restaurants[0].why).toEqual(['has the same name', 'has a similar network id', 'is in the same city'])
  const target = { kind: 'restaurant', id: detail.restaurants[0].id }
  const preview = await post(`${program}/unmatched/${id}/preview`, { target })
  expect(preview.body).toMatchObject({ count: 2, examples: [{ cents: 100_00 }, { cents: 100_00 }] })
  // The dry run stored nothing, and is no act.
  expect((await get(`${program}/unmatched/${id}`)).status).toBe(200)
  expect(await acts('previewAttach')).toEqual([])
  // A restaurant belongs to all programs: who works on one of them does not teach it an id.
  const one = await openConsole(app, 'sue@dineback.example', password)
  for (const path of ['preview', 'attach']) {
    const body = { target, reason: 'A guess', fingerprint: preview.body.fingerprint }
    const refused = await one.call('POST', `${program}/unmatched/${id}/${path}`, body)
    expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'sharedRestaurant'])
  }
  const attach = (over: object) =>
    post(`${program}/unmatched/${id}/attach`, {
      target,
      reason: 'The new terminal, ticket 7',
      fingerprint: preview.body.fingerprint,
      ...over,
    })
  expect((await attach({ reason: ' ' })).status).toBe(400)
  expect((await attach({ fingerprint: 'another' })).body.code).toBe('conflict')
  expect((await get(`${program}/unmatched/${id}`)).status).toBe(200)
  expect((await attach({})).body).toMatchObject({ count: 2, reward: preview.body.reward })
  expect((await attach({})).body.code).toBe('conflict')
  expect((await get(`${program}/unmatched/${id}`)).status).toBe(404)
  const { body: matched } = await get(`${program}/transactions/${id}`)
  expect(matched).toMatchObject({ reward: preview.body.examples[0].reward, reasonCode: 'earned', unmatched: null })
  expect(matched.steps.map((step: { text: string }) => step.text)).toContain(
    'Attached an unmatched transaction: The new terminal, ticket 7',
  )
  // The next one matches by itself.
  const next = await dine({ token: card.token, locationId: unknown, datetime: '2026-03-12T20:00:00Z' })
  expect((await get(`${program}/transactions/${next}`)).body).toMatchObject({ unmatched: null, reasonCode: 'earned' })
  expect((await acts('attachTransaction')).map(({ status }) => status)).toEqual([403, 400, 409, 200, 409])
  expect(await findLedgerViolations(ctx().db)).toEqual([])
  expect(place.id).toBeGreaterThan(0)
})

test('CON-154 attaches a transaction of an unknown token to a member’s card, and the next ones match by themselves', async () => {
  const card = await newCard()
  const place = await addMerchant(ctx().db, { name: 'Token Tavern' })
  const token = `reissued-${randomUUID()}`
  const id = await dine({ token, locationId: place.locationId })
  const { body: detail } = await get(`${program}/unmatched/${id}`)
  expect(detail.missing).toBe('card')
  const [{ public_id: cardId } = { public_id: '' }] = await asOwner<{ public_id: string }>(
    app,
    'select public_id from cards where id = $1',
    [card.id],
  )
  expect(detail.cards.length).toBeGreaterThan(0)
  const target = { kind: 'card', id: cardId }
  // A card with other digits is none of them, whoever asks for it.
  await asOwner(app, "update cards set last_four = '9999' where id = $1", [card.id])
  expect((await post(`${program}/unmatched/${id}/preview`, { target })).status).toBe(404)
  await asOwner(app, "update cards set last_four = '0002' where id = $1", [card.id])
  const { body: preview } = await post(`${program}/unmatched/${id}/preview`, { target })
  expect(preview).toMatchObject({ count: 1 })
  const form = { target, reason: 'Reissued by the bank', fingerprint: preview.fingerprint }
  expect((await post(`${program}/unmatched/${id}/attach`, form)).status).toBe(200)
  const next = await dine({ token, locationId: place.locationId, datetime: '2026-03-12T20:00:00Z' })
  for (const each of [id, next])
    expect((await get(`${program}/transactions/${each}`)).body).toMatchObject({ reasonCode: 'earned', unmatched: null })
  expect(await findLedgerViolations(ctx().db)).toEqual([])
})

test('CON-772 what attaching to a card gives counts toward what one operator does alone', async () => {
  const card = await newCard()
  const place = await addMerchant(ctx().db, { name: 'Friendly Fork' })
  const [row] = await asOwner<{ id: string }>(app, 'select public_id as id from cards where id = $1', [card.id])
  const target = { kind: 'card', id: row?.id ?? '' }
  const dineFor = (amount: string) => dine({ token: `other-${randomUUID()}`, locationId: place.locationId, amount })
  const attach = async (id: string, session: ConsoleSession) => {
    const preview = await post(`${program}/unmatched/${id}/preview`, { target }, session)
    const form = { target, reason: 'Reissued by the bank', fingerprint: preview.body.fingerprint ?? 'none' }
    const { status, body } = await post(`${program}/unmatched/${id}/attach`, form, session)
    return [preview.status, status, body.code]
  }
  // 3 miles a dollar: 3,000 of 5,000 alone, and not again on the same day.
  expect(await attach(await dineFor('1000.00'), support)).toEqual([200, 200, undefined])
  const second = await dineFor('1000.00')
  expect(await attach(second, support)).toEqual([403, 403, 'tooMuchAlone'])
  expect(await attach(second, manager)).toEqual([200, 200, undefined])
})

test('CON-155 sets an unmatched transaction aside with a reason, and puts it back', async () => {
  const card = await newCard()
  const id = await dine({ token: card.token, locationId: `loc-${randomUUID()}`, name: 'Aside Cafe' })
  const listed = async (state: string) =>
    (await get(`${program}/unmatched?state=${state}&q=aside`)).body.items.map((item: { id: string }) => item.id)
  expect((await post(`${program}/unmatched/${id}/ignore`, { reason: '' })).status).toBe(400)
  expect((await post(`${program}/unmatched/${id}/ignore`, { reason: 'Not a restaurant' })).status).toBe(200)
  expect((await post(`${program}/unmatched/${id}/ignore`, { reason: 'Not a restaurant' })).status).toBe(409)
  expect([await listed('open'), await listed('ignored')]).toEqual([[], [id]])
  expect((await post(`${program}/unmatched/${id}/restore`)).status).toBe(200)
  expect((await post(`${program}/unmatched/${id}/restore`)).status).toBe(409)
  expect([await listed('open'), await listed('ignored')]).toEqual([[id], []])
  expect((await acts('ignoreTransaction')).at(-2)).toMatchObject({ status: 200, reason: 'Not a restaurant' })
})

test('CON-738 what a colleague has set aside is attached only after it was put back', async () => {
  const card = await newCard()
  const place = await addMerchant(ctx().db, { name: 'Backroom Bar', locationId: 'loc-backroom-01' })
  const [{ public_id: restaurant } = { public_id: '' }] = await asOwner<{ public_id: string }>(
    app,
    'select public_id from merchants where id = $1',
    [place.id],
  )
  const target = { kind: 'restaurant', id: restaurant }
  const add = () => dine({ token: card.token, locationId: `loc-${randomUUID()}`, name: 'Backroom Bar' })
  const preview = (id: string) => post(`${program}/unmatched/${id}/preview`, { target })
  const attach = async (id: string, fingerprint: string) =>
    post(`${program}/unmatched/${id}/attach`, { target, reason: 'The back room', fingerprint })
  const setAside = (id: string) => post(`${program}/unmatched/${id}/ignore`, { reason: 'A test of the terminal' })
  const id = await add()
  const { fingerprint } = (await preview(id)).body
  expect((await setAside(id)).status).toBe(200)
  const refused = await attach(id, fingerprint)
  expect([refused.status, refused.body.code]).toEqual([409, 'setAside'])
  expect(refused.body.title).toContain('A colleague has set this aside. Nothing was posted.')
  expect((await preview(id)).body.code).toBe('setAside')
  expect((await get(`${program}/transactions/${id}`)).body).toMatchObject({ unmatched: 'merchant' })
  await post(`${program}/unmatched/${id}/restore`)
  expect((await attach(id, fingerprint)).status).toBe(200)
  // At the same moment, the first one prevails.
  for (const [first, second] of [
    ['aside', 'attach'],
    ['attach', 'aside'],
  ] as const) {
    const raced = await add()
    const shown = (await preview(raced)).body.fingerprint
    const acts = { aside: () => setAside(raced), attach: () => attach(raced, shown) }
    const results = await whileLocked(ctx().db, {
      hold: (tx) => sql`select from transactions where public_id = ${raced} for update`.execute(tx),
      acts: [acts[first], acts[second]],
    })
    expect([first, ...results.map(({ status }) => status)]).toEqual([first, 200, 409])
    const { unmatched } = (await get(`${program}/transactions/${raced}`)).body
    expect([first, unmatched]).toEqual([first, first === 'aside' ? 'merchant' : null])
  }
  expect(await findLedgerViolations(ctx().db)).toEqual([])
})

test('CON-156 answers 404 to other programs, 403 without the permission, and records refused acts', async () => {
  const card = await newCard()
  const id = await dine({ token: card.token, locationId: `loc-${randomUUID()}` })
  const reads = ['transactions', `transactions/${id}`, 'transactions.csv', 'unmatched', `unmatched/${id}`]
  for (const path of reads) {
    expect([path, (await editor.call('GET', `${program}/${path}`)).status]).toEqual([path, 403])
    expect([path, (await other.call('GET', `${program}/${path}`)).status]).toEqual([path, 404])
  }
  // In another program, the id names nothing.
  expect((await other.call('GET', `/api/programs/gallonaire/transactions/${id}`)).status).toBe(404)
  expect((await post(`${program}/unmatched/${id}/ignore`, { reason: 'no reason' }, editor)).status).toBe(403)
  expect((await acts('ignoreTransaction')).at(-1)).toMatchObject({ status: 403 })
  expect((await get(`${program}/unmatched/unknown`)).status).toBe(404)
})
