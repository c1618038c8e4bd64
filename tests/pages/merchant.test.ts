import { fireEvent, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { asOwner, visit } from '../support/app.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { findMerchant, insertCard, newMemberWithCard } from '../support/page-members.ts'

const app = setUpPages()

const near = 'location=10001&radius=50'

/** Types into a field as its whole content. */
async function fill({ user }: Awaited<ReturnType<typeof openPage>>, field: HTMLElement, text: string) {
  await user.clear(field)
  if (text) await user.type(field, text)
}

test('MERCH-001 MERCH-009 MERCH-010 MERCH-011 MERCH-015 offers show their days from Sunday on and their limits; members’ offers require a sign-in', async () => {
  const limited = await findMerchant(
    visit(app, 'skyharbor'),
    near,
    (m) => m.offers[0]?.type === 'Limited' && m.offers[0].maxVisitsPerMonth,
  )
  const findPanel = async ({ screen }: Awaited<ReturnType<typeof openPage>>) =>
    within(await screen.findByRole('region', { name: 'What this meal earns' }))
  const panel = await findPanel(await openPage(app, 'skyharbor', `/merchants/${limited.id}`))
  const [week] = panel.getAllByRole('list', { name: 'Earns on' })
  const days = within(week as HTMLElement).getAllByRole('listitem')
  expect(days).toHaveLength(7)
  const texts = days.map(({ textContent }) => textContent ?? '')
  expect(texts.map((text) => text.slice(0, 3))).toEqual(['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'])
  expect(texts.map((text) => /: earns$/.test(text))).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((day) => limited.offers[0].days.includes(day)),
  )
  expect(panel.getByText('Limited offer.')).toBeVisible()
  const visits = `Earn on up to ${limited.offers[0].maxVisitsPerMonth} of your visits each month.`
  const [terms] = panel.getAllByText((_, element) => element?.tagName === 'P' && hasText(element, visits))
  expect(terms).toBeVisible()
  expect(terms).toHaveTextContent('Each payment counts as a visit.')
  expect(panel.getByRole('link', { name: 'Sign in to see offers' })).toHaveAttribute(
    'href',
    `/login?returnTo=${encodeURIComponent(`/merchants/${limited.id}`)}`,
  )
  const unlimited = await findMerchant(visit(app, 'skyharbor'), near, (m) => m.offers[0]?.type === 'Unlimited')
  const other = await findPanel(await openPage(app, 'beacon', `/merchants/${unlimited.id}`))
  const offer = other.getByText((_, element) => element?.tagName === 'P' && hasText(element, 'Unlimited offer.'))
  expect(offer).toHaveTextContent('Unlimited offer. No limit on visits or amounts.')
  expect(other.getByRole('link', { name: 'Sign in to see offers' })).toHaveAttribute(
    'href',
    `/Login?returnTo=${encodeURIComponent(`/merchants/${unlimited.id}`)}`,
  )
})

const hasText = (element: Element, text: string) => (element.textContent ?? '').includes(text)

test('the earnings of a bill are computed at once, also for other days, with the reason when it earns nothing', async () => {
  const merchant = await findMerchant(
    visit(app, 'skyharbor'),
    near,
    (m) =>
      m.offers.length === 1 &&
      m.offers[0].type === 'Unlimited' &&
      m.offers[0].ratePercent === 100 &&
      m.offers[0].days.length === 7,
  )
  const page = await openPage(app, 'skyharbor', `/merchants/${merchant.id}`)
  const { user, screen } = page
  // The example for visitors uses the rate of members, not the VIP rate, which takes eleven dines.
  expect(await screen.findByText('A bill of $60.00 earns members 180 miles.')).toBeVisible()
  expect(screen.getByText('3 miles per dollar for members who receive our emails')).toBeVisible()
  expect(screen.getByText('5 miles per dollar for VIP members')).toBeVisible()
  const bill = screen.getByLabelText('Bill with tax and tip')
  for (const [typed, sentence] of [
    ['100', 'A bill of $100.00 earns members 300 miles.'],
    ['$80', 'A bill of $80.00 earns members 240 miles.'],
    ['1,000', 'A bill of $1,000.00 earns members 3,000 miles.'],
  ] as const) {
    await fill(page, bill, typed)
    expect(await screen.findByText(sentence)).toBeVisible()
  }
  for (const typed of ['a lot', '0', '']) {
    await fill(page, bill, '5')
    await vi.waitFor(() => expect(bill).toBeValid(), 20_000)
    expect(await screen.findByText(/A bill of/)).toBeVisible()
    await fill(page, bill, typed)
    const wrong = 'Enter an amount from $0.01 to $99,999.99, such as 60, 72.50 or 1,000.'
    expect(await screen.findByText(wrong)).toBeVisible()
    expect(screen.queryByText(/A bill of/)).toBeNull()
  }
  expect(screen.getByText(/gift cards you buy/)).not.toBeVisible()
  await user.click(screen.getByText('What does not count'))
  expect(screen.getByText(/gift cards you buy/)).toBeVisible()
  const picky = await findMerchant(page.visitor, near, (m) => m.offers.length === 1 && m.offers[0].days.length < 6)
  const off = [0, 1, 2, 3, 4, 5, 6].find((day) => !picky.offers[0].days.includes(day)) as number
  // 3 January 2027 is a Sunday.
  const other = await page.goto(`/merchants/${picky.id}`)
  await other.user.click(await other.screen.findByText('On another day or time'))
  const [date] = other.screen.getAllByLabelText('Date')
  expect(date).toBeVisible()
  await other.user.type(date as HTMLElement, `2027-01-${String(3 + off).padStart(2, '0')}`)
  expect(await other.screen.findByText('A bill of $60.00 earns nothing.')).toBeVisible()
  expect(await other.screen.findByText(/offers no reward on/)).toBeVisible()
})

