import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addOperator,
  continueConsoleSession,
  endConsoleSession,
  mostFailures,
  signInOperator,
} from '../src/operators/service.ts'
import { asOwner, startTestApp, type TestApp } from './support/app.ts'
import { openConsole } from './support/console.ts'

let app: TestApp
const lockKey = Buffer.alloc(32, 1)
const operator = {
  email: 'nora@dineback.example',
  name: 'Nora',
  role: 'editor',
  partners: ['skyharbor'],
  password: 'sourdough 4 breakfast',
} as const
const db = () => app.database.consolePools.shared
const signIn = (email: string, password: string) => signInOperator(db(), { email, password, lockKey })

beforeAll(async () => {
  app = await startTestApp()
  expect(await addOperator(db(), operator)).toBe(true)
})
afterAll(() => app?.stop())

test('an address has one operator, however it is written', async () => {
  expect(await addOperator(db(), { ...operator, email: 'NORA@dineback.example' })).toBe(false)
})

test('a session opens with the password, is found by its cookie, and ends', async () => {
  expect(await signIn(operator.email, 'wrong')).toBeNull()
  const id = await signIn('Nora@Dineback.example', operator.password)
  const session = await continueConsoleSession(db(), id ?? '')
  expect(session?.operator).toMatchObject({ email: operator.email, partners: ['skyharbor'], role: 'editor' })
  expect(await continueConsoleSession(db(), 'x'.repeat(43))).toBeNull()
  if (session) await endConsoleSession(db(), session.idHash)
  expect(await continueConsoleSession(db(), id ?? '')).toBeNull()
})

test('a session that rests for half an hour is over, and so is one of twelve hours', async () => {
  for (const column of ['used_at', 'began_at']) {
    const id = await signIn(operator.email, operator.password)
    const owner = new pg.Client({ connectionString: app.database.ownerUrl })
    await owner.connect()
    await owner.query(
      `update console.sessions set ${column} = now() - interval '${column === 'used_at' ? '31 minutes' : '12 hours 1 minute'}'`,
    )
    await owner.end()
    expect([column, await continueConsoleSession(db(), id ?? '')]).toEqual([column, null])
  }
})

test('ten wrong passwords lock an address, whether or not anybody has it', async () => {
  for (const email of ['nobody@dineback.example', operator.email]) {
    for (let attempt = 0; attempt < mostFailures; attempt++) expect(await signIn(email, `wrong ${attempt}`)).toBeNull()
  }
  expect(await signIn(operator.email, operator.password)).toBeNull()
  await sql`update console.login_failures set locked_until = now() - interval '1 second', first_failure_at = now() - interval '31 minutes'`.execute(
    db(),
  )
  expect(await signIn(operator.email, operator.password)).not.toBeNull()
})

test('the app cannot look into the console’s room, nor the console into the members’', async () => {
  const refused = async (url: string, tables: string[]) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const table of tables)
      await expect(client.query(`select * from ${table}`)).rejects.toThrow(/permission denied/)
    await client.end()
  }
  await refused(app.database.pools.url, ['console.operators', 'console.sessions'])
  await refused(app.database.consolePools.url, ['cards', 'sessions', 'credentials', 'vault.cards', 'forms.responses'])
})

test('nothing of the console is shown or done without a session, a token, and a page of its own', async () => {
  const { request } = await import('node:http')
  const send = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    new Promise<{ status: number; location: string; cookie: string; text: string }>((resolve, reject) => {
      const host = `console.localhost:${app.port}`
      const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
      const asked = request(
        { port: app.port, host: '127.0.0.1', method, path, headers: { host, ...type, ...headers } },
        (answer) => {
          let text = ''
          answer.on('data', (chunk) => {
            text += chunk
          })
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              location: answer.headers.location ?? '',
              cookie: (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '',
              text,
            }),
          )
        },
      )
      asked.on('error', reject)
      asked.end(body)
    })
  for (const path of ['/', '/skyharbor', '/skyharbor/home/home']) {
    expect(await send('GET', path)).toMatchObject({ status: 303, location: '/sign-in' })
  }
  expect((await send('POST', '/skyharbor/home/home', {}, 'act=save')).status).toBe(303)
  const form = new URLSearchParams({ email: operator.email, password: operator.password }).toString()
  expect((await send('POST', '/sign-in', { 'sec-fetch-site': 'cross-site' }, form)).status).toBe(403)
  const { cookie } = await send('POST', '/sign-in', {}, form)
  expect(cookie).toMatch(/^console=/)
  expect((await send('GET', '/skyharbor', { cookie })).status).toBe(200)
  // Of a program that is not hers there is nothing.
  expect((await send('GET', '/beacon', { cookie })).status).toBe(404)
  expect((await send('GET', '/beacon/home/home', { cookie })).status).toBe(404)
  expect((await send('POST', '/skyharbor/home/home', { cookie }, 'act=save&basedOn=1')).status).toBe(403)
  expect((await send('POST', '/skyharbor/home/home/release', { cookie }, 'act=remove&basedOn=1&csrf=x')).status).toBe(
    403,
  )
  const token = /name="csrf" value="([^"]+)"/.exec((await send('GET', '/skyharbor', { cookie })).text)?.[1] ?? ''
  expect((await send('POST', '/sign-out', { cookie }, `csrf=${token}`)).status).toBe(303)
  expect((await send('GET', '/skyharbor', { cookie })).status).toBe(303)
})

test('who has a passkey sees nothing before it was shown, and no made-up answer shows it', async () => {
  const { email, password } = { ...operator, email: 'petra@dineback.example' }
  await addOperator(db(), { ...operator, email, name: 'Petra', role: 'admin' })
  await asOwner(
    app,
    `insert into console.passkeys (operator_id, credential_id, public_key, counter, name)
     select id, 'abc', '\\x00', 0, 'Laptop' from console.operators where email = $1`,
    [email],
  )
  const desk = await openConsole(app, email, password)
  for (const path of ['/', '/skyharbor', '/skyharbor/members', '/security']) {
    expect([path, (await desk.get(path)).location]).toEqual([path, '/passkey'])
  }
  const page = await desk.get('/passkey')
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  expect(page.text).toContain('data-ceremony="get"')
  expect(page.headers['content-security-policy']).toContain("script-src 'self'")
  const answer = JSON.stringify({ id: 'abc', rawId: 'abc', type: 'public-key', response: {} })
  for (const forged of ['', 'not json', '{}', answer]) {
    expect((await desk.post('/passkey', { csrf, answer: forged })).status).toBe(400)
  }
  expect((await desk.post('/security/add', { csrf, answer, name: 'Mine' })).location).toBe('/passkey')
  expect((await desk.post('/security/remove', { csrf, id: '1' })).location).toBe('/passkey')
  expect((await desk.get('/')).location).toBe('/passkey')
  // Signing out needs none.
  expect((await desk.post('/sign-out', { csrf })).location).toBe('/sign-in')
})

test('where an installation is for real, nobody looks at members without a passkey', async () => {
  const real = await startTestApp({ STAGING_TOOLS: 'false' })
  try {
    await addOperator(real.database.consolePools.shared, { ...operator, role: 'admin' })
    const desk = await openConsole(real, operator.email, operator.password)
    for (const path of ['/skyharbor/members', '/skyharbor/members/x']) {
      expect([path, (await desk.get(path)).location]).toEqual([path, '/security'])
    }
    expect((await desk.get('/skyharbor')).status).toBe(200)
    await asOwner(real, 'update console.sessions set proven_at = now()')
    expect((await desk.get('/skyharbor/members')).status).toBe(200)
  } finally {
    await real.stop()
  }
})
