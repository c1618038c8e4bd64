import type { Page } from '@playwright/test'
import { walkPage } from '../support/focus.ts'
import { at, expect, findMerchant, further, furtherUnless, openOrigin, test } from '../support/journey.ts'
import { joinWithCard } from '../support/journey-members.ts'
import { scaled } from '../support/scale.ts'

type Walk = [partner: string, width: number, paths: readonly string[]]

// One program has every kind of page; the others differ in colors and content.
const widths = [1280, 375]
const everywhere = (partner: string, paths: readonly string[]) => widths.map((width): Walk => [partner, width, paths])
const open = scaled<readonly Walk[]>({
  full: [
    ...everywhere('skyharbor', ['/', '/search?location=10001', '/earn', '/join', '/login', '/recover', '/merchants']),
    ...everywhere('gallonaire', ['/', '/join', '/merchants']),
    ...everywhere('beacon', ['/', '/search?location=10001', '/merchants']),
    ...everywhere('orchard', ['/', '/login', '/merchants']),
    ...everywhere('lantern', ['/', '/search?location=10001', '/merchants']),
  ],
  short: [
    // A page of few results has the same controls as one of twenty.
    ['skyharbor', 1280, ['/search?restaurantOrCuisine=margaux&location=10001', '/join']],
    ['skyharbor', 375, ['/search?restaurantOrCuisine=margaux&location=10001']],
    ['gallonaire', 375, ['/login']],
    ['beacon', 1280, ['/merchants']],
    ['orchard', 375, ['/login']],
    // The front page with the fewest rows of restaurants.
    ['lantern', 375, ['/', '/search?location=10001']],
  ],
})
const account = scaled<readonly Walk[]>({
  full: [
    ...everywhere('skyharbor', [
      'overview',
      'recent_activity',
      'manage_cards',
      'user_profile',
      'privacy',
      'security',
      'missing_meal',
    ]),
    ...everywhere('gallonaire', ['overview']),
    ...everywhere('orchard', ['user_profile']),
  ],
  short: [
    ['skyharbor', 1280, ['overview']],
    ['orchard', 375, ['user_profile']],
  ],
})

// Signed out on purpose.
test.use({ tolerated: /status of (401|404)/ })

for (const [index, [partner, width, paths]] of open.entries()) {
  const details = furtherUnless(index === 0)
  test(
    `A11Y-011 A11Y-012 A11Y-014 Tab and Shift+Tab reach everything on the public pages of ${partner} at ${width} px, with a visible focus`,
    details,
    async ({ page }) => {
      await openOrigin(page, partner)
      const merchant = await findMerchant(page, 'location=10001&reservations=true')
      const found = paths.map((path) => (path === '/merchants' ? `/merchants/${merchant.id}` : path))
      expect(await walkAll(page, partner, found, width)).toEqual([])
    },
  )
}

for (const [partner, width, pages] of account) {
  test(
    `A11Y-011 A11Y-012 A11Y-014 Tab and Shift+Tab reach everything in the account of ${partner} at ${width} px, with a visible focus`,
    further,
    async ({ page }) => {
      await joinWithCard(page, partner)
      const paths = pages.map((path) => `/account/${path}`)
      expect(await walkAll(page, partner, paths, width)).toEqual([])
    },
  )
}

/** Walks pages forward and backward with Tab, and returns all problems. */
async function walkAll(page: Page, partner: string, paths: readonly string[], width: number): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: 800 })
  const wrong: string[] = []
  for (const path of paths) {
    await page.goto(at(partner, path))
    await expect(page.locator('main:not([aria-busy="true"])')).toBeVisible()
    await page.evaluate(() => document.fonts.ready.then(() => true))
    for (const key of ['Tab', 'Shift+Tab'] as const) {
      const walked = await walkPage(page, key)
      expect(walked.stops, `${path}, ${key}`).toBeGreaterThan(5)
      wrong.push(...walked.wrong.map((what) => `${path} ${what}`))
    }
  }
  return wrong
}
