import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { asOwner } from '../support/app.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { insertTransactions, newMemberWithCard, signInBankCustomer } from '../support/page-members.ts'

const app = setUpPages()

const year = new Date().getUTCFullYear()
const overview = '/account/overview'

test('ACCT-001 ACCT-002 ACCT-003 the account has its pages, each with a title; any other address leads to the overview', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  for (const path of ['/account', '/account/nothing', '/account/overview/deeper']) {
    const page = await openPage(app, 'skyharbor', path, { visitor })
    await vi.waitFor(() => expect([path, page.address]).toEqual([path, overview]), 20_000)
  }
  const titles = {
    overview: 'Account Overview',
    recent_activity: 'Reviews & History',
    manage_cards: 'Linked Cards',
    user_profile: 'Profile',
  }
  for (const [path, title] of Object.entries(titles)) {
    await openPage(app, 'skyharbor', `/account/${path}`, { visitor })
    await vi.waitFor(() => expect(document.title).toMatch(new RegExp(`^${title}.*Skyharbor`)), 20_000)
  }
})

test('ACCT-004 ACCT-011 CARDM-016 each tier has its text and its rate, and miles are a plain number', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  await insertTransactions(app, email, [{ merchantName: 'Corner Bistro', ago: 0.1, benefit: 1234 }])
  const tiers = { OptedOut: 'Member', OptedIn: 'Select member', VIP: 'VIP member' }
  const rates: (string | null)[] = []
  for (const [tier, text] of Object.entries(tiers)) {
    await asOwner(app, 'update members set tier_level = $2 where email = $1', [email, tier])
    const { screen } = await openPage(app, 'skyharbor', overview, { visitor })
    const heading = await screen.findByRole('heading', { name: 'Your status' })
    const summary = heading.closest('section') as HTMLElement
    expect(summary).toHaveTextContent(text)
    rates.push(within(summary).getByText(/^You earn/).textContent)
    expect(screen.getByText('1,234')).toBeVisible()
    expect(screen.getByText(`miles in ${year}`)).toBeVisible()
  }
  expect(new Set(rates).size).toBe(3)
})

test('CON-754 a tier that was given until a day is shown with its last day and its rate', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  await asOwner(
    app,
    `insert into tier_grants (partner_id, public_id, member_id, tier_level, given_at, given_by, last_day)
     select partner_id, gen_random_uuid(), id, 'VIP', now() - interval '1 day', 'Ada', '2199-05-06' from members where email = $1`,
    [email],
  )
  const { screen } = await openPage(app, 'skyharbor', overview, { visitor })
  const summary = (await screen.findByRole('heading', { name: 'Your status' })).closest('section') as HTMLElement
  expect(summary).toHaveTextContent('VIP member')
  expect(summary).toHaveTextContent(/Yours until May 6, 2199, with our compliments\./)
  expect(summary).toHaveTextContent('5 miles')
})

test('ACCT-006 ACCT-007 ACCT-008 the progress to VIP is a meter with a text, and a member who has reached it sees no text', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  const insertDines = (name: string, length: number) =>
    insertTransactions(
      app,
      email,
      Array.from({ length }, (_, index) => ({ merchantName: `${name} ${index}`, ago: 0.05, benefit: 10 })),
    )
  await insertDines('Place', 7)
  let page = await openPage(app, 'skyharbor', overview, { visitor })
  expect(await page.screen.findByText(`7 of 11 visits made toward VIP ${year}`)).toBeVisible()
  expect(page.screen.queryAllByText('4 dines away from VIP')).toHaveLength(1)
  expect(page.screen.getAllByText('Why?')).toHaveLength(3)
  await insertDines('Third', 3)
  page = await page.goto(overview)
  expect(await page.screen.findByText('One dine away from VIP')).toBeVisible()
  await insertDines('Other', 2)
  page = await page.goto(overview)
  expect(await page.screen.findByText(`11 of 11 visits made toward VIP ${year + 1}`)).toBeVisible()
  expect(page.screen.queryByText(/away from VIP/)).toBeNull()
  expect(page.screen.queryByText(/It begins tomorrow/)).toBeNull()
  await asOwner(
    app,
    "update members set vip_from = (now() at time zone 'UTC')::date + 1, vip_until = '2099-12-31' where email = $1",
    [email],
  )
  page = await page.goto(overview)
  expect(await page.screen.findByText(/^You have reached VIP\. It begins tomorrow, \w+ \d+\.$/)).toBeVisible()
})

test('ACCT-009 a fuel program shows the discount per gallon and no meter', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'gallonaire')
  await insertTransactions(app, email, [{ merchantName: 'Corner Bistro', ago: 0.1, benefit: 30, unit: 'cent' }])
  const { screen } = await openPage(app, 'gallonaire', overview, { visitor })
  expect((await screen.findAllByText('30¢ per gallon'))[0]).toBeVisible()
  expect(screen.getByText(`fuel savings in ${year}`)).toBeVisible()
  expect(screen.queryByText(/away from VIP/)).toBeNull()
})

test('ACCT-005 ACCT-008 ACCT-009 ACCT-010 ACCT-021 the bank hides its rates, shows the year from the dine summary, and counts dollars to VIP', async () => {
  const { visitor, email } = await signInBankCustomer(app, 'bo')
  await insertTransactions(app, email, [
    { merchantName: 'Corner Bistro', ago: 0.1, cents: 474_50, benefit: 1423, unit: 'cent' },
  ])
  const page = await openPage(app, 'beacon', '/account/recent_activity', { visitor })
  const { user, screen } = page
  expect(await screen.findByRole('heading', { name: 'Your balance' })).toBeVisible()
  expect(page.calls('GET /api/Member/DineSummary')).toEqual([])
  const account = within(screen.getByRole('navigation', { name: 'Account' }))
  await user.click(account.getByRole('link', { name: 'Account Overview' }))
  expect(await screen.findByText('$25.50 away from VIP')).toBeVisible()
  expect(page.calls('GET /api/Member/DineSummary')).toHaveLength(1)
  expect(screen.getAllByText('$14.23')[0]).toBeVisible()
  expect(screen.getByText(/^\$474\.50 of \$500\.00 spent toward VIP \d{4}$/)).toBeVisible()
  expect(screen.queryByText(/visits made toward VIP/)).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Your status' })).toBeNull()
})
