import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page, type Request } from '@playwright/test'
import type pg from 'pg'
import { ownServer } from './journey-servers.ts'
import { queryAsOwner } from './owner.ts'
import { typedCardNumbers } from './typed-card-numbers.ts'

/** Returns the address of a page of a program, on this worker's server. */
export const at = (partner: string, path = '/') => `http://${partner}.localhost:${ownServer().port}${path}`

/** Returns the address of the list of programs. */
export const gallery = () => `http://localhost:${ownServer().port}/`

/**
 * Opens a program's smallest page, without scripts, where a journey only needs its origin: to call its API, or to set
 * what its browser stores. A page of the app would take a third of a second.
 */
export const openOrigin = (page: Page, partner: string) => page.goto(at(partner, '/robots.txt'))

/**
 * Opens a page and waits until its API calls have responses and none has followed for half a second. Playwright's
 * `networkidle` was never reached, once, on a page that creates a frame.
 */
export async function openAndAwaitCalls(page: Page, address: string): Promise<void> {
  const pending = new Set<Request>()
  let changedAt = performance.now()
  const add = (request: Request) => {
    if (!new URL(request.url()).pathname.startsWith('/api/')) return
    pending.add(request)
    changedAt = performance.now()
  }
  const remove = (request: Request) => {
    if (pending.delete(request)) changedAt = performance.now()
  }
  page.on('request', add).on('requestfinished', remove).on('requestfailed', remove)
  await page.goto(address)
  await expect.poll(() => pending.size === 0 && performance.now() - changedAt > 500).toBe(true)
  page.off('request', add).off('requestfinished', remove).off('requestfailed', remove)
}

let addresses = 0

/** Returns an address that no other journey of this run uses. See address-from-user-agent.ts. */
function uniqueAddress(): string {
  addresses++
  const worker = Number(process.env.TEST_WORKER_INDEX ?? 0) & 255
  return `10.${worker}.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** Returns the browser's regular user agent. */
function plainUserAgent(version: string): string {
  const [major] = version.split('.')
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/${major}.0.0.0 Safari/537.36`
}

interface JourneyFixtures {
  /** Fails the journey on console errors and uncaught page errors. */
  failOnConsoleError: string[]
  /** Console errors that the test expects. */
  tolerated: RegExp
  /** Whether pop-ups may show, as in a new browser. */
  popUps: boolean
  dismissPopups: undefined
}

/** Options of journeys about motion: animations run, as for most visitors. */
export const withMotion = { contextOptions: { reducedMotion: 'no-preference' as const } }

/**
 * Details of a journey that `npm test` leaves out: its requirements have another test, and what it adds (a program, a
 * width, a rare state) seldom breaks alone. `npm test -- journeys` runs it.
 */
export const further = { tag: '@further' }

/** The details of a journey that runs for several programs, widths or directions: one of them is the main one. */
export const furtherUnless = (isMain: boolean) => (isMain ? {} : further)

