import type { Page } from '@playwright/test'
import {
  at,
  expect,
  expectAccessible,
  expectAccessibleColors,
  expectNoA11yViolations,
  findMerchant,
  further,
  furtherUnless,
  gallery,
  test,
} from '../support/journey.ts'
import { insertTransactions, joinWithCard } from '../support/journey-members.ts'

const pages = ['/', '/search?restaurantOrCuisine=pizza&location=10001', '/how-it-works', '/earn', '/nowhere']
const direct = ['/login', '/join']

const darkPages = ['/', '/earn', '/how-it-works']

const partners = ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern']

for (const partner of partners) {
  const paths = [...pages, ...(['skyharbor', 'gallonaire', 'orchard'].includes(partner) ? direct : [])]
  for (const path of paths) {
    const isDark = darkPages.includes(path)
    const title = `A11Y-010 ${partner} ${path} has no axe violation${isDark ? ', light or dark' : ''}`
    // Each page in another program.
    const isMain = partners[[...pages, ...direct].indexOf(path) % partners.length] === partner
    test(title, furtherUnless(isMain), async ({ page }) => {
      await page.goto(at(partner, path))
      await expectNoA11yViolations(page)
      if (!isDark) return
      await page.emulateMedia({ colorScheme: 'dark' })
      // Colors change gradually.
      const transitions = () =>
        page.evaluate(() => document.getAnimations().filter((animation) => animation instanceof CSSTransition).length)
      await expect.poll(transitions).toBe(0)
      if (path !== '/how-it-works') return expectAccessibleColors(page)
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      await expectAccessible(page)
    })
  }
}

test('A11Y-010 the gallery has no axe violation', async ({ page }) => {
  await page.goto(gallery())
  await expectAccessible(page)
})

test('A11Y-001 SHELL-001 the first Tab focuses the link to the content, and Enter follows it', async ({ page }) => {
  await page.goto(at('orchard'))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
})

test('pages can be read without scripts', further, async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const path of ['/', '/search?location=10001', '/earn']) {
    await page.goto(at('skyharbor', path))
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  }
  await context.close()
})

test('SHELL-041 no page is wider than a screen of 320 pixels', further, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  for (const partner of ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern']) {
    for (const path of ['/', '/search?location=10001']) {
      await page.goto(at(partner, path))
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect([partner, path, wide]).toEqual([partner, path, 0])
    }
  }
})

test('SRCH-008 SRCH-027 an unknown place is reported', further, async ({ page }) => {
  await page.goto(at('skyharbor', '/search?location=qqqqzzzz'))
  await expect(page.getByRole('alert')).toHaveText('Enter city, state or ZIP code.')
})

interface Layout {
  /** Controls that are too small to tap. */
  small: string[]
  /** Sizes of text in fields at which a phone zooms. */
  zooming: string[]
  /** Texts that are cut off at a text size of 200 %. */
  cut: string[]
}

/** Opens every kind of page of a member and of a visitor, and returns what does not fit. */
async function inspectLayout(page: Page, partner: string): Promise<Layout> {
  const email = await joinWithCard(page, partner)
  await insertTransactions(email, [{ merchantName: 'Corner Bistro' }])
  const { id } = await findMerchant(page, 'location=10001&reservations=true')
  const found: Layout = { small: [], zooming: [], cut: [] }
  const inspect = async (path: string) => {
    await page.goto(at(partner, path))
    await page.evaluate(() => document.fonts.ready.then(() => true))
    const at100 = await page.evaluate(smallTargets)
    const fields = await page.evaluate(zoomingFields)
    await page.evaluate(doubleText)
    await page.evaluate(() => document.fonts.ready.then(() => true))
    const at200 = await page.evaluate(cutText)
    found.small.push(...at100.map((target) => `${path}: ${target}`))
    found.zooming.push(...fields.map((size) => `${path}: ${size}`))
    found.cut.push(...at200.map((text) => `${path}: ${text}`))
  }
  const account = ['overview', 'recent_activity', 'manage_cards', 'user_profile', 'security', 'privacy', 'missing_meal']
  for (const path of account) await inspect(`/account/${path}`)
  await inspect('/search?location=10001')
  await inspect(`/merchants/${id}`)
  await page.goto(at(partner, '/SignOut'))
  for (const path of ['/', '/join', '/login', '/recover', '/earn']) await inspect(path)
  return found
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 740 }, hasTouch: true })

  test('A11Y-014 A11Y-017 SHELL-043 controls are large enough to tap, no field makes a phone zoom, and text at 200 % is not cut off', async ({
    page,
  }) => {
    expect(await inspectLayout(page, 'skyharbor')).toEqual({ small: [], zooming: [], cut: [] })
  })
})

test('A11Y-017 at 1280 px text at 200 % is not cut off, and no page scrolls sideways', further, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 740 })
  expect((await inspectLayout(page, 'skyharbor')).cut).toEqual([])
})

/** Runs in the page: returns the sizes of text below 16 pixels in fields. */
function zoomingFields(): string[] {
  const fields = 'input:not([type=checkbox]):not([type=radio]), select, textarea'
  return [...document.querySelectorAll(fields)].flatMap((field) => {
    const size = Number.parseFloat(getComputedStyle(field).fontSize)
    return size < 16 ? [`${size} px ${field.outerHTML.slice(0, 100)}`] : []
  })
}

/** Runs in the page: simulates a browser with a text size of 32 pixels. */
function doubleText(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('html { font-size: 200% !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

/**
 * Runs in the page: returns boxes that clip their text, controls that are too low for it, and a page that is too wide.
 */
function cutText(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  const wide = scrollWidth > clientWidth + 1 ? [`page ${scrollWidth} in ${clientWidth}`] : []
  const boxes = [...document.querySelectorAll<HTMLElement>('body *')].flatMap((box) => {
    if (!box.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || box.clientWidth < 4) return []
    if (box.closest('.visually-hidden, .leaflet-container') || !box.textContent?.trim()) return []
    const { overflowX, display } = getComputedStyle(box)
    const isTooWide = box.scrollWidth > box.clientWidth + 2
    const isTooHigh = box.scrollHeight > box.clientHeight + 2
    const cuts = /hidden|clip/.test(overflowX) && (isTooWide || isTooHigh)
    const overflows = box.matches('a, button') && display !== 'inline' && isTooHigh
    const size = `${box.scrollWidth} x ${box.scrollHeight} in ${box.clientWidth} x ${box.clientHeight}`
    return cuts || overflows ? [`${size} ${box.outerHTML.slice(0, 100)}`] : []
  })
  return [...wide, ...boxes]
}

/**
 * Runs in the page: returns controls whose smaller side is below 44 pixels. Inline links and links in the footer's text
 * are exempt.
 */
function smallTargets(): string[] {
  return [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].flatMap((control) => {
    if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
    const hit = control.closest('label') ?? control
    const { width, height } = hit.getBoundingClientRect()
    if (width < 2 || height < 2 || Math.min(width, height) >= 43.5) return []
    const isInSentence = getComputedStyle(hit).display === 'inline' || control.closest('footer p') !== null
    return isInSentence ? [] : [`${Math.round(width)} x ${Math.round(height)} ${control.outerHTML.slice(0, 100)}`]
  })
}
