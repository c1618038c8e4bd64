import { within } from '@testing-library/dom'
import { beforeAll, expect, test, vi } from 'vitest'
import { addDays } from '../../src/platform/time.ts'
import { asOwner } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { newMember } from '../support/members.ts'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'
import { addMerchantWithTables } from '../support/reservation-harness.ts'

// What is left after Back, after closing, after a failure, and at a second visit.

const app = setUpPages()
let restaurant: string
beforeAll(async () => {
  restaurant = (await addMerchantWithTables(app.database.pools.shared, { seats: [2, 2, 4] })).publicId
})

const inTwoDays = () => addDays(new Date().toISOString().slice(0, 10), 2)

test('Back on the first page of a visit leads to the search or the home page, whatever site was open before', async () => {
  const page = await openPage(app, 'skyharbor', `/merchants/${restaurant}`)
  Object.defineProperty(window.history, 'length', { value: 7 })
  await page.user.click(page.screen.getByRole('button', { name: 'Back' }))
  await vi.waitFor(() => expect(page.address).toBe('/search'), 20_000)
  // From the account it leads to the home page.
  const { visitor } = await newMember(app)
  const account = await openPage(app, 'skyharbor', '/account/user_profile', { visitor })
  await account.user.click(account.screen.getByRole('button', { name: 'Back' }))
  await vi.waitFor(() => expect(account.address).toBe('/'), 20_000)
})

test('the link of an announcement closes it, also for later visits', async () => {
  const page = await openPage(app, 'orchard', '/search?location=10001', { popUps: true })
  const dialog = within(await page.screen.findByRole('dialog', { name: 'New tables this season' }))
  await page.user.click(dialog.getByRole('link', { name: 'Discover them' }))
  await vi.waitFor(() => expect(page.address).toBe('/discover'), 20_000)
  expect(page.screen.queryByRole('dialog', { name: 'New tables this season' })).toBeNull()
  const later = await page.goto('/search?location=10001')
  // The next pop-up may show now.
  expect(later.screen.queryByRole('dialog', { name: 'New tables this season' })).toBeNull()
})

test('a visitor who closes the request to sign in is not asked again at the next visit', async () => {
  const slots = ['18:45', '19:00', '19:15'].map((time) => ({ time, bonus: false }))
  const responder: Responder = ({ path }) =>
    path.includes('/Reservations/Availability') ? { body: { state: 'available', slots, nextDate: null } } : undefined
  const page = await openPage(app, 'skyharbor', `/merchants/${restaurant}`, { responder })
  const times = within(await page.screen.findByRole('list', { name: 'Available times' }))
  await page.user.click(times.getByRole('button', { name: /7:00/ }))
  const dialog = within(await page.screen.findByRole('dialog', { name: 'Sign in to reserve' }))
  await page.user.click(dialog.getByRole('button', { name: 'Close' }))
  await vi.waitFor(() => expect(page.screen.queryByRole('dialog')).toBeNull(), 20_000)
  const again = await page.goto(`/merchants/${restaurant}`)
  const offered = within(await again.screen.findByRole('list', { name: 'Available times' }))
  expect(again.screen.queryByRole('dialog')).toBeNull()
  // Another choice replaces the stored one.
  await again.user.click(offered.getByRole('button', { name: /6:45/ }))
  const stored = () => localStorage.getItem('RN_MERCHANT_RESERVATION')
  await vi.waitFor(() => expect(stored()).toContain('"time":"18:45"'), 20_000)
})

