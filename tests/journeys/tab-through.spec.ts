import type { Page } from '@playwright/test'
import { walkPage } from '../support/focus.ts'
import { at, expect, findMerchant, test } from '../support/journey.ts'
import { cardMember } from '../support/journey-members.ts'

// One program has every kind of page; the others have other colors and content.
const open = {
  skyharbor: ['/', '/search?location=10001', '/earn', '/join', '/login', '/recover'],
  gallonaire: ['/', '/join'],
  beacon: ['/', '/search?location=10001'],
  orchard: ['/', '/login'],
  lantern: ['/', '/search?location=10001'],
}
const account = {
  skyharbor: ['overview', 'recent_activity', 'manage_cards', 'user_profile', 'privacy', 'security', 'missing_meal'],
  gallonaire: ['overview'],
  orchard: ['user_profile'],
}

// Signed out on purpose.
test.use({ tolerated: /status of (401|404)/ })

for (const width of [1280, 375]) {
  for (const [partner, paths] of Object.entries(open)) {
    test(`A11Y-011 A11Y-012 A11Y-014 with Tab one comes through the open pages of ${partner} and back at ${width} px, and always sees where one is`, async ({
      page,
    }) => {
      await page.goto(at(partner))
      const merchant = await findMerchant(page, 'location=10001&reservations=true')
      expect(await walkAll(page, partner, [...paths, `/merchants/${merchant.id}`], width)).toEqual([])
    })
  }
  for (const [partner, pages] of Object.entries(account)) {
    test(`A11Y-011 A11Y-012 A11Y-014 with Tab one comes through the account of ${partner} and back at ${width} px, and always sees where one is`, async ({
      page,
    }) => {
      await cardMember(page, partner)
      const paths = pages.map((path) => `/account/${path}`)
      expect(await walkAll(page, partner, paths, width)).toEqual([])
    })
  }
}

/** Walks pages from their start to their end and back, and returns everything that is wrong. */
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
