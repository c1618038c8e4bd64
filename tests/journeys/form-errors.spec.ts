import type { Page } from '@playwright/test'
import { at, expect, further, test } from '../support/journey.ts'
import { joinViaApi } from '../support/journey-members.ts'

// Some responses are failures on purpose.
test.use({ tolerated: /status of (400|401|404|500)|ERR_FAILED/ })

const submit = (page: Page) => page.getByRole('main').locator('button[type=submit]')

test('VAL-004 the first invalid field of an empty join form comes into view on a phone, with the focus', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 700 })
  for (const partner of ['orchard', 'gallonaire']) {
    await page.goto(at(partner, '/join'))
    await submit(page).click()
    await expect(page.getByLabel('First name')).toBeFocused()
    await expect(page.getByLabel('First name')).toBeInViewport()
  }
})

test('VAL-007 a click on the button counts even when the blurred field shows or clears an error', async ({ page }) => {
  // The mouse does not scroll.
  await page.setViewportSize({ width: 1280, height: 1400 })
  await page.goto(at('gallonaire', '/login'))
  const sent = page.waitForRequest('**/api/SignIn')
  const password = page.getByRole('textbox', { name: /^Password/ })
  await page.getByLabel(/^Email address/).fill('unknown@example.com')
  await password.focus()
  const press = async () => {
    const box = await submit(page).first().boundingBox()
    if (!box) throw new Error('no button')
    // At its upper edge: an error that appears above the button would move it away from the pointer.
    await page.mouse.move(box.x + box.width / 2, box.y + 4)
    await page.mouse.down()
    await page.evaluate(() => new Promise((done) => setTimeout(done, 200)))
    await page.mouse.up()
  }
  await press()
  await expect(page.getByRole('alert')).toContainText('Please check form for errors.')
  await expect(password).toBeFocused()
  await password.fill('wrong')
  await expect(password).not.toHaveAttribute('aria-invalid', 'true')
  await press()
  await sent
})

test(
  'A11Y-016 a missing transaction names every invalid field and accepts a day in common formats',
  further,
  async ({ page }) => {
    await joinViaApi(page, 'skyharbor')
    await page.goto(at('skyharbor', '/account/missing_meal'))
    await expect(page.getByText('* Required field')).toBeVisible()
    await submit(page).click()
    await expect(page.getByLabel('Date')).toBeFocused()
    const summary = page.getByRole('alert').filter({ hasText: 'ERROR' })
    await expect(summary.getByRole('link')).toHaveText([
      'Enter the date of your meal: today or earlier.',
      'Enter the name of the restaurant.',
      /^Enter an amount/,
    ])
    const looks = await page.locator('[id$="-error"]:not(:empty)').evaluateAll((errors) =>
      errors.map((error) => {
        const { font, color } = getComputedStyle(error)
        return `${font} ${color}`
      }),
    )
    expect([looks.length, new Set(looks).size]).toEqual([3, 1])
    await summary.getByRole('link', { name: 'Enter the name of the restaurant.' }).click()
    await expect(page.getByRole('combobox', { name: 'Restaurant' })).toBeFocused()
    await page.getByLabel('Date').focus()
    await page.keyboard.type('3/5/2026')
    await expect(page.getByLabel('Date')).toHaveValue('2026-03-05')
    await expect(page.getByLabel('Date')).not.toHaveAttribute('aria-invalid', 'true')
  },
)
