import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { send } from '../support/http.ts'
import { memberPassword, newMember } from '../support/members.ts'
import { exchange } from '../support/raw-http.ts'
import { pathsOf } from '../support/route-list.ts'
import { createBrowser } from '../support/sso-browser.ts'

const app = setUpTestApp({ TRUSTED_PROXY: '127.0.0.0/8' })
const operator = { email: 'nora@dineback.example', name: 'Nora', role: 'admin', partners: null } as const
beforeAll(async () => {
  await addOperator(app.database.consolePools.shared, { ...operator, password: memberPassword })
})

const hosts = (): [string, FastifyInstance][] =>
  [
    ['skyharbor.', app.partnerApp],
    ['', app.gallery],
    ['console.', app.auxiliaryApps.console],
    ['forms.', app.auxiliaryApps.forms],
    ['vault.', app.auxiliaryApps.vault],
  ] as [string, FastifyInstance][]

test('Case 91 an id in letters that no header may have fails at no address of any host', async () => {
  const { cookie, csrf } = await openConsole(app, operator.email, memberPassword)
  const member = await newMember(app)
  const sid = [...member.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  let sent = 0
  for (const [host, each] of hosts())
    for (const method of ['GET', 'POST'])
      for (const path of pathsOf(each, method)) {
        if (!path.includes(':')) continue
        const first = path.replace(':partner', 'skyharbor').replace(':code', 'gallonaire')
        for (const id of ['%D0%BA%D0%BB%D1%8E%D1%87', '%E2%98%83', '%F0%9F%8D%BD', '%0D%0Ax:%20y', '%C3%A9', '%7F']) {
          sent++
          const response = await send({
            port: app.port,
            host: `${host}localhost`,
            method,
            path: first.replaceAll(/:\w+/g, id),
            headers: {
              cookie: host === 'console.' ? cookie : sid,
              'x-forwarded-for': `10.1.${sent >> 8}.${sent & 255}`,
              ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
            },
            body: method === 'POST' ? new URLSearchParams({ csrf }).toString() : '',
          })
          const { location = '' } = response.headers
          expect([host, method, path, id, response.status < 500, /^[!-~]*$/.test(String(location))]).toEqual([
            host,
            method,
            path,
            id,
            true,
            true,
          ])
        }
      }
  expect(sent).toBeGreaterThan(150)
})

test('Case 92 a request with two Host headers gets 400, on every host and on the admin port', async () => {
  const raw = (port: number, names: readonly string[]) =>
    exchange(port, Buffer.from(`GET /robots.txt HTTP/1.1\r\n${names.join('\r\n')}\r\nconnection: close\r\n\r\n`))
  const admin = new URL(await app.admin.app.listen({ port: 0, host: '127.0.0.1' }))
  const targets = [...hosts().map(([host]) => host), 'id.'].map((host) => [app.port, `${host}localhost:${app.port}`])
  for (const [port, host] of [...targets, [Number(admin.port), 'localhost']] as [number, string][]) {
    expect([host, (await raw(port, [`host: ${host}`])).status]).toEqual([host, 200])
    for (const others of [[`Host: ${host}`], ['HOST: evil.example'], ['host:']])
      expect([host, others, (await raw(port, [`host: ${host}`, ...others])).status]).toEqual([host, others, 400])
    expect([host, (await raw(port, ['host: evil.example', `host: ${host}`])).status]).toEqual([host, 400])
  }
})

test('Case 93 a form of another origin is rejected on every host, whichever of the two headers says so', async () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://skyharbor.localhost:${app.port}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ] as Record<string, string>[]
  const browser = createBrowser(app)
  const page = await browser.open(`${app.origin('beacon')}/Login`)
  const atProvider = [...browser.cookies].filter(([key]) => key.startsWith('id.localhost '))
  const providerCookie = atProvider.map(([key, value]) => `${key.split(' ')[1]}=${value}`).join('; ')
  const { cookie, csrf } = await openConsole(app, operator.email, memberPassword)
  const credentials = { email: operator.email, password: memberPassword }
  const posts = [
    ['console.', '/sign-in', credentials],
    ['console.', '/sign-out', { csrf }],
    ['forms.', '/forms/gallonaire/gal-pump/responses?view=frame', {}],
    ['forms.', '/reviews/gallonaire/responses', {}],
    ['id.', `${page.url.pathname}/login`, { userName: 'ada@beacon.example', password: 'dine-with-ada' }],
  ] as const
  let client = 0
  const post = (host: string, path: string, fields: Record<string, string>, headers: Record<string, string>) => {
    client++
    return send({
      port: app.port,
      host: `${host}localhost`,
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `10.2.0.${client}`,
        cookie: host === 'id.' ? providerCookie : cookie,
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    })
  }
  for (const headers of foreign)
    for (const [host, path, fields] of posts) {
      const { status, cookie: set } = await post(host, path, fields, headers)
      expect([headers, host, path, status, set]).toEqual([headers, host, path, 403, ''])
    }
  // The same forms of their own pages are accepted.
  const accepted = []
  for (const [host, path, fields] of posts) {
    const own = { origin: `http://${host}localhost:${app.port}`, 'sec-fetch-site': 'same-origin' }
    accepted.push((await post(host, path, fields, own)).status)
  }
  // Both forms of the form service lack their answers.
  expect(accepted).toEqual([303, 303, 400, 404, 303])
})
