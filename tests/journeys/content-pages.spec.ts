import { contentNames } from '../../src/programs/content/contract.ts'
import { at, expect, test } from '../support/journey.ts'

const partners = ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern'] as const

test('ROUTE-024 ROUTE-025 ROUTE-035 ROUTE-036 HOME-011 each program has its own front page', async ({ page }) => {
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

test('ROUTE-008 ROUTE-009 ROUTE-010 ROUTE-011 ROUTE-012 ROUTE-013 ROUTE-014 ROUTE-015 ROUTE-037 HOME-012 HOME-013 PART-016 CMS-006 CMS-007 CMS-012 every content page exists', async ({
  page,
}) => {
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
    const response = await page.goto(at('skyharbor', path))
    expect([path, response?.status()]).toEqual([path, 200])
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  }
  await page.goto(at('skyharbor', '/earn'))
  await expect(page.getByRole('main').getByRole('link', { name: /VIP/ }).first()).toBeVisible()
  await page.goto(at('gallonaire', '/earn'))
  await expect(page.getByRole('main').getByRole('link', { name: /VIP/ })).toHaveCount(0)
  const aboutReservations = page.getByRole('main').locator('a[href="/earn/reservations"]')
  await expect(aboutReservations).not.toHaveCount(0)
  await page.goto(at('beacon', '/earn'))
  await expect(page.getByRole('main').getByRole('link', { name: /VIP/ })).not.toHaveCount(0)
  await expect(aboutReservations).toHaveCount(0)
})

test('HOME-001 HOME-002 HOME-005 CMS-002 A11Y-005 the banner has a shorter text and its own image on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(at('gallonaire'))
  const section = page.getByRole('main').locator('section').first()
  await expect(section).toContainText('10 cents off every gallon for each $50')
  await page.setViewportSize({ width: 600, height: 900 })
  await expect(section.getByText('10¢ off a gallon for each $50 you eat.')).toBeVisible()
  const image = section.getByRole('img', { name: /^A highway into a red sun/ })
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.currentSrc)).toContain('hero-mobile.svg')
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.currentSrc)).toContain('hero.svg')
})

test.describe('the prospect form', () => {
  test.use({ tolerated: [/status of (401|404|422|500)/, { option: true }] as never })
  test('HOME-004 HOME-006 HOME-007 HOME-008 HOME-009 an email address leads to joining or to sign-in', async ({
    page,
  }) => {
    await page.goto(at('skyharbor'))
    const form = page.getByRole('main').locator('form')
    await form.getByLabel('Start with your email address').fill('not an address')
    await form.getByRole('button', { name: 'Start earning' }).click()
    await expect(form.getByText('Please enter a valid email address.')).toBeVisible()
    const email = `prospect-${Date.now()}@example.com`
    await form.getByLabel('Start with your email address').fill(email)
    await expect(form.getByText('Please enter a valid email address.')).toBeHidden()
    await page.route('**/api/Members/Prospects/Email', (route) => route.fulfill({ status: 500, json: {} }))
    await form.getByRole('button', { name: 'Start earning' }).click()
    await expect(page).toHaveURL(/\/join$/)
    await expect(page.getByLabel('Email address')).toHaveValue(email)
  })

  test('HOME-009 leads to sign-in for an existing address, and shows an error when the check fails', async ({
    page,
  }) => {
    await page.goto(at('gallonaire'))
    const form = page.getByRole('main').locator('form')
    // Once on blur, and again by the button.
    await page.route('**/api/Members/Validate/Email*', (route) => route.fulfill({ status: 500, json: {} }), {
      times: 2,
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

test('HOME-004 the bank shows no email form', async ({ page }) => {
  await page.goto(at('beacon'))
  await expect(page.getByRole('main').locator('form')).toHaveCount(0)
})

test('CMS-001 API-020 every collection is loaded once, at the start, in two files', async ({ page }) => {
  const calls: string[] = []
  const inFiles: string[] = []
  page.on('request', (request) => request.url().includes('/cms/pages/') && calls.push(request.url()))
  page.on('response', async (response) => {
    if (!response.url().includes('/assets/program/')) return
    const file = await response.json()
    inFiles.push(...Object.keys(file.content ?? file))
  })
  await page.goto(at('beacon', '/privacy'))
  await expect.poll(() => [...inFiles].sort()).toEqual([...contentNames].sort())
  // A page that was not loaded yet needs no call.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Program terms' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Program terms' })).toBeVisible()
  expect(calls).toEqual([])
})

test.describe('content that cannot be loaded', () => {
  test.use({ tolerated: [/status of (404|500)|CMS copy not loaded/, { option: true }] as never })
  test('CMS-018 CMS-023 without the file each collection is requested once', async ({ page }) => {
    const requests: string[] = []
    page.on('request', (request) => {
      const match = /\/cms\/pages\/([^/]+)\/\?(.*)/.exec(request.url())
      if (match) requests.push(`${decodeURIComponent(match[1] ?? '')} ${match[2]}`)
    })
    await page.route('**/assets/program/later-*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(at('beacon', '/privacy'))
    await expect.poll(() => requests.length).toBeGreaterThanOrEqual(7)
    expect(new Set(requests).size).toBe(requests.length)
    expect(requests.every((question) => question.endsWith('page_size=100'))).toBe(true)
  })

  test('CMS-017 CMS-019 CMS-020 CMS-021 G-22 is empty, reported in the browser console, and does not delay the page', async ({
    page,
  }) => {
    const consoleLines: string[] = []
    page.on('console', (message) => consoleLines.push(`${message.type()}: ${message.text()}`))
    await page.route('**/assets/program/later-*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.route('**/api/cms/pages/popup/*', (route) => route.fulfill({ status: 404, json: {} }))
    await page.route('**/api/cms/pages/surveys/*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(at('lantern'))
    await expect.poll(() => consoleLines.join('\n')).toMatch(/info: No CMS copy found at .*popup/)
    await expect.poll(() => consoleLines.join('\n')).toMatch(/error: CMS copy not loaded from .*surveys/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})

test('HOME-007 A11Y-017 the button of the email form is aligned with its field', async ({ page }) => {
  for (const partner of ['skyharbor', 'gallonaire', 'orchard']) {
    await page.goto(at(partner))
    const form = page
      .locator('main form')
      .filter({ has: page.locator('input[type=email]') })
      .first()
    const [field, button] = [
      await form.getByRole('textbox').boundingBox(),
      await form.getByRole('button').boundingBox(),
    ]
    expect([partner, Math.round((button?.y ?? 0) - (field?.y ?? -99))]).toEqual([partner, 0])
  }
})

test('SRCH-001 A11Y-017 the button of the search is aligned with its fields', async ({ page }) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  const field = await page.getByRole('combobox', { name: 'City, state or ZIP code' }).boundingBox()
  const button = await page.getByRole('button', { name: 'Search', exact: true }).boundingBox()
  expect(Math.round((button?.y ?? 0) - (field?.y ?? -99))).toBe(0)
})

test('ROUTE-010 a single offer takes the full width of its page', async ({ page }) => {
  await page.goto(at('skyharbor', '/earn'))
  const offer = page.getByRole('listitem').filter({ hasText: 'Book with us, earn 500 more' })
  const [box, main] = [await offer.boundingBox(), await page.getByRole('heading', { level: 1 }).boundingBox()]
  expect(Math.round(box?.width ?? 0)).toBe(Math.round(main?.width ?? -1))
})
