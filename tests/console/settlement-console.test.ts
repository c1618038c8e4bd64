import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { localMoment } from '../../src/platform/time.ts'
import { postEntries, rewardPostings } from '../../src/rewards/ledger/entries.ts'
import { settlementFile } from '../../src/rewards/settlement/settlement-file.ts'
import { asOwner } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMember } from '../support/rewards-harness.ts'

const app = setUpTestApp()
let member: CardMember
const password = 'sourdough 4 breakfast'
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const [today, yesterday] = [dayOf(0), dayOf(1)]
const month = yesterday.slice(0, 7)

beforeAll(async () => {
  const operators = [
    { email: 'ana@dineback.example', name: 'Ana Admin', role: 'admin', partners: null },
    { email: 'ben@dineback.example', name: 'Ben Admin', role: 'admin', partners: ['skyharbor'] },
    { email: 'sam@dineback.example', name: 'Sam Support', role: 'support', partners: null },
  ] as const
  for (const operator of operators) await addOperator(app.database.consolePools.shared, { ...operator, password })
  member = await createCardMember(app, 'skyharbor', { lastName: 'Nobodysname' })
  await member.sendTransaction('clearing', '42.10')
  await sql`update merchants set name = 'Trattoria <b>Ada</b>' where id = ${member.merchant.id}`.execute(
    app.database.pools.shared,
  )
  // A member of another program at the same restaurant.
  const elsewhere = await createCardMember(app, 'gallonaire', { lastName: 'Nobodysname' })
  const [card] = (await elsewhere.visitor.get('/api/staging/cards')).json().cards
  const transaction = { cardId: card.id, merchantId: member.merchant.slug, amount: '60.00', event: 'clearing' }
  expect((await elsewhere.visitor.change('POST', '/api/staging/dine', transaction)).status).toBe(200)
  // Moved to yesterday, because today's settlement is not closed.
  await asOwner(app, "update journal_entries set posted_at = posted_at - interval '1 day'")
})

// Within a minute after midnight yesterday has no file yet.
beforeEach(
  () => void vi.useFakeTimers({ toFake: ['Date'], now: Math.max(Date.now(), Date.parse(`${today}T00:01:00Z`)) }),
)
afterEach(() => vi.useRealTimers())

// Each operator signs in only once, because sign-ins are limited.
const consoles = new Map<string, ReturnType<typeof openConsole>>()
function getConsole(name: string) {
  const email = `${name}@dineback.example`
  const open = consoles.get(name) ?? openConsole(app, email, password)
  consoles.set(name, open)
  return open
}

