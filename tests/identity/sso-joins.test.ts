import type { JWTPayload } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import {
  asOwner,
  joinForm,
  startSecondApp,
  startTestApp,
  type TestApp,
  visit,
  withoutBotCheck,
} from '../support/app.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import type { Visitor } from '../support/members.ts'
import { whileLocked } from '../support/while-locked.ts'

let app: TestApp
let secondApp: TestApp
let provider: Awaited<ReturnType<typeof startIdentityProvider>>
beforeAll(async () => {
  provider = await startIdentityProvider()
  app = await startTestApp({ PROGRAMS_DIR: provider.programs, SAMPLE_ID: 'false' })
  secondApp = await startSecondApp(app)
  for (const each of [app, secondApp]) await withoutBotCheck('beacon', each)
})
afterAll(async () => {
  await secondApp?.stop()
  await app?.stop()
  provider?.close()
})

const db = () => app.database.pools.forPartner('beacon')
const joining = { ...joinForm({ zipCode: '10001' }) }
const memberIdOf = async (email: string) => {
  const [row] = await asOwner<{ id: string }>(app, 'select id from members where email = $1', [email])
  return Number(row?.id)
}
interface SessionRow {
  id_token: string | null
  sso_session: string | null
  fresh: boolean
}
const sessionsOf = (memberId: number) =>
  asOwner<SessionRow>(
    app,
    `select id_token, sso_session, authenticated_at > now() - interval '10 minutes' as fresh
     from sessions where member_id = $1`,
    [memberId],
  )

/** Signs in a customer whose password was entered at the bank an hour ago. */
async function customer(name: string): Promise<{ visitor: Visitor; memberId: number }> {
  const visitor = visit(app, 'beacon')
  const email = `${name}@beacon.example`
  const anHourAgo = Math.floor(Date.now() / 1000) - 3600
  await provider.signIn(visitor, { sub: name, email, sid: name, auth_time: anHourAgo })
  return { visitor, memberId: await memberIdOf(email) }
}

test('Case 123 of joins of one bank session at once one opens a session, with the age and the end of the one at the bank', async () => {
  const { visitor, memberId } = await customer('parallel')
  const headers = { 'x-xsrf-token': await visitor.token() }
  const cookies = new Map(visitor.cookies)
  // One process makes the joins of a session one after another; two do not.
  const join = (of: TestApp) => async () => {
    const tab = visit(of, 'beacon')
    for (const [name, value] of cookies) tab.cookies.set(name, value)
    return (await tab.send('POST', '/api/Members/Prospects', joining, headers)).status
  }
  const statuses = await whileLocked(db(), {
    hold: (tx) => lockMember(tx, memberId),
    acts: [join(app), join(secondApp)],
  })
  expect(statuses).toEqual([200, 401])
  const sessions = await sessionsOf(memberId)
  expect(sessions).toEqual([{ id_token: expect.any(String), sso_session: 'parallel', fresh: false }])
})

test('Case 123 a join that waits while its session is signed out opens none', async () => {
  const { visitor, memberId } = await customer('leaving')
  const headers = { 'x-xsrf-token': await visitor.token() }
  const [status] = await whileLocked(db(), {
    hold: (tx) => lockMember(tx, memberId),
    acts: [async () => (await visitor.send('POST', '/api/Members/Prospects', joining, headers)).status],
    meanwhile: (tx) => tx.deleteFrom('sessions').where('member_id', '=', memberId).execute(),
  })
  expect([status, await sessionsOf(memberId)]).toEqual([401, []])
})

test('Case 123 counterpart: a join alone keeps the session of the bank', async () => {
  const { visitor, memberId } = await customer('alone')
  expect((await visitor.change('POST', '/api/Members/Prospects', joining)).status).toBe(200)
  expect(await sessionsOf(memberId)).toEqual([{ id_token: expect.any(String), sso_session: 'alone', fresh: false }])
})

test('Case 123 a session that nobody has signed in to is never a recent authentication', async () => {
  await visit(app, 'beacon').token()
  expect(await asOwner(app, 'select 1 from sessions where member_id is null and authenticated_at is not null')).toEqual(
    [],
  )
})

test('SESS-023 two tabs in which a new customer signs in at once belong to one account', async () => {
  const tabs = [visit(app, 'beacon'), visit(app, 'beacon')]
  const claims: JWTPayload = { sub: 'two tabs', email: 'two-tabs@beacon.example' }
  const started = await Promise.all(tabs.map((tab) => provider.startSignIn(tab)))
  const codes = await Promise.all(
    started.map(async (each) => provider.codeFor(await provider.signed(provider.claimsFor(each, claims)))),
  )
  const finish = (index: number) => async () => {
    const [tab, code, state] = [tabs[index] as Visitor, codes[index] ?? '', started[index]?.state ?? '']
    return (await provider.finish(tab, { state, code })).headers.location
  }
  const locations = await whileLocked(db(), {
    // Both find that there is no such customer, before either can store one.
    hold: (tx) => sql`lock table identities in share row exclusive mode`.execute(tx),
    acts: [finish(0), finish(1)],
  })
  expect(locations).toEqual(['/join', '/join'])
  const ids = await Promise.all(tabs.map(async (tab) => (await tab.get('/api/Member')).json().publicId))
  expect(ids[0]).toBe(ids[1])
})
