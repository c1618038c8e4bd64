import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { WebBundle } from '../../src/app/server/pages.ts'
import { addOperator } from '../../src/console/operators/service.ts'
import { slugOf } from '../../src/dining/merchants/catalog/record.ts'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { Random } from '../../src/platform/random.ts'
import { contentNames } from '../../src/programs/content/contract.ts'
import { signPreviewPass } from '../../src/programs/content/preview.ts'
import type { Program } from '../../src/programs/partners/context.ts'
import { writeFlag } from '../../src/programs/partners/store.ts'
import { startTestApp, type TestApp, visit, withoutBotCheck } from '../support/app.ts'
import { webForTests } from '../support/built-web.ts'
import { send, type WireRequest } from '../support/http.ts'
import { newMember } from '../support/members.ts'
import { addMerchants, merchantRecord, untilFound } from '../support/merchants.ts'

vi.mock('leaflet', () => ({ default: {} }))

let app: TestApp
let renders = 0
const merchants = Array.from({ length: 12 }, (_, index) =>
  merchantRecord({ sourceId: `kumo-${index}`, name: `Kumo ${index}` }),
)
const restaurant = `/merchants/${slugOf(merchants[0] as (typeof merchants)[number])}`
const publicPages = ['/', '/search?location=10001', restaurant, '/login', '/join']

beforeAll(async () => {
  const web = await webForTests()
  const counting: WebBundle = {
    ...web,
    render: (request) => {
      renders++
      return web.render(request)
    },
  }
  app = await startTestApp({ STAGING_TOOLS: 'false' }, counting)
  await addMerchants(app.database.pools.shared, ...merchants)
  await untilFound(app, 'kumo', 12)
  await withoutBotCheck('skyharbor', app)
})
afterAll(() => app?.stop())

const request = (path: string, headers: Record<string, string> = {}, over: Partial<WireRequest> = {}) =>
  send({ port: app.port, host: 'skyharbor.localhost', path, headers, ...over })

/** Sends a request and returns the bytes of the body. */
async function bytesOf(path: string, headers: Record<string, string>): Promise<Buffer> {
  const response = await app.partnerApp.inject({
    url: path,
    headers: { host: `skyharbor.localhost:${app.port}`, ...headers },
  })
  expect([path, response.statusCode]).toEqual([path, 200])
  return response.rawPayload
}

test('a public page is rendered once, has the same bytes for all visitors, and is not sent twice to a browser', async () => {
  const path = '/how-it-works?once'
  const before = renders
  const pages = await Promise.all(Array.from({ length: 12 }, () => request(path)))
  expect(renders - before).toBe(1)
  const [first] = pages
  expect(first?.status).toBe(200)
  expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
  expect(first?.headers['cache-control']).toBe('public, max-age=0, s-maxage=30')
  expect(first?.headers.vary).toBe('accept-encoding, cookie')
  const tags = new Set<unknown>()
  for (const coding of ['identity', 'br', 'zstd', 'gzip']) {
    const accept = { 'accept-encoding': coding }
    const { headers } = await request(path, accept)
    expect([coding, headers['content-encoding']]).toEqual([coding, coding === 'identity' ? undefined : coding])
    expect(headers.etag).toMatch(/^"[\w-]+"$/)
    tags.add(headers.etag)
    const again = await request(path, { ...accept, 'if-none-match': String(headers.etag) })
    expect([coding, again.status, again.text, again.headers.etag]).toEqual([coding, 304, '', headers.etag])
    for (const name of ['cache-control', 'vary', 'content-security-policy'])
      expect([name, again.headers[name]]).toEqual([name, headers[name]])
  }
  expect(tags.size).toBe(4)
  const compressed = await bytesOf(path, { 'accept-encoding': 'br' })
  expect(brotliDecompressSync(compressed).toString()).toBe(first?.text)
  expect(renders - before).toBe(1)
})

