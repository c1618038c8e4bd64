import type { Page } from '@playwright/test'
import {
  asOwner,
  at,
  callApi,
  expect,
  expectAccessible,
  findMerchant,
  openOrigin,
  test,
  withMotion,
} from '../support/journey.ts'
import { linkCard, testCard } from '../support/journey-cards.ts'
import { join, joinViaApi } from '../support/journey-members.ts'

const near = 'location=10001&radius=50&reservations=true'
/** Days ahead that neither another journey nor an earlier run has booked: each call returns the next one. */
let day = 10 + Math.floor(Math.random() * 150)
const nextDate = () => new Date(Date.now() + ++day * 86_400_000).toISOString().slice(0, 10)
const openAtSeven = (m: { hours: Record<string, [string, string][]> | null; offers: { days: number[] }[] }) =>
  m.hours !== null &&
  [0, 1, 2, 3, 4, 5, 6].every((weekday) =>
    (m.hours?.[weekday] ?? []).some(([from, to]) => from <= '17:00' && to >= '21:00'),
  ) &&
  m.offers.some(({ days }) => days.length === 7)

/** Chooses a date and waits for its times: until then those of another day are shown. */
async function choose(page: Page, date: string): Promise<void> {
  const responded = page.waitForResponse((response) => response.url().includes(`Availability?date=${date}`))
  await block(page).getByLabel('Date').fill(date)
  await responded
}
const block = (page: Page) => page.getByRole('region', { name: 'Reserve a table' })
const slot = (page: Page) => block(page).getByRole('list', { name: 'Available times' }).getByRole('button').first()

/** Joins and reserves a table for two at seven; opens the list of reservations. */
async function openReservations(page: Page) {
  await joinViaApi(page, 'skyharbor')
  const { id: merchantId, name } = await findMerchant(page, near, openAtSeven)
  const when = { date: nextDate(), time: '19:00', partySize: 2 }
  const { id } = await callApi(page, '/api/Member/Reservations', { method: 'POST', body: { merchantId, ...when } })
  await page.goto(at('skyharbor', '/account/reservations'))
  const entry = page.getByRole('listitem').filter({ hasText: name })
  return { address: `/api/Member/Reservations/${id}`, when, entry }
}

test.use(withMotion)

test('RESV-001 RESV-002 RESV-003 RESV-006 RESV-007 RESV-008 RESV-009 RESV-015 the block lets members choose date, time and party, and shows the bonus', async ({
  page,
}) => {
  await openOrigin(page, 'skyharbor')
  const merchant = await findMerchant(page, near, openAtSeven)
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  const date = block(page).getByLabel('Date')
  await expect(block(page).getByLabel('Time', { exact: true })).toHaveValue('19:00')
  await expect(block(page).getByLabel('Party size')).toHaveValue('2')
  const today = await date.inputValue()
  const shifted = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
  await expect(date).toHaveAttribute('min', shifted(-1))
  expect(Date.parse((await date.getAttribute('max')) ?? '') - Date.parse(today)).toBeGreaterThan(364 * 86_400_000)
  await choose(page, nextDate())
  const times = block(page).getByRole('list', { name: 'Available times' })
  await expect(times.getByRole('button')).toHaveCount(6)
  expect(await times.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)).toBe(3)
  await block(page).getByRole('button', { name: 'More times' }).click()
  await expect(times.getByRole('button')).toHaveCount(18)
  await expect(block(page)).toContainText('Earn an extra 500 miles when you reserve here.')
  await block(page).getByRole('button', { name: 'About the reservation bonus' }).focus()
  await expect(page.getByRole('tooltip')).toContainText('pay with a linked card')
  await expect(block(page).getByRole('link', { name: 'How the reservation bonus works' })).toHaveAttribute(
    'href',
    '/earn/reservations',
  )
})

