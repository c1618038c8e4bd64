import { at, expect, further, gallery, test, withMotion } from '../support/journey.ts'
import { linkCard, sendTransaction, testCard } from '../support/journey-cards.ts'
import { join } from '../support/journey-members.ts'

test.use(withMotion)

test('ROUTE-024 the gallery shows the five sample programs and leads to each', further, async ({ page }) => {
  await page.goto(gallery())
  for (const name of ['Skyharbor', 'Gallonaire', 'Beacon', 'Orchard', 'Lantern']) {
    await expect(page.getByRole('link', { name: new RegExp(name) }).first()).toBeVisible()
  }
  await page.getByRole('link', { name: /Skyharbor Miles Dining/ }).click()
  await expect(page).toHaveURL(at('skyharbor'))
})

test('GEN-001 GEN-006 GEN-008 GEN-009 GEN-010 ENR-001 ENR-013 a visitor searches, joins, links a card, dines and sees the miles with their reason', async ({
  page,
  context,
}) => {
  await page.goto(at('skyharbor', '/search'))
  await page.getByLabel('Restaurant or cuisine').fill('sushi')
  await page.getByLabel('City, state or ZIP code').fill('10001')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL(/location=10001&restaurantOrCuisine=sushi/)
  await expect(page.getByText(/restaurants near New York, NY 10001/)).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(10)
  await expect(page.getByRole('region', { name: 'Map of the results' })).toBeVisible()

  const unlimited = page.getByRole('article').first()
  const name = (await unlimited.getByRole('heading').textContent()) ?? ''
  await unlimited.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('What this meal earns')).toBeVisible()
  const merchantId = new URL(page.url()).pathname.split('/').at(-1) as string

  await page.getByRole('link', { name: 'Join' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Join Skyharbor Miles Dining')
  await join(page, { 'Skyharbor number': `SKY${String(Date.now()).slice(-8)}` })
  await expect(page).toHaveURL(/\/add_card\?returnTo=%2Fmerchants%2F/)

  const number = testCard()
  await linkCard(page, number)
  await expect(page).toHaveURL(/\/card_added/)
  await expect(page.getByText(`ending in ${number.slice(-4)}`)).toBeVisible()
  await page.getByRole('link', { name: 'Go to your account' }).click()
  await expect(page.getByRole('heading', { name: 'Hello, Ada' })).toBeVisible()

  await page.getByRole('link', { name: 'Reviews & History' }).first().click()
  await expect(page.getByText('No meals yet')).toBeVisible()
  const other = await context.newPage()
  await sendTransaction(other, 'skyharbor', merchantId, number.slice(-4), '42.10')
  // The open page refreshes by itself.
  const line = page.getByRole('listitem').filter({ hasText: name })
  await expect(line).toContainText('miles')
  await expect(line).toContainText('$42.10')
  await line.getByText('Why?').click()
  await expect(line.getByText(/miles on the way|earned/)).toBeVisible()
})
