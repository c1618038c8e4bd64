import { readFile } from 'node:fs/promises'
import { asOwner, at, callApi, expect, expectNoA11yViolations, findMerchant, test } from '../support/journey.ts'
import { insertTransactions, joinWithCard, signInBankCustomer } from '../support/journey-members.ts'

test('HIST-001 HIST-009 HIST-010 HIST-011 HIST-012 HIST-014 HIST-018 HIST-019 HIST-022 HIST-032 the statement of a plain program shows states and reviews in the specified order', async ({
  page,
}) => {
  const email = await joinWithCard(page, 'skyharbor')
  const { id: merchantId } = await findMerchant(page, 'location=10001')
  await insertTransactions(email, [
    { merchantName: 'Awarded Place', merchantId, ago: 1 },
    { merchantName: 'Pending Place', ago: 2, status: 'Pending' },
    { merchantName: 'Old Place', ago: 40, status: 'Pending' },
    { merchantName: 'Forfeit Place', ago: 3, status: 'Forfeit', benefit: 0 },
    { merchantName: 'Deferred Place', ago: 4, status: 'Deferred', benefit: 0 },
    { merchantName: 'Bonus Place', ago: 5, type: 'B', benefit: 500, cents: 0, code: 'reservationBonus' },
    { merchantName: 'Single Place', ago: 6, benefit: 1, refunded: 12_10 },
    { merchantName: 'Refunded Place', ago: 7, status: 'Forfeit', benefit: 0, refunded: 42_10, code: 'refunded' },
    { merchantName: 'Never Place', ago: 8, status: 'Forfeit', benefit: 0, cleared: false, code: 'neverCharged' },
    { merchantName: 'Unfinished Place', ago: 9, status: 'Pending', cleared: false },
  ])
  const called: string[] = []
  page.on('request', (request) => called.push(new URL(request.url()).pathname))
  await page.goto(at('skyharbor', '/account/overview'))
  const status = page.waitForRequest('**/api/reviews/status?*')
  await page.getByRole('link', { name: 'Reviews & History' }).first().click()
  const transactionIds = new URL((await status).url()).searchParams.getAll('txnId')
  expect(transactionIds).toHaveLength(10)
  expect(called.indexOf('/api/Member/Transactions')).toBeLessThan(called.indexOf('/api/reviews/status'))
  expect(called).not.toContain('/api/Member/StatementCreditBalance')

  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await expect(row('Awarded Place')).not.toContainText(/Pending|Expired|expired/)
  await expect(row('Pending Place')).toContainText('Pending Review')
  await expect(row('Old Place')).toContainText('Review expired')
  await expect(row('Forfeit Place')).toContainText('Not earned')
  await expect(row('Never Place')).toContainText('Expired')
  await expect(row('Refunded Place')).toContainText('Refunded')
  await expect(row('Unfinished Place')).toContainText('126 milesOpen')
  await expect(row('Unfinished Place')).not.toContainText('Pending Review')
  await expect(row('Single Place')).toContainText('1 mile')
  await expect(row('Single Place')).not.toContainText('1 miles')
  await expect(row('Single Place')).toContainText('$30.00 after a refund of $12.10')
  await expect(row('Bonus Place')).toContainText('Reservation bonus')
  await expect(row('Bonus Place')).not.toContainText('$0.00')
  for (const name of ['Pending Place', 'Forfeit Place', 'Deferred Place']) {
    await expect(row(name)).toHaveAttribute('data-dim', 'true')
  }
  await expect(row('Awarded Place')).not.toHaveAttribute('data-dim', 'true')
  await expect(row('Awarded Place').getByRole('link', { name: 'Awarded Place', exact: true })).toHaveAttribute(
    'href',
    `/merchants/${merchantId}`,
  )
  // Reviewable transactions have a review link; others do not.
  const review = (name: string) => row(name).getByRole('link', { name: /Review this meal/ })
  for (const name of ['Awarded Place', 'Pending Place']) await expect(review(name)).toBeVisible()
  for (const name of ['Old Place', 'Forfeit Place', 'Deferred Place', 'Bonus Place']) {
    await expect(review(name)).toHaveCount(0)
  }
  // In the order of the page: the banner with its contact, then the list.
  const text = (await page.getByRole('main').textContent()) ?? ''
  expect(text.indexOf('Missing a meal after 10 days?')).toBeLessThan(text.indexOf('Awarded Place'))
  await expect(
    page.getByRole('complementary').filter({ hasText: 'Missing a meal' }).getByRole('link').first(),
  ).toHaveAttribute('href', /^tel:/)
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

test('HIST-034 HIST-035 the list is filtered by status and month, stores the filter in its address, and is downloaded as shown', async ({
  page,
}) => {
  const email = await joinWithCard(page, 'skyharbor')
  await insertTransactions(email, [
    { merchantName: 'Earned Place', ago: 1 },
    { merchantName: 'Lost Place', ago: 2, status: 'Forfeit', benefit: 0, code: 'refunded', refunded: 42_10 },
    { merchantName: 'Old Place', ago: 100 },
  ])
  await page.goto(at('skyharbor', '/account/overview'))
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Reviews & History' }).click()
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Place' })
  await expect(rows).toHaveCount(3)
  await page.getByLabel('Status').focus()
  await page.keyboard.press('N')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Lost Place')
  await expect(page).toHaveURL(/\?status=notEarned$/)
  await expect(page.getByLabel('Status')).toBeFocused()
  await expect(page.getByText('The list shows: Not earned, Last 12 months.')).toBeAttached()
  const month = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 7)
  await page.getByLabel('Period').selectOption(month)
  await expect(page.getByText('Nothing matches here')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download as CSV' })).toHaveCount(0)
  await expectNoA11yViolations(page)
  await page.getByLabel('Status').selectOption('Earned')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Old Place')
  await page.reload()
  await expect(page.getByLabel('Period')).toHaveValue(month)
  await expect(rows).toHaveCount(1)
  await page.getByLabel('Status').selectOption('All')
  await page.getByLabel('Period').selectOption('Last 12 months')
  await expect(rows).toHaveCount(3)
  await page.getByLabel('Status').selectOption('Not earned')
  await expect(rows).toHaveCount(1)
  // The choices are one entry of the history.
  await page.goBack()
  await expect(page).toHaveURL(at('skyharbor', '/account/overview'))
  await page.goForward()
  await expect(rows).toHaveCount(1)
  const started = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as CSV' }).click()
  const download = await started
  expect(download.suggestedFilename()).toBe('skyharbor-activity.csv')
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines[0]).toBe(
    'Date,Time,Description,Details,Amount in dollars,Refunded in dollars,Card ending in,Reward,Unit,Status',
  )
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\d,,Lost Place,,42\.1,42\.1,4242,0,miles,Refunded$/),
  ])
  await expectNoA11yViolations(page)
})

