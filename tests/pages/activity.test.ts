import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { asOwner } from '../support/app.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { findMerchant, insertTransactions, newMemberWithCard, signInBankCustomer } from '../support/page-members.ts'

const app = setUpPages()

type Page = Awaited<ReturnType<typeof openPage>>

/** The first row of the list with a text. */
function rowOf({ screen }: Page, text: string): HTMLElement {
  const row = screen.getAllByRole('listitem').find(({ textContent }) => textContent?.includes(text))
  if (!row) throw new Error(`no row with ${text}`)
  return row
}

const findRow = (page: Page, text: string) => vi.waitFor(() => rowOf(page, text), 20_000)

/** Goes to the statement as members do, from the overview. */
async function openActivity({ user, screen }: Page): Promise<void> {
  const [link] = await screen.findAllByRole('link', { name: 'Reviews & History' })
  await user.click(link as HTMLElement)
  // The overview lists the latest transactions, too.
  await screen.findByRole('link', { name: 'Why didn’t I earn?' })
}

const pathsOf = (page: Page) => page.requests.map(({ path }) => path.split('?')[0] as string)

test('HIST-001 HIST-009 HIST-010 HIST-011 HIST-012 HIST-014 HIST-018 HIST-019 HIST-022 HIST-032 the statement of a plain program shows states and reviews in the specified order', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  const { id: merchantId } = await findMerchant(visitor, 'location=10001')
  await insertTransactions(app, email, [
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
  const page = await openPage(app, 'skyharbor', '/account/overview', { visitor })
  await openActivity(page)
  const status = await vi.waitFor(() => {
    const [first] = page.calls('GET /api/reviews/status')
    expect(first).toBeDefined()
    return first?.path ?? ''
  }, 20_000)
  expect(new URLSearchParams(status.split('?')[1]).getAll('txnId')).toHaveLength(10)
  const called = pathsOf(page)
  expect(called).toContain('/api/Member/Transactions')
  expect(called.indexOf('/api/Member/Transactions')).toBeLessThan(called.indexOf('/api/reviews/status'))
  expect(called).not.toContain('/api/Member/StatementCreditBalance')

  await findRow(page, 'Unfinished Place')
  const row = (name: string) => rowOf(page, name)
  expect(row('Awarded Place')).not.toHaveTextContent(/Pending|Expired|expired/)
  // The states of reviews follow in their own response.
  await vi.waitFor(() => expect(row('Pending Place')).toHaveTextContent('Pending Review'), 20_000)
  expect(row('Old Place')).toHaveTextContent('0 milesReview expired')
  expect(row('Forfeit Place')).toHaveTextContent('Not earned')
  expect(row('Never Place')).toHaveTextContent('Expired')
  expect(row('Refunded Place')).toHaveTextContent('Refunded')
  expect(row('Unfinished Place')).toHaveTextContent('126 milesOpen')
  expect(row('Unfinished Place')).not.toHaveTextContent('Pending Review')
  expect(row('Single Place')).toHaveTextContent('1 mile')
  expect(row('Single Place')).not.toHaveTextContent('1 miles')
  expect(row('Single Place')).toHaveTextContent('$30.00 after a refund of $12.10')
  expect(row('Bonus Place')).toHaveTextContent('Reservation bonus')
  expect(row('Bonus Place')).not.toHaveTextContent('$0.00')
  for (const name of ['Pending Place', 'Forfeit Place', 'Deferred Place']) {
    expect(row(name)).toHaveAttribute('data-dim', 'true')
  }
  expect(row('Awarded Place')).not.toHaveAttribute('data-dim', 'true')
  expect(within(row('Awarded Place')).getByRole('link', { name: 'Awarded Place' })).toHaveAttribute(
    'href',
    `/merchants/${merchantId}`,
  )
  // Reviewable transactions have a review link; others do not.
  const reviews = (name: string) => within(row(name)).queryAllByRole('link', { name: /Review this meal/ })
  for (const name of ['Awarded Place', 'Pending Place']) {
    await vi.waitFor(() => expect(reviews(name)).toHaveLength(1), 20_000)
  }
  // Here no award depends on a review.
  const texts = ['Awarded Place', 'Pending Place'].map((name) => reviews(name)[0]?.textContent)
  expect(texts).toEqual([
    'Review this meal Awarded Place (opens in a new tab)',
    'Review this meal Pending Place (opens in a new tab)',
  ])
  for (const name of ['Old Place', 'Forfeit Place', 'Deferred Place', 'Bonus Place']) {
    expect(reviews(name)).toHaveLength(0)
  }
  // In the order of the page: the banner with its contact, then the list.
  const { screen } = page
  const text = screen.getByRole('main').textContent ?? ''
  expect(text).toContain('Missing a meal after 10 days?')
  expect(text.indexOf('Missing a meal after 10 days?')).toBeLessThan(text.indexOf('Awarded Place'))
  const banner = screen
    .getAllByRole('complementary')
    .find(({ textContent }) => textContent?.includes('Missing a meal')) as HTMLElement
  expect(within(banner).getAllByRole('link')[0]).toHaveAttribute('href', expect.stringMatching(/^tel:/))
})

test('A11Y-002 HIST-005 HIST-006 HIST-007 the list has numbered pages, and changing the page focuses the banner', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  // All in one month.
  const now = new Date()
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15)).toISOString()
  await asOwner(
    app,
    `insert into transactions (partner_id, public_id, network_id, member_id, merchant_name, network_location_id,
       card_last_four, stage, award_status, cleared_cents, benefit, unit, reason, occurred_at, cleared_at)
     select m.partner_id, gen_random_uuid(), gen_random_uuid(), m.id, 'Place ' || n, '', '4242', 'cleared', 'Awarded', 100,
       3, 'mile', '{"code": "sample"}', $2::timestamptz - make_interval(hours => n), now()
     from members m, generate_series(1, 95) n where m.email = $1`,
    [email, day],
  )
  const page = await openPage(app, 'skyharbor', '/account/recent_activity', { visitor })
  const { user, screen } = page
  expect(await screen.findByText('Page 1 of 10')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('Page 2 of 10')).toBeVisible()
  expect(page.address).toMatch(/page=2/)
  expect(await findRow(page, 'Place 11')).toBeVisible()
  const banner = screen.getByRole('link', { name: 'Why didn’t I earn?' }).closest('aside')
  expect(banner).toHaveTextContent('Missing a meal')
  await vi.waitFor(() => expect(banner).toHaveFocus(), 20_000)
  // The next page of a filtered list is filtered, too.
  await user.selectOptions(screen.getByLabelText('Status'), 'Earned')
  expect(await screen.findByText('Page 1 of 10')).toBeVisible()
  // Who chooses it goes on choosing: the focus is where it was.
  expect(await screen.findByLabelText('Status')).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('Page 2 of 10')).toBeVisible()
  expect(page.address).toMatch(/\?status=earned&page=2$/)
  await user.selectOptions(screen.getByLabelText('Period'), day.slice(0, 7))
  expect(await screen.findByText('Page 1 of 10')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('Page 2 of 10')).toBeVisible()
  expect(page.address).toMatch(new RegExp(`\\?status=earned&period=${day.slice(0, 7)}&page=2$`))
  // An address without such a page shows the first one.
  const first = await page.goto('/account/recent_activity?page=-1')
  expect(await first.screen.findByText('Page 1 of 10')).toBeVisible()
  // After the last page, the list says so, and leads back.
  const past = await page.goto('/account/recent_activity?page=99&status=earned')
  expect(await past.screen.findByText('There is no page 99')).toBeVisible()
  expect(past.screen.getByText('Your activity has 10 pages.')).toBeVisible()
  expect(past.screen.queryByText(/Page 99|No meals yet|Nothing matches/)).toBeNull()
  await past.user.click(past.screen.getByRole('link', { name: 'Go to the last page' }))
  expect(await past.screen.findByText('Page 10 of 10')).toBeVisible()
  expect(past.address).toMatch(/\?status=earned&page=10$/)
})

