import { randomUUID } from 'node:crypto'
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMember, storeFormerMember } from '../../src/identity/members/service.ts'
import { signedInCookie } from '../../src/identity/session/rules.ts'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { asOwner, joinForm, startSecondApp, startTestApp, type TestApp, visit } from '../support/app.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { addMember } from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'

type Provider = Awaited<ReturnType<typeof startIdentityProvider>>

let app: TestApp
let secondApp: TestApp
let provider: Provider
let strangers: Provider['keys']
let issuer: string
let clientId: string
let keys: Provider['keys']
let startSignIn: Provider['startSignIn']
let claimsFor: Provider['claimsFor']
let signed: Provider['signed']
let codeFor: Provider['codeFor']
let finish: Provider['finish']
let signIn: Provider['signIn']

beforeAll(async () => {
  provider = await startIdentityProvider()
  ;({ issuer, clientId, keys, startSignIn, claimsFor, signed, codeFor, finish, signIn } = provider)
  strangers = await generateKeyPair('ES256', { extractable: true })
  app = await startTestApp({ PROGRAMS_DIR: provider.programs, SAMPLE_ID: 'false' })
  secondApp = await startSecondApp(app)
})
afterAll(async () => {
  await secondApp?.stop()
  await app?.stop()
  provider?.close()
})

type Visitor = ReturnType<typeof visit>
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/api/Member')).status === 200