interface Found {
  offers: { hours: unknown; minSpendCents: number }[]
}

test('an offer with hours or a minimum bill shows them in the search and on the page, and the calculator applies them', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  for (const [fits, card, terms] of [
    [({ offers: [offer] }: Found) => Boolean(offer?.hours), '4 PM to 6:30 PM', 'From 4 PM to 6:30 PM.'],
    [
      ({ offers: [offer] }: Found) => (offer?.minSpendCents ?? 0) > 0,
      'meals of $25.00 or more',
      'Meals of $25.00 or more.',
    ],
  ] as const) {
    const merchant = await findMerchant(visitor, near, fits)
    const search = `/search?restaurantOrCuisine=${encodeURIComponent(merchant.name)}&${near}`
    const found = await openPage(app, 'skyharbor', search, { visitor })
    await vi.waitFor(() => {
      const article = document.querySelector(`[data-merchant="${merchant.id}"]`)
      expect(article).toHaveTextContent(card)
    }, 20_000)
    const page = await found.goto(`/merchants/${merchant.id}`)
    const { user, screen } = page
    expect(await screen.findByText((_, element) => element?.tagName === 'P' && hasText(element, terms))).toBeVisible()
    if (card !== '4 PM to 6:30 PM') {
      await fill(page, await screen.findByLabelText('Bill with tax and tip'), '24.99')
      expect(await screen.findByText('A bill of $24.99 earns nothing.')).toBeVisible()
      continue
    }
    // A time alone is one of today.
    await user.click(await screen.findByText('On another day or time'))
    const [time] = screen.getAllByLabelText('Time')
    fireEvent.input(time as HTMLElement, { target: { value: '20:00' } })
    await vi.waitFor(() => {
      const requested = page.requests.filter(({ path }) => path.includes('time=20%3A00'))
      expect(requested).toHaveLength(1)
      expect(requested[0]?.path).not.toContain('date=')
    }, 20_000)
    expect(await screen.findByText('A bill of $60.00 earns nothing.')).toBeVisible()
  }
})

test('PART-036 the fuel program shows on the page that debit cards must be used without a PIN', async () => {
  const merchant = await findMerchant(
    visit(app, 'gallonaire'),
    near,
    (m) => m.offers[0]?.type === 'Unlimited' && m.offers[0].days.length === 7,
  )
  const { user, screen } = await openPage(app, 'gallonaire', `/merchants/${merchant.id}`)
  await user.click(await screen.findByText('What does not count'))
  expect(screen.getByText(/debit cards used with a PIN: ask for credit instead/)).toBeVisible()
})

