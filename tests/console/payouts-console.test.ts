import { beforeAll, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMember, findLedgerViolations } from '../support/rewards-harness.ts'
import { readRows } from '../support/row-changes.ts'
import { environmentOf, runCommand } from '../support/run-command.ts'
import { addUnansweredCredit } from '../support/unanswered-credit.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const beacon = () => app.database.pools.forPartner('beacon')
const credits = '/api/programs/beacon/payouts'
const sessions = new Map<string, ConsoleSession>()

beforeAll(async () => {
  const operators = [
    { email: 'ana@dineback.example', name: 'Ana Admin', role: 'admin', partners: null },
    { email: 'ben@dineback.example', name: 'Ben Admin', role: 'admin', partners: ['skyharbor'] },
    { email: 'sam@dineback.example', name: 'Sam Support', role: 'support', partners: null },
    { email: 'vera@dineback.example', name: 'Vera Viewer', role: 'viewer', partners: ['beacon'] },
  ] as const
  for (const operator of operators) {
    await addOperator(app.database.consolePools.shared, { ...operator, password })
    sessions.set(operator.email.split('@')[0] ?? '', await openConsole(app, operator.email, password))
  }
})

async function call(method: string, path: string, body?: unknown, name = 'ana') {
  const session = sessions.get(name) as ConsoleSession
  const { status, body: reply, headers, text } = await session.call(method, path, body)
  return { status, body: reply, headers, text }
}

const statusOf = async (creditId: string) =>
  (await asOwner<{ status: string }>(app, 'select status from statement_credits where public_id = $1', [creditId]))[0]
    ?.status

const acts = (action: string, creditId: string) =>
  asOwner<{ status: number; reason: string; before: object; after: object }>(
    app,
    'select status, reason, before, after from console.acts where action = $1 and object_id = $2 order by id',
    [action, creditId],
  )

/** Orders a credit that waits for its processor; returns its id and its member. */
async function newCredit() {
  const memberId = await addMember(beacon())
  return { memberId, id: await addUnansweredCredit(beacon(), memberId) }
}

/** Returns the rows that a decision writes. */
const rowsAbout = (rows: ReadonlyMap<string, string>) =>
  [...rows].filter(([key]) => /^(statement_credit|journal_entries|postings|audit_entries|jobs|console.acts)/.test(key))

async function decide(id: string, decision: string, reason = 'The processor wrote to us') {
  const preview = await call('POST', `${credits}/${id}/preview`, { decision })
  const { fingerprint = 'none' } = preview.body ?? {}
  const decided = await call('POST', `${credits}/${id}/decision`, { decision, reason, fingerprint })
  return { preview, decided }
}

test('CON-300 lists statement credits by state, member, day and id, page by page, and as a file', async () => {
  const first = await newCredit()
  const second = await newCredit()
  await asOwner(app, "update statement_credits set created_at = '2026-02-03T12:00:00Z' where public_id = $1", [
    first.id,
  ])
  await asOwner(
    app,
    "update statement_credits set created_at = '2026-02-05T12:00:00Z', attention = null, attention_since = null where public_id = $1",
    [second.id],
  )
  const [member] = await asOwner<{ public_id: string; email: string }>(
    app,
    'select public_id, email from members where id = $1',
    [first.memberId],
  )
  const ids = async (query: Record<string, string>) => {
    const { status, body } = await call('GET', `${credits}?${new URLSearchParams({ to: '2026-02-28', ...query })}`)
    expect([query, status]).toEqual([query, 200])
    return body.items.map(({ id }: { id: string }) => id)
  }
  expect(await ids({})).toEqual([second.id, first.id])
  const expected: [Record<string, string>, string[]][] = [
    [{ state: 'attention' }, [first.id]],
    [{ state: 'checking' }, [second.id, first.id]],
    [{ state: 'open' }, []],
    [{ state: 'paid' }, []],
    [{ state: 'returned' }, []],
    [{ member: member?.email.toUpperCase() ?? '' }, [first.id]],
    [{ member: member?.public_id ?? '' }, [first.id]],
    [{ member: 'nobody@example.com' }, []],
    [{ from: '2026-02-04' }, [second.id]],
    [{ to: '2026-02-03' }, [first.id]],
    [{ q: second.id }, [second.id]],
  ]
  for (const [query, found] of expected) expect([query, await ids(query)]).toEqual([query, found])
  const page = await call('GET', `${credits}?to=2026-02-28&limit=1`)
  expect(page.body).toMatchObject({ items: [{ id: second.id }], total: { count: 2, isExact: true } })
  const next = await call('GET', `${credits}?to=2026-02-28&limit=1&cursor=${page.body.next}`)
  expect(next.body).toMatchObject({ items: [{ id: first.id }], next: null })
  const file = await call('GET', `${credits}.csv?to=2026-02-28&state=attention`)
  const lines = file.text.trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`${first.id},Ada Lovelace,21.00,No answer yet,The processor has not answered for days`)
  // Never the number of a card.
  expect(file.text).not.toContain('4242')
  expect(await acts('exportCredits', 'export')).toMatchObject([{ status: 200 }])
})