/** Sends a logout token of the provider for the session `second`; `over` replaces its claims. Returns the status. */
async function sendLogoutToken(over: JWTPayload, key = keys): Promise<number> {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const claims = { iss: issuer, aud: clientId, sid: 'second', jti: randomUUID(), events }
  const token = await new SignJWT({ iat: Math.floor(Date.now() / 1000), ...claims, ...over })
    .setProtectedHeader({ alg: 'ES256', kid: 'ours' })
    .sign(key.privateKey)
  const body = new URLSearchParams({ logout_token: token }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return (await visit(secondApp, 'beacon').send('POST', '/Login/BackChannelLogout', body, headers)).status
}

test('SESS-016 ENR-012 a valid response signs in, links the account once, and updates the name from the partner each time', async () => {
  const visitor = visit(app, 'beacon')
  const response = await signIn(visitor)
  expect(response.headers.location).toBe('/join')
  const member = (await visitor.get('/api/Member')).json()
  expect(member).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', memberType: 'NonCardMember' })
  const later = visit(app, 'beacon')
  await signIn(later, { family_name: 'King' })
  expect((await later.get('/api/Member')).json()).toMatchObject({ publicId: member.publicId, lastName: 'King' })
  // Joining cannot change the partner's claims.
  const form = {
    email: 'other@example.com',
    firstName: 'Eve',
    lastName: 'Mallory',
    zipCode: '10001',
    termsAccepted: true,
  }
  expect((await later.change('POST', '/api/Members/Prospects', form)).status).toBe(200)
  expect((await later.get('/api/Member')).json()).toMatchObject({ firstName: 'Ada', email: 'ada@beacon.example' })
})

const forgeries: Record<string, (visitor: Visitor) => Promise<void>> = {
  async 'another state'(visitor) {
    const started = await startSignIn(visitor)
    await finish(visitor, { state: randomUUID(), code: codeFor(await signed(claimsFor(started))) })
  },
  async 'no state'(visitor) {
    const started = await startSignIn(visitor)
    await visitor.get(`/Login/Callback?code=${codeFor(await signed(claimsFor(started)))}`)
  },
  async 'the state of another browser'(visitor) {
    const victim = visit(app, 'beacon')
    const started = await startSignIn(victim)
    await startSignIn(visitor)
    await finish(visitor, { state: started.state, code: codeFor(await signed(claimsFor(started))) })
  },
  async 'another nonce'(visitor) {
    const started = await startSignIn(visitor)
    await finish(visitor, {
      state: started.state,
      code: codeFor(await signed(claimsFor({ ...started, nonce: randomUUID() }))),
    })
  },
  async 'no nonce'(visitor) {
    const started = await startSignIn(visitor)
    const { nonce: _nonce, ...claims } = claimsFor(started)
    await finish(visitor, { state: started.state, code: codeFor(await signed(claims)) })
  },
  async 'another audience'(visitor) {
    const started = await startSignIn(visitor)
    await finish(visitor, {
      state: started.state,
      code: codeFor(await signed(claimsFor(started, { aud: 'someone-else' }))),
    })
  },
  async 'another issuer'(visitor) {
    const started = await startSignIn(visitor)
    const idToken = await signed(claimsFor(started, { iss: 'https://evil.example' }))
    await finish(visitor, { state: started.state, code: codeFor(idToken) })
  },
  async 'another issuer in the address'(visitor) {
    const started = await startSignIn(visitor)
    await finish(visitor, {
      state: started.state,
      iss: 'https://evil.example',
      code: codeFor(await signed(claimsFor(started))),
    })
  },
  async 'no signature'(visitor) {
    const started = await startSignIn(visitor)
    await finish(visitor, { state: started.state, code: codeFor(new UnsecuredJWT(claimsFor(started)).encode()) })
  },
  async 'a stranger’s signature'(visitor) {
    const started = await startSignIn(visitor)
    await finish(visitor, { state: started.state, code: codeFor(await signed(claimsFor(started), strangers)) })
  },
  async 'a signature with the public secret'(visitor) {
    const started = await startSignIn(visitor)
    const secret = new TextEncoder().encode('x'.repeat(40))
    const idToken = await new SignJWT(claimsFor(started)).setProtectedHeader({ alg: 'HS256' }).sign(secret)
    await finish(visitor, { state: started.state, code: codeFor(idToken) })
  },
  async 'an expired response'(visitor) {
    const started = await startSignIn(visitor)
    const then = Math.floor(Date.now() / 1000) - 600
    await finish(visitor, {
      state: started.state,
      code: codeFor(await signed(claimsFor(started, { iat: then, exp: then + 60 }))),
    })
  },
  async 'a response that was used'(visitor) {
    const victim = visit(app, 'beacon')
    const started = await startSignIn(victim)
    const code = codeFor(await signed(claimsFor(started)))
    await finish(victim, { state: started.state, code })
    visitor.cookies.set('sid', victim.cookies.get('sid') ?? '')
    await visitor.get('/SignOut')
    await finish(visitor, { state: started.state, code })
  },
  async 'a code that the provider does not know'(visitor) {
    const { state } = await startSignIn(visitor)
    await finish(visitor, { state, code: 'made-up' })
  },
  async 'a response after ten minutes'(visitor) {
    const started = await startSignIn(visitor)
    await asOwner(app, "update sso_attempts set expires_at = now() - interval '1 second'")
    await finish(visitor, { state: started.state, code: codeFor(await signed(claimsFor(started))) })
  },
}

test('Case 27 no forged response of a provider signs anyone in', async () => {
  const rounds = scaled({ full: 40, short: 2 })
  let through = 0
  let tried = 0
  for (const [kind, forge] of Object.entries(forgeries)) {
    for (let round = 0; round < rounds; round++) {
      const visitor = visit(round % 2 ? app : secondApp, 'beacon')
      await forge(visitor)
      tried++
      if (await isSignedIn(visitor)) {
        through++
        throw new Error(`signed in by ${kind}`)
      }
    }
  }
  expect([through, tried]).toEqual([0, 15 * rounds])
  // Counterpart: a valid response through the same flow signs in.
  const honest = visit(app, 'beacon')
  await signIn(honest)
  expect(await isSignedIn(honest)).toBe(true)
})

test('an unverified email address does not open an existing account', async () => {
  const owner = visit(app, 'beacon')
  await signIn(owner, { sub: 'owner', email: 'shared@beacon.example' })
  const thief = visit(app, 'beacon')
  const response = await signIn(thief, { sub: 'thief', email: 'shared@beacon.example', email_verified: false })
  expect(response.headers.location).toBe('/error?reason=sso')
  expect(await isSignedIn(thief)).toBe(false)
  // A provider that does not say so has not verified it.
  await signIn(thief, { sub: 'thief', email: 'shared@beacon.example', email_verified: undefined })
  expect(await isSignedIn(thief)).toBe(false)
})

// They shared one account before: an address that a bank states for two of its customers, a couple or a family, is
// verified for both, and each saw the cards and the rewards of the other.
test('SESS-026 Case 126 two customers of one bank with the same verified address, in any case, have an account each', async () => {
  const [owner, later] = [visit(app, 'beacon'), visit(app, 'beacon')]
  const first = { sub: 'first id', email: 'known@beacon.example' }
  const second = { sub: 'second id', email: 'Known@Beacon.example' }
  expect((await signIn(owner, first)).headers.location).toBe('/join')
  const { publicId, emailIsShared } = (await owner.get('/api/Member')).json()
  expect(emailIsShared).toBe(false)
  expect((await signIn(later, second)).headers.location).toBe('/join')
  const other = (await later.get('/api/Member')).json()
  expect(other).toMatchObject({ email: 'Known@Beacon.example', emailIsShared: true })
  expect(other.publicId).not.toBe(publicId)
  expect([await accountOf(second), await accountOf(first)]).toEqual([other.publicId, publicId])
  expect([await stateOf(publicId), await stateOf(other.publicId)]).toEqual([
    { verified: true, identifies: true },
    { verified: false, identifies: false },
  ])
  // Each can join, and neither gets an email that something was linked.
  for (const visitor of [owner, later])
    expect((await visitor.change('POST', '/api/Members/Prospects', joinForm({ zipCode: '10001' }))).status).toBe(200)
  expect(
    await asOwner(
      app,
      `select 1 from emails where topic = 'session.identity-linked' and lower(recipient) = 'known@beacon.example'`,
    ),
  ).toEqual([])
  const path = '/api/Members/Validate/Email?email='
  expect((await later.get(`${path}KNOWN@beacon.example`)).json()).toEqual({ isValid: false })
  expect((await later.get(`${path}%20unknown@beacon.example%20`)).json()).toEqual({ isValid: true })
})

const stateOf = async (publicId: string) => {
  const [row] = await asOwner<{ verified: boolean; identifies: boolean }>(
    app,
    `select email_verified_at is not null as verified, email_identifies as identifies from members where public_id = $1`,
    [publicId],
  )
  return row
}
const publicIdOf = async (visitor: Visitor) => (await visitor.get('/api/Member')).json().publicId as string
/** Signs in in a new browser. Returns the account. */
async function accountOf(over: JWTPayload): Promise<string> {
  const visitor = visit(app, 'beacon')
  await signIn(visitor, over)
  return publicIdOf(visitor)
}

test('SESS-023 Case 86 an address that the bank has not verified opens an account of its own, and its owner gets another one', async () => {
  const email = 'victim@beacon.example'
  const early = { sub: 'early', email, email_verified: false }
  const taken = await accountOf(early)
  expect(await stateOf(taken)).toEqual({ verified: false, identifies: false })
  const path = `/api/Members/Validate/Email?email=${email}`
  expect((await visit(app, 'beacon').get(path)).json()).toEqual({ isValid: true })
  const victim = { sub: 'victim', email: 'Victim@beacon.example' }
  const own = await accountOf(victim)
  expect(own).not.toBe(taken)
  expect(await stateOf(own)).toEqual({ verified: true, identifies: true })
  expect((await visit(app, 'beacon').get(path)).json()).toEqual({ isValid: false })
  // Both stay separate, whoever signs in next, and a third one without proof joins neither.
  expect([await accountOf(early), await accountOf(victim)]).toEqual([taken, own])
  const third = visit(app, 'beacon')
  const response = await signIn(third, { sub: 'third', email, email_verified: false })
  expect([response.headers.location, await isSignedIn(third)]).toEqual(['/error?reason=sso', false])
})

test('SESS-023 a member whose address nobody has verified yields it to the customer whose bank has', async () => {
  const db = app.database.pools.forPartner('beacon')
  const member = await inTransaction(db, (tx) =>
    createMember(tx, { email: 'typed@beacon.example', first_name: 'Typed', last_name: 'Only', zip_code: '10001' }),
  )
  const own = await accountOf({ sub: 'typed', email: 'typed@beacon.example' })
  expect(own).not.toBe(member.public_id)
  expect(await stateOf(member.public_id)).toEqual({ verified: false, identifies: false })
})

test('SESS-023 SESS-021 an address that both sides have verified links the identity, and the member gets an email', async () => {
  const email = 'both@beacon.example'
  const member = await inTransaction(app.database.pools.forPartner('beacon'), (tx) =>
    createMember(tx, { email, first_name: 'Bo', last_name: 'Th', zip_code: '10001', email_verified_at: new Date() }),
  )
  const notices = () =>
    asOwner<{ subject: string }>(
      app,
      "select subject from emails where recipient = $1 and topic = 'session.identity-linked'",
      [email],
    )
  expect(await accountOf({ sub: 'both', email })).toBe(member.public_id)
  expect((await notices()).map(({ subject }) => subject)).toEqual([expect.stringMatching(/^New way to sign in to /)])
  expect(await accountOf({ sub: 'both', email })).toBe(member.public_id)
  expect(await notices()).toHaveLength(1)
})

test('SESS-023 an account whose address the bank verifies later has it from then on, unless another one has verified it', async () => {
  const email = 'later@beacon.example'
  const [first, second] = [
    await accountOf({ sub: 'later-1', email, email_verified: false }),
    await accountOf({ sub: 'later-2', email, email_verified: false }),
  ]
  expect(await accountOf({ sub: 'later-1', email: 'other@beacon.example' })).toBe(first)
  expect(await stateOf(first)).toEqual({ verified: false, identifies: false })
  expect(await accountOf({ sub: 'later-1', email })).toBe(first)
  expect(await accountOf({ sub: 'later-2', email })).toBe(second)
  expect([await stateOf(first), await stateOf(second)]).toEqual([
    { verified: true, identifies: true },
    { verified: false, identifies: false },
  ])
})

test('SESS-023 Case 86 a link from before that lacks proof opens an account of its own', async () => {
  const email = 'linked-before@beacon.example'
  const owner = { sub: 'linked-owner', email }
  const own = await accountOf(owner)
  // Before, whoever came first got what the owner of the address linked later.
  await asOwner(
    app,
    `insert into identities (partner_id, issuer, subject, member_id)
     select partner_id, $1, 'linked-thief', id from members where public_id = $2`,
    [issuer, own],
  )
  await asOwner(app, 'update members set email_verified_at = null where public_id = $1', [own])
  const thief = { sub: 'linked-thief', email, email_verified: false }
  const other = await accountOf(thief)
  expect(other).not.toBe(own)
  expect([await accountOf(owner), await accountOf(thief)]).toEqual([own, other])
})

test('ENR-017 names and addresses of the provider are stored whole, and the customer joins with them', async () => {
  const email = `long@${'long-domain.'.repeat(20)}exampl.us`
  const names = { given_name: 'Adaline Augusta Maria Byron', family_name: 'King-Noel of Lovelace Hall and Ashley' }
  const stated: [string, object, object][] = [
    ['long', { email, ...names }, { email, firstName: names.given_name, lastName: names.family_name }],
    ['one-name', { family_name: undefined, given_name: 'Cher' }, { firstName: 'Cher', lastName: '' }],
    ['no-family', { family_name: null, given_name: 'Cher' }, { firstName: 'Cher', lastName: '' }],
    ['family-only', { given_name: '', family_name: 'Suharto' }, { firstName: 'Suharto', lastName: '' }],
    ['whole-name', { given_name: '', family_name: '', name: 'Sukarno' }, { firstName: 'Sukarno', lastName: '' }],
    ['nameless', { given_name: null, family_name: null }, { firstName: 'nameless', lastName: '' }],
    ['idn', { email: 'idn@bücher.example' }, { email: 'idn@xn--bcher-kva.example' }],
  ]
  for (const [sub, claims, expected] of stated) {
    const visitor = visit(app, 'beacon')
    await signIn(visitor, { sub, email: `${sub}@beacon.example`, ...claims })
    const member = (await visitor.get('/api/Member')).json()
    expect([sub, member]).toMatchObject([sub, expected])
    const { email, firstName, lastName } = member
    const form = { email, firstName, lastName, zipCode: '10001', termsAccepted: true }
    const joined = await visitor.change('POST', '/api/Members/Prospects', form)
    expect([sub, joined.status, joined.text]).toEqual([sub, 200, joined.text])
    // The profile is saved with the same name.
    expect((await visitor.change('PUT', '/api/Member', { firstName, lastName, zipCode: '10002' })).status).toBe(200)
    expect([sub, (await visitor.get('/api/Member')).json()]).toMatchObject([sub, expected])
  }
  expect(email).toHaveLength(254)
})

test('Case 35 after sign-in the browser is in this program for any return address', async () => {
  for (const target of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/%2f/evil.example',
    'javascript:alert(1)',
  ]) {
    const visitor = visit(app, 'beacon')
    const sub = `returning-${target.length}`
    await signIn(visitor, { sub, email: `${sub}@beacon.example` })
    await asOwner(app, "update members set zip_code = '10001', member_type = 'EnrolledCardMember' where email = $1", [
      `${sub}@beacon.example`,
    ])
    const again = await signIn(
      visit(app, 'beacon'),
      { sub, email: `${sub}@beacon.example` },
      `/Login?returnTo=${encodeURIComponent(target)}`,
    )
    expect([target, again.headers.location]).toEqual([target, '/account/overview'])
  }
})

