import type { Page } from '@playwright/test'
import { asOwner, at, callApi, expect, expectAccessible, test } from '../support/journey.ts'
import { joinViaApi, signIn } from '../support/journey-members.ts'

test.use({ tolerated: [/status of (400|401|403|404|409|410)/, { option: true }] as never })

const clean = async (page: Page) => await expectAccessible(page)

/** Returns the link of the newest email to an address, from the outbox of the staging tools. */
async function linkFor(page: Page, email: string): Promise<string> {
  const find = async () => {
    const { mails: emails } = await callApi(page, '/api/staging/outbox')
    // biome-ignore lint/suspicious/noExplicitAny: mails of every kind
    const message = emails.find(({ recipient, text }: any) => recipient === email && text.includes('#code='))
    return (/http:\/\/\S+#code=\S+/.exec(message?.text ?? '')?.[0] ?? '') as string
  }
  await expect.poll(find).not.toBe('')
  return find()
}

test('ROUTE-016 RECV-001 RECV-008 SESS-009 a locked member is led to recovery, gets a link by email, and signs in with a new password', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/SignOut'))
  await page.goto(at('gallonaire', '/login'))
  for (let attempt = 0; attempt < 5; attempt++) {
    await signIn(page, email, 'not this one')
    await expect(page.getByRole('alert')).toContainText(
      attempt < 4 ? 'Invalid user name or password' : 'Your account is locked for 30 minutes.',
    )
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
  }
  await clean(page)
  await page.getByRole('link', { name: 'Reset your password now' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/recover'))
  await clean(page)
  await page.getByLabel(/^Email address/).fill(email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/recover/confirm'))
  await clean(page)
  // An empty field shows an error; the link that fills it clears the error.
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Enter the code from our email.')).toBeVisible()
  const link = await linkFor(page, email)
  await page.evaluate((hash) => window.location.assign(hash), link.slice(link.indexOf('#')))
  // No input is needed, and the address no longer contains the code.
  await expect(page.getByText('Your link works.')).toBeVisible()
  await expect(page.getByText('Enter the code from our email.')).toHaveCount(0)
  await expect(page.getByLabel('Code')).toHaveCount(0)
  await expect(page).toHaveURL(at('gallonaire', '/recover/confirm'))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/recover/update'))
  await clean(page)
  await page.getByRole('textbox', { name: /^New password \(/ }).fill('password1')
  await page.getByRole('textbox', { name: /^Confirm new password/ }).fill('password1')
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page.getByText('This password is too common. Please choose another one.')).toBeVisible()
  await page.getByRole('textbox', { name: /^New password \(/ }).fill('chanterelles on toast')
  await page.getByRole('textbox', { name: /^Confirm new password/ }).fill('chanterelles on toast')
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/recover/success'))
  await clean(page)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, email, 'chanterelles on toast')
  await expect(page).toHaveURL(at('gallonaire', '/add_card'))
})

test('RECV-002 RECV-005 a wrong name, a wrong code and an expired recovery each show an error with the next step', async ({
  page,
}) => {
  await page.goto(at('skyharbor', '/recover'))
  await page.getByLabel(/^Email address or Skyharbor number/).fill('ada')
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await expect(page.getByText('Please enter a valid email address or Skyharbor number.')).toBeVisible()
  await page.goto(at('skyharbor', '/recover/confirm'))
  await page.getByLabel('Code').fill('0000-0000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText(/^This code doesn’t work\./)).toBeVisible()
  await expect(page.getByLabel('Code')).toHaveAccessibleDescription(/This code doesn’t work\./)
  await expect(page.getByLabel('Code')).toBeFocused()
  // A link that no longer works leaves an empty field for the digits.
  await page.evaluate(() => window.location.assign('#code=1111-1111'))
  await expect(page.getByText('Your link works.')).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText(/^This code doesn’t work\./)).toBeVisible()
  await expect(page.getByLabel('Code')).toHaveValue('')
  await page.getByRole('link', { name: 'Send me a new code' }).click()
  await expect(page).toHaveURL(at('skyharbor', '/recover'))
  await page.goto(at('skyharbor', '/recover/update'))
  await expect(page.getByText('This took too long. Please ask for a new code.')).toBeVisible()
  await clean(page)
})

test('RECV-001 the six digits of the email are entered where they were requested, and the success page alone claims nothing', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/SignOut'))
  await page.goto(at('gallonaire', '/recover/success'))
  await expect(page.getByText('No password was changed here.')).toBeVisible()
  await clean(page)
  await page.goto(at('gallonaire', '/recover'))
  await page.getByLabel(/^Email address/).fill(email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/recover/confirm'))
  await linkFor(page, email)
  const { mails: emails } = await callApi(page, '/api/staging/outbox')
  // biome-ignore lint/suspicious/noExplicitAny: mails of every kind
  const message = emails.find(({ recipient, text }: any) => recipient === email && text.includes('#code='))
  const digits = /\b\d{6}\b/.exec(message.text)?.[0] ?? ''
  await page.getByLabel('Code').fill(`${digits.slice(0, 3)} ${digits.slice(3)}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/recover/update'))
})

test('RECV-003 RECV-007 ROUTE-033 programs without direct enrollment have no recovery pages', async ({ page }) => {
  for (const partner of ['beacon', 'lantern']) {
    for (const path of ['/recover', '/recover/confirm', '/recover/update', '/recover/success', '/fix_credentials']) {
      expect([path, (await page.goto(at(partner, path)))?.status()]).toEqual([path, 404])
    }
  }
})

test('RECV-006 ROUTE-022 a member with flagged credentials enters an own email address before anything else', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'gallonaire')
  await asOwner('update members set must_fix_credentials = true where email = $1', [email])
  await page.goto(at('gallonaire', '/SignOut'))
  await page.goto(at('gallonaire', '/login'))
  await signIn(page, email, 'sourdough 4 breakfast')
  await expect(page).toHaveURL(at('gallonaire', '/fix_credentials'))
  await clean(page)
  // The account is blocked until this step is done.
  await page.goto(at('gallonaire', '/account/overview'))
  await expect(page).toHaveURL(at('gallonaire', '/fix_credentials'))
  await page.getByRole('textbox', { name: /^New email address \(/ }).fill(`own-${email}`)
  await page.getByRole('textbox', { name: /^Confirm new email address/ }).fill(`other-${email}`)
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page.getByText('The email addresses do not match.')).toBeVisible()
  await page.getByRole('textbox', { name: /^Confirm new email address/ }).fill(`own-${email}`)
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page.getByText(`Your email address is now own-${email}.`)).toBeVisible()
  await expect(page).toHaveURL(at('gallonaire', '/add_card'))
})

test('RECV-009 the profile says how email and password are changed and changes neither', async ({ page }) => {
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/user_profile'))
  await expect(page.getByText(/To change your email address, contact us at .* or call 1-800/)).toBeVisible()
  await expect(page.getByText('Change your password under “Sign-in & security”.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: /password|email/i, disabled: false })).toHaveCount(0)
  await page.goto(at('gallonaire', '/account/security'))
  await expect(page.getByText('Changing your password signs you out on all other devices.')).toBeVisible()
})
