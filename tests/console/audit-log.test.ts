import { globSync, readFileSync } from 'node:fs'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { objectText } from '../../src/console/acts/object-words.ts'
import { recordAct } from '../../src/console/acts/service.ts'
import { valueText } from '../../src/console/acts/value-words.ts'
import { checkActs, findLastCheck, verifyActs } from '../../src/console/acts/verify.ts'
import { addOperator, listOperators } from '../../src/console/operators/service.ts'
import { actName, actNames, objectAddress, objectWords, outcomeOf } from '../../src/console-kit/act-words.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { asOwner } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const db = () => app.database.consolePools.shared
const operators = [
  { email: 'ada@dineback.example', name: 'Ada Everywhere', role: 'admin', partners: null },
  { email: 'ana@dineback.example', name: 'Ana Admin', role: 'admin', partners: ['skyharbor'] },
  { email: 'sam@dineback.example', name: 'Sam Support', role: 'support', partners: null },
] as const
const sessions = {} as Record<'ada' | 'ana' | 'sam', ConsoleSession>

beforeAll(async () => {
  for (const operator of operators) await addOperator(db(), { ...operator, password })
  for (const name of ['ada', 'ana', 'sam'] as const)
    sessions[name] = await openConsole(app, `${name}@dineback.example`, password)
})

beforeEach(async () => {
  await asOwner(app, 'truncate console.acts, console.act_checks')
})

async function record(partnerId: string | null, over: Partial<Parameters<typeof recordAct>[1]> = {}) {
  const operator = (await listOperators(db())).find(({ email }) => email === 'sam@dineback.example')
  if (!operator) throw new Error('no operator')
  await inTransaction(db(), (tx) =>
    recordAct(tx, {
      operator,
      action: 'decideClaim',
      partnerId,
      object: { type: 'claim', id: 'Vh3', label: 'Oak & Ember' },
      before: { state: 'open' },
      after: { code: 'credited' },
      reason: 'ticket 7',
      status: 200,
      address: '127.0.0.1',
      requestId: 'r1',
      ...over,
    }),
  )
}

interface Listed {
  id: number
  program: string | null
  action: string
}
const list = async (session: ConsoleSession, path: string) => {
  const response = await session.call('GET', path)
  expect(response.status).toBe(200)
  return response.json<{ items: Listed[]; next: string | null; total: { count: number } }>()
}
const programsOf = ({ items }: { items: Listed[] }) => items.map(({ program }) => program)

test('CON-200 an administrator sees the entries of the own programs, and of the installation only with all programs', async () => {
  for (const program of ['skyharbor', 'gallonaire', null]) await record(program)
  expect(programsOf(await list(sessions.ada, '/api/acts'))).toEqual([null, 'gallonaire', 'skyharbor'])
  expect(programsOf(await list(sessions.ana, '/api/acts'))).toEqual(['skyharbor'])
  expect(programsOf(await list(sessions.ana, '/api/programs/skyharbor/acts'))).toEqual(['skyharbor'])
  expect((await sessions.ana.call('GET', '/api/programs/gallonaire/acts')).status).toBe(404)
  expect((await sessions.sam.call('GET', '/api/acts')).status).toBe(403)
  expect((await sessions.sam.call('GET', '/api/programs/skyharbor/acts')).status).toBe(403)
})

