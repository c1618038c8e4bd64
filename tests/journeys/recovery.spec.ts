import type { Page } from '@playwright/test'
import { asOwner, at, callApi, expect, expectAccessible, further, test } from '../support/journey.ts'
import { joinViaApi, signIn } from '../support/journey-members.ts'

test.use({ tolerated: [/status of (400|401|403|404|409|410)/, { option: true }] as never })

const clean = async (page: Page) => await expectAccessible(page)

/** Returns the link of the newest email to an address, from the outbox of the staging tools. */
async function linkFor(page: Page, email: string): Promise<string> {
  const find = async () => {
    const { mails: emails } = await callApi(page, '/api/staging/outbox')
    const message = emails.find(
      ({ recipient, text }: { recipient: string; text: string }) =>
        recipient === email && text.includes('/recover/confirm#code='),
    )
    return (/http:\/\/\S+#code=\S+/.exec(message?.text ?? '')?.[0] ?? '') as string
  }
  await expect.poll(find).not.toBe('')
  return find()
}

test('RECV-001 no stage of recovery has an axe violation, and a link that is followed in the open page fills in its code', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/SignOut'))
  await page.goto(at('gallonaire', '/login'))
  await page.route('**/api/SignIn', (route) =>
    route.fulfill({
      status: 403,
      json: {
        type: 'urn:x',
        code: 'locked',
        title: 'Your account is locked for 30 minutes.',
        status: 403,
        reference: 'r',
      },
    }),
  )
  await signIn(page, email)
  await expect(page.getByRole('alert')).toContainText('Your account is locked for 30 minutes.')
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
  await expect(page.getByText('Continue to check your link and choose a new password.')).toBeVisible()
  await expect(page.getByText('Enter the code from our email.')).toHaveCount(0)
  await expect(page.getByLabel('Code')).toHaveCount(0)
  await expect(page).toHaveURL(at('gallonaire', '/recover/confirm'))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/recover/update'))
  await clean(page)
  await page.getByRole('textbox', { name: /^New password \(/ }).fill('chanterelles on toast')
  await page.getByRole('textbox', { name: /^Confirm new password/ }).fill('chanterelles on toast')
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/recover/success'))
  await clean(page)
})

test(
  'pages of recovery without a recovery, and the one that fixes credentials, have no axe violation',
  further,
  async ({ page }) => {
    const email = await joinViaApi(page, 'gallonaire')
    await asOwner('update members set must_fix_credentials = true where email = $1', [email])
    await page.goto(at('gallonaire', '/fix_credentials'))
    await expect(page.getByRole('textbox', { name: /^New email address \(/ })).toBeVisible()
    await clean(page)
    await page.goto(at('gallonaire', '/recover/success'))
    await expect(page.getByText('No password was changed here.')).toBeVisible()
    await clean(page)
    await page.goto(at('skyharbor', '/recover/update'))
    await expect(page.getByText('This took too long. Please ask for a new code.')).toBeVisible()
    await clean(page)
  },
)
