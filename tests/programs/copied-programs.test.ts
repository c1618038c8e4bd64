import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outboundFetch } from '../../src/platform/http/outbound-fetch.ts'
import { loadPrograms } from '../../src/programs/partners/load-programs.ts'
import { startTestApp, type TestApp, visit } from '../support/app.ts'
import { webForTests } from '../support/built-web.ts'
import { addressesOf } from '../support/program-pages.ts'

vi.mock('leaflet', () => ({ default: {} }))

const originals = loadPrograms('programs')
/** The fields that are changed in the copy of a sample. */
const names = { name: 'Acme', programName: 'Acme Table Club', currencyName: 'tokens', product: 'Tokens' }
const copyOf = (code: string) => `acme-${code}`

let folder: string
let app: TestApp

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'copied-programs-'))
  cpSync('programs', folder, { recursive: true })
  for (const code of originals.keys()) {
    const copy = join(folder, copyOf(code))
    cpSync(join('programs', code), copy, { recursive: true })
    const file = join(copy, 'program.json')
    const config = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...config, code: copyOf(code), ...names }))
  }
  cpSync('docs/starter-program', join(folder, 'starter'), { recursive: true })
  for (const [code, isDiscover] of [
    ['bare', false],
    ['discovered', true],
  ] as const) {
    const bare = join(folder, code)
    for (const name of ['program.json', 'theme.json', 'logo.svg', 'mark.svg'])
      cpSync(join('docs/starter-program', name), join(bare, name))
    const config = JSON.parse(readFileSync(join(bare, 'program.json'), 'utf8'))
    const { routeMeta, extraPaths, ...required } = config
    const discover = isDiscover && { homePage: 'Discover', hasDiscoverPage: true }
    writeFileSync(join(bare, 'program.json'), JSON.stringify({ ...required, ...discover, code }))
  }
  app = await startTestApp({ PROGRAMS_DIR: folder }, await webForTests())
})
afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('GEN-003 a copy of each sample under another code is served next to the samples', async () => {
  expect(app.programs.size).toBe(2 * originals.size + 3)
  for (const code of app.programs.keys()) {
    const home = await visit(app, code).get('/')
    expect([code, home.status]).toEqual([code, 200])
    expect(home.text).toContain(app.programs.get(code)?.config.programName)
  }
})

test.each([...originals])('the pages of a copy of %s use its own names', async (code, { config }) => {
  const copied = app.programs.get(copyOf(code))
  if (!copied) throw new Error(code)
  const visitor = visit(app, copyOf(code))
  const wrong: string[] = []
  const foreign = [config.programName, config.name, config.currencyName].map(
    (name) => `(?<![\\w.@/-])${name}(?![\\w-])`,
  )
  const faults = new RegExp(`.{0,40}(${foreign.join('|')}|\\{\\w+Name\\}).{0,40}`, 'gi')
  // Counterpart: the expression finds the names in the original.
  expect((await visit(app, code).get('/')).text).toMatch(new RegExp(foreign[0] ?? '', 'i'))
  expect((await visit(app, code).get('/')).text).toMatch(new RegExp(foreign[2] ?? '', 'i'))
  let pagesWithName = 0
  for (const address of addressesOf(copied.config, 'nowhere')) {
    const { text } = await visitor.get(address)
    // An email address may contain a line break opportunity at its @.
    const shown = text.replace(/<script[\s\S]*?<\/script>|<wbr>/g, '')
    if (shown.includes(names.programName)) pagesWithName++
    for (const found of shown.matchAll(faults)) {
      wrong.push(`${address}: ${found[0]}`)
    }
  }
  expect(wrong).toEqual([])
  expect(pagesWithName).toBeGreaterThan(5)
})

test('the starter folder is a program whose pages render, with every token replaced', async () => {
  const starter = app.programs.get('starter')
  if (!starter) throw new Error('no starter')
  const visitor = visit(app, 'starter')
  for (const address of ['/', '/search', '/how-it-works', '/earn', '/terms', '/privacy', '/join', '/login']) {
    const { status, text } = await visitor.get(address)
    expect([address, status]).toEqual([address, 200])
    // An email address may contain a line break opportunity at its @.
    const shown = text.replace(/<script[\s\S]*?<\/script>|<wbr>/g, '')
    expect(shown).toContain('Your Brand')
    expect(shown).not.toMatch(/\{\w+\}/)
  }
})

