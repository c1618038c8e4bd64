import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RenderRequest } from '../../src/app/web/entry.server.tsx'
import { getMerchant, searchMerchants } from '../../src/dining/merchants/contract.ts'
import { listReservations } from '../../src/dining/reservations/contract.ts'
import { getConsents, getMember } from '../../src/identity/members/contract.ts'
import { getNotificationPreferences } from '../../src/identity/notifications/contract.ts'
import { listSessions } from '../../src/identity/session/contract.ts'
import { listPasskeys } from '../../src/identity/session/passkeys/contract.ts'
import { type Call, callUrl } from '../../src/platform/call.ts'
import { getContent } from '../../src/programs/content/contract.ts'
import { getDineSummary, listGoals, listTransactions } from '../../src/rewards/activity/contract.ts'
import { listCards } from '../../src/rewards/cards/contract.ts'
import { startTestApp, type TestApp, visit } from '../support/app.ts'
import { linkCard, newMember, type Visitor } from '../support/members.ts'
import { addMerchants, merchantRecord, untilFound } from '../support/merchants.ts'

type Given = { params?: unknown; query?: unknown }

let app: TestApp
let calls: [Call, Given][] = []
let results: { status: number; body: unknown }[] = []

beforeAll(async () => {
  app = await startTestApp(
    {},
    {
      scripts: () => ({ entry: '/entry.js', preload: () => [] }),
      styles: () => [],
      async render({ invoke }: RenderRequest) {
        results = await Promise.all(calls.map(([call, given]) => invoke(call, given)))
        return { kind: 'page', html: 'rendered', style: '', links: '', status: 200 }
      },
    },
  )
})
afterAll(() => app?.stop())

/** Makes calls as a page of this visitor does, and over HTTP; returns both results as JSON, without references. */
async function bothWays(visitor: Visitor, list: [Call, Given][]) {
  calls = list
  expect((await visitor.get('/join')).text).toBe('rendered')
  const inProcess = results.map(comparable)
  const overHttp = []
  for (const [call, given] of list) {
    const response = await visitor.get(callUrl(call, given))
    overHttp.push(comparable({ status: response.status, body: response.json() }))
  }
  return { inProcess, overHttp }
}

const comparable = (result: { status: number; body: unknown }) =>
  JSON.parse(JSON.stringify(result).replace(/"(reference|usedAt)":"[^"]*"/g, '"$1":""'))

test('the calls of a page return what they return over HTTP', async () => {
  await addMerchants(app.database.pools.shared, merchantRecord())
  await untilFound(app, 'Kumo')
  const found = await visit(app, 'skyharbor').get('/api/v2/Merchants/Search?location=10001')
  const publicId = found.json().merchants[0].id
  const member = await newMember(app)
  await linkCard(app, member)
  const { inProcess, overHttp } = await bothWays(member.visitor, [
    [getMember, {}],
    [listSessions, {}],
    [listPasskeys, {}],
    [getConsents, {}],
    [getNotificationPreferences, {}],
    [listCards, {}],
    [listReservations, {}],
    [listGoals, {}],
    [getDineSummary, {}],
    [listTransactions, { query: { pageNo: 1, resultsPerPage: 5 } }],
    [getContent, { params: { contentType: 'pages', contentName: '*' }, query: {} }],
    [getMerchant, { params: { merchantId: publicId } }],
    [searchMerchants, { query: { location: '10001', priceRange: [1, 2], mealsServed: ['dinner'], pageNo: undefined } }],
  ])
  expect(overHttp.map(({ status }) => status)).toEqual(overHttp.map(() => 200))
  expect(inProcess).toEqual(overHttp)
})

test('the calls of a page are rejected as they are over HTTP', async () => {
  const rejected: [Call, Given][] = [
    [getMember, {}],
    [getMerchant, { params: { merchantId: 'no-such-restaurant' } }],
    [searchMerchants, { query: { location: '10001', resultsPerPage: 'many' } }],
    [getContent, { params: { contentType: 'pages', contentName: 'unknown' }, query: {} }],
  ]
  const { inProcess, overHttp } = await bothWays(visit(app, 'skyharbor'), rejected)
  expect(overHttp.map(({ status }) => status)).toEqual([401, 404, 400, 404])
  expect(inProcess).toEqual(overHttp)
})

test('the calls of a page are no requests of their own', async () => {
  const { visitor } = await newMember(app)
  calls = [
    [getMember, {}],
    [listCards, {}],
    [listGoals, {}],
    [listTransactions, { query: {} }],
  ]
  const logged = app.logs.length
  expect((await visitor.get('/join')).text).toBe('rendered')
  // Every request ends with a log line; the calls of the page are no requests.
  expect(app.logs.slice(logged).filter((line) => line.includes('"response sent"'))).toHaveLength(1)
})

test('every response of the API carries the version of the program, also a failure', async () => {
  const visitor = visit(app, 'skyharbor')
  const { version } = (await visitor.get('/api/ProgramVersion')).json()
  for (const path of ['/api/feature-flags', '/api/Member', '/api/nothing']) {
    expect([path, (await visitor.get(path)).headers['program-version']]).toEqual([path, version])
  }
  expect((await visitor.get('/join')).headers).not.toHaveProperty('program-version')
})
