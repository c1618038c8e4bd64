import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { sumDay } from '../../src/console/reports/facts-store.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { addDays, dayIn } from '../../src/platform/time.ts'
import { postEntries } from '../../src/rewards/ledger/entries.ts'
import { listSettledDays } from '../../src/rewards/settlement/store.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMerchant, createTestContext, findLedgerViolations } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor'
const sessions = new Map<string, ConsoleSession>()
const db = () => app.database.pools.forPartner('skyharbor')
const reason = 'Agreed with the partner'
let today: string

beforeAll(async () => {
  today = dayIn(new Date(), createTestContext(app.database, 'skyharbor').program.config.timeZone)
  for (const [name, role, partners] of [
    ['fay', 'finance', ['skyharbor']],
    ['vera', 'viewer', ['skyharbor']],
    ['otto', 'administrator', ['gallonaire']],
  ] as const) {
    const email = `${name}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name, role, partners: [...partners], password })
    sessions.set(name, await openConsole(app, email, password))
  }
})

const call = (method: string, path: string, body?: unknown, name = 'fay') =>
  (sessions.get(name) as ConsoleSession).call(method, `${program}${path}`, body)

async function get<T = Record<string, unknown>>(path: string): Promise<T> {
  const response = await call('GET', path)
  expect([path, response.status]).toEqual([path, 200])
  return response.json<T>()
}

/** Posts what a restaurant owes in a month; below zero, what it is owed. */
async function owe(merchantId: number, cents: number, month: string): Promise<void> {
  const [id] = await inTransaction(db(), (tx) =>
    postEntries(tx, [
      {
        ...{ source: 'transaction', sourceId: randomUUID(), version: 1, kind: 'award', reason: {} },
        postings: [
          { account: 'restaurant', merchantId, unit: 'cent', amount: -cents },
          { account: 'platform', merchantId, unit: 'cent', amount: cents },
        ],
      },
    ]),
  )
  await asOwner(app, 'update journal_entries set posted_at = $2 where id = $1', [id, `${month}-10T12:00:00Z`])
}

async function close(month: string): Promise<{ count: number; cents: number }> {
  const preview = (await call('POST', `/settlement/months/${month}/preview`)).json()
  const closed = await call('POST', `/settlement/months/${month}/close`, {
    reason,
    fingerprint: preview.fingerprint,
  })
  expect([month, closed.status]).toEqual([month, 200])
  expect(closed.json().invoices).toEqual(preview.invoices)
  return preview.invoices
}

interface Invoice {
  number: string
  merchantName: string
  month: string
  totalCents: number
  openCents: number
  paidCents: number
  carriedCents: number
  state: string
  dueOn: string
  payments: { id: string; cents: number; entry: number; undone: { by: string } | null }[]
}
const list = async (query = '') => (await get<{ items: Invoice[] }>(`/invoices?limit=100${query}`)).items
const read = (number: string) => get<Invoice>(`/invoices/${number}`)
const pay = (number: string, amount: string, over = {}) =>
  call('POST', `/invoices/${number}/payments`, { amount, paidOn: today, reference: '', ...over })

/** Returns the balance of a ledger account in the program, in cents. */
async function balanceOf(account: string): Promise<number> {
  const [row] = await asOwner<{ cents: number }>(
    app,
    `select coalesce(sum(amount), 0)::int as cents from postings where partner_id = 'skyharbor' and account = $1`,
    [account],
  )
  return row?.cents ?? 0
}

test('CON-760 CON-761 CON-762 invoices are issued when a month is closed, and paid, in part or in all, once', async () => {
  const [adler, bistro, empty] = [await addMerchant(db()), await addMerchant(db()), await addMerchant(db())]
  await asOwner(app, "update merchants set name = 'Zum Adler' where id = $1", [adler.id])
  await asOwner(app, "update merchants set name = 'Bistro Émile' where id = $1", [bistro.id])
  await owe(adler.id, 123_456, '2025-01')
  await owe(adler.id, -456, '2025-01')
  await owe(bistro.id, 50_00, '2025-01')
  await owe(empty.id, 10_00, '2025-01')
  await owe(empty.id, -10_00, '2025-01')
  expect(await list()).toEqual([])
  expect(await close('2025-01')).toEqual({ count: 2, cents: 1280_00 })
  const [second, first] = await list()
  expect([first, second]).toMatchObject([
    { number: '202501-0001', merchantName: 'Bistro Émile', totalCents: 50_00, openCents: 50_00, state: 'open' },
    { number: '202501-0002', merchantName: 'Zum Adler', totalCents: 1230_00, month: '2025-01' },
  ])
  expect(first?.dueOn).toBe(addDays(today, 30))
  // As people type it.
  const paid = await pay('202501-0002', ' $1,000.00 ', { reference: 'SEPA 77' })
  expect(paid.json()).toMatchObject({ paidCents: 1000_00, openCents: 230_00, state: 'open' })
  // The same payment again, by a second click or after Back.
  expect((await pay('202501-0002', '1000', { reference: 'SEPA 77' })).json()).toMatchObject({ code: 'paymentKnown' })
  const refused: [string, object, string][] = [
    ['230.01', {}, 'amount'],
    ['0', {}, 'amount'],
    ['-5', {}, 'amount'],
    ['much', {}, 'amount'],
    ['1.005', {}, 'amount'],
    ['5 miles', {}, 'amount'],
    ['5', { paidOn: addDays(today, 1) }, 'paidOn'],
    ['5', { paidOn: '2025-02-30' }, 'paidOn'],
    ['5', { reference: 'x'.repeat(201) }, 'reference'],
  ]
  for (const [amount, over, field] of refused) {
    const { status, text } = await pay('202501-0002', amount, over)
    expect([amount, over, status, JSON.parse(text)[0]?.field]).toEqual([amount, over, 400, field])
  }
  expect((await pay('202501-0002', '230')).json()).toMatchObject({ openCents: 0, state: 'paid' })
  expect((await pay('202501-0002', '0.01')).status).toBe(400)
  expect((await pay('202501-0009', '5')).status).toBe(404)
  // In the ledger: what is owed, less what is paid.
  expect([await balanceOf('restaurant'), await balanceOf('bank')]).toEqual([-50_00, -1230_00])
  const { payments } = await read('202501-0002')
  const entry = await get(`/journal/${payments[0]?.entry}`)
  expect(entry).toMatchObject({
    kind: 'payment',
    by: ['fay'],
    cause: { type: 'invoice', id: '202501-0002' },
  })
  // The month of settlement stays as it was.
  expect((await get<{ totals: object }>('/settlement/month?month=2025-01')).totals).toMatchObject({
    owesCents: 1280_00,
  })
  const undo = (id: string | undefined) =>
    call('POST', `/invoices/202501-0002/payments/${id}/undo`, { reason: 'Typed for the wrong one' })
  expect((await undo(payments[0]?.id)).json()).toMatchObject({ openCents: 1000_00, state: 'open' })
  expect((await undo(payments[0]?.id)).status).toBe(409)
  expect((await undo('nothing')).status).toBe(404)
  expect([await balanceOf('restaurant'), await balanceOf('bank')]).toEqual([-1050_00, -230_00])
  // Taken back, the same payment can be recorded again.
  expect((await pay('202501-0002', '1000', { reference: 'SEPA 77' })).status).toBe(200)
  expect(await findLedgerViolations(db())).toEqual([])
  const acts = await asOwner<{ action: string; before: object; after: object }>(
    app,
    `select action, before, after from console.acts where object_id = '202501-0002' and status = 200 order by id`,
  )
  expect(acts.map(({ action }) => action)).toEqual(['addPayment', 'addPayment', 'undoPayment', 'addPayment'])
  expect(acts[0]).toMatchObject({ before: { open: '$1,230.00' }, after: { open: '$230.00', reference: 'SEPA 77' } })
})

test('CON-761 the list is found by state, number, month and restaurant, and its file has the same', async () => {
  await asOwner(app, "update restaurant_invoices set due_on = $1::date - 1 where number = '202501-0001'", [today])
  const numbers = async (query: string) => (await list(query)).map(({ number }) => number)
  expect(await numbers('&state=overdue')).toEqual(['202501-0001'])
  expect(await numbers('&state=open')).toEqual([])
  expect(await numbers('&state=paid')).toEqual(['202501-0002'])
  expect(await numbers('&restaurant=emile')).toEqual(['202501-0001'])
  expect(await numbers('&q=%23202501-0002')).toEqual(['202501-0002'])
  expect(await numbers('&month=2025-01')).toEqual(['202501-0002', '202501-0001'])
  expect(await numbers('&month=2025-02')).toEqual([])
  expect((await call('GET', '/invoices?month=2025-13')).status).toBe(400)
  const page = await get<{ items: Invoice[]; next: string; total: object }>('/invoices?limit=1')
  expect([page.items[0]?.number, page.total]).toEqual(['202501-0002', { count: 2, isExact: true }])
  expect((await get<{ items: Invoice[] }>(`/invoices?limit=1&cursor=${page.next}`)).items[0]?.number).toBe(
    '202501-0001',
  )
  const { text } = await call('GET', '/invoices.csv?state=overdue')
  expect(text.trim().split('\r\n').slice(1)).toEqual([
    expect.stringMatching(
      /^202501-0001,[^,]+,Bistro Émile,New York,2025-01,50\.00,0\.00,50\.00,\d{4}-\d\d-\d\d,Overdue$/,
    ),
  ])
  const [home] = (await (sessions.get('fay') as ConsoleSession).call('GET', '/api/home')).json()
  expect(home.tasks).toContainEqual({ kind: 'invoices', count: 1 })
})

test('CON-763 a file of payments says what it does, records each payment once, and names what it leaves out', async () => {
  const place = await addMerchant(db())
  await owe(place.id, 300_00, '2025-02')
  await close('2025-02')
  const day = today.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1')
  const text = [
    'Text;Invoice number;Amount;Date;Balance',
    `RENT;202502-0001;$100.00;${day};1`,
    `"MEALS; MARCH";#202502-0001;150,50;${today};2`,
    `;202502-0001;60;${today};3`,
    `;202502-0009;10;${today};4`,
    `;first;10;${today};5`,
    `;202502-0001;0;soon;6`,
    `;202502-0001;;;7`,
    `${'x'.repeat(201)};202502-0001;1;${today};8`,
    ';;;;',
  ].join('\r\n')
  const preview = (await call('POST', '/invoice-payments/preview', { text })).json()
  expect(preview).toMatchObject({
    count: 2,
    cents: 250_50,
    known: 0,
    leftOut: 8,
    payments: [
      { number: '202502-0001', cents: 100_00, openCents: 200_00 },
      { number: '202502-0001', cents: 150_50, openCents: 49_50 },
    ],
  })
  expect(preview.problems).toEqual([
    'line 4, column amount: $60.00 is more than is open on 202502-0001.',
    'line 5, column invoice: There is no invoice “202502-0009”.',
    'line 6, column Invoice number: “first” is no number of an invoice; write 202611-0042.',
    'line 7, column Amount: “0” is no amount above zero; write 1234.56.',
    'line 7, column Date: “soon” is not a day; write 2026-11-15 or 11/15/2026.',
    'line 8, column amount: It is required, but empty.',
    'line 8, column date: It is required, but empty.',
    expect.stringMatching(/^line 9, column .*: “x+…” has 201 characters; it may have at most 200\.$/),
  ])
  expect((await read('202502-0001')).paidCents).toBe(0)
  const send = (fingerprint: string) => call('POST', '/invoice-payments', { text, name: 'bank.csv', fingerprint })
  expect((await send('another')).status).toBe(409)
  expect((await send(preview.fingerprint)).status).toBe(200)
  expect((await read('202502-0001')).payments.map(({ cents }) => cents)).toEqual([100_00, 150_50])
  // The same file again, and with the fingerprint of before.
  expect((await send(preview.fingerprint)).status).toBe(409)
  const again = (await call('POST', '/invoice-payments/preview', { text })).json()
  expect(again).toMatchObject({ count: 0, known: 2 })
  const wrong = await call('POST', '/invoice-payments/preview', { text: 'a,b\n1,2\n' })
  expect([wrong.status, wrong.json().code]).toEqual([422, 'unreadableFile'])
  expect(wrong.json().detail.problem).toContain('The file has no columns invoice, amount, date.')
  const many = `invoice,amount,date\n${`202502-0001,0.01,${today}\n`.repeat(5_001)}`
  expect((await call('POST', '/invoice-payments/preview', { text: many })).status).toBe(422)
  const [act] = await asOwner(
    app,
    "select object_label, after from console.acts where action = 'importPayments' and status = 200",
  )
  expect(act).toEqual({ object_label: 'bank.csv', after: { payments: 2, paid: '$250.50', known: 0, leftOut: 8 } })
})

