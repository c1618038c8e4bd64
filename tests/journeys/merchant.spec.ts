import {
  at,
  expect,
  expectAccessible,
  expectNoA11yViolations,
  findMerchant,
  further,
  furtherUnless,
  openOrigin,
  test,
} from '../support/journey.ts'
import { insertCard, joinViaApi, joinWithCard } from '../support/journey-members.ts'

const near = 'location=10001&radius=50'

test('hours are in the restaurant’s time zone and say whether it is open', further, async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', serviceWorkers: 'block', locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(at('lantern', '/search?location=10001'))
  const merchant = await findMerchant(page, near, (m) => m.hours?.['5']?.length > 0)
  const [from, to] = merchant.hours['5'][0]
  const text = (clock: string) => {
    const [hour, minute] = clock.split(':').map(Number) as [number, number]
    return `${hour % 12 || 12}${minute ? `:${clock.slice(3)}` : ''} ${hour % 24 < 12 ? 'AM' : 'PM'}`
  }
  const [hour, minute] = from.split(':').map(Number)
  // One hour after opening on Friday, November 20, 2026; New York is five hours behind UTC.
  await page.clock.setFixedTime(new Date(Date.UTC(2026, 10, 20, hour + 6, minute)))
  await page.goto(at('lantern', `/merchants/${merchant.id}`))
  await expect(page.getByText(`Open now, until ${text(to)}`).first()).toBeVisible()
  await expect(page.getByText('All times are local to the restaurant (Eastern Time).')).toBeVisible()
  await context.close()
})

for (const partner of ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern']) {
  const details = furtherUnless(partner === 'gallonaire')
  test(
    `A11Y-001 the page of a restaurant of ${partner} has no axe violation on large and small screens`,
    details,
    async ({ page }) => {
      await openOrigin(page, partner)
      const merchant = await findMerchant(page, near, (m) => m.ordering.length > 0 && m.reservationProviders.length > 0)
      for (const width of [375, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(at(partner, `/merchants/${merchant.id}`))
        if (partner !== 'lantern') await expect(page.getByLabel('Party size')).toBeVisible()
        await expectAccessible(page)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      }
    },
  )
}

test('the terms of an offer on a card of the search have no axe violation', async ({ page }) => {
  await joinWithCard(page, 'skyharbor')
  for (const fits of [
    ({ offers: [offer] }: Found) => Boolean(offer?.hours),
    ({ offers: [offer] }: Found) => (offer?.minSpendCents ?? 0) > 0,
  ]) {
    const merchant = await findMerchant(page, near, fits)
    await page.goto(at('skyharbor', `/search?restaurantOrCuisine=${encodeURIComponent(merchant.name)}&${near}`))
    await expect(page.locator(`[data-merchant="${merchant.id}"]`)).toBeVisible()
    await expectNoA11yViolations(page)
  }
})

interface Found {
  offers: { hours: unknown; minSpendCents: number }[]
}

test('the calculator with the card and the kind of payment has no axe violation', async ({ page }) => {
  const email = await joinWithCard(page, 'gallonaire')
  await insertCard(email)
  const { id } = await findMerchant(page, 'location=10001', ({ offers }) => offers[0]?.type === 'Unlimited')
  await page.goto(at('gallonaire', `/merchants/${id}`))
  await page.getByText('Paying with', { exact: true }).click()
  await page.getByLabel('A debit card with a PIN').check()
  await expect(page.getByText('This meal was paid by debit card with a PIN, which doesn’t earn.')).toBeVisible()
  await expectNoA11yViolations(page)
})

test('the dialog that says how to unlock a restaurant has no axe violation', async ({ page }) => {
  await joinViaApi(page, 'orchard')
  const merchant = await findMerchant(page, `${near}&acclaimed=true`, (m) => m.acclaimedLevel === 2)
  const name = encodeURIComponent(merchant.name)
  await page.goto(at('orchard', `/search?${near}&acclaimed=true&restaurantOrCuisine=${name}`))
  await page.locator(`[data-merchant="${merchant.id}"]`).getByRole('button', { name: 'Unlock access to earn' }).click()
  await expect(page.getByRole('dialog', { name: 'Unlock this restaurant' })).toBeVisible()
  await expectAccessible(page)
})

test('MERCH-003 ROUTE-007 online ordering opens a dialog with its own address', async ({ page }) => {
  await openOrigin(page, 'skyharbor')
  const merchant = await findMerchant(page, near, (m) => m.ordering.length > 0)
  const address = at('skyharbor', `/merchants/${merchant.id}`)
  expect((await page.goto(`${address}/order-online`))?.status()).toBe(200)
  const dialog = page.getByRole('dialog', { name: 'Order online' })
  await expect(dialog.getByRole('link', { name: merchant.ordering[0].name })).toHaveAttribute(
    'href',
    merchant.ordering[0].url,
  )
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(address)
  await page.getByRole('link', { name: 'Order online' }).click()
  await expect(page).toHaveURL(`${address}/order-online`)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(address)
  // Back leads to the page before the dialog, not into it.
  await page.goBack()
  await expect(page).toHaveURL(address)
  await expect(dialog).toHaveCount(0)
})