test('a visitor’s light or dark colors are not shown to others', async () => {
  const path = '/how-it-works?colors'
  const modeIn = async (cookie?: string) =>
    / data-mode="(\w+)"/.exec((await request(path, cookie === undefined ? {} : { cookie })).text)?.[1]
  const cookies = ['mode=dark', undefined, 'mode=light', 'mode=dark', 'mode=other']
  const shown = []
  for (const cookie of cookies) shown.push(await modeIn(cookie))
  expect(shown).toEqual(['dark', undefined, 'light', 'dark', undefined])
})

test('a page that is rendered again without a change has the same bytes', async () => {
  const [first, second] = [await request('/earn?again=1'), await request('/earn?again=2')]
  const hash = (text: string) =>
    createHash('sha256')
      .update(text.replaceAll(/again(?:=|%3D)\d/g, ''))
      .digest('hex')
  expect(hash(first.text)).toBe(hash(second.text))
})

test('Case 80 ten members and an anonymous visitor request the same addresses in random order: no page of a member is shared', async () => {
  const random = new Random(Number(process.env.SEED ?? 20261123))
  const names = [
    'Zebulon',
    'Quentin',
    'Ottoline',
    'Peregrine',
    'Isolde',
    'Barnaby',
    'Clementine',
    'Thaddeus',
    'Wilhelmina',
    'Rupert',
  ]
  const members = []
  for (const firstName of names) {
    members.push({
      firstName,
      visitor: (await newMember(app, 'skyharbor', { firstName })).visitor,
    })
  }
  const anonymous = Array.from({ length: 10 }, () => ({ firstName: null, visitor: visit(app, 'skyharbor') }))
  let personal = 0
  for (const path of [...publicPages, '/earn', '/how-it-works', '/account/overview', '/nowhere']) {
    const order = [...members, ...anonymous].map((each) => ({ each, at: random.next() })).sort((a, b) => a.at - b.at)
    const shared = new Set<string>()
    for (const { each } of order) {
      const { text, headers, status } = await each.visitor.get(path)
      const found = names.filter((name) => text.includes(name))
      expect([path, status < 500, found.filter((name) => name !== each.firstName)]).toEqual([path, true, []])
      personal += found.length
      if (each.firstName === null) shared.add(text)
      else if (status < 300) {
        expect([path, headers['cache-control'], headers.etag]).toEqual([path, 'private, no-store', undefined])
      }
    }
    expect([path, shared.size]).toEqual([path, 1])
  }
  // Otherwise no page had personal content that could leak.
  expect(personal).toBeGreaterThan(30)
})

test('a flag changes the page of all visitors at once', async () => {
  const { headers } = await request('/')
  const db = app.database.pools.forPartner('skyharbor')
  await writeFlag(db, { kind: 'partnerFeatureFlags', name: 'showNetworkLogo', value: false })
  await vi.waitFor(async () => {
    const page = await request('/', { 'if-none-match': String(headers.etag) })
    expect([page.status, page.text.includes('Powered by')]).toEqual([200, false])
  }, 20_000)
})

