import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { formatCount } from '../../src/platform/money.ts'
import { postAdjustment } from '../../src/rewards/awards/adjustment.ts'
import { receiveEvents } from '../../src/rewards/feed/receive-events.ts'
import { listBalances } from '../../src/rewards/ledger/console/trial-balance.ts'
import { listSettledDays } from '../../src/rewards/settlement/store.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, createTestContext, findLedgerViolations } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor'
const sessions = new Map<string, ConsoleSession>()

beforeAll(async () => {
  for (const [name, role, partners] of [
    ['fay', 'finance', null],
    ['mia', 'marketer', ['skyharbor']],
    ['oto', 'admin', ['gallonaire']],
  ] as const) {
    const email = `${name}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name, role, partners, password })
    sessions.set(name, await openConsole(app, email, password))
  }
})

/** The terms of settlement, by program. */
const settlements = {
  skyharbor: { restaurantFee: 1_000, centsPer100Units: 130, partnerShare: 2_000 },
  beacon: { restaurantFee: 1_000, centsPer100Units: 30, partnerShare: 2_000 },
}

function contextOf(partner: keyof typeof settlements) {
  const ctx = createTestContext(app.database, partner)
  return { ...ctx, program: { ...ctx.program, config: { ...ctx.program.config, settlement: settlements[partner] } } }
}

async function get(path: string, name = 'fay') {
  const { status, body, text } = await (sessions.get(name) as ConsoleSession).call('GET', path)
  return { status, body, text }
}

/** Receives a charged meal, and a refund of it where one is given. */
async function dine(
  partner: 'skyharbor' | 'beacon',
  { token, locationId, amount, refund }: { token: string; locationId: string; amount: string; refund?: string },
): Promise<string> {
  const id = randomUUID()
  const ctx = contextOf(partner)
  const facts = { programId: partner, card: { id: token, lastNumbers: '0002' }, location: { id: locationId } }
  await receiveEvents(ctx, [feedEvent('transaction.clearing', { ...facts, id, amount })])
  if (refund !== undefined) {
    const later = '2026-03-12T10:00:00.000Z'
    const about = { id: randomUUID(), amount: refund, originalTransactionId: id, created: later, updated: later }
    await receiveEvents(ctx, [feedEvent('transaction.refund', { ...facts, ...about })])
  }
  return id
}

test('CON-320 CON-321 finds journal entries by number, cause, member, restaurant, account, source, day and amount', async () => {
  const ctx = contextOf('skyharbor')
  const memberId = await addMember(ctx.db)
  const card = await addCard(ctx.db, memberId)
  const place = await addMerchant(ctx.db, { name: 'Zebra Room' })
  const networkId = await dine('skyharbor', { token: card.token, locationId: place.locationId, amount: '42.10' })
  const adjustment = randomUUID()
  await inTransaction(ctx.db, (tx) =>
    postAdjustment(tx, ctx, { id: adjustment, memberId, amount: 70, words: 'A late reward', by: ['Ada', 'Ben'] }),
  )
  const [transaction] = await asOwner<{ public_id: string }>(
    app,
    'select public_id from transactions where network_id = $1',
    [networkId],
  )
  const [member] = await asOwner<{ public_id: string; email: string }>(
    app,
    'select public_id, email from members where id = $1',
    [memberId],
  )
  const [merchant] = await asOwner<{ public_id: string }>(app, 'select public_id from merchants where id = $1', [
    place.id,
  ])
  const [award, adjusted] = (
    await asOwner<{ id: string }>(app, 'select id from journal_entries where source_id = any($1) order by id', [
      [networkId, adjustment],
    ])
  ).map(({ id }) => Number(id))
  const day = new Date().toISOString().slice(0, 10)
  const own = { member: member?.public_id ?? '' }
  const ids = async (query: Record<string, string>) => {
    const { status, body } = await get(`${program}/journal?${new URLSearchParams(query)}`)
    expect([query, status]).toEqual([query, 200])
    return body.items.map(({ id }: { id: number }) => id)
  }
  const expected: [Record<string, string>, (number | undefined)[]][] = [
    [own, [adjusted, award]],
    [{ member: member?.email ?? '' }, [adjusted, award]],
    [{ member: 'nobody@example.com' }, []],
    [{ q: `${award}` }, [award]],
    [{ q: `#${award}` }, [award]],
    [{ q: formatCount(award as number) }, [award]],
    [{ q: networkId }, [award]],
    [{ q: transaction?.public_id ?? '' }, [award]],
    [{ q: adjustment }, [adjusted]],
    [{ q: 'nothing' }, []],
    [{ restaurant: 'zebra room' }, [award]],
    [{ restaurant: merchant?.public_id ?? '' }, [award]],
    [{ ...own, source: 'adjustment' }, [adjusted]],
    [{ ...own, account: 'restaurant' }, []],
    [{ restaurant: 'zebra room', account: 'restaurant' }, [award]],
    [{ restaurant: 'zebra room', account: 'payout' }, []],
    [{ ...own, amount: '126' }, [award]],
    [{ ...own, amount: '-70' }, [adjusted]],
    [{ ...own, amount: '126 miles' }, [award]],
    [{ ...own, amount: '$126.00' }, []],
    [{ ...own, amount: '126,000 miles' }, []],
    // Dollars are not miles.
    [{ ...own, amount: '1.26' }, []],
    [{ restaurant: 'zebra room', amount: '4.21' }, [award]],
    [{ restaurant: 'zebra room', amount: '$4.21' }, [award]],
    [{ ...own, from: day, to: day }, [adjusted, award]],
    [{ ...own, to: '2026-01-01' }, []],
  ]
  for (const [query, found] of expected) expect([query, await ids(query)]).toEqual([query, found])
  expect((await get(`${program}/journal?amount=much`)).status).toBe(400)
  const first = await get(`${program}/journal?${new URLSearchParams({ ...own, limit: '1' })}`)
  expect(first.body).toMatchObject({ items: [{ id: adjusted }], total: { count: 2, isExact: true } })
  const next = await get(`${program}/journal?${new URLSearchParams({ ...own, limit: '1', cursor: first.body.next })}`)
  expect(next.body).toMatchObject({ items: [{ id: award }], next: null })
  // Down to the posting, with what caused it.
  const entry = await get(`${program}/journal/${award}`)
  expect(entry.body).toMatchObject({
    kind: 'award',
    source: 'transaction',
    sourceId: networkId,
    reasonCode: 'earned',
    cause: { type: 'transaction', id: transaction?.public_id },
    versions: [{ id: award, version: 1 }],
  })
  expect(
    entry.body.postings.map(({ account, amount }: { account: string; amount: string }) => [account, amount]),
  ).toEqual([
    ['member', '126 miles'],
    ['program', '−126 miles'],
    ['restaurant', '−$4.21'],
    ['partner', '$2.14'],
    ['platform', '$2.07'],
  ])
  expect(entry.body.postings[0]).toMatchObject({
    member: own.member && { id: own.member },
    restaurant: { name: 'Zebra Room' },
  })
  const manual = await get(`${program}/journal/${adjusted}`)
  expect(manual.body).toMatchObject({
    words: 'A late reward',
    by: ['Ada', 'Ben'],
    cause: { type: 'member', id: member?.public_id },
  })
  // The transaction leads back to its entries.
  const shown = await get(`${program}/transactions/${transaction?.public_id}`)
  expect(shown.body.journal.map(({ id }: { id: number }) => id)).toEqual([award])
})

