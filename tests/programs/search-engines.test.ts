import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createSitemaps } from '../../src/app/server/sitemap.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { publish, readEntry, saveDraft, withdraw } from '../../src/programs/content/service.ts'
import { memberPaths } from '../../src/programs/partners/rules.ts'
import { startTestApp, type TestApp, visit } from '../support/app.ts'
import { webForTests } from '../support/built-web.ts'
import { send } from '../support/http.ts'
import { addMerchants, merchantRecord, untilFound } from '../support/merchants.ts'

vi.mock('leaflet', () => ({ default: {} }))

let app: TestApp
const kumo = merchantRecord({ rating: { sum: 450, count: 100 } })
/** Twelve more restaurants of the city: two pages. */
const others = Array.from({ length: 12 }, (_, index) =>
  merchantRecord({ sourceId: `other-${index}`, name: `Zucca ${index}`, cuisines: ['Italian', 'Pizza'] }),
)
const neighbor = merchantRecord({
  sourceId: 'brooklyn',
  name: 'Bay & Sons',
  city: 'Brooklyn',
  latitude: 40.6872,
  longitude: -73.9718,
})
const former = merchantRecord({ sourceId: 'former', name: 'Gone', city: 'Albany', participating: false })
const louisiana = merchantRecord({
  sourceId: 'la',
  name: 'Creole',
  city: 'New Orleans',
  state: 'LA',
  latitude: 29.95,
  longitude: -90.07,
})
const programs = ['beacon', 'gallonaire', 'lantern', 'orchard', 'skyharbor']

beforeAll(async () => {
  app = await startTestApp({ STAGING_TOOLS: 'false' }, await webForTests())
  await addMerchants(app.database.pools.shared, kumo, ...others, neighbor, louisiana, former)
  await untilFound(app, 'kumo')
})
afterAll(() => app?.stop())

const get = (path: string, partner = 'skyharbor') => visit(app, partner).get(path)
const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url)
const slugs = () => app.model.list(0, 100).map(({ publicId }) => publicId)
const canonicalOf = (text: string) => /<link rel="canonical" href="([^"]*)"/.exec(text)?.[1] ?? null
const isUnlisted = (text: string) => text.includes('<meta name="robots" content="noindex"/>')
const contentOf = (text: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(text)?.[1]
const dataOf = (text: string): { '@type': string; [name: string]: unknown }[] =>
  [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) => JSON.parse(json))

test('ROUTE-039 robots.txt of a program names its sitemap and excludes the API and the pages of members', async () => {
  for (const partner of programs) {
    const { status, text, headers } = await get('/robots.txt', partner)
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text).toContain(`Sitemap: ${app.origin(partner)}/sitemap.xml`)
    expect(text).toContain('Disallow: /api/\n')
    expect(text).not.toContain('Disallow: /\n')
    // The page itself, with a query, and what is below it; a longer name that begins alike is another page.
    for (const path of memberPaths)
      for (const end of ['$', '?', '/']) expect(text).toContain(`Disallow: ${path}${end}\n`)
  }
  expect((await get('/robots.txt', 'beacon')).text).toContain('Disallow: /beacon/cms/\n')
})

test('ROUTE-039 no page of a console, vault, form service, identity provider or gallery is for search engines', async () => {
  for (const host of ['console.localhost', 'vault.localhost', 'forms.localhost', 'id.localhost', 'localhost']) {
    const { status, headers, text } = await send({ port: app.port, host, path: '/robots.txt' })
    expect([host, status, headers['content-type'], text]).toEqual([
      host,
      200,
      'text/plain; charset=utf-8',
      'User-agent: *\nDisallow: /\n',
    ])
    const head = await send({ port: app.port, host, path: '/robots.txt', method: 'HEAD' })
    expect([host, head.status, head.headers['content-type']]).toEqual([host, 200, 'text/plain; charset=utf-8'])
  }
})

test('an unknown path of the gallery is a problem document', async () => {
  const { status, headers, text } = await send({ port: app.port, host: 'localhost', path: '/nowhere' })
  expect([status, headers['content-type']]).toEqual([404, expect.stringMatching(/^application\/problem\+json/)])
  expect(JSON.parse(text)).toMatchObject({ code: 'notFound', status: 404 })
})

