import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import pg from 'pg'

const port = process.env.BASE_PORT ?? '3000'

/** The origin of a program. */
export const at = (partner: string, path = '/') => `http://${partner}.localhost:${port}${path}`
export const gallery = `http://localhost:${port}/`

/** A page that fails its test when the console or the page itself has an error. */
export const test = base.extend<{ quiet: string[]; tolerated: RegExp; popUps: boolean; undisturbed: undefined }>({
  /** Whether this browser is one that has never closed a pop-up. */
  popUps: [false, { option: true }],
  undisturbed: [
    async ({ page, popUps }, use) => {
      if (!popUps) await undisturbed(page)
      // All journeys come from one address: what the last one tried is not held against this one.
      if (process.env.JOURNEY_DATABASE_URL) await asOwner('delete from attempts')
      await waitForScripts(page)
      await use(undefined)
    },
    { auto: true },
  ],
  /** What a browser says of an answer that the test is about. */
  tolerated: [/status of (401|404|422)/, { option: true }],
  quiet: [
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

/** Whatever leaves the browser for anywhere but the vault holds no card number, in its address, its body or its headers. */
function watchCardNumbers(page: Page, errors: string[]): void {
  page.on('request', (request) => {
    const url = new URL(request.url())
    const numbers = cardNumbersTyped()
    if (numbers.length === 0) return
    const sent = [request.url(), request.postData() ?? '', JSON.stringify(request.headers())].join('\n')
    if (numbers.some((number) => sent.includes(number)))
      errors.push(`a card number was sent to ${url.host}${url.pathname}`)
  })
}

/** Whatever is pressed, typed or looked for waits until the script has taken the page over: before that, a press does nothing. */
async function waitForScripts(page: Page): Promise<void> {
  const untaken = page.locator('html:not([data-scripted]):has(script[type="module"])')
  await page.addLocatorHandler(untaken, async () => {})
  const goto = page.goto.bind(page)
  page.goto = async (...given) => {
    const answer = await goto(...given)
    await expect(untaken).toHaveCount(0)
    // What stands within a boundary of its own is taken over a moment later.
    await expect(page.locator('form > fieldset:disabled')).toHaveCount(0)
    return answer
  }
}

/** Makes a page's browser one that has closed every pop-up and survey already. */
export async function undisturbed(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // Frames without an origin of their own have no storage.
    if (window.origin === 'null') return
    localStorage.setItem('RN_GENERAL_POPUP', 'welcome,this-is-big,points-plus')
    localStorage.setItem('RN_ANNOUNCEMENT', String(Date.now()))
    localStorage.setItem('RN_SSO_MODAL', String(Date.now()))
    for (const survey of ['sky-booking', 'gal-pump', 'bea-clarity', 'orc-stay', 'lan-dispatch'])
      localStorage.setItem(`RN_SURVEY_${survey}`, String(Date.now()))
  })
}

let joined = 0
export const newEmail = () => `diner-${Date.now()}-${++joined}@example.com`

/** A Visa number that passes the checksum and belongs to nobody; every call gives another one. */
export function testCard(): string {
  const body = `4444${String(Date.now()).slice(-8)}${String(++joined).padStart(3, '0')}`
  for (let check = 0; check < 10; check++) {
    const number = `${body}${check}`
    if (luhn(number) && !number.endsWith('0002')) return number
  }
  throw new Error('unreachable')
}

/** One that the vault declines everywhere alike. */
export function declinedCard(): string {
  return Array.from({ length: 10 }, (_, digit) => `40000000000${digit}0002`).find(luhn) as string
}

function luhn(number: string): boolean {
  const digits = [...number].reverse().map(Number)
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** Nothing that axe objects to, once the page has settled. */
export async function looksRight(page: Page): Promise<void> {
  // Not the quiet of the network: an open activity stream never is.
  await expect(page.locator('main:not([aria-busy="true"])')).toBeVisible()
  await page.evaluate(() => document.fonts.ready.then(() => true))
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 160))])).toEqual([])
}