test('while a program is closed, nothing of it may be stored', async () => {
  const db = app.database.pools.forPartner('orchard')
  await writeFlag(db, { kind: 'authFlags', name: 'siteMaintenance', value: true })
  await vi.waitFor(async () => {
    const { status, headers } = await request('/', {}, { host: 'orchard.localhost' })
    expect([status, headers['cache-control'], headers['cdn-cache-control']]).toEqual([503, 'no-store', undefined])
  }, 20_000)
  const paths = ['/login', '/login?returnTo=%2Faccount', '/join', '/join?x', '/joined', '/search']
  const closed = await Promise.all(paths.map((path) => request(path, {}, { host: 'orchard.localhost' })))
  expect(closed.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(paths.map(() => [503, '5']))
  const called = (path: string) => request(path, {}, { host: 'orchard.localhost' })
  for (const path of [
    '/api/v2/Merchants/Search?location=10001',
    '/api/Members/Validate/Email?email=a%40b.example',
    '/api/Member',
  ]) {
    const { status, headers, text } = await called(path)
    expect([path, status, JSON.parse(text).code, headers['retry-after']]).toEqual([path, 503, 'maintenance', '5'])
  }
  // What an open page asks to learn of it.
  for (const path of ['/api/feature-flags', '/api/ProgramVersion', '/api/CSRF'])
    expect([path, (await called(path)).status]).toEqual([path, 200])
})

const linkedAddress = (link: string) => (link.slice(1).split('>')[0] ?? '').replaceAll('&', '&amp;')

test('a page names the image and the fonts of its first screen in its header, and no script', async () => {
  for (const path of publicPages) {
    const { headers, text } = await request(path)
    const links = String(headers.link).split(', ')
    expect([path, links.filter((link) => link.includes('as=font')).length]).toEqual([path, 1])
    expect([path, links.some((link) => /script|[.]js/.test(link))]).toEqual([path, false])
    for (const link of links) expect([path, text]).toEqual([path, expect.stringContaining(linkedAddress(link))])
  }
  expect((await request(restaurant)).headers.link).toMatch(/^<\/art\/[^>]+>; rel=preload; as="image"/)
})

test('the home page contains its content for this visitor only, not that for the other states', async () => {
  const { text } = await request('/')
  const [, data = ''] = /id="page-data">(.*?)<\/script>/.exec(text) ?? []
  const { queries } = JSON.parse(data) as { queries: [unknown, { data?: unknown[]; partial?: true }][] }
  const home = queries.find(([key]) => JSON.stringify(key).includes('"home"'))?.[1]
  expect([home?.data?.length, home?.partial]).toEqual([1, true])
})

test('content that most pages show is in the file of the program, and in no page', async () => {
  const { text } = await request(restaurant)
  const [href = ''] = /\/assets\/program\/[^"]+/.exec(text) ?? []
  const { content, site } = JSON.parse((await request(href)).text)
  const names = ['*', 'announcement_banner', 'sidebar']
  expect([Object.keys(content), content['*'].map(({ slug }: { slug: string }) => slug)]).toEqual([
    names,
    expect.arrayContaining(['navbar', 'footer']),
  ])
  const [, data = ''] = /id="page-data">(.*?)<\/script>/.exec(text) ?? []
  const isIn = (part: string) => data.includes(part)
  expect([isIn('"getMerchant"'), isIn('"getContent"'), isIn(site.vaultOrigin)]).toEqual([true, false, false])
})

test('HEAD has the status and the headers of GET, and no body', async () => {
  for (const path of [
    ...publicPages,
    '/nowhere',
    '/merchants',
    '/search/',
    '/theme.css',
    '/mark.svg',
    '/logo.svg',
    '/offline',
    '/api/CSRF',
    '/api/nowhere',
    '/api/openapi.json',
    '/manifest.webmanifest',
  ]) {
    for (const coding of ['identity', 'br']) {
      const accept = { 'accept-encoding': coding, accept: 'text/html' }
      const [get, head] = [await request(path, accept), await request(path, accept, { method: 'HEAD' })]
      // Compressed while they are sent, which HEAD omits.
      const isGenerated = ['/offline', '/manifest.webmanifest', '/api/CSRF', '/api/nowhere'].includes(path)
      const varying = ['date', 'x-request-id', 'set-cookie', 'transfer-encoding', 'content-length']
      if (isGenerated) varying.push('content-encoding', 'vary', 'content-security-policy')
      const headersOf = ({ headers, status }: typeof get) =>
        Object.fromEntries([['status', status], ...Object.entries(headers).filter(([name]) => !varying.includes(name))])
      expect([path, coding, headersOf(head)]).toEqual([path, coding, headersOf(get)])
      expect([path, head.text]).toEqual([path, ''])
    }
  }
})

test('the theme and the logo are stored forever at their versioned addresses only', async () => {
  const { themeHref, shownLogo } = app.programs.get('skyharbor') as Program
  const logoHref = shownLogo.kind === 'file' ? shownLogo.href : ''
  for (const href of [themeHref, logoHref]) {
    const [path = ''] = href.split('?')
    const stored = await Promise.all([href, path, `${path}?v=other`].map((address) => request(address)))
    const forever = 'public, max-age=31536000, immutable'
    expect([path, ...stored.map(({ headers }) => headers['cache-control'])]).toEqual([
      path,
      forever,
      'no-cache',
      'no-cache',
    ])
  }
})

test('HEAD works on every host', async () => {
  const targets = [
    ['', '/'],
    ['', '/nowhere'],
    ['console.', '/sign-in'],
    ['vault.', '/frame'],
    ['forms.', '/forms/gallonaire/gal-pump?view=frame'],
    ['id.', '/jwks'],
    ['id.', '/.well-known/openid-configuration'],
  ]
  for (const [name, path = ''] of targets) {
    const host = `${name}localhost`
    const [get, head] = [await request(path, {}, { host }), await request(path, {}, { host, method: 'HEAD' })]
    const facts = ({ status, headers }: typeof get) => [status, headers['content-type'], headers['cache-control']]
    expect([host, path, ...facts(head), head.text]).toEqual([host, path, ...facts(get), ''])
    expect([host, path, get.text === '']).toEqual([host, path, false])
  }
})

test('a slash at the end redirects to the canonical address of the same host, with its query', async () => {
  const expected = {
    '/search/?location=10001': '/search?location=10001',
    '/how-it-works/': '/how-it-works',
    '/nowhere///': '/nowhere',
    '/%2Fevil.example/': '/%2Fevil.example',
    '/.//evil.example/': '/.//evil.example',
    '/?a=/': null,
    '/': null,
  }
  for (const [path, location] of Object.entries(expected)) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await request(path, {}, { method })
      expect([path, status, headers.location]).toEqual(
        location === null ? [path, 200, undefined] : [path, 308, location],
      )
      if (location !== null) expect(new URL(location, 'http://skyharbor.localhost').host).toBe('skyharbor.localhost')
    }
  }
  for (const path of ['//evil.example/', '/\\evil.example/', '//evil.example/%2e%2e/']) {
    const { status, headers } = await request(path)
    expect([path, status, headers.location]).toEqual([path, 400, undefined])
  }
})