test.each(['Escape', 'the cross', 'Keep reservation'])(
  'after a cancellation that failed the list is requested again, however its dialog is closed: %s',
  async (way) => {
    const { visitor } = await newMember(app, 'skyharbor')
    const request = { merchantId: restaurant, date: inTwoDays(), time: '19:00', partySize: 2 }
    expect((await visitor.change('POST', '/api/Member/Reservations', request)).status).toBe(200)
    const responder: Responder = ({ method }) =>
      method === 'DELETE' ? { status: 409, body: { code: 'reservationStarted', title: 'Too late' } } : undefined
    const page = await openPage(app, 'skyharbor', '/account/reservations', { visitor, responder })
    await page.user.click(page.screen.getByRole('button', { name: /^Cancel/ }))
    const dialog = within(await page.screen.findByRole('dialog', { name: 'Cancel this reservation?' }))
    await page.user.click(dialog.getByRole('button', { name: 'Cancel reservation' }))
    await dialog.findByRole('alert')
    const listed = page.calls('GET /api/Member/Reservations').length
    if (way === 'Escape') await page.user.keyboard('{Escape}')
    else await page.user.click(dialog.getByRole('button', { name: way === 'the cross' ? 'Close' : way }))
    await vi.waitFor(() => expect(page.calls('GET /api/Member/Reservations').length).toBe(listed + 1), 20_000)
    expect(page.screen.queryByRole('dialog')).toBeNull()
  },
)

test('the calculator considers debit with a PIN for visitors too', async () => {
  const page = await openPage(app, 'gallonaire', `/merchants/${restaurant}`)
  const quotes = () => page.calls(`GET /api/v2/Merchants/${restaurant}/Earn`)
  await page.user.click(await page.screen.findByRole('checkbox', { name: 'A debit card with a PIN' }))
  await vi.waitFor(() => expect(quotes().at(-1)?.path).toContain('pin=true'), 20_000)
})

test('Back from the second page of the activity shows the first one', async () => {
  const member = await createCardMember(app)
  for (let count = 0; count < 12; count++) await member.sendTransaction('auth', '20.00')
  expect(await asOwner(app, 'select 1 from transactions where member_id = $1', [member.memberId])).toHaveLength(12)
  const page = await openPage(app, 'skyharbor', '/account/recent_activity', { visitor: member.visitor })
  await page.user.click(page.screen.getByRole('button', { name: 'Next' }))
  await vi.waitFor(() => expect(page.address).toBe('/account/recent_activity?page=2'), 20_000)
  page.back()
  await vi.waitFor(() => expect(page.address).toBe('/account/recent_activity'), 20_000)
  await page.screen.findByText('Page 1 of 2')
})

test('the steps of the staging clock add up', async () => {
  const set: string[] = []
  const responder: Responder = ({ method, path, body }) => {
    if (method === 'GET' || !path.endsWith('/clock')) return
    set.push(body.at)
    return { body: { now: body.at, isSet: true } }
  }
  const page = await openPage(app, 'skyharbor', '/staging-tools/states', { responder })
  for (const count of [1, 2]) {
    await page.user.click(await page.screen.findByRole('button', { name: '+7 days' }))
    await vi.waitFor(() => expect(set).toHaveLength(count), 20_000)
    await page.screen.findByText(`The clock is set: ${set.at(-1)}`)
  }
  expect(Date.parse(set[1] as string) - Date.parse(set[0] as string)).toBe(7 * 86_400_000)
  // A typed time is in UTC, whatever the time zone of the browser.
  page.screen.getByLabelText<HTMLInputElement>(/^New time \(UTC\)/).value = '2031-01-02T03:04'
  await page.user.click(page.screen.getByRole('button', { name: 'Set the clock' }))
  await page.screen.findByText('The clock is set: 2031-01-02T03:04:00.000Z')
})

test('a change of the staging clock that is pressed while another one is under way follows it', async () => {
  const set: (string | null)[] = []
  let respond = () => {}
  const responder: Responder = async ({ method, path, body }) => {
    if (method === 'GET' || !path.endsWith('/clock')) return
    set.push(body.at)
    if (set.length === 1)
      await new Promise<void>((resolve) => {
        respond = resolve
      })
    return { body: { now: body.at ?? '2026-11-26T08:00:00.000Z', isSet: body.at !== null } }
  }
  const { user, screen } = await openPage(app, 'skyharbor', '/staging-tools/states', { responder })
  await user.click(await screen.findByRole('button', { name: '+7 days' }))
  await vi.waitFor(() => expect(set).toHaveLength(1), 20_000)
  await user.click(screen.getByRole('button', { name: 'Real time' }))
  respond()
  await screen.findByText('Real time: 2026-11-26T08:00:00.000Z')
  expect(set).toEqual([expect.any(String), null])
})