test('a new member joins first and then returns, unless joining was the target', async () => {
  const landings = new Map<string, unknown>()
  for (const target of ['/search', '/join']) {
    const sub = `joining-from-${target.slice(1)}`
    const path = `/Login?returnTo=${encodeURIComponent(target)}`
    const { headers } = await signIn(visit(app, 'beacon'), { sub, email: `${sub}@beacon.example` }, path)
    landings.set(target, headers.location)
  }
  expect(Object.fromEntries(landings)).toEqual({ '/search': '/join?returnTo=%2Fsearch', '/join': '/join' })
  // Once the form is filled in, a card is next.
  const claims = { sub: 'joining-from-search', email: 'joining-from-search@beacon.example' }
  await asOwner(app, "update members set zip_code = '10001' where email = $1", [claims.email])
  const { headers } = await signIn(visit(app, 'beacon'), claims, '/Login?returnTo=%2Fsearch')
  expect(headers.location).toBe('/add_card?returnTo=%2Fsearch')
})

test('a former member is recognized by the partner’s email address, whatever the form has', async () => {
  const [former, other] = ['grace@beacon.example', 'hopper@beacon.example']
  const key = deriveKey(app.settings.APP_SECRET, 'returning-member')
  const db = app.database.pools.forPartner('beacon')
  const memberId = await addMember(db)
  await inTransaction(db, (tx) =>
    storeFormerMember(tx, key, { memberId, email: former, isEmailVerified: true, cards: [] }),
  )
  const join = async (sub: string, email: string, typed: string) => {
    const visitor = visit(app, 'beacon')
    await signIn(visitor, { sub, email })
    expect((await visitor.change('POST', '/api/Members/Prospects', joinForm({ email: typed }))).status).toBe(200)
  }
  await join('grace', former, 'typed@beacon.example')
  await join('hopper', other, former)
  expect(
    await asOwner(app, 'select email, has_returned from members where email = any($1) order by 1', [[former, other]]),
  ).toEqual([
    { email: former, has_returned: true },
    { email: other, has_returned: false },
  ])
})

