import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { asOwner, visit } from '../support/app.ts'
import { send } from '../support/http.ts'
import { linkCard, newMember } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { failureToast } from '../support/page-forms.ts'

const app = setUpPages()

test('ROUTE-023 GEN-003 the staging tools switch member, clock, feature flag and program', async () => {
  const visitor = visit(app, 'skyharbor')
  let page = await openPage(app, 'skyharbor', '/staging-tools', { visitor })
  await page.user.click(page.screen.getByRole('link', { name: 'Program states' }))
  await page.screen.findByRole('heading', { level: 1, name: 'Program states' })
  await page.user.selectOptions(page.screen.getByLabelText('State'), 'Closed account')
  await page.user.click(page.screen.getByRole('button', { name: 'Make a member' }))
  await page.screen.findByText(/^Made: closed-[\w-]+@staging\.example, password /)
  const [become] = await page.screen.findAllByRole('button', { name: /^Sign in as this member ?closed-/ })
  await page.user.click(become as HTMLElement)
  const closedAccount = (await page.follow()).screen
  expect(await closedAccount.findByRole('heading', { level: 1 })).toBeVisible()
  expect(closedAccount.queryByRole('contentinfo')).toBeNull()
  await visitor.get('/SignOut')

  page = await page.goto('/staging-tools/states')
  try {
    await page.user.click(page.screen.getByRole('button', { name: '+366 days' }))
    const year = new Date(Date.now() + 366 * 86_400_000).getUTCFullYear()
    await page.screen.findByText(new RegExp(`^The clock is set: ${year}-`))
  } finally {
    // A click has no effect while the one before is under way.
    await vi.waitFor(async () => {
      await page.user.click(page.screen.getByRole('button', { name: 'Real time' }))
      await page.screen.findByText(/^Real time: /, {}, { timeout: 2_000 })
    }, 20_000)
  }

  // The tools stay available while the site is closed: otherwise it could not be opened again.
  const closed = () => page.screen.getByLabelText('authFlags: siteMaintenance')
  const statusOf = async (path: string) => (await visitor.get(path, { accept: 'text/html' })).status
  await page.user.click(closed())
  await vi.waitFor(() => expect(closed()).toBeChecked(), 20_000)
  try {
    await vi.waitFor(async () => expect(await statusOf('/earn')).toBe(503), 20_000)
    expect(await statusOf('/staging-tools/states')).toBe(200)
  } finally {
    page = await page.goto('/staging-tools/states')
    expect(closed()).toBeChecked()
    await page.user.click(closed())
    await vi.waitFor(() => expect(closed()).not.toBeChecked(), 20_000)
  }
  await vi.waitFor(async () => expect(await statusOf('/earn')).toBe(200), 20_000)

  const code = page.screen.getByLabelText(/^Program code/)
  await page.user.clear(code)
  await page.user.type(code, 'lantern')
  await page.user.click(page.screen.getByRole('button', { name: 'Open this program' }))
  const { left } = page
  expect(left).toBe('/staging-tools/states?partner=lantern')
  const at = (partner: string, path: string) => `http://${partner}.localhost:${app.port}${path}`
  const { headers } = await visitor.get(String(left))
  expect(headers.location).toBe(at('lantern', '/staging-tools/states'))
  const gallery = await send({ port: app.port, host: 'localhost', path: '/?partner=orchard' })
  expect([gallery.status, gallery.headers.location]).toEqual([302, at('orchard', '/')])
})

