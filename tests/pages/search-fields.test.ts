import { within } from '@testing-library/dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addDays } from '../../src/platform/time.ts'
import { visit } from '../support/app.ts'
import { type OpenPage, openPage, type Responder, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

const results = '/search?location=10001'
const where = ({ screen }: OpenPage) => screen.getByRole('combobox', { name: 'City, state or ZIP code' })
const what = ({ screen }: OpenPage) => screen.getByRole('combobox', { name: 'Restaurant or cuisine' })
const cards = () => [...document.querySelectorAll<HTMLElement>('main article')]
const sentBy = (page: OpenPage) => Object.fromEntries(new URLSearchParams(page.address.slice('/search'.length)))

async function fill({ user }: OpenPage, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field)
  await user.type(field, text)
}

test('SRCH-024 a visit without a search starts with the last typed place, one with a search has its own', async () => {
  const stored = { RN_SEARCH_LOCATION: 'Chicago, IL' }
  const page = await openPage(app, 'skyharbor', '/search', { stored })
  await vi.waitFor(() => expect(where(page)).toHaveValue('Chicago, IL'), 20_000)
  expect(where(await page.goto(results))).toHaveValue('10001')
})

test('choosing a suggestion of one field searches with what was typed into the other, from the first page', async () => {
  const page = await openPage(app, 'skyharbor', `${results}&pageNo=2&isNew=true`)
  await fill(page, where(page), 'Boston, MA')
  await fill(page, what(page), 'jap')
  await page.user.click(await page.screen.findByRole('option', { name: 'Japanese' }))
  await vi.waitFor(() => expect(page.address).toContain('Japanese'), 20_000)
  expect(sentBy(page)).toEqual({ location: 'Boston, MA', restaurantOrCuisine: 'Japanese', isNew: 'true' })
  const other = await page.goto(`${results}&pageNo=2&isNew=true`)
  await fill(other, what(other), 'pizza')
  await fill(other, where(other), 'chicag')
  await other.user.click(await other.screen.findByRole('option', { name: 'Chicago, IL' }))
  await vi.waitFor(() => expect(other.address).toContain('Chicago'), 20_000)
  expect(sentBy(other)).toEqual({ location: 'Chicago, IL', restaurantOrCuisine: 'pizza', isNew: 'true' })
})

test('the area of a map is no typed place, and another place replaces it', async () => {
  const area = 'latitude=40.75&location=Current+Map+View&longitude=-73.98&radius=2&pageNo=2'
  const page = await openPage(app, 'skyharbor', `/search?${area}`)
  await fill(page, what(page), 'pizza')
  await page.user.click(page.screen.getByRole('button', { name: 'Search' }))
  await vi.waitFor(() => expect(page.address).toContain('pizza'), 20_000)
  expect(sentBy(page).pageNo).toBeUndefined()
  expect(localStorage.getItem('RN_SEARCH_LOCATION')).toBeNull()
  await fill(page, where(page), '60601')
  await page.user.click(page.screen.getByRole('button', { name: 'Search' }))
  await vi.waitFor(() => expect(page.address).toContain('60601'), 20_000)
  expect(sentBy(page)).toEqual({ location: '60601', restaurantOrCuisine: 'pizza' })
})

test('what is typed while results load stays in the fields when they arrive', async () => {
  const { promise: gate, resolve: arrive } = Promise.withResolvers<undefined>()
  const responder: Responder = ({ path }) => (path.includes('pizza') ? gate : undefined)
  const page = await openPage(app, 'skyharbor', results, { responder })
  await fill(page, what(page), 'pizza')
  await page.user.click(page.screen.getByRole('button', { name: 'Search' }))
  await fill(page, where(page), 'Boston, MA')
  arrive(undefined)
  await vi.waitFor(() => expect(sentBy(page).restaurantOrCuisine).toBe('pizza'), 20_000)
  await vi.waitFor(() => expect(page.screen.getByRole('main')).not.toHaveAttribute('aria-busy', 'true'), 20_000)
  expect(where(page)).toHaveValue('Boston, MA')
  expect(what(page)).toHaveValue('pizza')
  // A search of something else than the fields has its own words.
  await page.user.click(page.screen.getByRole('button', { name: 'New' }))
  await vi.waitFor(() => expect(page.address).toContain('isNew'), 20_000)
  await vi.waitFor(() => expect(where(page)).toHaveValue('10001'), 20_000)
  // Back to the search that was sent: what was typed since belongs to no search.
  await fill(page, what(page), 'sushi')
  page.back()
  await vi.waitFor(() => expect(page.address).not.toContain('isNew'), 20_000)
  await vi.waitFor(() => expect(what(page)).toHaveValue('pizza'), 20_000)
})