export const test = base.extend<JourneyFixtures>({
  // Chromium itself crashes while it starts, about once in some thousand times, which says nothing about the app.
  browser: [
    async ({ playwright, browserName }, use) => {
      const launch = () => playwright[browserName].launch()
      const browser = await launch().catch(launch)
      await use(browser)
      await browser.close()
    },
    { scope: 'worker', timeout: 0 },
  ],
  userAgent: async ({ browser }, use) => use(`${plainUserAgent(browser.version())} journey/${uniqueAddress()}`),
  popUps: [false, { option: true }],
  dismissPopups: [
    async ({ page, popUps }, use) => {
      if (!popUps) await dismissPopups(page)
      await waitForScripts(page)
      await use(undefined)
    },
    { auto: true },
  ],
  tolerated: [/status of (401|404|422)/, { option: true }],
  failOnConsoleError: [
    async ({ page, tolerated }, use) => {
      const errors: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' && !tolerated.test(message.text())) errors.push(message.text())
      })
      page.on('pageerror', (error) => errors.push(String(error)))
      watchCardNumbers(page, errors)
      await use(errors)
      expect(errors).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Fails when a request to any host other than the vault has a card number in its address, body or headers. */
function watchCardNumbers(page: Page, errors: string[]): void {
  page.on('request', (request) => {
    if (typedCardNumbers.size === 0) return
    const url = new URL(request.url())
    const sent = [request.url(), request.postData() ?? '', JSON.stringify(request.headers())].join('\n')
    if ([...typedCardNumbers].some((number) => sent.includes(number)))
      errors.push(`a card number was sent to ${url.host}${url.pathname}`)
  })
}

/**
 * Makes every action wait for hydration: before that, a press has no effect, or the browser posts the form by itself. A
 * form within its own boundary is hydrated after the document.
 */
async function waitForScripts(page: Page): Promise<void> {
  const nativeForm = ".//main//form[@method='post'][not(@novalidate)]/fieldset"
  // Checked before every action. As CSS it takes 4 ms more, because Playwright evaluates `:has()` by itself.
  const untaken = page.locator(`xpath=/html[.//script[@type='module']][not(@data-scripted) or ${nativeForm}]`)
  await page.addLocatorHandler(untaken, async () => {})
  const goto = page.goto.bind(page)
  page.goto = async (...given) => {
    const response = await goto(...given)
    // One call where all is well; otherwise the checks below say what is missing, or wait longer.
    const isReady = await page.waitForFunction(pageIsReady, undefined, { timeout: 5_000 }).catch(() => null)
    if (isReady) return response
    await expect(untaken).toHaveCount(0)
    // Markup of content is never hydrated: it is not waited for.
    await expect(page.locator('form > fieldset:disabled')).toHaveCount(0)
    return response
  }
}

/** Runs in the page: returns whether React has hydrated every control, including those within their own boundaries. */
function pageIsReady(): boolean {
  const isScripted = document.documentElement.hasAttribute('data-scripted')
  if (!isScripted) return document.querySelector('script[type="module"]') === null
  if (document.querySelector('form > fieldset:disabled')) return false
  return [...document.querySelectorAll('main :is(button, input, select, textarea)')].every((control) =>
    Object.keys(control).some((key) => key.startsWith('__reactProps')),
  )
}

/** Marks every pop-up and survey as closed in the page's browser. */
export async function dismissPopups(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // Frames with an opaque origin have no storage.
    if (window.origin === 'null') return
    localStorage.setItem('RN_GENERAL_POPUP', 'welcome,this-is-big,points-plus')
    localStorage.setItem('RN_ANNOUNCEMENT', String(Date.now()))
    localStorage.setItem('RN_SSO_MODAL', String(Date.now()))
    for (const survey of ['sky-booking', 'gal-pump', 'bea-clarity', 'orc-stay', 'lan-dispatch'])
      localStorage.setItem(`RN_SURVEY_${survey}`, String(Date.now()))
  })
}

/** Fails when axe finds a violation, once the page has settled. */
export async function expectNoA11yViolations(page: Page): Promise<void> {
  // Does not wait for `networkidle`, because an activity stream stays open.
  await expect(page.locator('main:not([aria-busy="true"])')).toBeVisible()
  await page.evaluate(() => document.fonts.ready.then(() => true))
  // The tooltip of what was clicked is in no region of the page.
  await page.mouse.move(0, 0)
  await page
    .waitForFunction(() => !document.querySelector('[role=tooltip]'), undefined, { timeout: 3_000 })
    .catch(() => {})
  await expectAccessible(page)
}

/** Fails when axe finds a violation in the current page. */
export async function expectAccessible(page: Page): Promise<void> {
  // A page without frames is analyzed in place. The builder would load axe in it twice, analyze in a second page, and
  // return more than violations, with the same result.
  expectNone(page.frames().length === 1 ? await runAxe(page, axeOptions) : await runAxeWithFrames(page))
}

