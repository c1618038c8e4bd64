import { fireEvent, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { openPage, type Responder, type StubResponse, setUpPages } from '../support/page-dom.ts'
import { findMerchant, insertTransactions, newMemberWithCard } from '../support/page-members.ts'

const app = setUpPages()

test('SESS-013 a transaction shows the restaurant’s local time and opens its timeline', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  const { id: merchantId, name } = await findMerchant(visitor, 'location=10001')
  const { cards } = (await visitor.get('/api/staging/cards')).json()
  const body = { cardId: cards[0].id, merchantId, amount: '40.00', event: 'auth' }
  const { transactionId } = (await visitor.change('POST', '/api/staging/dine', body)).json()
  const clearing = { ...body, amount: '46.00', event: 'clearing', transactionId }
  expect((await visitor.change('POST', '/api/staging/dine', clearing)).status).toBe(200)
  const page = await openPage(app, 'skyharbor', '/account/recent_activity', { visitor })
  const [first] = await page.screen.findAllByText('Why?')
  const row = first?.closest('li') as HTMLElement
  expect(row).toHaveTextContent(name)
  await page.user.click(first as HTMLElement)
  expect(await within(row).findByText(`Card ending in 4242 used at ${name}: $40.00`)).toBeVisible()
  expect(within(row).getByText('Charged: $46.00, $6.00 more than first authorized (the tip)')).toBeVisible()
  expect(within(row).getByText('How it adds up')).toBeVisible()
  // Tests run in another time zone than the restaurant's. Times in the timeline use the same one as the row.
  const local = (at: string | null | undefined, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'America/New_York' }).format(new Date(at ?? ''))
  const seen = row.querySelector('ol time')
  const seenAt = seen?.getAttribute('datetime')
  expect(seen?.textContent).toBe(local(seenAt, { dateStyle: 'medium', timeStyle: 'short' }))
  const dined = row.querySelector('time')
  const dinedAt = dined?.getAttribute('datetime')
  expect(dined?.textContent).toBe(local(dinedAt, { dateStyle: 'medium' }) + local(dinedAt, { timeStyle: 'short' }))
  expect(new Date().getTimezoneOffset()).not.toBe(300)
  // Without a session it leads to sign in, and back to the same part of the list.
  const filtered = '/account/recent_activity?status=earned'
  const without = await page.goto(filtered)
  const [why] = await without.screen.findAllByText('Why?')
  visitor.cookies.clear()
  await without.user.click(why as HTMLElement)
  const signIn = `/login?returnTo=${encodeURIComponent(filtered)}`
  await vi.waitFor(() => expect(without.left ?? without.address).toBe(signIn), 20_000)
})

test('HIST-023 a review that was sent in its tab shows when the member comes back', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'orchard')
  const pending = { merchantName: 'Reviewed Place', ago: 1, status: 'Pending', unit: 'point' }
  await insertTransactions(app, email, [pending])
  let [isSent, fails] = [false, true]
  const responder: Responder = ({ path }) => {
    if (fails && path.endsWith('/Story')) return { status: 500 }
    if (!path.startsWith('/api/reviews/status?')) return
    const ids = new URLSearchParams(path.split('?')[1]).getAll('txnId')
    return { body: ids.map((id) => ({ id, completed: isSent })) }
  }
  const page = await openPage(app, 'orchard', '/account/recent_activity', { visitor, responder })
  const { user, screen } = page
  const review = { name: 'Review this meal to earn Reviewed Place (opens in a new tab)' }
  expect(await screen.findByRole('link', review)).toBeVisible()
  isSent = true
  document.dispatchEvent(new Event('visibilitychange'))
  expect(await screen.findByText('Reviewed', { exact: true })).toBeVisible()
  expect(screen.queryByRole('link', review)).toBeNull()
  // A timeline that could not be loaded is requested again when it is opened again.
  const why = screen.getByText('Why?')
  await user.click(why)
  expect(await screen.findByText('We can’t show the details of this meal right now.')).toBeVisible()
  fails = false
  await user.click(why)
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull(), 20_000)
  await user.click(why)
  await vi.waitFor(() => expect(page.requests.filter(({ path }) => path.endsWith('/Story'))).toHaveLength(2), 20_000)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a restaurant that is chosen from the list replaces the explanation, and is looked up by its id', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  const { name } = await findMerchant(visitor, 'location=10001')
  const page = await openPage(app, 'skyharbor', '/account/missing_meal', { visitor })
  const { user, screen } = page
  const field = screen.getByRole('combobox', { name: /^Restaurant/ })
  const requests = () => page.requests.filter(({ path }) => path.startsWith('/api/Member/MissingMeals'))
  const findings = () => screen.queryByText(/^(Here’s why|We can’t explain it yet|It may still be on its way)$/)
  const day = new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10)
  fireEvent.input(screen.getByLabelText(/^Date/), { target: { value: day } })
  await user.type(screen.getByLabelText(/Bill with tax/), '48')
  await user.type(field, name.slice(0, -1))
  const [option] = within(await screen.findByRole('listbox')).getAllByRole('option')
  await user.click(screen.getByRole('button', { name: 'Find out' }))
  await vi.waitFor(() => expect(findings()).not.toBeNull(), 20_000)
  expect(requests()[0]?.body).toMatchObject({ merchantName: name.slice(0, -1) })
  expect(requests()[0]?.body).not.toHaveProperty('merchantId')
  await user.click(field)
  await user.keyboard('{ArrowDown}{Enter}')
  expect(field).toHaveValue(option?.textContent)
  await vi.waitFor(() => expect(findings()).toBeNull(), 20_000)
  expect(requests()).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Find out' }))
  await vi.waitFor(() => expect(requests()).toHaveLength(2), 20_000)
  const { merchantId, merchantName } = requests()[1]?.body ?? {}
  expect((await visitor.get(`/api/v2/Merchants/${merchantId}`)).json().name).toBe(merchantName)
})

