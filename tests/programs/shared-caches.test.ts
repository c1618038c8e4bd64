import { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { slugOf } from '../../src/dining/merchants/catalog/record.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { webForTests } from '../support/built-web.ts'
import { openConsole } from '../support/console.ts'
import { send, type WireResponse } from '../support/http.ts'
import { addMerchants, merchantRecord, untilFound } from '../support/merchants.ts'
import { findNginx, startNginxCache } from '../support/nginx-cache.ts'
import {
  addStaff,
  addZebulon,
  impersonate,
  openDueSessionOf,
  openSessionOf,
  previewPass,
  staffPassword,
} from '../support/page-people.ts'
import { addressesOf } from '../support/program-pages.ts'
import { pathsOf } from '../support/route-list.ts'
import { scaled, stress } from '../support/scale.ts'
import { hitHeader, type SharedCache, startModelCache } from '../support/shared-cache.ts'
import { createBrowser } from '../support/sso-browser.ts'

vi.mock('leaflet', () => ({ default: {} }))

let app: TestApp
const merchant = merchantRecord()
const agent = new Agent({ keepAlive: true })

beforeAll(async () => {
  const web = await webForTests()
  app = await startTestApp({ TRUSTED_PROXY: '127.0.0.0/8' }, web, 'programs', 'dist/client')
  await addStaff(app)
  await addMerchants(app.database.pools.shared, merchant)
  await untilFound(app, 'kumo')
})
afterAll(async () => {
  agent.destroy()
  await app?.stop()
})

let clients = 0
/** Limits are per address: every request has another one. */
const newClient = () => {
  clients++
  return { 'x-forwarded-for': `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}` }
}

interface Asked {
  host: string
  path: string
  method?: string
  headers?: Record<string, string>
}

/** Sends a request as a browser that opens an address. */
const ask = (port: number, { host, path, method = 'GET', headers = {} }: Asked) =>
  send({
    port,
    host: `${host}localhost`,
    path,
    method,
    agent,
    // The port of the app, also behind a cache.
    headers: { ...newClient(), accept: 'text/html,*/*', ...headers, host: `${host}localhost:${app.port}` },
  })

// Differ in every response: the time, the id of a request, and what a connection is at.
const varying = /^(date|age|server|x-request-id|x-cache|connection|keep-alive|transfer-encoding|content-length)$/

/** Returns what a visitor gets. */
const seen = ({ status, headers, bytes }: WireResponse) => ({
  status,
  headers: Object.entries(headers)
    .filter(([name]) => !varying.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  body: bytes.toString('latin1'),
})

/** Returns the headers in which two responses differ, and their statuses and lengths. */
function difference(got: ReturnType<typeof seen>, expected: ReturnType<typeof seen>) {
  const without = (list: unknown[], others: unknown[]) =>
    list.filter((each) => !others.some((other) => String(other) === String(each)))
  const { headers, status, body } = got
  return {
    headers: [without(headers, expected.headers), without(expected.headers, headers)],
    statuses: [status, expected.status],
    lengths: [body.length, expected.body.length],
  }
}

const isEqual = (a: WireResponse, b: WireResponse) => JSON.stringify(seen(a)) === JSON.stringify(seen(b))

/** Values of the parameters of routes; others are `x`. */
const parameters: Record<string, string> = {
  ':contentType': 'pages',
  ':contentName': 'home',
  ':merchantId': slugOf(merchant),
  ':city': 'new-york-ny',
  ':publicId': slugOf(merchant),
  ':index': '0',
  ':partner': 'skyharbor',
  ':collection': 'home',
  ':code': 'gallonaire',
  ':day': '2026-11-01',
}

const filled = (path: string) => path.replaceAll(/:\w+/g, (name) => parameters[name] ?? 'x')

/** Returns the addresses on the same host that a text names. */
const linksIn = (text: string) => [...text.matchAll(/"(\/(?!\/)[^"\s<>]*)"/g)].map(([, path]) => String(path))

/** Returns every address of every host, from the routes of its app and from the pages that name files. */
async function listAddresses(codes: readonly string[]): Promise<Asked[]> {
  const { console: operators, forms, vault } = app.auxiliaryApps
  const apps = [
    ...codes.map((code) => [`${code}.`, app.partnerApp] as const),
    ['', app.gallery],
    ['console.', operators],
    ['forms.', forms],
    ['vault.', vault],
  ] as const
  const found: Asked[] = []
  for (const [host, each] of apps) {
    const paths = pathsOf(each as FastifyInstance, 'GET')
    // The fonts are one route, repeated.
    const [font, ...fonts] = paths.filter((path) => path.startsWith('/fonts/'))
    const own = paths.filter((path) => !fonts.includes(path)).map(filled)
    found.push(...[...own, ...(font ? [font] : [])].map((path) => ({ host, path })))
  }
  found.push({ host: 'forms.', path: '/forms/gallonaire/gal-pump?view=frame' })
  for (const code of codes) {
    const host = `${code}.`
    const { config } = app.programs.get(code) ?? {}
    const pages = config ? addressesOf(config, slugOf(merchant)) : []
    const files = [
      '/icons/192.png',
      '/sitemap/1.xml',
      '/search/',
      '/api/nowhere',
      '/assets/nothing.js',
      '/images/x.png',
    ]
    for (const path of [
      '/',
      `/merchants/${slugOf(merchant)}`,
      '/manifest.webmanifest',
      '/offline',
      '/account/overview',
    ])
      files.push(...linksIn((await ask(app.port, { host, path })).text).filter((link) => /\.\w+(\?|$)/.test(link)))
    for (const link of files.filter((each) => each.startsWith('/assets/program/')))
      files.push(
        ...linksIn((await ask(app.port, { host, path: link })).text).filter((each) => each.includes('/later-')),
      )
    found.push(...[...pages, ...files].map((path) => ({ host, path })))
  }
  const provider = (await ask(app.port, { host: 'id.', path: '/.well-known/openid-configuration' })).json()
  const endpoints = Object.values(provider).filter((value) => String(value).startsWith('http')) as string[]
  found.push(...endpoints.map((url) => ({ host: 'id.', path: new URL(url).pathname })))
  found.push(
    ...['/.well-known/openid-configuration', '/robots.txt', '/interaction/x'].map((path) => ({ host: 'id.', path })),
  )
  const keys = found.map(({ host, path }) => `${host} ${path}`)
  return found.filter((_, index) => keys.indexOf(keys[index] as string) === index)
}

type Cookies = Record<string, string>
type Person = (address: Asked) => Promise<Cookies> | Cookies

/** Returns the people whose responses nobody else may get; each has the cookies of a browser at an address. */
async function createKnownPeople(): Promise<Record<string, Person>> {
  const codeOf = (host: string) => (app.programs.has(host.slice(0, -1)) ? host.slice(0, -1) : 'skyharbor')
  const dbOf = (host: string) => app.database.pools.forPartner(codeOf(host))
  const members = new Map<string, number>()
  for (const code of app.programs.keys()) members.set(code, await addZebulon(app.database.pools.forPartner(code)))
  const memberOf = (host: string) => members.get(codeOf(host)) as number
  const quentin = await openConsole(app, 'quentin@dineback.example', staffPassword)
  const [name = '', value = ''] = quentin.cookie.split('=')
  const customer = createBrowser(app)
  await customer.signIn('ada@beacon.example', 'dine-with-ada')
  const atProvider = [...customer.cookies].filter(([key]) => key.startsWith('id.localhost '))
  const provider = Object.fromEntries(atProvider.map(([key, text]) => [key.split(' ')[1] ?? '', text]))
  const impersonations = new Map<string, string>()
  const impersonation = async ({ host, path }: Asked) => {
    const id = impersonations.get(host) ?? (await impersonate(app, codeOf(host), memberOf(host)))
    // Signing out ends it.
    if (/SignOut/.test(path)) impersonations.delete(host)
    else impersonations.set(host, id)
    return id
  }
  return {
    visitor: async ({ host }) => ({ sid: await openSessionOf(dbOf(host), null), mode: 'dark' }),
    member: async ({ host }) => ({ sid: await openSessionOf(dbOf(host), memberOf(host)), ...provider }),
    'member whose session is due for a new id': async ({ host }) => ({
      sid: await openDueSessionOf(dbOf(host), memberOf(host)),
    }),
    'member who was signed out elsewhere': () => ({ sid: 'x'.repeat(43) }),
    operator: async (address) => ({ emulation: await impersonation(address), [name]: value }),
    editor: ({ host }) => ({ preview: previewPass(app, codeOf(host)) }),
  }
}

const cookieOf = (cookies: Cookies) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

/** The ways in which an address is requested; `known` is the response that a browser may have of it. */
const waysOf = (known: WireResponse): { method: string; headers: Record<string, string> }[] => [
  { method: 'GET', headers: {} },
  { method: 'HEAD', headers: {} },
  { method: 'GET', headers: { range: 'bytes=0-9' } },
  { method: 'GET', headers: { 'if-none-match': String(known.headers.etag ?? '"x"') } },
]

interface Attack {
  rounds: number
  /** Responses that the cache has stored before, and sent to the next visitor. */
  hits: number
  /** Responses with the new id of a session, and those with the name of a member or an operator. */
  renewed: number
  personal: number
  wrong: unknown[]
}

/**
 * Lets everybody request every address through an empty cache in every way, one person after another, and compares what
 * the cache then has for an anonymous visitor with what the app has.
 */
async function attack(cache: SharedCache): Promise<Attack> {
  const people = await createKnownPeople()
  const found: Attack = { rounds: 0, hits: 0, renewed: 0, personal: 0, wrong: [] }
  for (const address of await listAddresses(stress ? [...app.programs.keys()] : ['skyharbor'])) {
    const direct = await ask(app.port, address)
    // Pages with a token, for example, differ each time: the app has to respond itself.
    // So does the clock of the staging tools, which may not have gone on meanwhile.
    const isStable = address.path !== '/api/staging/clock' && isEqual(direct, await ask(app.port, address))
    const ways = waysOf(direct)
    for (const [who, person] of Object.entries(people))
      for (const tried of scaled({ full: ways.map((way) => [way]), short: [ways] })) {
        found.rounds++
        const round = { 'x-round': String(found.rounds) }
        for (const { method, headers } of tried) {
          const cookie = cookieOf(await person(address))
          const got = await ask(cache.port, { ...address, method, headers: { ...headers, ...round, cookie } })
          if ([got.headers['set-cookie'] ?? []].flat().some((line) => /^sid=[\w-]{43};/.test(line))) found.renewed++
          if (/Zebulon|Quentin/.test(got.text)) found.personal++
        }
        const next = await ask(cache.port, { ...address, headers: round })
        const isHit = next.headers[hitHeader] === 'HIT'
        if (isHit) found.hits++
        // Pages show the time of day: a difference counts when the app itself has none.
        const isSame = async () => isEqual(next, direct) || isEqual(next, await ask(app.port, address))
        const isFair = isStable ? await isSame() : !isHit
        if (!isFair || (isHit && next.headers['set-cookie']))
          found.wrong.push({ who, ...address, isHit, differs: difference(seen(next), seen(direct)) })
      }
  }
  return found
}

const nginx = findNginx()

async function expectNothingLeaks(start: () => Promise<SharedCache>) {
  const cache = await start()
  const { wrong, ...counts } = await attack(cache).finally(() => cache.stop())
  expect(wrong.slice(0, 3)).toEqual([])
  // Otherwise the cache stored nothing, or nothing personal went through it.
  expect(counts.hits).toBeGreaterThan(200)
  expect(counts.renewed).toBeGreaterThan(200)
  expect(counts.personal).toBeGreaterThan(50)
}

const claim = 'the next visitor gets nothing that was computed for another one or set its cookie, at every address'

if (nginx)
  test(`Case 90 behind nginx as a shared cache ${claim}`, () =>
    expectNothingLeaks(() => startNginxCache(nginx, app.port)))

// In every run one of the two; under stress both.
if (!nginx || stress)
  test(`Case 90 behind a model of a shared cache${nginx ? '' : ', as nginx is not installed here,'} ${claim}`, () =>
    expectNothingLeaks(() => startModelCache(app.port)))

test('Case 90 counterpart: a cache that stores one response with a cookie is caught', async () => {
  // The app's rule does not apply to a server of the test, which says that its renewed sessions are public.
  const leaking = createServer((request, response) => {
    const isKnown = request.headers.cookie !== undefined
    response.setHeader('cache-control', 'public, max-age=60')
    if (isKnown) response.setHeader('set-cookie', 'sid=secret')
    response.end('icon')
  })
  await new Promise<void>((done) => leaking.listen(0, '127.0.0.1', done))
  const { port } = leaking.address() as AddressInfo
  for (const start of [() => startModelCache(port), ...(nginx ? [() => startNginxCache(nginx, port)] : [])]) {
    const cache = await start()
    const address = { host: 'skyharbor.', path: '/icons/192.png' }
    await ask(cache.port, { ...address, headers: { cookie: 'sid=old' } })
    const next = await ask(cache.port, address)
    expect([next.headers[hitHeader], next.headers['set-cookie']]).toEqual(['HIT', ['sid=secret']])
    expect(isEqual(next, await ask(port, address))).toBe(false)
    await cache.stop()
  }
  await new Promise((done) => leaking.close(done))
})

test('Case 90 probes and metrics are stored nowhere', async () => {
  for (const path of pathsOf(app.admin.app, 'GET').filter((each) => each !== '/robots.txt')) {
    const { headers } = await app.admin.app.inject(path)
    expect([path, headers['cache-control'], headers['set-cookie']]).toEqual([path, 'no-store', undefined])
  }
})
