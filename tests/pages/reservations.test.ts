import { fireEvent, within } from '@testing-library/dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addDays } from '../../src/platform/time.ts'
import { visit } from '../support/app.ts'
import { memberPassword, newMember } from '../support/members.ts'
import { type OpenPage, openPage, type StubResponse, setUpPages } from '../support/page-dom.ts'
import { findMerchant } from '../support/page-members.ts'
import {
  blockOf,
  chooseDate,
  dialogOf,
  enterDate,
  expectAlert,
  findBookable,
  itemOf,
  pickFirstTime,
} from '../support/page-reservations.ts'
import { addMerchantWithTables } from '../support/reservation-harness.ts'
import { nextDate } from '../support/tables-to-book.ts'

const app = setUpPages()
const chosenTable = () => localStorage.getItem('RN_MERCHANT_RESERVATION')

test('RESV-001 RESV-003 RESV-006 RESV-007 RESV-008 RESV-009 RESV-015 the block lets members choose date, time and party, and shows the bonus', async () => {
  const merchant = await findBookable(visit(app, 'skyharbor'))
  const page = await openPage(app, 'skyharbor', `/merchants/${merchant.id}`)
  const block = await blockOf(page)
  const date = await block.findByLabelText<HTMLInputElement>('Date')
  expect(block.getByLabelText('Time')).toHaveValue('19:00')
  expect(block.getByLabelText('Party size')).toHaveValue('2')
  const today = date.value
  const shifted = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
  expect(date).toHaveAttribute('min', shifted(-1))
  expect(Date.parse(date.max) - Date.parse(today)).toBeGreaterThan(364 * 86_400_000)
  const day = nextDate()
  await chooseDate(page, day)
  const times = await block.findByRole('list', { name: 'Available times' })
  expect(within(times).getAllByRole('button')).toHaveLength(6)
  await page.user.click(block.getByRole('button', { name: 'More times' }))
  await vi.waitFor(() => expect(within(times).getAllByRole('button')).toHaveLength(18), 20_000)
  expect(within(times).getByRole('button', { name: /^7:00 PM ?, with bonus$/ })).toBeVisible()
  // A date that is being typed is none yet: the times stay.
  await enterDate(page, '')
  expect(within(times).getAllByRole('button')).toHaveLength(18)
  // Another day shows its nearest times first, also one whose times are known.
  const untilShown = (count: number) =>
    vi.waitFor(() => {
      const list = within(block.getByRole('list', { name: 'Available times' }))
      expect(list.getAllByRole('button')).toHaveLength(count)
    }, 20_000)
  await chooseDate(page, nextDate())
  await untilShown(6)
  await page.user.click(block.getByRole('button', { name: 'More times' }))
  await untilShown(18)
  await chooseDate(page, day)
  await untilShown(6)
  expect(page.requests.filter(({ path }) => /Availability\?(.*&)?date=(&|$)/.test(path))).toEqual([])
  expect(page.screen.getByRole('region', { name: 'Reserve a table' })).toHaveTextContent(
    'Earn an extra 500 miles when you reserve here.',
  )
  const tooltip = block.getByRole('tooltip')
  expect(tooltip).toHaveTextContent('pay with a linked card')
  const about = block.getByRole('button', { name: 'About the reservation bonus' })
  expect(about).toHaveAccessibleDescription(tooltip.textContent ?? '')
  expect(tooltip).toHaveAttribute('data-open', 'false')
  about.focus()
  const untilOpen = (isOpen: boolean) =>
    vi.waitFor(() => expect(tooltip).toHaveAttribute('data-open', String(isOpen)), 20_000)
  await untilOpen(true)
  await page.user.keyboard('{Escape}')
  await untilOpen(false)
  await page.user.click(about)
  await untilOpen(true)
  await page.user.hover(document.body)
  await untilOpen(false)
  await page.user.hover(about)
  await untilOpen(true)
  about.blur()
  await untilOpen(false)
  expect(block.getByRole('link', { name: 'How the reservation bonus works' })).toHaveAttribute(
    'href',
    '/earn/reservations',
  )
})