test('HIST-024 a member who misses a transaction gets the reason at once, or else can open a claim', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  const { promise: changed, resolve: release } = Promise.withResolvers<void>()
  let isHeld = false
  const failures: StubResponse[] = []
  const page = await openPage(app, 'skyharbor', '/account/recent_activity', {
    visitor,
    async responder({ method, path }) {
      if (method === 'POST' && path === '/api/Member/Claims') return failures.shift()
      if (isHeld && path.startsWith('/api/Member/MissingMeals')) await changed
      return undefined
    },
  })
  const { user, screen } = page
  await user.click(await screen.findByRole('link', { name: 'Why didn’t I earn?' }))
  const find = await screen.findByRole('button', { name: 'Find out' })
  expect(page.address).toBe('/account/missing_meal')
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const date = screen.getByLabelText(/^Date/)
  const name = screen.getByRole('combobox', { name: /^Restaurant/ })
  const bill = screen.getByLabelText(/Bill with tax/)
  const setDate = (value: string) => fireEvent.input(date, { target: { value } })
  async function fill(field: HTMLElement, text: string) {
    await user.clear(field)
    await user.type(field, text)
  }
  const queryOpen = () => screen.queryByRole('button', { name: 'Open a claim' })
  await vi.waitFor(() => expect(date).toHaveAttribute('max', new Date().toLocaleDateString('en-CA')), 20_000)
  await user.click(find)
  await vi.waitFor(() => expect(date).toBeInvalid(), 20_000)
  expect(date).toHaveAccessibleDescription('Enter the date of your meal: today or earlier.')
  await fill(name, 'Nowhere Diner')
  await fill(bill, '48')
  // A day that has begun nowhere.
  setDate(day(-2))
  await user.click(find)
  expect(date).toBeInvalid()
  expect(page.requests.filter(({ path }) => path.startsWith('/api/Member/MissingMeals'))).toEqual([])
  setDate(day(10))
  await user.click(find)
  expect(await screen.findByText('It may still be on its way')).toBeVisible()
  expect(queryOpen()).toBeNull()
  setDate(day(11))
  // An explanation that arrives after the amount was changed opens no claim about the previous amount.
  isHeld = true
  await fill(bill, '12')
  await user.click(find)
  expect(await screen.findByText('Looking…')).toBeVisible()
  await fill(bill, '48')
  release()
  expect(await screen.findByRole('button', { name: 'Find out' })).toBeVisible()
  expect(queryOpen()).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Find out' }))
  const unexplained = (await screen.findByText('We can’t explain it yet')).closest('[tabindex]')
  expect(unexplained).toHaveFocus()
  await user.type(screen.getByLabelText('Anything we should know'), 'Table by the window.')
  const attach = (content: string, fileName: string, type: string) => {
    const chosen = new DataTransfer()
    chosen.items.add(new File([content], fileName, { type }))
    const receipt = screen.getByLabelText(/Receipt/) as HTMLInputElement
    receipt.files = chosen.files
    fireEvent.change(receipt)
  }
  attach('not a picture', 'receipt.png', 'image/png')
  await user.click(screen.getByRole('button', { name: 'Open a claim' }))
  expect(await screen.findByText('Choose a photo (JPEG, PNG or WebP) or a PDF.')).toBeVisible()
  const receipt = screen.getByLabelText(/Receipt/)
  expect(receipt).toHaveFocus()
  expect(receipt).toHaveAccessibleDescription('Choose a photo (JPEG, PNG or WebP) or a PDF.')
  const note = screen.getByLabelText('Anything we should know')
  note.focus()
  attach('x'.repeat(2 * 1024 * 1024 + 1), 'receipt.pdf', 'application/pdf')
  await user.click(await screen.findByRole('button', { name: 'Open a claim' }))
  expect(await screen.findByText('This file is larger than 2 MB. Choose a smaller one.')).toBeVisible()
  expect(receipt).toHaveFocus()
  expect(page.calls('POST /api/Member/Claims')).toHaveLength(1)
  attach('%PDF-1.7 a receipt', `${'receipt '.repeat(20)}.pdf`, 'application/pdf')
  // What the server says of the receipt is at its field, anything else above the form.
  failures.push({ status: 400, body: [{ field: 'receipt.content', message: 'This is no PDF.' }] }, { status: 500 })
  await user.click(screen.getByRole('button', { name: 'Open a claim' }))
  await vi.waitFor(() => expect(receipt).toHaveAccessibleDescription('This is no PDF.'), 20_000)
  expect(screen.queryByText('ERROR')).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Open a claim' }))
  expect(await screen.findByText(/Something went wrong/)).toBeVisible()
  expect(receipt).not.toBeInvalid()
  await user.click(await screen.findByRole('button', { name: 'Open a claim' }))
  const opened = await screen.findByText(/^Your claim is open\. We’ll answer by /)
  expect(opened).toBeVisible()
  const findClaim = (text: string) =>
    vi.waitFor(() => {
      const claims = screen.getAllByRole('listitem').filter(({ textContent }) => textContent?.includes(text))
      expect(claims).toHaveLength(1)
      return claims[0] as HTMLElement
    }, 20_000)
  const claim = await findClaim('$48.00 at Nowhere Diner')
  expect(claim).toHaveTextContent('Receipt attached.')
  const by = (text: string | null) => Date.parse(text?.match(/answer by (\w+ \d+, \d+)/)?.[1] ?? '')
  expect(by(claim.textContent)).toBe(by(opened.textContent))
  expect(by(claim.textContent)).not.toBeNaN()
  await user.click(find)
  expect(await screen.findByText('You’ve already asked our team')).toBeVisible()
  // A similar meal of the day before is in the history: the member can say that it is another one.
  await insertTransactions(app, email, [{ merchantName: 'Corner Bistro', cents: 48_00, ago: 12 }])
  await fill(name, 'Corner Bistro')
  await user.click(find)
  expect(await screen.findByText('We found this meal')).toBeVisible()
  expect(queryOpen()).toBeNull()
  await user.click(screen.getByRole('button', { name: 'This is a different meal' }))
  await user.click(await screen.findByRole('button', { name: 'Open a claim' }))
  expect(await findClaim('$48.00 at Corner Bistro')).toBeVisible()
  // A meal that can still be reported is waited for.
  await insertTransactions(app, email, [{ merchantName: 'Corner Bistro', cents: 60_00, ago: 2 }])
  setDate(day(1))
  await fill(bill, '60')
  await user.click(find)
  await user.click(await screen.findByRole('button', { name: 'This is a different meal' }))
  expect(await screen.findByText(/Rewards can take up to 10 days to show\./)).toBeVisible()
  expect(queryOpen()).toBeNull()
})

