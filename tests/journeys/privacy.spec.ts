import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { at, callApi, expect, expectAccessible, test } from '../support/journey.ts'
import { joinViaApi } from '../support/journey-members.ts'

test.use({ tolerated: [/status of (400|401|403|404|409)/, { option: true }] as never })

const clean = async (page: Page) => await expectAccessible(page)

test('the effect of an opt-out is shown before it is confirmed, and every consent can be read later', async ({
  page,
}) => {
  await joinViaApi(page, 'skyharbor')
  await page.goto(at('skyharbor', '/account/privacy'))
  await clean(page)
  const offers = page.getByLabel('Offers by email')
  await expect(offers).toBeChecked()
  await offers.click()
  const dialog = page.getByRole('dialog', { name: 'You would earn less' })
  await expect(dialog).toContainText('earn 3 miles per dollar. Without them, you earn 1 mile per dollar')
  await clean(page)
  await dialog.getByRole('button', { name: 'Keep emails' }).click()
  await expect(offers).toBeChecked()
  expect((await callApi(page, '/api/Member')).tierLevel).toBe('OptedIn')
  await offers.click()
  await dialog.getByRole('button', { name: 'Stop emails' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(offers).not.toBeChecked()
  expect((await callApi(page, '/api/Member')).tierLevel).toBe('OptedOut')
  await page.getByText('Everything you agreed to').click()
  await expect(page.getByText(/^No, .* GMT, on this page\. Version [0-9a-f]{12}\.$/)).toBeVisible()
  await expect(page.getByText(/^Yes, .* GMT, when you joined\. Version/).first()).toBeVisible()
  // A member who had none agrees: the page knows the new rate at once.
  await page.reload()
  await offers.click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await offers.click()
  await expect(dialog).toContainText('earn 3 miles per dollar. Without them, you earn 1 mile per dollar')
  await dialog.getByRole('button', { name: 'Keep emails' }).click()
  // The profile changes the same consent: this page knows it when the member comes back.
  const menu = page.getByRole('navigation', { name: 'Account' })
  await menu.getByRole('link', { name: 'Profile' }).click()
  await page.getByLabel(/^Email me/).uncheck()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('All changes were saved.')).toBeVisible()
  await menu.getByRole('link', { name: 'Privacy' }).click()
  await expect(offers).not.toBeChecked()
})

test('texts cannot be enabled without a phone number', async ({ page }) => {
  await joinViaApi(page, 'skyharbor')
  await page.goto(at('skyharbor', '/account/privacy'))
  await page.getByLabel('Offers by text message').click()
  await expect(page.getByText('We don’t have a phone number to text you at.')).toBeVisible()
  await expect(page.getByLabel('Offers by text message')).not.toBeChecked()
})

test('a member downloads the stored data and deletes the account by typing DELETE', async ({ page }) => {
  const email = await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/privacy'))
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const file = await (await download).path()
  expect(JSON.parse(readFileSync(file, 'utf8')).data.members[0].email).toBe(email)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account' })
  await clean(page)
  await dialog.getByLabel('Type DELETE').fill('please')
  await dialog.getByRole('button', { name: 'Delete now' }).click()
  await expect(dialog.getByText('Please type DELETE.')).toBeVisible()
  await dialog.getByLabel('Type DELETE').fill('DELETE')
  await dialog.getByRole('button', { name: 'Delete now' }).click()
  await expect(page.getByText('Your account has been deleted.')).toBeVisible()
  await expect(page).toHaveURL(at('gallonaire'))
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
  // The visitor can use forms at once: the token of the old session causes no error.
  await page.goto(at('gallonaire', '/login'))
  await page.getByLabel(/^Email address/).fill(email)
  await page.getByRole('textbox', { name: /^Password/ }).fill('sourdough 4 breakfast')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Invalid user name or password')
})