test('HIST-004 ERR-019 without transactions, or when they cannot be loaded, a title, a text and a link to restaurants show', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  let status = 200
  const page = await openPage(app, 'skyharbor', '/account/overview', {
    visitor,
    responder: ({ path }) =>
      status !== 200 && path.startsWith('/api/Member/Transactions?') ? { status, body: '' } : undefined,
  })
  const { user, screen } = page
  for (status of [200, 500]) {
    const [overview] = await screen.findAllByRole('link', { name: 'Account Overview' })
    await user.click(overview as HTMLElement)
    await vi.waitFor(() => expect(page.address).toBe('/account/overview'), 20_000)
    await openActivity(page)
    const title = status === 200 ? 'No meals yet' : 'Your activity could not be loaded'
    expect(await screen.findByRole('heading', { name: title })).toBeVisible()
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Find a restaurant' })).toHaveAttribute(
      'href',
      '/search',
    )
  }
  // A failed load can be retried.
  status = 200
  const before = page.calls('GET /api/Member/Transactions').length
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  // The stream of activity may ask for them too.
  expect(page.calls('GET /api/Member/Transactions').length).toBeGreaterThan(before)
  expect(await screen.findByRole('heading', { name: 'No meals yet' })).toBeVisible()
})

test('HIST-015 HIST-016 HIST-017 HIST-025 HIST-001 the fuel brand’s statement has its own texts and small print', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'gallonaire')
  const cent = { unit: 'cent' }
  await insertTransactions(app, email, [
    { ...cent, merchantName: 'Deferred Place', status: 'Deferred', benefit: 0 },
    { ...cent, merchantName: 'Forfeit Place', status: 'Forfeit', benefit: 0 },
    { ...cent, merchantName: 'Pending Place', status: 'Pending', cleared: false, benefit: 10 },
  ])
  const page = await openPage(app, 'gallonaire', '/account/recent_activity', { visitor })
  expect(await findRow(page, 'Deferred Place')).toHaveTextContent('Not earned')
  expect(rowOf(page, 'Deferred Place')).toHaveTextContent('finalized later. Please allow up to two weeks')
  expect(rowOf(page, 'Forfeit Place')).toHaveTextContent('Not earned, did not qualify')
  expect(rowOf(page, 'Pending Place')).toHaveTextContent('Processing')
  const text = page.screen.getByRole('main').textContent ?? ''
  expect(text).toContain('Pending Place')
  expect(text.indexOf('Pending Place')).toBeLessThan(text.indexOf('Fuel savings finalize after the meal is settled.'))
})