test('CON-201 the log is searched by person, action, object, day and outcome, and read page by page', async () => {
  await record('skyharbor')
  await record('skyharbor', { action: 'setClaimOwner', object: { type: 'claim', id: 'Zz9' } })
  await record('skyharbor', {
    action: 'deleteReplyTemplate',
    object: { type: 'claim-templates', id: 'x' },
    status: 403,
  })
  const count = async (query: string) =>
    (await list(sessions.ana, `/api/programs/skyharbor/acts?${query}`)).items.length
  expect(await count('')).toBe(3)
  expect(await count('operator=SAM')).toBe(3)
  expect(await count('operator=sam%40dineback')).toBe(3)
  expect(await count('operator=s%25m')).toBe(0)
  expect(await count('action=setClaimOwner')).toBe(1)
  expect(await count('object=claim')).toBe(2)
  expect(await count('object=Zz9')).toBe(1)
  expect(await count('object=claim+Vh3')).toBe(1)
  expect(await count('object=claim+x')).toBe(0)
  expect(await count('outcome=refused')).toBe(1)
  expect(await count('outcome=done')).toBe(2)
  expect(await count('from=2020-01-01&to=2020-01-02')).toBe(0)
  const today = new Date().toISOString().slice(0, 10)
  await asOwner(app, `update console.acts set at = '2020-01-02 23:59:59+00' where action = 'setClaimOwner'`)
  expect(await count('from=2020-01-02&to=2020-01-02')).toBe(1)
  expect(await count(`from=2020-01-03&to=${today}`)).toBeGreaterThan(0)
  expect((await sessions.ana.call('GET', '/api/programs/skyharbor/acts?from=yesterday')).status).toBe(400)
  const first = await list(sessions.ana, '/api/programs/skyharbor/acts?limit=2')
  expect([first.items.length, first.total.count]).toEqual([2, 3])
  const second = await list(sessions.ana, `/api/programs/skyharbor/acts?limit=2&cursor=${first.next}`)
  expect([second.items.length, second.next]).toEqual([1, null])
})

test('CON-702 every act and every object of the log has words', () => {
  const calls = app.auxiliaryApps.console?.operatorCalls ?? []
  const acts = calls.filter(({ audited, method, readOnly }) => audited || (method !== 'GET' && !readOnly))
  expect(acts.length).toBeGreaterThan(40)
  expect(acts.filter(({ id }) => !Object.hasOwn(actNames, id)).map(({ id }) => id)).toEqual([])
  // A refused act is about the noun of its address.
  const nouns = acts.map(({ path }) => {
    const [, before] = /\/([^/:]+)(?:\/:(?!program)|$)/.exec(path.replace('/programs/:program', '')) ?? []
    return before?.replace('.csv', '') ?? ''
  })
  expect(nouns.filter((noun) => !Object.hasOwn(objectWords, noun))).toEqual([])
  const recorded = globSync('src/**/*.ts')
    .filter((path) => path.includes('console'))
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/type: '([a-z-]+)',\s+id/g)].map(([, type]) => type ?? ''),
    )
    // Orders of lists have columns of these types.
    .filter((type) => !['timestamptz', 'bigint', 'date'].includes(type))
  expect(recorded.length).toBeGreaterThan(10)
  expect(recorded.filter((type) => !Object.hasOwn(objectWords, type))).toEqual([])
})

test('CON-702 an entry names what it is about in words, and leads to it where it has a page', async () => {
  const { slug } = (await createCardMember(app, 'skyharbor')).merchant
  const program = '/api/programs/skyharbor'
  await sessions.ada.call('GET', `${program}/settlement/statements/${slug}/file?month=2026-03&format=csv`)
  await sessions.ada.call('GET', `${program}/settlement/days/2026-03-11`)
  const { flags } = (await sessions.ada.call('GET', `${program}/flags`)).json()
  const was = flags.find(({ name }: { name: string }) => name === 'botCheck').isOn
  await sessions.ada.call('PUT', `${program}/flags/authFlags/botCheck`, { isOn: !was, was, reason: 'Robots' })
  await sessions.ada.call('PUT', `${program}/maintenance`, { isOn: true, was: 'off', reason: 'A move' })
  await sessions.ada.call('PUT', `${program}/maintenance`, { isOn: false, was: 'on', reason: 'Moved' })
  // What is refused before anything is found names what was asked.
  await sessions.sam.call('GET', `${program}/settlement/days/2026-03-12`)
  const entries = (await sessions.ada.call('GET', `${program}/acts`)).json().items as {
    object: { type: string; id: string; label: string }
    program: string
  }[]
  const shown = entries.map(({ object, program: code }) => [objectText(object), objectAddress(object, code)])
  expect(shown.toReversed()).toEqual([
    [expect.stringMatching(/^Settlement: .+, March 2026$/), `/skyharbor/settlement/${slug}`],
    ['Settlement: Mar 11, 2026', '/skyharbor/settlement'],
    ['Feature flag: Check for robots', '/skyharbor/flags'],
    ['Maintenance: Program closed', '/skyharbor/flags'],
    ['Maintenance: Program opened', '/skyharbor/flags'],
    ['Settlement: Mar 12, 2026', '/skyharbor/settlement'],
  ])
  // An act that names no object has the program in its place.
  expect(objectAddress({ type: 'members', id: 'skyharbor' }, 'skyharbor')).toBeNull()
  expect(objectAddress({ type: 'maintenance', id: 'skyharbor' }, 'skyharbor')).toBe('/skyharbor/flags')
  expect(['open', 'closed'].map((state) => valueText('state', state))).toEqual(['Open', 'Closed'])
})

