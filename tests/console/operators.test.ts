import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { storeChallenge, takeChallenge } from '../../src/console/operators/passkey-store.ts'
import {
  addOperator,
  changeRole,
  continueConsoleSession,
  disableOperator,
  enableOperator,
  endConsoleSession,
  maxFailures,
  purgeConsoleSessions,
  resetPassword,
  resetSecondFactor,
  signInOperator,
} from '../../src/console/operators/service.ts'
import { countAttempt, isLocked, withdrawAttempt } from '../../src/console/operators/store.ts'
import { withReturn } from '../../src/identity/session/sso/return-path.ts'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { tokenHash } from '../../src/platform/security/ids.ts'
import { signPreviewPass } from '../../src/programs/content/preview.ts'
import { asOwner, visit } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { openConsole, requestConsole } from '../support/console.ts'
import { createFakePasskey } from '../support/fake-passkey.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
/** As in production: passkeys are required; behind a proxy, so that requests can use their own addresses. */
const real = setUpTestApp({ STAGING_TOOLS: 'false', TRUSTED_PROXY: '127.0.0.1' })
const operator = {
  email: 'nora@dineback.example',
  name: 'Nora',
  role: 'editor',
  partners: ['skyharbor'],
  password: 'sourdough 4 breakfast',
} as const
const db = () => app.database.consolePools.shared
const open = (email: string, password: string, device?: string) =>
  signInOperator(db(), { email, password, lockKey: deriveKey(app.settings.APP_SECRET, 'lockout'), device })
const signIn = async (email: string, password: string) => (await open(email, password))?.id ?? null

beforeAll(async () => {
  expect(await addOperator(db(), operator)).toBe(true)
})

test('an address has one operator, regardless of case', async () => {
  expect(await addOperator(db(), { ...operator, email: 'NORA@dineback.example' })).toBe(false)
})

test('a session starts with the password, is found by its cookie, and ends at sign-out', async () => {
  expect(await signIn(operator.email, 'wrong')).toBeNull()
  const id = await signIn(' Nora@Dineback.example ', operator.password)
  const session = await continueConsoleSession(db(), id ?? '')
  expect(session?.operator).toMatchObject({
    email: operator.email,
    grants: [{ role: 'marketer', partnerId: 'skyharbor' }],
  })
  expect(await continueConsoleSession(db(), 'x'.repeat(43))).toBeNull()
  if (session) await endConsoleSession(db(), session.idHash)
  expect(await continueConsoleSession(db(), id ?? '')).toBeNull()
})

test('a session ends after half an hour without use, and after twelve hours', async () => {
  for (const column of ['used_at', 'started_at']) {
    const id = await signIn(operator.email, operator.password)
    await asOwner(
      app,
      `update console.sessions set ${column} = now() - interval '${column === 'used_at' ? '31 minutes' : '12 hours 1 minute'}'`,
    )
    expect([column, await continueConsoleSession(db(), id ?? '')]).toEqual([column, null])
  }
})

test('a session that is used lasts longer than half an hour', async () => {
  const id = (await signIn(operator.email, operator.password)) ?? ''
  for (const use of [1, 2]) {
    const idHash = tokenHash(id)
    await asOwner(app, "update console.sessions set used_at = used_at - interval '20 minutes' where id_hash = $1", [
      idHash,
    ])
    expect([use, (await continueConsoleSession(db(), id))?.operator.email]).toEqual([use, operator.email])
  }
})

