import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { WebBundle } from '../../src/app/server/pages.ts'
import { addOperator, sampleOperator } from '../../src/console/operators/service.ts'
import { Problem } from '../../src/platform/errors.ts'
import { asOwner, startTestApp, visit } from '../support/app.ts'
import { openConsole, requestConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember } from '../support/members.ts'
import { exchange, sendRaw } from '../support/raw-http.ts'

const web: WebBundle = {
  render: async ({ url }) => ({
    kind: 'page',
    status: 200,
    style: '',
    links: '',
    html: `<html>${new URL(url).host}</html>`,
  }),
  scripts: () => ({}) as never,
  styles: () => [],
}

const app = setUpTestApp({}, web)
beforeAll(async () => {
  await addOperator(app.database.consolePools.shared, sampleOperator)
})

const hosts = ['', 'skyharbor.', 'vault.', 'forms.', 'console.', 'id.']
const get = (host: string, target: string, headers: Record<string, string> = {}) =>
  sendRaw(app.port, { method: 'GET', target, headers: { host, ...headers }, body: null })

test('Case 64 a malformed address gets 400 from every server, and none of them crashes', async () => {
  for (const label of hosts) {
    const host = `${label}localhost:${app.port}`
    for (const target of ['//%00', '//[', '//:99999/', '/\\[', '/%00', '/a?b=%00', '//evil.example/']) {
      expect([label, target, (await get(host, target)).status]).toEqual([label, target, 400])
    }
    expect((await get(host, '/%')).status).toBeLessThan(500)
    expect([label, (await get(host, '/healthz')).status < 500]).toEqual([label, true])
  }
  // Counterpart: an unusual but valid address is served.
  const page = await get(`skyharbor.localhost:${app.port}`, '/dine//x?q=%F0%9F%91%A9%20Zoe%CC%88')
  expect([page.status, page.text]).toEqual([200, `<html>skyharbor.localhost:${app.port}</html>`])
})

test('Case 64 a malformed host, expectation or head of a request gets a problem document', async () => {
  for (const host of ['evil.example', '[', 'skyharbor.localhost:99999', 'a b', '\u00e9.localhost', '..']) {
    const response = await get(host, '/')
    expect([host, response.status]).toEqual([host, 421])
    expect(Problem.parse(JSON.parse(response.text)).code).toBe('unknownHost')
  }
  const host = `skyharbor.localhost:${app.port}`
  expect(Problem.parse(JSON.parse((await get(host, '/', { expect: 'x' })).text)).status).toBe(417)
  const large = await get(host, `/${'x'.repeat(20_000)}`)
  expect([large.status, Problem.parse(JSON.parse(large.text)).code]).toEqual([431, 'tooLarge'])
  const garbage = await exchange(app.port, Buffer.from('GARBAGE\r\n\r\n'))
  expect([garbage.status, Problem.parse(JSON.parse(garbage.text)).code]).toEqual([400, 'badRequest'])
})

test('Case 64 NUL and lone surrogates in a body, a query and a path are field errors, and emoji are valid text', async () => {
  const { visitor } = await newMember(app)
  for (const bad of ['a\0b', 'a\ud800', '\udc00']) {
    const sent = await visitor.change('PUT', '/api/Member/Consents', { channel: 'email', topic: bad, granted: true })
    expect([sent.status, sent.json()[0].field]).toEqual([400, 'topic'])
    const key = await visitor.change('POST', '/api/SignIn', { [`x${bad}`]: 1 })
    expect(key.status).toBe(400)
  }
  expect((await visitor.get('/api/v2/Merchants/a%00b')).status).toBe(400)
  expect((await visitor.get('/api/Locations/Suggest?query=a%00b')).status).toBe(400)
  const named = await newMember(app, 'skyharbor', { firstName: 'Zoe\u0308 👩‍🍳', lastName: 'Ørsted' })
  expect((await named.visitor.get('/api/Member')).json().firstName).toBe('Zoe\u0308 👩‍🍳')
})