test('joining continues the session of the provider: its end, and when a password was entered there', async () => {
  const join = async (sub: string) => {
    const visitor = visit(app, 'beacon')
    const email = `${sub}@beacon.example`
    await signIn(visitor, { sub, email, sid: sub })
    expect((await visitor.change('POST', '/api/Members/Prospects', joinForm({ email }))).status).toBe(200)
    return visitor
  }
  const joined = await join('has-joined')
  const exported = await joined.get('/api/Member/Export', { 'x-xsrf-token': await joined.token() })
  // No password was entered in the last ten minutes.
  expect([exported.status, exported.json().code]).toEqual([403, 'reauthRequired'])
  const url = new URL(String((await joined.get('/SignOut')).headers.location), issuer)
  expect(url.origin + url.pathname).toBe(`${issuer}/end`)
  const other = await join('has-joined-too')
  expect(await isSignedIn(other)).toBe(true)
  expect(await sendLogoutToken({ sid: 'has-joined-too' })).toBe(200)
  expect(await isSignedIn(other)).toBe(false)
})

test('signing out continues at the provider, and the provider’s back-channel logout ends sessions here', async () => {
  const visitor = visit(app, 'beacon')
  await signIn(visitor, { sid: 'first' })
  const out = await visitor.get('/SignOut')
  const url = new URL(String(out.headers.location))
  expect(url.origin + url.pathname).toBe(`${issuer}/end`)
  expect(url.searchParams.get('id_token_hint')).toMatch(/^ey/)
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`http://beacon.localhost:${app.port}/`)
  expect(await isSignedIn(visitor)).toBe(false)
  await signIn(visitor, { sid: 'second' })
  const wrong: JWTPayload[] = [
    { aud: 'someone-else' },
    { iss: 'https://evil.example' },
    { events: {} },
    { nonce: 'x' },
    { iat: Math.floor(Date.now() / 1000) - 600 },
    { sid: undefined, sub: undefined },
    { jti: undefined },
  ]
  for (const over of wrong) expect([over, await sendLogoutToken(over)]).toEqual([over, 400])
  expect(await sendLogoutToken({}, strangers)).toBe(400)
  expect(await isSignedIn(visitor)).toBe(true)
  expect(await sendLogoutToken({})).toBe(200)
  expect(await isSignedIn(visitor)).toBe(false)
  // With both, it ends one session of the customer, and by subject alone every one.
  const elsewhere = visit(app, 'beacon')
  await signIn(elsewhere, { sid: 'elsewhere' })
  await signIn(visitor, { sid: 'third' })
  expect(await sendLogoutToken({ sid: 'third', sub: 'customer-1' })).toBe(200)
  expect([await isSignedIn(visitor), await isSignedIn(elsewhere)]).toEqual([false, true])
  await signIn(visitor, { sid: 'fourth' })
  expect(await sendLogoutToken({ sid: undefined, sub: 'customer-1' })).toBe(200)
  expect([await isSignedIn(visitor), await isSignedIn(elsewhere)]).toEqual([false, false])
})

