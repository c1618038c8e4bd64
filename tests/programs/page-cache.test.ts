import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { slugOf } from '../../src/dining/merchants/catalog/record.ts'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { Random } from '../../src/platform/random.ts'
import { signPreviewPass } from '../../src/programs/content/preview.ts'
import { loadPrograms } from '../../src/programs/partners/load-programs.ts'
import { startSecondApp, startTestApp, type TestApp, visit } from '../support/app.ts'
import { webForTests } from '../support/built-web.ts'
import { addMerchants, merchantRecord, untilFound } from '../support/merchants.ts'
import { addStaff, createPeople } from '../support/page-people.ts'
import { addressesOf } from '../support/program-pages.ts'
import { scaled, stress } from '../support/scale.ts'

vi.mock('leaflet', () => ({ default: {} }))

let app: TestApp
/** A second process, which only anonymous visitors use: its pages are the expected responses of the first one. */
let control: TestApp
const programs = loadPrograms('programs')
const merchant = merchantRecord()

beforeAll(async () => {
  const web = await webForTests()
  app = await startTestApp({ STAGING_TOOLS: 'false', TRUSTED_PROXY: '127.0.0.0/8' }, web)
  await addStaff(app)
  await addMerchants(app.database.pools.shared, merchant)
  control = await startSecondApp(app, web)
  for (const each of [app, control]) await untilFound(each, 'kumo')
})
afterAll(async () => {
  await control?.stop()
  await app?.stop()
})

function configOf(code: string) {
  const program = programs.get(code)
  if (!program) throw new RangeError(code)
  return program.config
}

const programFiles = new Map<string, string>()

/** Returns the program's file that a page refers to: its address and its content. */
async function programFileOf(target: TestApp, code: string, text: string) {
  const href = /\/assets\/program\/[\w-]+\.json/.exec(text)?.[0]
  if (href === undefined) return { href: null, content: '' }
  const content = programFiles.get(href) ?? (await visit(target, code).get(href)).text
  programFiles.set(href, content)
  return { href, content }
}

/**
 * Returns a page and its program's file without what may differ between two processes: the port, and the id of a request
 * that failed.
 */
async function comparable(
  target: TestApp,
  code: string,
  { text, headers, status }: Awaited<ReturnType<ReturnType<typeof visit>['get']>>,
) {
  // The error page contains its request id, and is therefore not cached.
  const reference = /"reference":"([0-9a-f-]{36})"/.exec(text)?.[1]
  const { href, content } = await programFileOf(target, code, text)
  const shown = href === null ? text : text.replaceAll(href, '') + content
  const body = shown.replaceAll(reference ?? /$^/g, 'REFERENCE').replaceAll(`:${target.port}`, ':PORT')
  return { status, location: headers.location, body }
}

type Comparable = Awaited<ReturnType<typeof comparable>>

/** Returns the context of the first byte in which two pages differ, or an empty string. */
function difference(page: Comparable, expected: Comparable): string {
  const [a, b] = [JSON.stringify(page), JSON.stringify(expected)]
  if (a === b) return ''
  let at = 0
  while (a[at] === b[at]) at++
  return `${a.slice(at - 60, at + 120)} instead of ${b.slice(at - 60, at + 120)}`
}

const seed = Number(process.env.SEED ?? 20261122)

test(`Case 80 an anonymous visitor gets the same page regardless of earlier visitors, at every address (seed ${seed})`, async () => {
  const random = new Random(seed)
  let compared = 0
  let personal = 0
  // Two programs with different sign-in methods; under stress all programs.
  for (const code of stress ? programs.keys() : ['skyharbor', 'beacon']) {
    const people = await createPeople(app, code)
    const stranger = visit(control, code)
    for (const address of addressesOf(configOf(code), slugOf(merchant))) {
      const expected = await comparable(control, code, await stranger.get(address))
      const anonymous = Array.from({ length: 3 }, () => ({ cookies: {}, headers: {}, isAnonymous: true }))
      const shuffled = <T>(list: readonly T[]) =>
        list
          .map((item) => ({ item, at: random.next() }))
          .sort((a, b) => a.at - b.at)
          .map(({ item }) => item)
      // At each address others than at the one before.
      const known = shuffled(people).slice(0, scaled({ full: people.length, short: 4 }))
      for (const visitor of shuffled([...known.map((each) => ({ ...each, isAnonymous: false })), ...anonymous])) {
        const cookies = new Map(Object.entries(visitor.cookies as Record<string, string>))
        const page = await visit(app, code, { cookies }).get(address, visitor.headers as Record<string, string>)
        expect([address, page.status < 500, page.text.includes('attacker.example')]).toEqual([address, true, false])
        if (/Zebulon|Quentin/.test(page.text)) personal++
        if (!visitor.isAnonymous) continue
        expect([code, address, difference(await comparable(app, code, page), expected)]).toEqual([code, address, ''])
        compared++
      }
    }
  }
  // Otherwise nothing was compared, or no page had personal content that could leak.
  expect(compared).toBeGreaterThan(stress ? 300 : 100)
  expect(personal).toBeGreaterThan(stress ? 100 : 20)
})

test('Case 80 a page of a preview is stored by no cache, and is not shown to others', async () => {
  const [editor, stranger] = [visit(app, 'skyharbor'), visit(app, 'skyharbor')]
  const key = deriveKey(app.settings.APP_SECRET, 'preview')
  editor.cookies.set('preview', signPreviewPass(key, { partnerId: 'skyharbor', editor: 'eve@dineback.example' }))
  for (const [visitor, isPreview, caching] of [
    [editor, true, 'private, no-store'],
    [stranger, false, 'public, max-age=0, s-maxage=30'],
    [editor, true, 'private, no-store'],
  ] as const) {
    const { text, headers } = await visitor.get('/?previewed')
    expect([text.includes('"preview":true'), headers['cache-control']]).toEqual([isPreview, caching])
  }
})

test('Case 81 behind a trusted proxy a forwarded host is ignored: pages name the origin of the program', async () => {
  const visitor = visit(app, 'skyharbor')
  for (const path of ['/', `/merchants/${slugOf(merchant)}`, '/?forwarded']) {
    const page = await visitor.get(path, { 'x-forwarded-host': 'attacker.example', 'x-forwarded-proto': 'https' })
    expect([path, page.status, page.text.includes('attacker.example')]).toEqual([path, 200, false])
    const origin = `http://skyharbor.localhost:${app.port}`
    expect(page.text).toContain(`<link rel="canonical" href="${origin}/`)
    expect((await programFileOf(app, 'skyharbor', page.text)).content).toContain(`"origin":"${origin}"`)
  }
})