test('CON-760 what a restaurant is owed is set against its next invoices, to the cent', async () => {
  const places = await Promise.all(Array.from({ length: 3 }, () => addMerchant(db())))
  const ids = places.map(({ id }) => id)
  const months = ['2025-03', '2025-04', '2025-05', '2025-06']
  const amounts = fc.sample(fc.array(fc.integer({ min: -500_00, max: 500_00 }), { minLength: 12, maxLength: 12 }), {
    seed: 20_261_127,
    numRuns: 1,
  })[0] as number[]
  for (const [index, month] of months.entries()) {
    for (const [at, id] of ids.entries()) {
      const cents = amounts[index * 3 + at] ?? 0
      if (cents !== 0) await owe(id, cents, month)
    }
    await close(month)
  }
  for (const [at, id] of ids.entries()) {
    const rows = await asOwner<{ month: string; total: string; carried: string }>(
      app,
      `select month, total_cents as total, carried_cents as carried from restaurant_invoices
       where merchant_id = $1 order by month`,
      [id],
    )
    const due = months.map((_, index) => amounts[index * 3 + at] ?? 0)
    let owed = 0
    const expected = due.map((cents) => {
      const total = cents + owed
      owed = Math.min(0, total)
      return total
    })
    expect(rows.map(({ total }) => Number(total))).toEqual(expected)
    // All that it is asked to pay, less what it is still owed, is what the ledger says.
    const asked = expected.filter((total) => total > 0).reduce((sum, total) => sum + total, 0)
    expect(asked + owed).toBe(due.reduce((sum, cents) => sum + cents, 0))
  }
  expect((await list('&state=credit')).every(({ totalCents }) => totalCents <= 0)).toBe(true)
})