test.each(['without end', 'unavailable'] as const)(
  'signing out works here while the provider’s metadata is %s',
  async (state) => {
    const visitor = visit(app, 'beacon')
    await signIn(visitor)
    provider.describe(state)
    const another = await startSecondApp(app)
    try {
      const there = visit(another, 'beacon', visitor)
      expect(await isSignedIn(there)).toBe(true)
      expect(new URL(String((await there.get('/SignOut')).headers.location), issuer).pathname).toBe('/')
      expect(await isSignedIn(visitor)).toBe(false)
      // A provider that was unavailable is asked again.
      if (state === 'unavailable')
        expect((await visit(another, 'beacon').get('/Login')).headers.location).toBe('/error?reason=sso')
      provider.describe('complete')
      const { url } = await startSignIn(visit(another, 'beacon'))
      expect(url.origin + url.pathname).toBe(`${issuer}/authorize`)
    } finally {
      provider.describe('complete')
      await another.stop()
    }
  },
)

test('an irreversible action requires the provider’s password prompt and a recent auth_time', async () => {
  const visitor = visit(app, 'beacon')
  await signIn(visitor)
  const exported = async () =>
    (await visitor.get('/api/Member/Export', { 'x-xsrf-token': await visitor.token() })).status
  expect(await exported()).toBe(403)
  const { url } = await startSignIn(visitor, '/Login?reauth=1')
  expect(url.searchParams.get('prompt')).toBe('login')
  expect(url.searchParams.get('max_age')).toBe('0')
  const { url: usual } = await startSignIn(visitor)
  expect([usual.searchParams.has('prompt'), usual.searchParams.has('max_age')]).toEqual([false, false])
  await signIn(visitor, { auth_time: Math.floor(Date.now() / 1000) - 3600 })
  expect(await exported()).toBe(403)
  await signIn(visitor, { auth_time: Math.floor(Date.now() / 1000) })
  expect(await exported()).toBe(200)
  // The clock of the provider may be ahead, which makes the authentication no more recent.
  await signIn(visitor, { auth_time: Math.floor(Date.now() / 1000) + 3600 })
  await asOwner(app, "update sessions set authenticated_at = authenticated_at - interval '10 minutes'")
  expect(await exported()).toBe(403)
})

