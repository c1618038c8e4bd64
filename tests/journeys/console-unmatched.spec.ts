import { at, expect, expectNoA11yViolations, test } from '../support/journey.ts'
import { openConsole } from '../support/journey-members.ts'

/** A file of the card feed with a meal of an unknown card, and a line that is rejected. */
function feedFile(name: string): Buffer {
  const event = {
    event: 'transaction.clearing',
    transaction: {
      id: `journey-${name}`,
      programId: 'gallonaire',
      amount: '61.00',
      currency: 'USD',
      datetime: '2026-03-10T19:30:00Z',
      created: '2026-03-10T19:30:00Z',
      updated: '2026-03-10T19:30:00Z',
      card: { id: `unknown-${name}`, lastNumbers: '9876' },
      brand: { name },
      location: { id: `place-of-${name}` },
    },
  }
  return Buffer.from(`${JSON.stringify(event)}\nnot json\n`)
}

test('CON-157 CON-158 CON-164 a file is uploaded, and its unmatched meal set aside and put back by keyboard', async ({
  page,
}) => {
  // Not a number: digits alone may look like those of a card.
  const name = `Quay ${Date.now().toString(36)}`
  await openConsole(page)
  await page.goto(at('console', '/gallonaire/feed-files'))
  await page.getByRole('button', { name: 'Upload a file' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'quay.ndjson', mimeType: 'application/x-ndjson', buffer: feedFile(name.replace(' ', '-')) })
  await expect(page.getByText('2 lines read')).toBeVisible()
  await expect(page.getByRole('list', { name: 'The first rejected lines' })).toBeVisible()
  await page.getByRole('button', { name: 'Import it' }).click()
  await expect(page.getByRole('heading', { name: 'quay.ndjson', level: 1 })).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('cell', { name: /not JSON|line 2/i })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.goto(at('console', `/gallonaire/unmatched?q=${name.replace(' ', '-')}`))
  await expect(page.getByText('1 in the queue')).toBeVisible()
  await page.getByRole('heading', { name: 'Unmatched', level: 1 }).focus()
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { name: /^Quay-.*\$61\.00$/ })).toBeVisible()
  await expectNoA11yViolations(page)
  await page.keyboard.press('i')
  await expect(page.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type('A test of the terminal')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('0 in the queue')).toBeVisible()
  await page.goto(at('console', `/gallonaire/unmatched?state=ignored&q=${name.replace(' ', '-')}`))
  await page.getByText('1 in the queue').waitFor()
  await page.keyboard.press('j')
  await expect(page.getByText('A test of the terminal')).toBeVisible()
  await page.keyboard.press('u')
  await expect(page.getByText('It is back in the queue.')).toBeVisible()
  await page.goto(at('console', '/gallonaire/transactions?q=9876'))
  await page.getByRole('region', { name: 'Transactions' }).getByRole('link').first().click()
  await expect(page.getByRole('region', { name: 'Messages of the card network' })).toBeVisible()
  await expectNoA11yViolations(page)
  await page.setViewportSize({ width: 375, height: 740 })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto(at('console', '/gallonaire/reservations'))
  await expect(page.getByRole('heading', { name: 'Reservations', level: 1 })).toBeVisible()
  await expectNoA11yViolations(page)
})