test('A11Y-002 HIST-005 HIST-006 HIST-007 the list has numbered pages, and changing the page focuses the banner', async ({
  page,
}) => {
  const email = await joinWithCard(page, 'skyharbor')
  await asOwner(
    `insert into transactions (partner_id, public_id, network_id, member_id, merchant_name, network_location_id,
       card_last_four, stage, award_status, cleared_cents, benefit, unit, reason, occurred_at, cleared_at)
     select m.partner_id, gen_random_uuid(), gen_random_uuid(), m.id, 'Place ' || n, '', '4242', 'cleared', 'Awarded', 100,
       3, 'mile', '{"code": "sample"}', now() - make_interval(hours => n), now()
     from members m, generate_series(1, 95) n where m.email = $1`,
    [email],
  )
  await page.goto(at('skyharbor', '/account/recent_activity'))
  await expect(page.getByText('Page 1 of 10')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Page 2 of 10')).toBeVisible()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByText('Place 11', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Missing a meal')
  // The next page of a filtered list is filtered, too.
  await page.getByLabel('Status').selectOption('Earned')
  await expect(page.getByText('Page 1 of 10')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Page 2 of 10')).toBeVisible()
  await expect(page).toHaveURL(/\?status=earned&page=2$/)
})

test.describe('an empty statement', () => {
  test.use({ tolerated: /status of (401|404|422|500)/ })
  test('HIST-004 ERR-019 without transactions, or when they cannot be loaded, a title, a text and a link to restaurants show', async ({
    page,
  }) => {
    await joinWithCard(page, 'skyharbor')
    await page.goto(at('skyharbor', '/account/overview'))
    // The activity stream would refresh by itself when it opens, and remove the button.
    await page.route('**/api/Member/Activity/Stream', (route) => route.fulfill({ status: 204 }))
    let status = 200
    await page.route('**/api/Member/Transactions?*', (route) =>
      status === 200 ? route.continue() : route.fulfill({ status, body: '' }),
    )
    for (status of [200, 500]) {
      await page.getByRole('link', { name: 'Account Overview' }).first().click()
      await page.getByRole('link', { name: 'Reviews & History' }).first().click()
      const title = status === 200 ? 'No meals yet' : 'Your activity could not be loaded'
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: 'Find a restaurant' })).toHaveAttribute(
        'href',
        '/search',
      )
    }
    // A failed load can be retried.
    status = 200
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'No meals yet' })).toBeVisible()
  })
})

