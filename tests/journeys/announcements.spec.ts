import { at, expect, further, test } from '../support/journey.ts'

test(
  'A11Y-013 the next page of results starts at its top with the focus, and the filters announce the number of results',
  further,
  async ({ page }) => {
    await page.goto(at('skyharbor', '/search?location=10001'))
    await page.getByRole('navigation', { name: 'Pages of results' }).getByRole('link', { name: 'Next' }).press('Enter')
    await expect(page).toHaveURL(/pageNo=2/)
    const start = page.getByRole('status').getByText('restaurants near')
    await expect(start).toBeFocused()
    await expect(start).toBeInViewport()
    await page.getByRole('button', { name: 'Filters' }).press('Enter')
    const panel = page.getByRole('dialog')
    await panel.getByRole('checkbox', { name: /^Brunch/ }).press('Space')
    await expect(panel.getByRole('status').filter({ hasText: /^Show \d/ })).toHaveCount(1)
  },
)

test('A11Y-014 the sign-in link on a card is large enough to tap', further, async ({ page }) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  const link = page.getByRole('article').getByRole('link', { name: 'Sign in to see offers' }).first()
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24)
})

test('A11Y-012 forced colors show a pressed button', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(at('skyharbor', '/search?location=10001'))
  const chip = page.getByRole('button', { name: 'New', exact: true })
  const ground = () => chip.evaluate((button) => getComputedStyle(button).backgroundColor)
  const before = await ground()
  await chip.press('Enter')
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
  expect(await ground()).not.toBe(before)
})
