import type { Page } from '@playwright/test'
import { at, expect, furtherUnless, test } from '../support/journey.ts'

const map = (page: Page) => page.getByRole('region', { name: 'Map of the results' })
/** Returns the focused element: its number among all that were focused, and its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const holder = window as unknown as { stops?: Element[] }
    holder.stops ??= []
    const { stops } = holder
    const element = document.activeElement ?? document.body
    if (!stops.includes(element)) stops.push(element)
    return `${stops.indexOf(element)} ${element.outerHTML}`
  })

async function openMap(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(at('skyharbor', '/search?location=10001'))
  await expect(map(page).locator('[data-pin]').first()).toBeVisible()
}

for (const key of ['Tab', 'Shift+Tab']) {
  test(
    `A11Y-011 ${key} visits every pin in view once and then leaves the map`,
    furtherUnless(key === 'Tab'),
    async ({ page }) => {
      await openMap(page)
      if (key === 'Tab') await map(page).focus()
      else await page.getByRole('contentinfo').getByRole('link').first().focus()
      const passed: string[] = []
      const inMap = () => map(page).evaluate((box) => box.contains(document.activeElement))
      for (let press = 0; press < 150; press++) {
        await page.keyboard.press(key)
        if (await inMap()) passed.push(await focused(page))
        else if (passed.length > 0) break
      }
      expect(await inMap()).toBe(false)
      expect(passed.filter((element) => element.includes('data-pin')).length).toBeGreaterThan(0)
      const numbers = passed.map((element) => element.split(' ')[0])
      expect(new Set(numbers).size).toBe(numbers.length)
    },
  )
}

test('A11Y-011 Enter opens the card of a pin and moves the focus into it; Escape closes it and gives the focus back', async ({
  page,
}) => {
  await openMap(page)
  const pin = map(page).locator('[data-pin][tabindex="0"]').first()
  const name = (await pin.getAttribute('title')) ?? '-'
  const card = map(page).getByRole('dialog', { name, exact: true })
  const link = card.getByRole('link', { name: 'See restaurant' })
  await pin.focus()
  for (const key of ['Enter', 'Space']) {
    await page.keyboard.press(key)
    await expect(link).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(card).toHaveCount(0)
    await expect(pin).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(link).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(card).toHaveCount(0)
  await expect(pin).not.toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(pin).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('A11Y-011 Enter on several restaurants zooms in and focuses one of them', async ({ page }) => {
  await openMap(page)
  const cluster = map(page)
    .getByRole('button', { name: /restaurants: zoom in/ })
    .first()
  await cluster.focus()
  await page.keyboard.press('Enter')
  await expect(cluster).not.toBeFocused()
  await expect(map(page).locator(':focus')).toHaveAttribute('role', 'button')
})

test('A11Y-015 A11Y-011 buttons move the map, and searching its area retains the focus', async ({ page }) => {
  await openMap(page)
  const view = () => page.evaluate(() => JSON.parse(localStorage.getItem('RN_MAP_VIEW') ?? '{}'))
  const moves = page.getByRole('group', { name: 'Move the map' })
  for (const [name, axis, sign] of [
    ['Move up', 'latitude', 1],
    ['Move down', 'latitude', -1],
    ['Move left', 'longitude', -1],
    ['Move right', 'longitude', 1],
  ] as const) {
    const before = (await view())[axis] ?? 0
    const button = moves.getByRole('button', { name })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect.poll(async () => Math.sign((await view())[axis] - before)).toBe(sign)
    await expect(button).toBeFocused()
    const box = await button.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  }
  await page.getByRole('button', { name: 'Search this area' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/Current\+Map\+View/)
  await expect(page.getByRole('button', { name: 'Search this area' })).toHaveCount(0)
  await expect(map(page)).toBeFocused()
})

test('SRCH-009 on a phone Back from a restaurant leads to the map it was opened from', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(at('skyharbor', '/search?location=10001'))
  await page.getByRole('button', { name: 'Show map' }).click()
  const pin = map(page).locator('[data-pin][tabindex="0"]').first()
  await pin.focus()
  await page.keyboard.press('Enter')
  // The card shows the price range.
  await expect(map(page).getByRole('dialog')).toContainText('$')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/merchants/)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Change search' })).toBeVisible()
  await expect(map(page).locator('[data-pin]').first()).toBeVisible()
})

test('the map says when it has fewer pins than the search has restaurants, and its area has a name', async ({
  page,
}) => {
  await openMap(page)
  const search = page.getByRole('button', { name: 'Search this area' })
  const shown = page.getByText(/^Nearest 300 of \d+$/)
  await expect(shown).toBeVisible()
  await page.getByRole('button', { name: 'Move up' }).click()
  // Neither covers the other, also on a narrow map.
  for (const width of [1280, 1000]) {
    await page.setViewportSize({ width, height: 900 })
    const [count, button] = [await shown.boundingBox(), await search.boundingBox()]
    if (!count || !button) throw new Error('the map shows no number or no button')
    const isBeside = button.x + button.width <= count.x
    expect([width, isBeside || count.y + count.height <= button.y]).toEqual([width, true])
  }
  await page.getByRole('button', { name: 'Search this area' }).click()
  await expect(page).toHaveURL(/Current\+Map\+View/)
  await expect(page.getByRole('combobox', { name: 'City, state or ZIP code' })).toHaveValue('Area on the map')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL(/Current\+Map\+View/)
})

/** Records the page's timers of less than a second that have neither ended nor been canceled. */
function recordTimers(): void {
  const timers = new Set<number>()
  Object.assign(window, { timers })
  const [start, cancel] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)]
  const record = (run: () => void, ms = 0) => {
    const timer = start(() => {
      timers.delete(timer)
      run()
    }, ms)
    if (ms < 1000) timers.add(timer)
    return timer
  }
  const end = (timer?: number) => {
    timers.delete(timer ?? 0)
    cancel(timer)
  }
  Object.assign(window, { setTimeout: record, clearTimeout: end })
}

test('resizing the window moves the map at once, and offers no search of its area', async ({ page }) => {
  await page.addInitScript(recordTimers)
  await openMap(page)
  const twoFrames = () =>
    page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.setViewportSize({ width: 1100, height: 800 })
  await twoFrames()
  // A map that is moved later would use a page that was left meanwhile.
  await expect.poll(() => page.evaluate(() => (window as unknown as { timers: Set<number> }).timers.size)).toBe(0)
  await twoFrames()
  expect(await page.getByRole('button', { name: 'Search this area' }).count()).toBe(0)
})
