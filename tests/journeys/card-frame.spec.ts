import type { Page } from '@playwright/test'
import { at, expect, further, furtherUnless, test } from '../support/journey.ts'
import { testCard } from '../support/journey-cards.ts'
import { joinViaApi } from '../support/journey-members.ts'
import { recordCardNumber } from '../support/typed-card-numbers.ts'

test('A11Y-016 LINK-022 the month of a card accepts typed and pasted formats, and Backspace passes the slash', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/add_card'))
  const inside = page.frameLocator('iframe[title="Your card"]')
  const expires = inside.getByLabel(/Expires/)
  await inside.getByLabel('Card number').pressSequentially(testCard())
  const forms = { '12/30': '12/30', '1230': '12/30', '12/2030': '12/2030', '1/30': '01/30', '12 / 30': '12/30' }
  for (const [typed, shown] of Object.entries(forms)) {
    await expires.press('ControlOrMeta+A')
    await expires.press('Delete')
    await expect(inside.getByText('Card complete.')).toHaveCount(0)
    await expires.pressSequentially(typed)
    await expect(expires).toHaveValue(shown)
    await expect(inside.getByText('Card complete.')).toBeVisible()
    await page.evaluate((text) => navigator.clipboard.writeText(text), typed)
    await expires.press('ControlOrMeta+A')
    await expires.press('ControlOrMeta+V')
    await expect(expires).toHaveValue(shown)
    await expect(inside.getByText('Card complete.')).toBeVisible()
  }
  await expires.press('ControlOrMeta+A')
  await expires.press('Delete')
  await expires.pressSequentially('12')
  await expect(expires).toHaveValue('12/')
  for (const left of ['12', '1', '']) {
    await expires.press('Backspace')
    await expect(expires).toHaveValue(left)
  }
})

for (const width of [375, 1280]) {
  const details = furtherUnless(width === 375)
  test(`at ${width} px nothing below the frame moves when it arrives`, details, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await joinViaApi(page, 'gallonaire')
    let respond = () => {}
    const blocked = new Promise<void>((resolve) => {
      respond = resolve
    })
    for (const request of ['Member/Cards/Intent', 'Cards/AllPartnerCards'])
      await page.route(`**/api/${request}`, async (route) => {
        await blocked
        await route.continue()
      })
    await page.goto(at('gallonaire', '/add_card'))
    await expect(page.getByRole('main').getByText('Do not refresh, loading partner cards')).toBeVisible()
    // Text above may wrap differently in the font of the program.
    await page.evaluate(() => document.fonts.ready.then(() => true))
    const top = async () => (await page.getByLabel(/I link this card/).boundingBox())?.y
    const before = await top()
    respond()
    await expect(page.locator('iframe[data-ready]')).toBeVisible()
    expect(await top()).toBe(before)
  })

  test(`at ${width} px nothing below the frame moves when the member scrolls to it`, details, async ({ page }) => {
    // A browser does not lay out a frame of another origin before it is on the screen.
    await page.setViewportSize({ width, height: 200 })
    await joinViaApi(page, 'gallonaire')
    await page.goto(at('gallonaire', '/add_card'))
    const frame = page.locator('iframe[data-ready]')
    await expect(frame).toBeAttached()
    const consent = page.getByLabel(/I link this card/)
    const top = () => consent.evaluate((box) => box.getBoundingClientRect().top + scrollY)
    await page.evaluate(() => document.fonts.ready.then(() => true))
    const before = await top()
    const inside = await (await frame.elementHandle())?.contentFrame()
    await frame.scrollIntoViewIfNeeded()
    await inside?.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await frame.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await top()).toBe(before)
  })
}

test(
  'LINK-030 VAL-005 a card of a brand that no program accepts has a different error from a mistyped one',
  further,
  async ({ page }) => {
    await joinViaApi(page, 'gallonaire')
    await page.goto(at('gallonaire', '/add_card'))
    await expect(page.getByText('* Required field')).toBeVisible()
    const inside = page.frameLocator('iframe[title="Your card"]')
    // JCB and Diners Club: complete numbers that no program accepts.
    for (const other of ['3530111333300000', '30569309025904']) {
      await inside.getByLabel('Card number').fill(other)
      await inside.getByLabel(/Expires/).fill('12/30')
      await expect(inside.getByText('Card must be Amex, Discover, Mastercard or Visa')).toBeVisible()
    }
    await inside.getByLabel('Card number').fill('3530111333300001')
    await expect(inside.getByText('Check the card number.')).toBeVisible()
  },
)

