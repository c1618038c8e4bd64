import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { prepareImpersonation } from '../../src/identity/impersonation/service.ts'
import { tokenHash } from '../../src/platform/security/ids.ts'
import { asOwner, startSecondApp, type TestApp, visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember, type Visitor } from '../support/members.ts'

const app = setUpTestApp()
let secondApp: TestApp

beforeAll(async () => {
  secondApp = await startSecondApp(app)
})
afterAll(async () => {
  await secondApp?.stop()
})

const streams: { leave(): void }[] = []

/** Opens the activity stream over HTTP with the cookies of a browser. */
async function openStream({ port }: TestApp, { cookies }: Pick<Visitor, 'cookies'>) {
  const headers = {
    host: `gallonaire.localhost:${port}`,
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  }
  const stream = { status: 0, text: '', isEnded: false, leave: () => {} }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = get({ host: '127.0.0.1', port, path: '/api/Member/Activity/Stream', headers }, resolve)
    call.on('error', reject)
    stream.leave = () => call.destroy()
  })
  response.setEncoding('utf8').on('data', (part) => {
    stream.text += part
  })
  response.on('error', () => {})
  response.on('close', () => {
    stream.isEnded = true
  })
  stream.status = response.statusCode ?? 0
  if (stream.status === 200) await until(() => stream.text.includes('retry'))
  streams.push(stream)
  return stream
}
afterAll(() => {
  for (const stream of streams) stream.leave()
})

const until = (condition: () => unknown) =>
  vi.waitFor(() => expect(condition()).toBeTruthy(), { timeout: 20_000, interval: 20 })

/** The same member in a second browser. */
async function signInAgain(at: TestApp, email: string) {
  const visitor = visit(at, 'gallonaire')
  const body = { userName: email, password: 'sourdough 4 breakfast' }
  expect((await visitor.change('POST', '/api/SignIn', body)).status).toBe(200)
  return visitor
}

test('Case 84 signing out ends the streams of that session in every process, and no others', async () => {
  const email = `streams-${process.pid}@example.com`
  const { visitor } = await newMember(app, 'gallonaire', { email })
  const second = await signInAgain(secondApp, email)
  const [here, there, other] = [
    await openStream(app, visitor),
    await openStream(secondApp, visitor),
    await openStream(secondApp, second),
  ]
  expect([here.status, there.status, other.status]).toEqual([200, 200, 200])
  expect((await visit(secondApp, 'gallonaire', visitor).get('/api/SignOut')).status).toBe(200)
  await until(() => here.isEnded && there.isEnded)
  expect(other.isEnded).toBe(false)
  // Reconnecting with the old cookies gets no new stream.
  expect((await openStream(app, visitor)).status).toBe(401)
})

test('Case 84 signing out everywhere else ends the other streams, and the own one continues', async () => {
  const email = `elsewhere-${process.pid}@example.com`
  const { visitor } = await newMember(app, 'gallonaire', { email })
  const own = await signInAgain(app, email)
  const [elsewhere, here] = [await openStream(secondApp, visitor), await openStream(app, own)]
  expect((await own.change('DELETE', '/api/Member/Sessions')).status).toBe(200)
  await until(() => elsewhere.isEnded)
  expect(here.isEnded).toBe(false)
})

test('Case 84 a session that expires ends its stream at the next check', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const { visitor: other } = await newMember(app, 'gallonaire')
  const [ending, lasting] = [await openStream(app, visitor), await openStream(app, other)]
  await app.hub.checkSessions()
  expect([ending.isEnded, lasting.isEnded]).toEqual([false, false])
  await asOwner(app, "update sessions set expires_at = now() - interval '1 second' where csrf_token = $1", [
    await visitor.token(),
  ])
  await app.hub.checkSessions()
  await until(() => ending.isEnded)
  expect(lasting.isEnded).toBe(false)
})

test('Case 84 the stream of an impersonation ends with it, and the member’s own continues', async () => {
  const { visitor, publicId } = await newMember(app, 'gallonaire')
  const operator = { email: 'sam@dineback.example', name: 'Sam Support', role: 'support', partners: null } as const
  await addOperator(app.database.consolePools.shared, { ...operator, password: 'sourdough 4 breakfast' })
  const [member] = await asOwner<{ id: number }>(app, 'select id from members where public_id = $1', [publicId])
  const { token } = await prepareImpersonation(app.database.consolePools.forPartner('gallonaire'), {
    memberId: Number(member?.id),
    partnerId: 'gallonaire',
    operator: {
      ...operator,
      id: 1,
      grants: [{ role: 'support', partnerId: null, permissions: ['members.impersonate'] }],
    },
    reason: 'Question about a transaction',
    change: false,
  })
  const frame = visit(app, 'gallonaire')
  expect((await frame.get(`/Emulate?token=${token}`)).status).toBe(303)
  const [own, impersonated] = [await openStream(app, visitor), await openStream(app, frame)]
  await app.hub.checkSessions()
  expect([own.isEnded, impersonated.isEnded]).toEqual([false, false])
  await visit(secondApp, 'gallonaire', frame).get('/SignOut')
  await until(() => impersonated.isEnded)
  expect(own.isEnded).toBe(false)
})

test('the cookie of an ended session is deleted by the next page, and not by calls that may run beside a sign-in', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const session = visitor.cookies.get('sid') ?? ''
  await asOwner(app, "update sessions set expires_at = now() - interval '1 second' where id_hash = $1", [
    tokenHash(session),
  ])
  for (const accept of ['*/*', 'application/json', 'image/png,*/*']) {
    expect((await visitor.get('/api/Member', { accept })).status).toBe(401)
    expect(visitor.cookies.get('sid')).toBe(session)
  }
  await visitor.get('/', { accept: 'text/html,application/xhtml+xml' })
  expect(visitor.cookies.get('sid')).not.toBe(session)
})