test('ROLE-018 CON-301 CON-302 a credit without an answer is canceled with a reason, after its effect was shown', async () => {
  const { id, memberId } = await newCredit()
  const shown = await call('GET', `${credits}/${id}`)
  expect(shown.body).toMatchObject({
    cents: 21_00,
    state: 'checking',
    attention: 'unanswered',
    processor: 'pay.example',
    lastError: 'status 503',
    unanswered: 20,
    decisions: ['return', 'paid'],
    journal: [{ kind: 'statement-credit', cents: -21_00 }],
  })
  expect(shown.text).not.toContain('4242')
  const before = await readRows(app.database)
  const preview = await call('POST', `${credits}/${id}/preview`, { decision: 'return' })
  expect(preview.body).toMatchObject({
    stateAfter: 'returned',
    attentionAfter: null,
    centsBefore: 0,
    centsAfter: 21_00,
    ordered: [],
  })
  expect(rowsAbout(await readRows(app.database))).toEqual(rowsAbout(before))
  const { fingerprint } = preview.body
  for (const body of [
    { decision: 'return', fingerprint },
    { decision: 'return', reason: ' ', fingerprint },
    { decision: 'burn', reason: 'no such decision', fingerprint },
    { decision: 'return', reason: 'x'.repeat(201), fingerprint },
  ])
    expect((await call('POST', `${credits}/${id}/decision`, body)).status).toBe(400)
  const reason = 'No trace of it,\nsays the processor'
  const other = { decision: 'return', reason, fingerprint: 'another' }
  expect((await call('POST', `${credits}/${id}/decision`, other)).status).toBe(409)
  expect([await statusOf(id), await getBalance(beacon(), memberId, 'cent')]).toEqual(['pending', 0])
  const decided = await call('POST', `${credits}/${id}/decision`, { decision: 'return', reason, fingerprint })
  expect(decided.body).toMatchObject({ state: 'returned', attention: null, decisions: [] })
  expect([await statusOf(id), await getBalance(beacon(), memberId, 'cent')]).toEqual(['error', 21_00])
  expect(decided.body.events).toMatchObject([{ kind: 'return', detail: reason, by: 'Ana Admin', outcome: 'done' }])
  expect(decided.body.journal.map(({ cents }: { cents: number }) => cents)).toEqual([-21_00, 21_00])
  expect((await acts('decideCredit', id)).at(-1)).toMatchObject({
    status: 200,
    reason,
    before: { state: 'checking', balance: '$0.00' },
    after: { decision: 'return', state: 'returned', balance: '$21.00' },
  })
  // It cannot be canceled twice, nor declared paid.
  for (const decision of ['return', 'paid', 'order']) expect((await decide(id, decision)).preview.status).toBe(409)
  expect(await findLedgerViolations(beacon())).toEqual([])
})

test('CON-302 a credit is declared paid, and a notice is ended', async () => {
  const { id, memberId } = await newCredit()
  const { preview, decided } = await decide(id, 'paid')
  expect(preview.body).toMatchObject({ stateAfter: 'paid', centsBefore: 0, centsAfter: 0 })
  expect(decided.body).toMatchObject({ state: 'paid', attention: null })
  await asOwner(
    app,
    "update statement_credits set attention = 'rejectedAfterPaid', attention_since = now() where public_id = $1",
    [id],
  )
  const ended = await decide(id, 'acknowledge')
  expect(ended.decided.body).toMatchObject({ state: 'paid', attention: null })
  expect(await getBalance(beacon(), memberId, 'cent')).toBe(0)
})