test('RESV-005 every state of the block has its text', async ({ page }) => {
  await openOrigin(page, 'skyharbor')
  const merchant = await findMerchant(page, near, openAtSeven)
  const states = {
    none: 'No tables are available around this time.',
    tooBig: 'This restaurant doesn’t have a table for that many people.',
    tooSmall: 'This restaurant takes reservations for larger parties only.',
    tooFar: 'Reservations aren’t open for this date yet.',
    tooClose: 'This time has passed or is too soon.',
    noBonus: 'Tables are available, but none of them earns the reservation bonus on this day.',
  }
  for (const [state, text] of Object.entries(states)) {
    const slots = state === 'noBonus' ? [{ time: '19:00', bonus: false }] : []
    const nextDate = state === 'none' ? '2027-01-05' : null
    await page.route('**/Reservations/Availability?**', (route) => route.fulfill({ json: { state, slots, nextDate } }))
    await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
    await expect(block(page).getByText(text)).toBeVisible()
    if (state === 'none') {
      await block(page).getByRole('button', { name: 'Next day with a table: Tuesday, January 5' }).click()
      await expect(block(page).getByLabel('Date')).toHaveValue('2027-01-05')
    }
    await page.unroute('**/Reservations/Availability?**')
  }
  let respond: (() => void) | undefined
  await page.route('**/Reservations/Availability?**', async (route) => {
    await new Promise<void>((resolve) => {
      respond = resolve
    })
    await route.continue()
  })
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  await expect(block(page).getByText('Looking for tables…')).toBeAttached()
  respond?.()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // Yesterday can be chosen, because it may still be that day at the restaurant, and shows no times.
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  const date = block(page).getByLabel('Date')
  await date.fill((await date.getAttribute('min')) ?? '')
  await expect(block(page).getByText(states.tooClose)).toBeVisible()
  await date.fill((await date.getAttribute('max')) ?? '')
  await expect(block(page).getByText(states.tooFar)).toBeVisible()
  // Typed as 12/30/26.
  await date.fill('0026-12-30')
  await expect(block(page).getByText(states.tooClose)).toBeVisible()
})

test('RESV-004 RESV-014 RESV-016 GEN-007 ROLE-001 a visitor chooses a table, signs in, and can book the same choice, change it and cancel it', async ({
  page,
}) => {
  const email = await joinViaApi(page, 'skyharbor')
  const merchant = await findMerchant(page, near, openAtSeven)
  expect(merchant.reservationProviders).toEqual(['book'])
  await page.goto(at('skyharbor', '/SignOut'))
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  const date = nextDate()
  await choose(page, date)
  await block(page).getByLabel('Party size').selectOption('3')
  const time = (await slot(page).textContent())?.split(',')[0] ?? ''
  await slot(page).click()
  const prompt = page.getByRole('dialog', { name: 'Sign in to reserve' })
  await expect(prompt).toContainText('3 people')
  expect(await page.evaluate(() => localStorage.getItem('RN_MERCHANT_RESERVATION'))).toContain(date)
  await prompt.getByRole('link', { name: 'Sign in' }).click()
  await page
    .getByLabel(/Email|number/)
    .first()
    .fill(email)
  await page.getByRole('textbox', { name: /^Password/ }).fill('sourdough 4 breakfast')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(at('skyharbor', `/merchants/${merchant.id}`))
  const dialog = page.getByRole('dialog', { name: 'Confirm your table' })
  await expect(dialog).toContainText(`3 people`)
  await expect(dialog).toContainText(time)
  await expect(dialog).toContainText('You have no linked card yet. Link one before you dine')
  // It is restored once: the next visit of the restaurant opens no dialog.
  expect(await page.evaluate(() => localStorage.getItem('RN_MERCHANT_RESERVATION'))).toBe('')
  await expect(dialog.getByRole('timer')).toContainText(/We’re holding this table for you for [45]:\d\d/)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Reserve this table' }).click()
  const booked = page.getByRole('dialog', { name: 'Your table is reserved' })
  await expect(booked).toContainText(merchant.name)
  await expect(booked.getByRole('link', { name: 'Link a card' })).toHaveAttribute('href', '/account/manage_cards')
  const file = await page.evaluate(
    async (href) => (await fetch(href ?? '')).text(),
    await booked.getByRole('link', { name: 'Add to calendar' }).getAttribute('href'),
  )
  expect(file).toContain('BEGIN:VEVENT')
  await booked.getByRole('link', { name: 'My reservations' }).click()
  await expect(page).toHaveURL(at('skyharbor', '/account/reservations'))
  const entry = page.getByRole('listitem').filter({ hasText: merchant.name })
  await expect(entry).toContainText('3 people')
  await expect(entry).toContainText('This reservation earns 500 miles extra when you dine and pay with a linked card.')
  await expectAccessible(page)
  const { mails: emails } = await callApi(page, '/api/staging/outbox')
  const message = emails.find((m: { recipient: string }) => m.recipient === email)
  expect(message.subject).toContain(merchant.name)
  expect(message.attachments[0].content).toContain('BEGIN:VCALENDAR')
  await page.goto(at('skyharbor', '/staging-tools/outbox'))
  await page.getByText(message.subject).first().click()
  await expect(page.getByText(email).first()).toBeVisible()
  await expect(page.locator('summary').filter({ hasText: message.subject }).first()).toContainText('Stored here')
  await expectAccessible(page)
  await page.goto(at('skyharbor', '/account/reservations'))

  await entry.getByRole('button', { name: 'Change' }).click()
  const change = page.getByRole('dialog', { name: 'Change your reservation' })
  const changedTime = change.getByLabel('Time', { exact: true })
  await expect(changedTime.locator('option[value="06:00"]')).toHaveCount(0)
  await change.getByLabel('Party size').selectOption('20')
  await change.getByRole('button', { name: 'Save changes' }).click()
  await expect(change.getByRole('alert')).toHaveText('Choose one of the available times.')
  await changedTime.selectOption('20:00')
  await change.getByLabel('Party size').selectOption('2')
  await expect(change.getByRole('button', { name: '8:00 PM' })).toHaveAttribute('aria-pressed', 'true')
  await change.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Your reservation was changed.')).toBeVisible()
  await expect(entry).toContainText('2 people')
  await expect(entry).toContainText('8:00 PM')
  await entry.getByRole('button', { name: 'Change' }).click()
  await change.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Your reservation stays as it was.')).toBeVisible()

  await entry.getByRole('button', { name: 'Cancel' }).click()
  const cancel = page.getByRole('dialog', { name: 'Cancel this reservation?' })
  await expect(cancel).toContainText('You also lose the reservation bonus.')
  await cancel.getByRole('button', { name: 'Cancel reservation' }).click()
  await expect(page.getByText('Your reservation was canceled.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No upcoming reservations' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: merchant.name })).toContainText('Canceled')
})