test('the cleanup deletes ended sessions and browsers that were not used for a year, and no others', async () => {
  const own = { ...operator, email: 'nick@dineback.example' }
  await addOperator(db(), own)
  for (const [column, age] of [
    ['used_at', '31 minutes'],
    ['started_at', '12 hours 1 minute'],
  ]) {
    const id = (await signIn(own.email, own.password)) ?? ''
    const idHash = tokenHash(id)
    await asOwner(app, `update console.sessions set ${column} = now() - $1::interval where id_hash = $2`, [age, idHash])
  }
  const live = await open(own.email, own.password)
  const [{ id } = { id: 0 }] = await asOwner<{ id: number }>(app, 'select id from console.operators where email = $1', [
    own.email,
  ])
  await asOwner(app, 'delete from console.known_devices where operator_id = $1', [id])
  for (const age of ['366 days', '364 days']) {
    await asOwner(
      app,
      `insert into console.known_devices (device_hash, operator_id, used_at)
       values ($1, $2, now() - $3::interval)`,
      [tokenHash(age), id, age],
    )
  }
  // A browser that is used again counts from then.
  await asOwner(
    app,
    `insert into console.known_devices (device_hash, operator_id, used_at) values ($1, $2, now() - interval '366 days')`,
    [tokenHash(live?.device ?? ''), id],
  )
  const again = await open(own.email, own.password, live?.device)
  await purgeConsoleSessions(db())
  const left = await asOwner<{ hash: Buffer }>(
    app,
    'select id_hash as hash from console.sessions where operator_id = $1 order by started_at',
    [id],
  )
  expect(left.map(({ hash }) => hash)).toEqual([live, again].map((signedIn) => tokenHash(signedIn?.id ?? '')))
  const known = await asOwner<{ hash: Buffer }>(
    app,
    'select device_hash as hash from console.known_devices where operator_id = $1 order by used_at',
    [id],
  )
  expect(known.map(({ hash }) => hash)).toEqual([tokenHash('364 days'), tokenHash(live?.device ?? '')])
})

test('a challenge for a passkey is valid once, for five minutes, in its session', async () => {
  const own = { ...operator, email: 'nils@dineback.example' }
  await addOperator(db(), own)
  const [first, second] = [await signIn(own.email, own.password), await signIn(own.email, own.password)].map((id) =>
    tokenHash(id ?? ''),
  ) as [Buffer, Buffer]
  await storeChallenge(db(), first, 'one')
  expect(await takeChallenge(db(), second)).toBeNull()
  expect(await takeChallenge(db(), first)).toBe('one')
  expect(await takeChallenge(db(), first)).toBeNull()
  const pass = (time: string) =>
    asOwner(app, 'update console.sessions set challenge_until = challenge_until - $1::interval', [time])
  await storeChallenge(db(), first, 'two')
  await storeChallenge(db(), second, 'three')
  await pass('4 minutes 50 seconds')
  expect(await takeChallenge(db(), first)).toBe('two')
  await pass('10 seconds')
  expect(await takeChallenge(db(), second)).toBeNull()
})

test('an operator’s role and programs change with the next request, and those of others do not', async () => {
  const [own, other] = ['nina@dineback.example', 'noel@dineback.example']
  for (const email of [own, other]) await addOperator(db(), { ...operator, email })
  const sessions = [await signIn(own, operator.password), await signIn(other, operator.password)]
  expect(await changeRole(db(), { email: 'NINA@dineback.example', role: 'support', partners: ['beacon'] })).toBe(true)
  expect(await changeRole(db(), { email: 'nobody@dineback.example', role: 'admin', partners: null })).toBe(false)
  const roles = await Promise.all(sessions.map(async (id) => (await continueConsoleSession(db(), id ?? ''))?.operator))
  expect(roles).toMatchObject([
    { email: own, grants: [{ role: 'support', partnerId: 'beacon' }] },
    { email: other, grants: [{ role: 'marketer', partnerId: 'skyharbor' }] },
  ])
  expect(await changeRole(db(), { email: own, role: 'admin', partners: null })).toBe(true)
  expect((await continueConsoleSession(db(), sessions[0] ?? ''))?.operator).toMatchObject({
    grants: [{ role: 'administrator', partnerId: null }],
  })
})

test('a disabled operator gets no new password and no new code, and is enabled with the old password', async () => {
  const [email, other] = ['nora.off@dineback.example', 'nora.on@dineback.example']
  for (const each of [email, other]) await addOperator(db(), { ...operator, email: each })
  await asOwner(
    app,
    `insert into console.passkeys (operator_id, credential_id, public_key, counter, name)
     select id, email, '\\x00', 0, 'Phone' from console.operators where email in ($1, $2)`,
    [email, other],
  )
  expect(await disableOperator(db(), email)).toBe(true)
  const passkeys = "select credential_id as of from console.passkeys where name = 'Phone'"
  expect(await asOwner(app, passkeys)).toEqual([{ of: other }])
  // A session that a sign-in of the same moment opened is none either.
  const late = await signIn(other, operator.password)
  await asOwner(app, 'update console.operators set disabled_at = now() where email = $1', [other])
  expect(await continueConsoleSession(db(), late ?? '')).toBeNull()
  expect(await disableOperator(db(), email)).toBe(false)
  expect(await resetPassword(db(), email, 'another kettle of fish')).toBe(false)
  expect(await resetSecondFactor(db(), email, 'a code')).toBe(false)
  expect(await enableOperator(db(), email)).toEqual(expect.any(Number))
  expect(await enableOperator(db(), email)).toBeUndefined()
  expect(await signIn(email, operator.password)).not.toBeNull()
})

