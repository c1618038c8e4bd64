import { readFile } from 'node:fs/promises'
import { at, callApi, expect, expectNoA11yViolations, findMerchant, further, test } from '../support/journey.ts'
import { insertTransactions, joinWithCard, openConsole, signInBankCustomer } from '../support/journey-members.ts'

test('the statement of a member, with every state, has no axe violation', async ({ page }) => {
  const email = await joinWithCard(page, 'skyharbor')
  const { id: merchantId } = await findMerchant(page, 'location=10001')
  await insertTransactions(email, [
    { merchantName: 'Awarded Place', merchantId, ago: 1 },
    { merchantName: 'Pending Place', ago: 2, status: 'Pending' },
    { merchantName: 'Old Place', ago: 40, status: 'Pending' },
    { merchantName: 'Forfeit Place', ago: 3, status: 'Forfeit', benefit: 0 },
    { merchantName: 'Bonus Place', ago: 5, type: 'B', benefit: 500, cents: 0, code: 'reservationBonus' },
    { merchantName: 'Single Place', ago: 6, benefit: 1, refunded: 12_10 },
    { merchantName: 'Never Place', ago: 8, status: 'Forfeit', benefit: 0, cleared: false, code: 'neverCharged' },
  ])
  await page.goto(at('skyharbor', '/account/recent_activity'))
  await expect(page.getByRole('link', { name: /Review this meal/ }).first()).toBeVisible()
  await expectNoA11yViolations(page)
})

test('the statements of a driver and of a bank’s customer have no axe violation', further, async ({ page }) => {
  const driver = await joinWithCard(page, 'gallonaire')
  await insertTransactions(driver, [
    { unit: 'cent', merchantName: 'Deferred Place', status: 'Deferred', benefit: 0 },
    { unit: 'cent', merchantName: 'Pending Place', status: 'Pending', cleared: false, benefit: 10 },
  ])
  await page.goto(at('gallonaire', '/account/recent_activity'))
  await expect(page.getByText('Pending Place').first()).toBeVisible()
  await expectNoA11yViolations(page)
  const customer = await signInBankCustomer(page, 'esme')
  await insertTransactions(customer, [
    { unit: 'cent', merchantName: 'Paid Place', status: 'Paid', paid: true, ago: 1, benefit: 500 },
    { unit: 'cent', merchantName: 'Forfeit Place', status: 'Forfeit', ago: 3, benefit: 0 },
  ])
  await page.goto(at('beacon', '/account/recent_activity'))
  await expect(page.getByRole('heading', { name: 'Your balance' })).toBeVisible()
  await expect(page.getByText('Paid Place').first()).toBeVisible()
  await expectNoA11yViolations(page)
})

test('HIST-020 HIST-021 HIST-023 a review opens in its own tab, and the transaction shows that it was sent', async ({
  page,
  context,
}) => {
  const email = await joinWithCard(page, 'skyharbor')
  await insertTransactions(email, [{ merchantName: 'Reviewed Place', ago: 1 }])
  await page.goto(at('skyharbor', '/account/recent_activity'))
  const link = page.getByRole('link', { name: /Review this meal/ })
  await expect(link).toHaveAttribute('target', '_blank')
  const opened = context.waitForEvent('page')
  await link.click()
  const form = await opened
  await form.waitForLoadState()
  expect([...new URL(form.url()).searchParams.keys()]).toEqual([
    'date',
    'merchantId',
    'transactionId',
    'familyId',
    'merchantName',
    'settleType',
  ])
  expect(new URL(form.url()).hostname).toBe('forms.localhost')
  await expect(form.getByRole('heading', { name: 'How was Reviewed Place?' })).toBeVisible()
  await form.getByRole('button', { name: 'Send review' }).click()
  await expect(form.getByText('Please answer this question.')).toBeVisible()
  await form.getByLabel(/^5/).check()
  await form.getByLabel(/What should others know/).fill('Worth the trip.')
  await expectNoA11yViolations(form)
  await form.getByRole('button', { name: 'Send review' }).click()
  await expect(form.getByText('Thank you.')).toBeVisible()
  await form.close()
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('Reviewed', { exact: true })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(link).toHaveCount(0)
})

