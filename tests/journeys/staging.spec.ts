import { at, expect, expectNoA11yViolations, test } from '../support/journey.ts'

test('ROUTE-023 the tools for program states have no axe violation, and do not scroll sideways on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(at('skyharbor', '/staging-tools/states'))
  await page.getByLabel('State', { exact: true }).selectOption('Closed account')
  await page.getByRole('button', { name: 'Make a member' }).click()
  await expect(page.getByText(/^Made: closed-[\w-]+@staging\.example, password /)).toBeVisible()
  await expectNoA11yViolations(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
})
