import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxAddressFailures } from '../../src/identity/session/rules.ts'
import { createPools } from '../../src/platform/database/db.ts'
import { tokenHash } from '../../src/platform/security/ids.ts'
import { asOwner, startTestApp, type TestApp, visit } from '../support/app.ts'
import { createFakeAuthenticator } from '../support/fake-passkey.ts'
import { memberPassword, newMember, signIn, type Visitor } from '../support/members.ts'
import { addMember } from '../support/rewards-harness.ts'
import { whileLocked } from '../support/while-locked.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const origin = () => app.origin('skyharbor')
const options = '/api/Member/Passkeys/Options'

async function outcome(visitor: Visitor, method: string, url: string, body?: unknown) {
  const response = await visitor.change(method, url, body)
  return [response.status, response.status < 300 ? null : response.json().code]
}

const beginAdding = async (visitor: Visitor): Promise<string> =>
  (await visitor.change('POST', options, {})).json().challenge
const beginSignIn = async (visitor: Visitor): Promise<string> =>
  (await visitor.change('POST', '/api/SignIn/Passkey/Options', {})).json().challenge
const add = (visitor: Visitor, credential: string, name = 'Laptop') =>
  outcome(visitor, 'POST', '/api/Member/Passkeys', { name, credential: JSON.parse(credential) })
const signInWith = (visitor: Visitor, credential: string) =>
  outcome(visitor, 'POST', '/api/SignIn/Passkey', { credential: JSON.parse(credential), rememberMe: false })
const listOwn = async (visitor: Visitor) =>
  (await visitor.get('/api/Member/Passkeys')).json<{ usedAt: string | null }[]>()
const endRecentAuth = () => asOwner(app, "update sessions set authenticated_at = now() - interval '11 minutes'")

async function memberWithPasskey() {
  const member = await newMember(app)
  const device = createFakeAuthenticator(origin())
  expect(await add(member.visitor, device.create(await beginAdding(member.visitor)))).toEqual([200, null])
  return { ...member, device }
}

test('a passkey is added only soon after authentication, for a challenge that was not used', async () => {
  const { visitor, form } = await newMember(app)
  const device = createFakeAuthenticator(origin())
  const challenge = await beginAdding(visitor)
  await endRecentAuth()
  expect(await outcome(visitor, 'POST', options, {})).toEqual([403, 'reauthRequired'])
  expect(await add(visitor, device.create(challenge))).toEqual([403, 'reauthRequired'])
  expect((await visitor.change('POST', '/api/Member/Prove', { password: memberPassword })).status).toBe(200)
  expect(await add(visitor, device.create(challenge))).toEqual([200, null])
  expect(await add(visitor, createFakeAuthenticator(origin()).create(challenge))).toEqual([400, 'passkeyRejected'])
  const stranger = createFakeAuthenticator(app.origin('gallonaire'))
  expect(await add(visitor, stranger.create(await beginAdding(visitor)))).toEqual([400, 'passkeyRejected'])
  // Another member cannot add the same one.
  const { visitor: other } = await newMember(app)
  expect(await add(other, device.create(await beginAdding(other)))).toEqual([400, 'passkeyRejected'])
  expect([await listOwn(visitor), await listOwn(other)]).toMatchObject([[{ usedAt: null }], []])
  // The browser shows whose passkey it is, and creates no second one where the member has one.
  const { id } = JSON.parse(device.create(challenge))
  expect((await visitor.change('POST', options, {})).json()).toMatchObject({
    user: { name: form.email, displayName: 'Ada Lovelace' },
    authenticatorSelection: { residentKey: 'required' },
    excludeCredentials: [{ id }],
  })
})

