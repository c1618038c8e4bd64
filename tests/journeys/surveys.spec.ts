import type { Page } from '@playwright/test'
import {
  at,
  expect,
  expectAccessible,
  findMerchant,
  further,
  openOrigin,
  pauseClock,
  test,
} from '../support/journey.ts'

// An incomplete form gets a 400, which the browser logs.
test.use({ popUps: true, tolerated: [/status of (400|401|404)|ERR_FAILED/, { option: true }] as never })

/** Lets the survey's delay pass, and closes overlays first. */
async function settle(page: Page, marketing = '') {
  await page.clock.install()
  await page.addInitScript(() => {
    localStorage.setItem('RN_GENERAL_POPUP', 'welcome')
  })
  await page.goto(at('skyharbor', `/search?location=10001${marketing}`))
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.clock.runFor(6_000)
  // Over the map of the search it opens by a press only.
  const title = page.getByRole('button', { name: 'Two questions about finding a restaurant', exact: true })
  await expect(title).toHaveAttribute('aria-expanded', 'false')
  await title.click()
}

test('SURV-001 SURV-002 SURV-008 SURV-009 SURV-012 a survey appears after its delay, on its pages, with its form', async ({
  page,
}) => {
  await page.clock.install()
  await page.addInitScript(() => localStorage.setItem('RN_GENERAL_POPUP', 'welcome'))
  await page.goto(at('skyharbor', '/how-it-works'))
  await expect(page.locator('html[data-scripted]')).toHaveCount(1)
  // Only the test moves the clock until the survey is due, however long the search takes.
  await pauseClock(page)
  await page.waitForLoadState('networkidle')
  await page.getByRole('banner').getByRole('link', { name: 'Find a restaurant' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.clock.runFor(3_000)
  await expect(page.getByRole('region', { name: 'Surveys' })).toHaveCount(0)
  await page.clock.runFor(3_000)
  await page.clock.resume()
  const title = page.getByRole('button', { name: 'Two questions about finding a restaurant', exact: true })
  await expect(title).toHaveAttribute('aria-expanded', 'false')
  await title.click()
  await expect(title).toHaveAttribute('aria-expanded', 'true')
  const frame = page.locator('iframe[title="Two questions about finding a restaurant"]')
  expect(Math.round((await frame.boundingBox())?.height ?? 0)).toBe(450)
  const address = new URL((await frame.getAttribute('src')) ?? '')
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    utm_medium: 'web',
    utm_source: '/search',
    utm_campaign: 'sky-booking',
    partner_code: 'skyharbor',
  })
  await expectAccessible(page)
  await title.click()
  await expect(frame).toHaveCount(0)
  await title.click()
  await expect(frame).toHaveCount(1)
  // On the next page, which has the focus, the form remains one about the page on which it appeared.
  await page.getByRole('article').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/merchants\//)
  await expect(frame).toHaveCount(0)
  await title.click()
  await expect(frame).toHaveAttribute('src', address.href)
})

test(
  'SURV-009 GEN-005 the form has the font of the page, and has no question for a visitor about a reservation',
  further,
  async ({ page }) => {
    await settle(page, '&utm_campaign=spring&utm_source=mail')
    const form = page.frameLocator('iframe[title="Two questions about finding a restaurant"]')
    // The response counts for the campaign that led here.
    await expect(page.locator('iframe[src*="utm_campaign=spring"]')).toHaveCount(1)
    await expect(form.getByRole('heading')).toHaveText('Finding a restaurant')
    expect(await form.locator('body').evaluate((body) => getComputedStyle(body).fontFamily)).toMatch(
      /"Instrument Sans"/,
    )
    await expect
      .poll(() =>
        form.locator('body').evaluate(() => document.fonts.check('16px "Instrument Sans"') && document.fonts.size),
      )
      .toBeGreaterThan(0)
    expect((await form.locator('form').allTextContents()).join()).not.toMatch(/book|reserv/i)
  },
)

test('SURV-004 SURV-010 responses are sent, and four seconds later the survey closes', async ({ page }) => {
  await settle(page)
  const form = page.frameLocator('iframe[title="Two questions about finding a restaurant"]')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByText('Please answer this question.')).toBeVisible()
  await form.getByLabel('4').check()
  await form.getByLabel(/easier/).fill('A quieter page')
  await pauseClock(page)
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByText('Your answers are on board.')).toBeVisible()
  await page.clock.runFor(3_900)
  await expect(page.getByRole('region', { name: 'Surveys' })).toHaveCount(1)
  await expect(async () => {
    await page.clock.runFor(200)
    await expect(page.getByRole('region', { name: 'Surveys' })).toHaveCount(0, { timeout: 300 })
  }).toPass()
})

