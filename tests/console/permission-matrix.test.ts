import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { addOperator } from '../../src/console/operators/service.ts'
import { type BuiltInRole, builtInRoles, permissions } from '../../src/console-kit/permissions.ts'
import { type CallSpec, needsCsrf } from '../../src/platform/call.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { send } from '../support/http.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const [own, other] = ['skyharbor', 'gallonaire']
const roles = Object.keys(builtInRoles) as BuiltInRole[]
const sessions = new Map<BuiltInRole, ConsoleSession>()

beforeAll(async () => {
  for (const role of roles) {
    const email = `${role}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name: role, role, partners: [own], password })
    sessions.set(role, await openConsole(app, email, password))
  }
})

const calls = (): CallSpec[] => app.auxiliaryApps.console?.operatorCalls ?? []
const isAboutProgram = ({ path }: CallSpec) => path.includes('/:program/')

/** Returns the address of a call about something that does not exist. */
const pathOf = ({ path }: CallSpec, program: string) => path.replace(':program', program).replace(/:\w+/g, '999999999')

/** A body that no call accepts: the permission is checked before the input is. */
const bodyOf = (call: CallSpec) => (call.method === 'GET' ? undefined : [])

test('CON-210 every call of operators names a permission that exists', () => {
  expect(calls().length).toBeGreaterThan(10)
  const wrong = calls().filter(
    ({ permission = '' }) =>
      permission !== 'self' && ![permission].flat().every((each) => Object.hasOwn(permissions, each)),
  )
  expect(wrong.map(({ id }) => id)).toEqual([])
  expect(calls().map(({ access }) => access)).toEqual(calls().map(() => 'operator'))
})

test('CON-002 CON-210 each role may make exactly the calls of its permissions, in its own program only', async () => {
  for (const role of roles) {
    const session = sessions.get(role) as ConsoleSession
    for (const call of calls()) {
      const { permission = 'self' } = call
      const given = builtInRoles[role] as readonly string[]
      const may = permission === 'self' || [permission].flat().some((each) => given.includes(each))
      const { status } = await session.call(call.method, pathOf(call, own), bodyOf(call))
      const outcome = status === 401 || status === 403 ? status : status >= 500 ? status : 'allowed'
      expect([role, call.id, outcome]).toEqual([role, call.id, may ? 'allowed' : 403])
      if (!isAboutProgram(call)) continue
      for (const program of [other, 'nowhere']) {
        const foreign = await session.call(call.method, pathOf(call, program), bodyOf(call))
        expect([role, call.id, program, foreign.status]).toEqual([role, call.id, program, 404])
      }
    }
  }
})

test('CON-210 a call without a session, and a change without the session’s token, are refused', async () => {
  const session = sessions.get('administrator') as ConsoleSession
  for (const call of calls()) {
    const request = (headers: Record<string, string>) =>
      send({
        port: app.port,
        host: 'console.localhost',
        method: call.method,
        path: pathOf(call, own),
        headers: { ...headers, ...(call.method !== 'GET' && { 'content-type': 'application/json' }) },
        body: call.method === 'GET' ? '' : '{}',
      })
    expect([call.id, (await request({})).status]).toEqual([call.id, 401])
    if (needsCsrf(call)) expect([call.id, (await request({ cookie: session.cookie })).status]).toEqual([call.id, 403])
  }
})

test('CON-211 every call that changes something leaves exactly one entry, whether it is refused or not', async () => {
  const countActs = async () => Number((await asOwner(app, 'select count(*) as n from console.acts'))[0]?.n)
  const isAct = (call: CallSpec) => call.audited === true || (call.method !== 'GET' && call.readOnly !== true)
  const acts = calls().filter(isAct)
  expect(acts.length).toBeGreaterThan(3)
  for (const role of ['administrator', 'restaurant'] as const) {
    const session = sessions.get(role) as ConsoleSession
    for (const call of acts) {
      const before = await countActs()
      const { status } = await session.call(call.method, pathOf(call, own), inputOf(call))
      expect([role, call.id, status, (await countActs()) - before]).toEqual([role, call.id, status, 1])
    }
  }
  // Reads leave none.
  const before = await countActs()
  for (const call of calls().filter((each) => !isAct(each)))
    await sessions.get('administrator')?.call(call.method, pathOf(call, own), inputOf(call))
  expect(await countActs()).toBe(before)
})

/** Returns a body that a call may accept: empty, or with texts where its schema has fields. */
function inputOf({ method, body }: CallSpec): unknown {
  if (method === 'GET') return undefined
  return Object.fromEntries(Object.keys(shapeOf(body) ?? {}).map((field) => [field, 'text']))
}

const shapeOf = (body: CallSpec['body']) => ((body ?? {}) as Partial<z.ZodObject>).shape

test('CON-003 the reason of an act may have several lines, as its box does', () => {
  const asking = calls().filter(({ method, body }) => method !== 'GET' && 'reason' in (shapeOf(body) ?? {}))
  expect(asking.length).toBeGreaterThan(10)
  const oneLine = asking.filter(({ multiline }) => !multiline?.includes('reason'))
  expect(oneLine.map(({ id }) => id)).toEqual([])
})