test('SESS-012 a sign-in that the provider refuses, or that took too long, is tried again with the page to return to', async () => {
  for (const isOld of [false, true]) {
    const visitor = visit(app, 'beacon')
    const started = await visitor.get('/Login?returnTo=%2Fsearch%3Flocation%3D10001')
    const state = new URL(String(started.headers.location)).searchParams.get('state')
    if (isOld) await asOwner(app, "update sso_attempts set expires_at = now() - interval '1 minute'")
    const answer = isOld ? 'code=late' : 'error=server_error'
    const { headers } = await visitor.get(`/Login/Callback?${answer}&state=${state}`)
    const failed = '/error?reason=sso&returnTo=%2Fsearch%3Flocation%3D10001'
    expect([isOld, headers.location]).toEqual([isOld, failed])
    // Once: an answer that is repeated, or of another browser, learns nothing.
    expect((await visitor.get(`/Login/Callback?${answer}&state=${state}`)).headers.location).toBe('/error?reason=sso')
  }
})

test('SESS-012 SESS-016 the second of two tabs that sign in goes on to its own page, once', async () => {
  const visitor = visit(app, 'beacon')
  const started = await startSignIn(visitor, '/Login?returnTo=%2Fsearch%3Flocation%3D10001')
  await signIn(visitor)
  const { publicId } = (await visitor.get('/api/Member')).json()
  expect((await visitor.change('POST', '/api/Members/Prospects', joinForm({ zipCode: '10001' }))).status).toBe(200)
  // Its session ended with the first sign-in. Another customer, so that it would show who is signed in.
  const claims = claimsFor(started, { sub: 'other', email: 'other@beacon.example' })
  const answer = { state: started.state, code: codeFor(await signed(claims)) }
  const second = await finish(visitor, answer)
  expect(second.headers.location).toBe('/add_card?returnTo=%2Fsearch%3Flocation%3D10001')
  // The page says who is signed in; to an answer that comes once more, it does not.
  expect(String(second.headers['set-cookie'])).toContain(`${signedInCookie}=1`)
  const third = await finish(visitor, answer)
  expect(third.headers.location).toBe('/add_card')
  expect(String(third.headers['set-cookie'])).not.toContain(signedInCookie)
  expect((await visitor.get('/api/Member')).json()).toMatchObject({ publicId })
})

