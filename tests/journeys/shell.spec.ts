import type { Page } from '@playwright/test'
import { at, expect, expectAccessible, test, withMotion } from '../support/journey.ts'
import { linkCard, testCard } from '../support/journey-cards.ts'
import { join, joinViaApi } from '../support/journey-members.ts'

const partners = ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern'] as const

async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  return page.getByRole('navigation', { name: 'Main' })
}
const texts = async (links: ReturnType<Page['locator']>) =>
  (await links.allInnerTexts()).map((text) => text.trim()).filter(Boolean)

test('SHELL-001 SHELL-002 every page has skip link, header, announcement, content and footer in this order', async ({
  page,
}) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  await page.getByRole('article').first().getByRole('link').first().click()
  await expect(page.getByRole('button', { name: 'Back' })).toBeVisible()
  const order = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'a[href="#main"], header:has(nav, button), aside[aria-label="Announcement"], main, footer',
      ),
    ]
      .filter((element) => !element.closest('main') || element.matches('main'))
      .map((element) => element.tagName),
  )
  expect(order).toEqual(['A', 'HEADER', 'ASIDE', 'MAIN', 'FOOTER'])
  const bar = page.getByRole('banner')
  await expect(bar.getByRole('button', { name: 'Menu' })).toBeVisible()
  await expect(bar.getByRole('link', { name: /home$/ })).toBeVisible()
  await expect(bar.getByRole('link', { name: 'Find a restaurant' })).toBeVisible()
  await expect(bar.getByRole('link', { name: 'Join' })).toBeVisible()
})

test('SHELL-003 SHELL-004 SHELL-005 the bar omits the menu while joining, and search where it is not needed', async ({
  page,
}) => {
  await page.goto(at('gallonaire', '/join'))
  await expect(page.getByRole('button', { name: 'Menu' })).toHaveCount(0)
  await page.goto(at('gallonaire', '/discover'))
  await expect(page.getByRole('banner').getByRole('link', { name: 'Find a restaurant' })).toHaveCount(0)
  await page.goto(at('gallonaire', '/search?location=10001'))
  const search = page.getByRole('banner').getByRole('link', { name: 'Find a restaurant' })
  await expect(search).toHaveAttribute('aria-disabled', 'true')
  await search.click({ force: true })
  await expect(page).toHaveURL(/location=10001/)
})

test('SHELL-006 on a small screen the bar hides on scrolling down and returns on scrolling up', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 700 })
  await page.goto(at('skyharbor'))
  const top = () => page.getByRole('banner').evaluate((bar) => Math.round(bar.getBoundingClientRect().bottom))
  await page.mouse.wheel(0, 900)
  await expect.poll(top).toBeLessThanOrEqual(0)
  await page.mouse.wheel(0, -200)
  await expect.poll(top).toBeGreaterThan(0)
})

