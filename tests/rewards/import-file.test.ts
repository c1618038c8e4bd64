import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FeedEvent } from '../../src/rewards/feed/contract.ts'
import { csvColumns } from '../../src/rewards/feed/files/csv.ts'
import { importFile } from '../../src/rewards/feed/files/import-file.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  findLedgerViolations,
  receiveEvent,
  type TestCard,
} from '../support/rewards-harness.ts'

const harness = setUpTestHarness()
let folder: string
let card: TestCard
let locationId: string
const ctx = () => createTestContext(harness, 'skyharbor')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'feed-'))
  const { db } = ctx()
  card = await addCard(db, await addMember(db))
  locationId = (await addMerchant(db)).locationId
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

let minute = 0
const newEvent = (name: 'auth' | 'clearing' = 'clearing', over = {}): FeedEvent =>
  feedEvent(`transaction.${name}`, {
    id: randomUUID(),
    updated: new Date(Date.UTC(2026, 2, 11) + minute++ * 60_000).toISOString(),
    card: { id: card.token, lastNumbers: card.lastFour },
    location: { id: locationId },
    ...over,
  })

const write = (name: string, content: string | Buffer) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const lines = (events: readonly unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('')
const ndjson = (path: string) => importFile(ctx(), { path, format: 'ndjson' })

/** Returns all postings of the ledger as one text. */
async function ledger(): Promise<string> {
  const { rows } = await sql`
    select j.source_id, j.version, j.kind, p.account, p.member_id, p.unit, p.amount
    from journal_entries j join postings p on p.journal_entry_id = j.id order by 1, 2, 4`.execute(ctx().db)
  return JSON.stringify(rows)
}

describe('a file of events', () => {
  test('is processed line by line; an invalid line is reported and does not affect the others', async () => {
    const twice = newEvent()
    const path = write(
      'day.ndjson',
      `${lines([newEvent(), newEvent('auth'), twice, twice])}no json\n\n${lines([
        { event: 'party' },
        newEvent('clearing', { programId: 'beacon' }),
        newEvent('clearing', { note: '4111 1111 1111 1111' }),
        newEvent('clearing', { card: { id: randomUUID(), lastNumbers: '0003' } }),
      ])}`,
    )
    expect(await ndjson(path)).toEqual({
      applied: 3,
      unmatched: 1,
      repeated: 1,
      ignored: 0,
      rejected: 4,
      lines: 10,
      wasDone: false,
      resumedAfter: 0,
      faults: [
        { line: 5, code: 'notJson', texts: ['line 5: The line is not JSON.'] },
        {
          line: 7,
          code: 'malformed',
          texts: [
            expect.stringMatching(/^line 7, column event: “party” is none of transaction\.auth, /),
            expect.any(String),
          ],
        },
        { line: 8, code: 'otherProgram', texts: ['line 8: It belongs to another program.'] },
        { line: 9, code: 'cardNumber', texts: ['line 9: It has a card number, which must never be sent.'] },
      ],
    })
  })

  test('has its first hundred invalid lines listed, and all counted', async () => {
    const report = await ndjson(write('invalid.ndjson', 'no json\n'.repeat(101)))
    expect([report.rejected, report.faults.length, report.faults.at(-1)?.line]).toEqual([101, 100, 100])
  })

  test('may be CSV, compressed or not, with the same result as NDJSON', async () => {
    const event = newEvent('clearing', {
      amount: '42.10',
      verification: 'signature',
      brand: { name: 'Corner, "Bistro"' },
      card: { id: card.token, lastNumbers: card.lastFour, scheme: 'visa', funding: 'debit' },
      originalTransactionId: randomUUID(),
      authCode: 'A1B2C3',
      tipAmount: '5.00',
      taxAmount: '3.10',
    })
    const { transaction: t } = event
    const cells: Record<string, unknown> = {
      ...t,
      event: 'clearing',
      cardId: t.card.id,
      cardLastFour: t.card.lastNumbers,
      cardScheme: t.card.scheme,
      cardFunding: t.card.funding,
      locationId,
      merchantName: t.brand?.name,
    }
    const rowOf = (over: Record<string, unknown> = {}) =>
      csvColumns.map((name) => `"${String({ ...cells, ...over }[name] ?? '').replaceAll('"', '""')}"`).join()
    // Each name may omit its `transaction.`, also the one of a message that changes nothing.
    const others = ['transaction.clearing', 'clearing.qualified', 'transaction.clearing.qualified']
    const rows = [csvColumns.join(), rowOf(), 'too few', ...others.map((name) => rowOf({ event: name }))]
    const path = write('day.csv.gz', gzipSync(`${rows.join('\n')}\n`))
    const report = {
      applied: 1,
      ignored: 1,
      repeated: 2,
      rejected: 1,
      faults: [{ line: 3, code: 'malformed', texts: ['line 3: The line has 1 cells, the first line has 19.'] }],
    }
    expect(await importFile(ctx(), { path, format: 'csv' })).toMatchObject(report)
    const stored = ctx().db.selectFrom('feed_messages').select('body').where('network_id', '=', t.id)
    const byName = stored.orderBy(sql`body ->> 'event'`)
    expect(await byName.execute()).toEqual([
      { body: event },
      { body: { ...event, event: 'transaction.clearing.qualified' } },
    ])
    const again = write('same.ndjson', lines([event]))
    expect(await ndjson(again)).toMatchObject({ repeated: 1, applied: 0 })
  })

  test('HIST-052 Case 113 names the code of a purchase that a webhook has reported with another id: it is paid once', async () => {
    const purchase = newEvent('clearing', { authCode: '004512', amount: '42.10' })
    await receiveEvent(ctx(), purchase)
    const { datetime, created, updated } = purchase.transaction
    const cells = [
      'clearing',
      randomUUID(),
      'skyharbor',
      '42.10',
      'USD',
      datetime,
      created,
      updated,
      card.token,
      '0002',
    ]
    const head = 'event,id,programId,amount,currency,datetime,created,updated,cardId,cardLastFour,locationId,authCode'
    const path = write('codes.csv', `${head}\n${[...cells, locationId, '004512'].join()}\n`)
    expect(await importFile(ctx(), { path, format: 'csv' })).toMatchObject({ applied: 1 })
    const own = ctx().db.selectFrom('transactions').select(['network_id', 'benefit', 'auth_code'])
    expect(await own.where('auth_code', '=', '004512').execute()).toEqual([
      { network_id: purchase.transaction.id, benefit: 126, auth_code: '004512' },
    ])
  })

  test('may name its currency in lower case, in a table and in JSON', async () => {
    const event = newEvent('clearing', { currency: 'usd' })
    expect(await ndjson(write('lower.ndjson', lines([event])))).toMatchObject({ applied: 1, rejected: 0 })
    const stored = ctx().db.selectFrom('transactions').select(sql<string>`reason ->> 'code'`.as('code'))
    expect(await stored.where('network_id', '=', event.transaction.id).execute()).toEqual([{ code: 'earned' }])
  })

  test('may be a table that a spreadsheet program has saved, and each wrong cell is named', async () => {
    const head = 'Event;Id;Program Id;Amount;Currency;Datetime;Created;Updated;Card Id;Card Last Four;Location Id'
    const rowOf = (id: string, over: Record<number, string> = {}) =>
      [
        'Clearing',
        id,
        'skyharbor',
        '$42,10',
        'usd',
        '3/10/2026 7:30 PM',
        '2026-03-12T04:00:00Z',
        '2026-03-12T04:00:00Z',
        card.token,
        '2',
        locationId,
      ]
        .map((cell, index) => over[index] ?? cell)
        .join(';')
    const [right, wrong] = [randomUUID(), randomUUID()]
    const table = `\ufeffsep=;\r\n${head}\r\n${rowOf(right)}\r\n;;;;;;;;;;\r\n${rowOf(wrong, { 0: 'party', 3: 'eighty', 9: '12345' })}\r\n`
    const report = await importFile(ctx(), { path: write('saved.csv', table), format: 'csv' })
    expect(report).toMatchObject({ applied: 1, rejected: 1, lines: 5 })
    expect(report.faults).toEqual([
      {
        line: 5,
        code: 'malformed',
        texts: [
          'line 5, column Amount: “eighty” is not an amount; write 42.10.',
          'line 5, column Card Last Four: “12345” is not the last four digits of a card.',
          'line 5, column Event: “party” is no event; write auth, clearing or refund.',
        ],
      },
    ])
    const stored = await ctx().db.selectFrom('feed_messages').select('body').where('network_id', '=', right).execute()
    expect(stored).toMatchObject([
      {
        body: {
          event: 'transaction.clearing',
          transaction: {
            amount: '42.10',
            currency: 'USD',
            datetime: '2026-03-10T19:30:00',
            card: { lastNumbers: '0002' },
          },
        },
      },
    ])
    const missing = write('missing.csv', 'event,id\nauth,1\n')
    await expect(importFile(ctx(), { path: missing, format: 'csv' })).rejects.toThrow(
      /^The file has no columns programId, amount, .*found: event, id\.$/,
    )
  })

  test('Case 4 that is imported a hundred times, renamed, truncated or within another, leaves the ledger unchanged', async () => {
    const events = Array.from({ length: 40 }, () => newEvent())
    const whole = lines(events)
    await ndjson(write('whole.ndjson', whole))
    const before = await ledger()
    for (let replay = 0; replay < 100; replay++) {
      const name = `replay-${replay}.ndjson`
      if (replay % 4 === 0) copyFileSync(join(folder, 'whole.ndjson'), join(folder, name))
      if (replay % 4 === 1) write(name, whole.slice(0, (whole.length * replay) / 100))
      if (replay % 4 === 2) write(name, lines(events.slice(replay % 40)))
      if (replay % 4 === 3) write(name, lines([...events, ...events].toReversed()))
      const report = await ndjson(join(folder, name))
      expect(replay % 4 === 0 ? report.wasDone : report.applied === 0).toBe(true)
    }
    expect(await ledger()).toBe(before)
    expect(await findLedgerViolations(ctx().db)).toEqual([])
  }, 120_000)

  test('Case 4 counterpart: a system that renumbers its messages for every file is counted twice, and the check detects it', async () => {
    const events = Array.from({ length: 5 }, () => newEvent())
    await ndjson(write('named.ndjson', lines(events)))
    const before = await ledger()
    const renumbered = events.map((event) => ({ ...event, transaction: { ...event.transaction, id: randomUUID() } }))
    await ndjson(write('named-again.ndjson', lines(renumbered)))
    expect(await ledger()).not.toBe(before)
  })

  test('resumes after a crash where the last stored batch ended', async () => {
    const events = Array.from({ length: 1200 }, () => newEvent())
    const path = write('long.ndjson', `no json\n${lines(events)}no json\n`)
    const falling = ctx()
    let batches = 0
    const falls = () => {
      if (++batches === 2) throw new Error('the machine falls')
    }
    await expect(importFile(falling, { path, format: 'ndjson', onProgress: falls })).rejects.toThrow('falls')
    const rest = await ndjson(path)
    // Those before the crash, too.
    const rejected = {
      rejected: 2,
      faults: [1, 1202].map((line) => ({ line, code: 'notJson', texts: [`line ${line}: The line is not JSON.`] })),
    }
    expect(rest).toMatchObject({ resumedAfter: 1000, applied: 1200, repeated: 0, lines: 1202, ...rejected })
    expect(await ndjson(path)).toMatchObject({ wasDone: true, applied: 1200, ...rejected })
  }, 60_000)

  test('stops at a line that cannot be stored now, and continues there later', async () => {
    const path = write('later.ndjson', lines([newEvent(), newEvent()]))
    const rename = (from: string, to: string) => queryAsOwner(harness.ownerUrl, `alter table ${from} rename to ${to}`)
    await rename('feed_messages', 'feed_messages_away')
    try {
      await expect(ndjson(path)).rejects.toThrow(/line 1 could not be kept/)
    } finally {
      await rename('feed_messages_away', 'feed_messages')
    }
    const { applied, repeated, ...rest } = await ndjson(path)
    expect(rest).toMatchObject({ wasDone: false, resumedAfter: 0, rejected: 0, lines: 2 })
    // The second line may have been stored meanwhile, when the table was there again.
    expect(applied + repeated).toBe(2)
  })

  test('an archive that ends in the middle is reported, and its complete lines stay stored until the rest arrives', async () => {
    const packed = gzipSync(lines(Array.from({ length: 600 }, () => newEvent())))
    const short = write('short.ndjson.gz', packed.subarray(0, packed.length - 200))
    await expect(ndjson(short)).rejects.toThrow(/end of file/)
    const whole = await ndjson(write('short-whole.ndjson.gz', packed))
    expect(whole.applied + whole.repeated).toBe(600)
  })
})
