import { inspectFocus } from '../support/focus.ts'
import { at, expect, findMerchant, further, furtherUnless, openOrigin, test, withMotion } from '../support/journey.ts'

test('A11Y-011 the filters of the search retain the focus', further, async ({ page }) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  const filters = page.getByRole('button', { name: /^Filters/ })
  await filters.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: /^Brunch/ }).press('Space')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/brunch/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(filters).toBeFocused()
})

test.describe('with motion', () => {
  test.use(withMotion)

  test('A11Y-011 the end of a row of cards retains the focus', further, async ({ page }) => {
    await page.goto(at('gallonaire'))
    const row = page.getByRole('region', { name: 'Burgers, big ones' })
    const next = row.getByRole('button', { name: 'Next' })
    await next.focus()
    // During the scroll animation, presses have no effect.
    await expect(async () => {
      await page.keyboard.press('Enter')
      await expect(next).toBeDisabled({ timeout: 500 })
    }).toPass()
    await expect(next).toBeFocused()
  })
})

for (const partner of ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern']) {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Once light, once dark, in two programs.
    const details = furtherUnless(partner === { light: 'gallonaire', dark: 'skyharbor' }[colorScheme])
    test(
      `A11Y-012 the focus is visible in the header and the footer of ${partner}, ${colorScheme}`,
      details,
      async ({ page }) => {
        await page.goto(at(partner))
        await page.evaluate((mode) => document.documentElement.setAttribute('data-mode', mode), colorScheme)
        for (const part of ['banner', 'contentinfo'] as const) {
          await page.getByRole(part).locator('a:visible, button:visible').first().focus()
          await page.keyboard.press('Tab')
          expect((await inspectFocus(page)).contrast).toBeGreaterThanOrEqual(3)
        }
      },
    )
  }
}

for (const width of [375, 320]) {
  const details = furtherUnless(width === 320)
  test(
    `A11Y-012 with Shift+Tab at ${width} px no focused element is covered by the bars at the top`,
    details,
    async ({ page }) => {
      await page.setViewportSize({ width, height: 640 })
      await openOrigin(page, 'skyharbor')
      const merchant = await findMerchant(page, 'location=10001')
      await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
      await page.getByRole('contentinfo').getByRole('link').first().focus()
      const hidden: string[] = []
      for (let press = 0; press < 40; press++) {
        await page.keyboard.press('Shift+Tab')
        const { coveredBy, html } = await inspectFocus(page)
        if (coveredBy !== null) hidden.push(`${html} under ${coveredBy}`)
      }
      expect(hidden).toEqual([])
    },
  )
}

test('A11Y-012 the active suggestion is visible and in view on a small screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 })
  await page.goto(at('skyharbor', '/search?location=10001'))
  const where = page.getByRole('combobox', { name: 'City, state or ZIP code' })
  await where.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('chi')
  await expect(page.getByRole('option').nth(1)).toBeAttached()
  for (let press = 0; press < 2; press++) {
    await page.keyboard.press('ArrowDown')
    const active = page.locator('[role=option][aria-selected=true]')
    await expect(active).toBeInViewport({ ratio: 0.9 })
    expect(await active.evaluate((option) => getComputedStyle(option).outlineStyle)).toBe('solid')
  }
})

test.describe('a survey', () => {
  test.use({ popUps: true })
  for (const width of [1280, 375]) {
    const details = furtherUnless(width === 375)
    test(
      `A11Y-012 A11Y-011 at ${width} px covers no focused element and releases the focus to the page`,
      details,
      async ({ page }) => {
        await page.clock.install()
        await page.setViewportSize({ width, height: 800 })
        await page.addInitScript(() => localStorage.setItem('RN_GENERAL_POPUP', 'welcome'))
        await page.goto(at('skyharbor', '/search?location=10001'))
        await expect(page.getByRole('article').first()).toBeVisible()
        await page.clock.runFor(6_000)
        const survey = page.getByRole('region', { name: 'Surveys' })
        await expect(survey).toBeVisible()
        const under =
          width === 1280 ? page.locator('[data-pin][tabindex="0"]') : page.getByRole('button', { name: 'Show map' })
        await expect(under.first()).toBeVisible()
        const count = await under.count()
        for (let index = 0; index < count; index++) {
          await under.nth(index).focus()
          await page.clock.runFor(100)
          expect((await inspectFocus(page)).coveredBy).toBe(null)
        }
        await page.getByRole('button', { name: /Close the survey/ }).press('Enter')
        await expect(survey).toHaveCount(0)
        await expect(page.locator('#main')).toBeFocused()
      },
    )
  }
})
