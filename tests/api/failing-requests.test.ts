import { expect, test } from 'vitest'
import { faultCookie } from '../../src/staging/rules.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { send } from '../support/http.ts'

const app = setUpTestApp()

/** Requests a path as a browser with this fault. */
const get = (path: string, fault = '') =>
  send({
    port: app.port,
    host: 'skyharbor.localhost',
    path,
    headers: fault === '' ? {} : { cookie: `${faultCookie}=${encodeURIComponent(fault)}` },
  })

test('ERR-003 with the staging tools each status of a failed call can be seen, in one browser and for the named calls only', async () => {
  for (const [status, code] of [
    [400, 'badRequest'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'notFound'],
    [429, 'tooMany'],
    [500, 'serverError'],
    [503, 'busy'],
  ] as const) {
    const failed = await get('/api/CSRF', `${status} /api/CSRF`)
    const { code: given, title, reference } = JSON.parse(failed.text)
    expect([failed.status, given, failed.headers['cache-control']]).toEqual([status, code, 'no-store'])
    expect([title.length > 10, reference.length > 10]).toEqual([true, true])
    // A visitor without a session gets no cookie: the handler has not run.
    expect(failed.headers['set-cookie']).toBeUndefined()
  }
  for (const [path, fault] of [
    ['/api/CSRF', ''],
    ['/api/CSRF', '500 /api/SignIn'],
    ['/api/CSRF', '600 /api/'],
    ['/api/staging/flags', '500 /'],
  ] as const)
    expect([path, fault, (await get(path, fault)).status]).toEqual([path, fault, 200])
})

test('ERR-025 with the staging tools a call can stay without an answer', async () => {
  await expect(get('/api/CSRF', 'none /api/CSRF')).rejects.toThrow(/socket hang up|ECONNRESET/)
  expect((await get('/api/CSRF')).status).toBe(200)
})