test('the calculator considers the card, and debit with a PIN', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'gallonaire')
  await insertCard(app, email)
  await asOwner(
    app,
    `update cards set last_four = '7777', linked_at = now() + interval '1 day' where id = (select max(c.id) from cards c join members m on m.id = c.member_id where m.email = $1)`,
    [email],
  )
  const { id } = await findMerchant(visitor, 'location=10001', ({ offers }) => offers[0]?.type === 'Unlimited')
  const page = await openPage(app, 'gallonaire', `/merchants/${id}`, { visitor })
  const { user, screen } = page
  await fill(page, await screen.findByLabelText('Bill with tax and tip'), '120')
  expect(await screen.findByText('A bill of $120.00 earns 20¢ per gallon.')).toBeVisible()
  await user.click(screen.getByText('Paying with'))
  const pin = screen.getByLabelText('A debit card with a PIN')
  expect(pin).toBeVisible()
  await user.click(pin)
  expect(pin).toBeChecked()
  expect(await screen.findByText(/This meal was paid by debit card with a PIN, which doesn’t earn\./)).toBeVisible()
  await user.click(pin)
  expect(pin).not.toBeChecked()
  // The card earns from tomorrow, so today is too early.
  await user.selectOptions(screen.getByLabelText('Card'), 'Visa ending in 7777')
  expect(await screen.findByText(/Your card was linked on/)).toBeVisible()
  // Neither choice resets the other.
  const lastRequest = () => page.calls(`GET /api/v2/Merchants/${id}/Earn`).at(-1)?.path
  await user.click(pin)
  await vi.waitFor(() => expect(lastRequest()).toMatch(/card=.*pin=true/), 20_000)
  const both = lastRequest()
  await user.selectOptions(screen.getByLabelText('Card'), 'Visa ending in 4242')
  await vi.waitFor(() => expect(lastRequest()).not.toBe(both), 20_000)
  expect(lastRequest()).toMatch(/card=.*pin=true/)
  await user.click(screen.getByText('On another day or time'))
  const before = new Date(Date.now() - 86_400_000 * 2).toISOString().slice(0, 10)
  await user.type(within(screen.getByRole('region', { name: 'What this meal earns' })).getByLabelText('Date'), before)
  expect(await screen.findByText('Choose today or a later day.')).toBeVisible()
  expect(screen.queryByText(/A bill of/)).toBeNull()
})

test('MERCH-002 MERCH-004 MERCH-005 MERCH-006 MERCH-007 the page has menu, telephone, directions, reviews and events', async () => {
  const merchant = await findMerchant(
    visit(app, 'skyharbor'),
    near,
    (m) =>
      m.menuUrl &&
      m.events.length > 0 &&
      m.menus.length > 0 &&
      m.details.rating.numberOfRatings > 6 &&
      m.location.phone,
  )
  let isFailing = false
  const { user, screen, visitor } = await openPage(app, 'skyharbor', `/merchants/${merchant.id}`, {
    responder: ({ path }) => (isFailing && path.includes('/Reviews?') ? { status: 404, body: {} } : undefined),
  })
  const menu = await screen.findByRole('link', { name: 'See the full menu' })
  expect(menu).toHaveAttribute('href', merchant.menuUrl)
  expect(menu).toHaveAttribute('target', '_blank')
  const pictures = within(screen.getByRole('list', { name: 'Menu photos' })).getAllByRole('button')
  expect(pictures).toHaveLength(merchant.menus.length)
  await user.click(pictures[0] as HTMLElement)
  const large = within(await screen.findByRole('dialog')).getByRole('img')
  expect(large).toBeVisible()
  const picture = await visitor.get(large.getAttribute('src') ?? '')
  expect(picture.status).toBe(200)
  expect(picture.headers['content-type']).toMatch(/^image\/svg\+xml/)
  expect(picture.text).toMatch(/^<svg [^>]*width="600"/)
  await user.keyboard('{Escape}')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  // A click beside the dialog closes it, too; one within does not.
  await user.click(pictures[0] as HTMLElement)
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('img'))
  expect(dialog).toHaveAttribute('open')
  // Later than the second click of a double one.
  await new Promise((resolve) => setTimeout(resolve, 600))
  fireEvent.click(dialog)
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  expect(screen.getByRole('link', { name: /^Call/ })).toHaveAttribute('href', expect.stringMatching(/^tel:\+1\d{10}$/))
  const { latitude, longitude } = merchant.location
  expect(screen.getByRole('link', { name: 'Directions' })).toHaveAttribute(
    'href',
    expect.stringContaining(`to=${latitude},${longitude}`),
  )
  expect(screen.getByText(merchant.events[0].title)).toBeVisible()
  const heading = await screen.findByRole('heading', { name: 'Reviews' })
  const reviews = within(heading.closest('section') as HTMLElement)
  const first = reviews.getAllByRole('listitem')[0]?.textContent
  await user.click(reviews.getByRole('button', { name: 'Previous' }))
  expect(reviews.getByText(/^Page 1 of/)).toBeVisible()
  // A page that cannot be loaded says so, and leaves the choice of another one.
  isFailing = true
  await user.click(reviews.getByRole('button', { name: 'Next' }))
  expect(await reviews.findByRole('alert')).toHaveTextContent('Check your connection and try again.')
  expect(reviews.queryByText('No reviews yet.')).toBeNull()
  expect(reviews.getByText(/^Page 2 of/)).toBeVisible()
  expect(heading).toHaveFocus()
  isFailing = false
  await user.click(reviews.getByRole('button', { name: 'Try again' }))
  await vi.waitFor(() => expect(reviews.getAllByRole('listitem')[0]?.textContent).not.toBe(first), 20_000)
  expect(heading).toHaveFocus()
})

