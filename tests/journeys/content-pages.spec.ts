import { contentNames } from '../../src/programs/content/contract.ts'
import { at, expect, further, test } from '../support/journey.ts'

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

test('HOME-007 A11Y-017 the button of the email form is aligned with its field', further, async ({ page }) => {
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

test('SRCH-001 A11Y-017 the button of the search is aligned with its fields', further, async ({ page }) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  const field = await page.getByRole('combobox', { name: 'City, state or ZIP code' }).boundingBox()
  const button = await page.getByRole('button', { name: 'Search', exact: true }).boundingBox()
  expect(Math.round((button?.y ?? 0) - (field?.y ?? -99))).toBe(0)
})

test('ROUTE-010 a single offer takes the full width of its page', further, async ({ page }) => {
  await page.goto(at('skyharbor', '/earn'))
  const offer = page.getByRole('listitem').filter({ hasText: 'Book with us, earn 500 more' })
  const [box, main] = [await offer.boundingBox(), await page.getByRole('heading', { level: 1 }).boundingBox()]
  expect(Math.round(box?.width ?? 0)).toBe(Math.round(main?.width ?? -1))
})
