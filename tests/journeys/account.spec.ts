import { at, expect, expectNoA11yViolations, test } from '../support/journey.ts'
import { linkCard, sendTransaction, testCard } from '../support/journey-cards.ts'
import { join, joinWithCard } from '../support/journey-members.ts'

test('A11Y-010 ACCT-001 LINK-003 LINK-004 LINK-016 LINK-019 HIST-005 a member manages cards and reads the statement, and no page has an axe violation', async ({
  page,
}) => {
  await page.goto(at('orchard', '/join'))
  await page.getByLabel(/^Address/).fill('1 Orchard Lane')
  await page.getByLabel(/^City/).fill('New York')
  await join(page)
  // Orchard requires the full address and shows an error without it.
  await expect(page.getByText('Choose your state.').first()).toBeVisible()
  await page.getByLabel('State').selectOption('NY')
  await page.getByLabel(/Orchard.* number/).fill(`ORC${String(Date.now()).slice(-8)}`)
  await page.getByRole('button', { name: 'Continue to your card' }).click()
  await expect(page).toHaveURL(at('orchard', '/add_card'))
  await expect(page.frameLocator('iframe').getByLabel('Card number')).toBeVisible()
  await expectNoA11yViolations(page)
  const first = testCard()
  await linkCard(page, first)
  await expect(page).toHaveURL(at('orchard', '/card_added'))
  await expectNoA11yViolations(page)

  await page.goto(at('orchard', '/search?location=10001'))
  const href = (await page.getByRole('article').first().getByRole('link').first().getAttribute('href')) as string
  await page.goto(at('orchard', href))
  await expectNoA11yViolations(page)
  await sendTransaction(page, 'orchard', href.split('/').at(-1) as string, first.slice(-4), '64.00')
  await expectNoA11yViolations(page)

  // Overview, profile and statement have journeys of their own.
  await page.goto(at('orchard', '/account/overview'))
  for (const name of ['Reviews & History', 'Profile', 'Linked Cards']) {
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name }).click()
    await expect(page).toHaveTitle(new RegExp(name))
  }
  await expectNoA11yViolations(page)

  await expect(page.getByRole('button', { name: /^Delete and close account/ })).toBeVisible()
  const second = testCard()
  await linkCard(page, second)
  await expect(page.getByText(`Your card ending in ${second.slice(-4)} is linked.`)).toBeVisible()
  await page.getByRole('button', { name: `Delete ending in ${second.slice(-4)}` }).click()
  await expectNoA11yViolations(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText(`Your card ending in ${second.slice(-4)} has been deleted.`)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Delete and close account/ })).toBeVisible()
})

test('A11Y-007 LINK-016 the dialog before a card is deleted closes with Escape, and the focus returns', async ({
  page,
}) => {
  await joinWithCard(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/manage_cards'))
  const button = page.getByRole('button', { name: /^Delete and close account/ })
  // Before hydration a press has no effect.
  await expect(async () => {
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button).toBeFocused()
})

test('SHELL-009 SESS-014 ROUTE-026 a card member finds the account and the sign-out in the menu', async ({ page }) => {
  await joinWithCard(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/overview'))
  const greeting = page.getByText('Hello, Ada Lovelace')
  await page.getByRole('button', { name: 'Your account' }).click()
  await expect(greeting).toBeVisible()
  // A choice closes the menu, also that of the page that is open.
  for (let choice = 0; choice < 2; choice++) {
    await page.locator('#account-menu').getByRole('link', { name: 'Linked Cards' }).click()
    await expect(page).toHaveURL(at('gallonaire', '/account/manage_cards'))
    await expect(greeting).toBeHidden()
    await page.getByRole('button', { name: 'Your account' }).click()
  }
  await page.getByRole('link', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(at('gallonaire'))
  await expect(page.getByRole('link', { name: 'Join' }).first()).toBeVisible()
})

test('on a phone the tab of the current account page is in view, also after a change between pages', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 720 })
  await joinWithCard(page, 'skyharbor')
  const tabs = page.getByRole('navigation', { name: 'Account' })
  const current = tabs.locator('[aria-current]')
  await page.goto(at('skyharbor', '/account/privacy'))
  await expect(current).toBeInViewport({ ratio: 1 })
  for (const path of ['/account/overview', '/account/security']) {
    // Not by a click of the mouse, for which the test would scroll to the tab.
    await tabs.locator(`a[href="${path}"]`).evaluate((link: HTMLElement) => link.click())
    await expect(page).toHaveURL(at('skyharbor', path))
    await expect(current).toHaveAttribute('href', path)
    await expect(current).toBeInViewport({ ratio: 1 })
  }
})