test('a member has ten passkeys at most, and removing one makes room for another', async () => {
  const { visitor } = await memberWithPasskey()
  const nine = Array.from({ length: 8 }, () => createFakeAuthenticator(origin()))
  for (const each of nine) expect(await add(visitor, each.create(await beginAdding(visitor)))).toEqual([200, null])
  const [early, late] = [createFakeAuthenticator(origin()), createFakeAuthenticator(origin())]
  const challenge = await beginAdding(visitor)
  expect(await add(visitor, early.create(challenge))).toEqual([200, null])
  expect(await outcome(visitor, 'POST', options, {})).toEqual([409, 'tooManyPasskeys'])
  const [first] = (await visitor.get('/api/Member/Passkeys')).json<{ id: string }[]>()
  const { visitor: stranger } = await newMember(app)
  const remove = (who: Visitor) => outcome(who, 'DELETE', `/api/Member/Passkeys?id=${first?.id}`)
  expect(await remove(stranger)).toEqual([404, 'passkeyNotFound'])
  expect([await remove(visitor), await remove(visitor)]).toEqual([
    [200, null],
    [404, 'passkeyNotFound'],
  ])
  const last = await beginAdding(visitor)
  // Two browsers: the other one adds the tenth meanwhile.
  await asOwner(
    app,
    `insert into passkeys (partner_id, member_id, credential_id, public_key, counter, transports, name)
     select partner_id, member_id, 'meanwhile', public_key, 0, transports, 'Phone' from passkeys where name = 'Laptop'
       and member_id = (select member_id from passkeys group by member_id having count(*) = 9) limit 1`,
  )
  expect(await add(visitor, late.create(last))).toEqual([409, 'tooManyPasskeys'])
  expect(await listOwn(visitor)).toHaveLength(10)
})

test('a passkey signs its member in with a fresh challenge of this session and a higher counter', async () => {
  const { visitor: own, device, publicId } = await memberWithPasskey()
  const elsewhere = visit(app, 'skyharbor')
  const challenge = await beginSignIn(elsewhere)
  // A challenge of another session.
  const thief = visit(app, 'skyharbor')
  await beginSignIn(thief)
  expect(await signInWith(thief, device.get(challenge, 1))).toEqual([401, 'passkeyRejected'])
  expect(await signInWith(elsewhere, device.get(challenge, 5))).toEqual([200, null])
  expect((await elsewhere.get('/api/Member')).json()).toMatchObject({ publicId })
  expect(await signInWith(elsewhere, device.get(challenge, 6))).toEqual([401, 'passkeyRejected'])
  // A copy of the passkey has a counter that lags behind.
  expect(await signInWith(thief, device.get(await beginSignIn(thief), 5))).toEqual([401, 'passkeyRejected'])
  expect((await thief.get('/api/Member')).status).toBe(401)
  const [used] = await listOwn(own)
  expect(used?.usedAt).not.toBeNull()
  // In the member's own session it is a re-authentication.
  await endRecentAuth()
  expect(await outcome(own, 'POST', options, {})).toEqual([403, 'reauthRequired'])
  const session = own.cookies.get('sid')
  expect(await signInWith(own, device.get(await beginSignIn(own), 6))).toEqual([200, null])
  expect(own.cookies.get('sid')).toBe(session)
  expect(await signInWith(thief, device.get(await beginSignIn(thief), 6))).toEqual([401, 'passkeyRejected'])
  expect(await outcome(own, 'POST', options, {})).toEqual([200, null])
  // In another member's session it signs its own member in.
  const { visitor: neighbor } = await newMember(app)
  const before = neighbor.cookies.get('sid')
  expect(await signInWith(neighbor, device.get(await beginSignIn(neighbor), 7))).toEqual([200, null])
  expect(neighbor.cookies.get('sid')).not.toBe(before)
  expect((await neighbor.get('/api/Member')).json()).toMatchObject({ publicId })
})

test('a challenge expires after five minutes, and a new one of the same session has its own five', async () => {
  const { device } = await memberWithPasskey()
  const browser = visit(app, 'skyharbor')
  const age = () => asOwner(app, "update passkey_challenges set expires_at = expires_at - interval '5 minutes'")
  const late = await beginSignIn(browser)
  await age()
  expect(await signInWith(browser, device.get(late, 1))).toEqual([401, 'passkeyRejected'])
  await beginSignIn(browser)
  await age()
  expect(await signInWith(browser, device.get(await beginSignIn(browser), 1))).toEqual([200, null])
})

