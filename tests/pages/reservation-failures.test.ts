import { fireEvent, within } from '@testing-library/dom'
import { describe, expect, test, vi } from 'vitest'
import { asOwner } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'
import { chooseDate, dialogOf, expectAlert, findBookable, itemOf, pickFirstTime } from '../support/page-reservations.ts'
import { nextDate } from '../support/tables-to-book.ts'

const app = setUpPages()

/** Joins and reserves a table for two at seven; opens the list of reservations. */
async function openReservations(responder?: Responder) {
  const { visitor } = await newMember(app, 'skyharbor')
  const { id: merchantId, name } = await findBookable(visitor)
  const when = { date: nextDate(), time: '19:00', partySize: 2 }
  const { id } = (await visitor.change('POST', '/api/Member/Reservations', { merchantId, ...when })).json()
  const page = await openPage(app, 'skyharbor', '/account/reservations', { visitor, ...(responder && { responder }) })
  const press = async (button: string) =>
    page.user.click(within(await itemOf(page, name)).getByRole('button', { name: button }))
  return { address: `/api/Member/Reservations/${id}`, when, name, visitor, page, press }
}

describe('a rejection by a provider', () => {
  test('RESV-010 RESV-011 RESV-012 ERR-024 shows the specified text', async () => {
    const { visitor, form } = await newMember(app, 'gallonaire')
    const { email } = form
    const merchant = await findBookable(visitor)
    const date = nextDate()
    let fails = true
    const open = async (date: string) => {
      const page = await openPage(app, 'gallonaire', `/merchants/${merchant.id}`, {
        visitor,
        responder: ({ method, path }) =>
          fails && method === 'POST' && path === '/api/Member/Reservations'
            ? {
                status: 502,
                body: { type: 'about:blank', title: '', status: 502, code: 'reservationFailed', reference: 'x' },
              }
            : undefined,
      })
      await chooseDate(page, date)
      await pickFirstTime(page)
      return page
    }
    let page = await open(date)
    let dialog = await dialogOf(page, 'Confirm your table')
    await page.user.click(await within(dialog).findByRole('button', { name: 'Reserve this table' }))
    await expectAlert(dialog, "We're unable to complete your reservation. Please try again.")
    fails = false
    await page.user.click(within(dialog).getByRole('button', { name: 'Reserve this table' }))
    expect(await dialogOf(page, 'Your table is reserved')).toBeVisible()
    page = await open(date)
    dialog = await dialogOf(page, 'Confirm your table')
    await expectAlert(
      dialog,
      'You already have a reservation at this location within two hours. Please try a different time.',
    )
    expect(within(dialog).getByRole('link', { name: 'My reservations' })).toHaveAttribute(
      'href',
      '/account/reservations',
    )
    await visitor.change('PUT', '/api/staging/barred-diners', { email, barred: true })
    page = await open(nextDate())
    await expectAlert(
      await dialogOf(page, 'Confirm your table'),
      'Your account has been deactivated with the reservation provider. Please try again with a different account.',
    )
    await visitor.change('PUT', '/api/staging/barred-diners', { email, barred: false })
    // The reservation starts while the question whether to cancel it is open.
    page = await page.goto('/account/reservations')
    const cancel = within(await itemOf(page, merchant.name)).getByRole('button', { name: 'Cancel' })
    await page.user.click(cancel)
    await asOwner(
      app,
      `update reservations set starts_at = now(), clear_until = now() + interval '2 hours'
       where member_id = (select id from members where email = $1)`,
      [email],
    )
    dialog = await dialogOf(page, 'Cancel this reservation?')
    await page.user.click(within(dialog).getByRole('button', { name: 'Cancel reservation' }))
    await expectAlert(dialog, 'This reservation can no longer be changed or canceled.')
    await page.user.click(within(dialog).getByRole('button', { name: 'Keep reservation' }))
    expect(await page.screen.findByRole('heading', { name: 'No upcoming reservations' })).toBeVisible()
    expect(within(await itemOf(page, merchant.name)).queryByRole('button', { name: 'Cancel' })).toBeNull()
  })

  test('a reservation that was moved in another tab is shown at its new time before it is canceled', async () => {
    const { address, when, visitor, page, press } = await openReservations()
    await press('Cancel')
    const dialog = await dialogOf(page, 'Cancel this reservation?')
    expect(dialog).toHaveTextContent('7:00 PM')
    await visitor.change('PUT', address, { ...when, time: '20:00' })
    await page.user.click(within(dialog).getByRole('button', { name: 'Cancel reservation' }))
    await expectAlert(dialog, 'This reservation has been changed meanwhile. Please check it before you cancel it.')
    await vi.waitFor(() => expect(dialog).toHaveTextContent('8:00 PM'), 20_000)
    await page.user.click(within(dialog).getByRole('button', { name: 'Cancel reservation' }))
    expect(await page.screen.findByText('Your reservation was canceled.')).toBeVisible()
  })

  test('a reservation that was canceled in another tab cannot be changed, and is listed as canceled', async () => {
    const { address, name, visitor, page, press } = await openReservations()
    await press('Change')
    await visitor.change('DELETE', address)
    const dialog = await dialogOf(page, 'Change your reservation')
    await page.user.selectOptions(within(dialog).getByLabelText('Party size'), '3')
    await within(dialog).findByRole('list', { name: 'Available times' })
    const times = () => page.requests.filter(({ path }) => path.includes('/Reservations/Availability?')).length
    const requested = times()
    await page.user.click(within(dialog).getByRole('button', { name: 'Save changes' }))
    await expectAlert(dialog, 'This reservation can no longer be changed or canceled.')
    await vi.waitFor(() => expect(times()).toBe(requested + 1), 20_000)
    // One error at a time.
    await page.user.selectOptions(within(dialog).getByLabelText('Party size'), '20')
    await within(dialog).findByText(/^This restaurant doesn’t have a table for that many people/)
    await page.user.click(within(dialog).getByRole('button', { name: 'Save changes' }))
    await expectAlert(dialog, 'Choose one of the available times.')
    await page.user.keyboard('{Escape}')
    expect(await page.screen.findByRole('heading', { name: 'No upcoming reservations' })).toBeVisible()
    expect(within(await itemOf(page, name)).queryByRole('button', { name: 'Change' })).toBeNull()
  })
})

