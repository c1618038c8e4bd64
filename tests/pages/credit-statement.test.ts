import { expect, test } from 'vitest'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'
import { newMemberWithCard, signInBankCustomer } from '../support/page-members.ts'

const app = setUpPages()

const credit = {
  kind: 'credit',
  creditId: 'credit',
  creditAmountCents: 20_00,
  targetType: 'card',
  targetLabel: 'Visa ending in 4242',
  payoutBrand: 'Visa',
  delivery: 'Card',
  benefitProcessor: 'sample',
  status: 'completed',
  isChecking: false,
  date: '2026-03-10',
}

test('HIST-036 a credit is listed with its card and its state, else as sent by email with the provider, and the balance fills a meter within its limits', async () => {
  const { visitor } = await signInBankCustomer(app, 'ada')
  const byEmail = {
    creditId: 'email',
    targetType: 'other',
    targetLabel: '',
    payoutBrand: 'Beacon Pay',
    delivery: 'Email',
  }
  const checked = { ...credit, creditId: 'checked', status: 'pending', isChecking: true }
  const data = [credit, { ...credit, ...byEmail, status: 'pending_received' }, checked]
  let memberBalance = 0
  const responder: Responder = ({ path }) => {
    if (path === '/api/Member/StatementCreditBalance') return { body: { memberBalance } }
    return path.startsWith('/api/Member/TransactionsStatementCredits?') ? { body: { data, totalPages: 1 } } : undefined
  }
  const meters: [number, number, number][] = []
  for (memberBalance of [-15, 12.5, 25]) {
    const { user, screen } = await openPage(app, 'beacon', '/account/overview', { visitor, responder })
    const [link] = await screen.findAllByRole('link', { name: 'Reviews & History' })
    await user.click(link as HTMLElement)
    const panel = (await screen.findByRole('heading', { name: 'Your balance' })).closest('section') as HTMLElement
    const { value, max } = panel.querySelector('progress') as HTMLProgressElement
    meters.push([memberBalance, value, max])
    const rows = screen.getAllByRole('listitem').filter(({ textContent }) => textContent?.includes('Statement credit'))
    const [card, email, unanswered] = rows.map(({ textContent }) => textContent)
    expect(card).toMatch(/^Mar 10, 2026Statement creditVisa ending in 4242\$20\.00.*Sent$/)
    expect(email).toMatch(/^Mar 10, 2026Statement creditBeacon Pay, by email\$20\.00.*On its way$/)
    expect(unanswered).toMatch(/\$20\.00.*We’re checking this payment$/)
    expect(screen.getByRole('option', { name: 'Statement credits' })).toBeInTheDocument()
  }
  expect(meters).toEqual([
    [-15, 0, 2000],
    [12.5, 1250, 2000],
    [25, 2000, 2000],
  ])
})

test('only transactions at restaurants that take part lead to these, and programs without credits have no filter for them', async () => {
  const { visitor } = await newMemberWithCard(app, 'skyharbor')
  const transaction = {
    kind: 'transaction',
    merchantId: 'corner-bistro',
    transactionCreatedAt: '2026-03-10T23:30:00.000Z',
    timeZone: 'America/New_York',
    transactionStatus: 'paid',
    transactionTypeCode: 'S',
    dineAmount: 42.1,
    refundedAmount: 0,
    benefitAmount: 126,
    ticketAmount: 42.1,
    cardLastFour: '4242',
    paidAt: null,
    date: '2026-03-10',
    awardStatus: 'Awarded',
    status: 'posted',
    reason: { code: 'earned', rule: 5, key: 'rewards.why.earned', params: {} },
  }
  const rows = [
    { sourceTransactionId: '1', merchantName: 'Open Place', activeMerchant: true },
    { sourceTransactionId: '2', merchantName: 'Former Place', activeMerchant: false },
    { sourceTransactionId: '3', merchantName: 'Unknown Place', activeMerchant: true, merchantId: null },
    { sourceTransactionId: '4', merchantName: 'Refunded Place', activeMerchant: true, refundedAmount: 42.1 },
    { sourceTransactionId: '5', merchantName: 'Lower Place', activeMerchant: true, refundedAmount: 12.1 },
  ]
  const data = rows.map((row) => ({ ...transaction, ...row }))
  const body = { data, totalResultSize: data.length, totalPages: 1 }
  const responder: Responder = ({ path }) => (path.startsWith('/api/Member/Transactions?') ? { body } : undefined)
  const { user, screen } = await openPage(app, 'skyharbor', '/account/overview', { visitor, responder })
  const [link] = await screen.findAllByRole('link', { name: 'Reviews & History' })
  await user.click(link as HTMLElement)
  await screen.findByRole('link', { name: 'Why didn’t I earn?' })
  const linked = rows.map(({ merchantName }) => screen.queryAllByRole('link', { name: merchantName }).length)
  expect(linked).toEqual([1, 0, 0, 1, 1])
  const textOf = (name: string) =>
    screen.getAllByRole('listitem').find(({ textContent }) => textContent?.includes(name))?.textContent
  expect(textOf('Refunded Place')).toContain('$42.10 · card ending in 4242')
  expect(textOf('Lower Place')).toContain('$30.00 after a refund of $12.10')
  expect(screen.queryByRole('option', { name: 'Statement credits' })).toBeNull()
})
