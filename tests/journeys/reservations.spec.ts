import type { Page } from '@playwright/test'
import { at, expect, expectAccessible, findMerchant, openOrigin, test, withMotion } from '../support/journey.ts'
import { linkCard, testCard } from '../support/journey-cards.ts'
import { join, joinViaApi } from '../support/journey-members.ts'
import { nearTables, nextDate, openAtSeven } from '../support/tables-to-book.ts'

/** Chooses a date and waits for its times: until then those of another day are shown. */
async function choose(page: Page, date: string): Promise<void> {
  const responded = page.waitForResponse((response) => response.url().includes(`Availability?date=${date}`))
  await block(page).getByLabel('Date').fill(date)
  await responded
}
const block = (page: Page) => page.getByRole('region', { name: 'Reserve a table' })
const slot = (page: Page) => block(page).getByRole('list', { name: 'Available times' }).getByRole('button').first()

test.use(withMotion)

test('RESV-002 the available times are in three columns, and no step of a reservation has an axe violation', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'skyharbor')
  const merchant = await findMerchant(page, nearTables, openAtSeven)
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  await choose(page, nextDate())
  const times = block(page).getByRole('list', { name: 'Available times' })
  expect(await times.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)).toBe(3)
  await slot(page).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your table' })
  await expect(dialog.getByRole('timer')).toBeVisible()
  await expect(dialog).toContainText('You have no linked card yet.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Reserve this table' }).click()
  await page
    .getByRole('dialog', { name: 'Your table is reserved' })
    .getByRole('link', { name: 'My reservations' })
    .click()
  await expect(page).toHaveURL(at('skyharbor', '/account/reservations'))
  await expect(page.getByRole('listitem').filter({ hasText: merchant.name })).toContainText('2 people')
  await expectAccessible(page)
  await page.goto(at('skyharbor', '/staging-tools/outbox'))
  await page.locator('summary').filter({ hasText: merchant.name }).first().click()
  await expect(page.getByText(email).first()).toBeVisible()
  await expectAccessible(page)
})

test('a visitor without an account joins, links a card, and returns to the chosen table', async ({ page }) => {
  await openOrigin(page, 'gallonaire')
  const merchant = await findMerchant(page, nearTables, openAtSeven)
  await page.goto(at('gallonaire', `/merchants/${merchant.id}`))
  await choose(page, nextDate())
  await slot(page).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Join for free' }).click()
  const back = `returnTo=${encodeURIComponent(`/merchants/${merchant.id}`)}`
  await expect(page).toHaveURL(at('gallonaire', `/join?${back}`))
  await join(page)
  await expect(page).toHaveURL(at('gallonaire', `/add_card?${back}`))
  await linkCard(page, testCard())
  await expect(page).toHaveURL(at('gallonaire', `/card_added?${back}`))
  await page.getByRole('link', { name: 'Continue where you left off' }).click()
  await expect(page).toHaveURL(at('gallonaire', `/merchants/${merchant.id}`))
  await expect(page.getByRole('dialog', { name: 'Confirm your table' })).toBeVisible()
})

test('the tooltip of the bonus stays within a narrow window', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await openOrigin(page, 'skyharbor')
  const merchant = await findMerchant(page, nearTables, openAtSeven)
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  await block(page).getByRole('button', { name: 'About the reservation bonus' }).focus()
  const tooltip = await page.getByRole('tooltip').filter({ hasText: 'pay with a linked card' }).boundingBox()
  expect(tooltip?.x ?? -1).toBeGreaterThanOrEqual(0)
  expect((tooltip?.x ?? 0) + (tooltip?.width ?? 999)).toBeLessThanOrEqual(375)
})
