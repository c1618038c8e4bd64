import { at, expect, expectAccessible, test } from '../support/journey.ts'
import { joinViaApi } from '../support/journey-members.ts'

test('A11Y-010 the profile, and the dialogs before texts and before the end of an account, have no axe violation', async ({
  page,
}) => {
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/user_profile'))
  await expectAccessible(page)
  await page.getByLabel('Phone number').fill('212-555-0100')
  await page
    .getByRole('main')
    .locator('form')
    .getByLabel(/^Text me offers/)
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'Offers by text message' })).toBeVisible()
  await expectAccessible(page)
  await page.goto(at('gallonaire', '/account/privacy'))
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('dialog', { name: 'Delete your account' })).toBeVisible()
  await expectAccessible(page)
})