test('a new password ends every session and makes every browser unknown, and the old one opens none', async () => {
  const own = { ...operator, email: 'nell@dineback.example' }
  expect(await addOperator(db(), own)).toBe(true)
  const first = await open(own.email, own.password)
  expect(await resetPassword(db(), own.email, 'another kettle of fish')).toBe(true)
  expect(await continueConsoleSession(db(), first?.id ?? '')).toBeNull()
  expect([await signIn(own.email, own.password), await signIn(own.email, 'another kettle of fish')]).toEqual([
    null,
    expect.any(String),
  ])
  for (let attempt = 0; attempt < maxFailures; attempt++) await signIn(own.email, 'wrong')
  expect(await open(own.email, 'another kettle of fish', first?.device)).toBeNull()
  expect(await resetPassword(db(), 'nobody@dineback.example', 'another kettle of fish')).toBe(false)
})

test('ten wrong passwords lock an address, whether or not it exists', async () => {
  for (const email of ['unknown@dineback.example', operator.email]) {
    for (let attempt = 0; attempt < 10; attempt++) expect(await signIn(email, `wrong ${attempt}`)).toBeNull()
  }
  expect(await signIn(operator.email, operator.password)).toBeNull()
  await sql`update console.login_failures set locked_until = now() - interval '1 second', first_failure_at = now() - interval '31 minutes'`.execute(
    db(),
  )
  // The first attempt after the lock is counted as the first.
  expect(await signIn(operator.email, 'wrong')).toBeNull()
  expect(await signIn(operator.email, operator.password)).not.toBeNull()
})

test('an attempt that was counted but not made leaves no lock, and lifts none of those before it', async () => {
  const name = Buffer.from('an address of this test only')
  const count = async (times: number) => {
    for (let attempt = 0; attempt < times; attempt++) await countAttempt(db(), name, maxFailures)
  }
  await count(maxFailures)
  expect(await isLocked(db(), name)).toBe(true)
  await withdrawAttempt(db(), name, maxFailures)
  expect(await isLocked(db(), name)).toBe(false)
  await count(2)
  await withdrawAttempt(db(), name, maxFailures)
  expect(await isLocked(db(), name)).toBe(true)
})

test('attempts are counted by the address, however it is typed', async () => {
  const typed = 'typed@dineback.example'
  await addOperator(db(), { ...operator, email: typed })
  const spellings = [typed, ` ${typed}`, 'Typed@Dineback.example', 'TYPED@DINEBACK.EXAMPLE ', `${typed}\t`]
  for (const email of [...spellings, ...spellings]) expect(await signIn(email, 'wrong')).toBeNull()
  for (const email of spellings) expect(await signIn(email, operator.password)).toBeNull()
})

test('the right password at the tenth attempt is right, and counting starts again', async () => {
  await addOperator(db(), { ...operator, email: 'tenth@dineback.example' })
  for (const round of [1, 2]) {
    for (let attempt = 0; attempt < 9; attempt++) await signIn('tenth@dineback.example', `wrong ${attempt}`)
    expect([round, await signIn('tenth@dineback.example', operator.password)]).toEqual([round, expect.any(String)])
  }
})

test('Case 30 of sixty wrong passwords and the right one at the same time, ten are checked', async () => {
  await addOperator(db(), { ...operator, email: 'burst@dineback.example', name: 'Burst' })
  const passwords = [...Array.from({ length: 60 }, (_, index) => `wrong ${index}`), operator.password]
  const opened = await Promise.all(passwords.map((password) => signIn('burst@dineback.example', password)))
  expect(opened.filter(Boolean)).toEqual([])
  const [counted] = await asOwner<{ failures: number }>(
    app,
    'select failures from console.login_failures order by failures desc limit 1',
  )
  // An attempt that starts after the lock is rejected without being counted.
  expect(counted?.failures).toBeGreaterThanOrEqual(maxFailures)
  // Counterpart: without the count the right password is accepted.
  await asOwner(app, 'delete from console.login_failures')
  expect(await signIn('burst@dineback.example', operator.password)).not.toBeNull()
})

