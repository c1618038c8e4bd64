import { at, expect, findMerchant, openOrigin, test } from '../support/journey.ts'
import { joinViaApi } from '../support/journey-members.ts'

test('A11Y-013 A11Y-016 the calculator accepts dollars as people write them, and announces each result once', async ({
  page,
}) => {
  await openOrigin(page, 'skyharbor')
  const merchant = await findMerchant(page, 'location=10001')
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  const bill = page.getByLabel('Bill with tax and tip')
  const result = page.getByRole('status').filter({ hasText: /\$\d/ })
  await expect(result).toContainText('$60')
  await result.evaluate((element) => {
    const announced: string[] = []
    Object.assign(window, { announced })
    const note = () => announced.at(-1) !== element.textContent && announced.push(element.textContent ?? '')
    new MutationObserver(note).observe(element, { childList: true, characterData: true, subtree: true })
  })
  await bill.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('123')
  await expect(result).toContainText('$123')
  const announced = await page.evaluate(() => (window as unknown as { announced: string[] }).announced)
  expect(announced.filter((text) => !text.includes('$123'))).toEqual([])
  expect(new Set(announced).size).toBe(1)
  for (const [typed, shown] of [
    ['$80', '$80'],
    ['1,000', '$1,000'],
  ] as const) {
    await bill.press('ControlOrMeta+A')
    await page.keyboard.type(typed)
    await expect(result).toContainText(shown)
    await expect(bill).not.toHaveAttribute('aria-invalid')
  }
  await bill.press('ControlOrMeta+A')
  await page.keyboard.type('abc')
  await expect(page.getByText('Enter an amount from $0.01 to $99,999.99, such as 60, 72.50 or 1,000.')).toBeVisible()
  await expect(bill).toHaveAttribute('aria-invalid', 'true')
  await expect(result).toHaveCount(0)
})

test.describe('a rejected form', () => {
  test.use({ tolerated: /status of (400|401|404)/ })

  test('A11Y-016 a missing transaction without a day shows an error, and the day field has the focus', async ({
    page,
  }) => {
    await joinViaApi(page, 'skyharbor')
    await page.goto(at('skyharbor', '/account/missing_meal'))
    await page.getByRole('main').locator('button[type=submit]').press('Enter')
    const day = page.getByLabel('Date')
    await expect(day).toHaveAccessibleDescription(/Enter the date of your meal: today or earlier\./)
    await expect(day).toBeFocused()
  })
})

test('A11Y-013 the next page of results starts at its top with the focus, and the filters announce the number of results', async ({
  page,
}) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  await page.getByRole('navigation', { name: 'Pages of results' }).getByRole('link', { name: 'Next' }).press('Enter')
  await expect(page).toHaveURL(/pageNo=2/)
  const start = page.getByRole('status').filter({ hasText: 'restaurants near' })
  await expect(start).toBeFocused()
  await expect(start).toBeInViewport()
  await page.getByRole('button', { name: 'Filters' }).press('Enter')
  const panel = page.getByRole('dialog')
  await panel.getByRole('checkbox', { name: /^Brunch/ }).press('Space')
  await expect(panel.getByRole('status').filter({ hasText: /^Show \d/ })).toHaveCount(1)
})

test('A11Y-013 another tab of the account is announced, and the focus stays on it', async ({ page }) => {
  await joinViaApi(page, 'skyharbor')
  await page.goto(at('skyharbor', '/account/user_profile'))
  const tab = page.getByRole('main').getByRole('link', { name: 'Privacy', exact: true })
  await tab.press('Enter')
  await expect(page).toHaveURL(/privacy/)
  await expect(page.getByRole('status').filter({ hasText: 'Privacy' })).toHaveCount(1)
  await expect(tab).toBeFocused()
})

test('A11Y-011 announcements of the program come before the page content', async ({ page }) => {
  await page.goto(at('skyharbor'))
  const order = await page.evaluate(() =>
    [...document.querySelectorAll('section[aria-label="Notifications"], main')].map((element) => element.tagName),
  )
  expect(order[0]).toBe('SECTION')
  expect(order).toContain('MAIN')
})

test('A11Y-014 the sign-in link on a card is large enough to tap', async ({ page }) => {
  await page.goto(at('skyharbor', '/search?location=10001'))
  const link = page.getByRole('article').getByRole('link', { name: 'Sign in to see offers' }).first()
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24)
})

test('A11Y-012 forced colors show a pressed button', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(at('skyharbor', '/search?location=10001'))
  const chip = page.getByRole('button', { name: 'New', exact: true })
  const ground = () => chip.evaluate((button) => getComputedStyle(button).backgroundColor)
  const before = await ground()
  await chip.press('Enter')
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
  expect(await ground()).not.toBe(before)
})
