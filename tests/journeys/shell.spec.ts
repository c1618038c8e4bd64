import type { Page } from '@playwright/test'
import { at, expect, expectAccessible, further, test, withMotion } from '../support/journey.ts'
import { joinViaApi } from '../support/journey-members.ts'
import { scaled } from '../support/scale.ts'

const partners = ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern'] as const

async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  return page.getByRole('navigation', { name: 'Main' })
}
const texts = async (links: ReturnType<Page['locator']>) =>
  (await links.allInnerTexts()).map((text) => text.trim()).filter(Boolean)

test('SHELL-006 on a small screen the bar hides on scrolling down and returns on scrolling up', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 700 })
  await page.goto(at('skyharbor'))
  const top = () => page.getByRole('banner').evaluate((bar) => Math.round(bar.getBoundingClientRect().bottom))
  await page.mouse.wheel(0, 900)
  await expect.poll(top).toBeLessThanOrEqual(0)
  // Who tabs back to the bar sees what has the focus.
  const logo = page.getByRole('banner').getByRole('link').first()
  await logo.evaluate((link) => link.focus({ preventScroll: true }))
  await expect.poll(top).toBeGreaterThan(0)
  await logo.evaluate((link) => link.blur())
  await expect.poll(top).toBeLessThanOrEqual(0)
  await page.mouse.wheel(0, -200)
  await expect.poll(top).toBeGreaterThan(0)
})

test('SHELL-002 SHELL-008 SHELL-010 SHELL-041 on a phone the bar shows its logo and all texts, and no page is wider than the screen', async ({
  page,
}) => {
  const bar = page.getByRole('banner')
  const fits = async (path: string, texts: readonly string[]) => {
    for (const width of [320, 375]) {
      await page.setViewportSize({ width, height: 700 })
      for (const text of texts) await expect(bar.getByText(text, { exact: true }).last()).toBeInViewport({ ratio: 1 })
      const logo = await bar.getByRole('link', { name: /, home$/ }).boundingBox()
      expect([path, width, (logo?.width ?? 0) > 40]).toEqual([path, width, true])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect([path, width, wide]).toEqual([path, width, 0])
    }
  }
  for (const partner of scaled({ full: ['skyharbor', 'gallonaire', 'orchard'], short: ['orchard'] })) {
    await page.goto(at(partner, '/how-it-works'))
    await fits(`${partner} /how-it-works`, ['Sign in', 'Join'])
    await page.goto(at(partner, '/join'))
    await fits(`${partner} /join`, ['Already a member?', 'Sign in'])
  }
  // Without a session there is no sign-out link.
  await page.goto(at('beacon', '/join'))
  await fits('beacon /join', ['Join'])
  await expect(bar.getByText(/Sign out/)).toHaveCount(0)
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/how-it-works'))
  await fits('gallonaire, no card', ['Finish joining', 'Sign out'])
})

test('SHELL-047 on a phone the announcement has no more lines than its text, and the bar’s texts stand in its middle', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 700 })
  for (const partner of scaled({ full: ['skyharbor', 'gallonaire', 'orchard'], short: ['gallonaire'] })) {
    await page.goto(at(partner, '/join'))
    const announcement = await page.getByRole('complementary', { name: 'Announcement' }).boundingBox()
    expect([partner, (announcement?.height ?? 999) <= 72]).toEqual([partner, true])
    const bar = await page.getByRole('banner').boundingBox()
    const question = await page.getByText('Already a member?').first().boundingBox()
    expect([partner, (question?.y ?? 0) - (bar?.y ?? 0) >= 6]).toEqual([partner, true])
  }
})

test('SHELL-014 SHELL-015 CMS-003 CMS-011 the menu has own links, navigation by width and footer links, in this order', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(at('skyharbor'))
  const wide = await texts((await openMenu(page)).getByRole('link'))
  expect(wide.slice(0, 6)).toEqual([
    'Join',
    'Sign in',
    'How it works',
    'Find a restaurant',
    'Ways to earn',
    'Program news',
  ])
  expect(wide.at(-3)).toBe('Program terms')
  await page.setViewportSize({ width: 800, height: 900 })
  const narrow = await texts(page.getByRole('navigation', { name: 'Main' }).getByRole('link'))
  expect(narrow.slice(2, 6)).toEqual(['How it works', 'Restaurants', 'Earn', 'News'])
})

test('SHELL-016 the menu closes by a click outside, a selection, and Escape, which returns the focus', async ({
  page,
}) => {
  await page.goto(at('skyharbor', '/how-it-works'))
  const button = page.getByRole('button', { name: 'Menu' })
  const menu = page.getByRole('navigation', { name: 'Main' })
  await openMenu(page)
  await page.mouse.click(900, 600)
  await expect(menu).toBeHidden()
  await openMenu(page)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
  await openMenu(page)
  await menu.getByRole('link', { name: 'How it works' }).click()
  await expect(menu).toBeHidden()
})