test('a passkey signs in for as long as the member chose, and its browser is known from then on', async () => {
  const { device, form } = await memberWithPasskey()
  const browser = visit(app, 'skyharbor')
  const credential = JSON.parse(device.get(await beginSignIn(browser), 1))
  const signedIn = await browser.change('POST', '/api/SignIn/Passkey', { credential, rememberMe: true })
  expect(signedIn.json().csrfToken).toBe(await browser.token())
  expect((await browser.get('/api/Member/Sessions')).json()).toMatchObject([
    { current: true, beganWith: 'passkey', remembered: true },
    { current: false, beganWith: 'join', remembered: false },
  ])
  expect((await signIn(browser, form.email)).status).toBe(200)
  const listEmails = () =>
    asOwner(app, "select 1 from emails where recipient = $1 and topic = 'session.new-device'", [form.email])
  // The passkey was used in a new browser, and the password in one that is known.
  expect(await listEmails()).toHaveLength(1)
  // Counterpart: another browser is new.
  expect((await signIn(visit(app, 'skyharbor'), form.email)).status).toBe(200)
  expect(await listEmails()).toHaveLength(2)
})

test('of two responses with the same counter at the same moment one signs in', async () => {
  const { device } = await memberWithPasskey()
  const visitors = [visit(app, 'skyharbor'), visit(app, 'skyharbor')]
  const credentials = await Promise.all(visitors.map(async (each) => device.get(await beginSignIn(each), 1)))
  const owner = createPools({ url: app.database.ownerUrl, onError: () => {} })
  const tokens = await Promise.all(visitors.map((each) => each.token()))
  const outcomes = await whileLocked(owner.shared, {
    hold: (tx) => sql`select from passkeys order by id desc limit 1 for update`.execute(tx),
    acts: visitors.map((visitor, index) => async () => {
      const body = { credential: JSON.parse(credentials[index] ?? ''), rememberMe: false }
      const headers = { 'x-xsrf-token': tokens[index] ?? '' }
      return (await visitor.send('POST', '/api/SignIn/Passkey', body, headers)).status
    }),
  })
  expect(outcomes.toSorted()).toEqual([200, 401])
  await owner.close()
})

test('rejected passkeys count against the address, which is locked and opens again', async () => {
  const { device } = await memberWithPasskey()
  const visitor = visit(app, 'skyharbor')
  await asOwner(app, 'delete from attempts')
  const unknown = createFakeAuthenticator(origin())
  expect(await signInWith(visitor, unknown.get(await beginSignIn(visitor), 1))).toEqual([401, 'passkeyRejected'])
  expect(await asOwner(app, 'select count from attempts')).toEqual([{ count: 1 }])
  await asOwner(app, "update attempts set locked_until = now() + interval '1 minute'")
  expect(await signInWith(visitor, device.get(await beginSignIn(visitor), 1))).toEqual([429, 'restFirst'])
  await asOwner(app, 'update attempts set locked_until = now()')
  expect(await signInWith(visitor, device.get(await beginSignIn(visitor), 1))).toEqual([200, null])
})

test('Case 97 concurrent rejected passkeys of an address do not exceed its limit', async () => {
  await asOwner(app, 'delete from attempts')
  const address = '127.94.0.1'
  const attempts = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const visitor = visit(app, 'skyharbor', { address })
      return { visitor, credential: createFakeAuthenticator(origin()).get(await beginSignIn(visitor), 1) }
    }),
  )
  const [first, ...others] = attempts.map(
    ({ visitor, credential }) =>
      () =>
        signInWith(visitor, credential),
  )
  expect(await first?.()).toEqual([401, 'passkeyRejected'])
  await asOwner(app, 'update attempts set count = $1', [maxAddressFailures - 1])
  const outcomes = (await Promise.all(others.map((attempt) => attempt()))).map(([status]) => status)
  expect(outcomes.toSorted()).toEqual([401, 429, 429])
})

test('a program whose customers sign in at its own provider has no passkeys', async () => {
  const visitor = visit(app, 'beacon')
  const credential = JSON.parse(createFakeAuthenticator(app.origin('beacon')).get('x', 1))
  expect(await outcome(visitor, 'POST', '/api/SignIn/Passkey/Options', {})).toEqual([404, 'notOffered'])
  expect(await outcome(visitor, 'POST', '/api/SignIn/Passkey', { credential, rememberMe: false })).toEqual([
    404,
    'notOffered',
  ])
  // Its members cannot add one either.
  const memberId = await addMember(app.database.pools.forPartner('beacon'))
  await asOwner(app, 'update sessions set member_id = $1 where id_hash = $2', [
    memberId,
    tokenHash(visitor.cookies.get('sid') ?? ''),
  ])
  expect(await outcome(visitor, 'POST', options, {})).toEqual([404, 'notOffered'])
  expect(await add(visitor, JSON.stringify(credential))).toEqual([404, 'notOffered'])
})
