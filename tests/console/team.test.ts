import { beforeAll, expect, test } from 'vitest'
import { addOperator, disableOperator, listOperators } from '../../src/console/operators/service.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const reason = 'ticket 12'
const db = () => app.database.consolePools.shared
const sessions = {} as Record<'ada' | 'ana' | 'sam', ConsoleSession>

beforeAll(async () => {
  const operators = [
    { email: 'ada@dineback.example', name: 'Ada Everywhere', role: 'administrator', partners: null },
    { email: 'ana@dineback.example', name: 'Ana Here', role: 'administrator', partners: ['skyharbor'] },
    { email: 'sam@dineback.example', name: 'Sam Support', role: 'support', partners: ['skyharbor', 'gallonaire'] },
    { email: 'gus@dineback.example', name: 'Gus There', role: 'support', partners: ['gallonaire'] },
  ]
  for (const operator of operators) await addOperator(db(), { ...operator, password })
  for (const name of ['ada', 'ana', 'sam'] as const)
    sessions[name] = await openConsole(app, `${name}@dineback.example`, password)
})

async function idOf(email: string): Promise<number> {
  const found = (await listOperators(db())).find((each) => each.email === email)
  if (!found) throw new Error(`no operator ${email}`)
  return found.id
}

async function grantsOf(email: string) {
  const found = (await listOperators(db())).find((each) => each.email === email)
  return found?.grants.map(({ role, partnerId }) => ({ role, program: partnerId }))
}

const setGrants = async (session: ConsoleSession, email: string, grants: unknown, expected?: unknown) =>
  session.call('PUT', `/api/operators/${await idOf(email)}/grants`, {
    grants,
    expected: expected ?? (await grantsOf(email)),
    reason,
  })

let made = 0
async function newOperator(grants: { role: string; program: string | null }[]): Promise<string> {
  const email = `new${++made}@dineback.example`
  const added = await sessions.ada.call('POST', '/api/operators', { email, name: `New ${made}`, grants })
  expect(added.status).toBe(200)
  return email
}

test('CON-220 an operator is invited with a password and a code that are shown once, and can sign in', async () => {
  const grants = [{ role: 'viewer', program: 'skyharbor' }]
  const invited = await sessions.ana.call('POST', '/api/operators', {
    email: 'ivo@dineback.example',
    name: 'Ivo',
    grants,
  })
  expect(invited.json()).toMatchObject({ operator: { name: 'Ivo', grants, isDisabled: false } })
  const { secrets } = invited.json()
  expect(secrets.code).toMatch(/^[a-z0-9-]{23}$/)
  expect((await openConsole(app, 'ivo@dineback.example', secrets.password)).cookie).toMatch(/^console=/)
  const again = await sessions.ana.call('POST', '/api/operators', {
    email: 'IVO@dineback.example',
    name: 'Ivo',
    grants,
  })
  expect([again.status, again.json().code]).toEqual([409, 'operatorExists'])
  const wrong = await sessions.ana.call('POST', '/api/operators', { email: 'ivo', name: '', grants: [] })
  expect(wrong.json().map(({ field }: { field: string }) => field)).toEqual(['email', 'name', 'grants'])
  const [entry] = await asOwner<{ after: unknown }>(
    app,
    `select after from console.acts where action = 'inviteOperator'
    and status = 200 order by id desc limit 1`,
  )
  expect(JSON.stringify(entry)).not.toContain(secrets.password)
})