test('SHELL-033 CMS-005 A11Y-008 the announcement banner has a link and an explanation that works by keyboard', async ({
  page,
}) => {
  await page.goto(at('skyharbor'))
  const banner = page.getByRole('complementary', { name: 'Announcement' })
  await expect(banner).toContainText('Book a table here and earn 500 bonus miles.')
  const sign = banner.getByRole('button', { name: 'More about this' })
  await expect(banner.getByRole('tooltip')).toBeHidden()
  await sign.focus()
  await expect(banner.getByRole('tooltip')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(banner.getByRole('tooltip')).toBeHidden()
})

test.describe('pop-ups', () => {
  test.use({ popUps: true })

  test('SHELL-025 the general pop-up is accessible, and its link has the subject', async ({ page }) => {
    await page.goto(at('gallonaire', '/how-it-works'))
    const dialog = page.getByRole('dialog', { name: 'This is BIG' })
    // With its subject, for search engines and screen readers.
    const link = dialog.getByRole('link', { name: 'LEARN MORE This is BIG', exact: true })
    await expect(link).toHaveAttribute('href', '/earn/this-is-big')
    await expectAccessible(page)
  })
})

test('ROUTE-029 A11Y-001 a new page starts at its top, has the focus, and announces its title', async ({ page }) => {
  await page.goto(at('skyharbor'))
  await page.evaluate(() => window.scrollTo(0, 900))
  await page.getByRole('contentinfo').getByRole('link', { name: 'Ways to earn' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ways to earn' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await expect(page.locator('#main')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Ways to earn' })).toHaveCount(1)
})

test('dark and light can be chosen, and the next page loads in that mode', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(at('beacon', '/earn/how-it-works'))
  const dark = page.getByRole('button', { name: 'Dark colors' })
  const light = page.getByRole('button', { name: 'Light colors' })
  await expect(dark).toBeVisible()
  // Until a mode is chosen, the page follows the system, also while it is open.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(light).toBeVisible()
  await page.emulateMedia({ colorScheme: 'light' })
  await dark.click()
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  await expect(light).toBeVisible()
  // The browser stores a cookie a moment after the page has set it.
  await expect.poll(async () => (await page.context().cookies()).map(({ name }) => name)).toContain('mode')
  await page.goto(at('beacon'))
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  await expectAccessible(page)
  await light.click()
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'light')
})

test('ROLE-005 ROLE-007 SHELL-007 a bank’s customer without a card is led to join, and can sign out, also while joining', async ({
  page,
}) => {
  await page.goto(at('beacon', '/search?location=10001'))
  await page.getByRole('banner').getByRole('link', { name: 'Join' }).click()
  await page.getByLabel('User name').fill('bo@beacon.example')
  await page.getByLabel('Password').fill('dine-with-bo')
  await page.getByRole('button', { name: /Sign in|Continue/ }).click()
  await expect(page).toHaveURL(/beacon\.localhost/)
  for (const width of [320, 375, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto(at('beacon', '/add_card'))
    const signOut = page.getByRole('banner').getByText('Sign out of Beacon Bank Cashback Dining')
    await expect(signOut).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  }
  await page.goto(at('beacon', '/search?location=10001'))
  const bar = page.getByRole('banner')
  await expect(bar.getByRole('link', { name: 'Finish joining' })).toHaveAttribute(
    'href',
    '/join?returnTo=%2Fsearch%3Flocation%3D10001',
  )
  await bar.getByRole('link', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign out here too' }).click()
  await expect(page).toHaveURL(at('beacon'))
  await expect(page.getByRole('banner').getByRole('link', { name: 'Join' })).toBeVisible()
})

test.describe('with motion', () => {
  test.use(withMotion)

  test('SHELL-044 SHELL-045 A11Y-004 a carousel stops at its ends, shows its position, and links to the whole search', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(at('gallonaire'))
    const row = page.getByRole('region', { name: 'Burgers, big ones' })
    await row.scrollIntoViewIfNeeded()
    await expect(row.getByRole('link', { name: /^View all/ })).toHaveAttribute(
      'href',
      '/search?location=New+York%2C+NY&restaurantOrCuisine=Burgers',
    )
    const [previous, next] = [row.getByRole('button', { name: 'Previous' }), row.getByRole('button', { name: 'Next' })]
    await expect(previous).toBeDisabled()
    const slides = row.getByRole('listitem')
    await expect(slides).toHaveCount(15)
    expect(Math.round((await slides.first().boundingBox())?.width ?? 0)).toBe(200)
    for (let press = 0; press < 12 && (await next.isEnabled()); press++) {
      const before = await slides.first().boundingBox()
      await next.click()
      // The carousel animates: the next press waits until it stops.
      let last = before?.x
      await expect
        .poll(
          async () => {
            const now = (await slides.first().boundingBox())?.x
            const rests = now === last && now !== before?.x
            last = now
            return rests
          },
          { intervals: [100] },
        )
        .toBe(true)
    }
    await expect(next).toBeDisabled()
    await expect(previous).toBeEnabled()
  })
})

test(
  'SHELL-043 no field makes a phone zoom: its text is at least 16 pixels in every program',
  further,
  async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 800 })
    for (const partner of partners) {
      await page.goto(at(partner, partner === 'lantern' || partner === 'beacon' ? '/search' : '/join'))
      const sizes = await page.evaluate(() =>
        [...document.querySelectorAll('input:not([type=checkbox]):not([type=radio]), select, textarea')].map((field) =>
          Number.parseFloat(getComputedStyle(field).fontSize),
        ),
      )
      expect([partner, sizes.length > 0, sizes.filter((size) => size < 16)]).toEqual([partner, true, []])
    }
  },
)