test('HIST-015 HIST-016 HIST-017 HIST-025 HIST-001 the fuel brand’s statement has its own texts and small print', async ({
  page,
}) => {
  const email = await joinWithCard(page, 'gallonaire')
  const cent = { unit: 'cent' }
  await insertTransactions(email, [
    { ...cent, merchantName: 'Deferred Place', status: 'Deferred', benefit: 0 },
    { ...cent, merchantName: 'Forfeit Place', status: 'Forfeit', benefit: 0 },
    { ...cent, merchantName: 'Pending Place', status: 'Pending', cleared: false, benefit: 10 },
  ])
  await page.goto(at('gallonaire', '/account/recent_activity'))
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await expect(row('Deferred Place')).toContainText('Not earned')
  await expect(row('Deferred Place')).toContainText('finalized later. Please allow up to two weeks')
  await expect(row('Forfeit Place')).toContainText('Not earned, did not qualify')
  await expect(row('Pending Place')).toContainText('Processing')
  const text = (await page.getByRole('main').textContent()) ?? ''
  expect(text.indexOf('Pending Place')).toBeLessThan(text.indexOf('Fuel savings finalize after the meal is settled.'))
  await expectNoA11yViolations(page)
})

test('HIST-001 HIST-008 HIST-013 HIST-026 HIST-027 HIST-028 HIST-029 HIST-033 API-035 ACCT-021 the bank’s statement has credits, its own states, and a pending balance', async ({
  page,
}) => {
  const email = await signInBankCustomer(page, 'esme')
  const own = "(select id from members where email = 'esme@beacon.example')"
  await asOwner(`delete from statement_credits where member_id = ${own}`)
  await asOwner(`delete from postings where member_id = ${own}`)
  await asOwner(`delete from transactions where member_id = ${own}`)
  const balance = (cents: number) =>
    asOwner(
      `with j as (insert into journal_entries (partner_id, source, source_id, version, kind, reason)
         values ('beacon', 'test', gen_random_uuid(), 1, 'adjustment', '{}') returning id)
       insert into postings (partner_id, journal_entry_id, account, member_id, unit, amount)
       select 'beacon', j.id, a.account, case when a.account = 'member' then ${own} end, 'cent', a.amount
       from j, (values ('member', $1::bigint), ('program', -$1::bigint)) a (account, amount)`,
      [cents],
    )
  const cent = { unit: 'cent' }
  await insertTransactions(email, [
    { ...cent, merchantName: 'Paid Place', status: 'Paid', paid: true, ago: 1, benefit: 500 },
    { ...cent, merchantName: 'Pending Place', status: 'Pending', cleared: false, ago: 2, benefit: 100 },
    { ...cent, merchantName: 'Forfeit Place', status: 'Forfeit', ago: 3, benefit: 0 },
    { ...cent, merchantName: 'Deferred Place', status: 'Deferred', ago: 4, benefit: 0 },
  ])
  await asOwner(
    `with j as (insert into journal_entries (partner_id, source, source_id, version, kind, reason)
       values ('beacon', 'test', gen_random_uuid(), 1, 'statement-credit', '{"covered": []}') returning id)
     insert into statement_credits (partner_id, public_id, member_id, journal_entry_id, amount_cents, target_type, target_label,
       processor, status) select 'beacon', gen_random_uuid(), ${own}, j.id, 2000, 'card', 'Visa ending in 4242', 'sample',
       'completed' from j`,
  )
  const called: string[] = []
  page.on('request', (request) => called.push(new URL(request.url()).pathname))
  await page.goto(at('beacon', '/account/overview'))
  await page.getByRole('link', { name: 'Reviews & History' }).first().click()
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await expect(row('Paid Place')).toContainText(/Paid \d{1,2}\/\d{1,2}\/\d{2}/)
  await expect(row('Pending Place')).toContainText('Pending')
  await expect(row('Forfeit Place')).toContainText('Not earned')
  await expect(row('Deferred Place')).toContainText('Being checked')
  const credit = row('Statement credit')
  await expect(credit).toContainText('$20.00')
  await expect(credit).toContainText('Visa ending in 4242')
  expect(called).toContain('/api/Member/TransactionsStatementCredits')
  expect(called).not.toContain('/api/Member/Transactions')
  expect(called).not.toContain('/api/reviews/status')
  const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Your balance' }) })
  await expect(panel).toContainText('Dine once to begin.')
  const text = (await page.getByRole('main').textContent()) ?? ''
  const order = ['Missing a meal', 'Your balance', 'Paid Place'].map((label) => text.indexOf(label))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  await expectNoA11yViolations(page)
  // A refund of an award that was already paid out.
  await balance(-1500)
  await page.reload()
  await expect(panel).toContainText('−$15.00')
  await expect(panel).toContainText('The next $15.00 that you earn makes up for it.')
  await expect(panel).not.toContainText('Dine once to begin.')
  await balance(2750)
  await page.reload()
  await expect(panel).toContainText('$12.50')
  await expect(panel).toContainText('Amount remaining: $7.50.')
  await balance(750)
  await page.reload()
  await expect(panel).toContainText('Full: your statement credit is on its way.')
  await balance(500)
  await page.reload()
  await expect(panel).toContainText('$25.00')
  await expect(panel).toContainText('Full: your statement credit is on its way.')
})

