import type { Page } from '@playwright/test'
import { at, expect, expectAccessible, further, furtherUnless, test } from '../support/journey.ts'

/** Midtown, and a place within walking distance. */
const midtown = { latitude: 40.7577444, longitude: -73.9857111 }
const cards = (page: Page) => page.locator('main article')
const requests = (page: Page, path: string) => {
  const seen: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === path) seen.push(url)
  })
  return seen
}
const searchCall = '/api/v2/Merchants/Search'
const where = (page: Page) => page.getByRole('combobox', { name: 'City, state or ZIP code' })

test.describe('with location access allowed', () => {
  test.use({ geolocation: midtown, permissions: ['geolocation'] })
  test('SRCH-013 GEO-003 a search around the device sends two decimals of its position', async ({ page }) => {
    const calls = requests(page, searchCall)
    await page.goto(at('skyharbor', '/search?location=Current+Location'))
    await expect(cards(page).first()).toBeVisible()
    expect(calls[0]?.searchParams.get('latitude')).toBe('40.76')
    expect(calls[0]?.searchParams.get('longitude')).toBe('-73.99')
  })
})

test('SRCH-004 SRCH-025 the map searches the area it shows, preserves its view, and highlights cards', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(at('skyharbor', '/search?location=10001'))
  const map = page.getByRole('region', { name: 'Map of the results' })
  const pin = map.locator('[data-pin]').first()
  await expect(pin).toBeVisible()
  await expect(pin).toHaveAttribute('role', 'button')
  expect(await pin.getAttribute('title')).not.toBe('')
  const first = cards(page).first()
  await first.hover()
  // Its pin, or the cluster that contains it.
  await expect(map.locator('[data-chosen]')).toHaveCount(1)
  for (const index of [3, 6, 9]) {
    await cards(page).nth(index).hover()
    await expect(map.locator('[data-chosen]')).toHaveCount(1)
  }
  await first.hover()
  await expect(page.getByRole('button', { name: 'Search this area' })).toHaveCount(0)
  const box = await map.boundingBox()
  if (!box) throw new Error('the map has no box')
  const [x, y] = [box.x + box.width / 2, box.y + 500]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y - 260, { steps: 8 })
  await page.mouse.up()
  const calls = requests(page, searchCall)
  await page.getByRole('button', { name: 'Search this area' }).click()
  await expect(page).toHaveURL(/location=Current\+Map\+View/)
  await expect(page.getByText(/restaurants on this map/)).toBeVisible()
  const { latitude, longitude } = Object.fromEntries(calls.at(-1)?.searchParams ?? [])
  const stored = JSON.parse((await page.evaluate(() => localStorage.getItem('RN_MAP_VIEW'))) ?? '{}')
  expect(Math.abs(stored.latitude - Number(latitude))).toBeLessThan(0.001)
  expect(Math.abs(stored.longitude - Number(longitude))).toBeLessThan(0.001)
  await page.reload()
  await expect(map.locator('[data-pin]').first()).toBeVisible()
  const after = JSON.parse((await page.evaluate(() => localStorage.getItem('RN_MAP_VIEW'))) ?? '{}')
  expect(after.zoom).toBe(stored.zoom)
  // A typed place is searched as usual, without the area of the map.
  await where(page).fill('Chicago, IL')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL(/location=Chicago/)
  expect(page.url()).not.toMatch(/latitude|longitude|radius/)
})

test('overlapping pins are one cluster that opens by keyboard, and a pin names its restaurant', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(at('skyharbor', '/search?location=10001'))
  const map = page.getByRole('region', { name: 'Map of the results' })
  const cluster = map.getByRole('button', { name: /restaurants: zoom in/ }).first()
  await cluster.focus()
  await page.keyboard.press('Enter')
  const pin = map.locator('[data-pin]').first()
  await expect(pin).toBeVisible()
  const name = await pin.getAttribute('title')
  await pin.focus()
  await page.keyboard.press('Enter')
  await expect(map.getByText(name ?? '-')).toBeVisible()
  await map.getByRole('link', { name: 'See restaurant' }).click()
  await expect(page.getByRole('heading', { level: 1, name: name ?? '-' })).toBeVisible()
})

