import { fireEvent, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { type OpenPage, openPage, type Responder, setUpPages } from '../support/page-dom.ts'
import { newMemberWithCard } from '../support/page-members.ts'

const app = setUpPages()

const daysAgo = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10)

/** Goes to the form as members do, so that the page itself requests the claims. */
async function openForm(page: OpenPage): Promise<void> {
  await page.user.click(await page.screen.findByRole('link', { name: 'Why didn’t I earn?' }))
  await page.screen.findByRole('button', { name: 'Find out' })
}

const setDate = ({ screen }: OpenPage, value: string) =>
  fireEvent.input(screen.getByLabelText(/^Date/), { target: { value } })
const submit = ({ screen, user }: OpenPage) => user.click(screen.getByRole('button', { name: 'Find out' }))
const lookups = (page: OpenPage) => page.calls('POST /api/Member/MissingMeals').map(({ body }) => body)

test('a lookup names the card, and the restaurant only when its name is that of one', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  const [{ id: cardId }] = (await visitor.get('/api/Member/Cards')).json()
  const found = (await visitor.get('/api/v2/Merchants/Search?location=10001')).json()
  const place = (id: string, name: string, city: string) => ({
    ...found.merchants[0],
    id,
    name,
    location: { ...found.merchants[0].location, address: { city } },
  })
  const merchants = [
    place('twin-here', 'Twin Diner', 'Here'),
    place('twin-there', 'Twin Diner', 'There'),
    place('single', 'Single Diner', 'Here'),
  ]
  let outcome = 'explained'
  const responder: Responder = ({ path }) => {
    if (path.startsWith('/api/v2/Merchants/Search')) return { body: { ...found, merchants } }
    if (path !== '/api/Member/MissingMeals') return
    const line = outcome === 'found' && { transactionId: 'found-1', period: '2026-03' }
    return { body: { outcome, findings: [{ key: 'claims.no_card', params: {} }], ...line } }
  }
  const page = await openPage(app, 'skyharbor', '/account/missing_meal', { visitor, responder })
  const { screen, user } = page
  const field = screen.getByRole('combobox', { name: /^Restaurant/ })
  const announced = () => field.closest('form')?.textContent ?? ''
  const findings = async () =>
    within((await screen.findByText(/No card was linked/)).closest('[role=status]') as HTMLElement)
  setDate(page, daysAgo(12))
  await user.type(screen.getByLabelText(/Bill with tax/), '48')
  for (const typed of ['Twin Diner', 'single diner']) {
    await user.clear(field)
    await user.type(field, typed)
    await screen.findByRole('option', { name: 'Single Diner, Here' })
    expect(announced()).toContain('3 restaurants')
    await submit(page)
    expect((await findings()).queryByRole('link')).toBeNull()
  }
  outcome = 'found'
  await user.selectOptions(screen.getByLabelText('Paid with'), cardId)
  await submit(page)
  expect((await findings()).getByRole('link')).toHaveAttribute(
    'href',
    '/account/recent_activity?period=2026-03#meal-found-1',
  )
  const meal = { date: daysAgo(12), amount: '48' }
  expect(lookups(page)).toEqual([
    { ...meal, merchantName: 'Twin Diner' },
    { ...meal, merchantName: 'Single Diner', merchantId: 'single' },
    { ...meal, merchantName: 'Single Diner', merchantId: 'single', cardId },
  ])
})

const claim = {
  id: 'claim',
  date: '2026-03-10',
  merchantName: 'Corner Bistro',
  amount: 48,
  openedAt: '2026-03-20T12:00:00.000Z',
  answerBy: '2026-03-25T12:00:00.000Z',
  hasReceipt: false,
  decision: null,
}

test('the list of claims has the decision of each, with the words of the operator, and its receipt', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  const at = '2026-03-22T12:00:00.000Z'
  const claims = [
    { ...claim, id: '1', hasReceipt: true },
    { ...claim, id: '2', hasReceipt: true, decision: { code: 'credited', words: 'Sorry for that.', at } },
    { ...claim, id: '3', decision: { code: 'noEvidence', words: '', at } },
  ]
  const responder: Responder = ({ path }) => (path === '/api/Member/Claims' ? { body: claims } : undefined)
  const page = await openPage(app, 'skyharbor', '/account/recent_activity', { visitor, responder })
  await openForm(page)
  const items = page.screen.getAllByRole('listitem').filter(({ textContent }) => /Corner Bistro/.test(textContent))
  const texts = items.map(({ textContent }) => textContent.replace('$48.00 at Corner Bistro, Mar 10, 2026', '').trim())
  expect(texts).toEqual([
    'Open. We’ll answer by Mar 25, 2026. Receipt attached.',
    'Credited. It’s in your history. Receipt attached.Sorry for that.',
    'We found no record of it. If you have a receipt, please call us.',
  ])
})