test('two restaurants of one name and city have their streets in the suggestions, and the chosen one is meant', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  const found = (await visitor.get('/api/v2/Merchants/Search?location=10001')).json()
  const [first, second] = found.merchants
  const { name, location } = first
  const branch = (id: string, address1: string) => ({
    ...first,
    id,
    location: { ...location, address: { ...location.address, address1 } },
  })
  // The same restaurant twice is one suggestion.
  const merchants = [first, first, branch(second.id, '9 Other Street')]
  const responder: Responder = ({ path }) =>
    path.startsWith('/api/v2/Merchants/Search') ? { body: { ...found, merchants } } : undefined
  const page = await openPage(app, 'skyharbor', '/account/missing_meal', { visitor, responder })
  const { user, screen } = page
  const box = await screen.findByRole('combobox', { name: /^Restaurant/ })
  await user.type(box, name)
  const { address1, city } = location.address
  expect(await screen.findByRole('option', { name: `${name}, ${address1}, ${city}` })).toBeVisible()
  await user.click(screen.getByRole('option', { name: `${name}, 9 Other Street, ${city}` }))
  expect(box).toHaveValue(`${name}, 9 Other Street, ${city}`)
  fireEvent.input(screen.getByLabelText(/^Date/), {
    target: { value: new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10) },
  })
  await user.type(screen.getByLabelText(/Bill with tax/), '48')
  await user.click(screen.getByRole('button', { name: 'Find out' }))
  await vi.waitFor(() => {
    const [call] = page.calls('POST /api/Member/MissingMeals')
    expect(call?.body).toMatchObject({ merchantName: name, merchantId: second.id })
  }, 20_000)
})