test('HIST-034 HIST-035 the filter is chosen by keyboard, and the filtered list is downloaded as a file', async ({
  page,
}) => {
  const email = await joinWithCard(page, 'skyharbor')
  await insertTransactions(email, [
    { merchantName: 'Earned Place', ago: 1 },
    { merchantName: 'Lost Place', ago: 2, status: 'Forfeit', benefit: 0, code: 'refunded', refunded: 42_10 },
  ])
  await page.goto(at('skyharbor', '/account/recent_activity'))
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Place' })
  await expect(rows).toHaveCount(2)
  await page.getByLabel('Status').focus()
  await page.keyboard.press('N')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Lost Place')
  await expect(page.getByLabel('Status')).toBeFocused()
  await expectNoA11yViolations(page)
  const started = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as CSV' }).click()
  const download = await started
  expect(download.suggestedFilename()).toBe('skyharbor-activity.csv')
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines.slice(1)).toEqual([expect.stringContaining('Lost Place')])
  const month = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 7)
  await page.getByLabel('Period').selectOption(month)
  await expect(page.getByText('Nothing matches here')).toBeVisible()
  await expectNoA11yViolations(page)
})

test.describe('in another time zone than the restaurant’s', () => {
  test.use({ timezoneId: 'Asia/Tokyo' })
  test('SESS-013 a timeline is shown also when it was opened before the script arrived', async ({ page }) => {
    await joinWithCard(page, 'skyharbor')
    const { id: merchantId, name } = await findMerchant(page, 'location=10001')
    const { cards } = await callApi(page, '/api/staging/cards')
    const body = { cardId: cards[0].id, merchantId, amount: '40.00', event: 'auth' }
    await callApi(page, '/api/staging/dine', { method: 'POST', body })
    await page.goto(at('skyharbor', '/account/recent_activity'))
    const row = page.getByRole('listitem').filter({ hasText: name }).first()
    const dined = row.locator('time').first()
    const instant = new Date((await dined.getAttribute('datetime')) ?? '')
    const local = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'America/New_York' }).format(instant)
    await expect(dined).toHaveText(local({ dateStyle: 'medium' }) + local({ timeStyle: 'short' }))
    await row.getByText('Why?').click()
    await expect(row.getByText('How it adds up')).toBeVisible()
    await expectNoA11yViolations(page)
    // Without the fixture's page, which would wait for the script.
    const early = await page.context().newPage()
    const { promise: script, resolve: release } = Promise.withResolvers<void>()
    await early.route('**/assets/entry*.js', async (route) => {
      await script
      await route.continue()
    })
    await early.goto(at('skyharbor', '/account/recent_activity'), { waitUntil: 'domcontentloaded' })
    await early.getByText('Why?').first().click()
    release()
    await expect(early.getByText('How it adds up')).toBeVisible()
  })
})

test.describe('a missing transaction', () => {
  // Where it is another day than in UTC.
  const timezoneId = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati'
  test.use({ tolerated: /status of (400|401|404|422)/, timezoneId })
  test('HIST-024 the days of a missing meal end where the member is, a receipt is a file of the device, and no step has an axe violation', async ({
    page,
  }) => {
    const email = await joinWithCard(page, 'skyharbor')
    await page.goto(at('skyharbor', '/account/missing_meal'))
    await expectNoA11yViolations(page)
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    const find = page.getByRole('button', { name: 'Find out' })
    const localDay = new Date().toLocaleDateString('en-CA', { timeZone: timezoneId })
    expect(localDay).not.toBe(day(0))
    await expect(page.getByLabel('Date')).toHaveAttribute('max', localDay)
    await page.getByLabel('Date').fill(day(11))
    await page.getByRole('combobox', { name: 'Restaurant' }).fill('Nowhere Diner')
    await page.getByLabel(/Bill with tax/).fill('48')
    await find.click()
    await expect(page.locator(':focus')).toContainText('We can’t explain it yet')
    await page.getByLabel(/Receipt/).setInputFiles({
      name: 'receipt.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7 a receipt'),
    })
    await expectNoA11yViolations(page)
    await page.getByRole('button', { name: 'Open a claim' }).click()
    const claim = page.getByRole('listitem').filter({ hasText: '$48.00 at Nowhere Diner' })
    await expect(claim).toContainText('Receipt attached.')
    await insertTransactions(email, [{ merchantName: 'Corner Bistro', cents: 60_00, ago: 2 }])
    await page.getByRole('combobox', { name: 'Restaurant' }).fill('Corner Bistro')
    await page.getByLabel('Date').fill(day(1))
    await page.getByLabel(/Bill with tax/).fill('60')
    await find.click()
    await page.getByRole('button', { name: 'This is a different meal' }).click()
    await expect(page.getByText('Rewards can take up to 10 days to show.')).toBeVisible()
    await expectNoA11yViolations(page)
  })
})

