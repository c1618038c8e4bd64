import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeFormerMember } from '../../src/identity/members/service.ts'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { asOwner, joinForm, startSecondApp, startTestApp, type TestApp, visit } from '../support/app.ts'
import { addMember } from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

let app: TestApp
let secondApp: TestApp
let provider: Server
let issuer: string
let keys: KeyPair
let strangers: KeyPair
const programs = mkdtempSync(join(tmpdir(), 'dineback-programs-'))
const clientId = 'beacon-under-test'
/** The token endpoint's id tokens, by code. */
const idTokens = new Map<string, string>()

/** What the provider says of itself; each process of the app asks once. */
let metadata: 'complete' | 'without end' | 'unavailable' = 'complete'

beforeAll(async () => {
  keys = await generateKeyPair('ES256', { extractable: true })
  strangers = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'ours', alg: 'ES256', use: 'sig' }
  provider = createServer((request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname
    const send = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (path === '/.well-known/openid-configuration' && metadata === 'unavailable') return response.writeHead(503).end()
    if (path === '/.well-known/openid-configuration')
      return send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        ...(metadata === 'complete' && { end_session_endpoint: `${issuer}/end` }),
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
      })
    if (path === '/keys') return send({ keys: [jwk] })
    if (path === '/userinfo') {
      // Not signed: the claims of the id token count.
      const idToken = idTokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '') ?? ''
      return send({ sub: decodeJwt(idToken).sub, given_name: 'Userinfo', email: 'userinfo@beacon.example' })
    }
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const code = new URLSearchParams(text).get('code') ?? ''
      const idToken = idTokens.get(code)
      if (!idToken) return response.writeHead(400).end('{"error":"invalid_grant"}')
      send({ access_token: code, token_type: 'Bearer', expires_in: 60, id_token: idToken })
    })
  })
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
  issuer = `http://localhost:${(provider.address() as { port: number }).port}`
  cpSync('programs', programs, { recursive: true })
  const file = join(programs, 'beacon', 'program.json')
  const program = JSON.parse(readFileSync(file, 'utf8'))
  program.sso = { issuer, clientId, clientSecret: 'x'.repeat(40) }
  writeFileSync(file, JSON.stringify(program))
  app = await startTestApp({ PROGRAMS_DIR: programs, SAMPLE_ID: 'false' })
  secondApp = await startSecondApp(app)
})
afterAll(async () => {
  await secondApp?.stop()
  await app?.stop()
  provider?.close()
  rmSync(programs, { recursive: true, force: true })
})

type Visitor = ReturnType<typeof visit>
interface StartedSignIn {
  state: string
  nonce: string
}

/** Starts at the provider, as the browser would. */
async function startSignIn(visitor: Visitor, path = '/Login'): Promise<StartedSignIn & { url: URL }> {
  const response = await visitor.get(path)
  const url = new URL(String(response.headers.location))
  const [state = '', nonce = ''] = [url.searchParams.get('state') ?? '', url.searchParams.get('nonce') ?? '']
  return { state, nonce, url }
}

const claimsFor = ({ nonce }: StartedSignIn, over: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: clientId,
  sub: 'customer-1',
  nonce,
  email: 'ada@beacon.example',
  email_verified: true,
  given_name: 'Ada',
  family_name: 'Lovelace',
  sid: 'provider-session',
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 300,
  ...over,
})

const signed = (claims: JWTPayload, key = keys) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'ours' }).sign(key.privateKey)

/** Returns a code that the token endpoint exchanges for this token. */
function codeFor(idToken: string): string {
  const code = randomUUID()
  idTokens.set(code, idToken)
  return code
}

const finish = (visitor: Visitor, query: Record<string, string>) =>
  visitor.get(`/Login/Callback?${new URLSearchParams({ iss: issuer, ...query })}`)
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/api/Member')).status === 200

async function signIn(visitor: Visitor, over: JWTPayload = {}, path = '/Login') {
  const started = await startSignIn(visitor, path)
  return finish(visitor, { state: started.state, code: codeFor(await signed(claimsFor(started, over))) })
}

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

test('a verified email address, in any case, opens the account that has it', async () => {
  const [owner, later] = [visit(app, 'beacon'), visit(app, 'beacon')]
  await signIn(owner, { sub: 'first id', email: 'known@beacon.example' })
  const { publicId } = (await owner.get('/api/Member')).json()
  await signIn(later, { sub: 'second id', email: 'Known@Beacon.example' })
  expect((await later.get('/api/Member')).json()).toMatchObject({ publicId, email: 'known@beacon.example' })
  const path = '/api/Members/Validate/Email?email='
  expect((await later.get(`${path}KNOWN@beacon.example`)).json()).toEqual({ isValid: false })
  expect((await later.get(`${path}%20unknown@beacon.example%20`)).json()).toEqual({ isValid: true })
})

test('names are cut to the 20 characters of the profile', async () => {
  const visitor = visit(app, 'beacon')
  const names = { given_name: 'Adaline Augusta Maria Byron', family_name: 'King-Noel of Lovelace Hall' }
  await signIn(visitor, { sub: 'long', email: 'long@beacon.example', ...names })
  expect((await visitor.get('/api/Member')).json()).toMatchObject({
    firstName: 'Adaline Augusta Mari',
    lastName: 'King-Noel of Lovelac',
  })
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
  await inTransaction(db, (tx) => storeFormerMember(tx, key, { memberId, email: former, cards: [] }))
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
    metadata = state
    const another = await startSecondApp(app)
    try {
      const there = visit(another, 'beacon', visitor)
      expect(await isSignedIn(there)).toBe(true)
      expect(new URL(String((await there.get('/SignOut')).headers.location), issuer).pathname).toBe('/')
      expect(await isSignedIn(visitor)).toBe(false)
      // A provider that was unavailable is asked again.
      if (state === 'unavailable')
        expect((await visit(another, 'beacon').get('/Login')).headers.location).toBe('/error?reason=sso')
      metadata = 'complete'
      const { url } = await startSignIn(visit(another, 'beacon'))
      expect(url.origin + url.pathname).toBe(`${issuer}/authorize`)
    } finally {
      metadata = 'complete'
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