test('ROUTE-040 the sitemap lists exactly the public pages of a program, and all of them can be requested', async () => {
  for (const partner of programs) {
    const origin = app.origin(partner)
    const { status, text, headers } = await get('/sitemap.xml', partner)
    expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
    const urls = locations(text)
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls.filter((url) => !url.startsWith(`${origin}/`))).toEqual([])
    const paths = urls.map((url) => url.slice(origin.length))
    expect(paths).toEqual(
      expect.arrayContaining([
        '/',
        '/terms',
        '/restaurants',
        '/restaurants/new-york-ny',
        '/restaurants/new-york-ny/pizza',
        '/restaurants/brooklyn-ny/japanese',
        ...slugs().map((slug) => `/merchants/${slug}`),
      ]),
    )
    expect(paths.filter((path) => path.includes('albany'))).toEqual([])
    const shown = paths.filter((path) => !path.startsWith('/merchants/zucca'))
    for (const path of shown) {
      const page = await get(path, partner)
      const seen = { path, status: page.status, canonical: canonicalOf(page.text), unlisted: isUnlisted(page.text) }
      expect(seen).toEqual({ path, status: 200, canonical: origin + path, unlisted: false })
    }
  }
})

test('ROUTE-040 a restaurant’s entry has the date of its last change', async () => {
  const { text } = await get('/sitemap.xml')
  const [{ publicId, updatedOn } = { publicId: '', updatedOn: '' }] = app.model.list(0, 1)
  expect(updatedOn).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(text).toContain(`/merchants/${publicId}</loc><lastmod>${updatedOn}</lastmod>`)
})

test('ROUTE-040 the sitemap follows the restaurants', async () => {
  const locationsOf = async () => locations((await get('/sitemap.xml')).text).filter((url) => url.includes('/zebra'))
  expect(await locationsOf()).toEqual([])
  const zebra = merchantRecord({ sourceId: 'zebra', name: 'Zebra Grill' })
  await addMerchants(app.database.pools.shared, zebra)
  await untilFound(app, 'zebra')
  expect(await locationsOf()).toHaveLength(1)
  await addMerchants(app.database.pools.shared, { ...zebra, participating: false })
  await vi.waitFor(async () => expect(await locationsOf()).toEqual([]), 20_000)
})

test('ROUTE-040 the sitemap follows the content of its program', async () => {
  const partnerId = 'lantern'
  const isListed = async () =>
    locations((await get('/sitemap.xml', partnerId)).text)
      .join()
      .includes('/earn/in-season')
  expect(await isListed()).toBe(false)
  const ctx = { partnerId, db: app.database.pools.forPartner(partnerId) }
  const entry = { collection: 'earn_details', slug: 'in-season' }
  const fields = { url: '/earn/in-season', main_column: [{ type: 'title', text: 'In season' }] }
  const { version } = await saveDraft(ctx, { ...entry, fields, basedOn: 0 }, 'marta@lantern.example')
  await publish(ctx, { ...entry, version }, 'marta@lantern.example')
  await vi.waitFor(async () => expect(await isListed()).toBe(true), 20_000)
  const { live } = await readEntry(ctx, entry)
  await withdraw(ctx, { releaseId: live?.id ?? 0 }, 'marta@lantern.example')
  await vi.waitFor(async () => expect(await isListed()).toBe(false), 20_000)
})

