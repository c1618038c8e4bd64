import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { newMember } from '../support/members.ts'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'
import { blockOf, chooseDate, dialogOf, expectAlert, itemOf, pickFirstTime } from '../support/page-reservations.ts'
import { addMerchantWithTables } from '../support/reservation-harness.ts'
import { nextDate } from '../support/tables-to-book.ts'

const app = setUpPages()

const everyDay = (from: string, to: string) =>
  Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((day) => [day, [[from, to]]]))
const addRestaurant = async (over: Record<string, unknown> = {}) =>
  (await addMerchantWithTables(app.database.pools.shared, { seats: [2, 2, 4], over })).publicId

const holds = '/api/Member/Reservations/Holds'
const rejects =
  (at: { method: string; path: RegExp }, status: number, code: string): Responder =>
  ({ method, path }) =>
    method === at.method && at.path.test(path)
      ? { status, body: { type: 'about:blank', title: `Title of ${code}`, status, code, reference: 'r' } }
      : undefined
const general = "We're unable to complete your reservation. Please try again."

test('the first choice is the seating time nearest to seven, and none of the other times is marked as chosen', async () => {
  const id = await addRestaurant({ hours: everyDay('11:00', '15:00') })
  const page = await openPage(app, 'skyharbor', `/merchants/${id}`)
  const block = await blockOf(page)
  expect(await block.findByLabelText('Time')).toHaveValue('14:00')
  await chooseDate(page, nextDate())
  const times = within(await block.findByRole('list', { name: 'Available times' }))
  for (const button of times.getAllByRole('button')) expect(button).not.toHaveAttribute('aria-pressed')
})

