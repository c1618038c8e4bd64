import { expect, type Page } from '@playwright/test'
import { send } from './http.ts'
import { at, openOrigin } from './journey.ts'
import { ownServer } from './journey-servers.ts'
import { insertCardRow, insertTransactionRows, type TransactionSeed } from './member-rows.ts'

let joined = 0

/** Returns an unused email address. */
export const newEmail = () => `diner-${Date.now()}-${process.env.TEST_WORKER_INDEX ?? 0}-${++joined}@example.com`

const password = 'sourdough 4 breakfast'

/** Signs an operator in at the console; by default the sample administrator. */
export async function openConsole(page: Page, email = 'admin@dineback.example'): Promise<void> {
  await page.goto(at('console'))
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill('lighthouse 9 sardines')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Fills in and submits the join form of a direct program. */
export async function join(page: Page, fields: Record<string, string> = {}): Promise<void> {
  const values = {
    'First name': 'Ada',
    'Last name': 'Lovelace',
    'Email address': newEmail(),
    'ZIP code': '10001',
    ...fields,
  }
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value)
  await page.getByRole('textbox', { name: /^Password \(required\)|^Password\*? ?\(required\)/ }).fill(password)
  await page.getByRole('textbox', { name: /^Confirm password/ }).fill(password)
  // One program has no such checkbox.
  const offers = page.getByLabel(/Email me offers/)
  if ((await offers.count()) > 0) await offers.check()
  await page.getByLabel(/I accept the terms/).check()
  await page.getByRole('button', { name: 'Continue to your card' }).click()
}

/** Fills in and submits the sign-in form of a direct program. */
export async function signIn(page: Page, email: string, typed = password): Promise<void> {
  await page.getByLabel(/^Email address/).fill(email)
  await page.getByRole('textbox', { name: /^Password/ }).fill(typed)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/**
 * Joins a direct program through the API; the page is then on the program's origin, see `openOrigin`, and signed in. Returns the email
 * address.
 */
export async function joinViaApi(page: Page, partner: string): Promise<string> {
  const email = newEmail()
  const body = JSON.stringify({
    email,
    password,
    passwordConfirm: password,
    firstName: 'Ada',
    lastName: 'Lovelace',
    zipCode: '10001',
    partnerNumber:
      partner === 'gallonaire' ? '' : `SKY${String(Date.now()).slice(-6)}${String(joined).padStart(2, '0')}`,
    address1: '1 Main Street',
    city: 'New York',
    state: 'NY',
    emailOptIn: true,
    termsAccepted: true,
  })
  const call = { port: ownServer().port, host: `${partner}.localhost` }
  const address = { 'x-forwarded-for': `11.0.${joined >> 8}.${joined & 255}` }
  const csrf = await send({ ...call, path: '/api/CSRF', headers: address })
  const response = await send({
    ...call,
    method: 'POST',
    path: '/api/Members/Prospects',
    headers: {
      ...address,
      cookie: csrf.cookie,
      'content-type': 'application/json',
      'x-xsrf-token': csrf.json().csrfToken,
    },
    body,
  })
  if (!response.json().publicId) throw new Error(`could not join ${partner}: ${response.text}`)
  const cookies = [csrf, response].flatMap(({ headers }) => cookiesFrom(headers['set-cookie'], `${partner}.localhost`))
  await page.context().addCookies(cookies)
  await openOrigin(page, partner)
  return email
}

/** Maps Set-Cookie headers to the cookies of a browser context. */
function cookiesFrom(headers: string | string[] | undefined, domain: string) {
  return [headers ?? []].flat().map((header) => {
    const [pair = '', ...attributes] = header.split('; ')
    const [name = '', ...value] = pair.split('=')
    const httpOnly = attributes.includes('HttpOnly')
    return { name, value: value.join('='), domain, path: '/', httpOnly, sameSite: 'Lax' as const }
  })
}

/** Joins a direct program and inserts a linked card without the forms. Returns the email address. */
export async function joinWithCard(page: Page, partner: string): Promise<string> {
  const email = await joinViaApi(page, partner)
  await insertCard(email)
  return email
}

/** Inserts a card that earns already into a member's account. */
export const insertCard = (email: string) => insertCardRow(ownServer().databaseUrl, email)

/** Inserts transactions into a member's activity, in states that would otherwise take weeks. */
export const insertTransactions = (email: string, transactions: readonly TransactionSeed[]) =>
  insertTransactionRows(ownServer().databaseUrl, email, transactions)

/** Signs a customer of the sample bank in; a new customer becomes a member. */
export async function signInBankCustomer(page: Page, name: string): Promise<string> {
  const email = `${name}@beacon.example`
  await page.goto(at('beacon', '/Login'))
  await page.getByLabel('User name').fill(email)
  await page.getByLabel('Password').fill(`dine-with-${name}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/beacon\.localhost/)
  await page.waitForFunction(() => sessionStorage.getItem('csrfToken') !== null)
  await insertCard(email)
  return email
}