test('CON-302 what a credit left in a deleted account is ordered to another target', async () => {
  const { id, memberId } = await newCredit()
  await decide(id, 'return')
  await asOwner(app, 'update members set deleted_at = now() where id = $1', [memberId])
  await asOwner(
    app,
    "update statement_credits set attention = 'leftInClosedAccount', attention_since = now() where public_id = $1",
    [id],
  )
  const { preview, decided } = await decide(id, 'order')
  const [ordered] = preview.body.ordered
  expect(preview.body).toMatchObject({ centsBefore: 21_00, centsAfter: 0, stateAfter: 'returned' })
  expect(ordered).toMatchObject({ cents: 21_00 })
  expect(decided.body).toMatchObject({ attention: null })
  const later = await call('GET', `${credits}?from=2026-03-01`)
  expect(later.body.items[0]).toMatchObject({ cents: 21_00, target: ordered.target })
  expect(await findLedgerViolations(beacon())).toEqual([])
})

test('CON-301 the processor is asked again at once, without a reason', async () => {
  const { id } = await newCredit()
  const { status, body } = await call('POST', `${credits}/${id}/ask`)
  expect([status, body.events[0]]).toMatchObject([200, { kind: 'ask', by: 'Ana Admin', outcome: 'done' }])
  expect(await acts('askProcessor', id)).toMatchObject([{ status: 200 }])
  // Dineback's own processor has never received it, receives it now, and pays it.
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('completed'), 20_000)
  const after = await call('GET', `${credits}/${id}`)
  expect(after.body).toMatchObject({ state: 'paid', unanswered: 0, lastError: null })
  expect(after.body.events.map(({ kind }: { kind: string }) => kind)).toContain('completed')
})

test('CON-303 credits of other programs do not exist, and only who may decide them does', async () => {
  const { id } = await newCredit()
  for (const path of [credits, `${credits}/${id}`, `${credits}.csv`]) {
    expect([path, (await call('GET', path, undefined, 'ben')).status]).toEqual([path, 404])
    expect([path, (await call('GET', path, undefined, 'sam')).status]).toEqual([path, 403])
    expect([path, (await call('GET', path, undefined, 'vera')).status]).toEqual([path, 200])
  }
  expect((await call('GET', `/api/programs/skyharbor/payouts/${id}`)).status).toBe(404)
  const form = { decision: 'return', reason: 'not mine', fingerprint: 'x' }
  for (const act of ['ask', 'preview', 'decision'])
    for (const name of ['sam', 'vera'])
      expect([act, name, (await call('POST', `${credits}/${id}/${act}`, form, name)).status]).toEqual([act, name, 403])
  expect(await statusOf(id)).toBe('pending')
  expect((await call('GET', `${credits}/unknown`)).status).toBe(404)
})

test('the command lists credits without an answer, shows their history, and decides with a name and a reason', async () => {
  const memberId = await addMember(beacon())
  const creditId = await addUnansweredCredit(beacon(), memberId)
  const run = (...args: string[]) => runCommand('payouts', [...args, '--partner', 'beacon'], environmentOf(app))
  expect((await run('list')).out).toMatch(
    new RegExp(`${creditId}  \\$21\\.00  \\S+Z  pending  unanswered  20 unanswered`),
  )
  expect(await run('paid', creditId)).toMatchObject({ code: 1, err: expect.stringContaining('Who decides it?') })
  expect(await run('paid', creditId, '--by', 'Ana')).toMatchObject({ code: 1, err: expect.stringContaining('Why?') })
  expect(await run('paid', 'unknown', '--by', 'Ana', '--reason', 'x')).toMatchObject({
    code: 1,
    err: 'There is no credit unknown.\n',
  })
  expect(await run('paid', creditId, '--by', 'Ana', '--reason', 'on the statement')).toMatchObject({ code: 0 })
  await vi.waitFor(async () => expect(await statusOf(creditId)).toBe('completed'), 20_000)
  expect((await run('show', creditId)).out).toMatch(/decision: paid {2}command: Ana: on the statement/)
  expect((await run('list')).out).not.toContain(creditId)
  expect(await run('return', creditId, '--by', 'Ana', '--reason', 'x')).toMatchObject({ code: 1 })
  expect(await getBalance(beacon(), memberId, 'cent')).toBe(0)
  for (const args of [[], ['list', creditId], ['show'], ['burn', creditId]]) expect((await run(...args)).code).toBe(1)
})