test('RESV-005 every state of the block has its text', async () => {
  const { id } = await findBookable(visit(app, 'skyharbor'))
  const open = (responder?: () => StubResponse | Promise<undefined>) =>
    openPage(app, 'skyharbor', `/merchants/${id}`, {
      responder: ({ path }) => (path.includes('/Reservations/Availability?') ? responder?.() : undefined),
    })
  const states = {
    none: /^No tables are available around this time\./,
    tooBig: /^This restaurant doesn’t have a table for that many people\./,
    tooSmall: /^This restaurant takes reservations for larger parties only\./,
    tooFar: /^Reservations aren’t open for this date yet\./,
    tooClose: /^This time has passed or is too soon\./,
    noBonus: /^Tables are available, but none of them earns the reservation bonus on this day\./,
  }
  for (const [state, text] of Object.entries(states)) {
    const slots = state === 'noBonus' ? [{ time: '19:00', bonus: false }] : []
    const nextDate = state === 'none' ? '2027-01-05' : null
    const page = await open(() => ({ body: { state, slots, nextDate } }))
    const block = await blockOf(page)
    expect(await block.findByText(text)).toBeVisible()
    if (state === 'none') {
      await page.user.click(block.getByRole('button', { name: 'Next day with a table: Tuesday, January 5' }))
      await vi.waitFor(() => expect(block.getByLabelText('Date')).toHaveValue('2027-01-05'), 20_000)
    }
  }
  let isFailing = true
  const failed = await open(() =>
    isFailing ? { status: 500, body: {} } : { body: { state: 'none', slots: [], nextDate: null } },
  )
  const retried = await blockOf(failed)
  expect(await retried.findByText('We couldn’t look up the tables. Please try again.')).toBeVisible()
  expect(retried.queryByText(/complete your reservation/)).toBeNull()
  isFailing = false
  await failed.user.click(retried.getByRole('button', { name: 'Try again' }))
  expect(await retried.findByText(states.none)).toBeVisible()
  const held = Promise.withResolvers<undefined>()
  const loading = await blockOf(await open(() => held.promise))
  expect(await loading.findByText('Looking for tables…')).toBeInTheDocument()
  held.resolve(undefined)
  await vi.waitFor(() => expect(loading.queryByText('Looking for tables…')).toBeNull(), 20_000)
  // Yesterday can be chosen, because it may still be that day at the restaurant, and shows no times.
  const page = await open()
  const block = await blockOf(page)
  const date = await block.findByLabelText<HTMLInputElement>('Date')
  await enterDate(page, date.min)
  expect(await block.findByText(states.tooClose)).toBeVisible()
  await enterDate(page, date.max)
  expect(await block.findByText(states.tooFar)).toBeVisible()
  // Typed as 12/30/26.
  await enterDate(page, '0026-12-30')
  expect(await block.findByText(states.tooClose)).toBeVisible()
})

/** Changes the choices within an element. */
const select = (element: HTMLElement, label: string, value: string) =>
  fireEvent.change(within(element).getByLabelText(label), { target: { value } })

/** Follows the prompt to sign in, and signs in with the form. */
async function signInFrom(page: OpenPage, email: string): Promise<void> {
  const { screen, user } = page
  await user.click(within(await dialogOf(page, 'Sign in to reserve')).getByRole('link', { name: 'Sign in' }))
  const [userName] = await screen.findAllByLabelText(/Email|number/)
  await user.type(userName as HTMLElement, email)
  await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), memberPassword)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

test('RESV-004 RESV-014 RESV-016 GEN-007 ROLE-001 a visitor chooses a table, signs in, and can book the same choice, change it and cancel it', async () => {
  const { form, visitor: member } = await newMember(app, 'skyharbor')
  const email = String(form.email)
  const visitor = visit(app, 'skyharbor')
  const merchant = await findBookable(visitor)
  expect(merchant.reservationProviders).toEqual(['book'])
  const page = await openPage(app, 'skyharbor', `/merchants/${merchant.id}`, { visitor })
  const date = nextDate()
  await chooseDate(page, date)
  select(await page.screen.findByRole('region', { name: 'Reserve a table' }), 'Party size', '3')
  const time = await pickFirstTime(page)
  expect(await dialogOf(page, 'Sign in to reserve')).toHaveTextContent('3 people')
  await vi.waitFor(() => expect(chosenTable()).toContain(date), 20_000)
  await signInFrom(page, email)
  await vi.waitFor(() => expect(page.address).toBe(`/merchants/${merchant.id}`), 20_000)
  const dialog = await dialogOf(page, 'Confirm your table')
  expect(dialog).toHaveTextContent('3 people')
  expect(dialog).toHaveTextContent(time)
  await within(dialog).findByText(/^You have no linked card yet\. Link one before you dine/)
  expect(within(dialog).queryByRole('link', { name: 'Link a card' })).toBeNull()
  // It is restored once: the next visit of the restaurant opens no dialog.
  expect(chosenTable()).toBe('')
  expect(await within(dialog).findByRole('timer')).toHaveTextContent(/We’re holding this table for you for [45]:\d\d/)
  await page.user.click(within(dialog).getByRole('button', { name: 'Reserve this table' }))
  const booked = await dialogOf(page, 'Your table is reserved')
  expect(booked).toHaveTextContent(merchant.name)
  expect(within(booked).getByText(/^You have no linked card yet/)).toHaveTextContent('earns miles and the bonus.')
  expect(within(booked).getByRole('link', { name: 'Link a card' })).toHaveAttribute('href', '/account/manage_cards')
  const calendar = within(booked).getByRole('link', { name: 'Add to calendar' }).getAttribute('href') ?? ''
  const file = await visitor.get(calendar)
  expect(file.text).toContain('BEGIN:VEVENT')
  expect(file.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': 'attachment; filename="reservation.ics"',
  })
  await page.user.click(within(booked).getByRole('link', { name: 'My reservations' }))
  await page.screen.findByRole('heading', { level: 2, name: 'My reservations' })
  expect(page.address).toBe('/account/reservations')
  const entry = await itemOf(page, merchant.name)
  expect(entry).toHaveTextContent('3 people')
  expect(entry).toHaveTextContent('This reservation earns 500 miles extra when you dine and pay with a linked card.')
  const { mails } = (await member.get('/api/staging/outbox')).json()
  const message = mails.find((m: { recipient: string; subject: string }) => m.recipient === email)
  expect(message.subject).toContain(merchant.name)
  expect(message.attachments[0].content).toContain('BEGIN:VCALENDAR')
  await expectInOutbox(await page.goto('/staging-tools/outbox'), email, message.subject)
  await changeAndCancel(await page.goto('/account/reservations'), merchant.name)
})