test('HIST-001 HIST-008 HIST-013 HIST-026 HIST-027 HIST-028 HIST-029 HIST-033 API-035 ACCT-021 the bank’s statement has credits, its own states, and a pending balance', async () => {
  const { visitor, email } = await signInBankCustomer(app, 'esme')
  const own = "(select id from members where email = 'esme@beacon.example')"
  const balance = (cents: number) =>
    asOwner(
      app,
      `with j as (insert into journal_entries (partner_id, source, source_id, version, kind, reason)
         values ('beacon', 'test', gen_random_uuid(), 1, 'adjustment', '{}') returning id)
       insert into postings (partner_id, journal_entry_id, account, member_id, unit, amount)
       select 'beacon', j.id, a.account, case when a.account = 'member' then ${own} end, 'cent', a.amount
       from j, (values ('member', $1::bigint), ('program', -$1::bigint)) a (account, amount)`,
      [cents],
    )
  const cent = { unit: 'cent' }
  await insertTransactions(app, email, [
    { ...cent, merchantName: 'Paid Place', status: 'Paid', paid: true, ago: 1, benefit: 500 },
    { ...cent, merchantName: 'Pending Place', status: 'Pending', cleared: false, ago: 2, benefit: 100 },
    { ...cent, merchantName: 'Forfeit Place', status: 'Forfeit', ago: 3, benefit: 0 },
    { ...cent, merchantName: 'Deferred Place', status: 'Deferred', ago: 4, benefit: 0 },
  ])
  await asOwner(
    app,
    `with j as (insert into journal_entries (partner_id, source, source_id, version, kind, reason)
       values ('beacon', 'test', gen_random_uuid(), 1, 'statement-credit', '{"covered": []}') returning id)
     insert into statement_credits (partner_id, public_id, member_id, journal_entry_id, amount_cents, target_type, target_label,
       processor, status) select 'beacon', gen_random_uuid(), ${own}, j.id, 2000, 'card', 'Visa ending in 4242', 'sample',
       'completed' from j`,
  )
  const page = await openPage(app, 'beacon', '/account/overview', { visitor })
  await openActivity(page)
  expect(page.address).toBe('/account/recent_activity')
  expect((await findRow(page, 'Paid Place')).textContent).toMatch(/Paid \d{1,2}\/\d{1,2}\/\d{2}/)
  expect(rowOf(page, 'Pending Place').textContent?.replace('Pending Place', '')).toContain('Pending')
  expect(rowOf(page, 'Forfeit Place')).toHaveTextContent('Not earned')
  expect(rowOf(page, 'Deferred Place')).toHaveTextContent('Being checked')
  const credit = rowOf(page, 'Statement credit')
  expect(credit).toHaveTextContent('$20.00')
  expect(credit).toHaveTextContent('Visa ending in 4242')
  const called = pathsOf(page)
  expect(called).toContain('/api/Member/TransactionsStatementCredits')
  expect(called).not.toContain('/api/Member/Transactions')
  expect(called).not.toContain('/api/reviews/status')
  const findPanel = async ({ screen }: Page) => {
    const heading = await screen.findByRole('heading', { name: 'Your balance' })
    return heading.closest('section') as HTMLElement
  }
  expect(await findPanel(page)).toHaveTextContent('Dine once to begin.')
  const text = page.screen.getByRole('main').textContent ?? ''
  const order = ['Missing a meal', 'Your balance', 'Paid Place'].map((label) => text.indexOf(label))
  expect(order).not.toContain(-1)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  const reload = async () => findPanel(await page.goto('/account/recent_activity'))
  // A refund of an award that was already paid out.
  await balance(-1500)
  const negative = await reload()
  expect(negative).toHaveTextContent('−$15.00')
  expect(negative).toHaveTextContent('The next $15.00 that you earn makes up for it.')
  expect(negative).not.toHaveTextContent('Dine once to begin.')
  await balance(2750)
  const partial = await reload()
  expect(partial).toHaveTextContent('$12.50')
  expect(partial).toHaveTextContent('Amount remaining: $7.50.')
  await balance(750)
  expect(await reload()).toHaveTextContent('Full: your next reward sends it to your statement.')
  await balance(500)
  const full = await reload()
  expect(full).toHaveTextContent('$25.00')
  expect(full).toHaveTextContent('Full: your next reward sends it to your statement.')
})

test('HIST-024 a link to one line of the list opens its reason, and no other', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  await insertTransactions(app, email, [
    { merchantName: 'First Place', ago: 1 },
    { merchantName: 'Second Place', ago: 2 },
  ])
  const { data } = (await visitor.get('/api/Member/Transactions')).json()
  const id = data.find(
    ({ merchantName }: { merchantName: string }) => merchantName === 'Second Place',
  ).sourceTransactionId
  const page = await openPage(app, 'skyharbor', `/account/recent_activity#meal-${id}`, { visitor })
  await findRow(page, 'Second Place')
  const isOpen = (name: string) => rowOf(page, name).querySelector('details')?.open
  await vi.waitFor(() => expect([isOpen('First Place'), isOpen('Second Place')]).toEqual([false, true]), 20_000)
  expect(rowOf(page, 'Second Place').id).toBe(`meal-${id}`)
})