test('SRCH-009 on a phone one button switches between list and map, and the map loads on demand', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  await page.goto(at('skyharbor', '/search?location=10001'))
  await expect(cards(page).first()).toBeVisible()
  expect(scripts.filter((url) => url.includes('ResultMap'))).toEqual([])
  await page.getByRole('button', { name: 'Show map' }).click()
  await expect(page.getByRole('region', { name: 'Map of the results' })).toBeVisible()
  await expect(cards(page).first()).toBeHidden()
  await expect(where(page)).toBeHidden()
  // A wide screen has room for the search, its results and the map.
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(where(page)).toBeVisible()
  await expect(cards(page).first()).toBeVisible()
  await page.setViewportSize({ width: 375, height: 800 })
  await page.getByRole('button', { name: 'Change search' }).click()
  await expect(cards(page).first()).toBeVisible()
})

test.describe('with a survey', () => {
  test.use({ popUps: true })
  test(
    'SRCH-009 SURV-008 a survey leaves the map button uncovered at every width that has one',
    further,
    async ({ page }) => {
      await page.addInitScript(() => localStorage.setItem('RN_GENERAL_POPUP', 'welcome,this-is-big,points-plus'))
      await page.clock.install()
      for (const width of [320, 375, 700, 860]) {
        await page.setViewportSize({ width, height: 780 })
        await page.goto(at('skyharbor', '/search?location=10001'))
        await page.clock.fastForward(6_000)
        const bar = page.getByRole('region', { name: 'Surveys' })
        await expect(bar).toBeVisible()
        const button = page.getByRole('button', { name: 'Show map' })
        await expect
          .poll(async () => {
            const [over, under] = [await bar.boundingBox(), await button.boundingBox()]
            return (under?.y ?? 9999) + (under?.height ?? 0) <= (over?.y ?? 0)
          })
          .toBe(true)
      }
    },
  )
})

test('Back and Forward between pages of results restore where each was left', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 720 })
  await page.goto(at('skyharbor', '/search?location=10001'))
  const heading = page.getByRole('status').getByText(/restaurants/)
  const top = () => page.evaluate(() => Math.round(window.scrollY))
  const next = page.getByRole('link', { name: 'Next' })
  await next.scrollIntoViewIfNeeded()
  const left = await top()
  expect(left).toBeGreaterThan(1000)
  const found = Number(/^[\d,]+/.exec((await heading.textContent()) ?? '')?.[0].replace(',', ''))
  const pages = Math.ceil(found / (await cards(page).count()))
  await next.click()
  await expect(page.getByText(`Page 2 of ${pages}`, { exact: true })).toBeVisible()
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()
  await cards(page).first().getByRole('link').first().click()
  await expect(page).toHaveURL(/merchants/)
  await page.goBack()
  await expect(page.getByText(/^Page 2 of/)).toBeVisible()
  await page.goBack()
  await expect(page.getByText(`Page 1 of ${pages}`, { exact: true })).toBeVisible()
  await expect(heading).toBeFocused()
  expect(await top()).toBe(left)
})

test('SRCH-010 printed results have three columns', async ({ page }) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  await page.emulateMedia({ media: 'print' })
  const columns = await page
    .locator('main ul')
    .first()
    .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
  expect(columns).toBe(3)
})

for (const partner of ['skyharbor', 'lantern']) {
  const details = furtherUnless(partner === 'lantern')
  test(
    `A11Y-001 the filters, the suggestions and the empty search of ${partner} have no axe violation`,
    details,
    async ({ page }) => {
      const check = async () => expectAccessible(page)
      await page.goto(at(partner, '/search?location=10001'))
      await where(page).fill('chic')
      await expect(page.getByRole('option').first()).toBeVisible()
      await check()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Filters' }).click()
      await expect(page.getByRole('checkbox', { name: /^Brunch \(/ })).toBeVisible()
      await check()
      await page.goto(at(partner, '/search?location=10001&restaurantOrCuisine=zzqqxx'))
      await expect(page.getByText('Try one of these')).toBeVisible()
      await check()
    },
  )
}

test('a text that was typed before the script arrived is searched', async ({ context }) => {
  // The fixture's page would wait for the script.
  const page = await context.newPage()
  const { promise: script, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/entry*.js', async (route) => {
    await script
    await route.continue()
  })
  await page.goto(at('skyharbor', '/search?location=10001'), { waitUntil: 'domcontentloaded' })
  const field = page.locator('main input[role=combobox]').first()
  await field.pressSequentially('sushi')
  release()
  // Hydrated, and at once used.
  await field.evaluate(async (input) => {
    while (!Object.keys(input).some((key) => key.startsWith('__reactProps'))) await new Promise(requestAnimationFrame)
  })
  await field.press('Enter')
  await expect(page).toHaveURL(/restaurantOrCuisine=sushi/)
  await expect(field).toHaveValue('sushi')
})
