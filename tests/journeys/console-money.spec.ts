import { createPools } from '../../src/platform/database/db.ts'
import { callApi, expect, findMerchant, further, test } from '../support/journey.ts'
import {
  expectAccessibleInBoth,
  expectConsoleDialog,
  expectConsolePage,
  expectFitsPhone,
  openConsolePage,
} from '../support/journey-console.ts'
import { joinWithCard, openConsole } from '../support/journey-members.ts'
import { ownServer } from '../support/journey-servers.ts'
import { addMember } from '../support/rewards-harness.ts'
import { addUnansweredCredit } from '../support/unanswered-credit.ts'

test('CON-150 CON-159 CON-160 CON-320 CON-321 CON-330 CON-409 a dine is followed from its transaction to the journal', async ({
  page,
  browser,
}) => {
  const member = await (await browser.newContext()).newPage()
  const email = await joinWithCard(member, 'skyharbor')
  const { id, name } = await findMerchant(member, 'location=10001', ({ offers }) => offers[0]?.type === 'Unlimited')
  const [card] = (await callApi(member, '/api/staging/cards')).cards
  const body = { cardId: card.id, merchantId: id, amount: '61.70', event: 'clearing' }
  await callApi(member, '/api/staging/dine', { method: 'POST', body })
  await member.context().close()

  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await openConsolePage(page, '/skyharbor/transactions', 'Transactions')
  await page.getByLabel('Member’s email, number or id').fill(email)
  await expect(page.getByText('1 in all')).toBeVisible()
  await expect(page).toHaveURL(/member=/)
  const today = new Date().toISOString().slice(0, 10)
  await page.goto(`${page.url()}&from=2026-01-01&to=${today}`)
  await expect(page.getByText('1 in all')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clear', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Bill from ($)').fill('61.70')
  await page.getByLabel('Bill to ($)').fill('61.71')
  await expect(page).toHaveURL(/max=61\.71/)
  await expect(page.getByText('1 in all')).toBeVisible()
  await expectAccessibleInBoth(page)

  // Of a list: days and a restaurant are asked for first.
  await page.getByRole('button', { name: 'Calculate again' }).click()
  const ofDays = await expectConsoleDialog(page, 'Calculate again under the current terms')
  await expect(ofDays.getByRole('button', { name: 'Post the differences' })).toBeDisabled()
  await ofDays.getByRole('combobox', { name: 'Restaurant' }).fill(name)
  await page.getByRole('option').first().click()
  await expect(page.getByRole('option')).toHaveCount(0)
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  await expect(ofDays).toBeHidden()
  await expect(page.getByRole('button', { name: 'Calculate again' })).toBeFocused()

  await page.getByRole('region', { name: 'Transactions' }).getByRole('link').first().click()
  await expectConsolePage(page, `${name}, $61.70`)
  await page.getByRole('button', { name: 'Calculate again' }).click()
  const recalculate = await expectConsoleDialog(page, 'Calculate again under the current terms')
  await expect(recalculate.getByText('Nothing differs under the current terms.')).toBeVisible()
  await expect(recalculate.getByRole('button', { name: 'Post the differences' })).toBeDisabled()
  await recalculate.getByRole('button', { name: 'Cancel' }).click()
  await expect(recalculate).toBeHidden()
  await page.getByRole('button', { name: 'Replay its messages' }).click()
  const replay = await expectConsoleDialog(page, 'Replay its messages')
  await expect(replay.getByText('Nothing changes.')).toBeVisible()
  await replay.getByLabel('Reason').fill('A test of the feed')
  await replay.getByRole('button', { name: 'Replay' }).click()
  await expect(page.getByText('Replayed: 0 changed.')).toBeVisible()
  await page.getByRole('region', { name: 'Messages of the card network' }).getByRole('button').first().click()
  await expect(page.getByText('"event": "transaction.clearing"')).toBeVisible()
  await expectAccessibleInBoth(page)

  await page.getByRole('region', { name: 'Journal entries' }).getByRole('link').first().click()
  await expectConsolePage(page, /, entry \d+$/)
  await openConsolePage(page, `/skyharbor/journal?member=${encodeURIComponent(email)}`, 'Journal')
  await expect(page.getByText('1 in all')).toBeVisible()
  await page.getByRole('link', { name: 'Trial balance' }).click()
  await expectConsolePage(page, 'Trial balance')
  await expect(page.getByText('All accounts sum to zero.')).toBeVisible()
  await expectFitsPhone(page)
  await page.setViewportSize({ width: 1280, height: 720 })

  await openConsolePage(page, '/skyharbor/feed-messages', 'Feed messages')
  await page.getByRole('region', { name: 'Feed messages' }).getByRole('link').first().click()
  await expectConsolePage(page, /^Purchase|,/)
  await page.getByRole('button', { name: 'Replay its messages' }).click()
  await expect((await expectConsoleDialog(page, 'Replay its messages')).getByLabel('Reason')).toBeFocused()
})

