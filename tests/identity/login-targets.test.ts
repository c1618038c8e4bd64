import { beforeAll, expect, test } from 'vitest'
import { visit, withoutBotCheck } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
beforeAll(() => withoutBotCheck('gallonaire', app))

test('ROUTE-045 /Login of a program with passwords keeps where the person wanted to go, and only within the program', async () => {
  const targetOf = async (path: string) => (await visit(app, 'gallonaire').get(path)).headers.location
  expect(await targetOf('/Login?returnTo=%2Faccount%2Fprivacy')).toBe('/login?returnTo=%2Faccount%2Fprivacy')
  expect(await targetOf('/Login')).toBe('/login')
  expect(await targetOf('/Login?returnTo=%2F%2Fevil.example')).toBe('/login')
})

test('CONST-003 SESS-012 a recovery keeps where the person wanted to go for 60 minutes, for this browser and within the program', async () => {
  const ask = async (returnTo: string, visitor = visit(app, 'gallonaire')) => {
    const reply = await visitor.send(
      'POST',
      '/api/Members/Recover',
      { userName: 'ada@example.com', returnTo },
      { 'x-xsrf-token': await visitor.token() },
    )
    expect(reply.status).toBe(202)
    expect(reply.headers['cache-control']).toBe('no-store')
    return { visitor, cookie: [reply.headers['set-cookie']].flat().find((line) => line?.startsWith('return=')) }
  }
  const { visitor, cookie } = await ask('/search?location=10001')
  expect(cookie).toBe('return=/search?location=10001; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax')
  for (const foreign of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])
    expect([foreign, (await ask(foreign)).cookie]).toEqual([foreign, undefined])
  expect((await ask('/search?q=a;b')).cookie).toMatch(/^return=%2Fsearch%3Fq%3Da%3Bb; Max-Age/)
  // A newer recovery without a page replaces it.
  expect((await ask('', visitor)).cookie).toMatch(/^return=; .*Expires=Thu, 01 Jan 1970/)
})

test('Case 156 a foreign page in the cookie of the browser is not returned to', async () => {
  const visitor = visit(app, 'gallonaire')
  const page = async (value: string) => {
    visitor.cookies.set('return', value)
    const { headers } = await visitor.get('/login', { accept: 'text/html' })
    return [headers['cache-control'], headers['set-cookie'] ?? null]
  }
  // Pages do not depend on it: they are the same bytes for all visitors.
  const usual = await page('')
  expect([await page('//evil.example'), await page('/search')]).toEqual([usual, usual])
})