test('SESS-012 of two customers who sign in in two tabs the last one is signed in, also where the provider has ended the first session', async () => {
  const visitor = visit(app, 'beacon')
  const started = await startSignIn(visitor, '/Login?returnTo=%2Fsearch%3Flocation%3D10001')
  await signIn(visitor, { sub: 'first tab', email: 'first-tab@beacon.example', sid: 'of the first tab' })
  const code = codeFor(await signed(claimsFor(started, { sub: 'second tab', email: 'second-tab@beacon.example' })))
  // The provider knows one customer at a time.
  const { publicId } = (await visitor.get('/api/Member')).json()
  await asOwner(app, 'delete from sessions where member_id = (select id from members where public_id = $1)', [publicId])
  const answer = { state: started.state, code }
  const ended = await finish(visitor, answer)
  expect(ended.headers.location).toBe('/Login?returnTo=%2Fsearch%3Flocation%3D10001')
  // The answer is used up: it begins a sign-in once.
  expect((await finish(visitor, answer)).headers.location).toBe('/error?reason=sso')
  const again = await startSignIn(visitor, String(ended.headers.location))
  const own = claimsFor(again, { sub: 'second tab', email: 'second-tab@beacon.example' })
  const done = await finish(visitor, { state: again.state, code: codeFor(await signed(own)) })
  expect(done.headers.location).toBe('/join?returnTo=%2Fsearch%3Flocation%3D10001')
  expect((await visitor.get('/api/Member')).json()).toMatchObject({ email: 'second-tab@beacon.example' })
})