test('SHELL-008 SHELL-010 SHELL-011 ROLE-011 ROLE-014 the bar offers sign-in and joining as each program allows', async ({
  page,
}) => {
  await page.goto(at('orchard', '/join'))
  await expect(page.getByRole('banner').getByText('Already a member?')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
  const matrix = {
    skyharbor: ['Sign in', 'Join'],
    gallonaire: ['Sign in', 'Join'],
    beacon: ['Join'],
    orchard: ['Sign in', 'Join'],
    lantern: [],
  }
  for (const partner of partners) {
    await page.goto(at(partner))
    const area = page.getByRole('banner').getByRole('link', { name: /^(Sign in|Join)$/ })
    expect([partner, await texts(area)]).toEqual([partner, matrix[partner]])
    const first = await texts((await openMenu(page)).getByRole('link', { name: /^(Sign in|Join)$/ }))
    expect([partner, first.sort()]).toEqual([partner, [...matrix[partner]].sort()])
  }
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
  for (const partner of ['skyharbor', 'gallonaire', 'orchard'] as const) {
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

test('SHELL-007 a bank’s customer can sign out of the program while joining', async ({ page }) => {
  await page.goto(at('beacon', '/staging-tools/states'))
  await page.getByLabel('State', { exact: true }).selectOption('Joined, no card yet')
  await page.getByRole('button', { name: 'Make a member' }).click()
  await page
    .getByRole('button', { name: /^Sign in as this member withoutcard-/ })
    .first()
    .click()
  await expect(page).toHaveURL(at('beacon', '/account/overview'))
  for (const width of [320, 375, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto(at('beacon', '/add_card'))
    await expect(page.getByRole('banner').getByText('Sign out of Beacon Bank Cashback Dining')).toBeInViewport({
      ratio: 1,
    })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  }
})

test('SHELL-012 ROLE-006 a member without a card is led to link one', async ({ page }) => {
  await page.goto(at('gallonaire', '/join'))
  await join(page)
  await expect(page).toHaveURL(/add_card/)
  await page.goto(at('gallonaire', '/search?location=10001'))
  await expect(page.getByRole('banner').getByRole('link', { name: 'Finish joining' })).toHaveAttribute(
    'href',
    '/add_card',
  )
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Finish joining' })).toHaveAttribute(
    'href',
    '/add_card',
  )
  const menu = await openMenu(page)
  await expect(menu.getByRole('link', { name: 'Finish joining' })).toBeVisible()
  await expect(menu.getByRole('link').last()).toHaveText('Sign out')
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

test('SHELL-017 Back leads to the previous page, or to the list that contains the page', async ({ page }) => {
  await page.goto(at('beacon', '/search?location=10001'))
  await page.getByRole('article').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/merchants/)
  const merchant = page.url()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/search\?location=10001/)
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.goto(merchant)
  await page.getByRole('button', { name: 'Back' }).click()
  // The search page continues to the last search by itself.
  await expect(page).toHaveURL(/\/search(\?|$)/)
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('SHELL-018 SHELL-019 SHELL-020 SHELL-021 SHELL-022 SHELL-023 SHELL-024 PART-027 PART-039 the footer of each program has its links and contacts', async ({
  page,
}) => {
  for (const partner of partners) {
    await page.goto(at(partner))
    const footer = page.getByRole('contentinfo')
    await expect(footer.getByText('Powered by Dineback')).toHaveCount(partner === 'gallonaire' ? 0 : 1)
    const own = { skyharbor: 'Sign in', gallonaire: 'Sign in', orchard: 'Sign in', beacon: 'Join', lantern: null }[
      partner
    ]
    if (own) await expect(footer.getByRole('link', { name: own, exact: true })).toBeVisible()
    else await expect(footer.getByRole('link', { name: /^(Sign in|Join)$/ })).toHaveCount(0)
    await expect(footer.locator('a[href^="mailto:"]')).toHaveCount(partner === 'gallonaire' ? 0 : 1)
    await expect(footer.locator('a[href^="tel:"]')).toHaveCount(1)
  }
  await page.goto(at('skyharbor'))
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByRole('link', { name: 'Download on the App Store' })).toBeVisible()
  await expect(footer.getByRole('link', { name: 'Skyharbor Airlines' })).toHaveAttribute(
    'href',
    'https://www.skyharbor.example',
  )
  await expect(footer.getByText(/open to Skyharbor Miles members/)).toBeVisible()
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

  test('SHELL-025 CMS-008 the general pop-up shows once, with a link to learn more', async ({ page }) => {
    await page.goto(at('gallonaire', '/how-it-works'))
    const dialog = page.getByRole('dialog', { name: 'This is BIG' })
    // With its subject, for search engines and screen readers.
    const link = dialog.getByRole('link', { name: 'LEARN MORE This is BIG', exact: true })
    await expect(link).toHaveAttribute('href', '/earn/this-is-big')
    await expectAccessible(page)
    await link.click()
    await expect(page).toHaveURL(/this-is-big/)
    await page.goto(at('gallonaire', '/how-it-works'))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('html[data-scripted]')).toHaveCount(1)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('SHELL-026 SHELL-027 SHELL-034 SHELL-036 PART-026 show one after the other, and each stays closed', async ({
    page,
  }) => {
    await page.clock.install()
    await page.goto(at('orchard', '/search?location=10001'))
    await page.clock.runFor(3_000)
    const announcement = page.getByRole('dialog', { name: 'New tables this season' })
    await expect(announcement).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goto(at('orchard', '/earn'))
    await page.clock.runFor(3_000)
    await expect(page.getByRole('dialog', { name: 'Points Plus is here' })).toBeVisible()
    await page.keyboard.press('Escape')
    // A visitor does not see member content but an invitation to sign in.
    await page.goto(at('beacon', '/earn'))
    await page.clock.runFor(3_000)
    const sso = page.getByRole('dialog', { name: 'Joining and signing in is now even easier!' })
    await expect(sso.getByRole('link', { name: 'Sign in/Join Now' })).toHaveAttribute('href', '/Login')
    await sso.getByRole('button', { name: 'Close' }).click()
    await page.goto(at('beacon', '/search?location=10001'))
    await page.clock.runFor(3_000)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.clock.fastForward('24:00:01')
    await page.goto(at('orchard', '/earn'))
    await page.clock.runFor(3_000)
    await expect(announcement).toBeVisible()
  })

  test('SHELL-036 no pop-up shows over a form, over a missing page, or while a visitor is typing', async ({ page }) => {
    const settled = async () => {
      // The chunks of possible pop-ups are loaded, so a pop-up of another page would show at once.
      await expect(page.locator('html[data-scripted]')).toHaveCount(1)
      await page.waitForLoadState('networkidle')
    }
    for (const path of ['/nowhere', '/merchants/there-is-none', '/recover', '/login', '/error']) {
      await page.goto(at('orchard', path))
      await settled()
      expect([path, await page.getByRole('dialog').count()]).toEqual([path, 0])
    }
    await page.goto(at('skyharbor', '/how-it-works'))
    await settled()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goto(at('skyharbor', '/how-it-works?source=EMAIL-NMB&utm_source=mail'))
    await expect(page.getByRole('dialog', { name: 'Welcome aboard' })).toBeVisible()
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
  await page.goto(at('beacon'))
  await page.getByRole('button', { name: 'Dark colors' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  // The browser stores a cookie a moment after the page has set it.
  await expect.poll(async () => (await page.context().cookies()).map(({ name }) => name)).toContain('mode')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Light colors' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'light')
})

test('ROLE-005 ROLE-007 a bank’s customer without a card is led to join and can sign out', async ({ page }) => {
  await page.goto(at('beacon', '/search?location=10001'))
  await page.getByRole('banner').getByRole('link', { name: 'Join' }).click()
  await page.getByLabel('User name').fill('bo@beacon.example')
  await page.getByLabel('Password').fill('dine-with-bo')
  await page.getByRole('button', { name: /Sign in|Continue/ }).click()
  await expect(page).toHaveURL(/beacon\.localhost/)
  await page.goto(at('beacon', '/search?location=10001'))
  const bar = page.getByRole('banner')
  await expect(bar.getByRole('link', { name: 'Finish joining' })).toHaveAttribute('href', '/join')
  await bar.getByRole('link', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign out here too' }).click()
  await expect(page).toHaveURL(at('beacon'))
  await expect(page.getByRole('banner').getByRole('link', { name: 'Join' })).toBeVisible()
})

test('SHELL-009 SHELL-013 ROLE-004 a card member finds all account pages under the own name', async ({ page }) => {
  await page.goto(at('gallonaire', '/join'))
  await join(page)
  await linkCard(page, testCard())
  await expect(page).toHaveURL(/card_added/)
  await page.goto(at('gallonaire', '/search?location=10001'))
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Your account/ })
    .click()
  const area = page.locator('#account-menu')
  await expect(area).toContainText('Hello, Ada Lovelace')
  await expect(area).toContainText('@example.com')
  expect(await texts(area.getByRole('link'))).toEqual([
    'Account Overview',
    'Reviews & History',
    'My reservations',
    'Linked Cards',
    'Profile',
    'Sign-in & security',
    'Privacy',
    'Sign out',
  ])
  await page.keyboard.press('Escape')
  await expect((await openMenu(page)).getByRole('link').first()).toHaveText('Account center')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Account center' })).toHaveAttribute(
    'href',
    '/account/overview',
  )
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
        .poll(async () => {
          const now = (await slides.first().boundingBox())?.x
          const rests = now === last && now !== before?.x
          last = now
          return rests
        })
        .toBe(true)
    }
    await expect(next).toBeDisabled()
    await expect(previous).toBeEnabled()
  })
})

test('SHELL-043 no field makes a phone zoom: its text is at least 16 pixels in every program', async ({ page }) => {
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
})

test('TRACK-014 API-005 API-006 the CSRF token is stored for this visit only, and being signed out is not an error', async ({
  page,
}) => {
  await page.goto(at('lantern'))
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('csrfToken'))).toMatch(/^[\w-]{20,}$/)
  expect(await page.evaluate(() => Object.keys(localStorage).includes('csrfToken'))).toBe(false)
  expect(await page.evaluate(async () => (await fetch('/api/Member')).status)).toBe(401)
})
