import { at, expect, further, test } from '../support/journey.ts'

test('ROUTE-029 a new page starts at its top', further, async ({ page }) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  await page.mouse.wheel(0, 3000)
  await page.getByRole('article').nth(5).getByRole('link').first().click()
  await expect(page.getByText('What this meal earns')).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
})

test('CONST-018 CONST-019 SHELL-040 SHELL-042 the sizes are those of the design', async ({ page }) => {
  await page.goto(at('orchard'))
  const size = (name: string) =>
    page.evaluate((property) => getComputedStyle(document.documentElement).getPropertyValue(property).trim(), name)
  expect(
    await Promise.all(
      [
        '--spinner-size',
        '--spinner-space',
        '--spinner-border',
        '--modal-width',
        '--toast-width',
        '--bar-height',
        '--content-width',
        '--content-wide',
        '--content-min',
      ].map(size),
    ),
  ).toEqual(['60px', '60px', '6px', '650px', '550px', '45px', '1050px', '1400px', '320px'])
})