test('ACT-001 ACT-003 ACT-004 ACT-005 ACT-012 a partner’s file is loaded, and its member activates', async () => {
  const email = `enrolled-${Date.now()}@example.com`
  const visitor = visit(app, 'skyharbor')
  let page = await openPage(app, 'skyharbor', '/staging-tools/states', { visitor })
  const line = { email, firstName: 'Grace', lastName: 'Hopper', zipCode: '10001', emailOptIn: true }
  const file = new File([`${JSON.stringify(line)}\nnot json\n`], 'members.ndjson', { type: 'application/x-ndjson' })
  await page.user.upload(page.screen.getByLabelText('File'), file)
  await page.screen.findByText('Line 2: The line is not JSON.')
  await page.user.click(page.screen.getByRole('link', { name: email }))
  page = await page.follow()
  const main = within(page.screen.getByRole('main'))
  await page.user.click(await main.findByRole('button', { name: 'Activate my account' }))
  const address = () => window.location.pathname + window.location.search
  await vi.waitFor(() => expect(address()).toMatch(/^\/activate\/activated\?publicId=/), 20_000)
  const [member] = await asOwner(app, 'select tier_level, active from members where email = $1', [email])
  expect(member).toEqual({ tier_level: 'OptedIn', active: true })

  for (const [state, email, destination] of [
    ['Activated, no web profile', 'withoutwebprofile-', '/join?rfr=2'],
    ['Joined, no card yet', 'withoutcard-', '/login?rfr=3'],
    ['Not active, with a web profile', 'inactive-', '/login?rfr=4'],
  ] as const) {
    page = await page.goto('/staging-tools/states')
    await page.user.selectOptions(page.screen.getByLabelText('State'), state)
    await page.user.click(page.screen.getByRole('button', { name: 'Make a member' }))
    await page.screen.findByText(/^Made: /)
    const { screen } = page
    const item = await vi.waitFor(() => {
      const found = screen.getAllByRole('listitem').find(({ textContent }) => textContent.includes(email))
      if (!found) throw new Error('no member yet')
      return within(found)
    }, 20_000)
    await page.user.click(item.getAllByRole('link')[0] as HTMLElement)
    page = await page.follow()
    await vi.waitFor(() => expect(address()).toBe(destination), 20_000)
  }
})

test('a clearing and a refund belong to the transaction that was authorized before', async () => {
  const member = await newMember(app)
  await linkCard(app, member)
  await asOwner(
    app,
    `update cards set linked_at = linked_at - interval '400 days'
     where member_id = (select id from members where public_id = $1)`,
    [member.publicId],
  )
  const [card] = await asOwner<{ id: string }>(
    app,
    'select c.public_id as id from cards c join members m on m.id = c.member_id where m.public_id = $1',
    [member.publicId],
  )
  // A page of a restaurant can lead to the form of a meal there.
  const address = '/staging-tools?merchant=a-restaurant'
  const { user, screen } = await openPage(app, 'skyharbor', address, { visitor: member.visitor, tolerated: /400/ })
  const merchant = screen.getByLabelText(/^Restaurant/)
  expect(merchant).toHaveValue('a-restaurant')
  const known = document.querySelector<HTMLOptionElement>('#staging-merchants option')?.value ?? ''
  await user.clear(merchant)
  // Blanks around it are left out.
  await user.type(merchant, ` ${known} `)
  await user.selectOptions(screen.getByLabelText('Card ending in'), card?.id ?? '')
  const field = screen.getByLabelText(/^Amount in dollars/)
  const amounts = () =>
    asOwner(
      app,
      `select t.ticket_cents::int as ticket, t.cleared_cents::int as cleared, t.refunded_cents::int as refunded
       from transactions t join members m on m.id = t.member_id where m.public_id = $1`,
      [member.publicId],
    )
  for (const [event, amount, expected] of [
    ['auth', '42.10', { ticket: 42_10, cleared: 0, refunded: 0 }],
    ['clearing', '45.00', { ticket: 42_10, cleared: 45_00, refunded: 0 }],
    ['refund', '45.00', { ticket: 42_10, cleared: 45_00, refunded: 45_00 }],
  ] as const) {
    await user.selectOptions(screen.getByLabelText('Event'), event)
    await user.clear(field)
    await user.type(field, amount)
    await user.click(screen.getByRole('button', { name: 'Send event' }))
    await vi.waitFor(async () => expect(await amounts()).toEqual([expected]), 20_000)
    // The next event needs the button again.
    await screen.findByRole('button', { name: 'Send event' })
  }
  // Another authorization is another transaction.
  await user.selectOptions(screen.getByLabelText('Event'), 'auth')
  await user.click(screen.getByRole('button', { name: 'Send event' }))
  await vi.waitFor(async () => expect(await amounts()).toHaveLength(2), 20_000)
  await screen.findByRole('button', { name: 'Send event' })
  // The next clearing belongs to this one.
  await user.selectOptions(screen.getByLabelText('Event'), 'clearing')
  await user.click(screen.getByRole('button', { name: 'Send event' }))
  const cleared = async () => (await amounts()).map((row) => Number(row.cleared)).toSorted((a, b) => a - b)
  await vi.waitFor(async () => expect(await cleared()).toEqual([45_00, 45_00]), 20_000)
  await screen.findByRole('button', { name: 'Send event' })
  // A wrong amount has the message of its field.
  await user.clear(field)
  await user.type(field, 'a lot')
  await user.click(screen.getByRole('button', { name: 'Send event' }))
  expect(await failureToast()).toHaveTextContent('Please check this field.')
})
