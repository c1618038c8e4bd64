import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOwner, joinForm, startTestApp, type TestApp, visit } from '../support/app.ts'
import { addMember } from '../support/rewards-harness.ts'
import { createBrowser } from '../support/sso-browser.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const ada = ['ada@beacon.example', 'dine-with-ada'] as const

test('a sample customer signs in with name and password, and the program gets the name and the verified address', async () => {
  const { signIn, member, open } = createBrowser(app)
  for (const [userName, password] of [
    [ada[0], 'dine-with-bo'],
    ['bo@beacon.example', ada[1]],
    ['nobody@beacon.example', 'x'],
    [ada[0], ''],
  ] as const) {
    const page = await signIn(userName, password)
    expect([userName, page.url.hostname, page.status]).toEqual([userName, 'id.localhost', 401])
    expect(page.text).toContain('Wrong user name or password.')
    expect(page.text).toContain(`value="${userName}"`)
  }
  expect(await member()).toBe(401)
  const joined = await signIn(' ADA@beacon.example', ada[1])
  expect(joined.url.href).toBe(`${app.origin('beacon')}/join`)
  expect(await member()).toMatchObject({ email: ada[0], firstName: 'Ada', lastName: 'Morgan' })
  const [identity] = await asOwner<{ subject: string }>(app, 'select subject from identities')
  expect(identity?.subject).toBe('bcn-1001')
  // The provider knows the browser: the next program session needs no password, a re-authentication does.
  const again = await open(`${app.origin('beacon')}/Login`)
  expect(again.url.href).toBe(`${app.origin('beacon')}/join`)
  expect((await open(`${app.origin('beacon')}/Login?reauth=1`)).url.hostname).toBe('id.localhost')
  expect((await open(`${app.origin('beacon')}/api/Member/Export`)).status).toBe(403)
})

test('a customer who goes back is not signed in, and an unknown sign-in starts again', async () => {
  const { open, member } = createBrowser(app)
  const page = await open(`${app.origin('beacon')}/Login?returnTo=%2Fhow-it-works`)
  expect([page.status, page.headers['cache-control'], page.headers['x-content-type-options']]).toEqual([
    200,
    'no-store',
    'nosniff',
  ])
  expect(page.text).toContain('Sign in to Beacon')
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  const back = await open(`${page.url.pathname}/abort`)
  expect(back.url.href).toBe(`${app.origin('beacon')}/how-it-works`)
  expect(await member()).toBe(401)
  const link = `<a href="${app.origin('beacon')}/">Back to Beacon Bank</a>`
  const over = await open(`${page.url.origin}${page.url.pathname}`)
  expect([over.status, over.text.includes('This sign-in has expired.')]).toEqual([400, true])
  expect(over.text).toContain(link)
  const unknown = await open(`http://id.localhost:${app.port}/auth?client_id=unknown&response_type=code`)
  expect([unknown.status, unknown.text.includes('That did not work')]).toEqual([400, true])
  expect(unknown.text).toContain(link)
})

test('an address that the provider has not verified does not open an existing account', async () => {
  const owner = await addMember(app.database.pools.forPartner('beacon'))
  await asOwner(app, "update members set email = 'dag@beacon.example' where id = $1", [owner])
  // While nobody has verified it, both have accounts of their own.
  const first = createBrowser(app)
  expect((await first.signIn('dag@beacon.example', 'dine-with-dag')).url.pathname).toBe('/join')
  const [{ own } = {}] = await asOwner(app, 'select public_id as own from members where id = $1', [owner])
  expect((await first.member()).publicId).not.toBe(own)
  await asOwner(app, 'delete from identities')
  await asOwner(app, 'update members set email_verified_at = now() where id = $1', [owner])
  const second = createBrowser(app)
  expect((await second.signIn('dag@beacon.example', 'dine-with-dag')).url.pathname).toBe('/error')
  expect(await second.member()).toBe(401)
})