test('A11Y-016 an invalid card shows its error and its field has the focus; then the consent', async ({ page }) => {
  await joinViaApi(page, 'gallonaire')
  await page.goto(at('gallonaire', '/add_card'))
  const inside = page.frameLocator('iframe[title="Your card"]')
  const [number, expires] = [inside.getByLabel('Card number'), inside.getByLabel(/Expires/)]
  const submit = page.getByRole('button', { name: 'Link card' })
  const problem = page.getByRole('alert')
  await number.pressSequentially('4444 3333')
  await expires.pressSequentially('12/30')
  await submit.press('Enter')
  await expect(problem).toContainText('Check the card number.')
  await expect(number).toBeFocused()
  await expect(number).toBeInViewport()
  // The month is typed first: a card that was complete for a moment could be submitted.
  await expires.press('ControlOrMeta+A')
  await page.keyboard.type('13/30')
  await number.press('ControlOrMeta+A')
  await page.keyboard.type(testCard())
  // The frame reports its state by a message, which a busy machine can deliver after the press.
  await expect(async () => {
    await submit.press('Enter')
    await expect(problem).toContainText('Check the month and year on your card.', { timeout: 1_000 })
  }).toPass()
  await expect(expires).toBeFocused()
  // No card is valid for that long.
  await expires.press('ControlOrMeta+A')
  await page.keyboard.type('12/80')
  await expect(async () => {
    await submit.press('Enter')
    await expect(expires).toBeFocused({ timeout: 1_000 })
  }).toPass()
  await expires.press('ControlOrMeta+A')
  await page.keyboard.type('12/30')
  await expect(inside.getByText('Card complete.')).toBeVisible()
  await expect(submit).toBeEnabled()
  await submit.press('Enter')
  await expect(page.getByLabel(/I link this card/)).toBeFocused()
})

test('A11Y-016 the fields of the card have the font of the program', further, async ({ page }) => {
  for (const [partner, family] of [
    ['skyharbor', 'Instrument Sans'],
    ['gallonaire', 'Barlow'],
  ] as const) {
    await joinViaApi(page, partner)
    await page.goto(at(partner, '/add_card'))
    const number = page.frameLocator('iframe[title="Your card"]').getByLabel('Card number')
    await expect(number).toBeVisible()
    expect(await number.evaluate((field) => getComputedStyle(field).fontFamily)).toContain(family)
    const isLoaded = () =>
      number.evaluate(
        (_field, name) => [...document.fonts].some((face) => face.family.includes(name) && face.status === 'loaded'),
        family,
      )
    await expect.poll(isLoaded).toBe(true)
  }
})

test('a card that is being typed stays in the frame when the member leaves the window and comes back', async ({
  page,
}) => {
  await joinViaApi(page, 'gallonaire')
  await page.clock.install()
  const intents: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/Member/Cards/Intent')) intents.push(request.url())
  })
  await page.goto(at('gallonaire', '/add_card'))
  const frame = page.locator('iframe[title="Your card"]')
  const inside = frame.contentFrame()
  const number = testCard()
  recordCardNumber(number)
  await inside.getByLabel('Card number').fill(number)
  await inside.getByLabel(/Expires/).fill('12/30')
  await expect(inside.getByText('Card complete.')).toBeVisible()
  const shown = await inside.getByLabel('Card number').inputValue()
  await frame.evaluate((element) => element.setAttribute('data-first', ''))
  await setVisibility(page, 'hidden')
  await page.clock.fastForward('01:30')
  // A query that is stale runs again on this event: that of the member does, the intent must not.
  const member = page.waitForResponse((response) => response.url().endsWith('/api/Member'))
  await setVisibility(page, 'visible')
  await page.clock.runFor(2_000)
  await member
  await expect(page.locator('iframe[data-first]')).toBeVisible()
  await expect(inside.getByText('Card complete.')).toBeVisible()
  await expect(inside.getByLabel('Card number')).toHaveValue(shown)
  expect(intents).toHaveLength(1)
})

/** Does what a browser does when its window is left, or entered again. */
async function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true })
    window.dispatchEvent(new Event(visibilityState === 'hidden' ? 'blur' : 'focus'))
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}
