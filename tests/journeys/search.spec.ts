import type { Page } from '@playwright/test'
import { advanceClock, at, callApi, expect, expectAccessible, test } from '../support/journey.ts'
import { joinViaApi } from '../support/journey-members.ts'

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
const what = (page: Page) => page.getByRole('combobox', { name: 'Restaurant or cuisine' })

test('SRCH-001 SRCH-002 SRCH-005 SRCH-030 suggestions appear from three characters on and can be used by keyboard', async ({
  page,
}) => {
  await page.clock.install()
  const suggestRequests = requests(page, '/api/Locations/Suggest')
  await page.goto(at('skyharbor', '/search?location=10001'))
  await where(page).focus()
  await where(page).fill('')
  await expect(page.getByRole('option', { name: 'Current Location' })).toBeVisible()
  await where(page).pressSequentially('ch')
  await advanceClock(page, 300)
  expect(suggestRequests).toHaveLength(0)
  await where(page).pressSequentially('icag')
  await expect(page.getByRole('option', { name: 'Chicago, IL' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/location=Chicago/)
  await expect(page.getByText(/restaurants near Chicago, IL/)).toBeVisible()
  await what(page).fill('sus')
  await page.getByRole('option').first().click()
  await expect(page).toHaveURL(/restaurantOrCuisine=/)
  const { merchants } = await callApi(page, `${searchCall}${new URL(page.url()).search}`)
  await expect(cards(page)).toHaveCount(merchants.length)
  await expect(cards(page).first()).toContainText(merchants[0].name)
})

test('SRCH-003 SRCH-015 SRCH-016 SRCH-017 SRCH-018 SRCH-021 filters show how many results they leave and are stored in the address, which leads to their first page', async ({
  page,
}) => {
  await page.goto(at('skyharbor', '/search?location=10001&pageNo=2'))
  await page.getByRole('button', { name: 'Filters' }).click()
  const panel = page.getByRole('dialog', { name: 'Filters' })
  for (const group of ['Earns on', 'Features', 'Meals', 'Price']) {
    await expect(panel.getByRole('group', { name: group })).toBeVisible()
  }
  await expect(panel.getByRole('group', { name: 'Meals' }).getByRole('checkbox')).toHaveCount(5)
  await expect(panel.getByRole('group', { name: 'Features' }).getByRole('checkbox')).toHaveCount(4)
  await expect(panel.getByRole('group', { name: 'Price' }).getByRole('checkbox')).toHaveCount(4)
  await expect(panel.getByRole('group', { name: 'Earns on' }).getByRole('checkbox')).toHaveCount(7)
  const brunch = panel.getByRole('checkbox', { name: /^Brunch \(\d/ })
  const count = Number(((await brunch.locator('..').textContent()) ?? '').replace(/\D/g, ''))
  await brunch.check()
  await expect(panel.getByRole('button', { name: `Show ${count} restaurants` })).toBeVisible()
  await panel.getByRole('checkbox', { name: /^Takeout/ }).check()
  await panel.getByRole('checkbox', { name: 'Sunday' }).check()
  await panel.getByLabel('Sort by').selectOption('rating')
  await panel.getByRole('button', { name: /^Show \d+ restaurants/ }).click()
  await expect(page).toHaveURL(/benefitsFor=Sun/)
  await expect(page).toHaveURL(/features=takeout/)
  await expect(page).toHaveURL(/mealsServed=brunch/)
  await expect(page).toHaveURL(/sortBy=rating/)
  await expect(page).not.toHaveURL(/pageNo/)
  await expect(page.getByRole('button', { name: 'Filters (4)' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Filters (4)' })).toBeVisible()
})

test('SRCH-019 four suggested filters show where the program has them', async ({ page }) => {
  const chips = ['Acclaimed', 'New', 'Earns today', 'Takes reservations']
  await page.goto(at('skyharbor', '/search?location=10001'))
  for (const name of chips) await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Earns today' }).click()
  await expect(page).toHaveURL(/benefitsFor=(Sun|Mon|Tue|Wed|Thu|Fri|Sat)/)
  await expect(page.getByRole('button', { name: 'Earns today' })).toHaveAttribute('aria-pressed', 'true')
  await page.goto(at('gallonaire', '/search?location=10001'))
  await expect(page.getByRole('button', { name: 'Acclaimed' })).toHaveCount(0)
  await page.goto(at('lantern', '/search?location=10001'))
  await expect(page.getByRole('button', { name: 'Takes reservations' })).toHaveCount(0)
})

test('SRCH-022 PART-033 a disabled filter is not offered', async ({ page }) => {
  await page.goto(at('orchard', '/search?location=10001'))
  await expect(page.getByRole('button', { name: 'New', exact: true })).toBeVisible()
  const set = (value: boolean) => {
    const body = { kind: 'filters', name: 'isNew', value }
    return callApi(page, '/api/staging/flags', { method: 'PUT', body })
  }
  expect(await set(false)).toEqual({ set: true })
  try {
    await expect(async () => {
      await page.goto(at('orchard', '/search?location=10001'))
      await expect(page.getByRole('button', { name: 'New', exact: true })).toHaveCount(0, { timeout: 500 })
    }).toPass()
  } finally {
    await set(true)
  }
})

test('SRCH-006 ERR-018 a search without results says what would help', async ({ page }) => {
  await page.goto(at('skyharbor', '/search?location=10001&restaurantOrCuisine=zzqqxx&isNew=true'))
  await expect(page.getByRole('heading', { name: 'Nothing matches here' })).toBeVisible()
  await page.getByRole('link', { name: /Without “zzqqxx”: \d/ }).click()
  await expect(cards(page).first()).toBeVisible()
  await expect(page).toHaveURL(/isNew=true/)
})

test.describe('a server error', () => {
  test.use({ tolerated: /status of 500/ })
  test('SRCH-008 has its own view with a retry', async ({ page }) => {
    await page.goto(at('skyharbor', '/search?location=10001'))
    let broken = true
    await page.route(`**${searchCall}?**`, (route) =>
      broken ? route.fulfill({ status: 500, json: {} }) : route.continue(),
    )
    await where(page).fill('60601')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'The search didn’t work' })).toBeVisible()
    broken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(cards(page).first()).toBeVisible()
  })
})

test('SRCH-027 VAL-015 an unknown place is an error of its field', async ({ page }) => {
  await page.goto(at('skyharbor', '/search?location=Xyzzyville'))
  await expect(page.getByRole('alert')).toHaveText('Enter city, state or ZIP code.')
  await expect(where(page)).toHaveAttribute('aria-invalid', 'true')
})

test.describe('with location access allowed', () => {
  test.use({ geolocation: midtown, permissions: ['geolocation'] })
  test('SRCH-013 SRCH-014 GEO-001 GEO-003 CONST-023 a search requests the exact position and sends two decimals', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const getPosition = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation)
      Object.assign(window, { positionOptions: [] as unknown[] })
      navigator.geolocation.getCurrentPosition = (found, failed, options) => {
        ;(window as unknown as { positionOptions: unknown[] }).positionOptions.push(options)
        getPosition(found, failed, options)
      }
    })
    const calls = requests(page, searchCall)
    await page.goto(at('skyharbor', '/search?location=Current+Location'))
    await expect(cards(page).first()).toBeVisible()
    expect(calls[0]?.searchParams.get('location')).toBe('Current Location')
    expect(calls[0]?.searchParams.get('latitude')).toBe('40.76')
    expect(calls[0]?.searchParams.get('longitude')).toBe('-73.99')
    const positionOptions = await page.evaluate(
      () => (window as unknown as { positionOptions: unknown[] }).positionOptions,
    )
    expect(positionOptions[0]).toEqual({ enableHighAccuracy: true, timeout: 7000, maximumAge: 0 })
    // The address does not contain the location.
    expect(page.url()).not.toContain('40.76')
  })

  test('SRCH-014 the map requests no pins before the position is known', async ({ page }) => {
    const pins = requests(page, '/api/v2/Merchants/Pins')
    await page.goto(at('skyharbor', '/search?location=Current+Location'))
    await expect(cards(page).first()).toBeVisible()
    // From here the page continues to the last search and shows a list while it requests the position.
    await page.goto(at('skyharbor', '/search'))
    await expect(page).toHaveURL(at('skyharbor', '/search?location=Current+Location'))
    await expect
      .poll(() => pins.filter((url) => url.searchParams.get('location') === 'Current Location').length)
      .toBeGreaterThan(1)
    for (const url of pins) expect(url.searchParams.get('latitude')).not.toBeNull()
  })

  test('GEO-002 CONST-023 nearby restaurants on other pages request an approximate position', async ({ page }) => {
    await page.addInitScript(() => {
      Object.assign(window, { positionOptions: [] as unknown[] })
      const getPosition = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation)
      navigator.geolocation.getCurrentPosition = (found, failed, options) => {
        ;(window as unknown as { positionOptions: unknown[] }).positionOptions.push(options)
        getPosition(found, failed, options)
      }
    })
    const calls = requests(page, searchCall)
    await page.goto(at('beacon'))
    await expect.poll(() => calls.some((url) => url.searchParams.get('latitude') === '40.76')).toBe(true)
    const positionOptions = await page.evaluate(
      () => (window as unknown as { positionOptions: unknown[] }).positionOptions,
    )
    expect(positionOptions[0]).toEqual({ enableHighAccuracy: false, timeout: 5000, maximumAge: 3_600_000 })
  })

  test('GEO-004 CONST-014 a granted position is requested again every five minutes', async ({ page, context }) => {
    await page.clock.install()
    const calls = requests(page, searchCall)
    await page.goto(at('skyharbor', '/search?location=Current+Location'))
    await page.clock.runFor(2000)
    await expect(cards(page).first()).toBeVisible()
    const before = calls.length
    await context.setGeolocation({ latitude: 41.88, longitude: -87.63 })
    await page.clock.runFor(4 * 60_000)
    expect(calls.length).toBe(before)
    await page.clock.runFor(70_000)
    await expect.poll(() => calls.at(-1)?.searchParams.get('latitude')).toBe('41.88')
  })
})