/** Signs an operator in at the console; the sample one, an administrator, by default. */
export async function openConsole(page: Page, email = 'editor@dineback.example'): Promise<void> {
  await page.goto(at('console'))
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill('lighthouse 9 sardines')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Fills the join form of a direct program and sends it. */
export async function join(page: Page, fields: Record<string, string> = {}): Promise<void> {
  const values = {
    'First name': 'Ada',
    'Last name': 'Lovelace',
    'Email address': newEmail(),
    'ZIP code': '10001',
    ...fields,
  }
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value)
  const password = page.getByRole('textbox', { name: /^Password \(required\)|^Password\*? ?\(required\)/ })
  await password.fill('sourdough 4 breakfast')
  await page.getByRole('textbox', { name: /^Password again/ }).fill('sourdough 4 breakfast')
  // One program does not ask.
  const offers = page.getByLabel(/Email me offers/)
  if ((await offers.count()) > 0) await offers.check()
  await page.getByLabel(/I accept the terms/).check()
  await page.getByRole('button', { name: 'Continue to your card' }).click()
}

const typedNumbers = 'test-results/card-numbers.txt'

function noteCardNumber(number: string): void {
  mkdirSync('test-results', { recursive: true })
  appendFileSync(typedNumbers, `${number}\n`)
}

/** Every card number that the journeys have typed so far. */
export function cardNumbersTyped(): string[] {
  return existsSync(typedNumbers) ? readFileSync(typedNumbers, 'utf8').split('\n').filter(Boolean) : []
}

/** Types a card into the vault's frame and links it. */
export async function linkCard(page: Page, number: string): Promise<void> {
  noteCardNumber(number)
  const frame = page.frameLocator('iframe[title="Your card"]')
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel(/Expires/).fill('12/30')
  await expect(frame.getByText('Card complete.')).toBeVisible()
  await page.getByLabel(/I link this card/).check()
  await page.getByRole('button', { name: 'Link card' }).click()
}

/** Sends a card-network event with the staging tools, for the restaurant of the given page. */
export async function dine(
  page: Page,
  partner: string,
  merchantId: string,
  lastFour: string,
  amount: string,
): Promise<void> {
  await page.goto(at(partner, `/staging-tools?merchant=${merchantId}`))
  const cards = page.getByLabel('Card ending in')
  const option = await cards.locator('option', { hasText: lastFour }).first().getAttribute('value')
  await cards.selectOption(option)
  await page.getByLabel('Amount in dollars').fill(amount)
  await page.getByRole('button', { name: 'Send event' }).click()
  await expect(page.getByText('Sent: applied')).toBeVisible()
}

/** Changes something as the owner of the app's database: what no page could bring about. */
export async function asOwner(statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.JOURNEY_DATABASE_URL })
  await client.connect()
  await client.query(statement, values)
  await client.end()
}

/** Asks the API from within a page of the program, with its session: names below localhost are known to browsers only. */
export async function ask(page: Page, path: string, init?: { method: string; body?: unknown }) {
  return page.evaluate(
    async ([address, method, body]) => {
      const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/json' })
      if (method !== 'GET') headers.set('x-xsrf-token', (await (await fetch('/api/CSRF')).json()).csrfToken)
      const answer = await fetch(address, { method, headers, ...(body !== undefined && { body }) })
      return answer.json()
    },
    [path, init?.method ?? 'GET', init?.body === undefined ? undefined : JSON.stringify(init.body)] as const,
  )
}

/** The first restaurant of a search that passes a look at its page. */
export async function findMerchant(
  page: Page,
  query: string,
  // biome-ignore lint/suspicious/noExplicitAny: a restaurant's page has many shapes, tests look into all of them
  fits: (merchant: any) => boolean = () => true,
  // biome-ignore lint/suspicious/noExplicitAny: see above
): Promise<any> {
  for (let pageNo = 1; pageNo <= 6; pageNo++) {
    const { merchants } = await ask(page, `/api/v2/Merchants/Search?${query}&pageSize=50&pageNo=${pageNo}`)
    for (const { id } of merchants) {
      const merchant = await ask(page, `/api/v2/Merchants/${id}`)
      if (fits(merchant)) return merchant
    }
  }
  throw new Error(`no restaurant for ${query}`)
}