test('Case 64 hundreds of thousands of keys, invalid items or levels are rejected with a short response', async () => {
  const { visitor } = await newMember(app)
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]))
  const bodies = [keys(200_000), keys(5_000), Array.from({ length: 300_000 }, () => 0)]
  for (const body of bodies) {
    const response = await visitor.change('POST', '/api/Member/Claims', body)
    expect([400, 413]).toContain(response.status)
    expect(response.text.length).toBeLessThan(20_000)
  }
  expect((await visitor.change('POST', '/api/SignIn', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)).status).toBe(
    400,
  )
})

test('Case 64 a date outside the supported range is a field error', async () => {
  const visitor = visit(app, 'skyharbor')
  for (const date of ['0001-01-01', '9999-12-31', '2026-02-30', '1899-12-31']) {
    const response = await visitor.get(`/api/v2/Merchants/x/Earn?amount=10&date=${date}`)
    expect([date, response.status, response.json()[0]?.field]).toEqual([date, 400, 'date'])
  }
})

test('Case 64 signing out with an invalid origin counts as another site', async () => {
  const { visitor } = await newMember(app)
  for (const origin of ['null', '//', 'http://[']) {
    expect((await visitor.get('/api/SignOut', { origin })).status).toBe(403)
    expect((await visitor.get('/SignOut', { origin })).status).toBe(303)
  }
  expect((await visitor.get('/api/Member')).status).toBe(200)
})

test('Case 64 forms with NUL, without a body or of another type are rejected with a page and change nothing', async () => {
  const { email, password } = sampleOperator
  const operator = await openConsole(app, email, password)
  for (const path of ['/sign-in', '/skyharbor/pages/home', '/security/remove']) {
    const wrong = await operator.post(path, { email: 'a\0b', password: 'x', id: '1' })
    expect([path, wrong.status, wrong.text.includes('<html')]).toEqual([path, 400, true])
    const json = { cookie: operator.cookie, 'content-type': 'application/json' }
    const other = await requestConsole(app, 'POST', path, { headers: json, body: '{}' })
    expect([path, other.status, other.text.includes('<html')]).toEqual([path, 415, true])
  }
  expect((await operator.get('/skyharbor/settlement?month=2026-01&month=2026-02')).status).toBe(200)
  expect((await operator.get('/skyharbor/pages/home/versions/99999999999999999999')).status).toBe(404)
  const host = `forms.localhost:${app.port}`
  const type = { host, 'content-type': 'application/x-www-form-urlencoded' }
  const target = '/forms/skyharbor/sky-booking/responses'
  for (const body of ['q.ease=4&q.missing=a%00b', '', null]) {
    const sent = {
      method: 'POST',
      target,
      headers: body === null ? { host } : type,
      body: body === null ? null : Buffer.from(body),
    }
    const response = await sendRaw(app.port, sent)
    expect([body, response.status, response.text.includes('<html')]).toEqual([body, 400, true])
  }
  expect(await asOwner(app, 'select 1 from forms.responses')).toEqual([])
  const emoji = Buffer.from(
    `q.ease=4&q.missing=${encodeURIComponent('👩‍🍳 Zoe\u0308')}&response_id=${crypto.randomUUID()}`,
  )
  expect((await sendRaw(app.port, { method: 'POST', target, headers: type, body: emoji })).status).toBe(303)
  expect(await asOwner(app, 'select 1 from forms.responses')).toHaveLength(1)
})

test('Case 64 a body that arrives too slowly gets 408 and is not processed', async () => {
  const withShortTimeout = await startTestApp({ REQUEST_TIMEOUT_MS: '1000' })
  onTestFinished(() => withShortTimeout.stop())
  const slow = (host: string, target: string, type: string) =>
    exchange(
      withShortTimeout.port,
      Buffer.from(
        `POST ${target} HTTP/1.1\r\nhost: ${host}localhost:${withShortTimeout.port}\r\ncontent-type: ${type}\r\ncontent-length: 500\r\n\r\n{`,
      ),
    )
  const form = 'application/x-www-form-urlencoded'
  const responses = await Promise.all([
    slow('skyharbor.', '/api/SignIn', 'application/json'),
    slow('forms.', '/forms/skyharbor/sky-booking/responses', form),
    slow('console.', '/sign-in', form),
  ])
  expect(responses.map(({ status }) => status)).toEqual([408, 408, 408])
})
