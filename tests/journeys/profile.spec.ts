import type { Page } from '@playwright/test'
import { at, callApi, expect, expectAccessible, test } from '../support/journey.ts'
import { joinViaApi } from '../support/journey-members.ts'

test.use({ tolerated: [/status of (400|401|500)/, { option: true }] as never })

const clean = async (page: Page) => await expectAccessible(page)

async function openProfile(page: Page, partner: string) {
  await joinViaApi(page, partner)
  await page.goto(at(partner, '/account/user_profile'))
}
const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click()

test('PROF-001 PROF-019 PROF-020 PROF-021 PROF-022 PROF-006 a profile can be changed, and fields that cannot be changed say how to do it', async ({
  page,
}) => {
  await openProfile(page, 'gallonaire')
  await clean(page)
  await expect(page.getByLabel('Email address', { exact: true })).toBeDisabled()
  await expect(page.getByLabel('Password', { exact: true })).toBeDisabled()
  await expect(page.getByText(/To change your email address, contact us at .* or call 1-800/)).toBeVisible()
  await expect(page.getByText(/Change your password under “Sign-in & security”/)).toBeVisible()
  // 50 states, DC, five territories, three codes of the armed forces, and an empty choice.
  await expect(page.getByLabel('State').locator('option')).toHaveCount(60)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent++
  })
  await save(page)
  await expect(page.getByText('No changes were made.')).toBeVisible()
  expect(sent).toBe(0)
  await page.getByLabel(/^First name/).fill('Augusta')
  await page.getByLabel('State').selectOption('IL')
  await save(page)
  await expect(page.getByText('All changes were saved.')).toBeVisible()
  expect(await callApi(page, '/api/Member')).toMatchObject({ firstName: 'Augusta', address: { state: 'IL' } })
  await save(page)
  await expect(page.getByText('No changes were made.')).toBeVisible()
})

test('PROF-009 PROF-010 PROF-011 PROF-028 a ZIP code is validated once on blur, and a failure shows an error', async ({
  page,
}) => {
  await openProfile(page, 'gallonaire')
  const zip = page.getByLabel(/^ZIP code/)
  const requestedZips: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/Validate/Zip')) requestedZips.push(url.searchParams.get('zip') ?? '')
  })
  const leave = () => page.getByLabel(/^First name/).focus()
  await zip.fill('00000')
  await expect(page.getByText('This ZIP code is not located in the U.S.')).toHaveCount(0)
  await leave()
  await expect(page.getByText('This ZIP code is not located in the U.S.')).toBeVisible()
  await zip.focus()
  await leave()
  await expect(page.getByText('This ZIP code is not located in the U.S.')).toBeVisible()
  expect(requestedZips).toEqual(['00000'])
  await zip.fill('10001')
  await leave()
  await expect.poll(() => requestedZips).toEqual(['00000', '10001'])
  await zip.fill('00000')
  await leave()
  await expect(page.getByText('This ZIP code is not located in the U.S.')).toBeVisible()
  expect(requestedZips).toEqual(['00000', '10001'])
  await page.route('**/Validate/Zip*', (route) => route.fulfill({ status: 500, json: {} }))
  await zip.fill('60601')
  await leave()
  await expect(page.getByText('Something went wrong. Please refresh the page and try again.')).toBeVisible()
})

test('PROF-012 PROF-013 PROF-014 PROF-015 PROF-016 the first form of consent is reset by every change of its number', async ({
  page,
}) => {
  await openProfile(page, 'skyharbor')
  const phone = page.getByLabel('Phone number')
  const texts = page.getByLabel(/^Text me offers/)
  await expect(texts).toBeDisabled()
  await phone.fill('1 212 555 0100')
  await phone.blur()
  await expect(phone).toHaveValue('212-555-0100')
  await texts.check()
  await phone.fill('212-555-0199')
  await expect(texts).not.toBeChecked()
  await texts.check()
  await phone.fill('')
  await expect(texts).not.toBeChecked()
  await expect(texts).toBeDisabled()
  await phone.fill('123-555-0100')
  await phone.blur()
  await expect(page.getByText('Invalid US based phone number.')).toBeVisible()
})

test('PROF-017 PROF-023 PROF-024 VAL-021 the second form opens a dialog with its own checkbox', async ({ page }) => {
  await openProfile(page, 'gallonaire')
  const phone = page.getByLabel('Phone number')
  const texts = page
    .getByRole('main')
    .locator('form')
    .getByLabel(/^Text me offers/)
    .first()
  await phone.fill('212-555-0100')
  await phone.blur()
  const dialog = page.getByRole('dialog', { name: 'Offers by text message' })
  await texts.click()
  await clean(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(texts).not.toBeChecked()
  await texts.click()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(texts).not.toBeChecked()
  await texts.click()
  await dialog.getByLabel(/^Text me offers/).check()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(texts).toBeChecked()
  // Another valid number preserves it, an invalid one does not.
  await phone.fill('212-555-0199')
  await phone.blur()
  await expect(texts).toBeChecked()
  await phone.fill('212-155-0199')
  await phone.blur()
  await expect(texts).not.toBeChecked()
})

test('PROF-025 PROF-026 PROF-027 a save that fails shows an error at the top, at its field, or at the end', async ({
  page,
}) => {
  await openProfile(page, 'gallonaire')
  await page.getByLabel('City').fill('Chicago')
  await page.route('**/api/Member', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 400, json: [{ field: 'city', message: 'Not a city of ours.' }] })
      : route.continue(),
  )
  await save(page)
  await expect(page.getByText('No changes were saved. See error at bottom of page for more details.')).toBeVisible()
  await expect(page.getByText('Not a city of ours.')).toBeVisible()
  await expect(page.getByLabel('City')).toBeFocused()
  await page.unroute('**/api/Member')
  await page.route('**/api/Member', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await page.getByLabel('City').fill('Springfield')
  await save(page)
  const banner = page.getByRole('main').getByRole('alert')
  await expect(banner).toContainText('Something went wrong. Please refresh the page and try again.')
  // A success that replaces the error at the top disappears as any other does.
  await page.unroute('**/api/Member')
  await save(page)
  await expect(page.getByText('All changes were saved.')).toBeVisible()
  await expect(page.getByText('All changes were saved.')).toHaveCount(0)
})
