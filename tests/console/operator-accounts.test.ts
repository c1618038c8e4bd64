import { beforeAll, expect, test } from 'vitest'
import {
  addOperator,
  disableOperator,
  enableOperator,
  listOperators,
  maxFailures,
  resetPassword,
} from '../../src/console/operators/service.ts'
import { countAttempt, isLocked, takeEnrollCode } from '../../src/console/operators/store.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { tokenHash } from '../../src/platform/security/ids.ts'
import { asOwner } from '../support/app.ts'
import { openConsole, requestConsole } from '../support/console.ts'
import { createFakeAuthenticator } from '../support/fake-passkey.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
const db = () => app.database.consolePools.shared
const zoe = {
  email: 'zoe@dineback.example',
  name: 'Zoe',
  role: 'admin',
  partners: null,
  password: 'sourdough 4 breakfast',
} as const

beforeAll(async () => {
  for (const email of [zoe.email, 'abe@dineback.example', 'mia@dineback.example'])
    await addOperator(db(), { ...zoe, email })
})

test('operators are listed by their addresses', async () => {
  const emails = (await listOperators(db())).map(({ email }) => email)
  expect(emails.filter((email) => /^(abe|mia|zoe)@/.test(email))).toEqual([
    'abe@dineback.example',
    'mia@dineback.example',
    'zoe@dineback.example',
  ])
})

test('an operator is disabled, enabled and given a password in whatever case the address is typed', async () => {
  expect(await disableOperator(db(), 'MIA@dineback.example')).toBe(true)
  expect(await enableOperator(db(), 'Mia@Dineback.example')).toEqual(expect.any(Number))
  expect(await resetPassword(db(), 'MIA@DINEBACK.EXAMPLE', 'another kettle of fish')).toBe(true)
})

test('half an hour after the first wrong password counting starts again, and goes on from there', async () => {
  const name = Buffer.from('an address of this test only')
  const count = () => countAttempt(db(), name, maxFailures)
  const wait = (minutes: number) =>
    asOwner(
      app,
      `update console.login_failures set first_failure_at = first_failure_at - $2::interval where name_hash = $1`,
      [name, `${minutes} minutes`],
    )
  for (let attempt = 1; attempt < maxFailures; attempt++) expect(await count()).toBe(attempt)
  await wait(31)
  expect(await count()).toBe(1)
  await wait(29)
  expect(await count()).toBe(2)
  expect(await isLocked(db(), name)).toBe(false)
  await wait(2)
  expect(await count()).toBe(1)
})

test('a code for a passkey is valid for seven days, for its operator only', async () => {
  const email = 'code@dineback.example'
  await addOperator(db(), { ...zoe, email, enrollCode: 'abcde-fghjk' })
  const [own] = await asOwner<{ id: number; days: number }>(
    app,
    `select id::int, round(extract(epoch from enroll_code_until - now()) / 86400, 2)::float as days
     from console.operators where email = $1`,
    [email],
  )
  expect(own?.days).toBe(7)
  const take = (operatorId: number) =>
    inTransaction(db(), (tx) => takeEnrollCode(tx, operatorId, tokenHash('abcdefghjk')))
  const [other] = (await listOperators(db())).filter(({ id }) => id !== own?.id)
  expect(await take(other?.id ?? 0)).toBe(false)
  expect([await take(own?.id ?? 0), await take(own?.id ?? 0)]).toEqual([true, false])
})

test('the session ends with the browser, and the browser is known for a year', async () => {
  const signIn = new URLSearchParams({ email: zoe.email, password: zoe.password }).toString()
  const { headers } = await requestConsole(app, 'POST', '/sign-in', { body: signIn })
  const cookies = headers['set-cookie'] as string[]
  const find = (name: string) => cookies.find((line) => line.startsWith(`${name}=`))
  expect(find('console')).not.toContain('Max-Age')
  expect(find('console-device')).toContain('Max-Age=31536000;')
  const session = await openConsole(app, zoe.email, zoe.password)
  const { headers: left } = await session.post('/security/sign-out-everywhere')
  expect(left['set-cookie']).toEqual([expect.stringMatching(/^console=;/)])
})

test('the sign-in page names its state in its title, shows the sample operator, and may have a query', async () => {
  const page = await requestConsole(app, 'GET', '/sign-in?from=a-link')
  expect([page.status, /<title>(.*?) ·/.exec(page.text)?.[1]]).toEqual([200, 'Sign in'])
  expect(page.text).toContain('admin@dineback.example')
  const body = new URLSearchParams({ email: zoe.email, password: 'wrong' }).toString()
  const rejected = await requestConsole(app, 'POST', '/sign-in', { body })
  expect([rejected.status, /<title>(.*?) ·/.exec(rejected.text)?.[1]]).toEqual([400, 'Error: Sign in'])
})

test('a passkey needs a name, and the browser is told which passkeys the operator has', async () => {
  const email = 'pia@dineback.example'
  await addOperator(db(), { ...zoe, email })
  const session = await openConsole(app, email, zoe.password)
  const optionsOf = (text: string) =>
    JSON.parse(/data-options="([^"]+)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? '{}')
  const options = async (path: string) => optionsOf((await session.get(path)).text)
  const add = async (name: string) => {
    const authenticator = createFakeAuthenticator(`http://console.localhost:${app.port}`)
    const { challenge } = await options('/security')
    const credential = authenticator.create(challenge)
    const { status, text } = await session.post('/security/add', { name, credential })
    const shown = { id: JSON.parse(credential).id, transports: ['internal'], type: 'public-key' }
    return { status, problem: /role="alert"[^>]*>([^<]*)/.exec(text)?.[1], shown }
  }
  const unnamed = await add(' ')
  expect([unnamed.status, unnamed.problem]).toEqual([400, 'The passkey was not added.'])
  const [phone, laptop] = [await add('Phone'), await add(' Laptop ')]
  expect([phone.status, laptop.status]).toEqual([303, 303])
  const { text } = await session.get('/security')
  expect(optionsOf(text).excludeCredentials).toEqual([phone.shown, laptop.shown])
  // The oldest is listed first.
  expect([...text.matchAll(/aria-label="Remove ([^"]*)"/g)].map(([, name]) => name)).toEqual(['Phone', 'Laptop'])
  const next = await openConsole(app, email, zoe.password)
  expect(optionsOf((await next.get('/passkey')).text).allowCredentials).toEqual([phone.shown, laptop.shown])
})
