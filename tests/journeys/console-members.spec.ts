import { at, expect, expectNoA11yViolations, test } from '../support/journey.ts'
import { joinViaApi, openConsole } from '../support/journey-members.ts'

test('CON-100 CON-600 CON-103 CON-104 CON-105 CON-106 CON-107 a member is found by keyboard, noted, corrected and credited', async ({
  page,
  browser,
}) => {
  const member = await (await browser.newContext()).newPage()
  const email = await joinViaApi(member, 'skyharbor')
  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await page.goto(at('console', '/skyharbor/members'))
  await expect(page.getByRole('heading', { name: 'Members', level: 1 })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(email)
  await expect(page.getByText('1 in all')).toBeVisible()
  await expect(page).toHaveURL(/q=/)
  await expectNoA11yViolations(page)
  await page.getByRole('heading', { name: 'Members', level: 1 }).focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Ada Lovelace', level: 1 })).toBeVisible()
  await expect(page.getByText('Joined').first()).toBeVisible()
  await expectNoA11yViolations(page)

  // From any page, the palette finds a member by keyboard alone.
  await page.goto(at('console', '/skyharbor/claims'))
  await expect(page.getByRole('heading', { name: 'Claims', level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('zz no such thing')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByLabel(/^Search pages, members/).fill(email)
  await expect(page.getByRole('button', { name: 'Ada Lovelace' })).toBeVisible()
  await expectNoA11yViolations(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Ada Lovelace', level: 1 })).toBeVisible()

  await page.getByLabel('New note').fill('Called about a missing meal.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('region', { name: 'Notes' }).getByText('Called about a missing meal.')).toBeVisible()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Correct name or address' }).click()
  const correction = page.getByRole('dialog')
  await correction.getByLabel('Last name').fill('King')
  await correction.getByLabel('Reason').fill('Ticket 4711')
  await correction.getByRole('button', { name: 'Store' }).click()
  await expect(page.getByRole('heading', { name: 'Ada King', level: 1 })).toBeVisible()

  await page.getByRole('button', { name: 'Credit or debit' }).click()
  const adjustment = page.getByRole('dialog')
  await adjustment.getByLabel('Amount in miles').fill('250')
  await expect(adjustment.getByText('The balance goes from 0 miles to 250 miles.')).toBeVisible()
  await adjustment.getByLabel('Reason').fill('A late delivery')
  await adjustment.getByRole('button', { name: 'Credit', exact: true }).click()
  await expect(adjustment).toBeHidden()
  await page.getByRole('tab', { name: 'Balance' }).click()
  await expect(page.getByRole('row', { name: /Credit or debit, A late delivery \+250 miles 250 miles/ })).toBeVisible()
  await expectNoA11yViolations(page)

  // A large one waits for a second person, and the one who asked cannot decide it.
  await page.getByRole('button', { name: 'Credit or debit' }).click()
  await adjustment.getByLabel('Amount in miles').fill('9000')
  await adjustment.getByLabel('Reason').fill('Compensation')
  await adjustment.getByRole('button', { name: 'Ask for approval' }).click()
  await expect(adjustment).toBeHidden()
  await page.goto(at('console', '/skyharbor/approvals'))
  await page
    .getByRole('link', { name: /Credit of 9,000 miles/ })
    .first()
    .click()
  await expect(page.getByText('After it', { exact: true })).toBeVisible()
  await expect(page.getByText('You asked for this. A second person decides it.')).toBeVisible()
  await expectNoA11yViolations(page)

  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(at('console', `/skyharbor/members?q=${encodeURIComponent(email)}`))
  await page.getByRole('link', { name: 'Ada King' }).click()
  await expect(page.getByRole('heading', { name: 'Ada King', level: 1 })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  await member.context().close()
})