test('Case 32 strangers who lock an address do not lock the browser in which its operator has signed in', async () => {
  const email = 'known@dineback.example'
  await addOperator(db(), { ...operator, email, name: 'Known' })
  const first = await open(email, operator.password)
  for (let attempt = 0; attempt <= maxFailures; attempt++) await signIn(email, `wrong ${attempt}`)
  expect(await open(email, operator.password)).toBeNull()
  const again = await open(email, operator.password, first?.device)
  expect(again?.device).toBe(first?.device)
  // Another operator's browser counts as unknown.
  await addOperator(db(), { ...operator, email: 'other@dineback.example', name: 'Other' })
  const other = await open('other@dineback.example', operator.password)
  expect(await open(email, operator.password, other?.device)).toBeNull()
  // Attempts in the known browser are counted too.
  for (let attempt = 0; attempt < maxFailures; attempt++) await open(email, 'wrong', first?.device)
  expect(await open(email, operator.password, first?.device)).toBeNull()
})

test('a known browser has a secret in a cookie and can sign in while the address is locked', async () => {
  const email = 'cookie@dineback.example'
  await addOperator(db(), { ...operator, email, name: 'Cookie' })
  const post = (password: string, cookie = '') =>
    requestConsole(app, 'POST', '/sign-in', {
      headers: { cookie },
      body: new URLSearchParams({ email, password }).toString(),
    })
  const { headers } = await post(operator.password)
  const device = (headers['set-cookie'] as string[]).find((line) => line.startsWith('console-device=')) ?? ''
  expect(device).toMatch(/HttpOnly; SameSite=Strict/)
  for (let attempt = 0; attempt <= maxFailures; attempt++) await signIn(email, 'wrong')
  expect((await post(operator.password)).status).toBe(400)
  expect((await post(operator.password, device.split(';')[0])).status).toBe(303)
})

test('a rejected sign-in shows the typed address again, and not the password', async () => {
  const body = new URLSearchParams({ email: 'typed@dineback.example', password: 'sourdough 4 supper' }).toString()
  const { status, text } = await requestConsole(app, 'POST', '/sign-in', { body })
  expect([status, text.includes('value="typed@dineback.example"'), text.includes('supper')]).toEqual([400, true, false])
})

test('from one address ten sign-ins a minute are tried', async () => {
  // Without a password, so that none waits to be checked.
  const signInFrom = (address: string) =>
    requestConsole(real, 'POST', '/sign-in', { headers: { 'x-forwarded-for': address } })
  for (let count = 0; count < 10; count++) expect((await signInFrom('198.51.100.1')).status).toBe(400)
  const limited = await signInFrom('198.51.100.1')
  expect([limited.status, limited.text.includes('That was a little too fast. Please wait a minute.')]).toEqual([
    429,
    true,
  ])
  expect((await signInFrom('198.51.100.2')).status).toBe(400)
})

test('Case 44 of 160 concurrent sign-ins none ends in a 500, and those that would wait too long get 429', async () => {
  const responses = await Promise.all(
    Array.from({ length: 160 }, (_, index) =>
      requestConsole(real, 'POST', '/sign-in', {
        headers: { 'x-forwarded-for': `192.0.2.${index}` },
        body: new URLSearchParams({ email: `flood-${index}@dineback.example`, password: 'x' }).toString(),
      }),
    ),
  )
  const statuses = responses.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([400, 429]))
  const busy = responses.find(({ status }) => status === 429)?.text
  expect(busy).toContain('Many people are signing in')
  // The address need not be typed again.
  expect(busy).toMatch(/<input id="email"[^>]* value="flood-\d+@dineback\.example"/)
  // Those count as no failure of their address.
  const failures = await asOwner<{ failures: number }>(real, 'select failures from console.login_failures')
  expect(failures.filter((row) => row.failures === 0)).toHaveLength(statuses.filter((status) => status === 429).length)
})