test('CON-760 more than ten thousand restaurants of a month have numbers of their own', async () => {
  const { id } = await addMerchant(db())
  const columns = (
    await asOwner<{ name: string }>(
      app,
      `select column_name as name from information_schema.columns where table_name = 'merchants' and table_schema = 'public'
       and is_identity = 'NO' and is_generated = 'NEVER' and column_name not in ('public_id', 'network_location_id', 'source_id') order by 1`,
    )
  ).map(({ name }) => `"${name}"`)
  await asOwner(
    app,
    `with many as (
       insert into merchants (public_id, network_location_id, source_id, ${columns})
       select 'many-' || n, 'many-' || n, 'many-' || n, ${columns} from merchants, generate_series(1, 10001) n where id = $1 returning id
     ), entry as (
       insert into journal_entries (partner_id, source, source_id, version, kind, reason, posted_at)
       values ('skyharbor', 'transaction', 'of-many', 1, 'award', '{}', '2025-09-10T12:00:00Z') returning id
     )
     insert into postings (partner_id, journal_entry_id, account, merchant_id, unit, amount)
     select 'skyharbor', entry.id, account, many.id, 'cent', amount
     from many, entry, (values ('restaurant', -100), ('platform', 100)) sides (account, amount)`,
    [id],
  )
  expect(await close('2025-09')).toEqual({ count: 10_001, cents: 10_001_00 })
  expect((await list('&q=202509-1000')).map(({ number }) => number)).toEqual([
    '202509-10001',
    '202509-10000',
    '202509-1000',
  ])
  await asOwner(app, "delete from restaurant_invoices where month = '2025-09-01'")
})

