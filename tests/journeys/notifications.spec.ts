import type { Page } from '@playwright/test'
import { at, callApi, expect, expectNoA11yViolations, test } from '../support/journey.ts'
import { joinWithCard } from '../support/journey-members.ts'

/** Makes a choice and waits until it is stored: a page is usable again at once, while its request is on its way. */
async function store(page: Page, choose: () => Promise<void>): Promise<void> {
  const stored = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok())
  await Promise.all([stored, choose()])
}

test('a member chooses which notifications to get and how, and the choice is stored', async ({ page }) => {
  await joinWithCard(page, 'orchard')
  await page.goto(at('orchard', '/account/privacy'))
  const posted = page.getByRole('checkbox', { name: 'Email: a reward is posted' })
  const review = page.getByRole('checkbox', { name: 'Email: a review is about to expire' })
  await expect(posted).not.toBeChecked()
  await expect(review).toBeChecked()
  // The message is shown briefly, so the test waits for it from the start.
  await Promise.all([expect(page.getByText('Saved.')).toBeVisible(), posted.check()])
  await store(page, () => review.uncheck())
  await expectNoA11yViolations(page)
  await page.reload()
  await expect(posted).toBeChecked()
  await expect(review).not.toBeChecked()
  // After a choice the page shows what is stored, also where another tab has changed what was chosen here.
  const device = page.getByRole('checkbox', { name: 'On my devices: a reward is posted' })
  await store(page, () => device.uncheck())
  const other = { topic: 'rewardPosted', channel: 'push', wanted: true }
  await callApi(page, '/api/Member/Notices', { method: 'PUT', body: other })
  await review.check()
  await expect(device).toBeChecked()
  // A program without reviews has no notification about them.
  await joinWithCard(page, 'gallonaire')
  await page.goto(at('gallonaire', '/account/privacy'))
  await expect(page.getByRole('checkbox', { name: 'Email: a reward is posted' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: /review/ })).toHaveCount(0)
})

test('a member who blocks notifications sees how to allow them', async ({ page }) => {
  await joinWithCard(page, 'skyharbor')
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'requestPermission', { value: async () => 'denied' })
  })
  await page.goto(at('skyharbor', '/account/privacy'))
  await page.getByRole('button', { name: 'Notify me on this device' }).click()
  await expect(page.getByText('This browser is blocking notifications.')).toBeVisible()
})
