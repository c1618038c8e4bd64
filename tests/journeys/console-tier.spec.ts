import { at, expect, expectNoA11yViolations, test } from '../support/journey.ts'
import { joinViaApi, openConsole } from '../support/journey-members.ts'

test('CON-752 CON-754 an operator gives a tier until a day by keyboard, the member sees it, and it is ended early', async ({
  page,
  browser,
}) => {
  const member = await (await browser.newContext()).newPage()
  const email = await joinViaApi(member, 'skyharbor')
  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await page.goto(at('console', `/skyharbor/members?q=${encodeURIComponent(email)}`))
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Give a tier until a day' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Give Ada Lovelace a tier/ })
  await expect(dialog.getByRole('button', { name: 'Give the tier' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Last day' }).click()
  // The last day of the next month is in the future, whatever day it is.
  await page.getByRole('button', { name: 'Next month' }).click()
  await page.locator('[data-dates-dropdown] button:not([data-outside])').filter({ hasText: /^20$/ }).click()
  await expect(dialog.getByText(/earns 500 miles instead of 300 miles/)).toBeVisible()
  await expect(page.locator('[data-dates-dropdown]')).toBeHidden()
  await expect(page.getByRole('menu')).toBeHidden()
  await expectNoA11yViolations(page)
  await dialog.getByLabel('Reason').fill('A long wait for a table')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Given until', { exact: true })).toBeVisible()
  await expect(page.getByText('Tier given until a day: VIP member')).toBeVisible()
  await expectNoA11yViolations(page)

  await member.goto(at('skyharbor', '/account/overview'))
  await expect(member.getByText(/^Yours until .* with our compliments\.$/)).toBeVisible()

  await page.setViewportSize({ width: 375, height: 800 })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'End the given tier' }).click()
  const end = page.getByRole('dialog', { name: 'End the given tier' })
  await end.getByLabel('Reason').fill('A mistake')
  await end.getByRole('button', { name: 'End it now' }).click()
  await expect(end).toBeHidden()
  await expect(page.getByText('Given until', { exact: true })).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  await member.context().close()
})
