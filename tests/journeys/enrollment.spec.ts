import { asOwner, at, callApi, expect, expectAccessible, test } from '../support/journey.ts'
import { linkCard, testCard } from '../support/journey-cards.ts'
import { joinViaApi } from '../support/journey-members.ts'

test.use({ tolerated: [/status of (400|401|403|404|409|410)/, { option: true }] as never })

test('ENR-009 REEN-001 REEN-002 REEN-003 REEN-004 REEN-006 a member whose account was closed reopens it with a card', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/add_card'))
  const first = testCard()
  await linkCard(page, first)
  await expect(page).toHaveURL(/card_added/)
  expect(await page.evaluate(() => localStorage.getItem('cardRegistrationSuccess'))).toContain(first.slice(-4))
  await asOwner('update cards set removed_at = now() where member_id = (select id from members where email = $1)', [
    email,
  ])
  await asOwner("update members set member_type = 'ClosedAccountMember', active = false where email = $1", [email])
  await page.goto(at('gallonaire', '/how-it-works'))
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expectAccessible(page)
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