test('a claim takes a receipt of exactly two megabytes, sends the end of its name, and closes its form', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  const responder: Responder = ({ method, path }) => {
    if (path === '/api/Member/MissingMeals') return { body: { outcome: 'unexplained', findings: [] } }
    return method === 'POST' && path === '/api/Member/Claims' ? { body: claim } : undefined
  }
  const page = await openPage(app, 'skyharbor', '/account/missing_meal', { visitor, responder })
  const { screen, user } = page
  const attach = (content: string, fileName: string) => {
    const chosen = new DataTransfer()
    chosen.items.add(new File([content], fileName, { type: 'application/pdf' }))
    const receipt = screen.getByLabelText(/Receipt/) as HTMLInputElement
    receipt.files = chosen.files
    fireEvent.change(receipt)
  }
  setDate(page, daysAgo(12))
  await user.type(screen.getByRole('combobox', { name: /^Restaurant/ }), 'Nowhere Diner')
  await user.type(screen.getByLabelText(/Bill with tax/), '48')
  const start = '%PDF-1.7'
  for (const content of [start.padEnd(2 * 1024 * 1024, 'x'), '']) {
    await submit(page)
    const open = await screen.findByRole('button', { name: 'Open a claim' })
    attach(content, `${'receipt '.repeat(20)}.pdf`)
    await user.click(open)
    await vi.waitFor(() => expect(screen.queryByLabelText(/Receipt/)).toBeNull(), 20_000)
  }
  const [large, empty] = page.calls('POST /api/Member/Claims').map(({ body }) => body)
  expect(large.receipt).toMatchObject({ type: 'application/pdf', name: expect.stringMatching(/^.{115} \.pdf$/) })
  expect(Buffer.from(large.receipt.content, 'base64').toString('latin1')).toMatch(/^%PDF-1\.7x+$/)
  expect(empty).not.toHaveProperty('receipt')
  expect(empty).toMatchObject({ date: daysAgo(12), merchantName: 'Nowhere Diner', amount: '48' })
})

test('a different meal that can still be reported is to be checked after its tenth day', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  const responder: Responder = ({ path }) =>
    path === '/api/Member/MissingMeals' ? { body: { outcome: 'found', findings: [] } } : undefined
  const page = await openPage(app, 'skyharbor', '/account/missing_meal', { visitor, responder })
  const { screen, user } = page
  setDate(page, daysAgo(3))
  await user.type(screen.getByRole('combobox', { name: /^Restaurant/ }), 'Nowhere Diner')
  await user.type(screen.getByLabelText(/Bill with tax/), '48')
  await submit(page)
  await user.click(await screen.findByRole('button', { name: 'This is a different meal' }))
  const until = new Date(daysAgo(-7)).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  const text = `Rewards can take up to 10 days to show. Please check again after ${until}.`
  expect(await screen.findByText(text)).toBeVisible()
})

test('a single restaurant is announced as one', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  const found = (await visitor.get('/api/v2/Merchants/Search?location=10001')).json()
  const responder: Responder = ({ path }) =>
    path.startsWith('/api/v2/Merchants/Search')
      ? { body: { ...found, merchants: found.merchants.slice(0, 1) } }
      : undefined
  const { screen, user } = await openPage(app, 'skyharbor', '/account/missing_meal', { visitor, responder })
  await user.type(screen.getByRole('combobox', { name: /^Restaurant/ }), 'Diner')
  expect(await screen.findByText('One restaurant')).toHaveAttribute('role', 'status')
})

test('HIST-024 a meal like one of an earlier claim leads to that claim, and opens one of its own only as another meal', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  const params = { amount: '$48.00', merchant: 'Corner Bistro', date: 'Mar 10, 2026' }
  const responder: Responder = ({ method, path }) => {
    if (path === '/api/Member/MissingMeals') {
      return {
        body: { outcome: 'claimed', findings: [{ key: 'claims.already_claimed', params }], claimId: claim.id },
      }
    }
    if (path === '/api/Member/Claims') return { body: method === 'POST' ? claim : [claim] }
  }
  const page = await openPage(app, 'skyharbor', '/account/recent_activity', { visitor, responder })
  const { screen, user } = page
  await openForm(page)
  setDate(page, daysAgo(12))
  await user.type(screen.getByRole('combobox', { name: /^Restaurant/ }), 'Corner Bistro')
  await user.type(screen.getByLabelText(/Bill with tax/), '49')
  await submit(page)
  await screen.findByText(/You’ve opened a claim for \$48\.00 at Corner Bistro on Mar 10, 2026\./)
  const listed = screen.getByText(/\$48\.00 at Corner Bistro, Mar 10, 2026/).closest('li')
  expect(screen.getByRole('link', { name: 'See that claim' })).toHaveAttribute('href', `#${listed?.id}`)
  expect(screen.queryByRole('button', { name: 'Open a claim' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'This is a different meal' }))
  await user.click(await screen.findByRole('button', { name: 'Open a claim' }))
  await vi.waitFor(() =>
    expect(page.calls('POST /api/Member/Claims').map(({ body }) => body)).toMatchObject([
      { amount: '49', anotherMeal: true },
    ]),
  )
})