test.describe('a rejection by a provider', () => {
  test.use({ tolerated: /status of (403|409|502)/ })
  test('RESV-010 RESV-011 RESV-012 ERR-024 shows the specified text', async ({ page }) => {
    const email = await joinViaApi(page, 'gallonaire')
    const merchant = await findMerchant(page, near, openAtSeven)
    const date = nextDate()
    const open = async () => {
      await page.goto(at('gallonaire', `/merchants/${merchant.id}`))
      await choose(page, date)
      await slot(page).click()
      return page.getByRole('dialog', { name: 'Confirm your table' })
    }
    await page.route('**/api/Member/Reservations', (route) =>
      route.fulfill({
        status: 502,
        json: { type: 'about:blank', title: '', status: 502, code: 'reservationFailed', reference: 'x' },
      }),
    )
    let dialog = await open()
    await dialog.getByRole('button', { name: 'Reserve this table' }).click()
    await expect(dialog.getByRole('alert')).toHaveText("We're unable to complete your reservation. Please try again.")
    await page.unroute('**/api/Member/Reservations')
    await dialog.getByRole('button', { name: 'Reserve this table' }).click()
    await expect(page.getByRole('dialog', { name: 'Your table is reserved' })).toBeVisible()
    dialog = await open()
    await expect(dialog.getByRole('alert')).toHaveText(
      'You already have a reservation at this location within two hours. Please try a different time.',
    )
    await callApi(page, '/api/staging/barred-diners', { method: 'PUT', body: { email, barred: true } })
    await page.goto(at('gallonaire', `/merchants/${merchant.id}`))
    await choose(page, nextDate())
    await slot(page).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
      'Your account has been deactivated with the reservation provider. Please try again with a different account.',
    )
    await callApi(page, '/api/staging/barred-diners', { method: 'PUT', body: { email, barred: false } })
    // The reservation starts while the question whether to cancel it is open.
    await page.goto(at('gallonaire', '/account/reservations'))
    const entry = page.getByRole('listitem').filter({ hasText: merchant.name })
    await entry.getByRole('button', { name: 'Cancel' }).click()
    await asOwner(
      `update reservations set starts_at = now(), clear_until = now() + interval '2 hours'
       where member_id = (select id from members where email = $1)`,
      [email],
    )
    dialog = page.getByRole('dialog', { name: 'Cancel this reservation?' })
    await dialog.getByRole('button', { name: 'Cancel reservation' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('This reservation can no longer be changed or canceled.')
    await dialog.getByRole('button', { name: 'Keep reservation' }).click()
    await expect(page.getByRole('heading', { name: 'No upcoming reservations' })).toBeVisible()
    await expect(entry.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  })

  test('a reservation that was moved in another tab is shown at its new time before it is canceled', async ({
    page,
  }) => {
    const { address, when, entry } = await openReservations(page)
    await entry.getByRole('button', { name: 'Cancel' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel this reservation?' })
    await expect(dialog).toContainText('7:00 PM')
    const moved = { ...when, time: '20:00' }
    await callApi(page, address, { method: 'PUT', body: moved })
    await dialog.getByRole('button', { name: 'Cancel reservation' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(
      'This reservation has been changed meanwhile. Please check it before you cancel it.',
    )
    await expect(dialog).toContainText('8:00 PM')
    await dialog.getByRole('button', { name: 'Cancel reservation' }).click()
    await expect(page.getByText('Your reservation was canceled.')).toBeVisible()
  })

  test('a reservation that was canceled in another tab cannot be changed, and is listed as canceled', async ({
    page,
  }) => {
    const { address, entry } = await openReservations(page)
    await entry.getByRole('button', { name: 'Change' }).click()
    await callApi(page, address, { method: 'DELETE' })
    const dialog = page.getByRole('dialog', { name: 'Change your reservation' })
    await dialog.getByLabel('Party size').selectOption('3')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('This reservation can no longer be changed or canceled.')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'No upcoming reservations' })).toBeVisible()
    await expect(entry.getByRole('button', { name: 'Change' })).toHaveCount(0)
  })
})

test('RESV-014 there is no block without a provider, without the feature, and in programs without sign-in', async ({
  page,
}) => {
  await openOrigin(page, 'skyharbor')
  const without = await findMerchant(page, 'location=10001', (m) => m.reservationProviders.length === 0)
  await page.goto(at('skyharbor', `/merchants/${without.id}`))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(without.name)
  await expect(block(page)).toHaveCount(0)
  const bookable = await findMerchant(page, near, openAtSeven)
  await page.goto(at('lantern', `/merchants/${bookable.id}`))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(bookable.name)
  await expect(block(page)).toHaveCount(0)
  // A program without the bonus also takes reservations and mentions no bonus.
  await page.goto(at('beacon', `/merchants/${bookable.id}`))
  await expect(block(page)).toBeVisible()
  await expect(block(page)).not.toContainText('when you reserve here')
})

test('a member whose session has ended is asked to sign in, and the chosen table is kept for the return', async ({
  page,
}) => {
  await joinViaApi(page, 'gallonaire')
  const merchant = await findMerchant(page, near, openAtSeven)
  await page.goto(at('gallonaire', `/merchants/${merchant.id}`))
  const date = nextDate()
  await choose(page, date)
  await page.context().clearCookies()
  await slot(page).click()
  await expect(page.getByRole('dialog', { name: 'Sign in to reserve' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('RN_MERCHANT_RESERVATION'))).toContain(date)
})

test('a visitor without an account joins, links a card, and returns to the chosen table', async ({ page }) => {
  await openOrigin(page, 'gallonaire')
  const merchant = await findMerchant(page, near, openAtSeven)
  await page.goto(at('gallonaire', `/merchants/${merchant.id}`))
  await choose(page, nextDate())
  await slot(page).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Join for free' }).click()
  const back = `returnTo=${encodeURIComponent(`/merchants/${merchant.id}`)}`
  await expect(page).toHaveURL(at('gallonaire', `/join?${back}`))
  await join(page)
  await expect(page).toHaveURL(at('gallonaire', `/add_card?${back}`))
  await linkCard(page, testCard())
  await expect(page).toHaveURL(at('gallonaire', `/card_added?${back}`))
  await page.getByRole('link', { name: 'Continue where you left off' }).click()
  await expect(page).toHaveURL(at('gallonaire', `/merchants/${merchant.id}`))
  await expect(page.getByRole('dialog', { name: 'Confirm your table' })).toBeVisible()
})

test('RESV-005 times follow the opening hours, a day off says so, and a conflict offers an alternative', async ({
  page,
}) => {
  await joinViaApi(page, 'gallonaire')
  // biome-ignore lint/suspicious/noExplicitAny: a restaurant's page has many shapes
  const closedOn = (m: any) => [0, 1, 2, 3, 4, 5, 6].find((weekday) => m.hours && !m.hours[weekday]?.length)
  const merchant = await findMerchant(page, near, (m) => closedOn(m) !== undefined)
  await page.goto(at('gallonaire', `/merchants/${merchant.id}`))
  const dates = Array.from({ length: 7 }, (_, index) =>
    new Date(Date.now() + (3 + index) * 86_400_000).toISOString().slice(0, 10),
  )
  const weekdayOf = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()
  await choose(page, dates.find((date) => weekdayOf(date) === closedOn(merchant)) ?? '')
  await expect(block(page).getByText('The restaurant is closed on this day.')).toBeVisible()
  const open = dates.find((date) => merchant.hours[weekdayOf(date)]?.length > 0) ?? ''
  await choose(page, open)
  const first = await block(page).getByLabel('Time', { exact: true }).locator('option').first().getAttribute('value')
  const opens = merchant.hours[weekdayOf(open)].map(([from]: [string, string]) => from).sort()[0]
  expect(first && first >= opens).toBe(true)
})

test('the tooltip of the bonus stays within a narrow window', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await openOrigin(page, 'skyharbor')
  const merchant = await findMerchant(page, near, openAtSeven)
  await page.goto(at('skyharbor', `/merchants/${merchant.id}`))
  await block(page).getByRole('button', { name: 'About the reservation bonus' }).focus()
  const tooltip = await page.getByRole('tooltip').filter({ hasText: 'pay with a linked card' }).boundingBox()
  expect(tooltip?.x ?? -1).toBeGreaterThanOrEqual(0)
  expect((tooltip?.x ?? 0) + (tooltip?.width ?? 999)).toBeLessThanOrEqual(375)
})