test('SRCH-007 SRCH-011 ERR-018 with location access denied nothing is searched, and another place is offered', async ({
  page,
}) => {
  const calls = requests(page, searchCall)
  await page.goto(at('skyharbor', '/search?location=Current+Location'))
  await expect(page.getByRole('heading', { name: 'We can’t see your location' })).toBeVisible()
  expect(calls).toHaveLength(0)
  await page.getByRole('link', { name: 'Search another place' }).click()
  await expect(cards(page).first()).toBeVisible()
})

test('GEO-005 a search without a place starts at the position that the server determines', async ({ page }) => {
  await page.goto(at('skyharbor', '/search?isNew=true'))
  const { latitude, longitude } = await callApi(page, '/api/DefaultUserLocation')
  const query = `isNew=true&location=Current+Map+View&latitude=${latitude}&longitude=${longitude}`
  const { merchants } = await callApi(page, `${searchCall}?${query}`)
  await expect(cards(page).first()).toContainText(merchants[0].name)
})

test('SRCH-023 SRCH-024 a visit without a search continues with the last search and place, unless it was cleared', async ({
  page,
}) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  await where(page).fill('Chicago, IL')
  await what(page).fill('sushi')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL(/Chicago/)
  // The list before stays until the response arrives, and only a search with a response is stored.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('RN_SEARCH_OPTIONS'))).toContain('Chicago')
  expect(await page.evaluate(() => localStorage.getItem('RN_SEARCH_LOCATION'))).toBe('Chicago, IL')
  // One without results is not stored.
  await page.goto(at('skyharbor', '/search?location=10001&restaurantOrCuisine=zzzzzzzz'))
  await expect(cards(page)).toHaveCount(0)
  await page.goto(at('skyharbor'))
  await page.goto(at('skyharbor', '/search'))
  await expect(page).toHaveURL(
    /location=Chicago.*restaurantOrCuisine=sushi|restaurantOrCuisine=sushi.*location=Chicago/,
  )
  await page.goto(at('skyharbor', '/search?location=10001'))
  await expect(page).toHaveURL(/10001/)
  // Recent searches are suggested again.
  await where(page).fill('')
  await expect(page.getByRole('option', { name: 'Chicago, IL' })).toBeVisible()
  // Cleared by its fields, a filter and a link, a search remains empty, also after a reload.
  const submit = page.getByRole('button', { name: 'Search', exact: true })
  const filter = page.getByRole('button', { name: 'New', exact: true })
  const stored = () => page.evaluate(() => localStorage.getItem('RN_SEARCH_OPTIONS'))
  await submit.click()
  await expect(page).toHaveURL(at('skyharbor', '/search'))
  await expect.poll(stored).toBeNull()
  await expect(where(page)).toHaveValue('')
  await filter.click()
  await expect.poll(stored).toBe('/search?isNew=true')
  await filter.click()
  await expect.poll(stored).toBeNull()
  await page.reload()
  await filter.click()
  await expect.poll(stored).toBe('/search?isNew=true')
  expect(page.url()).toBe(at('skyharbor', '/search?isNew=true'))
  await what(page).fill('zzqqxx')
  await submit.click()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: /Without “zzqqxx”: \d/ }).click()
  await expect.poll(stored).toBeNull()
  await expect(cards(page).first()).toBeVisible()
  expect(page.url()).toBe(at('skyharbor', '/search'))
})