test('CON-221 nobody gives or takes what they do not have, and sees operators of other programs', async () => {
  const team = (await sessions.ana.call('GET', '/api/operators')).json().operators as {
    email: string
    grants: unknown
  }[]
  expect(team.map(({ email }) => email)).not.toContain('gus@dineback.example')
  expect(team.find(({ email }) => email.startsWith('sam@'))?.grants).toEqual([
    { role: 'support', program: 'skyharbor' },
  ])
  expect((await sessions.ana.call('GET', `/api/operators/${await idOf('gus@dineback.example')}`)).status).toBe(404)
  expect((await sessions.sam.call('GET', '/api/operators')).status).toBe(403)

  const email = await newOperator([
    { role: 'viewer', program: 'skyharbor' },
    { role: 'viewer', program: 'beacon' },
  ])
  const seen = [{ role: 'viewer', program: 'skyharbor' }]
  for (const grant of [
    { role: 'viewer', program: 'gallonaire' },
    { role: 'viewer', program: null },
    { role: 'unheard-of', program: 'skyharbor' },
  ]) {
    const { status } = await setGrants(sessions.ana, email, [...seen, grant], seen)
    expect([grant, status]).toEqual([grant, 403])
  }
  // What she does not see stays.
  expect((await setGrants(sessions.ana, email, [{ role: 'support', program: 'skyharbor' }], seen)).status).toBe(200)
  expect(await grantsOf(email)).toEqual([
    { role: 'viewer', program: 'beacon' },
    { role: 'support', program: 'skyharbor' },
  ])
  // The account is one for all programs: only who may do all that it may ends it.
  const path = `/api/operators/${await idOf(email)}`
  for (const [verb, body] of [
    ['disabled', { isDisabled: true, reason }],
    ['sign-out', { reason }],
    ['code', { reason }],
  ] as const)
    expect([verb, (await sessions.ana.call('POST', `${path}/${verb}`, body)).status]).toEqual([verb, 403])
})

test('CON-221 nobody changes the own access, and a change of what somebody else changed is a conflict', async () => {
  const own = await setGrants(sessions.ada, 'ada@dineback.example', [])
  expect([own.status, own.json().code]).toEqual([403, 'self'])
  const email = await newOperator([{ role: 'viewer', program: null }])
  const stale = await setGrants(sessions.ada, email, [], [{ role: 'support', program: null }])
  expect([stale.status, stale.json().code]).toEqual([409, 'conflict'])
  expect(await grantsOf(email)).toEqual([{ role: 'viewer', program: null }])
})

test('CON-222 an operator is signed out, gets a new code and a new password, is disabled and enabled', async () => {
  const email = await newOperator([{ role: 'viewer', program: 'skyharbor' }])
  const path = `/api/operators/${await idOf(email)}`
  const act = async (verb: string, body: object) => {
    const response = await sessions.ada.call('POST', `${path}/${verb}`, { reason, ...body })
    return [response.status, response.json()] as const
  }
  const sign = async () => {
    await asOwner(
      app,
      `insert into console.sessions (id_hash, operator_id, csrf_token)
      select sha256(random()::text::bytea), id, 'x' from console.operators where email = '${email}'`,
    )
    return (await sessions.ada.call('GET', path)).json().sessions.length
  }
  expect(await sign()).toBe(1)
  expect(await act('sign-out', {})).toMatchObject([200, { sessions: [] }])
  expect(await sign()).toBe(1)
  expect(await act('code', {})).toMatchObject([200, { operator: { sessions: [] }, secrets: { password: null } }])
  expect(await sign()).toBe(1)
  const [status, renewed] = await act('password', {})
  expect([status, renewed]).toMatchObject([200, { operator: { sessions: [] }, secrets: { code: null } }])
  const session = await openConsole(app, email, renewed.secrets.password)
  expect((await session.call('GET', '/api/session')).status).toBe(200)
  expect(await act('disabled', { isDisabled: true })).toMatchObject([200, { isDisabled: true, sessions: [] }])
  expect((await act('disabled', { isDisabled: true }))[0]).toBe(409)
  expect([(await act('code', {}))[0], (await act('password', {}))[0]]).toEqual([409, 409])
  expect(await act('disabled', { isDisabled: false })).toMatchObject([200, { isDisabled: false }])
  expect((await act('sign-out', { reason: '' }))[0]).toBe(400)
})