/** Joins a direct program by the API; the page is signed in afterwards. */
export async function joinQuickly(page: Page, partner: string): Promise<string> {
  await page.goto(at(partner))
  // The page asks for a token of its own: that answer must not come after ours.
  await page.waitForFunction(() => sessionStorage.getItem('csrfToken') !== null)
  const email = newEmail()
  const { publicId } = await ask(page, '/api/Members/Prospects', {
    method: 'POST',
    body: {
      email,
      password: 'sourdough 4 breakfast',
      passwordConfirm: 'sourdough 4 breakfast',
      firstName: 'Ada',
      lastName: 'Lovelace',
      zipCode: '10001',
      partnerNumber: partner === 'gallonaire' ? '' : `SKY${String(Date.now()).slice(-8)}`,
      address1: '1 Main Street',
      city: 'New York',
      state: 'NY',
      emailOptIn: true,
      termsAccepted: true,
    },
  })
  if (!publicId) throw new Error(`could not join ${partner}`)
  return email
}

/** Joins a direct program and has a linked card, without the detour through the forms. Answers the e-mail address. */
export async function cardMember(page: Page, partner: string): Promise<string> {
  const email = await joinQuickly(page, partner)
  await giveCard(email)
  return email
}

/** Puts a card that earns already into a member's account, straight into the tables. */
export async function giveCard(email: string): Promise<void> {
  await asOwner(
    `with member as (
       update members set member_type = 'EnrolledCardMember', active = true where email = $1 returning id, partner_id)
     insert into cards (partner_id, public_id, member_id, token, fingerprint, card_type, description, last_four, linked_at)
     select partner_id, gen_random_uuid(), id, gen_random_uuid(), gen_random_uuid(), 'VISA', 'Visa', '4242',
       now() - interval '400 days' from member`,
    [email],
  )
}

export interface GivenMeal {
  merchantName: string
  /** Days ago. */
  ago?: number
  type?: string
  status?: string
  cleared?: boolean
  cents?: number
  benefit?: number
  unit?: string
  paid?: boolean
  /** A restaurant of ours, by its page. */
  merchantId?: string
}

/** Writes meals into a member's statement: states that would take weeks to come about. */
export async function giveMeals(email: string, meals: readonly GivenMeal[]): Promise<void> {
  for (const meal of meals) {
    await asOwner(
      `insert into transactions (partner_id, public_id, network_id, member_id, merchant_id, merchant_name,
         network_location_id, card_last_four, type_code, stage, award_status, ticket_cents, dine_cents, benefit, unit,
         reason, dined_at, cleared_at, paid_at)
       select partner_id, gen_random_uuid(), gen_random_uuid(), id, (select id from merchants where public_id = $11), $2,
         '', '4242', $3, case when $4 then 'cleared' else 'authorized' end, $5, $6::bigint, case when $4 then $6::bigint else 0 end, $7, $8,
         '{"code": "sample"}', now() - make_interval(hours => $9), case when $4 then now() end,
         case when $10 then now() end
       from members where email = $1`,
      [
        email,
        meal.merchantName,
        meal.type ?? 'S',
        meal.cleared ?? true,
        meal.status ?? 'Awarded',
        meal.cents ?? 42_10,
        meal.benefit ?? 126,
        meal.unit ?? 'mile',
        Math.round((meal.ago ?? 1) * 24),
        meal.paid ?? false,
        meal.merchantId ?? null,
      ],
    )
  }
}

/** Signs a customer of the sample bank in; one who is new there becomes a member. */
export async function bankCustomer(page: Page, name: string): Promise<string> {
  const email = `${name}@beacon.example`
  await page.goto(at('beacon', '/Login'))
  await page.getByLabel('User name').fill(email)
  await page.getByLabel('Password').fill(`dine-with-${name}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/beacon\.localhost/)
  await page.waitForFunction(() => sessionStorage.getItem('csrfToken') !== null)
  await giveCard(email)
  return email
}
