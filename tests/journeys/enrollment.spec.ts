import { asOwner, at, callApi, expect, expectAccessible, test } from '../support/journey.ts'
import { linkCard, testCard } from '../support/journey-cards.ts'
import { join, joinViaApi, newEmail, signIn } from '../support/journey-members.ts'

test.use({ tolerated: [/status of (400|401|403|404|409|410)/, { option: true }] as never })

test('ENR-005 SESS-019 ENR-011 the email address and the marketing values are carried over to joining', async ({
  page,
}) => {
  const email = newEmail()
  const openPath = async (path: string) => {
    await page.goto(at('gallonaire', path))
    const form = page.getByRole('main').locator('form')
    await form.getByRole('textbox').fill(email)
    await form.getByRole('button').click()
  }
  await openPath('/?utm_campaign=spring&referrer=ABC123')
  await expect(page).toHaveURL(at('gallonaire', '/join'))
  await expect(page.getByLabel('Email address')).toHaveValue(email)
  const sent = page.waitForRequest('**/api/Members/Prospects')
  await join(page, { 'Email address': email })
  expect((await sent).postDataJSON()).toMatchObject({ email, utmCampaign: 'spring', referrer: 'ABC123' })
  await expect(page).toHaveURL(/add_card/)
  await page.goto(at('gallonaire', '/SignOut'))
  await openPath('/')
  await expect(page).toHaveURL(at('gallonaire', '/login'))
  await expect(page.getByLabel(/^Email address/)).toHaveValue(email)
})

test('ENR-014 ENR-016 the join pages have no menu, offer a sign-in, and accept visitors whom an invitation sends', async ({
  page,
}) => {
  for (const rfr of [0, 1, 2]) {
    await page.goto(at('gallonaire', `/join?rfr=${rfr}`))
    await expect(page.getByLabel('First name')).toBeEditable()
    await expect(page.getByRole('banner').getByRole('button', { name: /menu/i })).toHaveCount(0)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
  }
})

test('VAL-001 ENR-006 VAL-010 a field that only the server can check shows its error on blur', async ({ page }) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/SignOut'))
  await page.goto(at('gallonaire', '/join'))
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('ZIP code').fill('00000')
  await page.getByLabel('First name').focus()
  await expect(
    page.getByText('This email address already has an account. Sign in, or reset your password if you have none.'),
  ).toBeVisible()
  await expect(page.getByText('This ZIP code is not located in the U.S.')).toBeVisible()
  await page.getByLabel('ZIP code').fill('10001')
  await page.getByLabel('First name').focus()
  await expect(page.getByText('This ZIP code is not located in the U.S.')).toHaveCount(0)
})

test('ENR-009 REEN-001 REEN-002 REEN-003 REEN-004 REEN-006 REEN-007 ROLE-008 SHELL-035 a member who has deleted the last card sees only the page to link a card again', async ({
  page,
}) => {
  await page.goto(at('gallonaire', '/join'))
  const email = newEmail()
  await join(page, { 'Email address': email })
  const first = testCard()
  await linkCard(page, first)
  await expect(page).toHaveURL(/card_added/)
  expect(await page.evaluate(() => localStorage.getItem('cardRegistrationSuccess'))).toContain(first.slice(-4))
  await page.goto(at('gallonaire', '/account/manage_cards'))
  await page.getByRole('button', { name: /Delete and close account/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete and close account' }).click()
  await expect(page).toHaveURL(at('gallonaire'))
  await expect(page.getByText('Your account is closed, and you have been signed out.')).toBeVisible()
  await page.goto(at('gallonaire', '/login'))
  await signIn(page, email)
  const heading = page.getByRole('heading', { name: 'Welcome back' })
  await expect(heading).toBeVisible()
  await expect(page.getByText('Your linked card was deleted, and your account was closed.')).toBeVisible()
  await expect(page.getByText('Link a card to reopen your account. Everything else is as you left it.')).toBeVisible()
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
  for (const path of ['/', '/search?location=10001', '/account/overview', '/how-it-works']) {
    await page.goto(at('gallonaire', path))
    await expect(heading).toBeVisible()
    await expect(page.getByRole('contentinfo')).toHaveCount(0)
  }
  await expect(page.getByRole('link', { name: 'Sign in later' })).toHaveAttribute('href', '/SignOut')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Finish joining' })).toHaveCount(0)
  await expectAccessible(page)
  // Accepted texts stay readable.
  await page.getByRole('main').getByRole('link', { name: 'Program terms' }).click()
  await expect(page).toHaveURL(at('gallonaire', '/terms'))
  await expect(heading).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goBack()
  await expect(heading).toBeVisible()
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/Member/Cards'),
  )
  const second = testCard()
  await linkCard(page, second)
  for (const { lastFour } of (await sent).postDataJSON().creditCards) expect(lastFour).toBe(second.slice(-4))
  await expect(page.getByText(`Your card ending in ${second.slice(-4)} has been linked.`)).toBeVisible()
  await expect(page).toHaveURL(at('gallonaire', '/account/overview'))
  await expect(page.getByRole('contentinfo')).toBeVisible()
})

test('VAL-017 VAL-018 LINK-023 LINK-024 a form without a card, or without the consent, shows an error', async ({
  page,
}) => {
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/add_card'))
  const frame = page.frameLocator('iframe[title="Your card"]')
  await expect(frame.getByLabel('Card number')).toBeVisible()
  await page.getByRole('button', { name: 'Link card' }).press('Enter')
  await expect(page.getByText('Please enter your credit card number.')).toBeVisible()
  await frame.getByLabel('Card number').fill(testCard())
  await frame.getByLabel(/Expires/).fill('12/30')
  await expect(frame.getByText('Card complete.')).toBeVisible()
  // The encrypted card has arrived, so the error is cleared.
  await expect(page.getByText('Please enter your credit card number.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Link card' }).click()
  await expect(
    page.getByText('Linking a card and authorizing activity monitoring is required to complete and earn rewards.'),
  ).toBeVisible()
})

test('REEN-005 a card that the vault declines is reported on the form, and the account stays closed', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'gallonaire')
  await asOwner("update members set member_type = 'ClosedAccountMember', active = false where email = $1", [email])
  await page.goto(at('gallonaire', '/account/overview'))
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await linkCard(page, '4000000000000002')
  await expect(page.getByRole('alert')).toContainText('0002')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  expect((await callApi(page, '/api/Member')).memberType).toBe('ClosedAccountMember')
})
