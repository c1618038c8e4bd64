import { at, expect, further, test } from '../support/journey.ts'
import { expectConsolePage, expectFitsPhone, openConsolePage } from '../support/journey-console.ts'
import { openConsole } from '../support/journey-members.ts'

test('CON-011 CON-012 the home pages and the empty queues are legible, also on a phone', further, async ({ page }) => {
  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  for (const [path, heading] of [
    ['/', 'Programs'],
    ['/lantern', /^Lantern/],
    ['/lantern/claims', 'Claims'],
    ['/lantern/approvals', 'Approvals'],
    ['/lantern/unmatched', 'Unmatched'],
  ] as const) {
    await openConsolePage(page, path, heading)
    await expectFitsPhone(page)
    await expectConsolePage(page, heading)
    await page.setViewportSize({ width: 1280, height: 720 })
  }
})

test('CON-500 CON-504 CON-506 CON-507 every report is reached from the others, with its file', async ({ page }) => {
  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await page.goto(at('console', '/skyharbor/reports'))
  for (const [label, heading] of [
    ['Members and dines', 'Reports'],
    ['Money', 'Money'],
    ['From visit to fifth dine', 'From visit to fifth dine'],
    ['Retention', 'Retention'],
    ['Restaurants and bonuses', 'Restaurants and bonuses'],
  ] as const) {
    const link = page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: label })
    await link.click()
    await expectConsolePage(page, heading)
    await expect(link).toHaveAttribute('aria-current', 'page')
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
    expect(file.suggestedFilename()).toMatch(/\.csv$/)
    await expectFitsPhone(page)
    await page.setViewportSize({ width: 1280, height: 720 })
  }
})
