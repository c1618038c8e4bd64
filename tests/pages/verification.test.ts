import { beforeAll, expect, test, vi } from 'vitest'
import { asOwner, withoutBotCheck } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { fill, findMainLink, mainOf } from '../support/page-forms.ts'
import { signInBankCustomer } from '../support/page-members.ts'

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

/** Returns the paths of the links that were sent to an address, oldest first. */
async function linksTo(email: string): Promise<string[]> {
  const emails = await asOwner<{ text: string }>(
    app,
    "select body_text as text from emails where recipient = $1 and topic = 'verification.code' order by id",
    [email],
  )
  return emails.map(({ text }) => /http:\/\/[^/\s]+(\S+#code=\S+)/.exec(text)?.[1] ?? '')
}
const codeOf = (link = '') => link.split('#code=')[1] ?? ''

test('RECV-010 the account says that the address is not verified, and the link of the email verifies it', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const security = await openPage(app, 'gallonaire', '/account/security', { visitor })
  expect(security.screen.getByText(form.email)).toBeVisible()
  expect(security.screen.getByText('Not verified yet')).toBeVisible()
  await security.user.click(await findMainLink(security.screen, 'Verify this address'))
  await vi.waitFor(() => expect(security.address).toBe('/account/verify_email'), 20_000)
  const [link = ''] = await linksTo(form.email)
  const page = await openPage(app, 'gallonaire', link, { visitor })
  expect(await page.screen.findByText(`Your link works. Continue to verify ${form.email}.`)).toBeVisible()
  // The code is no longer in the address, and opening the link alone verifies nothing.
  await vi.waitFor(() => expect(window.location.href).toMatch(/\/account\/verify_email$/), 20_000)
  expect(page.calls('POST /api/Member/EmailVerification/Confirm')).toEqual([])
  await page.user.click(mainOf(page.screen).getByRole('button', { name: 'Verify' }))
  expect(await page.screen.findByText(`${form.email} is verified. There’s nothing else to do.`)).toBeVisible()
  await page.user.click(await findMainLink(page.screen, 'Back to sign-in & security'))
  expect(await page.screen.findByText('Verified')).toBeVisible()
  expect(page.screen.queryByRole('link', { name: 'Verify this address' })).toBeNull()
})

test('RECV-010 a missing, a wrong and a used code are errors of the field, and a new code can be requested', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const { user, screen } = await openPage(app, 'gallonaire', '/account/verify_email', { visitor })
  const verify = () => user.click(mainOf(screen).getByRole('button', { name: 'Verify' }))
  const field = screen.getByLabelText(/^Code/)
  await verify()
  await vi.waitFor(() => expect(field).toHaveAccessibleDescription(/Enter the code from our email\./), 20_000)
  await fill(user, field, 'AAAAA-AAAAA')
  await verify()
  await vi.waitFor(() => expect(field).toHaveAccessibleDescription(/This code doesn’t work\./), 20_000)
  await user.click(mainOf(screen).getByRole('button', { name: 'Send me a new code' }))
  expect(await screen.findByText(`A new code is on its way to ${form.email}.`)).toBeVisible()
  const links = await linksTo(form.email)
  expect(links).toHaveLength(2)
  await user.clear(field)
  await fill(user, field, codeOf(links[1]).toLowerCase())
  await verify()
  expect(await screen.findByText(`${form.email} is verified. There’s nothing else to do.`)).toBeVisible()
})

test('RECV-010 after five codes within an hour the page says so', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  for (let sent = 2; sent <= 5; sent++) await visitor.change('POST', '/api/Member/EmailVerification')
  const { user, screen } = await openPage(app, 'gallonaire', '/account/verify_email', { visitor })
  await user.click(mainOf(screen).getByRole('button', { name: 'Send me a new code' }))
  expect(await screen.findByText(/We’ve sent you several codes already\./)).toBeVisible()
})

test('RECV-010 a visitor signs in first, and a customer of a bank has no such page', async () => {
  const signedOut = await openPage(app, 'gallonaire', '/account/verify_email')
  expect(signedOut.address).toBe('/login?returnTo=%2Faccount%2Fverify_email')
  const { visitor } = await signInBankCustomer(app, 'bo')
  const bank = await openPage(app, 'beacon', '/account/security', { visitor })
  expect(bank.screen.queryByText(/verified/i)).toBeNull()
})