test('CON-322 the file of the journal has a line for each posting of the list', async () => {
  const ctx = contextOf('skyharbor')
  const memberId = await addMember(ctx.db)
  const id = randomUUID()
  await inTransaction(ctx.db, (tx) =>
    postAdjustment(tx, ctx, { id, memberId, amount: 100, words: 'For the file', by: ['Ada'] }),
  )
  const { text } = await get(`${program}/journal.csv?q=${id}`)
  const lines = text.trim().split('\r\n').slice(1)
  const amounts = lines.map((line) => line.split(',').slice(-3))
  expect(amounts).toEqual([
    ['Member', 'miles', '100'],
    ['Program', 'miles', '-100'],
    ['Partner', 'money', '1.30'],
    ['Platform', 'money', '-1.30'],
  ])
  for (const line of lines) expect(line).toContain(`Credit or debit,Credit or debit by an operator,${id},Ada Lovelace`)
  expect(await asOwner(app, "select after from console.acts where action = 'exportJournal'")).toMatchObject([
    { after: { q: id } },
  ])
})

test('CON-323 the journal is for operators with its permission in the program', async () => {
  for (const path of ['journal', 'journal/1', 'journal.csv', 'trial-balance']) {
    expect([path, (await get(`${program}/${path}`, 'mia')).status]).toEqual([path, 403])
    expect([path, (await get(`${program}/${path}`, 'oto')).status]).toEqual([path, 404])
  }
  const [entry] = await asOwner<{ id: string }>(
    app,
    "select id from journal_entries where partner_id = 'skyharbor' limit 1",
  )
  expect((await get(`/api/programs/gallonaire/journal/${entry?.id}`)).status).toBe(404)
  expect((await get(`${program}/journal/999999999`)).status).toBe(404)
  expect((await get(`${program}/journal/first`)).status).toBe(400)
})