test('the app cannot read the tables of the console, nor the console those of other services or of no program', async () => {
  const rejected = async (url: string, tables: string[]) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const table of tables)
      await expect(client.query(`select * from ${table}`)).rejects.toThrow(/permission denied/)
    await client.end()
  }
  await rejected(app.database.pools.url, ['console.operators', 'console.sessions'])
  await rejected(app.database.consolePools.url, ['vault.cards', 'forms.responses'])
  await createCardMember(app)
  const client = new pg.Client({ connectionString: app.database.consolePools.url })
  await client.connect()
  for (const table of ['members', 'cards', 'sessions', 'claims']) {
    const { rows } = await client.query(`select * from ${table}`)
    expect([table, rows]).toEqual([table, []])
  }
  await client.end()
})

test('the console shows and does nothing without a session, a CSRF token, and a page of its own origin', async () => {
  const { request } = await import('node:http')
  const send = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    new Promise<{ status: number; location: string; cookie: string; text: string }>((resolve, reject) => {
      const host = `console.localhost:${app.port}`
      const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
      const signInRequest = request(
        { port: app.port, host: '127.0.0.1', method, path, headers: { host, ...type, ...headers } },
        (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              location: response.headers.location ?? '',
              cookie: (response.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '',
              text,
            }),
          )
        },
      )
      signInRequest.on('error', reject)
      signInRequest.end(body)
    })
  for (const path of ['/', '/programs', '/skyharbor', '/skyharbor/content', '/skyharbor/home/home']) {
    expect(await send('GET', path)).toMatchObject({
      status: 303,
      location: withReturn('/sign-in', path === '/' ? '' : path),
    })
  }
  expect((await send('POST', '/skyharbor/home/home', {}, 'act=save')).status).toBe(303)
  const form = new URLSearchParams({ email: operator.email, password: operator.password }).toString()
  for (const site of ['cross-site', 'same-site', 'none'])
    expect([site, (await send('POST', '/sign-in', { 'sec-fetch-site': site }, form)).status]).toEqual([site, 403])
  const { cookie } = await send('POST', '/sign-in', {}, form)
  expect(cookie).toMatch(/^console=/)
  expect((await send('GET', '/skyharbor/content', { cookie })).status).toBe(200)
  // A program without permission returns 404.
  expect(await send('GET', '/beacon/content', { cookie })).toMatchObject({
    status: 404,
    text: expect.stringContaining('There is no such page'),
  })
  const json = await send('POST', '/skyharbor/home/home', { cookie, 'content-type': 'application/json' }, '{}')
  expect([json.status, /Please try again\. Reference: \S+?<\/p>/.test(json.text)]).toEqual([415, true])
  expect((await send('GET', '/beacon/home/home', { cookie })).status).toBe(404)
  expect(await send('POST', '/skyharbor/home/home', { cookie }, 'act=save&basedOn=1')).toMatchObject({
    status: 403,
    text: expect.stringContaining('Nothing was stored: this form is not from your current session.'),
  })
  expect((await send('POST', '/skyharbor/home/home/release', { cookie }, 'act=remove&basedOn=1&csrf=x')).status).toBe(
    403,
  )
  const token = /name="csrf" value="([^"]+)"/.exec((await send('GET', '/programs', { cookie })).text)?.[1] ?? ''
  expect((await send('POST', '/sign-out', { cookie }, `csrf=${token}`)).status).toBe(303)
  expect((await send('GET', '/skyharbor', { cookie })).status).toBe(303)
})