test('every script of a page is data, or allowed by its hash', async () => {
  for (const path of publicPages) {
    const { text, headers } = await request(path)
    const policy = String(headers['content-security-policy'])
    expect(policy).not.toContain('nonce')
    let allowed = 0
    for (const [, attributes = '', body = ''] of text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      if (/ type="application\/(ld\+)?json"/.test(attributes)) continue
      const hash = createHash('sha256').update(body).digest('base64')
      expect([path, attributes, policy.includes(`'sha256-${hash}' 'strict-dynamic'`)]).toEqual([path, '', true])
      allowed++
    }
    expect([path, allowed]).toEqual([path, 1])
    expect([path, /<[^>]* on\w+=/.test(text.replaceAll(/<script[\s\S]*?<\/script>/g, ''))]).toEqual([path, false])
  }
})

test('a page contains the styles that it uses, allowed by their hash, and links none', async () => {
  for (const path of publicPages) {
    const { text, headers } = await request(path)
    const [style = '', ...others] = [...text.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, rules]) => rules)
    const hash = createHash('sha256').update(style).digest('base64')
    expect([path, others.length, text.includes('rel="stylesheet"')]).toEqual([path, 0, false])
    expect(String(headers['content-security-policy'])).toContain(`style-src 'self' 'sha256-${hash}';`)
    // Font faces, theme, the app's own rules.
    for (const rule of ['@font-face{', '--font-body:', '.visually-hidden']) expect(style).toContain(rule)
    const [href = ''] = /\/assets\/style-[\w-]+\.css/.exec(text) ?? []
    const whole = readFileSync(`dist/client${href}`, 'utf8')
    expect([path, style.length < whole.length / 2]).toEqual([path, true])
  }
})

