import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { at, expect, join, test } from './road.ts'

const partners = ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern'] as const

async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  return page.getByRole('navigation', { name: 'Main' })
}
const texts = async (links: ReturnType<Page['locator']>) =>
  (await links.allInnerTexts()).map((text) => text.trim()).filter(Boolean)

test('SHELL-001 SHELL-002 the frame stands in its order around every page', async ({ page }) => {
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

test('SHELL-003 SHELL-004 SHELL-005 what the bar leaves out where', async ({ page }) => {
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

test('SHELL-006 on a small screen the bar makes room while reading on, and comes back', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 700 })
  await page.goto(at('skyharbor'))
  const top = () => page.getByRole('banner').evaluate((bar) => Math.round(bar.getBoundingClientRect().bottom))
  await page.mouse.wheel(0, 900)
  await expect.poll(top).toBeLessThanOrEqual(0)
  await page.mouse.wheel(0, -200)
  await expect.poll(top).toBeGreaterThan(0)
})

test('SHELL-008 SHELL-010 SHELL-011 ROLE-011 ROLE-014 who may sign in where', async ({ page }) => {
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

test('SHELL-009 SHELL-013 SHELL-012 ROLE-003 ROLE-005 ROLE-006 a member who has yet to link a card is led on', async ({
  page,
}) => {
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

test('SHELL-014 SHELL-015 CMS-003 CMS-011 the menu: own links, navigation by width, footer links, in this order', async ({
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

test('SHELL-016 the menu closes by a click outside, a choice, and Escape, which gives the focus back', async ({
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

test('SHELL-017 Back goes to the page before, or to where such pages are found', async ({ page }) => {
  await page.goto(at('beacon', '/search?location=10001'))
  await page.getByRole('article').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/merchants/)
  const merchant = page.url()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/search\?location=10001/)
  await page.goto(merchant)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/search$/)
})

test('SHELL-018 to SHELL-024 PART-027 PART-039 the footer of each program', async ({ page }) => {
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

test('SHELL-033 CMS-005 A11Y-008 the announcement banner, its link, and its explanation by keyboard', async ({
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

  test('SHELL-025 CMS-008 the general popup shows once, with the way to learn more', async ({ page }) => {
    await page.goto(at('gallonaire', '/how-it-works'))
    const dialog = page.getByRole('dialog', { name: 'This is BIG' })
    await expect(dialog.getByRole('link', { name: 'LEARN MORE' })).toHaveAttribute('href', '/earn/this-is-big')
    expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
    await dialog.getByRole('link', { name: 'LEARN MORE' }).click()
    await expect(page).toHaveURL(/this-is-big/)
    await page.goto(at('gallonaire', '/how-it-works'))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForFunction(() => '__APP__' in window)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('SHELL-026 SHELL-027 SHELL-034 SHELL-036 PART-026 one after the other, and each stays closed', async ({
    page,
  }) => {
    await page.clock.install()
    await page.goto(at('beacon', '/search?location=10001'))
    await page.clock.runFor(3_000)
    const announcement = page.getByRole('dialog', { name: 'Your statement credit has its own page' })
    await expect(announcement).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goto(at('beacon', '/earn'))
    await page.clock.runFor(3_000)
    const sso = page.getByRole('dialog', { name: 'Joining and signing in is now even easier!' })
    await expect(sso.getByRole('link', { name: 'Sign in/Join Now' })).toHaveAttribute('href', '/Login')
    await sso.getByRole('button', { name: 'Close' }).click()
    await page.goto(at('beacon', '/search?location=10001'))
    await page.clock.runFor(3_000)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.clock.fastForward('24:00:01')
    await page.goto(at('beacon', '/earn'))
    await page.clock.runFor(3_000)
    await expect(announcement).toBeVisible()
  })
})

test('ROUTE-029 A11Y-001 a new page begins at its top, has the focus, and says its title', async ({ page }) => {
  await page.goto(at('skyharbor'))
  await page.evaluate(() => window.scrollTo(0, 900))
  await page.getByRole('contentinfo').getByRole('link', { name: 'Ways to earn' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ways to earn' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await expect(page.locator('#main')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Ways to earn' })).toHaveCount(1)
})

test('ROUTE-024 ROUTE-025 ROUTE-035 ROUTE-036 HOME-011 the front pages of each program', async ({ page }) => {
  const fronts = {
    skyharbor: 'window seat',
    gallonaire: 'Eat out',
    beacon: 'Cash back on dinner',
    orchard: 'Good tables',
    lantern: '',
  }
  for (const partner of partners) {
    await page.goto(at(partner))
    await expect(page.getByRole('heading', { level: 1 })).toContainText(fronts[partner], { ignoreCase: true })
    const discover = await page.goto(at(partner, '/discover'))
    expect([partner, discover?.status()]).toEqual([partner, partner === 'skyharbor' ? 404 : 200])
  }
})

test('ROUTE-008 to ROUTE-015 ROUTE-037 HOME-012 HOME-013 PART-016 every page of content is there', async ({ page }) => {
  for (const path of [
    '/earn',
    '/earn/special-offers',
    '/earn/new-member-bonus',
    '/earn/how-it-works',
    '/earn/reservations',
    '/earn/vip-upgrade',
    '/earn/this-is-big',
    '/how-it-works',
    '/partner-news',
  ]) {
    const answer = await page.goto(at('skyharbor', path))
    expect([path, answer?.status()]).toEqual([path, 200])
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  }
  await page.goto(at('skyharbor', '/earn'))
  await expect(page.getByRole('main').getByRole('link', { name: /VIP/ }).first()).toBeVisible()
  await page.goto(at('gallonaire', '/earn'))
  await expect(page.getByRole('main').getByRole('link', { name: /VIP/ })).toHaveCount(0)
})

test('HOME-002 HOME-005 CMS-002 the banner speaks shorter on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(at('gallonaire'))
  const words = page.getByRole('main').locator('section').first()
  await expect(words).toContainText('10 cents off every gallon for each $50')
  await page.setViewportSize({ width: 600, height: 900 })
  await expect(words.getByText('10¢ off a gallon for each $50 you eat.')).toBeVisible()
})

test('HOME-004 HOME-006 HOME-007 HOME-008 HOME-009 an email address leads into joining, or to sign-in', async ({
  page,
}) => {
  await page.goto(at('skyharbor'))
  const form = page.getByRole('main').locator('form')
  await form.getByLabel('Start with your e-mail address').fill('not an address')
  await form.getByRole('button', { name: 'Start earning' }).click()
  await expect(form.getByText('Please enter a valid email address.')).toBeVisible()
  const email = `prospect-${Date.now()}@example.com`
  await form.getByLabel('Start with your e-mail address').fill(email)
  await expect(form.getByText('Please enter a valid email address.')).toBeHidden()
  await page.route('**/api/Members/Prospects/Email', (route) => route.fulfill({ status: 500, json: {} }))
  await form.getByRole('button', { name: 'Start earning' }).click()
  await expect(page).toHaveURL(/\/join$/)
  await expect(page.getByLabel('Email address')).toHaveValue(email)
})

test.describe('an address that is known', () => {
  test.use({ tolerated: [/status of (401|404|422|500)/, { option: true }] as never })
  test('HOME-009 goes to sign-in with it, and stays where it is when nobody answers', async ({ page }) => {
    await page.goto(at('gallonaire'))
    const form = page.getByRole('main').locator('form')
    await page.route('**/api/Members/Validate/Email*', (route) => route.fulfill({ status: 500, json: {} }), {
      times: 1,
    })
    await form.getByRole('textbox').fill('known@example.com')
    await form.getByRole('button').click()
    await expect(form.getByText(/Something went wrong/)).toBeVisible()
    await page.route('**/api/Members/Validate/Email*', (route) => route.fulfill({ json: { isValid: false } }))
    await form.getByRole('button').click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByLabel(/Email/)).toHaveValue('known@example.com')
  })
})

test('HOME-004 a bank’s customers and members are not asked for an address', async ({ page }) => {
  await page.goto(at('beacon'))
  await expect(page.getByRole('main').locator('form')).toHaveCount(0)
})

test('dark and light can be chosen, and the next page begins in it', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(at('beacon'))
  await page.getByRole('button', { name: 'Dark colors' }).click()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
  await page.getByRole('button', { name: 'Light colors' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'light')
})

test('CMS-001 API-020 CMS-018 CMS-023 every collection is asked for once, at the start', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const match = /\/cms\/pages\/([^/]+)\/\?(.*)/.exec(request.url())
    if (match) asked.push(`${decodeURIComponent(match[1] ?? '')} ${match[2]}`)
  })
  await page.goto(at('beacon', '/privacy'))
  await expect.poll(() => asked.length).toBeGreaterThanOrEqual(8)
  expect(new Set(asked).size).toBe(asked.length)
  expect(asked.every((question) => question.endsWith('page_size=100'))).toBe(true)
})

test.describe('content that cannot be had', () => {
  test.use({ tolerated: [/status of (404|500)|CMS copy not loaded/, { option: true }] as never })
  test('CMS-017 CMS-019 CMS-020 CMS-021 G-22 is empty, said in the console, and does not hold up the page', async ({
    page,
  }) => {
    const said: string[] = []
    page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
    await page.route('**/api/cms/pages/popup/*', (route) => route.fulfill({ status: 404, json: {} }))
    await page.route('**/api/cms/pages/surveys/*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(at('lantern'))
    await expect.poll(() => said.join('\n')).toMatch(/info: No CMS copy found at .*popup/)
    await expect.poll(() => said.join('\n')).toMatch(/error: CMS copy not loaded from .*surveys/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})
