import { at, expect, test } from '../support/journey.ts'
import { linkCard, sendTransaction, testCard } from '../support/journey-cards.ts'

test('SESS-016 ENR-012 ROLE-012 ROLE-013 ROUTE-027 HIST-030 a bank customer signs in at the bank, links a card, and earns credit', async ({
  page,
  context,
}) => {
  await page.goto(at('beacon', '/search?restaurantOrCuisine=italian&location=Chicago, IL'))
  const card = page.getByRole('article').first()
  const name = (await card.getByRole('heading').textContent()) ?? ''
  await card.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const merchantId = new URL(page.url()).pathname.split('/').at(-1) as string

  await page.getByRole('banner').getByRole('link', { name: 'Join' }).click()
  await expect(page).toHaveURL(/id\.localhost/)
  await page.getByLabel('User name').fill('ada@beacon.example')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toHaveText('Wrong user name or password.')
  await page.getByLabel('Password').fill('dine-with-ada')
  await page.getByRole('button', { name: 'Continue' }).click()

  await expect(page).toHaveURL(/\/join\?returnTo=%2Fmerchants%2F/)
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
  await expect(page.getByLabel('First name')).not.toBeEditable()
  await page.getByLabel('ZIP code').fill('60601')
  await page.getByLabel(/Email me offers/).check()
  await page.getByLabel(/I accept the terms/).check()
  await page.getByRole('button', { name: 'Continue to your card' }).click()
  await expect(page).toHaveURL(/\/add_card\?returnTo=%2Fmerchants%2F/)

  const number = testCard()
  await linkCard(page, number)
  await page.getByRole('link', { name: 'Go to your account' }).click()
  await page.getByRole('link', { name: 'Reviews & History' }).first().click()
  await expect(page.getByRole('heading', { name: 'Your balance' })).toBeVisible()

  const other = await context.newPage()
  await sendTransaction(other, 'beacon', merchantId, number.slice(-4), '80.00')
  const line = page.getByRole('listitem').filter({ hasText: name })
  await expect(line).toContainText('$80.00')
  await expect(line).toContainText(/\$\d\.\d\d/)
  await expect(line).not.toContainText('miles')
})
