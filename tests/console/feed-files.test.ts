import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { csvColumns } from '../../src/rewards/feed/files/csv.ts'
import { receiveEvents } from '../../src/rewards/feed/receive-events.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { send } from '../support/http.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, createTestContext, findLedgerViolations } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor'
let admin: ConsoleSession
let support: ConsoleSession
let token = ''
let csrf = ''

const ctx = () => createTestContext(app.database, 'skyharbor')

beforeAll(async () => {
  for (const role of ['admin', 'support'] as const) {
    const email = `${role}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name: role, role, partners: ['skyharbor'], password })
  }
  admin = await openConsole(app, 'admin@dineback.example', password)
  support = await openConsole(app, 'support@dineback.example', password)
  csrf = (await admin.call('GET', '/api/session')).json<{ csrfToken: string }>().csrfToken
  token = (await addCard(ctx().db, await addMember(ctx().db))).token
})

const upload = (path: string, name: string, body: string) =>
  send({
    port: app.port,
    host: 'console.localhost',
    method: 'POST',
    path: `${program}/feed-files${path}?name=${name}`,
    headers: { cookie: admin.cookie, 'x-xsrf-token': csrf, 'content-type': 'application/octet-stream' },
    body,
  })

const eventOf = (locationId: string, over: object = {}) =>
  feedEvent('transaction.clearing', {
    id: randomUUID(),
    amount: '50.00',
    card: { id: token, lastNumbers: '0002' },
    location: { id: locationId },
    ...over,
  })

const count = async (table: string) =>
  (await asOwner<{ count: number }>(app, `select count(*)::int as count from ${table}`))[0]?.count

test('CON-157 CON-158 CON-706 checks an uploaded file without storing anything, then imports it with every rejected line', async () => {
  const { locationId } = await addMerchant(ctx().db)
  const known = eventOf(locationId)
  await receiveEvents(ctx(), [known])
  const events = [known, eventOf(locationId), eventOf('unknown-place')]
  const content = `${events.map((event) => JSON.stringify(event)).join('\n')}\n{"event":"nonsense"}\nnot json\n`
  const before = await count('feed_messages')
  const check = await upload('/check', 'day.ndjson', content)
  expect(check.json()).toMatchObject({
    lines: 5,
    applied: 1,
    unmatched: 1,
    repeated: 1,
    ignored: 0,
    rejected: 2,
    isKnown: false,
  })
  expect(check.json().faults.map(({ line }: { line: number }) => line)).toEqual([4, 5])
  expect([await count('feed_messages'), await count('feed_files')]).toEqual([before, 0])
  expect((await upload('/check', 'day.txt', content)).status).toBe(400)
  expect((await upload('/check', 'day.csv', 'one,two\n1,2\n')).json()).toMatchObject({ code: 'unreadableFile' })
  // A file with a card number is not stored at all, also when its line has another fault.
  for (const line of ['{"id": "4111 1111 1111 1111"}', '{"event": "x", "note": "5555555555554444"}']) {
    const refused = await upload('', 'cards.ndjson', `${content}${line}\n`)
    expect([line, refused.status, refused.json().code]).toEqual([line, 422, 'cardNumberInFile'])
    // The check has said so.
    expect((await upload('/check', 'cards.ndjson', `${content}${line}\n`)).json()).toMatchObject({ cardNumberLine: 6 })
  }
  expect(check.json().cardNumberLine).toBeNull()
  const stored = await upload('', 'day.ndjson', content)
  expect(stored.json()).toMatchObject({ name: 'day.ndjson', upload: { by: 'admin', isWaiting: true } })
  const { id } = stored.json()
  const read = async () => (await admin.call('GET', `${program}/feed-files/${id}`)).json()
  await vi.waitFor(async () => expect(await read()).toMatchObject({ upload: { isWaiting: false } }), 60_000)
  expect(await read()).toMatchObject({ lines: 5, applied: 1, unmatched: 1, repeated: 1, rejected: 2 })
  expect((await read()).faults.map(({ line }: { line: number }) => line)).toEqual([4, 5])
  expect((await upload('', 'again.ndjson', content)).json()).toMatchObject({ code: 'fileKnown' })
  const { text } = await admin.call('GET', `${program}/feed-files/${id}/faults.csv`)
  expect(text.trim().split('\r\n')).toHaveLength(3)
  const { json } = await admin.call('GET', `${program}/feed-files`)
  expect(json().items.map(({ name }: { name: string }) => name)).toEqual(['day.ndjson'])
  // Replayed, everything is known already.
  const replay = () => admin.call('POST', `${program}/feed-files/${id}/replay`, { reason: 'To be sure' })
  expect((await replay()).status).toBe(200)
  await vi.waitFor(async () => expect(await read()).toMatchObject({ upload: { isWaiting: false } }), 60_000)
  expect(await read()).toMatchObject({ lines: 5, applied: 0, repeated: 3, rejected: 2 })
  expect((await admin.call('GET', `${program}/feed-files/nonsense`)).status).toBe(404)
  // Support may look, and not upload.
  expect((await support.call('GET', `${program}/feed-files/${id}`)).status).toBe(200)
  expect((await support.call('POST', `${program}/feed-files/${id}/replay`, { reason: 'To be sure' })).status).toBe(403)
  const acts = await asOwner<{ action: string; status: number }>(
    app,
    `select action, status from console.acts where object_type like 'feed%' order by id`,
  )
  expect(acts.filter(({ status }) => status === 200).map(({ action }) => action)).toEqual([
    'uploadFeedFile',
    'exportFaults',
    'replayFile',
  ])
})

test('CON-706 counts the lines of a CSV file without its heading and empty lines', async () => {
  const { locationId } = await addMerchant(ctx().db)
  const time = '2026-03-10T19:30:00Z'
  const heading = 'event,id,programId,amount,currency,datetime,created,updated,cardId,cardLastFour,locationId'
  const line = ['clearing', randomUUID(), 'skyharbor', '50.00', 'USD', time, time, time, token, '0002', locationId]
  const content = `${heading}\n\n${line.join()}\n\n`
  expect((await upload('/check', 'one.csv', content)).json()).toMatchObject({ lines: 1, applied: 1, rejected: 0 })
  const { id } = (await upload('', 'one.csv', content)).json()
  const read = async () => (await admin.call('GET', `${program}/feed-files/${id}`)).json()
  await vi.waitFor(async () => expect(await read()).toMatchObject({ upload: { isWaiting: false } }), 60_000)
  expect(await read()).toMatchObject({ lines: 1, applied: 1 })
  expect((await admin.call('GET', `${program}/feed-files?q=one.csv`)).json().items[0]).toMatchObject({ lines: 1 })
})

test('CON-157 other requests are answered while a file of rejected lines is read', async () => {
  let [longest, last] = [0, performance.now()]
  const turns = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const began = performance.now()
  const { status, text } = await upload('/check', 'rejected.ndjson', '{}\n'.repeat(100_000))
  const took = performance.now() - began
  clearInterval(turns)
  expect([status, JSON.parse(text).rejected]).toEqual([200, 100_000])
  expect(longest).toBeLessThan(took / 3)
})

test('CON-157 no more than four files are received at a time, whoever sends them', async () => {
  const begin = async () => {
    const socket = connect(app.port, '127.0.0.1')
    const head = [
      'POST /api/programs/skyharbor/feed-files/check?name=a.csv HTTP/1.1',
      `host: console.localhost:${app.port}`,
    ]
    const body = ['content-type: application/octet-stream', 'content-length: 30000000']
    socket.write([...head, `cookie: ${support.cookie}`, ...body, '', 'a'].join('\r\n'))
    await once(socket, 'connect')
    return socket
  }
  const sockets = [await begin(), await begin(), await begin(), await begin()]
  const uploadNow = () => upload('/check', 'one.ndjson', '{}\n')
  const within = { timeout: 20_000 }
  await vi.waitFor(async () => expect((await uploadNow()).status).toBe(429), within)
  const [first] = sockets
  first?.destroy()
  await vi.waitFor(async () => expect((await uploadNow()).status).toBe(200), within)
  for (const socket of sockets) socket.destroy()
})

test('CON-159 replays a span of time: shows what changes, posts it once, and nothing the second time', async () => {
  const { locationId } = await addMerchant(ctx().db)
  const event = eventOf(locationId, { card: { id: 'another-token', lastNumbers: '0002' } })
  await receiveEvents(ctx(), [event])
  // The card got this token where no message told of it.
  await sql`insert into card_tokens (partner_id, token, card_id)
    select partner_id, 'another-token', id from cards where token = ${token}`.execute(ctx().db)
  const span = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
  const preview = async () => (await admin.call('POST', `${program}/feed-replays/preview`, { span })).json()
  const shown = await preview()
  expect(shown.count).toBeGreaterThanOrEqual(1)
  expect(await preview()).toEqual(shown)
  const replay = (fingerprint: string) =>
    admin.call('POST', `${program}/feed-replays`, { span, reason: 'The token was missing', fingerprint })
  expect((await replay('another')).status).toBe(409)
  expect((await replay(shown.fingerprint)).json()).toMatchObject({ count: shown.count })
  expect(await preview()).toMatchObject({ count: 0 })
  const transactions = await admin.call('GET', `${program}/transactions?q=${event.transaction.id}`)
  const [{ id }] = transactions.json().items
  const one = `${program}/transactions/${id}/replay`
  const again = (await admin.call('POST', `${one}/preview`)).json()
  expect(again).toMatchObject({ count: 0 })
  expect((await admin.call('POST', one, { reason: 'Once more', fingerprint: again.fingerprint })).status).toBe(200)
  expect(
    (await admin.call('POST', `${program}/feed-replays/preview`, { span: { ...span, to: span.from } })).status,
  ).toBe(400)
  expect(await findLedgerViolations(ctx().db)).toEqual([])
})

test('CON-160 calculates awards of a restaurant again: every difference and its cost, then the correction, once', async () => {
  const { locationId, id: merchantId } = await addMerchant(ctx().db)
  const event = eventOf(locationId)
  await receiveEvents(ctx(), [event])
  await sql`update merchant_offers set rate_percent = 200 where merchant_id = ${merchantId}`.execute(ctx().db)
  const [{ public_id: restaurant } = { public_id: '' }] = await asOwner<{ public_id: string }>(
    app,
    'select public_id from merchants where id = $1',
    [merchantId],
  )
  const scope = { restaurant, from: '2026-03-01', to: '2026-03-31' }
  const preview = async () => (await admin.call('POST', `${program}/recalculations/preview`, { scope })).json()
  const shown = await preview()
  expect(shown).toMatchObject({ count: 1, members: 1, differences: [{ wasCode: 'earned', isCode: 'earned' }] })
  expect(shown.differences[0].terms.join()).toContain('ratePercent: 100 → 200')
  expect(await preview()).toEqual(shown)
  const post = (fingerprint: string, reason = 'The offer was entered wrongly') =>
    admin.call('POST', `${program}/recalculations`, { scope, reason, fingerprint })
  expect((await post(shown.fingerprint, '')).status).toBe(400)
  expect((await post('another')).status).toBe(409)
  expect((await post(shown.fingerprint)).json()).toMatchObject({ count: 1, cost: shown.cost })
  expect(await preview()).toMatchObject({ count: 0 })
  const transactions = await admin.call('GET', `${program}/transactions?q=${event.transaction.id}`)
  const [{ id, reward }] = transactions.json().items
  expect(reward).toBe(shown.differences[0].is)
  expect((await admin.call('GET', `${program}/transactions/${id}`)).json().journal).toHaveLength(2)
  expect((await admin.call('POST', `${program}/recalculations/preview`, { scope: {} })).status).toBe(400)
  expect(await findLedgerViolations(ctx().db)).toEqual([])
})

test('CON-706 no answer, record or name of a file repeats a card number, wherever the file has it', async () => {
  const pan = '4111 1111 1111 1111'
  const csv = `${csvColumns.join(',')}\n`
  const files: [name: string, content: string, code: string | null][] = [
    ['header.csv', `id,${pan}\n1,2\n`, 'unreadableFile'],
    ['twice.csv', `${pan},${pan}\n1,2\n`, 'unreadableFile'],
    ['extra.csv', csv.replace('\n', `,${pan}\n${',x'.repeat(csvColumns.length)}\n`), 'cardNumberInFile'],
    ['broken.csv', `${csv}"${pan}\n`, 'cardNumberInFile'],
    ['cells.csv', `${csv}${pan}\n`, 'cardNumberInFile'],
    ['broken.ndjson', `not json ${pan}\n`, 'cardNumberInFile'],
    ['key.ndjson', `{"${pan}": 1}\n`, 'cardNumberInFile'],
    [`${pan}.ndjson`, '{"event":"nonsense"}\n', null],
  ]
  for (const [name, content, code] of files) {
    const answers = [await upload('/check', encodeURIComponent(name), content)]
    answers.push(await upload('', encodeURIComponent(name), content))
    for (const { text } of answers) expect([name, text]).toEqual([name, expect.not.stringContaining(pan)])
    expect([name, answers[1]?.json().code ?? null]).toEqual([name, code])
  }
  const kept = await asOwner(
    app,
    `select f::text as row from feed_files f where f::text like $1 union all
     select a::text from console.acts a where a::text like $1`,
    [`%${pan}%`],
  )
  expect(kept).toEqual([])
})