async function expectInOutbox({ user }: OpenPage, email: string, subject: string): Promise<void> {
  const summaries = await vi.waitFor(() => {
    const found = [...document.querySelectorAll('summary')].filter(({ textContent }) => textContent?.includes(subject))
    expect(found).not.toHaveLength(0)
    return found
  }, 20_000)
  const [summary] = summaries as [HTMLElement]
  await user.click(within(summary).getByText(subject))
  expect(summary).toHaveTextContent('Stored here')
  const stored = summary.closest('details')
  expect(stored).toHaveAttribute('open')
  expect(stored).toHaveTextContent(email)
}

async function changeAndCancel(page: OpenPage, name: string): Promise<void> {
  const { screen, user } = page
  const press = async (button: string) =>
    user.click(within(await itemOf(page, name)).getByRole('button', { name: button }))
  await press('Change')
  let change = await dialogOf(page, 'Change your reservation')
  await within(change).findByRole('list', { name: 'Available times' })
  await vi.waitFor(() => expect(change.querySelector('option[value="06:00"]')).toBeNull(), 20_000)
  select(change, 'Party size', '20')
  await within(change).findByText(/^This restaurant doesn’t have a table for that many people/)
  await user.click(within(change).getByRole('button', { name: 'Save changes' }))
  await expectAlert(change, 'Choose one of the available times.')
  select(change, 'Time', '20:00')
  select(change, 'Party size', '2')
  expect(await within(change).findByRole('button', { name: /^8:00 PM/ })).toHaveAttribute('aria-pressed', 'true')
  await user.click(within(change).getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText('Your reservation was changed.')).toBeVisible()
  await vi.waitFor(async () => {
    const entry = await itemOf(page, name)
    expect(entry).toHaveTextContent('2 people')
    expect(entry).toHaveTextContent('8:00 PM')
  }, 20_000)
  await press('Change')
  change = await dialogOf(page, 'Change your reservation')
  await user.click(within(change).getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText('Your reservation stays as it was.')).toBeVisible()

  await press('Cancel')
  const cancel = await dialogOf(page, 'Cancel this reservation?')
  expect(cancel).toHaveTextContent('You also lose the reservation bonus.')
  await user.click(within(cancel).getByRole('button', { name: 'Cancel reservation' }))
  expect(await screen.findByText('Your reservation was canceled.')).toBeVisible()
  expect(await screen.findByRole('heading', { name: 'No upcoming reservations' })).toBeVisible()
  expect(await itemOf(page, name)).toHaveTextContent('Canceled')
}

