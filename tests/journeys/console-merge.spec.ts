import { at, expect, expectNoA11yViolations, test } from '../support/journey.ts'
import { joinViaApi, openConsole } from '../support/journey-members.ts'

test('CON-740 CON-741 an operator asks to merge two accounts after what it does was shown, and cannot approve it alone', async ({
  page,
  browser,
}) => {
  const guest = await browser.newContext()
  const [first, second] = [
    await joinViaApi(await guest.newPage(), 'skyharbor'),
    await joinViaApi(await (await browser.newContext()).newPage(), 'skyharbor'),
  ]
  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  const openMember = async (email: string) => {
    await page.goto(at('console', `/skyharbor/members?q=${encodeURIComponent(email)}`))
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await expect(page.getByRole('heading', { name: 'Ada Lovelace', level: 1 })).toBeVisible()
  }
  await openMember(first)
  const number = (await page.getByText(/^SKY\d+$/).textContent()) ?? ''
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Merge into another account' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Ask for approval' })).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'Account to keep' }).fill(second)
  await expect(page.getByRole('option', { name: new RegExp(second) })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(`Moves to ${second}`)).toBeVisible()
  await expect(dialog.getByText('Both balances are empty.')).toBeVisible()
  await expect(dialog.getByText('It cannot be undone.')).toBeVisible()
  await expectNoA11yViolations(page)
  await dialog.getByLabel('Reason').fill('Both are hers, ticket 4711')
  await dialog.getByLabel('Member number of the account that ends').fill(number)
  await dialog.getByRole('button', { name: 'Ask for approval' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/^Asked for approval: Merge the account/)).toBeVisible()

  await page.goto(at('console', '/skyharbor/approvals'))
  await page
    .getByRole('link', { name: new RegExp(`Merge the account ${number}`) })
    .first()
    .click()
  await expect(page.getByText('You asked for this. A second person decides it.')).toBeVisible()
  await page.setViewportSize({ width: 375, height: 800 })
  await openMember(first)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Merge into another account' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Account to keep' })).toBeVisible()
  await expect(page.getByRole('menu')).toBeHidden()
  await expectNoA11yViolations(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
})