test.each(['bare', 'discovered'])(
  'HOME-014 a program with nothing but the required files (%s) has a front page, and every link of its menus leads to a page',
  async (code) => {
    const visitor = visit(app, code)
    const { text } = await visitor.get('/')
    const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''
    expect(main).toContain('How it works')
    expect(main).toContain('Link a card.')
    const links = [...text.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
    expect(links).toContain('/how-it-works')
    const failed: unknown[] = []
    for (const link of new Set(links)) {
      const { status } = await visitor.get(link)
      if (status >= 400) failed.push([link, status])
    }
    expect(failed).toEqual([])
  },
)

test('ROUTE-047 an address in capitals leads to its page, and one that is no page in any letters is not found', async () => {
  const visitor = visit(app, 'starter')
  for (const [address, to] of [
    ['/SEARCH?location=NYC', '/search?location=NYC'],
    ['/How-It-Works', '/how-it-works'],
    ['/Nowhere', '/nowhere'],
  ]) {
    const { status, headers } = await visitor.get(address as string)
    expect([address, status, headers.location]).toEqual([address, 308, to])
  }
  expect((await visitor.get('/nowhere')).status).toBe(404)
})

test('an address below the content route of a program that is too long for a call is not taken for a page', async () => {
  const visitor = visit(app, 'beacon')
  for (const path of [`/beacon/cms/*/${'x'.repeat(201)}/`, '/beacon/cms/a/b/c/', '/beacon/cms/']) {
    const { status, json } = await visitor.get(path)
    expect([path, status, json().code]).toEqual([path, 404, 'notFound'])
  }
})

test('SESS-016 members of a copied program sign in at the sample bank as members of that program', async () => {
  for (const code of ['beacon', copyOf('beacon')]) {
    const visitor = visit(app, code)
    const start = await visitor.get('/Login')
    const address = new URL(String(start.headers.location))
    expect([code, address.hostname, address.searchParams.get('client_id')]).toEqual([code, 'id.localhost', code])
    const bank = browser()
    const page = await bank.follow(address)
    const text = await page.text()
    expect(text).toContain(`Sign in to ${app.programs.get(code)?.config.name}`)
    expect([page.status, text.includes('Wrong user name or password.')]).toEqual([200, false])
    const wrong = new URLSearchParams({ userName: 'ada@beacon.example', password: 'dine-with-bob' })
    const rejected = await bank.follow(new URL(`${page.url}/login`), wrong)
    expect([rejected.status, (await rejected.text()).includes('Wrong user name or password.')]).toEqual([401, true])
    // The longest form that is read, and one character more.
    for (const [length, status] of [
      [4096, 401],
      [4097, 400],
    ] as const) {
      const password = 'x'.repeat(length - 'userName=ada&password='.length)
      const long = await bank.follow(new URL(`${page.url}/login`), new URLSearchParams({ userName: 'ada', password }))
      expect([length, long.status]).toEqual([length, status])
    }
    const form = new URLSearchParams({ userName: 'ada@beacon.example', password: 'dine-with-ada' })
    const back = await bank.follow(new URL(`${page.url}/login`), form)
    const callback = new URL(String(back.headers.get('location')))
    expect(callback.host).toBe(`${code}.localhost:${app.port}`)
    const ended = await visitor.get(callback.pathname + callback.search)
    expect([code, ended.status, ended.headers.location]).toEqual([code, 303, '/join'])
  }
})

test('SURV-009 the surveys of a sample and of its copy show on their own pages', async () => {
  let surveys = 0
  for (const [code, { config, content }] of app.programs) {
    for (const { fields } of content.surveys ?? []) {
      const address = `http://forms.localhost:${app.port}/forms/${config.formServiceCode}/${fields.id}`
      const page = await outboundFetch(address)
      expect([code, page.status]).toEqual([code, 200])
      expect(page.headers.get('content-security-policy')).toContain(
        `frame-ancestors http://${code}.localhost:${app.port}`,
      )
      surveys++
    }
  }
  expect(surveys).toBeGreaterThanOrEqual(2 * originals.size)
})

/** A browser at the bank: it stores cookies, and stops at redirects away from the bank. */
function browser() {
  const cookies = new Map<string, string>()
  async function follow(address: URL, form?: URLSearchParams): Promise<Response> {
    const response = await outboundFetch(address.href, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    if (next === null) return Object.defineProperty(response, 'url', { value: address.href })
    const target = new URL(next, address)
    return target.hostname === 'id.localhost' ? follow(target) : response
  }
  return { follow }
}