test('an operator with a passkey sees nothing before using it, and a forged assertion is rejected', async () => {
  const { email, password } = { ...operator, email: 'petra@dineback.example' }
  await addOperator(db(), { ...operator, email, name: 'Petra', role: 'admin' })
  await asOwner(
    app,
    `insert into console.passkeys (operator_id, credential_id, public_key, counter, name)
     select id, 'abc', '\\x00', 0, 'Laptop' from console.operators where email = $1`,
    [email],
  )
  const consoleSession = await openConsole(app, email, password)
  for (const path of ['/', '/skyharbor', '/skyharbor/members', '/security']) {
    expect([path, (await consoleSession.get(path)).location]).toEqual([
      path,
      withReturn('/passkey', path === '/' ? '' : path),
    ])
  }
  const page = await consoleSession.get('/passkey')
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  expect(page.text).toContain('data-ceremony="get"')
  expect(page.headers['content-security-policy']).toContain("script-src 'self'")
  const credential = JSON.stringify({ id: 'abc', rawId: 'abc', type: 'public-key', response: {} })
  for (const forged of ['', 'not json', '{}', credential]) {
    const rejected = await consoleSession.post('/passkey', { csrf, credential: forged })
    expect([forged, rejected.status, /role="alert" id="problem">([^<]*)/.exec(rejected.text)?.[1]]).toEqual([
      forged,
      400,
      'This passkey is none of yours here.',
    ])
  }
  expect((await consoleSession.post('/security/add', { csrf, credential: credential, name: 'Mine' })).location).toBe(
    '/passkey',
  )
  expect((await consoleSession.post('/security/remove', { csrf, id: '1' })).location).toBe('/passkey')
  expect((await consoleSession.get('/')).location).toBe('/passkey')
  // Signing out needs no passkey.
  expect((await consoleSession.post('/sign-out', { csrf })).location).toBe('/sign-in')
})

const passkeyOrigin = () => `http://console.localhost:${real.port}`

/** Adds a passkey as the page does, with a code or without. */
async function addPasskey(consoleSession: Awaited<ReturnType<typeof openConsole>>, code?: string) {
  const page = await consoleSession.get('/security')
  const options = /data-options="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&quot;', '"') ?? '{}'
  const credential = createFakePasskey(passkeyOrigin(), JSON.parse(options).challenge)
  return consoleSession.post('/security/add', {
    name: 'Laptop',
    credential,
    ...(code !== undefined && { code }),
  })
}

test('in production the password alone does not add a passkey; a one-time code does, once', async () => {
  const consoleDb = real.database.consolePools.shared
  const email = 'invited@dineback.example'
  await addOperator(consoleDb, { ...operator, email, name: 'Invited', role: 'admin', enrollCode: 'abcde-fghjk' })
  const thief = await openConsole(real, email, operator.password)
  const needed = (await thief.get('/security')).text
  expect(needed).toContain('name="code"')
  expect(needed).toContain('You need one to view members, claims, settlements and feed files.')
  for (const code of [undefined, '', 'wrong']) {
    const { status, text } = await addPasskey(thief, code)
    expect([code, status, text.includes('The passkey was not added. Please check the code.')]).toEqual([
      code,
      400,
      true,
    ])
  }
  expect((await thief.get('/skyharbor/members')).location).toBe('/security')
  const passkeys = () => asOwner(real, 'select 1 from console.passkeys')
  expect(await passkeys()).toEqual([])
  const consoleSession = await openConsole(real, email, operator.password)
  expect((await addPasskey(consoleSession, 'ABCDE FGHJK')).location).toBe('/security')
  expect((await consoleSession.get('/skyharbor/members')).status).toBe(200)
  // A re-authenticated session adds another passkey without a code; the thief must enter one for the first.
  expect((await consoleSession.get('/security')).text).not.toContain('name="code"')
  expect((await addPasskey(consoleSession)).location).toBe('/security')
  expect(await passkeys()).toHaveLength(2)
  expect((await thief.get('/skyharbor')).location).toBe('/passkey?returnTo=%2Fskyharbor')
  // Both were removed and the code is used: the next session needs a new code.
  await asOwner(real, 'delete from console.passkeys')
  const later = await openConsole(real, email, operator.password)
  expect((await addPasskey(later, 'abcde-fghjk')).status).toBe(400)
})

test('an unused code expires when its operator is disabled', async () => {
  const consoleDb = real.database.consolePools.shared
  const email = 'left@dineback.example'
  await addOperator(consoleDb, { ...operator, email, name: 'Left', role: 'admin', enrollCode: 'unused' })
  await disableOperator(consoleDb, email)
  await enableOperator(consoleDb, email)
  const returned = await openConsole(real, email, operator.password)
  expect((await addPasskey(returned, 'unused')).status).toBe(400)
})