test('ROUTE-040 the sitemap is sent compressed, answers HEAD, and is not sent again to a client that has it', async () => {
  const { host } = visit(app, 'skyharbor')
  const inject = (method: 'GET' | 'HEAD', headers: Record<string, string> = {}) =>
    app.partnerApp.inject({ method, url: '/sitemap.xml', headers: { host, ...headers } })
  const plain = await inject('GET')
  const compressed = await inject('GET', { 'accept-encoding': 'br' })
  expect(compressed.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(plain.payload)
  const etag = String(compressed.headers.etag)
  expect((await inject('GET', { 'accept-encoding': 'br', 'if-none-match': etag })).statusCode).toBe(304)
  const head = await inject('HEAD')
  expect([head.statusCode, head.payload, head.headers.etag]).toEqual([200, '', plain.headers.etag])
  expect((await get('/sitemap/2.xml')).status).toBe(404)
  expect((await get('/sitemap/0.xml')).status).toBe(404)
})

test('ROUTE-040 too many addresses for one file are listed in several, each once', async () => {
  const maxAddresses = 7
  const sitemaps = createSitemaps({ model: app.model, origin: app.origin, maxAddresses })
  const ctx = contextOf('skyharbor')
  const textOf = async (file: number | null) => (await sitemaps.find(ctx, file))?.plain.toString() ?? ''
  const index = await textOf(null)
  const files = locations(index)
  expect(index).toContain('<sitemapindex ')
  expect(files[0]).toBe(`${app.origin('skyharbor')}/sitemap/1.xml`)
  const parts = await Promise.all(files.map((_url, file) => textOf(file)))
  const listed = parts.map(locations)
  expect(listed.filter(({ length }) => length > maxAddresses || length === 0)).toEqual([])
  expect(listed.flat()).toEqual(locations((await get('/sitemap.xml')).text))
  expect(await sitemaps.find(ctx, files.length)).toBeUndefined()
  // As many as fit into one file.
  const all = locations((await get('/sitemap.xml')).text)
  const whole = createSitemaps({ model: app.model, origin: app.origin, maxAddresses: all.length })
  expect(locations((await whole.find(ctx, null))?.plain.toString() ?? '')).toEqual(all)
  expect(await whole.find(ctx, 1)).toBeUndefined()
})

/** Returns the part of a request's context that sitemaps read. */
function contextOf(partnerId: string): Ctx {
  const program = app.programs.get(partnerId)
  return { partnerId, program, content: { shown: app.content.of(partnerId) }, flags: {} } as unknown as Ctx
}

test('ROUTE-041 the canonical address has what makes another page and nothing else', async () => {
  const origin = app.origin('skyharbor')
  const [slug = ''] = slugs()
  const expected = {
    '/?utm_source=email&publicId=x': '/',
    '/search?gclid=1': '/search',
    '/restaurants/new-york-ny?utm_medium=cpc': '/restaurants/new-york-ny',
    '/restaurants/new-york-ny?pageNo=2&utm_medium=cpc': '/restaurants/new-york-ny?pageNo=2',
    '/restaurants/new-york-ny?pageNo=1': '/restaurants/new-york-ny',
    [`/merchants/${slug}?fbclid=2`]: `/merchants/${slug}`,
    [`/merchants/${slug}/order-online`]: `/merchants/${slug}`,
  }
  for (const [path, canonical] of Object.entries(expected)) {
    const { text } = await get(path)
    expect([path, canonicalOf(text), contentOf(text, 'og:url')]).toEqual([path, origin + canonical, origin + canonical])
  }
})

test('ROUTE-041 pages of members, filtered searches and error pages are not for search engines', async () => {
  const paths = [
    '/surveys/success',
    '/recover',
    '/error',
    '/not_found',
    '/no-such-page',
    '/merchants/no-such-place',
    '/restaurants/no-such-city',
    '/search?location=10001',
    '/search?restaurantOrCuisine=pizza&priceRange=2',
  ]
  for (const path of paths) {
    const { text } = await get(path)
    expect([path, isUnlisted(text), canonicalOf(text)]).toEqual([path, true, null])
  }
})

test('ROUTE-042 a city or cuisine of any length and script that is not there is not found', async () => {
  // The longest slug would end within the last character.
  const long = `${'a'.repeat(79)}${encodeURIComponent('🍕')}`
  for (const path of [`/restaurants/${long}`, `/restaurants/new-york-ny/${long}`]) {
    expect([path, (await get(path)).status]).toEqual([path, 404])
  }
})

test('ROUTE-042 a city and its cuisines have pages with real links, and only those with restaurants', async () => {
  const { text } = await get('/restaurants/new-york-ny')
  expect(text).toMatch(/<h1[^>]*>Restaurants in New York, NY<\/h1>/)
  expect(text).toContain('13 restaurants where you earn miles')
  // The best rated restaurant is first.
  expect(text.indexOf('>Kumo<')).toBeLessThan(text.indexOf('>Zucca '))
  for (const href of [
    '/restaurants',
    '/restaurants/new-york-ny?pageNo=2',
    '/restaurants/new-york-ny/pizza',
    '/restaurants/brooklyn-ny',
    `/merchants/${slugs()[0]}`,
  ])
    expect(text).toContain(`href="${href}"`)
  const second = (await get('/restaurants/new-york-ny?pageNo=2')).text
  expect(second.match(/<article/g)).toHaveLength(3)
  const pizza = (await get('/restaurants/new-york-ny/pizza', 'lantern')).text
  expect(pizza).toMatch(/<h1[^>]*>Pizza restaurants in New York, NY<\/h1>/)
  expect(pizza).toContain('12 restaurants where you earn rewards')
  expect(pizza).not.toContain('>Kumo<')
  for (const path of ['albany-ny', 'new-york-ny/ramen', 'nowhere-zz', `${'x'.repeat(150)}`])
    expect([path, (await get(`/restaurants/${path}`)).status]).toEqual([path, 404])
  const capitals = await get('/restaurants/New-York-NY')
  expect([capitals.status, capitals.headers.location]).toEqual([308, '/restaurants/new-york-ny'])
  for (const pageNo of ['3', '99999999'])
    expect((await get(`/restaurants/new-york-ny?pageNo=${pageNo}`)).status).toBe(404)
})

test('ROUTE-042 the list of cities links every city, and a restaurant’s page its city and cuisine', async () => {
  const { text } = await get('/restaurants')
  // The code of a state can be the short name of a city: LA.
  for (const state of ['Louisiana', 'New York']) expect(text).toMatch(new RegExp(`<h2[^>]*>${state}</h2>`))
  for (const path of ['/restaurants/new-york-ny', '/restaurants/brooklyn-ny']) expect(text).toContain(`href="${path}"`)
  expect(text).toContain('15 restaurants in 3 cities')
  const merchant = (await get(`/merchants/${slugs()[0]}`)).text
  for (const href of ['/restaurants', '/restaurants/new-york-ny', '/restaurants/new-york-ny/japanese'])
    expect(merchant).toContain(`href="${href}"`)
})

test('ROUTE-043 lists, restaurants and breadcrumbs are described for search engines', async () => {
  const origin = app.origin('skyharbor')
  const [slug = ''] = slugs()
  const city = dataOf((await get('/restaurants/new-york-ny/japanese')).text)
  expect(city).toContainEqual({
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name: 'Japanese restaurants in New York, NY',
    itemListElement: [{ '@type': 'ListItem', position: 1, name: 'Kumo', url: `${origin}/merchants/${slug}` }],
  })
  const merchant = dataOf((await get(`/merchants/${slug}`)).text)
  expect(merchant.map((data) => data['@type']).sort()).toEqual(['BreadcrumbList', 'Restaurant'])
  const trail = merchant.find((data) => data['@type'] === 'BreadcrumbList')?.itemListElement
  expect(trail).toEqual(
    ['/restaurants', '/restaurants/new-york-ny', '/restaurants/new-york-ny/japanese', `/merchants/${slug}`].map(
      (path, index) => expect.objectContaining({ position: index + 1, item: origin + path }),
    ),
  )
})

test('ROUTE-044 MERCH-016 every page has a preview with an absolute image that can be requested', async () => {
  const [slug = ''] = slugs()
  for (const partner of programs) {
    const images = new Set<string>()
    for (const path of ['/', `/merchants/${slug}`, '/restaurants/new-york-ny']) {
      const { text } = await get(path, partner)
      const image = contentOf(text, 'og:image') ?? ''
      expect(image.startsWith(`${app.origin(partner)}/`)).toBe(true)
      expect(contentOf(text, 'twitter:card')).toBe('summary_large_image')
      for (const name of ['og:title', 'og:description', 'og:url', 'og:image:alt'])
        expect(contentOf(text, name)).toBeTruthy()
      images.add(image)
    }
    expect(images.size).toBe(2)
    for (const image of images) {
      const { status, headers } = await get(image.slice(app.origin(partner).length), partner)
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'image/png',
        'public, max-age=31536000, immutable',
      ])
    }
  }
})

test('ROUTE-030 every public page of a program has its own title and a description', async () => {
  for (const partner of programs) {
    const origin = app.origin(partner)
    const urls = locations((await get('/sitemap.xml', partner)).text).filter((url) => !url.includes('/zucca'))
    const titles = new Map<string, string>()
    for (const url of urls) {
      const { text } = await get(url.slice(origin.length), partner)
      const title = /<title>([^<]*)<\/title>/.exec(text)?.[1] ?? ''
      expect([url, titles.get(title)]).toEqual([url, undefined])
      titles.set(title, url)
      const description = contentOf(text, 'description') ?? ''
      expect([url, description, description.length > 20]).toEqual([url, description, true])
    }
  }
})
