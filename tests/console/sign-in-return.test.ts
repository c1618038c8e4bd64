import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { requestConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
const operator = { email: 'ana@dineback.example', password: 'sourdough 4 breakfast' }

beforeAll(async () => {
  const grant = { name: 'Ana', role: 'admin', partners: ['skyharbor'] }
  await addOperator(app.database.consolePools.shared, { ...operator, ...grant })
})

const signIn = (returnTo?: string) =>
  requestConsole(app, 'POST', '/sign-in', {
    body: new URLSearchParams({ ...operator, ...(returnTo !== undefined && { returnTo }) }).toString(),
  })

test('CON-707 signing in leads back to the page that was asked for, with its filters', async () => {
  const page = '/skyharbor/claims?state=late&q=oak'
  const { status, location } = await requestConsole(app, 'GET', page)
  expect([status, location]).toEqual([303, `/sign-in?returnTo=${encodeURIComponent(page)}`])
  const form = await requestConsole(app, 'GET', location)
  expect(form.text).toContain('<input type="hidden" name="returnTo" value="/skyharbor/claims?state=late&amp;q=oak"/>')
  expect((await signIn(page)).location).toBe(page)
  // A rejected password keeps it.
  const body = new URLSearchParams({ email: operator.email, password: 'another', returnTo: page }).toString()
  expect((await requestConsole(app, 'POST', '/sign-in', { body })).text).toContain('name="returnTo"')
})

test('CON-707 signing in leads to no other site, and to the home page without a page', async () => {
  expect((await requestConsole(app, 'GET', '/')).location).toBe('/sign-in')
  expect((await requestConsole(app, 'POST', '/sign-out')).location).toBe('/sign-in')
  expect((await signIn()).location).toBe('/')
  for (const address of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])
    expect([address, (await signIn(address)).location]).toEqual([address, '/'])
})

test('CON-730 a link on another site leads to its page of the console, once from the console itself', async () => {
  const page = '/skyharbor/claims?state=late&q=oak'
  const arrive = (site: string, { mode = 'navigate', method = 'GET', cookie = '', path = page } = {}) =>
    requestConsole(app, method, path, { headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode, cookie } })
  for (const site of ['cross-site', 'same-site']) {
    const { status, text, headers } = await arrive(site)
    expect([site, status, headers['cache-control']]).toEqual([site, 200, 'no-store'])
    expect(text).toContain('<meta http-equiv="refresh" content="0; url=/skyharbor/claims?state=late&amp;q=oak">')
    expect(text).toContain('<a href="/skyharbor/claims?state=late&amp;q=oak">')
  }
  // The second request, and an address that was typed: without a session they lead to the sign-in.
  for (const site of ['same-origin', 'none'])
    expect([site, (await arrive(site)).location]).toEqual([site, `/sign-in?returnTo=${encodeURIComponent(page)}`])
  // What is no page that a person has opened, or comes with a session that has ended, is not loaded again.
  expect((await arrive('cross-site', { mode: 'no-cors' })).status).toBe(303)
  expect((await arrive('cross-site', { method: 'POST' })).status).toBe(403)
  expect((await arrive('cross-site', { cookie: 'console=over' })).status).toBe(303)
  expect((await arrive('cross-site', { path: '/api/session', mode: 'cors' })).status).toBe(401)
  expect((await arrive('cross-site', { path: '/api/session' })).status).toBe(401)
  const [session = ''] = (await signIn()).headers['set-cookie'] ?? []
  expect(session).toContain('SameSite=Strict')
  // Links within one site have the cookie at once.
  const arrived = await arrive('same-site', { path: '/programs', cookie: session.split(';')[0] ?? '' })
  expect(arrived.text).not.toContain('http-equiv')
})

test('CON-708 pages that the server renders have the color scheme that was chosen in the console', async () => {
  const schemeOf = async (path: string, cookie: string) =>
    /<html[^>]*>/.exec((await requestConsole(app, 'GET', path, { headers: { cookie } })).text)?.[0]
  expect(await schemeOf('/sign-in', 'console-scheme=dark')).toContain('data-scheme="dark"')
  expect(await schemeOf('/sign-in', 'console-scheme=light')).toContain('data-scheme="light"')
  expect(await schemeOf('/sign-in', 'console-scheme="><script>')).toBe('<html lang="en-US">')
  const session = String((await signIn()).headers['set-cookie']?.[0]).split(';')[0]
  // The page of an address that does not exist, and one with the operator's name.
  expect(await schemeOf('/skyharbor/nothing/here', `${session}; console-scheme=dark`)).toContain('data-scheme="dark"')
  expect(await schemeOf('/security', `${session}; console-scheme=dark`)).toContain('data-scheme="dark"')
})