test('a new code removes the passkeys, ends every session, and is valid for seven days', async () => {
  const consoleDb = real.database.consolePools.shared
  const email = 'lost@dineback.example'
  await addOperator(consoleDb, { ...operator, email, name: 'Lost', role: 'admin', enrollCode: 'first' })
  const consoleSession = await openConsole(real, email, operator.password)
  await addPasskey(consoleSession, 'first')
  expect(await resetSecondFactor(consoleDb, 'unknown@dineback.example', 'x')).toBe(false)
  expect(await resetSecondFactor(consoleDb, 'LOST@dineback.example', 'second')).toBe(true)
  expect((await consoleSession.get('/')).location).toBe('/sign-in')
  const again = await openConsole(real, email, operator.password)
  expect((await again.get('/skyharbor/content')).status).toBe(200)
  await asOwner(real, "update console.operators set enroll_code_until = now() - interval '1 second'")
  expect((await addPasskey(again, 'second')).status).toBe(400)
  await asOwner(real, "update console.operators set enroll_code_until = now() + interval '1 hour'")
  expect((await addPasskey(again, 'second')).location).toBe('/security')
})

test('Case 61 a preview pass ends when its operator is disabled, loses the right, or signs out everywhere', async () => {
  const email = 'preview@dineback.example'
  await addOperator(db(), { ...operator, email, name: 'Preview' })
  const key = deriveKey(app.settings.APP_SECRET, 'preview')
  const seesDrafts = async (pass: string) => {
    const path = '/api/cms/pages/home/?page_size=1&preview=1'
    return (await visit(app, 'skyharbor').get(path, { cookie: `preview=${pass}` })).status === 200
  }
  const passOf = () => signPreviewPass(key, { partnerId: 'skyharbor', editor: email })
  const first = passOf()
  expect(await seesDrafts(first)).toBe(true)
  const consoleSession = await openConsole(app, email, operator.password)
  const secondSession = await openConsole(app, email, operator.password)
  expect((await consoleSession.post('/security/sign-out-everywhere')).location).toBe('/sign-in')
  for (const each of [consoleSession, secondSession]) expect((await each.get('/')).location).toBe('/sign-in')
  expect(await seesDrafts(first)).toBe(false)
  const second = passOf()
  expect(await seesDrafts(second)).toBe(true)
  const kept = { role: operator.role, partners: [...operator.partners] }
  for (const [change, sees] of [
    [{ ...kept, role: 'support' }, false],
    [{ ...kept, partners: ['orchard'] }, false],
    [{ ...kept, partners: null }, true],
    [{ ...kept, role: 'admin' }, true],
  ] as const) {
    await changeRole(db(), { email, ...change })
    expect([change, await seesDrafts(second)]).toEqual([change, sees])
  }
  expect(await disableOperator(db(), email)).toBe(true)
  expect(await seesDrafts(second)).toBe(false)
  expect(await signIn(email, operator.password)).toBeNull()
  // A pass for an unknown operator.
  expect(await seesDrafts(signPreviewPass(key, { partnerId: 'skyharbor', editor: 'x@example.com' }))).toBe(false)
})

test('in production an operator without a passkey cannot view members, claims and settlements', async () => {
  await addOperator(real.database.consolePools.shared, { ...operator, role: 'admin' })
  const consoleSession = await openConsole(real, operator.email, operator.password)
  const pages = ['/skyharbor/members', '/skyharbor/settlement']
  for (const path of [...pages, '/skyharbor/members/x', '/skyharbor/settlement/days/x.csv']) {
    expect([path, (await consoleSession.get(path)).location]).toEqual([path, '/security'])
  }
  expect((await consoleSession.get('/skyharbor/content')).status).toBe(200)
  const claims = () => consoleSession.call('GET', '/api/programs/skyharbor/claims')
  const refused = await claims()
  expect([refused.status, refused.body.code]).toEqual([403, 'passkeyRequired'])
  // What waits, and the spend of the last week.
  const homes = ['/api/home', '/api/programs/skyharbor/home']
  const statuses = async () => Promise.all(homes.map(async (path) => (await consoleSession.call('GET', path)).status))
  expect(await statuses()).toEqual([403, 403])
  expect((await consoleSession.call('GET', '/api/session')).status).toBe(200)
  await asOwner(real, 'update console.sessions set authenticated_at = now()')
  expect([(await claims()).status, await statuses()]).toEqual([200, [200, 200]])
  for (const path of pages) expect([path, (await consoleSession.get(path)).status]).toEqual([path, 200])
})
