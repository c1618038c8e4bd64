import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'
import { insertTransactions, newMemberWithCard } from '../support/page-members.ts'

const app = setUpPages()

test('HIST-034 HIST-035 the list is filtered by status and month, stores the filter in its address, and is downloaded as shown', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  await insertTransactions(app, email, [
    { merchantName: 'Earned Place', ago: 1 },
    { merchantName: 'Lost Place', ago: 2, status: 'Forfeit', benefit: 0, code: 'refunded', refunded: 42_10 },
    { merchantName: 'Old Place', ago: 100 },
  ])
  let held: Promise<undefined> | undefined
  const responder: Responder = ({ path }) => (path.includes('/Transactions?') ? held : undefined)
  const page = await openPage(app, 'skyharbor', '/account/overview', { visitor, responder })
  const { user, screen } = page
  const [link] = await screen.findAllByRole('link', { name: 'Reviews & History' })
  await user.click(link as HTMLElement)
  // The overview lists the latest transactions, too.
  await screen.findByRole('link', { name: 'Why didn’t I earn?' })
  const expectRows = ({ screen }: Awaited<ReturnType<typeof openPage>>, ...names: string[]) =>
    vi.waitFor(() => {
      const items = within(screen.getByRole('main')).queryAllByRole('listitem')
      const found = items.flatMap(({ textContent }) => /(Earned|Lost|Old) Place/.exec(textContent ?? '')?.[0] ?? [])
      expect(found).toEqual(names)
    }, 20_000)
  await expectRows(page, 'Earned Place', 'Lost Place', 'Old Place')
  await user.selectOptions(screen.getByLabelText('Status'), 'Not earned')
  await expectRows(page, 'Lost Place')
  expect(page.address).toMatch(/\?status=notEarned$/)
  expect(screen.getByLabelText('Status')).toHaveFocus()
  expect(await screen.findByText('The list shows: Not earned, Last 12 months.')).toBeInTheDocument()
  const month = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 7)
  const months = within(screen.getByRole('group', { name: 'Months' })).getAllByRole('option')
  expect(months).toHaveLength(13)
  // The list begins within the month of a year ago.
  const [last, first] = [months[0], months[12]].map((option) => option?.textContent?.split(' ') ?? [])
  expect(first).toEqual([last?.[0], String(Number(last?.[1]) - 1)])
  await user.selectOptions(screen.getByLabelText('Period'), month)
  expect(await screen.findByText('Nothing matches here')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Download as CSV' })).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Show everything' }))
  await expectRows(page, 'Earned Place', 'Lost Place', 'Old Place')
  expect(page.address).toMatch(/\/recent_activity\??$/)
  expect(screen.getByLabelText('Period')).toHaveValue('')
  // A second choice keeps the first one, whose list is still loading.
  const list = Promise.withResolvers<undefined>()
  held = list.promise
  await user.selectOptions(screen.getByLabelText('Status'), 'Earned')
  await vi.waitFor(() => expect(screen.getByLabelText('Status')).toHaveValue('earned'), 20_000)
  await user.selectOptions(screen.getByLabelText('Period'), month)
  list.resolve(undefined)
  await expectRows(page, 'Old Place')
  expect(page.address).toMatch(/\?status=earned&period=\d{4}-\d\d$/)
  held = undefined
  // The choices are one entry of the history.
  page.back()
  await vi.waitFor(() => expect(page.address).toBe('/account/overview'), 20_000)
  window.history.forward()
  await vi.waitFor(() => expect(page.address).toMatch(/^\/account\/recent_activity\?/), 20_000)
  await expectRows(page, 'Old Place')
  const reloaded = await page.goto(page.address)
  expect(await reloaded.screen.findByLabelText('Period')).toHaveValue(month)
  await expectRows(reloaded, 'Old Place')
  // A choice shows while its list is loading.
  async function choose(label: string, option: string, value: string): Promise<void> {
    await reloaded.user.selectOptions(reloaded.screen.getByLabelText(label), option)
    await vi.waitFor(() => expect(reloaded.screen.getByLabelText(label)).toHaveValue(value), 20_000)
  }
  await choose('Status', 'All', '')
  await choose('Period', 'Last 12 months', '')
  await expectRows(reloaded, 'Earned Place', 'Lost Place', 'Old Place')
  await choose('Status', 'Not earned', 'notEarned')
  await expectRows(reloaded, 'Lost Place')
  const download = reloaded.screen.getByRole('link', { name: 'Download as CSV' })
  expect(download).toHaveAttribute('download')
  const { headers, text } = await visitor.get(download.getAttribute('href') ?? '')
  expect(headers['content-disposition']).toContain('filename="skyharbor-activity.csv"')
  const lines = text.trim().split('\r\n')
  expect(lines[0]).toBe(
    'Date,Time,Description,Details,Amount in dollars,Refunded in dollars,Card ending in,Reward,Unit,Status',
  )
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\d,,Lost Place,,42\.10,42\.10,4242,0,miles,Refunded$/),
  ])
})

test.each([
  ['status=pending', 'The list shows: Pending, Last 12 months.'],
  ['period=2020', 'The list shows: All, 2020.'],
])(
  'HIST-034 a list without entries that is filtered by %s alone says so and can be shown in full',
  async (query, text) => {
    const { visitor } = await newMemberWithCard(app, 'skyharbor')
    const { screen, user } = await openPage(app, 'skyharbor', `/account/recent_activity?${query}`, { visitor })
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(screen.getByText('Nothing matches here')).toBeVisible()
    expect(screen.queryByText('No meals yet')).toBeNull()
    expect(screen.getByLabelText('Status')).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Show everything' }))
    expect(await screen.findByText('No meals yet')).toBeVisible()
    expect(screen.queryByText(/^The list shows/)).toBeNull()
  },
)