test('yesterday has a file from a minute after midnight on', async () => {
  const consoleSession = await getConsole('ana')
  const path = `/skyharbor/settlement/days/${yesterday}.csv`
  const at = async (time: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T${time}Z`) })
    const { text } = await consoleSession.get(`/skyharbor/settlement?month=${month}`)
    return [text.includes(path), text.includes('in progress'), (await consoleSession.get(path)).status]
  }
  expect(await at('00:00:59')).toEqual([false, true, 404])
  expect(await at('00:01:00')).toEqual([true, false, 200])
})

test('an administrator sees the amounts of a month by day and by restaurant, as in the ledger', async () => {
  const page = await (await getConsole('ana')).get(`/skyharbor/settlement?month=${month}`)
  expect(page.status).toBe(200)
  const db = app.database.pools.forPartner('skyharbor')
  const { rows } = await sql<{ account: string; cents: number }>`
    select account, abs(sum(amount))::bigint as cents from postings
    where account in ('restaurant', 'partner', 'platform') group by account`.execute(db)
  const amounts = new Map(rows.map(({ account, cents }) => [account, `$${(cents / 100).toFixed(2)}`]))
  expect(amounts.size).toBe(3)
  for (const amount of amounts.values()) expect(page.text).toContain(`<td class="number">${amount}</td>`)
  // The reward of 42.10: on its day, in the month, and of its restaurant.
  expect(page.text.match(/<td class="number">126 miles<\/td>/g)).toHaveLength(3)
  expect(page.text).toContain('Trattoria &lt;b&gt;Ada&lt;/b&gt;')
  expect(page.text).toContain(`/skyharbor/settlement/days/${yesterday}.csv`)
})

test('DATA-034 the file of a day is the one that the command writes, and a day that is not over has none', async () => {
  const consoleSession = await getConsole('ana')
  const file = await consoleSession.get(`/skyharbor/settlement/days/${yesterday}.csv`)
  expect(file.headers['content-disposition']).toBe(`attachment; filename="skyharbor-${yesterday}.csv"`)
  const db = app.database.pools.forPartner('skyharbor')
  expect(file.text).toBe(await settlementFile({ db, partnerId: 'skyharbor' }, yesterday))
  expect(file.text).toContain('Trattoria')
  expect(file.text.startsWith('\ufeffday,')).toBe(true)
  for (const day of [today, '2026-02-30', 'yesterday', '../../x']) {
    expect((await consoleSession.get(`/skyharbor/settlement/days/${day}.csv`)).status).toBe(404)
  }
})

test('a restaurant’s statement has the transactions of the operator’s programs and no names', async () => {
  const path = `/skyharbor/settlement/statements/${member.merchant.slug}?month=${localMoment(new Date(), 'America/New_York').date.slice(0, 7)}`
  const all = await (await getConsole('ana')).get(`${path}&format=csv`)
  expect(all.text.startsWith('\ufeffdined_at,')).toBe(true)
  expect(all.text.split('\n').filter((line) => /Dining/.test(line))).toHaveLength(2)
  const own = await (await getConsole('ben')).get(`${path}&format=csv`)
  expect(own.text).toContain('4210')
  expect(own.text).not.toContain('6000')
  expect(all.text).not.toContain('Nobodysname')
  const paper = await (await getConsole('ana')).get(`${path}&format=pdf`)
  expect([paper.headers['content-type'], paper.text.slice(0, 5)]).toEqual(['application/pdf', '%PDF-'])
  for (const wrong of [
    `${path}&format=xls`,
    path,
    `/skyharbor/settlement/statements/nowhere?month=${month}&format=csv`,
  ]) {
    expect((await (await getConsole('ana')).get(wrong)).status).toBe(404)
  }
})

test('an empty month says so, and an invalid month gets 404', async () => {
  const consoleSession = await getConsole('ana')
  const empty = await consoleSession.get('/beacon/settlement?month=2025-02')
  expect(empty.text).toContain('There were no entries in February 2025.')
  expect(empty.text).toContain('/beacon/settlement?month=2025-01')
  // A program without settlement says so, and another one does not.
  const others = await consoleSession.get('/lantern/settlement?month=2025-02')
  const says = [empty, others].map(({ text }) => text.includes('This program does not settle money with restaurants'))
  expect(says).toEqual([false, true])
  for (const wrong of ['2025-13', 'now', '2025-1', '']) {
    expect((await consoleSession.get(`/beacon/settlement?month=${wrong}`)).status).toBe(404)
  }
})

test('a month has its days of UTC only, and the current day has no file and the current month no next one', async () => {
  const consoleSession = await getConsole('ana')
  // The next month has started already in the time zone of the tests.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-03-31T12:00:00Z') })
  const post = (moment: string) =>
    asOwner(app, "update journal_entries set posted_at = $1 where partner_id = 'gallonaire'", [moment])
  const pageOf = async (query: string) => (await consoleSession.get(`/gallonaire/settlement${query}`)).text
  const listMonths = (page: string) => [...page.matchAll(/settlement\?month=([^"]*)/g)].map(([, month]) => month)
  await post('2025-04-01T00:00:00.000Z')
  expect(await pageOf('')).toContain('There were no entries in March 2025.')
  await post('2025-03-31T23:59:59.999Z')
  const current = await pageOf('')
  expect([...current.matchAll(/<th scope="row" class="day">([^<]*)/g)].map(([, day]) => day)).toEqual(['Mar 31, 2025'])
  expect(current).toContain('<span class="state">in progress</span>')
  expect(current).not.toContain('/days/2025-03-31.csv')
  expect((await consoleSession.get('/gallonaire/settlement/days/2025-03-31.csv')).status).toBe(404)
  expect(listMonths(current)).toEqual(['2025-02'])
  await post('2025-02-28T23:59:59.999Z')
  const past = await pageOf('?month=2025-02')
  expect(past).toContain('/gallonaire/settlement/days/2025-02-28.csv')
  expect(listMonths(past)).toEqual(['2025-01', '2025-03'])
})

test('a month has the entries from its first to its last day', async () => {
  const db = app.database.pools.forPartner('beacon')
  const memberId = await addMember(db)
  const moments = ['2025-05-31T23:59:59Z', '2025-06-01T00:00:00Z', '2025-06-30T23:59:59Z', '2025-07-01T00:00:00Z']
  const ids = await inTransaction(db, (tx) =>
    postEntries(
      tx,
      moments.map((sourceId) => ({
        source: 'transaction',
        sourceId,
        version: 1,
        kind: 'award',
        reason: {},
        postings: rewardPostings({ memberId, unit: 'cent', amount: 1_00 }),
      })),
    ),
  )
  for (const [index, moment] of moments.entries())
    await asOwner(app, 'update journal_entries set posted_at = $2 where id = $1', [ids[index], moment])
  const { text } = await (await getConsole('ana')).get('/beacon/settlement?month=2025-06')
  const days = [...text.matchAll(/settlement\/days\/([\d-]+)\.csv/g)].map(([, day]) => day)
  expect(days).toEqual(['2025-06-01', '2025-06-30'])
})

test('only administrators of a program can see its settlement', async () => {
  const paths = ['settlement', `settlement/days/${yesterday}.csv`]
  for (const path of paths) {
    expect((await (await getConsole('sam')).get(`/skyharbor/${path}`)).status, path).toBe(404)
    expect((await (await getConsole('ben')).get(`/gallonaire/${path}`)).status, path).toBe(404)
    expect((await (await getConsole('ben')).get(`/skyharbor/${path}`)).status, path).toBe(200)
  }
  expect((await (await getConsole('sam')).get('/programs')).text).not.toContain('Settlement of')
  const { text } = await (await getConsole('ben')).get('/programs')
  expect([text.includes('Settlement of Skyharbor Miles Dining'), text.includes('Gallonaire')]).toEqual([true, false])
})
