import { at, expect, expectAccessible, further, test } from '../support/journey.ts'

test.describe('offline', () => {
  // Network errors in the browser's console are expected here.
  test.use({
    serviceWorkers: 'allow',
    tolerated: [/ERR_INTERNET_DISCONNECTED|status of 401/, { option: true }] as never,
  })

  test('PWA-012 ROUTE-028 visited pages are available, others show the offline page, and account pages and sign-in paths are never cached', async ({
    page,
    context,
  }) => {
    await page.goto(at('orchard', '/how-it-works'))
    await page.waitForFunction(() =>
      navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null),
    )
    await page.goto(at('orchard', '/search?location=10001'))
    await page.getByRole('article').first().getByRole('link').first().click()
    await expect(page).toHaveURL(/merchants/)
    // Until its scripts are stored, too: they are loaded after the first paint.
    await page.reload({ waitUntil: 'networkidle' })
    const merchant = page.url()
    const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    const stored = () =>
      page.evaluate(async () => {
        const requests = await Promise.all((await caches.keys()).map(async (key) => (await caches.open(key)).keys()))
        return requests.flat().map(({ url }) => new URL(url).pathname)
      })
    await expect.poll(stored).toEqual(expect.arrayContaining(['/how-it-works', '/offline']))
    await context.setOffline(true)
    await page.goto(at('orchard', '/how-it-works'))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.goto(merchant)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await page.goto(at('orchard', '/privacy'))
    await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
    await expect(page.getByRole('link', { name: /how-it-works|how it works/i })).toBeVisible()
    await expect(page.goto(at('orchard', '/SignOut'))).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/)
    await expect(page.goto(at('orchard', '/api/PartnerConfig'))).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/)
    await context.setOffline(false)
    await page.goto(at('orchard', '/privacy'))
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('No connection')
    expect((await stored()).filter((path) => /^\/(api|Login|SignOut|account)/.test(path))).toEqual([])
  })
})

test.describe('in the native app', () => {
  test.use({ userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605 Mobile DinebackApp/1.9.0 (ios)' })

  test('PWA-007 PWA-008 PWA-009 SHELL-001 an app that is too old is directed to its store', async ({ page }) => {
    await page.goto(at('skyharbor'))
    const screen = page.getByRole('dialog', { name: 'New Version Available' })
    await expect(screen).toContainText('Update now to keep using the app.')
    await expect(screen.getByRole('link', { name: 'Update Now' })).toHaveAttribute('href', /\/ios\//)
    await page.keyboard.press('Escape')
    await expect(screen).toBeVisible()
    await expectAccessible(page)
    await page.goto(at('beacon'))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test('PWA-001 the install offer has no axe violation', async ({ page }) => {
  await page.goto(at('gallonaire'))
  await page.evaluate(() => window.dispatchEvent(new Event('beforeinstallprompt')))
  await expect(page.getByRole('complementary', { name: /^Install / })).toBeVisible()
  await expectAccessible(page)
})

test.describe('without a network', () => {
  test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module/ })
  test('PWA-001 a page stays when the install offer cannot be loaded', further, async ({ page, context }) => {
    const reason = /Failed to fetch dynamically imported module/
    await page.goto(at('gallonaire', '/how-it-works'), { waitUntil: 'networkidle' })
    await context.setOffline(true)
    const rendered = Promise.race([
      page.waitForEvent('console', (message) => reason.test(message.text())),
      page.waitForEvent('pageerror'),
    ])
    await page.evaluate(() => window.dispatchEvent(new Event('beforeinstallprompt')))
    await rendered
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})