test('CON-702 the log is searched by words, and by whom or what it is about', async () => {
  const { memberId } = await createCardMember(app)
  const [{ email } = { email: '' }] = await asOwner<{ email: string }>(app, 'select email from members where id = $1', [
    memberId,
  ])
  await record('skyharbor')
  await record('skyharbor', { action: 'addMemberNote', object: { type: 'member', id: 'Mmm' }, memberId })
  await record('skyharbor', { action: 'adjustBalance', object: { type: 'member', id: 'Nnn' } })
  const found = async (query: string) =>
    (await list(sessions.ana, `/api/programs/skyharbor/acts?${query}`)).items.map(({ action }) => action).sort()
  expect(await found('action=note')).toEqual(['addMemberNote'])
  expect(await found('action=decided+a+claim')).toEqual(['decideClaim'])
  expect(await found('action=nonsense')).toEqual([])
  expect(await found('object=Claim')).toEqual(['decideClaim'])
  expect(await found('object=oak+%26+em')).toEqual(['decideClaim'])
  expect(await found('object=ember')).toEqual([])
  expect(await found('object=member')).toEqual(['addMemberNote', 'adjustBalance'])
  expect(await found(`object=${encodeURIComponent(email.toUpperCase())}`)).toEqual(['addMemberNote'])
  const all = await list(sessions.ada, `/api/acts?object=${encodeURIComponent(email)}`)
  expect(all.items.map(({ action }) => action)).toEqual(['addMemberNote'])
})

test('CON-703 a credit that was only asked for is not listed as done', async () => {
  await record('skyharbor', { action: 'adjustBalance', after: { asked: 'Credit of 900 miles', approval: 'Ap1' } })
  await record('skyharbor', { action: 'adjustBalance', after: { credit: '9 miles' } })
  const asked = async (query: string) => {
    const { items } = await list(sessions.ana, `/api/programs/skyharbor/acts?${query}`)
    return items.map((item) => (item as unknown as { isAsked: boolean }).isAsked)
  }
  expect(await asked('')).toEqual([false, true])
  expect(await asked('outcome=done')).toEqual([false])
  expect(await asked('outcome=asked')).toEqual([true])
  expect(outcomeOf({ status: 200, isAsked: true }).label).toBe('Waits for approval')
  expect(actName('adjustBalance', { isAsked: true })).toBe('Asked for approval: credited or debited a member')
  const file = await sessions.ana.call('GET', '/api/programs/skyharbor/acts.csv?outcome=asked')
  expect(file.text).toContain('Waits for approval')
})

test('CON-202 an entry has what was changed, before and after, and belongs to its program', async () => {
  await record('skyharbor')
  await record('gallonaire')
  const [foreign, own] = (await list(sessions.ada, '/api/acts')).items
  const entry = await sessions.ana.call('GET', `/api/programs/skyharbor/acts/${own?.id}`)
  expect(entry.json()).toMatchObject({
    operatorName: 'Sam Support',
    before: { state: 'open' },
    after: { code: 'credited' },
    reason: 'ticket 7',
    object: { type: 'claim', id: 'Vh3', label: 'Oak & Ember' },
  })
  expect((await sessions.ada.call('GET', `/api/acts/${foreign?.id}`)).status).toBe(200)
  expect((await sessions.ana.call('GET', `/api/programs/skyharbor/acts/${foreign?.id}`)).status).toBe(404)
  expect((await sessions.ana.call('GET', `/api/acts/${foreign?.id}`)).status).toBe(404)
})