/** Fails when axe finds a violation of its rules about color: for a page of which only the colors have changed. */
export async function expectAccessibleColors(page: Page): Promise<void> {
  expectNone(await runAxe(page, { ...axeOptions, runOnly: ['color-contrast', 'link-in-text-block'] }))
}

const expectNone = (violations: Violations) =>
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 160))])).toEqual([])

// `target-size` is a rule of WCAG 2.2 that axe leaves off unless it is asked for.
const axeOptions = { resultTypes: ['violations' as const], rules: { 'target-size': { enabled: true } } }

const runAxeWithFrames = async (page: Page) => (await new AxeBuilder({ page }).options(axeOptions).analyze()).violations

type Violations = Awaited<ReturnType<typeof runAxeWithFrames>>

/** The version of axe that the builder uses. */
const axeCore: { source: string } = createRequire(import.meta.resolve('@axe-core/playwright'))('axe-core')

async function runAxe(page: Page, how: Parameters<AxeBuilder['options']>[0]): Promise<Violations> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source)
  return page.evaluate(async (options) => {
    const { axe } = window as unknown as {
      axe: { run(on: Document, how: unknown): Promise<{ violations: Violations }> }
    }
    return (await axe.run(document, options)).violations
  }, how)
}

/** Pauses the page's clock, which `page.clock.install()` has replaced: from then on only the test moves it. */
export async function pauseClock(page: Page): Promise<void> {
  // Ahead of the current time, because the clock runs until it is paused.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
}

/** Advances the page's clock, and waits until every resulting request has been sent. */
export async function advanceClock(page: Page, ms: number): Promise<void> {
  await page.clock.runFor(ms)
  // Requests are sent in order: when this one gets its response, the earlier ones were sent.
  await page.evaluate(() => fetch('/api/CSRF').then((response) => response.text()))
}

/** Runs a statement as the owner of this worker's database. */
export async function asOwner<T extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<T[]> {
  return queryAsOwner<T>(ownServer().databaseUrl, statement, values)
}

/** Calls the API from within a page of the program, with its session: only browsers resolve names below localhost. */
export async function callApi(page: Page, path: string, init?: { method: string; body?: unknown }) {
  return page.evaluate(
    async ([address, method, body]) => {
      const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/json' })
      if (method !== 'GET') headers.set('x-xsrf-token', (await (await fetch('/api/CSRF')).json()).csrfToken)
      const response = await fetch(address, { method, headers, ...(body !== undefined && { body }) })
      return response.json()
    },
    [path, init?.method ?? 'GET', init?.body === undefined ? undefined : JSON.stringify(init.body)] as const,
  )
}

const readMerchants = (page: Page, ids: string[]) =>
  page.evaluate((all) => Promise.all(all.map(async (id) => (await fetch(`/api/v2/Merchants/${id}`)).json())), ids)

/** Returns the first restaurant of a search whose page satisfies a condition. */
export async function findMerchant(
  page: Page,
  query: string,
  // biome-ignore lint/suspicious/noExplicitAny: a restaurant's page has many shapes, tests look into all of them
  fits: (merchant: any) => boolean = () => true,
  // biome-ignore lint/suspicious/noExplicitAny: see above
): Promise<any> {
  for (let pageNo = 1; pageNo <= 6; pageNo++) {
    const { merchants } = await callApi(page, `/api/v2/Merchants/Search?${query}&pageSize=50&pageNo=${pageNo}`)
    const ids = merchants.map(({ id }: { id: string }) => id)
    // Often the first one fits; the others are requested ten at a time.
    for (let from = 0; from < ids.length; from = from === 0 ? 1 : from + 10) {
      const found = (await readMerchants(page, ids.slice(from, from === 0 ? 1 : from + 10))).find(fits)
      if (found) return found
    }
  }
  throw new Error(`no restaurant for ${query}`)
}