test.describe('in another time zone than the restaurant’s', () => {
  test.use({ timezoneId: 'Asia/Tokyo' })
  test('SESS-013 a transaction shows the restaurant’s local time and opens its timeline', async ({ page }) => {
    const email = await joinWithCard(page, 'skyharbor')
    const { id: merchantId, name } = await findMerchant(page, 'location=10001')
    const { cards } = await callApi(page, '/api/staging/cards')
    expect(email).toContain('@')
    const body = { cardId: cards[0].id, merchantId, amount: '40.00', event: 'auth' }
    const { transactionId } = await callApi(page, '/api/staging/dine', { method: 'POST', body })
    const clearing = { ...body, amount: '46.00', event: 'clearing', transactionId }
    await callApi(page, '/api/staging/dine', { method: 'POST', body: clearing })
    await page.goto(at('skyharbor', '/account/recent_activity'))
    const row = page.getByRole('listitem').filter({ hasText: name }).first()
    await row.getByText('Why?').click()
    await expect(row.getByText(`Card ending in 4242 used at ${name}: $40.00`)).toBeVisible()
    await expect(row.getByText('Charged: $46.00, $6.00 more than first authorized (the tip)')).toBeVisible()
    await expect(row.getByText('How it adds up')).toBeVisible()
    // Times in the timeline use the same time zone as the row.
    const local = (at: string | null, options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'America/New_York' }).format(new Date(at ?? ''))
    const seen = row.locator('ol time').first()
    const seenAt = await seen.getAttribute('datetime')
    await expect(seen).toHaveText(local(seenAt, { dateStyle: 'medium', timeStyle: 'short' }))
    const dined = row.locator('time').first()
    const dinedAt = await dined.getAttribute('datetime')
    await expect(dined).toHaveText(local(dinedAt, { dateStyle: 'medium' }) + local(dinedAt, { timeStyle: 'short' }))
    await expectNoA11yViolations(page)
    // Also when it was opened before the script arrived, for which the fixture's page would wait.
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
    // Without a session it leads to sign in, and back to the same part of the list.
    const filtered = '/account/recent_activity?status=earned'
    await page.goto(at('skyharbor', filtered))
    await expect(row.getByText('Why?')).toBeVisible()
    await page.context().clearCookies()
    // Another request of the page may lead there before.
    await row.getByText('Why?').evaluateAll(([why]) => (why as HTMLElement | undefined)?.click())
    await expect(page).toHaveURL(at('skyharbor', `/login?returnTo=${encodeURIComponent(filtered)}`))
  })
})

