import { fireEvent, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { localMoment } from '../../src/platform/time.ts'
import { visit } from '../support/app.ts'
import type { Visitor } from '../support/members.ts'
import { type OpenPage, openPage, type Responder, type StubResponse, setUpPages } from '../support/page-dom.ts'
import { findMerchant, newMemberWithCard } from '../support/page-members.ts'

const app = setUpPages()

const quote = {
  benefit: 30,
  reason: { code: 'earned', rule: 5, key: 'rewards.why.earned', params: {} },
  basis: 'member',
  tier: 'OptedIn',
  ratePercent: 100,
  flexRate: 0,
  countedCents: 10_00,
  visits: null,
  bonus: 0,
  cardMissing: false,
}

interface CalculatorOptions {
  partner?: string
  visitor?: Visitor
  cards?: readonly object[]
}

type Quoted = StubResponse | undefined

/**
 * Opens a restaurant whose quotes are these responses, by the query of their request, to a visitor or a member with these
 * cards.
 */
async function openCalculator(
  responseTo: (query: URLSearchParams) => Quoted | Promise<Quoted>,
  { partner = 'skyharbor', visitor = visit(app, partner), cards }: CalculatorOptions = {},
) {
  const { id } = await findMerchant(visitor, 'location=10001')
  const responder: Responder = ({ path }) => {
    if (path === '/api/Member/Cards' && cards) return { body: cards }
    const isQuote = path.startsWith(`/api/v2/Merchants/${id}/Earn?`)
    return isQuote ? responseTo(new URL(path, 'http://any').searchParams) : undefined
  }
  const page = await openPage(app, partner, `/merchants/${id}`, { visitor, responder })
  const screen = within(await page.screen.findByRole('region', { name: 'What this meal earns' }))
  const bill = screen.getByLabelText('Bill with tax and tip')
  return {
    screen,
    user: page.user,
    bill,
    type: (amount: string) => fill(page, bill, amount),
    queries: () => page.calls(`GET /api/v2/Merchants/${id}/Earn`).map(({ path }) => path.split('?')[1]),
  }
}

async function fill({ user }: OpenPage, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field)
  await user.type(field, text)
}

test('the calculator names what limits a reward, and what a reserved table adds', async () => {
  const quotes: Record<string, object> = {
    '10.00': {},
    '11.00': { countedCents: 5_00 },
    '12.00': { countedCents: 12_00, visits: { used: 3, limit: 2 }, bonus: 1 },
    '13.00': { countedCents: 13_00, cardMissing: true },
  }
  const { screen, type } = await openCalculator((query) => ({
    body: { ...quote, ...quotes[query.get('amount') ?? ''] },
  }))
  const texts = {
    unlimited: 'No limit on amount or visits',
    counted: '$5.00 of the bill counts',
    visits: '0 of 2 rewarded visits left that month',
    bonus: '+ 1 mile for your reserved table',
    card: /^You haven’t linked a card yet\./,
  }
  const shown: Record<string, string[]> = {}
  for (const amount of Object.keys(quotes)) {
    await type(amount)
    await screen.findByText(`A bill of $${amount} earns 30 miles.`)
    shown[amount] = Object.entries(texts).flatMap(([name, text]) => (screen.queryByText(text) ? [name] : []))
  }
  expect(shown).toEqual({
    '10.00': ['unlimited'],
    '11.00': ['counted'],
    '12.00': ['visits', 'bonus'],
    '13.00': ['unlimited', 'card'],
  })
  expect(screen.getByRole('link', { name: 'Link a card' })).toHaveAttribute('href', '/account/manage_cards')
})

test('the calculator shows no result beside an error, and requests none for a past day', async () => {
  const [wrong, wrongDay] = [{ status: 500 }, { status: 400, body: [{ field: 'date', message: 'Not that day.' }] }]
  const { screen, user, bill, type, queries } = await openCalculator((query) => {
    if (query.get('amount') === '14.00') return query.has('date') ? wrongDay : wrong
    return { body: { ...quote, ...(query.has('time') && { benefit: query.get('time') === '20:00' ? 20 : 19 }) } }
  })
  const failed = 'We can’t calculate this right now. Please try again in a moment.'
  const setField = (label: string, value: string) =>
    fireEvent.input(screen.getByLabelText(label), { target: { value } })
  await type('10')
  expect(await screen.findByText('A bill of $10.00 earns 30 miles.')).toBeVisible()
  // At once, not only when the typing has paused.
  await user.type(bill, 'x')
  expect(screen.queryByText(/A bill of/)).toBeNull()
  await type('14')
  expect(await screen.findByText(failed)).toBeVisible()
  expect(screen.queryByText(/A bill of/)).toBeNull()
  await user.click(screen.getByText('On another day or time'))
  setField('Date', new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10))
  expect(await screen.findByText('Not that day.')).toBeVisible()
  expect(screen.getByLabelText('Date')).toHaveAccessibleDescription('Not that day.')
  expect(screen.queryByText(failed)).toBeNull()
  const past = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
  setField('Date', past)
  expect(await screen.findByText('Choose today or a later day.')).toBeVisible()
  // Today where the restaurant is.
  setField('Date', localMoment(new Date(), 'America/New_York').date)
  await vi.waitFor(() => expect(screen.queryByText('Choose today or a later day.')).toBeNull(), 20_000)
  setField('Date', '')
  await type('10')
  setField('Time', '20:00')
  expect(await screen.findByText('A bill of $10.00 earns 20 miles.')).toBeVisible()
  // Without a time it is now, not seven in the evening.
  setField('Time', '')
  expect(await screen.findByText('A bill of $10.00 earns 30 miles.')).toBeVisible()
  expect(queries().filter((query) => /19%3A00/.test(query ?? '') && !query?.includes('date='))).toEqual([])
  expect(queries().filter((query) => query?.includes(past))).toEqual([])
})