test('CON-223 the last administrator stays, also when two take each other’s access at once', async () => {
  const other = await newOperator([{ role: 'administrator', program: null }])
  const added = await sessions.ada.call('POST', `/api/operators/${await idOf(other)}/code`, { reason })
  expect(added.status).toBe(200)
  // A password that the test knows.
  await asOwner(
    app,
    `update console.operators set password_hash =
    (select password_hash from console.operators where email = 'ada@dineback.example') where email = $1`,
    [other],
  )
  const second = await openConsole(app, other, password)
  for (let round = 0; round < 5; round++) {
    const everywhere = [{ role: 'administrator', program: null }]
    const results = await Promise.all([
      setGrants(sessions.ada, other, [], everywhere),
      setGrants(second, 'ada@dineback.example', [], everywhere),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const left = (await listOperators(db())).filter(({ grants }) =>
      grants.some(({ role, partnerId }) => role === 'administrator' && partnerId === null),
    )
    expect(left).toHaveLength(1)
    await asOwner(
      app,
      `insert into console.grants (operator_id, role) select id, 'administrator' from console.operators o
      where email in ('ada@dineback.example', $1) and not exists (select from console.grants g where g.operator_id = o.id)`,
      [other],
    )
  }
  // Who manages operators everywhere by an own role cannot take the last administrator, either.
  await disableOperator(db(), other)
  const [{ id }] = (await asOwner<{ id: string }>(app, `select id from console.operators where email = $1`, [
    other,
  ])) as [{ id: string }]
  await asOwner(app, 'update console.operators set disabled_at = null where id = $1', [id])
  await asOwner(app, 'delete from console.grants where operator_id = $1', [id])
  const every = (await sessions.ada.call('GET', '/api/roles'))
    .json()
    .permissions.map(({ name }: { name: string }) => name)
  const made = await sessions.ada.call('PUT', '/api/roles/everything', { permissions: every, expected: null })
  expect(made.status).toBe(200)
  await asOwner(app, `insert into console.grants (operator_id, role) values ($1, 'everything')`, [id])
  const third = await openConsole(app, other, password)
  const last = await setGrants(third, 'ada@dineback.example', [])
  expect([last.status, last.json().code]).toEqual([409, 'lastAdministrator'])
  const disabling = await third.call('POST', `/api/operators/${await idOf('ada@dineback.example')}/disabled`, {
    isDisabled: true,
    reason,
  })
  expect([disabling.status, disabling.json().code]).toEqual([409, 'lastAdministrator'])
})

test('CON-224 own roles are made, changed and removed, by who has what they permit in all programs', async () => {
  const path = '/api/roles/night-shift'
  const permissions = ['claims.read', 'claims.decide']
  expect((await sessions.ana.call('PUT', path, { permissions, expected: null })).status).toBe(403)
  const made = await sessions.ada.call('PUT', path, { permissions, expected: null })
  expect(made.json().roles.find(({ name }: { name: string }) => name === 'night-shift')).toMatchObject({
    isBuiltIn: false,
    permissions: ['claims.decide', 'claims.read'],
  })
  const stale = await sessions.ada.call('PUT', path, { permissions: ['claims.read'], expected: null })
  expect([stale.status, stale.json().code]).toEqual([409, 'conflict'])
  const unknown = await sessions.ada.call('PUT', path, { permissions: ['claims.burn'], expected: permissions })
  expect(unknown.status).toBe(403)
  expect((await sessions.ada.call('PUT', '/api/roles/viewer', { permissions, expected: null })).status).toBe(409)
  expect((await sessions.ada.call('PUT', '/api/roles/No', { permissions, expected: null })).status).toBe(400)

  const email = await newOperator([{ role: 'night-shift', program: 'skyharbor' }])
  expect((await listOperators(db())).find((each) => each.email === email)?.grants).toMatchObject([
    { role: 'night-shift', permissions: ['claims.decide', 'claims.read'] },
  ])
  const used = await sessions.ada.call('DELETE', path)
  expect([used.status, used.json().code]).toEqual([409, 'roleInUse'])
  expect((await setGrants(sessions.ada, email, [])).status).toBe(200)
  expect((await sessions.ada.call('DELETE', path)).status).toBe(200)
  expect((await sessions.ada.call('DELETE', path)).status).toBe(404)
})
