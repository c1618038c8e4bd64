import { expect, further, test } from '../support/journey.ts'
import {
  expectAccessibleInBoth,
  expectConsoleDialog,
  expectConsolePage,
  expectFitsPhone,
  openConsolePage,
} from '../support/journey-console.ts'
import { openConsole } from '../support/journey-members.ts'

/** A line of the card feed about a card that nobody has linked. */
const lineOf = (name: string, note = '') =>
  `${JSON.stringify({
    event: 'transaction.clearing',
    transaction: {
      id: `journey-${name}`,
      programId: 'lantern',
      amount: '18.00',
      currency: 'USD',
      datetime: '2026-03-10T19:30:00Z',
      created: '2026-03-10T19:30:00Z',
      updated: '2026-03-10T19:30:00Z',
      card: { id: `unknown-${name}`, lastNumbers: '9876' },
      brand: { name: `${name}${note}` },
      location: { id: `place-of-${name}` },
    },
  })}\n`

test(
  'CON-157 CON-158 CON-159 CON-706 a file with a card number is refused, another one imported and replayed',
  further,
  async ({ page }) => {
    const name = `pier-${Date.now().toString(36)}`
    await openConsole(page)
    await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
    await openConsolePage(page, '/lantern/feed-files', 'Feed files')
    await page.getByRole('button', { name: 'Replay a span' }).click()
    const span = await expectConsoleDialog(page, 'Replay a span of time')
    await expect(span.getByRole('button', { name: 'Replay' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(span).toBeHidden()
    await expect(page.getByRole('button', { name: 'Replay a span' })).toBeFocused()

    await page.getByRole('button', { name: 'Upload a file' }).click()
    const upload = await expectConsoleDialog(page, 'Upload a file of the card feed')
    const choose = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: `${name}.ndjson`, mimeType: 'application/x-ndjson', buffer: Buffer.from(text) })
    await choose(lineOf(name, ' 4111 1111 1111 1111'))
    await expect(upload.getByText('The whole file is refused')).toBeVisible()
    await expect(upload.getByRole('button', { name: 'Import it' })).toBeDisabled()
    await expectAccessibleInBoth(page)
    await choose(`${lineOf(name)}not json\n`)
    await expect(upload.getByText('2 lines read')).toBeVisible()
    await expectAccessibleInBoth(page)
    await upload.getByRole('button', { name: 'Import it' }).click()
    await expect(page.getByRole('heading', { name: `${name}.ndjson`, level: 1 })).toBeVisible()
    // A job imports it: until then it cannot be replayed.
    await expect(async () => {
      await page.reload()
      await expect(page.getByRole('button', { name: 'Replay' })).toBeEnabled({ timeout: 1_000 })
    }).toPass()
    await expectConsolePage(page, `${name}.ndjson`)
    await page.getByRole('button', { name: 'Replay' }).click()
    const replay = await expectConsoleDialog(page, `Replay ${name}.ndjson`)
    await replay.getByLabel('Reason').fill('A test of the feed')
    await replay.getByRole('button', { name: 'Replay it' }).click()
    await expect(page.getByText('The file is being imported again.')).toBeVisible()
    await expectFitsPhone(page)
  },
)