/** Returns numbers from 0 to below 1 that look random, the same ones for the same seed. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

test('CON-330 CON-310 the trial balance of every day is that of the ledger and of the settlement and sums to zero, after a random run', async () => {
  const ctx = contextOf('beacon')
  const random = createRandom(20_261_127)
  const places = [await addMerchant(ctx.db), await addMerchant(ctx.db)]
  const members = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const memberId = await addMember(ctx.db)
      return { memberId, token: (await addCard(ctx.db, memberId)).token }
    }),
  )
  for (let step = 0; step < 60; step++) {
    const { memberId, token } = members[Math.floor(random() * members.length)] as (typeof members)[number]
    const place = places[Math.floor(random() * places.length)] as (typeof places)[number]
    const cents = 10_00 + Math.floor(random() * 290_00)
    const kind = random()
    if (kind < 0.2) {
      const amount = Math.floor(random() * 9_00) - 3_00 || 1
      await inTransaction(ctx.db, (tx) =>
        postAdjustment(tx, ctx, { id: randomUUID(), memberId, amount, words: 'A random one', by: ['Ada'] }),
      )
    } else {
      const refund = kind < 0.5 ? { refund: ((cents * random()) / 100).toFixed(2) } : {}
      await dine('beacon', { token, locationId: place.locationId, amount: (cents / 100).toFixed(2), ...refund })
    }
  }
  expect(await findLedgerViolations(ctx.db)).toEqual([])
  const spread = "'2026-04-01T00:00:00Z'::timestamptz + (rank - 1) * interval '7 hours'"
  await asOwner(
    app,
    `update journal_entries j set posted_at = ${spread}
     from (select id, rank() over (order by id) from journal_entries where partner_id = 'beacon') r
     where j.partner_id = 'beacon' and j.id = r.id`,
  )
  const postings = async () =>
    (
      await asOwner<{ day: string; account: string; unit: string; amount: string }>(
        app,
        `select to_char(j.posted_at at time zone 'UTC', 'YYYY-MM-DD') as day, p.account, p.unit, p.amount
         from journal_entries j join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id
         where j.partner_id = 'beacon'`,
      )
    ).map((row) => ({ ...row, amount: Number(row.amount) }))
  const days = [...new Set((await postings()).map(({ day }) => day))].toSorted()
  expect(days.length).toBeGreaterThan(10)
  const accounts = new Set((await postings()).map(({ account }) => account))
  for (const account of ['member', 'program', 'payout', 'restaurant', 'platform']) expect(accounts).toContain(account)
  // Of entries that were posted at the same time, one with a lower id may belong to the next day.
  const [swapped] = await asOwner<{ ids: string[] }>(
    app,
    `select array_agg(id order by id) as ids from (
       select id from journal_entries where partner_id = 'beacon' and posted_at < '2026-04-04' order by id desc limit 3) x`,
  )
  const [low, , high] = swapped?.ids ?? []
  const post = (id: string | undefined, at: string) =>
    asOwner(app, 'update journal_entries set posted_at = $2 where id = $1', [id, at])
  await post(low, '2026-04-04T00:00:01Z')
  await post(high, '2026-04-03T23:59:59Z')
  // Nothing is posted for days before the last entry, and of those before it the one with the highest id is not the latest.
  const [newest] = await asOwner<{ ids: string[] }>(
    app,
    `select array_agg(id order by id) as ids from (
       select id from journal_entries where partner_id = 'beacon' order by id desc limit 3) x`,
  )
  const [later, earlier, lonely] = newest?.ids ?? []
  await post(later, `${days.at(-1)}T22:00:01Z`)
  await post(earlier, `${days.at(-1)}T22:00:00Z`)
  await post(lonely, '2026-12-30T12:00:00Z')
  days.push('2026-12-30')
  const all = await postings()
  const last = days.at(-1) as string
  for (const day of ['2026-03-31', ...days, '2026-12-27', '2027-01-01']) {
    const lines = await listBalances(ctx.db, day)
    const sums = (of: (posting: (typeof all)[number]) => boolean) => {
      const totals: Record<string, number> = {}
      for (const { account, unit, amount } of all.filter(of))
        totals[`${account} ${unit}`] = (totals[`${account} ${unit}`] ?? 0) + amount
      return Object.fromEntries(Object.entries(totals).filter(([, amount]) => amount !== 0))
    }
    const shown = (of: (line: (typeof lines)[number]) => number) =>
      Object.fromEntries(
        lines.map((line) => [`${line.account} ${line.unit}`, of(line)]).filter(([, amount]) => amount !== 0),
      )
    expect([day, shown(({ before }) => before)]).toEqual([day, sums((posting) => posting.day < day)])
    expect([day, shown(({ after }) => after)]).toEqual([day, sums((posting) => posting.day <= day)])
    expect([day, shown(({ taken }) => -taken)]).toEqual([day, sums((each) => each.day === day && each.amount < 0)])
    expect([day, shown(({ added }) => added)]).toEqual([day, sums((each) => each.day === day && each.amount > 0)])
    for (const unit of new Set(lines.map((line) => line.unit)))
      expect(lines.filter((line) => line.unit === unit).reduce((sum, { after }) => sum + after, 0)).toBe(0)
    // The settlement of the day is what moved the accounts of restaurants, the partner and the platform.
    const [settled] = await listSettledDays(ctx.db, { from: day, to: day })
    const moved = (account: string) =>
      lines.filter((line) => line.account === account).reduce((sum, { added, taken }) => sum + added - taken, 0)
    expect([day, 0 - (settled?.restaurantOwes ?? 0), settled?.partnerIsOwed ?? 0, settled?.platformShare ?? 0]).toEqual(
      [day, moved('restaurant'), moved('partner'), moved('platform')],
    )
  }
  const { body } = await get(`/api/programs/beacon/trial-balance?day=${last}`)
  expect(body).toMatchObject({ day: last, sums: [{ unit: 'cent', after: '$0.00', isZero: true }] })
})
