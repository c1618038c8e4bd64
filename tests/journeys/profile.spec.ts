import { at, expect, expectAccessible, test } from '../support/journey.ts'
import { joinViaApi } from '../support/journey-members.ts'

test('PROF-026 A11Y-016 on a phone the first wrong field is in view, and neither the message nor a bar covers it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 700 })
  await joinViaApi(page, 'skyharbor')
  await page.goto(at('skyharbor', '/account/user_profile'))
  for (const [label, text] of [
    [/^First name/, ''],
    [/^ZIP code/, 'abc'],
  ] as const) {
    await page.reload()
    const field = page.getByLabel(label)
    await field.fill(text)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('No changes were saved.')).toBeVisible()
    await expect(field).toBeFocused()
    await expect(field).toBeInViewport({ ratio: 1 })
    const isFree = await field.evaluate((control) => {
      const { left, right, top, bottom } = control.getBoundingClientRect()
      const at = (y: number) => document.elementFromPoint((left + right) / 2, y)
      return [top + 2, bottom - 2].every((y) => at(y) === control)
    })
    expect(isFree).toBe(true)
  }
})

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