test(
  'SURV-005 a survey that was submitted is not shown again, also when the page is left at once',
  further,
  async ({ page }) => {
    await settle(page)
    const form = page.frameLocator('iframe[title="Two questions about finding a restaurant"]')
    await form.getByLabel('4').check()
    await form.getByLabel(/easier/).fill('A quieter page')
    await pauseClock(page)
    await form.getByRole('button', { name: 'Send' }).click()
    await expect(form.getByText('Your answers are on board.')).toBeVisible()
    await page.goto(at('skyharbor', '/robots.txt'))
    expect(await page.evaluate(() => localStorage.getItem('RN_SURVEY_sky-booking'))).not.toBeNull()
  },
)

test('SURV-003 SURV-005 a closed survey returns after ninety days, not before', async ({ page }) => {
  await settle(page)
  const reserved = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).paddingBottom))
  await expect.poll(reserved).toBeGreaterThan(20)
  await page.getByRole('button', { name: /Close the survey/ }).click()
  await expect(page.getByRole('region', { name: 'Surveys' })).toHaveCount(0)
  expect(await reserved()).toBe(0)
  const again = async (days: number) => {
    await page.evaluate(
      (ago) => localStorage.setItem('RN_SURVEY_sky-booking', String(Date.now() - ago)),
      days * 86_400_000,
    )
    await page.reload()
    await expect(page.getByRole('article').first()).toBeVisible()
    await page.clock.runFor(6_000)
    return page.getByRole('region', { name: 'Surveys' })
  }
  await expect(await again(89)).toHaveCount(0)
  await expect(await again(91)).toHaveCount(1)
})

test('SURV-004 a message from another window does not close the survey', further, async ({ page }) => {
  await settle(page)
  await page.evaluate(() => window.postMessage({ type: 'survey-submitted', id: 'sky-booking' }, '*'))
  await page.clock.runFor(10_000)
  await expect(page.getByRole('region', { name: 'Surveys' })).toHaveCount(1)
})

test('SURV-006 SURV-007 other pages have no survey', further, async ({ page }) => {
  await settle(page)
  await page.goto(at('skyharbor', '/how-it-works'))
  await page.clock.runFor(20_000)
  await expect(page.getByRole('region', { name: 'Surveys' })).toHaveCount(0)
})

test('the form outside a frame is a page that anyone can use', further, async ({ page }) => {
  const forms = at('forms', '/forms/beacon/bea-clarity')
  await page.goto(forms)
  await expectAccessible(page)
  await page
    .getByRole('group', { name: /How clear/ })
    .getByLabel('5')
    .check()
  await page.getByLabel('Yes').check()
  await page.getByLabel('When a credit will be issued').check()
  await page.getByRole('button', { name: 'Submit answers' }).click()
  await expect(page).toHaveURL(at('beacon', '/surveys/success'))
})

/** Opens the page of a restaurant of Orchard, on which a survey is due after eight seconds. */
async function openRestaurant(page: Page): Promise<string> {
  await page.addInitScript(() => {
    // The frame of a page that was not loaded has no storage.
    if (window.origin === 'null') return
    localStorage.setItem('RN_ANNOUNCEMENT', String(Date.now()))
    localStorage.setItem('RN_GENERAL_POPUP', 'points-plus')
  })
  await page.setViewportSize({ width: 1280, height: 900 })
  await openOrigin(page, 'orchard')
  const { id } = await findMerchant(page, 'location=10001')
  await page.clock.install()
  await page.goto(at('orchard', `/merchants/${id}`))
  await expect(page.locator('html[data-scripted]')).toHaveCount(1)
  return id
}

test('SURV-014 a survey whose title closed it does not open again by itself, on any page', async ({ page }) => {
  const id = await openRestaurant(page)
  const title = page.getByRole('button', { name: 'May we ask how you choose a restaurant?', exact: true })
  const isOpen = async () => {
    await page.clock.runFor(9_000)
    return title.getAttribute('aria-expanded')
  }
  expect(await isOpen()).toBe('true')
  // Nothing of the form lies over another part of it.
  const frame = page.frameLocator('iframe[title="May we ask how you choose a restaurant?"]')
  await expect(frame.getByRole('button')).toHaveCSS('position', 'static')
  await title.click()
  for (const path of [`/merchants/${id}`, '/discover']) {
    await page.goto(at('orchard', path))
    expect([path, await isOpen()]).toEqual([path, 'false'])
  }
  await title.click()
  await page.reload()
  expect(await isOpen()).toBe('true')
})

test('SURV-015 a survey whose form cannot be loaded says so', async ({ page }) => {
  await page.route('**/forms/orchard/**', (route) => route.abort())
  await openRestaurant(page)
  await page.clock.runFor(9_000)
  await expect(async () => {
    await page.clock.runFor(1_500)
    await expect(page.getByText('We can’t show this survey right now.')).toBeVisible({ timeout: 300 })
  }).toPass()
  await expect(page.locator('iframe')).toHaveCount(0)
})