test('SESS-012 a browser that keeps no cookies is not sent to the provider again and again', async () => {
  const { state } = await startSignIn(visit(app, 'beacon'), '/Login?returnTo=%2Fsearch')
  for (const query of [{ state, code: 'x' }, { state, code: 'x' }, { code: 'x' }] as Record<string, string>[])
    expect((await finish(visit(app, 'beacon'), query)).headers.location).toBe('/error?reason=sso')
})

test('SESS-016 Case 27 Case 35 an answer that belongs to no attempt of a member changes nothing, and leads to the account', async () => {
  const visitor = visit(app, 'beacon')
  await signIn(visitor)
  const { publicId } = (await visitor.get('/api/Member')).json()
  await asOwner(app, "update members set member_type = 'EnrolledCardMember' where public_id = $1", [publicId])
  const session = visitor.cookies.get('sid')
  // An attempt of another browser is neither used nor shown.
  const other = visit(app, 'beacon')
  const started = await startSignIn(other, '/Login?returnTo=%2Fsearch%3Flocation%3D10001')
  const code = codeFor(await signed(claimsFor(started, { sub: 'other', email: 'other@beacon.example' })))
  for (const state of [started.state, randomUUID(), '']) {
    const { headers, status } = await finish(visitor, { state, code, returnTo: '//evil.example' })
    expect([status, headers.location, visitor.cookies.get('sid')]).toEqual([303, '/account/overview', session])
  }
  expect((await visitor.get('/api/Member')).json()).toMatchObject({ publicId })
  const { headers } = await finish(other, { state: started.state, code })
  expect(headers.location).toBe('/join?returnTo=%2Fsearch%3Flocation%3D10001')
})

test('SESS-012 SESS-016 who gives up at the provider is back on the page, as before, and not in an account page that leads there again', async () => {
  const givenUp = async (visitor: Visitor, path: string) => {
    const { state } = await startSignIn(visitor, path)
    return async () => (await finish(visitor, { state, error: 'access_denied' })).headers.location
  }
  const search = '/Login?returnTo=%2Fsearch%3Flocation%3D10001'
  const pages = {
    [search]: '/search?location=10001',
    '/Login?returnTo=%2Fjoin': '/join',
    '/Login?returnTo=%2Faccount%2Fprivacy': '/',
    '/Login?returnTo=%2F%2Fevil.example': '/',
    '/Login': '/',
  }
  for (const [path, page] of Object.entries(pages)) {
    const visitor = visit(app, 'beacon')
    const answer = await givenUp(visitor, path)
    expect([path, await answer(), await isSignedIn(visitor)]).toEqual([path, page, false])
    expect([path, await answer()]).toEqual([path, '/error?reason=sso'])
  }
  const late = await givenUp(visit(app, 'beacon'), search)
  await asOwner(app, "update sso_attempts set expires_at = now() - interval '1 minute'")
  expect(await late()).toBe('/search?location=10001')
  // A member who does not type the password once more stays one.
  const member = visit(app, 'beacon')
  await signIn(member)
  const proof = await givenUp(member, '/Login?reauth=1&returnTo=%2Faccount%2Fprivacy')
  expect([await proof(), await isSignedIn(member)]).toEqual(['/account/privacy', true])
})