test('SRCH-026 CARDM-019 the selected restaurant is stored, recorded as an event, and shown again on return', async ({
  page,
}) => {
  const announced: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/Impressions')) announced.push(request.postData() ?? '')
  })
  await page.goto(at('skyharbor', '/search?location=10001'))
  const card = cards(page).nth(2)
  const id = await card.getAttribute('data-merchant')
  await card.getByRole('link').first().click()
  await expect(page).toHaveURL(new RegExp(`/merchants/${id}`))
  expect(await page.evaluate(() => localStorage.getItem('RN_SELECTED_MERCHANT'))).toBe(id)
  await expect
    .poll(() => announced.some((body) => body.includes('MerchantSelected') && body.includes(id ?? '-')))
    .toBe(true)
  await page.goBack()
  await expect(page.locator(`li[data-pointed] [data-merchant="${id}"]`)).toBeVisible()
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
  await page.getByRole('button', { name: 'Change search' }).click()
  await expect(cards(page).first()).toBeVisible()
})

test.describe('with a survey', () => {
  test.use({ popUps: true })
  test('SRCH-009 SURV-008 a survey leaves the map button uncovered at every width that has one', async ({ page }) => {
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
  })
})

test('Back and Forward between pages of results restore where each was left', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 720 })
  await page.goto(at('skyharbor', '/search?location=10001'))
  const heading = page.getByRole('status').filter({ hasText: 'restaurants' })
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
  test(`A11Y-001 the filters, the suggestions and the empty search of ${partner} have no axe violation`, async ({
    page,
  }) => {
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
  })
}

