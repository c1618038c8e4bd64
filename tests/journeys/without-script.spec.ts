import type { Page } from '@playwright/test'
import { asOwner, at, expect, expectAccessible, findMerchant, openOrigin, test } from '../support/journey.ts'
import { newEmail } from '../support/journey-members.ts'
import { nearTables } from '../support/tables-to-book.ts'

test.use({ tolerated: /status of (401|404|422)/ })

const password = 'sourdough 4 breakfast'
const press = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()

// Locators by text ignore this element.
const note = (page: Page) => page.getByRole('main').locator('noscript p')

async function signIn(page: Page, email: string, typed: string): Promise<void> {
  await page.getByLabel(/^Email address/).fill(email)
  await page.getByRole('textbox', { name: /^Password/ }).fill(typed)
  await press(page, 'Sign in')
}

/** Returns the digits of the recovery email. */
async function digitsFor(email: string): Promise<string> {
  const find = async () => {
    const statement = `select body_text from emails where recipient = $1 and topic = 'recovery.code'`
    const [row] = await asOwner<{ body_text: string }>(statement, [email])
    return /\b\d{6}\b/.exec(row?.body_text ?? '')?.[0] ?? ''
  }
  await expect.poll(find).not.toBe('')
  return find()
}

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('RECV-001 ENR-013 SESS-007 a visitor joins as far as the card, signs in, and sets a new password', async ({
    page,
  }) => {
    const email = newEmail()
    await page.goto(at('gallonaire', '/join'))
    // The browser itself checks: nothing is sent.
    let posts = 0
    page.on('request', (request) => {
      if (request.method() === 'POST') posts++
    })
    await press(page, 'Continue to your card')
    await expect(page.getByLabel('First name')).toBeFocused()
    expect(posts).toBe(0)
    const values = { 'First name': 'Ada', 'Last name': 'Lovelace', 'Email address': email, 'ZIP code': '10001' }
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value)
    await page.getByRole('textbox', { name: /^Password/ }).fill(password)
    await page.getByRole('textbox', { name: /^Confirm password/ }).fill('another one')
    await page.getByLabel(/I accept the terms/).check()
    await press(page, 'Continue to your card')
    const confirm = page.getByRole('textbox', { name: /^Confirm password/ })
    await expect(confirm).toHaveAccessibleDescription('Passwords do not match.')
    await expect(confirm).toBeFocused()
    await expect(page.getByLabel('First name')).toHaveValue('Ada')
    await expect(page.getByLabel(/I accept the terms/)).toBeChecked()
    await page.getByRole('textbox', { name: /^Password/ }).fill(password)
    await confirm.fill(password)
    await press(page, 'Continue to your card')
    await expect(page).toHaveURL(at('gallonaire', '/add_card'))
    await expect(note(page)).toContainText('This step needs JavaScript.')
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)

    await page.goto(at('gallonaire', '/SignOut'))
    await page.goto(at('gallonaire', '/login?returnTo=%2Fearn'))
    await expect(note(page)).toContainText('To sign in with a passkey, please turn on JavaScript')
    await signIn(page, email, password)
    await expect(page).toHaveURL(at('gallonaire', '/earn'))

    await page.goto(at('gallonaire', '/SignOut'))
    await page.goto(at('gallonaire', '/recover'))
    await page.getByLabel(/^Email address/).fill(email)
    await press(page, 'Send me a code')
    await expect(page).toHaveURL(at('gallonaire', '/recover/confirm'))
    await page.getByLabel('Code').fill(await digitsFor(email))
    await press(page, 'Continue')
    await expect(page).toHaveURL(at('gallonaire', '/recover/update'))
    for (const name of [/^New password/, /^Confirm new password/])
      await page.getByRole('textbox', { name }).fill('chanterelles on toast')
    await press(page, 'Save new password')
    await expect(page).toHaveURL(at('gallonaire', '/recover/success'))
    await expect(page.getByRole('heading', { level: 1, name: 'Password changed' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, email, 'chanterelles on toast')
    await expect(page).toHaveURL(at('gallonaire', '/add_card'))
  })

  test('a restaurant’s page says that a table needs script, or a call, and shows nothing that loads forever', async ({
    page,
  }) => {
    await openOrigin(page, 'skyharbor')
    const { id } = await findMerchant(page, nearTables)
    await page.goto(at('skyharbor', `/merchants/${id}`))
    const text = note(page).filter({ hasText: 'This step needs JavaScript.' })
    await expect(text).toBeVisible()
    await expect(note(page).getByRole('link')).toHaveAttribute('href', /^tel:\+1\d{10}$/)
    await expect(page.locator('[data-height]')).not.toHaveCount(0)
    await expect(page.locator('[data-height]:visible')).toHaveCount(0)
  })
})

test('VAL-007 a form that is posted before its script arrives continues with its errors, and then as any other', async ({
  page: _page,
  context,
}) => {
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 422/.test(message.text())) errors.push(message.text())
  })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/entry.client*.js', async (route) => {
    await released
    // The first document is gone by now, and its request with it.
    await route.continue().catch(() => {})
  })
  await page.goto(at('skyharbor', '/login'), { waitUntil: 'commit' })
  const name = page.getByLabel(/^Email address or/)
  await name.fill(' ')
  await page.getByRole('textbox', { name: /^Password/ }).fill(password)
  await page.getByLabel('Keep me signed in').check()
  await press(page, 'Sign in')
  await expect(name).toHaveAccessibleDescription('Enter your email address or Skyharbor number.')
  release()
  await expect(page.locator('html[data-scripted]')).toHaveCount(1)
  await expect(name).toHaveAccessibleDescription('Enter your email address or Skyharbor number.')
  await expect(page.getByRole('alert')).toContainText('We could not sign you in. Please check form for errors.')
  await expect(page.getByLabel('Keep me signed in')).toBeChecked()
  await expectAccessible(page)
  await name.fill('ada@example.com')
  await expect(name).not.toHaveAttribute('aria-invalid', 'true')
  await press(page, 'Sign in')
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: /^Password/ })).toBeFocused()
  expect(errors).toEqual([])
  await page.close()
})