test.describe('a missing transaction', () => {
  // Where it is another day than in UTC.
  const timezoneId = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati'
  test.use({ tolerated: /status of (400|401|404|422)/, timezoneId })
  test('HIST-024 a member who misses a transaction gets the reason at once, or else can open a claim', async ({
    page,
  }) => {
    const email = await joinWithCard(page, 'skyharbor')
    await page.goto(at('skyharbor', '/account/recent_activity'))
    await page.getByRole('link', { name: 'Why didn’t I earn?' }).click()
    await expect(page).toHaveURL(at('skyharbor', '/account/missing_meal'))
    await expectNoA11yViolations(page)
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    const find = page.getByRole('button', { name: 'Find out' })
    const localDay = new Date().toLocaleDateString('en-CA', { timeZone: timezoneId })
    expect(localDay).not.toBe(day(0))
    await expect(page.getByLabel('Date')).toHaveAttribute('max', localDay)
    await find.click()
    await expect(
      page
        .getByText('Please check this field.')
        .or(page.getByText(/required|check/i))
        .first(),
    ).toBeVisible()
    await page.getByLabel('Date').fill(day(10))
    await page.getByRole('combobox', { name: 'Restaurant' }).fill('Nowhere Diner')
    await page.getByLabel(/Bill with tax/).fill('48')
    await find.click()
    await expect(page.getByText('It may still be on its way')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open a claim' })).toHaveCount(0)
    await page.getByLabel('Date').fill(day(11))
    // An explanation that arrives after the amount was changed opens no claim about the previous amount.
    const { promise: changed, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/Member/MissingMeals*', async (route) => {
      await changed
      await route.continue()
    })
    await page.getByLabel(/Bill with tax/).fill('12')
    await find.click()
    await expect(page.getByText('Looking…')).toBeVisible()
    await page.getByLabel(/Bill with tax/).fill('48')
    release()
    await expect(find).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open a claim' })).toHaveCount(0)
    await find.click()
    const unexplained = page.getByRole('status').filter({ hasText: 'We can’t explain it yet' })
    await expect(unexplained).toBeFocused()
    await page.getByLabel('Anything we should know').fill('Table by the window.')
    await page
      .getByLabel(/Receipt/)
      .setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
    await page.getByRole('button', { name: 'Open a claim' }).click()
    await expect(page.getByText('Choose a photo (JPEG, PNG or WebP) or a PDF.')).toBeVisible()
    await page.getByLabel(/Receipt/).setInputFiles({
      name: 'receipt.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7 a receipt'),
    })
    await expectNoA11yViolations(page)
    await page.getByRole('button', { name: 'Open a claim' }).click()
    const opened = page.getByText(/^Your claim is open\. We’ll answer by /)
    await expect(opened).toBeVisible()
    const claim = page.getByRole('listitem').filter({ hasText: '$48.00 at Nowhere Diner' })
    await expect(claim).toContainText('Receipt attached.')
    const by = (text: string | null) => Date.parse(text?.match(/answer by (\w+ \d+, \d+)/)?.[1] ?? '')
    expect(by(await claim.textContent())).toBe(by(await opened.textContent()))
    await find.click()
    await expect(page.getByText('You’ve already asked our team')).toBeVisible()
    // A similar meal of the day before is in the history: the member can say that it is another one.
    await insertTransactions(email, [{ merchantName: 'Corner Bistro', cents: 48_00, ago: 12 }])
    await page.getByRole('combobox', { name: 'Restaurant' }).fill('Corner Bistro')
    await find.click()
    await expect(page.getByText('We found this meal')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open a claim' })).toHaveCount(0)
    await page.getByRole('button', { name: 'This is a different meal' }).click()
    await page.getByRole('button', { name: 'Open a claim' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: '$48.00 at Corner Bistro' })).toBeVisible()
    // A meal that can still be reported is waited for.
    await insertTransactions(email, [{ merchantName: 'Corner Bistro', cents: 60_00, ago: 2 }])
    await page.getByLabel('Date').fill(day(1))
    await page.getByLabel(/Bill with tax/).fill('60')
    await find.click()
    await page.getByRole('button', { name: 'This is a different meal' }).click()
    await expect(page.getByText('Rewards can take up to 10 days to show.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open a claim' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Open a claim' })).toHaveCount(0)
    await expectNoA11yViolations(page)
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
