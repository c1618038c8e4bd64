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
import { addMember, addMerchant } from '../support/rewards-harness.ts'

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
    { email: 'fay@dineback.example', name: 'Fay Finance', role: 'finance', partners: ['skyharbor'] },
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

const pathOf = (program: string) => `/api/programs/${program}/settlement`

async function get(path: string, name = 'ana') {
  const { status, body, headers, text } = await (await getConsole(name)).call('GET', path)
  return { status, body, headers, text }
}

const statementMonth = () => localMoment(new Date(), 'America/New_York').date.slice(0, 7)

test('CON-313 yesterday has a file from a minute after midnight on', async () => {
  const at = async (time: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T${time}Z`) })
    const { body } = await get(`${pathOf('skyharbor')}/month?month=${month}`)
    const [day] = body.days.filter((each: { day: string }) => each.day === yesterday)
    return [day.isFinal, (await get(`${pathOf('skyharbor')}/days/${yesterday}`)).status]
  }
  expect(await at('00:00:59')).toEqual([false, 404])
  expect(await at('00:01:00')).toEqual([true, 200])
})

test('CON-310 shows the amounts of a month by day and by restaurant, as in the ledger', async () => {
  const shown = await get(`${pathOf('skyharbor')}/month?month=${month}`)
  const list = await get(`${pathOf('skyharbor')}?month=${month}`)
  expect([shown.status, list.status]).toEqual([200, 200])
  const db = app.database.pools.forPartner('skyharbor')
  const { rows } = await sql<{ account: string; cents: number }>`
    select account, abs(sum(amount))::bigint as cents from postings
    where account in ('restaurant', 'partner', 'platform') group by account`.execute(db)
  const cents = Object.fromEntries(rows.map((row) => [row.account, row.cents]))
  const amounts = {
    owesCents: cents.restaurant,
    partnerCents: cents.partner,
    platformCents: cents.platform,
    rewardsGiven: '126 miles',
    rewardsTakenBack: '0 miles',
  }
  expect(shown.body).toMatchObject({ month, settles: true, totals: amounts })
  expect(shown.body.days).toMatchObject([{ ...amounts, day: yesterday, creditsCents: 0 }])
  expect(list.body).toMatchObject({
    items: [
      { ...amounts, merchantId: member.merchant.slug, merchantName: 'Trattoria <b>Ada</b>', given: 1, takenBack: 0 },
    ],
    next: null,
    total: { count: 1, isExact: true },
  })
})

test('CON-311 every restaurant of a month is found, page by page, and the file has exactly what is shown', async () => {
  const db = app.database.pools.forPartner('orchard')
  const memberId = await addMember(db)
  const merchants = await Promise.all(
    Array.from({ length: 5 }, (_, index) => addMerchant(db, { name: index === 4 ? 'Zum Adler' : `Bistro ${index}` })),
  )
  const ids = await inTransaction(db, (tx) =>
    postEntries(
      tx,
      // Two restaurants owe the same.
      [7_00, 9_00, 7_00, 3_00, 1_00].map((owed, index) => ({
        source: 'transaction',
        sourceId: `paged-${index}`,
        version: 1,
        kind: 'award',
        reason: {},
        postings: [
          ...rewardPostings({ memberId, merchantId: merchants[index]?.id, unit: 'point', amount: 10 }),
          { account: 'restaurant', merchantId: merchants[index]?.id as number, unit: 'cent', amount: -owed },
          { account: 'platform', merchantId: merchants[index]?.id as number, unit: 'cent', amount: owed },
        ],
      })),
    ),
  )
  for (const id of ids)
    await asOwner(app, "update journal_entries set posted_at = '2025-09-10T12:00:00Z' where id = $1", [id])
  const owed: number[] = []
  const names = new Set<string>()
  for (let cursor = ''; ; ) {
    const { body } = await get(`${pathOf('orchard')}?month=2025-09&limit=2${cursor && `&cursor=${cursor}`}`)
    expect(body.total).toEqual({ count: 5, isExact: true })
    for (const { owesCents, merchantName } of body.items) {
      owed.push(owesCents)
      names.add(merchantName)
    }
    if (body.next === null) break
    cursor = body.next
  }
  expect([owed, names.size]).toEqual([[9_00, 7_00, 7_00, 3_00, 1_00], 5])
  const found = async (q: string) =>
    (await get(`${pathOf('orchard')}?month=2025-09&q=${encodeURIComponent(q)}`)).body.items.map(
      (item: { merchantName: string }) => item.merchantName,
    )
  expect(await found('adler')).toEqual(['Zum Adler'])
  expect(await found('%')).toEqual([])
  expect((await found('bistro')).length).toBe(4)
  const file = await get(`/api/programs/orchard/settlement.csv?month=2025-09&q=adler`)
  const lines = file.text.trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^2025-09,[^,]+,Zum Adler,transactions,1,0,10,0,1\.00,0\.00,1\.00$/)
  const acts = await asOwner(app, "select after from console.acts where action = 'exportSettlement'")
  expect(acts).toMatchObject([{ after: { month: '2025-09', q: 'adler' } }])
})

test('DATA-034 CON-313 the file of a day is the one that the command writes, and a day that is not over has none', async () => {
  const file = await get(`${pathOf('skyharbor')}/days/${yesterday}`)
  expect(file.headers['content-disposition']).toBe(`attachment; filename="skyharbor-${yesterday}.csv"`)
  const db = app.database.pools.forPartner('skyharbor')
  expect(file.text).toBe(await settlementFile({ db, partnerId: 'skyharbor' }, yesterday))
  expect(file.text).toContain('Trattoria')
  expect(file.text.startsWith('\ufeffday,')).toBe(true)
  expect((await get(`${pathOf('skyharbor')}/days/${today}`)).status).toBe(404)
  for (const day of ['2026-02-30', 'yesterday'])
    expect((await get(`${pathOf('skyharbor')}/days/${day}`)).status).toBe(400)
})

test('CON-312 a restaurant’s statement has the transactions of the operator’s programs and no names', async () => {
  const path = `${pathOf('skyharbor')}/statements/${member.merchant.slug}`
  const query = `month=${statementMonth()}`
  const shown = await get(`${path}?${query}`)
  expect(shown.body).toMatchObject({ merchantName: 'Trattoria <b>Ada</b>', transactions: 2, lineCount: 2 })
  expect(shown.body.lines.map(({ billCents }: { billCents: number }) => billCents).toSorted()).toEqual([42_10, 60_00])
  expect(shown.text).not.toContain('Nobodysname')
  const owned = await get(`${path}?${query}`, 'ben')
  expect(owned.body).toMatchObject({ transactions: 1, lines: [{ billCents: 42_10, reward: '126 miles' }] })
  const all = await get(`${path}/file?${query}&format=csv`)
  expect(all.text.startsWith('\ufeffdined_at,')).toBe(true)
  expect(all.text.split('\n').filter((line) => /Dining/.test(line))).toHaveLength(2)
  const own = await get(`${path}/file?${query}&format=csv`, 'ben')
  expect(own.text).toContain('4210')
  expect(own.text).not.toContain('6000')
  expect(all.text).not.toContain('Nobodysname')
  const paper = await get(`${path}/file?${query}&format=pdf`)
  expect([paper.headers['content-type'], paper.text.slice(0, 5)]).toEqual(['application/pdf', '%PDF-'])
  for (const wrong of [`${path}/file?${query}&format=xls`, `${path}/file?format=csv`])
    expect((await get(wrong)).status).toBe(400)
  for (const missing of [`?${query}`, `/file?${query}&format=csv`])
    expect((await get(`${pathOf('skyharbor')}/statements/nowhere${missing}`)).status).toBe(404)
})

test('CON-310 an empty month is empty, a month that does not exist gets 400, and a program without settlement says so', async () => {
  const empty = await get(`${pathOf('beacon')}/month?month=2025-02`)
  const other = await get(`${pathOf('lantern')}/month?month=2025-02`)
  expect([empty.body.days, empty.body.settles, empty.body.isOver, other.body.settles]).toEqual([[], true, true, false])
  expect((await get(`${pathOf('beacon')}?month=2025-02`)).body).toMatchObject({
    items: [],
    next: null,
    total: { count: 0 },
  })
  for (const wrong of ['2025-13', 'now', '2025-1', ''])
    for (const path of ['', '/month', '.csv'])
      expect([path, wrong, (await get(`${pathOf('beacon')}${path}?month=${wrong}`)).status]).toEqual([path, wrong, 400])
})

test('CON-310 a month has its days of UTC only', async () => {
  // The next month has started already in the time zone of the tests.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-03-31T12:00:00Z') })
  const post = (moment: string) =>
    asOwner(app, "update journal_entries set posted_at = $1 where partner_id = 'gallonaire'", [moment])
  const daysOf = async (query: string) => {
    const { body } = await get(`${pathOf('gallonaire')}/month${query}`)
    return body.days.map(({ day, isFinal }: { day: string; isFinal: boolean }) => [day, isFinal])
  }
  await post('2025-04-01T00:00:00.000Z')
  expect(await daysOf('')).toEqual([])
  await post('2025-03-31T23:59:59.999Z')
  expect(await daysOf('')).toEqual([['2025-03-31', false]])
  expect((await get(`${pathOf('gallonaire')}/days/2025-03-31`)).status).toBe(404)
  await post('2025-02-28T23:59:59.999Z')
  expect(await daysOf('?month=2025-02')).toEqual([['2025-02-28', true]])
})

test('CON-310 a month has the entries from its first to its last day', async () => {
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
  const { body } = await get(`${pathOf('beacon')}/month?month=2025-06`)
  expect(body.days.map(({ day }: { day: string }) => day)).toEqual(['2025-06-01', '2025-06-30'])
  // No restaurant pays for them.
  const list = await get(`${pathOf('beacon')}?month=2025-06`)
  expect(list.body.items).toMatchObject([{ merchantId: null, merchantName: null, given: 2, owesCents: 0 }])
})

test('CON-314 only operators with the permission in the program see its settlement', async () => {
  for (const path of ['', '/month', `/days/${yesterday}`, `/statements/${member.merchant.slug}`]) {
    const statusOf = async (program: string, name: string) => (await get(`${pathOf(program)}${path}`, name)).status
    const found = await Promise.all([
      statusOf('skyharbor', 'sam'),
      statusOf('gallonaire', 'ben'),
      statusOf('skyharbor', 'ben'),
      statusOf('skyharbor', 'fay'),
    ])
    expect([path, found]).toEqual([path, [403, 404, 200, 200]])
  }
})