test('CON-203 an export has the rows of the list, without formulas, and is an entry of the log itself', async () => {
  await record('skyharbor', { reason: '=HYPERLINK("http://x")' })
  await record('gallonaire')
  const file = await sessions.ana.call('GET', '/api/programs/skyharbor/acts.csv?object=claim')
  expect([file.status, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = file.text.trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain("'=HYPERLINK")
  const { items } = await list(sessions.ana, '/api/programs/skyharbor/acts')
  expect(items.map(({ action }) => action)).toEqual(['exportActs', 'decideClaim'])
  await sessions.ada.call('GET', '/api/acts.csv')
  expect((await list(sessions.ada, '/api/acts')).items[0]).toMatchObject({ action: 'exportAllActs', program: null })
})

test('CON-004 CON-204 a changed entry is found, and so is the entry after a removed one', async () => {
  for (let n = 0; n < 5; n++) await record('skyharbor', { reason: `ticket ${n}` })
  const rows = await asOwner<{ id: number }>(app, 'select id from console.acts order by id')
  const ids = rows.map(({ id }) => Number(id))
  expect(await verifyActs(db())).toMatchObject({ checked: 5, brokenAt: null })

  await asOwner(app, `update console.acts set reason = 'another' where id = $1`, [ids[2]])
  expect(await verifyActs(db())).toMatchObject({ checked: 2, brokenAt: ids[2] })
  await asOwner(app, `update console.acts set reason = 'ticket 2' where id = $1`, [ids[2]])
  expect(await verifyActs(db())).toMatchObject({ brokenAt: null })

  await asOwner(app, 'delete from console.acts where id = $1', [ids[1]])
  expect(await verifyActs(db())).toMatchObject({ checked: 1, brokenAt: ids[2] })
})

test('CON-204 removed newest entries are found by the last entry of an earlier check', async () => {
  for (let n = 0; n < 3; n++) await record('skyharbor')
  expect(await checkActs(db())).toEqual({ checked: 3, brokenAt: null })
  await asOwner(app, 'delete from console.acts where id = (select max(id) from console.acts)')
  const [{ id: lost }] = (await asOwner<{ id: string }>(app, 'select last_id as id from console.act_checks')) as [
    { id: string },
  ]
  expect(await checkActs(db())).toEqual({ checked: 2, brokenAt: Number(lost) })
  // It stays broken, also when the log grows again.
  await record('skyharbor')
  expect((await checkActs(db())).brokenAt).not.toBeNull()
})

test('CON-205 the result of the last check is on the page and in a metric', async () => {
  const check = async () => (await sessions.ada.call('GET', '/api/acts-check')).json().check
  expect(await check()).toBeNull()
  await record('skyharbor')
  await checkActs(db())
  expect(await check()).toMatchObject({ checked: 1, brokenAt: null })
  const figures = async () =>
    asOwner<{ figure: string; value: number }>(app, 'select figure, value from audit_figures() order by figure')
  expect((await figures())[0]).toEqual({ figure: 'audit_log_broken', value: 0 })
  await asOwner(app, `update console.acts set operator_name = 'Somebody'`)
  await checkActs(db())
  expect((await findLastCheck(db()))?.brokenAt).toBeTypeOf('number')
  expect((await figures())[0]).toEqual({ figure: 'audit_log_broken', value: 1 })
})

test('CON-204 the console’s role can neither change nor remove entries and checks', async () => {
  for (const statement of [
    db().updateTable('console.acts').set({ reason: '' }),
    db().deleteFrom('console.acts'),
    db().deleteFrom('console.act_checks'),
  ])
    await expect(statement.execute()).rejects.toThrow('permission denied')
})
