import { expect, type Page } from '@playwright/test'
import { passesLuhn } from '../../src/rewards/cards/rules.ts'
import { at } from './journey.ts'
import { recordCardNumber } from './typed-card-numbers.ts'

let count = 0

/** Returns a new, unissued Visa number with a valid checksum. */
export function testCard(): string {
  count++
  const worker = String(process.env.TEST_WORKER_INDEX ?? 0).padStart(2, '0')
  const body = `4444${String(Date.now()).slice(-7)}${worker.slice(-2)}${String(count % 100).padStart(2, '0')}`
  const numbers = [...'0123456789'].map((check) => body + check)
  // The vault declines numbers with this ending.
  return numbers.find((number) => passesLuhn(number) && !number.endsWith('0002')) ?? testCard()
}

export { declinedNumber as declinedCard } from './sealed-card.ts'

/** Types a card into the vault's frame and links it. */
export async function linkCard(page: Page, number: string): Promise<void> {
  recordCardNumber(number)
  const frame = page.frameLocator('iframe[title="Your card"]')
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel(/Expires/).fill('12/30')
  await expect(frame.getByText('Card complete.')).toBeVisible()
  await page.getByLabel(/I link this card/).check()
  await page.getByRole('button', { name: 'Link card' }).click()
}

/** Sends a card-network event with the staging tools, for the restaurant of the given page. */
export async function sendTransaction(
  page: Page,
  partner: string,
  merchantId: string,
  lastFour: string,
  amount: string,
): Promise<void> {
  await page.goto(at(partner, `/staging-tools?merchant=${merchantId}`))
  const cards = page.getByLabel('Card ending in')
  const option = await cards.locator('option', { hasText: lastFour }).first().getAttribute('value')
  await cards.selectOption(option)
  await page.getByLabel('Amount in dollars').fill(amount)
  await page.getByRole('button', { name: 'Send event' }).click()
  await expect(page.getByText('Sent: applied')).toBeVisible()
}