test('the only table of a restaurant can be moved within its own reservation, and to another date or party size at the same time', async () => {
  const { visitor } = await newMember(app, 'skyharbor')
  const { publicId: merchantId } = await addMerchantWithTables(app.database.pools.shared, { seats: [2] })
  const date = nextDate()
  const request = { merchantId, date, time: '19:00', partySize: 2 }
  expect((await visitor.change('POST', '/api/Member/Reservations', request)).status).toBe(200)
  const page = await openPage(app, 'skyharbor', '/account/reservations', { visitor })
  const stored = async () => {
    const [found] = (await visitor.get('/api/Member/Reservations')).json().upcoming
    return { date: found.date, time: found.time, partySize: found.partySize }
  }
  const change = async (alter: (dialog: HTMLElement) => unknown) => {
    await page.user.click(page.screen.getByRole('button', { name: 'Change' }))
    const dialog = await dialogOf(page, 'Change your reservation')
    await within(dialog).findByRole('list', { name: 'Available times' })
    await alter(dialog)
    await page.user.click(within(dialog).getByRole('button', { name: 'Save changes' }))
    await vi.waitFor(() => expect(page.screen.queryByRole('dialog')).toBeNull(), 20_000)
  }
  await change((dialog) => page.user.click(within(dialog).getByRole('button', { name: /^7:15 PM/ })))
  expect(await stored()).toEqual({ date, time: '19:15', partySize: 2 })
  const other = nextDate()
  for (const [label, value, expected] of [
    ['Date', other, { date: other, time: '19:15', partySize: 2 }],
    ['Party size', '1', { date: other, time: '19:15', partySize: 1 }],
  ] as const) {
    await change(async (dialog) => {
      select(dialog, label, value)
      expect(await within(dialog).findByRole('button', { name: /^7:15 PM/ })).toHaveAttribute('aria-pressed', 'true')
    })
    expect(await stored()).toEqual(expected)
  }
})

test('the dates, the first choice and the highlighted hours are those of the restaurant’s day', async () => {
  const { publicId } = await addMerchantWithTables(app.database.pools.shared, { seats: [2] })
  // Ten in the evening in New York, or eleven: elsewhere it is tomorrow.
  const evening = `${addDays(new Date().toISOString().slice(0, 10), 1)}T03:00:00Z`
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(evening) })
  onTestFinished(() => void vi.useRealTimers())
  const today = addDays(evening.slice(0, 10), -1)
  const page = await openPage(app, 'skyharbor', `/merchants/${publicId}`)
  const date = await (await blockOf(page)).findByLabelText<HTMLInputElement>('Date')
  expect([date.min, date.value]).toEqual([addDays(today, -1), today])
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(new Date(today))
  expect(document.querySelector('[data-today] dt')).toHaveTextContent(weekday)
  expect(page.screen.getAllByText('Open now, until 12 AM')[0]).toBeVisible()
})

test('RESV-014 there is no block without a provider, without the feature, and in programs without sign-in', async () => {
  const visitor = visit(app, 'skyharbor')
  const without = await findMerchant(visitor, 'location=10001', (m) => m.reservationProviders.length === 0)
  const open = async (partner: string, { id, name }: { id: string; name: string }) => {
    const page = await openPage(app, partner, `/merchants/${id}`)
    expect(await page.screen.findByRole('heading', { level: 1 })).toHaveTextContent(name)
    return page.screen.queryByRole('region', { name: 'Reserve a table' })
  }
  expect(await open('skyharbor', without)).toBeNull()
  const bookable = await findBookable(visitor)
  expect(await open('lantern', bookable)).toBeNull()
  // A program without the bonus also takes reservations and mentions no bonus.
  const block = await open('beacon', bookable)
  expect(block).toBeVisible()
  expect(block).not.toHaveTextContent('when you reserve here')
})

test('a member whose session has ended is asked to sign in, and the chosen table is kept for the return', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const merchant = await findBookable(visitor)
  const page = await openPage(app, 'gallonaire', `/merchants/${merchant.id}`, { visitor })
  const date = nextDate()
  await chooseDate(page, date)
  visitor.cookies.clear()
  await pickFirstTime(page)
  expect(await dialogOf(page, 'Sign in to reserve')).toBeVisible()
  await vi.waitFor(() => expect(chosenTable()).toContain(date), 20_000)
  expect(page.left).toBeNull()
})

test('RESV-005 times follow the opening hours, a day off says so, and a conflict offers an alternative', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  // biome-ignore lint/suspicious/noExplicitAny: a restaurant's page has many shapes
  const closedOn = (m: any) => [0, 1, 2, 3, 4, 5, 6].find((weekday) => m.hours && !m.hours[weekday]?.length)
  const merchant = await findBookable(visitor, (m) => closedOn(m) !== undefined)
  const page = await openPage(app, 'gallonaire', `/merchants/${merchant.id}`, { visitor })
  const dates = Array.from({ length: 7 }, (_, index) =>
    new Date(Date.now() + (3 + index) * 86_400_000).toISOString().slice(0, 10),
  )
  const weekdayOf = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()
  await chooseDate(page, dates.find((date) => weekdayOf(date) === closedOn(merchant)) ?? '')
  const block = await blockOf(page)
  expect(await block.findByText('The restaurant is closed on this day.')).toBeVisible()
  const open = dates.find((date) => merchant.hours[weekdayOf(date)]?.length > 0) ?? ''
  await chooseDate(page, open)
  const [first] = block.getByLabelText<HTMLSelectElement>('Time').options
  const opens = merchant.hours[weekdayOf(open)].map(([from]: [string, string]) => from).sort()[0]
  expect(first && first.value >= opens).toBe(true)
})