test.describe('one meal', () => {
  test.use({ tolerated: /status of (400|401|404|409)/ })
  test('HIST-024 a meal in the history or in a claim leads there, and an operator sees beside a claim what may be its meal', async ({
    page,
  }) => {
    const email = await joinWithCard(page, 'skyharbor')
    await insertTransactions(email, [{ merchantName: 'Seen Diner', cents: 60_00, ago: 12 }])
    const day = new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10)
    const ask = async (merchant: string, bill: string) => {
      await page.getByLabel('Date').fill(day)
      await page.getByRole('combobox', { name: 'Restaurant' }).fill(merchant)
      await page.getByLabel(/Bill with tax/).fill(bill)
      await page.getByRole('button', { name: 'Find out' }).click()
    }
    await page.goto(at('skyharbor', '/account/missing_meal'))
    await ask('Seen Diner', '60')
    await page.getByRole('link', { name: 'See it in your history' }).click()
    const line = page.getByRole('listitem').filter({ hasText: 'Seen Diner' })
    await expect(line.locator('details')).toHaveAttribute('open')
    await page.goto(at('skyharbor', '/account/missing_meal'))
    await ask('Nowhere Diner', '48')
    const open = page.getByRole('button', { name: 'Open a claim' })
    await open.click()
    await expect(page.getByRole('listitem').filter({ hasText: '$48.00 at Nowhere Diner' })).toBeVisible()
    await ask('Nowhere Diner', '49')
    await expect(page.getByText('You’ve opened a claim for $48.00 at Nowhere Diner')).toBeVisible()
    await expectNoA11yViolations(page)
    await page.getByRole('link', { name: 'See that claim' }).click()
    await expect(page).toHaveURL(/#claim-/)
    await page.getByRole('button', { name: 'This is a different meal' }).click()
    await open.click()
    await expect(page.getByRole('listitem').filter({ hasText: '$49.00 at Nowhere Diner' })).toBeVisible()
    // The payment posts before the operator decides.
    await insertTransactions(email, [{ merchantName: 'Nowhere Diner', cents: 49_00, ago: 12 }])
    const claims = await callApi(page, '/api/Member/Claims')
    await openConsole(page)
    await page.goto(at('console', `/skyharbor/claims/${claims[0]?.id}`))
    await expect(
      page.getByText('This meal has earned: a transaction has the same restaurant, day and amount.'),
    ).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: '$49.00' })).toContainText('This meal')
    await expect(page.getByText('The member says that this was another meal')).toBeVisible()
    await expect(page.getByRole('link', { name: '$48.00 on' })).toBeVisible()
    await expectNoA11yViolations(page)
    await page.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'Credit it' }).click()
    await page.getByRole('button', { name: 'Decide' }).click()
    await expect(page.getByText('A meal like this earns already.')).toBeVisible()
    await page.getByRole('checkbox', { name: /This is another meal/ }).check()
    await page.getByRole('button', { name: 'Decide' }).click()
    await expect(page.getByText('Decided. The member gets an email.')).toBeVisible()
    await page.goto(at('console', `/skyharbor/claims/${claims[0]?.id}?state=decided`))
    await expect(page.getByText(/^Credited 147 miles/)).toBeVisible()
  })
})

test('the page follows what happens while it is shown, and its stream ends when the member leaves it', async ({
  page,
}) => {
  await joinWithCard(page, 'gallonaire')
  await page.addInitScript(() => {
    const streams: EventSource[] = []
    const Native = window.EventSource
    window.EventSource = class extends Native {
      constructor(address: string | URL) {
        super(address)
        streams.push(this)
      }
    }
    Object.assign(window, { streams })
  })
  await page.goto(at('gallonaire', '/account/user_profile'))
  const menu = page.getByRole('navigation', { name: 'Account' })
  const activity = menu.getByRole('link', { name: 'Reviews & History' })
  await activity.click()
  await expect(page).toHaveURL(at('gallonaire', '/account/recent_activity'))
  await menu.getByRole('link', { name: 'Profile' }).click()
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
  await activity.click()
  // 1 is open, 2 is closed. A member has at most three.
  const states = () =>
    page.evaluate(() => (window as unknown as { streams: EventSource[] }).streams.map(({ readyState }) => readyState))
  await expect.poll(states).toEqual([2, 1])
  const { id: merchantId, name } = await findMerchant(page, 'location=10001')
  const { cards } = await callApi(page, '/api/staging/cards')
  const body = { cardId: cards[0].id, merchantId, amount: '40.00', event: 'auth' }
  await callApi(page, '/api/staging/dine', { method: 'POST', body })
  await expect(page.getByRole('listitem').filter({ hasText: name }).first()).toBeVisible()
})