test('"Earns today" is about the day of the device', async () => {
  onTestFinished(() => void vi.useRealTimers())
  const tomorrow = addDays(new Date().toISOString().slice(0, 10), 1)
  // At one of these moments it is another day in most time zones than in UTC.
  for (const time of ['00:30', '23:30']) {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${tomorrow}T${time}:00Z`) })
    const today = new Date().toLocaleDateString('en-US', { weekday: 'short' })
    const page = await openPage(app, 'skyharbor', results)
    await page.user.click(page.screen.getByRole('button', { name: 'Earns today' }))
    await vi.waitFor(() => expect(page.address).toContain('benefitsFor'), 20_000)
    expect(sentBy(page).benefitsFor).toBe(today)
  }
})

test('the nearest first is the order of a search without one', async () => {
  const page = await openPage(app, 'skyharbor', `${results}&sortBy=rating`)
  const { user, screen } = page
  await user.click(screen.getByRole('button', { name: 'Filters (1)' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByLabelText('Sort by')).toHaveValue('rating')
  await user.selectOptions(dialog.getByLabelText('Sort by'), 'distance')
  await user.click(await dialog.findByRole('button', { name: /^Show/ }))
  await vi.waitFor(() => expect(page.address).toBe(results), 20_000)
})

test('the restaurant that has the focus is highlighted', async () => {
  await openPage(app, 'skyharbor', results)
  const pointed = () => document.querySelector<HTMLElement>('li[data-pointed] [data-merchant]')?.dataset.merchant
  for (const card of cards().slice(1, 3)) {
    card.querySelector('a')?.focus()
    await vi.waitFor(() => expect(pointed()).toBe(card.dataset.merchant), 20_000)
  }
})

test('a suggestion is listed once, and a recent search that is the typed text is none', async () => {
  const recent = JSON.stringify({ what: ['My place', 'Myth'], where: ['CHICAGO, IL'] })
  const page = await openPage(app, 'skyharbor', results, { stored: { RN_RECENT_SEARCHES: recent } })
  await fill(page, where(page), 'chicago')
  await vi.waitFor(() => expect(page.screen.getAllByRole('option').length).toBeGreaterThan(1), 20_000)
  expect(page.screen.getAllByRole('option', { name: /^chicago, il$/i }).map((each) => each.textContent)).toEqual([
    'CHICAGO, IL',
  ])
  await fill(page, what(page), 'my')
  await page.screen.findByRole('option', { name: 'My place' })
  await page.user.type(what(page), ' PLACE')
  await vi.waitFor(() => expect(page.screen.queryByRole('option', { name: 'My place' })).toBeNull(), 20_000)
})

test('a search of a campaign is everywhere', async () => {
  const visitor = visit(app, 'lantern')
  const { merchants } = (await visitor.get('/api/v2/Merchants/Search?location=10001&pageSize=50')).json()
  type Found = { benefitAvailability: { campaignCodes: string[] } }
  const [code] = merchants.flatMap(({ benefitAvailability }: Found) => benefitAvailability.campaignCodes)
  const page = await openPage(app, 'lantern', `/search?campaignCode=${code}`, { visitor })
  expect(await page.screen.findByText(/^[\d,]+ restaurants$/, { selector: '[role=status] *' })).toBeVisible()
  const searches = page.calls('GET /api/v2/Merchants/Search')
  expect(searches.filter(({ path }) => path.includes('latitude'))).toEqual([])
})