test('an error of the last attempt disappears when another time is picked', async () => {
  const { page, press } = await openReservations(({ method }) => (method === 'PUT' ? { status: 500 } : undefined))
  await press('Change')
  const dialog = await dialogOf(page, 'Change your reservation')
  const times = within(await within(dialog).findByRole('list', { name: 'Available times' }))
  await page.user.click(times.getByRole('button', { name: /^7:30 PM/ }))
  await page.user.click(within(dialog).getByRole('button', { name: 'Save changes' }))
  await within(dialog).findByRole('alert')
  await page.user.click(times.getByRole('button', { name: /^6:30 PM/ }))
  await vi.waitFor(() => expect(within(dialog).queryByRole('alert')).toBeNull(), 20_000)
})

test('the error about an unavailable time disappears when the date, the time or the party size changes', async () => {
  const { page, press } = await openReservations()
  await press('Change')
  const dialog = await dialogOf(page, 'Change your reservation')
  await within(dialog).findByRole('list', { name: 'Available times' })
  const save = within(dialog).getByRole('button', { name: 'Save changes' })
  for (const [label, value] of [
    ['Party size', '2'],
    ['Time', '20:00'],
    ['Date', nextDate()],
  ] as const) {
    fireEvent.change(within(dialog).getByLabelText('Party size'), { target: { value: '20' } })
    await within(dialog).findByText(/^This restaurant doesn’t have a table for that many people/)
    await page.user.click(save)
    await expectAlert(dialog, 'Choose one of the available times.')
    fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })
    await vi.waitFor(() => expect([label, within(dialog).queryByRole('alert')]).toEqual([label, null]), 20_000)
  }
})

test('a time that was picked stays picked when the party size changes, and changes with the requested time', async () => {
  const { page, press, name } = await openReservations()
  await press('Change')
  const dialog = await dialogOf(page, 'Change your reservation')
  const select = (label: string, value: string) =>
    fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })
  const picked = async () => {
    await within(dialog).findByRole('list', { name: 'Available times' })
    return within(dialog)
      .getAllByRole('button', { pressed: true })
      .map(({ textContent }) => textContent?.split(',')[0])
  }
  const times = within(await within(dialog).findByRole('list', { name: 'Available times' }))
  await page.user.click(times.getByRole('button', { name: /^7:30 PM/ }))
  expect(await picked()).toEqual(['7:30 PM'])
  select('Party size', '3')
  await vi.waitFor(async () => expect(await picked()).toEqual(['7:30 PM']), 20_000)
  select('Time', '20:00')
  await vi.waitFor(async () => expect(await picked()).toEqual(['8:00 PM']), 20_000)
  await page.user.click(within(dialog).getByRole('button', { name: 'Save changes' }))
  expect(await page.screen.findByText('Your reservation was changed.')).toBeVisible()
  expect(await itemOf(page, name)).toHaveTextContent('8:00 PM')
})

test('a change is saved also while its times are loading, and a failure is shown until another choice is made', async () => {
  const loading = Promise.withResolvers<undefined>()
  const { page, press, name } = await openReservations(({ path }) =>
    /Availability\?.*partySize=(3|20)/.test(path) ? loading.promise : undefined,
  )
  await press('Change')
  const dialog = await dialogOf(page, 'Change your reservation')
  await within(dialog).findByRole('list', { name: 'Available times' })
  const choose = async (partySize: string) => {
    fireEvent.change(within(dialog).getByLabelText('Party size'), { target: { value: partySize } })
    await within(dialog).findByText('Looking for tables…')
  }
  await choose('20')
  await page.user.click(within(dialog).getByRole('button', { name: 'Save changes' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent(
    /^This restaurant doesn’t have a table for that many/,
  )
  await choose('3')
  expect(within(dialog).queryByRole('alert')).toBeNull()
  await page.user.click(within(dialog).getByRole('button', { name: 'Save changes' }))
  expect(await page.screen.findByText('Your reservation was changed.')).toBeVisible()
  loading.resolve(undefined)
  expect(await itemOf(page, name)).toHaveTextContent('3 people')
})
