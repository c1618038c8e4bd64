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