test('RESV-004 a customer of a bank signs in there, and returns to the restaurant', async () => {
  const id = await addRestaurant()
  const page = await openPage(app, 'beacon', `/merchants/${id}`)
  await chooseDate(page, nextDate())
  await pickFirstTime(page)
  const dialog = within(await dialogOf(page, 'Sign in to reserve'))
  const back = `returnTo=${encodeURIComponent(`/merchants/${id}`)}`
  expect(dialog.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', `/Login?${back}`)
  expect(dialog.queryByRole('link', { name: 'Join for free' })).toBeNull()
  // Other programs offer both ways.
  const other = await openPage(app, 'gallonaire', `/merchants/${id}`)
  await chooseDate(other, nextDate())
  await pickFirstTime(other)
  const choice = within(await dialogOf(other, 'Sign in to reserve'))
  expect(choice.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', `/login?${back}`)
  expect(choice.getByRole('link', { name: 'Join for free' })).toHaveAttribute('href', `/join?${back}`)
})

test('a visitor who comes back without signing in finds the chosen table, and no dialog', async () => {
  const id = await addRestaurant()
  const date = nextDate()
  const key = 'RN_MERCHANT_RESERVATION'
  const choice = JSON.stringify({ merchantId: id, date, time: '20:00', partySize: 3, at: Date.now() - 60_000 })
  const page = await openPage(app, 'skyharbor', `/merchants/${id}`, { stored: { [key]: choice } })
  const block = await blockOf(page)
  await vi.waitFor(() => expect(block.getByLabelText('Date')).toHaveValue(date), 20_000)
  expect([block.getByLabelText('Time'), block.getByLabelText('Party size')]).toEqual([
    expect.objectContaining({ value: '20:00' }),
    expect.objectContaining({ value: '3' }),
  ])
  await block.findByRole('list', { name: 'Available times' })
  expect(page.screen.queryByRole('dialog')).toBeNull()
  // It waits for the sign-in.
  expect(localStorage.getItem(key)).toBe(choice)
})

test.each([
  { status: 409, code: 'slotTaken', text: 'Title of slotTaken' },
  { status: 503, code: 'busy', text: general },
])(
  'RESV-010 a table that cannot be held ($code) leads back to the times, and to no other reservation',
  async (failure) => {
    const { visitor } = await newMember(app, 'skyharbor')
    const id = await addRestaurant()
    const responder = rejects({ method: 'POST', path: new RegExp(`^${holds}$`) }, failure.status, failure.code)
    const page = await openPage(app, 'skyharbor', `/merchants/${id}`, { visitor, responder })
    await chooseDate(page, nextDate())
    await pickFirstTime(page)
    const dialog = await dialogOf(page, 'Confirm your table')
    await expectAlert(dialog, failure.text)
    expect(within(dialog).queryByRole('link', { name: 'My reservations' })).toBeNull()
    expect(within(dialog).queryByRole('button', { name: 'Reserve this table' })).toBeNull()
    await page.user.click(within(dialog).getByRole('button', { name: 'Choose another time' }))
    await vi.waitFor(() => expect(page.screen.queryByRole('dialog')).toBeNull(), 20_000)
  },
)

test('a reservation on a day without rewards promises no bonus, from its confirmation to its cancellation', async () => {
  const { visitor } = await newMember(app, 'skyharbor')
  const id = await addRestaurant({ offers: [] })
  const page = await openPage(app, 'skyharbor', `/merchants/${id}`, { visitor })
  await chooseDate(page, nextDate())
  await pickFirstTime(page)
  const dialog = await dialogOf(page, 'Confirm your table')
  const reserve = await within(dialog).findByRole('button', { name: 'Reserve this table' })
  await within(dialog).findByText(/^You have no linked card yet/)
  expect(within(dialog).queryByRole('link', { name: 'Link a card' })).toBeNull()
  await page.user.click(reserve)
  const booked = await dialogOf(page, 'Your table is reserved')
  const hint = await within(booked).findByText(/^You have no linked card yet/)
  expect(hint).toHaveTextContent('only dines paid with a linked card earn miles.')
  await page.user.click(within(booked).getByRole('link', { name: 'My reservations' }))
  await page.screen.findByRole('heading', { level: 2, name: 'My reservations' })
  const item = await itemOf(page, 'Dining Room')
  expect(item).not.toHaveTextContent('extra')
  await page.user.click(within(item).getByRole('button', { name: 'Cancel' }))
  expect(await dialogOf(page, 'Cancel this reservation?')).not.toHaveTextContent('bonus')
})

test('a member without reservations is led to the restaurants that take them', async () => {
  const { visitor } = await newMember(app, 'skyharbor')
  const { screen } = await openPage(app, 'skyharbor', '/account/reservations', { visitor })
  expect(await screen.findByRole('heading', { name: 'No reservations yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Find a table' })).toHaveAttribute('href', '/search?reservations=true')
})

test('the list of reservations is requested at each visit, because another tab may have changed it', async () => {
  const { visitor } = await newMember(app, 'skyharbor')
  const merchantId = await addRestaurant()
  const page = await openPage(app, 'skyharbor', '/account/reservations', { visitor })
  const account = within(await page.screen.findByRole('navigation', { name: 'Account' }))
  await page.user.click(account.getByRole('link', { name: 'Profile' }))
  await vi.waitFor(() => expect(page.address).toBe('/account/user_profile'), 20_000)
  const request = { merchantId, date: nextDate(), time: '19:15', partySize: 2 }
  expect((await visitor.change('POST', '/api/Member/Reservations', request)).status).toBe(200)
  await page.user.click(page.screen.getByRole('link', { name: 'My reservations' }))
  const item = await itemOf(page, 'Dining Room')
  expect(item).toHaveTextContent('7:15 PM')
  // A time between half-hours is among those that can be chosen.
  await page.user.click(within(item).getByRole('button', { name: 'Change' }))
  const dialog = within(await dialogOf(page, 'Change your reservation'))
  const times = dialog.getByLabelText<HTMLSelectElement>('Time')
  await vi.waitFor(() => expect(times.options.length).toBeLessThan(30), 20_000)
  expect([times.value, times.selectedOptions[0]?.textContent]).toEqual(['19:15', '7:15 PM'])
})

test('RESV-014 a restaurant that has left the program takes no reservations', async () => {
  const id = await addRestaurant()
  await app.database.pools.shared
    .updateTable('merchants')
    .set({ participating: false, left_on: '2026-06-01' })
    .where('public_id', '=', id)
    .execute()
  const { screen, requests } = await openPage(app, 'skyharbor', `/merchants/${id}`)
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Reserve a table' })).toBeNull()
  expect(requests.filter(({ path }) => path.includes('/Reservations/'))).toEqual([])
})

test('the number of available tables is announced, also of a single one', async () => {
  const id = await addRestaurant()
  let slots = [{ time: '19:00', bonus: true }]
  const responder: Responder = ({ path }) =>
    path.includes('/Reservations/Availability?') ? { body: { state: 'available', slots, nextDate: null } } : undefined
  const page = await openPage(app, 'skyharbor', `/merchants/${id}`, { responder })
  expect((await page.screen.findByText('One time available')).closest('[role="status"]')).not.toBeNull()
  slots = [...slots, { time: '19:15', bonus: true }]
  await chooseDate(page, nextDate())
  expect((await page.screen.findByText('2 times available')).closest('[role="status"]')).not.toBeNull()
})

test('a change that fails for a reason of the server has the general text', async () => {
  const { visitor } = await newMember(app, 'skyharbor')
  const request = { merchantId: await addRestaurant(), date: nextDate(), time: '19:00', partySize: 2 }
  expect((await visitor.change('POST', '/api/Member/Reservations', request)).status).toBe(200)
  const responder = rejects({ method: 'PUT', path: /^\/api\/Member\/Reservations\// }, 502, 'reservationFailed')
  const page = await openPage(app, 'skyharbor', '/account/reservations', { visitor, responder })
  await page.user.click(within(await itemOf(page, 'Dining Room')).getByRole('button', { name: 'Change' }))
  const dialog = await dialogOf(page, 'Change your reservation')
  await page.user.click(await within(dialog).findByRole('button', { name: /^7:30 PM/ }))
  await page.user.click(within(dialog).getByRole('button', { name: 'Save changes' }))
  await expectAlert(dialog, general)
})
