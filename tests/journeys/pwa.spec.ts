import { at, expect, expectAccessible, test } from '../support/journey.ts'
import { join } from '../support/journey-members.ts'

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

  test('PWA-010 SHELL-018 the footer shows no store badges', async ({ page }) => {
    await page.goto(at('gallonaire'))
    await expect(page.getByRole('contentinfo').getByText('App Store')).toHaveCount(0)
  })

  test('PWA-011 the app is notified who is signed in, and an error of the app is only logged', async ({ page }) => {
    const consoleLines: string[] = []
    page.on('console', (message) => consoleLines.push(`${message.type()} ${message.text()}`))
    await page.addInitScript(() => {
      window.DinebackApp = {
        setUserId(publicId) {
          sessionStorage.setItem('userId', publicId)
          throw new Error('not today')
        },
      }
    })
    await page.goto(at('gallonaire', '/join'))
    await join(page)
    await expect(page).toHaveURL(/add_card/)
    expect(await page.evaluate(() => sessionStorage.getItem('userId'))).toMatch(/^[\w-]{22}$/)
    expect(consoleLines.filter((line) => line.includes('not today')).every((line) => line.startsWith('info'))).toBe(
      true,
    )
  })
})

test('PWA-007 the staging tools make a browser identify as the app until the cookie is deleted', async ({ page }) => {
  await page.goto(at('orchard', '/staging-tools/native'))
  await page.getByLabel('Platform').selectOption('android')
  await page.getByLabel('Version').fill('3.0.9')
  await page.getByRole('button', { name: /Apply/ }).click()
  await expect(page.getByRole('link', { name: 'Update Now' })).toHaveAttribute('href', /\/android\//)
  await page.context().clearCookies({ name: 'native_app' })
  await page.goto(at('orchard'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('PWA-001 PWA-003 PWA-014 the install prompt uses the program’s text, and does not return for a while after "Maybe later"', async ({
  page,
}) => {
  const offer = () =>
    page.evaluate(() => {
      const event = Object.assign(new Event('beforeinstallprompt'), {
        prompt: async () => document.documentElement.setAttribute('data-prompted', 'yes'),
      })
      window.dispatchEvent(event)
    })
  await page.goto(at('gallonaire'))
  await page.waitForFunction(() => document.querySelector('form fieldset:not([disabled])'))
  await offer()
  const banner = page.getByRole('complementary', { name: /^Install / })
  await expect(banner).toBeVisible()
  await expectAccessible(page)
  await banner.getByRole('button', { name: 'Install' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-prompted', 'yes')
  await offer()
  await banner.getByRole('button', { name: 'Maybe later' }).click()
  await expect(banner).toHaveCount(0)
  expect(Number(await page.evaluate(() => localStorage.getItem('RN_PWA_LATER')))).toBeGreaterThan(0)
  await page.reload()
  await page.waitForFunction(() => document.querySelector('form fieldset:not([disabled])'))
  await offer()
  await expect(banner).toHaveCount(0)
})

test.describe('without a network', () => {
  test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module/ })
  test('PWA-001 a page stays when the install offer cannot be loaded', async ({ page, context }) => {
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

test.describe('on an iPhone', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile/15E Safari/604.1',
  })
  test('PWA-002 PWA-006 Safari shows instructions where the partner enables them', async ({ page }) => {
    await page.goto(at('skyharbor'))
    await expect(page.getByText(/Add to Home Screen/)).toBeVisible()
    await page.goto(at('beacon'))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText(/Add to Home Screen/)).toHaveCount(0)
  })
})