test('a document has at most 49,000 bytes with its styles, and 10,300 compressed', async () => {
  for (const path of publicPages) {
    const plain = (await bytesOf(path, { 'accept-encoding': 'identity' })).length
    const compressed = (await bytesOf(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })).length
    expect({ path, plain: plain <= 49_000 || plain, compressed: compressed <= 10_300 || compressed }).toEqual({
      path,
      plain: true,
      compressed: true,
    })
  }
})

test('the program’s part of the start data is one file with a hash, which browsers store', async () => {
  const files = new Set<string>()
  for (const path of publicPages)
    files.add(/\/assets\/program\/[\w-]+\.json/.exec((await request(path)).text)?.[0] ?? '')
  expect(files.size).toBe(1)
  const [href = ''] = files
  const file = await request(href)
  expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(file.json()).toMatchObject({
    config: { code: 'skyharbor' },
    messages: { tokens: { partnerName: 'Skyharbor' } },
  })
  // A version that this process does not know: the current one, which nobody stores.
  const other = await request('/assets/program/other.json')
  expect([other.status, other.headers['cache-control'], other.text === file.text]).toEqual([200, 'no-store', true])
})

test('CMS-001 the content that few pages show is a second file, which the first one names', async () => {
  const [href = ''] = /\/assets\/program\/[\w-]+\.json/.exec((await request('/earn')).text) ?? []
  const { content, laterContent } = (await request(href)).json()
  const later = await request(laterContent)
  expect([later.status, later.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
  expect([...Object.keys(content), ...Object.keys(later.json())].sort()).toEqual([...contentNames].sort())
  for (const name of contentNames) {
    const { data } = (await request(`/api/cms/pages/${name}/?page_size=100`)).json()
    expect([name, { ...content, ...later.json() }[name]]).toEqual([name, data])
  }
  const unknown = await request('/assets/program/later-other.json')
  expect([unknown.headers['cache-control'], unknown.text === later.text]).toEqual(['no-store', true])
})

test('an invitation in the address counts before the one that the browser remembers', async () => {
  const [earlier, invited] = [await newMember(app), await newMember(app)]
  const knownOn = async (path: string) => {
    const { text } = await request(path, { cookie: `public_id=${earlier.publicId}` })
    const [, data = ''] = /id="page-data">(.*?)<\/script>/.exec(text) ?? []
    return JSON.parse(data).boot.known?.publicId ?? null
  }
  expect(await knownOn('/login')).toBe(earlier.publicId)
  expect(await knownOn(`/login?publicId=${invited.publicId}`)).toBe(invited.publicId)
  expect(await knownOn(`/login?publicId=${'x'.repeat(22)}`)).toBeNull()
})

test('the program’s files may be stored by visitors, also when an editor was the first to request them', async () => {
  const editor = 'marta@skyharbor.example'
  const operator = { email: editor, name: 'Marta', role: 'editor', partners: null, password: 'x' } as const
  await addOperator(app.database.consolePools.shared, operator)
  const pass = signPreviewPass(deriveKey(app.settings.APP_SECRET, 'preview'), { partnerId: 'skyharbor', editor })
  const start = async (headers: Record<string, string> = {}) =>
    (await request('/assets/program/unknown.json', headers)).json()
  const { flags: before } = await start()
  const flag = { kind: 'authFlags', name: 'joinMaintenance' } as const
  await writeFlag(app.database.pools.forPartner('skyharbor'), { ...flag, value: true })
  const sent = { cookie: `preview=${pass}` }
  await vi.waitFor(async () => expect((await start(sent)).flags).not.toEqual(before), 20_000)
  const { laterContent, flags } = await start()
  expect(flags).not.toEqual(before)
  expect((await request(laterContent)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const [href = ''] = /\/assets\/program\/[\w-]+\.json/.exec((await request('/earn')).text) ?? []
  expect((await request(href)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
})
