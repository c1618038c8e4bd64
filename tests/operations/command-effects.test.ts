import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, addMonths } from '../../src/platform/time.ts'
import { settlementFile } from '../../src/rewards/settlement/settlement-file.ts'
import { deriveVaultKeys } from '../../vault/keys.ts'
import { asOwner } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { linkCard } from '../support/members.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { environmentOf, runCommand, runProcess } from '../support/run-command.ts'
import { cardNumber, sealCard } from '../support/sealed-card.ts'

const app = setUpTestApp()
let folder: string
let member: CardMember
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'command-effects-'))
  member = await createCardMember(app)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hasRun = new Set<string>()
/** Runs a command next to the app, the first time as a process of its own. */
function run(script: string, ...args: string[]) {
  const start = hasRun.has(script) ? runCommand : runProcess
  hasRun.add(script)
  return start(script, args, environmentOf(app))
}
const inSkyharbor = ['--partner', 'skyharbor']
const today = new Date().toISOString().slice(0, 10)
const write = (name: string, ...lines: unknown[]) => {
  const path = join(folder, name)
  writeFileSync(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  return path
}

test('dine sends the events of a transaction with the chosen card, at the chosen restaurant, for the chosen amount', async () => {
  const { number: newest } = await linkCard(app, member)
  const elsewhere = await createCardMember(app)
  const [{ email = '' } = {}] = await asOwner<{ email: string }>(app, 'select email from members where id = $1', [
    member.memberId,
  ])
  const by = [...inSkyharbor, '--member', email.toUpperCase()]
  const dine = (...args: string[]) => run('dine', ...by, ...args)
  const transactions = () =>
    asOwner(
      app,
      `select card_last_four as card, merchant_id::int as merchant, ticket_cents::int as ticket,
         cleared_cents::int as cleared, refunded_cents::int as refunded
       from transactions where member_id = $1 order by id`,
      [member.memberId],
    )
  const chosen = ['--card', member.lastFour, '--merchant', elsewhere.merchant.slug]
  // Without choices: an authorization and its clearing, with the card that was linked last, at the first restaurant.
  const [usual, unnamed] = await Promise.all([dine(), dine('--event', 'refund')])
  expect([usual.code, usual.err]).toEqual([0, ''])
  const [first] = await transactions()
  const bill = { merchant: member.merchant.id, ticket: 42_10, cleared: 42_10, refunded: 0 }
  expect(first).toEqual({ ...bill, card: newest.slice(-4) })
  expect([unnamed.code, unnamed.err]).toEqual([1, '--event refund needs --id, the network id of the transaction.\n'])
  const { out } = await dine('--event', 'clearing', '--amount', '10', ...chosen)
  const id = /network id (\S+)/.exec(out)?.[1] ?? ''
  const cleared = { card: member.lastFour, merchant: elsewhere.merchant.id, ticket: 10_00, cleared: 10_00 }
  expect((await transactions()).slice(1)).toEqual([{ ...cleared, refunded: 0 }])
  const refund = await dine('--event', 'refund', '--amount', '2.50', '--id', id, ...chosen)
  expect(refund.out).toContain(`network id ${id}\n`)
  expect((await transactions()).slice(1)).toEqual([{ ...cleared, refunded: 2_50 }])
})

test('settle writes a file per day, yesterday’s without days, and a statement has the month before', async () => {
  const own = await createCardMember(app)
  await own.sendTransaction('clearing', '42.10')
  const [yesterday, before] = [addDays(today, -1), addDays(today, -2)]
  await asOwner(app, "update journal_entries set posted_at = posted_at - interval '1 day'")
  const out = (name: string) => join(folder, name)
  const settle = (...args: string[]) => run('settle', ...inSkyharbor, ...args)
  const [plain, both] = await Promise.all([
    settle('--out', out('plain')),
    settle('--out', out('both'), '--from', before, '--to', yesterday),
  ])
  expect([plain, both].map(({ code, err }) => [code, err])).toEqual(Array(2).fill([0, '']))
  const name = (day: string) => `skyharbor-${day}.csv`
  expect(['plain', 'both'].map((each) => readdirSync(out(each)).toSorted())).toEqual([
    [name(yesterday)],
    [name(before), name(yesterday)],
  ])
  // The folder is a file.
  const failed = await settle('--out', join(out('plain'), name(yesterday)))
  expect([failed.code, failed.out, failed.err]).toEqual([1, '', expect.stringContaining('EEXIST')])
  const db = app.database.pools.forPartner('skyharbor')
  const file = readFileSync(join(out('plain'), name(yesterday)), 'utf8')
  expect(file).toBe(await settlementFile({ db, partnerId: 'skyharbor' }, yesterday))
  expect(file).toContain('Corner Bistro')

  const lastMonth = addMonths(today.slice(0, 7), -1)
  await asOwner(app, 'update transactions set occurred_at = $2 where member_id = $1', [
    own.memberId,
    `${lastMonth}-15T20:00:00Z`,
  ])
  const state = (...args: string[]) => run('statement', '--merchant', own.merchant.slug, ...args)
  const [csv, pdf] = await Promise.all([
    state('--format', 'csv', '--out', out('last.csv')),
    state('--out', out('this.pdf'), '--month', today.slice(0, 7)),
  ])
  expect(csv.out).toBe(`  ${out('last.csv')}: 1 transactions\n`)
  expect(readFileSync(out('last.csv'), 'utf8')).toContain('4210')
  expect(pdf.out).toBe(`  ${out('this.pdf')}: 0 transactions\n`)
  expect(readFileSync(out('this.pdf'), 'utf8').slice(0, 5)).toBe('%PDF-')
})

test('loaded members are printed with the links that activate them, and wrong lines are named', async () => {
  const line = { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper', zipCode: '10001' }
  const file = write('members.ndjson', line, 'no json', { ...line, email: 'x' })
  const table = write(
    'table.csv',
    'Email;First Name;Last Name;ZIP;Opt In',
    'ada@example.com;Ada;Byron;10001-1234;YES',
    ';;;;',
  )
  const [loaded, closed] = await Promise.all([
    run('load-members', ...inSkyharbor, file),
    run('load-members', '--partner', 'orchard', file),
  ])
  const [{ id } = {}] = await asOwner(app, 'select public_id as id from members where email = $1', [line.email])
  expect(loaded.out).toBe(`${line.email} ${app.origin('skyharbor')}/activate?publicId=${id}\n`)
  expect(loaded.err).toBe(
    '  line 2: The line is not JSON.\n  line 3, column email: “x” is not an email address.\n  1 members loaded, 2 lines wrong\n',
  )
  const asTable = await run('load-members', ...inSkyharbor, table)
  expect([asTable.code, asTable.err]).toEqual([0, '  1 members loaded, 0 lines wrong\n'])
  expect(
    await asOwner(app, 'select zip_code, email_opt_in from members where email = $1', ['ada@example.com']),
  ).toEqual([{ zip_code: '10001', email_opt_in: true }])
  expect(loaded.code).toBe(1)
  expect([closed.code, closed.err]).toEqual([1, 'orchard does not have hasAutoEnroll.\n'])
})

test('loaded cards are offered to their holder, and wrong lines are named', async () => {
  const card = {
    holder: randomUUID(),
    partnerCardId: 'own-1',
    description: 'Fleet Visa',
    encryptedCardNumber: await sealCard(deriveVaultKeys(app.settings.VAULT_SECRET).publicJwk, {
      number: cardNumber(),
      expires: '2031-05',
      tenant: 'gallonaire',
      purpose: 'load',
      exp: Math.floor(Date.now() / 1000) + 300,
    }),
  }
  const wrong = ['no json', { ...card, holder: 'a\u0000b' }, { ...card, description: '' }]
  const load = (name: string, ...lines: unknown[]) =>
    run('load-cards', '--partner', 'gallonaire', write(name, ...lines))
  const mixed = await load('mixed.ndjson', ...wrong, card)
  expect([mixed.code, mixed.out]).toEqual([1, '  1 cards loaded, 3 lines wrong\n'])
  expect(mixed.err.split('\n')).toEqual([
    '  line 1: The line is not JSON.',
    '  line 2, column holder: It has a character that cannot be stored.',
    '  line 3, column description: It is required, but empty.',
    '',
  ])
  expect(await asOwner(app, 'select holder, partner_card_id as id from partner_cards')).toEqual([
    { holder: card.holder, id: 'own-1' },
  ])
})

test('imported restaurants participate when they are said to, and a dry run or a wrong row writes nothing', async () => {
  const place = { name: 'A', lat: 40.75, lng: -73.99, city: 'New York', state: 'NY', zip: '10001', cuisine: ['Thai'] }
  const [right, mixed] = [
    write('right-places.ndjson', { ...place, id: 'a' }, { ...place, id: 'b' }),
    write('mixed-places.ndjson', { ...place, id: 'c' }, { ...place, id: 'd', lat: 200 }),
  ]
  const stored = () =>
    asOwner(
      app,
      `select source, source_id as id, participating, joined_on::text as joined from merchants
       where source in ('guide', 'mixed-places') order by source_id`,
    )
  const call = async (...args: string[]) => {
    const { code, out } = await run('import-merchants', ...args)
    return [code, /\d+ new.*wrong/.exec(out)?.[0], out.includes('Nothing was written.')]
  }
  expect(await call(right, '--source', 'guide', '--dry-run')).toEqual([
    0,
    '2 new, 0 changed, 0 as before, 0 wrong',
    true,
  ])
  expect(await stored()).toEqual([])
  expect(await call(right, '--source', 'guide')).toEqual([0, '2 new, 0 changed, 0 as before, 0 wrong', false])
  expect(await call(mixed, '--skip-errors', '--participating')).toEqual([0, expect.stringContaining('1 wrong'), false])
  expect(await stored()).toEqual([
    { source: 'guide', id: 'a', participating: false, joined: today },
    { source: 'guide', id: 'b', participating: false, joined: today },
    { source: 'mixed-places', id: 'c', participating: true, joined: today },
  ])
  expect(readFileSync(join(app.dataDir, 'mixed-places.ndjson.errors.txt'), 'utf8')).toMatch(/2.*lat/)
})

test('a file of events is imported once', async () => {
  const events = ['e1', 'e2'].map((id) => feedEvent('transaction.auth', { id, datetime: '2026-03-11T12:00:00Z' }))
  const file = write('events.ndjson', ...events)
  const { code, out } = await run('import-feed', ...inSkyharbor, file, file)
  const counts = '2 lines: 0 applied, 2 unmatched, 0 repeated, 0 ignored, 0 rejected'
  expect([code, out.split('\n').flatMap((line) => line.trim() || [])]).toEqual([
    0,
    [file, counts, `${file} was imported before`, counts],
  ])
})

test('a recalculation that is applied posts the differences', async () => {
  const own = await createCardMember(app)
  await own.sendTransaction('clearing', '42.00')
  await asOwner(app, 'update transactions set benefit = 1 where member_id = $1', [own.memberId])
  const days = ['--from', addDays(today, -1), '--to', today]
  const call = (...args: string[]) => run('recalculate', ...inSkyharbor, ...args)
  expect((await call(...days, '--apply')).out).toMatch(/1 differences, \+125 in the smallest unit: posted\n/)
  const benefits = () =>
    asOwner(app, 'select benefit::int as benefit from transactions where member_id = $1', [own.memberId])
  expect(await benefits()).toEqual([{ benefit: 126 }])
})

test('responses to a survey are exported between two times', async () => {
  for (const [id, receivedAt] of [
    ['00000000-0000-4000-8000-000000000001', '2026-01-31T23:59:59Z'],
    ['00000000-0000-4000-8000-000000000002', '2026-02-01T00:00:00Z'],
    ['00000000-0000-4000-8000-000000000003', '2026-03-01T00:00:00Z'],
  ])
    await asOwner(
      app,
      `insert into forms.responses (id, service_code, form_id, field_values, received_at)
       values ($1, 'skyharbor', 'sky-booking', '{}', $2)`,
      [id, receivedAt],
    )
  const call = (...args: string[]) => run('export-surveys', ...inSkyharbor, '--form', 'sky-booking', ...args)
  const times = (csv: string) => csv.match(/2026-\d\d-\d\dT[\d:]+/g) ?? []
  const out = join(folder, 'responses.csv')
  const { code, out: printed } = await call('--from', '2026-02-01', '--to', '2026-03-01', '--out', out)
  expect([code, printed, times(readFileSync(out, 'utf8'))]).toEqual([0, '', ['2026-02-01T00:00:00']])
})

test('a simulation writes its events to a file, or sends them', async () => {
  const file = join(folder, 'simulated.ndjson')
  const simulate = (...args: string[]) =>
    run('simulate', ...inSkyharbor, '--members', '2', '--days', '10', '--meals', '30', ...args)
  const count = () =>
    asOwner<{ count: string }>(app, "select count(*) from feed_messages where partner_id = 'skyharbor'")
  const before = await count()
  expect((await simulate('--out', file)).code).toBe(0)
  const events = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(events.length).toBeGreaterThan(10)
  expect(JSON.parse(events[0] ?? '').transaction.programId).toBe('skyharbor')
  expect(await count()).toEqual(before)
  const sent = await simulate()
  expect([sent.code, sent.out]).toEqual([0, expect.stringMatching(/\d+ applied/)])
  expect(sent.out).toContain(`2 members, ${events.length} events of 10 days`)
  expect(Number((await count())[0]?.count)).toBeGreaterThan(Number(before[0]?.count))
})