test('the calculator lets members choose between their cards when they have several', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  const { id } = await findMerchant(visitor, 'location=10001')
  const [card] = (await visitor.get('/api/Member/Cards')).json()
  for (const cards of [[card], [card, { ...card, id: 'another', lastFour: '7777' }]]) {
    const responder: Responder = ({ path }) => (path === '/api/Member/Cards' ? { body: cards } : undefined)
    const page = await openPage(app, 'skyharbor', `/merchants/${id}`, { visitor, responder })
    await vi.waitFor(() => expect(page.calls('GET /api/Member/Cards')).toHaveLength(1), 20_000)
    if (cards.length > 1) expect(await page.screen.findByText('Paying with')).toBeVisible()
    await page.screen.findByText(/A bill of/)
    expect(page.screen.queryAllByText('Paying with')).toHaveLength(cards.length - 1)
  }
})

test('a result is shown with its own amount until the next one arrives', async () => {
  const later = Promise.withResolvers<undefined>()
  const { screen, type, queries } = await openCalculator(async (query) => {
    if (query.get('amount') === '20.00') await later.promise
    return { body: { ...quote, benefit: query.get('amount') === '20.00' ? 60 : 30 } }
  })
  await type('10')
  expect(await screen.findByText('A bill of $10.00 earns 30 miles.')).toBeVisible()
  await type('20')
  await vi.waitFor(() => expect(queries()).toContain('amount=20.00'), 20_000)
  expect(screen.getByText('A bill of $10.00 earns 30 miles.')).toBeVisible()
  later.resolve(undefined)
  expect(await screen.findByText('A bill of $20.00 earns 60 miles.')).toBeVisible()
})

test('the kind of payment is sent as it is chosen, by visitors too, and by members with the chosen card', async () => {
  const partner = 'gallonaire'
  const respond = () => ({ body: quote })
  const choose = async ({ screen, user, queries }: Awaited<ReturnType<typeof openCalculator>>, card?: string) => {
    await user.click(await screen.findByText('Paying with'))
    const last = (expected: object) =>
      vi.waitFor(() => {
        const { card, pin } = Object.fromEntries(new URLSearchParams(queries().at(-1)))
        expect({ card, pin }).toEqual({ card: undefined, pin: undefined, ...expected })
      }, 20_000)
    const pin = screen.getByLabelText('A debit card with a PIN')
    await user.click(pin)
    await last({ pin: 'true' })
    if (card) {
      const chosen = screen.getByLabelText('Card')
      await user.selectOptions(chosen, card)
      await last({ pin: 'true', card })
      expect(chosen).toHaveValue(card)
    }
    await user.click(pin)
    expect(pin).not.toBeChecked()
    // The quote without a PIN may be known already.
    await user.click(pin)
    await user.click(pin)
    expect(pin).not.toBeChecked()
  }
  await choose(await openCalculator(respond, { partner }))
  const { visitor } = await newMemberWithCard(app, partner)
  const [card] = (await visitor.get('/api/Member/Cards')).json()
  const cards = [card, { ...card, id: 'another', lastFour: '7777' }]
  await choose(await openCalculator(respond, { partner, visitor, cards }), 'another')
})

test('another day begins at seven in the evening again when its time is removed, and no past day can be picked', async () => {
  const { screen, user, queries } = await openCalculator(() => ({ body: quote }))
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const setField = (label: string, value: string) =>
    fireEvent.input(screen.getByLabelText(label), { target: { value } })
  await user.click(screen.getByText('On another day or time'))
  expect(screen.getByLabelText('Date')).toHaveAttribute('min', localMoment(new Date(), 'America/New_York').date)
  setField('Date', day)
  const untilSent = (time: string) =>
    vi.waitFor(() => expect(new URLSearchParams(queries().at(-1)).get('time')).toBe(time), 20_000)
  await untilSent('19:00')
  setField('Time', '20:00')
  await untilSent('20:00')
  setField('Time', '')
  await vi.waitFor(() => expect(screen.getByLabelText('Time')).toHaveValue('19:00'), 20_000)
})