test('SRCH-006 SRCH-027 a place without restaurants, an unknown one and a page past the end have their own texts', async ({
  page,
}) => {
  await page.goto(at('skyharbor', '/search?location=London'))
  await expect(page.getByRole('heading', { name: /^No restaurants near London, [A-Z]{2}$/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Clear filters' })).toHaveCount(0)
  const others = page.getByRole('link', { name: /^London, [A-Z]{2}$/ })
  await expect(others.first()).toHaveAttribute('href', /location=London%2C\+[A-Z]{2}/)
  await page.goto(at('skyharbor', '/search?location=Xyzzyville'))
  await expect(page.getByRole('heading', { name: 'We could not find “Xyzzyville”' })).toBeVisible()
  await expect(page.getByText('Enter city, state or ZIP code.').first()).toBeVisible()
  await page.goto(at('skyharbor', '/search?location=10001&pageNo=99'))
  await page.getByRole('link', { name: 'Go to the last page' }).click()
  await expect(cards(page).first()).toBeVisible()
  // An unknown sort order is ignored.
  await page.goto(at('skyharbor', '/search?location=10001&sortBy=foo'))
  await expect(cards(page).first()).toBeVisible()
})

test('SRCH-001 a neighborhood can be searched and is suggested', async ({ page }) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  await where(page).fill('soho')
  await page.getByRole('option', { name: 'SoHo, New York, NY' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'near SoHo, New York, NY' })).toBeVisible()
  await expect(cards(page).first()).toContainText('SoHo')
})

test('GEO-005 a search without a place names where it searches, and for a member that is at home', async ({ page }) => {
  await page.goto(at('gallonaire', '/search?isNew=true'))
  await expect(page.getByRole('status').filter({ hasText: 'near New York, NY' })).toBeVisible()
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/search?isNew=true'))
  await expect(page.getByRole('status').filter({ hasText: /near .*10001/ })).toBeVisible()
  await page.goto(at('gallonaire'))
  const row = page.getByRole('region', { name: 'Burgers, big ones' })
  await row.scrollIntoViewIfNeeded()
  await expect(row.getByText(/^Near .*10001/)).toBeVisible()
  await expect(row.getByRole('link', { name: /^View all/ })).toHaveAttribute('href', /location=10001/)
})

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