test('CON-762 two operators who record payments at once never pay more than is open', async () => {
  const place = await addMerchant(db())
  await owe(place.id, 100_00, '2025-07')
  await close('2025-07')
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) => pay('202507-0001', '30', { reference: `transfer ${index}` })),
  )
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 400, 400, 400, 400, 400])
  expect(await read('202507-0001')).toMatchObject({ paidCents: 90_00, openCents: 10_00 })
  expect(await findLedgerViolations(db())).toEqual([])
})

test('CON-764 invoices are seen and payments recorded by who may, in their own programs', async () => {
  expect((await call('GET', '/invoices', undefined, 'vera')).status).toBe(200)
  const payment = { amount: '1', paidOn: today, reference: '' }
  const acts: [string, object][] = [
    ['/invoices/202507-0001/payments', payment],
    ['/invoices/202507-0001/payments/x/undo', { reason }],
    ['/invoice-payments/preview', { text: 'x' }],
    ['/invoice-payments', { text: 'x', name: 'x', fingerprint: 'x' }],
  ]
  for (const [path, body] of acts) expect([path, (await call('POST', path, body, 'vera')).status]).toEqual([path, 403])
  expect((await call('GET', '/invoices', undefined, 'otto')).status).toBe(404)
  const elsewhere = await (sessions.get('otto') as ConsoleSession).call(
    'GET',
    '/api/programs/gallonaire/invoices/202507-0001',
  )
  expect(elsewhere.status).toBe(404)
})

test('CON-762 a payment changes what is open, and neither the fees of reports nor the settlement of its day', async () => {
  const place = await addMerchant(db())
  await owe(place.id, 80_00, '2025-08')
  await close('2025-08')
  const day = new Date().toISOString().slice(0, 10)
  const span = { from: new Date(`${day}T00:00:00Z`), until: new Date(`${addDays(day, 1)}T00:00:00Z`) }
  const figures = () => inTransaction(db(), (tx) => sumDay(tx, span, new Map()))
  const before = [await figures(), await listSettledDays(db(), { from: day, to: day })]
  expect((await pay('202508-0001', '80')).status).toBe(200)
  expect([await figures(), await listSettledDays(db(), { from: day, to: day })]).toEqual(before)
})