test('MERCH-003 after the dialog with links to order was closed, Back leads to the page before it', async () => {
  const visitor = visit(app, 'skyharbor')
  const merchant = await findMerchant(visitor, near, (m) => m.ordering.length > 0)
  const search = `/search?restaurantOrCuisine=${encodeURIComponent(merchant.name)}&${near}`
  const page = await openPage(app, 'skyharbor', search, { visitor })
  const address = `/merchants/${merchant.id}`
  const card = await vi.waitFor(() => {
    const article = document.querySelector<HTMLElement>(`[data-merchant="${merchant.id}"]`)
    expect(article).not.toBeNull()
    return article as HTMLElement
  }, 20_000)
  await page.user.click(within(card).getAllByRole('link')[0] as HTMLElement)
  await page.user.click(await page.screen.findByRole('link', { name: 'Order online' }))
  const dialog = await page.screen.findByRole('dialog', { name: 'Order online' })
  const entries = window.history.length
  await page.user.click(within(dialog).getByRole('button', { name: 'Close' }))
  await vi.waitFor(() => expect(page.screen.queryByRole('dialog')).toBeNull(), 20_000)
  expect(page.address).toBe(address)
  // The entry of the dialog has become one of the page.
  expect(window.history.length).toBe(entries)
  page.back()
  page.back()
  await vi.waitFor(() => expect(page.address).toMatch(/^\/search\?/), 20_000)
  expect(page.screen.queryByRole('dialog')).toBeNull()
})

test('ROUTE-042 another page of a city starts with the focus on its number, also with Back', async () => {
  const page = await openPage(app, 'skyharbor', '/restaurants/new-york-ny')
  const { user, screen } = page
  const start = (text: RegExp) => screen.findByText(text, { selector: 'header p' })
  expect(await start(/^[\d,]+ restaurants where you earn miles/)).not.toHaveFocus()
  const pages = () => within(screen.getByRole('navigation', { name: 'Pages of results' }))
  expect(pages().queryByRole('link', { name: 'Previous' })).toBeNull()
  await user.click(pages().getByRole('link', { name: 'Next' }))
  const second = await start(/Page 2 of \d+$/)
  await vi.waitFor(() => expect(second).toHaveFocus(), 20_000)
  expect(page.address).toBe('/restaurants/new-york-ny?pageNo=2')
  expect(pages().getByRole('link', { current: 'page' })).toHaveAccessibleName('Page 2')
  expect(pages().getByRole('link', { name: 'Previous' })).toHaveAttribute('href', '/restaurants/new-york-ny')
  pages().getByRole('link', { name: 'Next' }).focus()
  page.back()
  await vi.waitFor(() => expect(page.address).toBe('/restaurants/new-york-ny'), 20_000)
  await vi.waitFor(() => expect(document.activeElement).toHaveTextContent(/restaurants where you earn miles/), 20_000)
})

test('MERCH-012 ERR-017 ERR-020 an unknown restaurant has its own page with status 404', async () => {
  const page = await openPage(app, 'orchard', '/merchants/no-such-place')
  expect((await page.visitor.get('/merchants/no-such-place')).status).toBe(404)
  // Longer than any id.
  for (const end of ['', '/order-online'])
    expect((await page.visitor.get(`/merchants/${'x'.repeat(121)}${end}`)).status).toBe(404)
  const { user, screen } = page
  expect(await screen.findByRole('heading', { name: 'We could not find this restaurant' })).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Search restaurants' }))
  expect(await screen.findByRole('combobox', { name: /Restaurant/ })).toBeVisible()
  expect(page.address).toMatch(/^\/search/)
})

test('MERCH-016 ROUTE-043 the page has structured data and a social image', async () => {
  const visitor = visit(app, 'skyharbor')
  const merchant = await findMerchant(visitor, near, (m) => m.hours && m.details.rating.numberOfRatings > 0)
  await openPage(app, 'skyharbor', `/merchants/${merchant.id}`, { visitor })
  // Scripts leave out what only search engines read.
  const { text: html } = await visitor.get(`/merchants/${merchant.id}`, { accept: 'text/html' })
  const described = /<article.*?<script [^>]*type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1]
  const data = JSON.parse(described ?? '')
  expect(data).toMatchObject({ '@type': 'Restaurant', name: merchant.name, servesCuisine: merchant.details.cuisines })
  expect(data.address.addressLocality).toBe(merchant.location.address.city)
  const image = document.querySelector('meta[property="og:image"]')?.getAttribute('content')
  const { headers } = await visitor.get(new URL(image ?? '').pathname)
  expect(headers['content-type']).toBe('image/png')
})
