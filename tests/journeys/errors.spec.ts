import { at, expect, test } from '../support/journey.ts'
import { joinViaApi } from '../support/journey-members.ts'

test.use({ tolerated: [/status of (400|401|403|404|409|500|503)|Error|error/, { option: true }] as never })

test('ERR-007 ERR-008 ERR-009 toasts are at the top center; a success disappears after three seconds, an error stays', async ({
  page,
}) => {
  await joinViaApi(page, 'skyharbor')
  await page.goto(at('skyharbor', '/account/privacy'))
  // The clock is paused and only the test moves it, however long the rest takes.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 2_000)
  await page.getByLabel('Offers by text message').click()
  const wrong = page
    .locator('[aria-live=assertive] > *')
    .filter({ hasText: 'We don’t have a phone number to text you at.' })
  await expect(wrong).toBeVisible()
  await page.getByLabel('Offers by email').click()
  await page.getByRole('button', { name: 'Stop emails' }).click()
  const good = page.locator('section [aria-live=polite] > *').filter({ hasText: 'Saved.' })
  await expect(good).toBeVisible()
  const [box, width] = [await good.boundingBox(), page.viewportSize()?.width ?? 0]
  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - width / 2)).toBeLessThan(20)
  expect(box?.y ?? 999).toBeLessThan(300)
  await page.clock.fastForward(9_900)
  await expect(good).toBeVisible()
  await page.clock.fastForward(200)
  await expect(good).toHaveCount(0)
  await page.clock.fastForward('10:00')
  await expect(wrong).toBeVisible()
})

test.describe('without what a page needs', () => {
  // Network errors in the browser's console are expected here.
  test.use({ tolerated: [/ERR_INTERNET_DISCONNECTED|status of 404/, { option: true }] as never })

  test('ERR-025 ERR-026 offline, a search and a dialog say that there is no connection, and can be tried again', async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width: 375, height: 720 })
    await page.goto(at('skyharbor', '/search?location=10001'))
    const main = page.getByRole('main')
    const retry = main.getByRole('button', { name: 'Try again' })
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await expect(main.getByRole('alert')).toContainText('Check your connection')
    await expect(main.getByRole('alert').getByRole('heading')).toBeInViewport({ ratio: 1 })
    await retry.click()
    await expect(retry).toBeFocused()
    await expect(page.getByRole('article').first()).toBeVisible()
    await context.setOffline(false)
    await retry.click()
    await expect(retry).toHaveCount(0)
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await context.setOffline(true)
    await page.getByRole('combobox', { name: 'Restaurant or cuisine' }).fill('sushi')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page).toHaveURL(/sushi/)
    await expect(main.getByRole('heading', { name: 'No connection' })).toBeVisible()
    await retry.click()
    await expect(main.getByRole('heading', { name: 'No connection' })).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByRole('article').first()).toContainText(/sushi/i)
  })

  test('ERR-026 after a deployment removed the file of a dialog or a page, another try loads a new document', async ({
    page,
  }) => {
    await page.goto(at('skyharbor', '/search?location=10001'))
    const main = page.getByRole('main')
    let isGone = true
    await page.route(/\/assets\/(FilterDialog|MerchantPage)/, (route) =>
      isGone ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    )
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isGone = false
    })
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await expect(main.getByRole('alert')).toBeVisible()
    await main.getByRole('button', { name: 'Try again' }).click()
    await expect(main.getByRole('alert')).toHaveCount(0)
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    isGone = true
    await page.getByRole('article').first().getByRole('link').first().click()
    await expect(page.getByRole('heading', { level: 2, name: 'Reserve a table' })).toBeVisible()
  })
})