test('CON-300 CON-301 CON-302 a credit without an answer is asked for again, and canceled', async ({ page }) => {
  const pools = createPools({ url: ownServer().databaseUrl, onError: () => {} })
  const beacon = pools.forPartner('beacon')
  const id = await addUnansweredCredit(beacon, await addMember(beacon))
  await pools.close()
  await openConsole(page)
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await openConsolePage(page, `/beacon/payouts?state=attention&q=${id}`, 'Statement credits')
  await expect(page.getByText('1 in all')).toBeVisible()
  await page.getByRole('region', { name: 'Statement credits' }).getByRole('link').first().click()
  await expectConsolePage(page, 'Statement credit of $21.00')
  await expect(page.getByText('The processor has not answered for days')).toBeVisible()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'It was paid' }).click()
  const paid = await expectConsoleDialog(page, 'This credit was paid')
  await page.keyboard.press('Escape')
  await expect(paid).toBeHidden()
  await page.getByRole('button', { name: 'Cancel it' }).click()
  const cancel = await expectConsoleDialog(page, 'Cancel this credit')
  await expect(cancel.getByText('from $0.00 to $21.00')).toBeVisible()
  await cancel.getByLabel('Reason').fill('The processor wrote to us')
  await cancel.getByRole('button', { name: 'Cancel the credit' }).click()
  await expect(page.getByText('Canceled. The amount is in the balance again.')).toBeVisible()
  await expect(page.getByText('Returned', { exact: true }).first()).toBeVisible()
  // Last, because its answer changes what can be decided.
  await page.getByRole('button', { name: 'Ask the processor again' }).click()
  await expect(page.getByText('The processor is being asked.')).toBeVisible()
  await expectAccessibleInBoth(page)
  await expectFitsPhone(page)
})

test(
  'CON-761 CON-763 without invoices the list says so, and a file of payments is refused in words',
  further,
  async ({ page }) => {
    await openConsole(page)
    await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
    await openConsolePage(page, '/lantern/invoices', 'Invoices')
    await expect(page.getByRole('heading', { name: 'No invoices yet' })).toBeVisible()
    await page.getByRole('button', { name: 'Import payments' }).click()
    const dialog = await expectConsoleDialog(page, 'Import payments')
    const choose = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'paid.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose('what,is,this\n1,2,3\n')
    await expect(dialog.getByText(/column/).last()).toBeVisible()
    await expectAccessibleInBoth(page)
    await choose('invoice,amount,date\nLAN-2026-01-999,10.00,2026-02-01\n')
    await expect(dialog.getByText('0 payments are recorded, $0.00 in all.')).toBeVisible()
    await expect(dialog.getByText('Left out', { exact: true })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Record them' })).toBeDisabled()
    await expectAccessibleInBoth(page)
    await page.setViewportSize({ width: 375, height: 800 })
    await expectAccessibleInBoth(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expectFitsPhone(page)
  },
)
