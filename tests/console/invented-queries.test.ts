import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import type { CallSpec } from '../../src/platform/call.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

const app = setUpTestApp()
let admin: ConsoleSession
let member = ''

beforeAll(async () => {
  const [email, password] = ['ana@dineback.example', 'sourdough 4 breakfast']
  const operator = { email, name: 'Ana', role: 'admin', partners: null, password }
  await addOperator(app.database.consolePools.shared, operator)
  admin = await openConsole(app, email, password)
  const { db } = createTestContext(app.database, 'skyharbor')
  const id = await addMember(db)
  const row = await db.selectFrom('members').select('public_id').where('id', '=', id).executeTakeFirstOrThrow()
  member = row.public_id
})

const textOf = (keys: unknown) => Buffer.from(JSON.stringify(keys)).toString('base64url')

/** Returns the calls that read a field of the query, with their addresses. */
function readersOf(fields: readonly string[]): { id: string; path: string; field: string }[] {
  const calls: readonly CallSpec[] = app.auxiliaryApps.console?.operatorCalls ?? []
  return calls.flatMap(({ id, path: pattern, query }) => {
    const path = pattern.replace(':program', 'skyharbor').replace('/members/:id', `/members/${member}`)
    const shape = query && 'shape' in query ? (query.shape as object) : {}
    return fields.filter((field) => Object.hasOwn(shape, field)).map((field) => ({ id, path, field }))
  })
}

test('Case 64: a cursor that no page had gets 400 in every list of the console', async () => {
  const moment = '2026-11-27 18:33:35.939326+00'
  const keys = [
    ...['x', '', 'infinity', '\0', '2026-13-01 00:00:00+00', '2026-02-30 00:00:00+00', '2026-01-01 00:00:00+99', '1e3'],
    '9'.repeat(30),
  ].map((value) => [value, 1])
  const message = (text: string, at: string) => [moment, textOf([text, 'transaction.auth', at])]
  const messages = [
    message('a\0', moment),
    message('a', '2026-99-99 00:00:00+00'),
    message('a', '2026-02-30 00:00:00+00'),
  ]
  // The file of a list has all of its pages.
  const lists = readersOf(['cursor']).filter(({ path }) => !path.endsWith('.csv'))
  expect(lists.length).toBeGreaterThan(15)
  for (const { id, path } of lists) {
    for (const key of [...keys, ...messages]) {
      const { status } = await admin.call('GET', `${path}?cursor=${textOf(key)}`)
      // A month without a report has no pages.
      expect([id, key, status]).toEqual([id, key, id === 'listOrigins' && status === 200 ? 200 : 400])
    }
  }
})

test('Case 64: a message of an id that no message has does not exist', async () => {
  for (const at of ['2026-99-99 00:00:00+00', '2026-02-30 00:00:00+00', '2026-01-01 00:00:00+99', 'x'])
    for (const networkId of ['a', 'a\0']) {
      const path = `/api/programs/skyharbor/feed-messages/${textOf([networkId, 'transaction.auth', at])}`
      expect([at, networkId, (await admin.call('GET', path)).status]).toEqual([at, networkId, 404])
    }
})

test('Case 64: a day that the database does not know gets 400 in every call of the console', async () => {
  const days = readersOf(['from', 'to', 'day', 'joinedFrom', 'joinedTo', 'dinedFrom', 'dinedTo'])
  expect(days.length).toBeGreaterThan(15)
  const ofDay = { id: 'getSettlementFile', path: '/api/programs/skyharbor/settlement/days/', field: '' }
  for (const { id, path, field } of [...days, ofDay]) {
    for (const day of ['0000-01-01', '2026-02-30', '10000-01-01']) {
      const { status } = await admin.call('GET', field === '' ? path + day : `${path}?${field}=${day}`)
      expect([id, field, day, status]).toEqual([id, field, day, 400])
    }
  }
})