test('signing out of the program asks about the provider, and leaving the provider ends the sessions of the program', async () => {
  const { signIn, open, member } = createBrowser(app)
  await signIn('cleo@beacon.example', 'dine-with-cleo')
  expect(await member()).toMatchObject({ firstName: 'Cleo' })
  const elsewhere = createBrowser(app)
  await elsewhere.signIn('esme@beacon.example', 'dine-with-esme')
  const page = await open(`${app.origin('beacon')}/SignOut`)
  expect([page.url.hostname, await member()]).toEqual(['id.localhost', 401])
  expect(page.text).toContain('Do you want to leave your bank as well?')
  // Only the first button signs out.
  const buttons = [...page.text.matchAll(/<button ([^>]*)>([^<]*)/g)].map(([, attributes = '', text]) => [
    text,
    /form="([^"]*)"/.exec(attributes)?.[1] === /<form id="([^"]*)"/.exec(page.text)?.[1],
    / value="yes" name="logout"/.test(attributes),
  ])
  expect(buttons).toEqual([
    ['Sign out here too', true, true],
    ['Stay signed in here', true, false],
  ])
  // Staying signed in at the provider: no password is needed.
  expect((await open(`${app.origin('beacon')}/Login`)).url.hostname).toBe('beacon.localhost')
  expect(await member()).toMatchObject({ firstName: 'Cleo' })
  const out = await open(`${app.origin('beacon')}/SignOut`)
  const action = /action="([^"]+)"/.exec(out.text)?.[1] ?? ''
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(out.text)?.[1] ?? ''
  const left = await open(new URL(action, out.url).href, { xsrf, logout: 'yes' })
  expect(left.url.hostname).toBe('beacon.localhost')
  expect((await open(`${app.origin('beacon')}/Login`)).url.hostname).toBe('id.localhost')
  expect(await elsewhere.member()).toMatchObject({ firstName: 'Esme' })
})

test('a program has the sign-in, the joining and the password change of its enrollment, and no other', async () => {
  const login = async (partner: string) => (await visit(app, partner).get('/Login')).headers.location
  expect([await login('skyharbor'), await login('lantern')]).toEqual(['/login', '/not_found'])
  const codeOf = async (partner: string, method: string, url: string, body?: unknown) => {
    const response = await visit(app, partner).change(method, url, body)
    return [response.status, response.json().code]
  }
  const email = 'someone@example.com'
  expect(await codeOf('beacon', 'POST', '/api/Members/Prospects/Email', { email })).toEqual([404, 'notOffered'])
  expect(await codeOf('lantern', 'GET', `/api/Members/Validate/Email?email=${email}`)).toEqual([404, 'notOffered'])
  const signInBody = { userName: email, password: 'x', rememberMe: false }
  expect(await codeOf('beacon', 'POST', '/api/SignIn', signInBody)).toEqual([404, 'notOffered'])
  const { signIn, member, cookies } = createBrowser(app)
  await signIn('bo@beacon.example', 'dine-with-bo')
  const own = visit(app, 'beacon')
  for (const [key, value] of cookies) {
    const [host, name = ''] = key.split(' ')
    if (host === 'beacon.localhost') own.cookies.set(name, value)
  }
  const { publicId } = await member()
  const known = (await own.get(`/api/Member/${publicId}`, { 'x-xsrf-token': await own.token() })).json()
  expect(known.interfaceType).toBe('sso')
  // Who has a card has joined.
  await asOwner(app, "update members set member_type = 'EnrolledCardMember' where public_id = $1", [publicId])
  const again = await own.change('POST', '/api/Members/Prospects', joinForm())
  expect([again.status, again.json().code]).toEqual([409, 'alreadyJoined'])
  const profile = { firstName: 'Bo', lastName: 'Castellan', zipCode: '10001', password: 'another kettle of fish' }
  const changed = await own.change('PUT', '/api/Member', profile)
  expect([changed.status, changed.json()[0]?.field]).toEqual([400, 'password'])
})
