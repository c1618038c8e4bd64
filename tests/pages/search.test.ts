import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { newMember } from '../support/members.ts'
import { type OpenPage, openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

const cards = () => [...document.querySelectorAll<HTMLElement>('main article')]
const untilCards = () => vi.waitFor(() => expect(cards()).not.toEqual([]), 20_000)
const untilAddress = (page: OpenPage, address: string | RegExp) =>
  vi.waitFor(() => expect(page.address).toMatch(address), 20_000)
const searchCall = '/api/v2/Merchants/Search'
const where = ({ screen }: OpenPage) => screen.getByRole('combobox', { name: 'City, state or ZIP code' })
const what = ({ screen }: OpenPage) => screen.getByRole('combobox', { name: 'Restaurant or cuisine' })
const submit = ({ screen }: OpenPage) => screen.getByRole('button', { name: 'Search' })

/** Types a text in place of what a field has. */
async function fill({ user }: OpenPage, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field)
  if (text !== '') await user.type(field, text)
}

test('the arrow keys pass through the suggestions and the typed text, in both directions', async () => {
  const { user, screen } = await openPage(app, 'skyharbor', '/search?location=10001')
  const field = screen.getByRole('combobox', { name: /Restaurant/ })
  await user.type(field, 'bar')
  const options = await screen.findAllByRole('option')
  expect(options.length).toBeGreaterThan(2)
  const active = () => field.getAttribute('aria-activedescendant')
  await user.keyboard('{ArrowUp}')
  expect(active()).toBe(options.at(-1)?.id)
  await user.keyboard('{ArrowDown}')
  expect(active()).toBeNull()
  await user.keyboard('{ArrowDown}')
  expect(active()).toBe(options[0]?.id)
  await user.keyboard('{ArrowDown}')
  expect(active()).toBe(options[1]?.id)
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(active()).toBeNull()
})

test('Escape, leaving the field and other text close or reset the suggestions, whose number is announced', async () => {
  const page = await openPage(app, 'skyharbor', '/search?location=10001')
  const { user, screen } = page
  const field = where(page)
  const isOpen = () => field.getAttribute('aria-expanded') === 'true'
  await fill(page, field, 'chi')
  await screen.findByRole('option', { name: 'Chicago, IL' })
  const count = screen.getAllByRole('option').length
  expect(count).toBeGreaterThan(1)
  expect(screen.getByText(`${count} suggestions`)).toHaveAttribute('role', 'status')
  await user.keyboard('{ArrowDown}')
  expect(field).toHaveAttribute('aria-activedescendant')
  // Enter would choose what was active for the text before.
  await user.type(field, 'c')
  await screen.findByRole('option', { name: 'Chicago, IL' })
  expect(field).not.toHaveAttribute('aria-activedescendant')
  await user.keyboard('{Escape}')
  expect(isOpen()).toBe(false)
  expect(screen.queryByRole('option')).toBeNull()
  expect(screen.queryByText(/suggestions?$/)).toBeNull()
  await user.keyboard('{ArrowDown}')
  expect(isOpen()).toBe(true)
  await user.tab()
  expect(isOpen()).toBe(false)
})

test('a text can be searched within the area of the map, which has a name in the field', async () => {
  const area = 'latitude=40.75&location=Current+Map+View&longitude=-73.98&radius=2'
  const page = await openPage(app, 'skyharbor', `/search?${area}`)
  expect(where(page)).toHaveValue('Area on the map')
  await fill(page, what(page), 'pizza')
  await page.user.click(submit(page))
  await untilAddress(page, /restaurantOrCuisine=pizza/)
  const sent = Object.fromEntries(new URLSearchParams(page.address.slice('/search'.length)))
  expect(sent).toEqual({ ...Object.fromEntries(new URLSearchParams(area)), restaurantOrCuisine: 'pizza' })
  await vi.waitFor(() => expect(cards()[0]).toHaveTextContent(/pizz/i), 20_000)
  expect(where(page)).toHaveValue('Area on the map')
})

test('SRCH-001 SRCH-002 SRCH-005 SRCH-030 suggestions appear from three characters on and can be used by keyboard', async () => {
  const page = await openPage(app, 'skyharbor', '/search?location=10001')
  const { user, screen } = page
  await fill(page, where(page), '')
  expect(await screen.findByRole('option', { name: 'Current Location' })).toBeVisible()
  await user.type(where(page), 'ch')
  // Suggestions for the other field are requested after the same pause, which begins later.
  await user.type(what(page), 'sus')
  await screen.findAllByRole('option')
  expect(page.calls('GET /api/Locations/Suggest')).toEqual([])
  await user.clear(what(page))
  await user.type(where(page), 'icag')
  expect(await screen.findByRole('option', { name: 'Chicago, IL' })).toBeVisible()
  await user.keyboard('{ArrowDown}')
  await user.keyboard('{Enter}')
  await untilAddress(page, /location=Chicago/)
  expect(await screen.findByText(/restaurants near Chicago, IL/)).toBeVisible()
  await fill(page, what(page), 'sus')
  const [first] = await screen.findAllByRole('option')
  await user.click(first as HTMLElement)
  await untilAddress(page, /restaurantOrCuisine=/)
  const query = page.address.slice('/search'.length)
  const { merchants } = (await page.visitor.get(`${searchCall}${query}`)).json()
  await vi.waitFor(() => {
    expect(cards()).toHaveLength(merchants.length)
    expect(cards()[0]).toHaveTextContent(merchants[0].name)
  }, 20_000)
})

test('SRCH-006 ERR-018 a search without results says what would help', async () => {
  const path = '/search?location=10001&restaurantOrCuisine=zzqqxx&isNew=true'
  const page = await openPage(app, 'skyharbor', path)
  expect(await page.screen.findByRole('heading', { name: 'Nothing matches here' })).toBeVisible()
  expect(cards()).toEqual([])
  await page.user.click(await page.screen.findByRole('link', { name: /Without “zzqqxx”: \d/ }))
  await untilCards()
  await untilAddress(page, /isNew=true/)
})

test('SRCH-008 has its own view with a retry', async () => {
  let broken = true
  const page = await openPage(app, 'skyharbor', '/search?location=10001', {
    responder: ({ path }) => (broken && path.startsWith(`${searchCall}?`) ? { status: 500, body: {} } : undefined),
  })
  await fill(page, where(page), '60601')
  await page.user.click(submit(page))
  expect(await page.screen.findByRole('heading', { name: 'The search didn’t work' })).toBeVisible()
  expect(cards()).toEqual([])
  broken = false
  await page.user.click(page.screen.getByRole('button', { name: 'Try again' }))
  await untilCards()
})

test('SRCH-008 a search without a connection says so, and can be repeated', async () => {
  let isOffline = true
  const page = await openPage(app, 'skyharbor', '/search?location=10001', {
    responder: ({ path }) => (isOffline && path.startsWith(`${searchCall}?`) ? { fails: true } : undefined),
  })
  await fill(page, where(page), '60601')
  await page.user.click(submit(page))
  expect(await page.screen.findByRole('heading', { name: 'No connection' })).toBeVisible()
  isOffline = false
  await page.user.click(page.screen.getByRole('button', { name: 'Try again' }))
  await untilCards()
})

test('SRCH-004 the area of the map is searched with the text, the filters and the order of the search, from its first page', async () => {
  const search = 'restaurantOrCuisine=pizza&isNew=true&sortBy=rating'
  const page = await openPage(app, 'skyharbor', `/search?location=10001&pageNo=2&${search}`)
  const { user, screen } = page
  const move = await screen.findByRole('button', { name: 'Move up' })
  // Without an animation, which this DOM would not end.
  const { matchMedia } = window
  window.matchMedia = (query) => matchMedia.call(window, query.includes('reduced-motion') ? 'all' : query)
  await user.click(move)
  await user.click(await screen.findByRole('button', { name: 'Search this area' }))
  await untilAddress(page, /Current\+Map\+View/)
  const { latitude, longitude, radius, ...sent } = Object.fromEntries(
    new URLSearchParams(page.address.slice('/search'.length)),
  )
  expect(sent).toEqual({ location: 'Current Map View', ...Object.fromEntries(new URLSearchParams(search)) })
  for (const number of [latitude, longitude, radius]) expect(Number(number)).not.toBeNaN()
})

test('SRCH-027 VAL-015 an unknown place is an error of its field', async () => {
  const page = await openPage(app, 'skyharbor', '/search?location=Xyzzyville')
  expect((await page.screen.findByRole('alert')).textContent).toBe('Enter city, state or ZIP code.')
  expect(where(page)).toHaveAttribute('aria-invalid', 'true')
})

test('SRCH-023 SRCH-024 a visit without a search continues with the last search and place, unless it was cleared', async () => {
  const stored = () => localStorage.getItem('RN_SEARCH_OPTIONS')
  const untilStored = (address: string | null) => vi.waitFor(() => expect(stored()).toBe(address), 20_000)
  let page = await openPage(app, 'skyharbor', '/search?location=10001')
  await fill(page, where(page), 'Chicago, IL')
  await fill(page, what(page), 'sushi')
  await page.user.click(submit(page))
  await untilAddress(page, /Chicago/)
  // The list before stays until the response arrives, and only a search with a response is stored.
  await vi.waitFor(() => expect(stored()).toContain('Chicago'), 20_000)
  expect(localStorage.getItem('RN_SEARCH_LOCATION')).toBe('Chicago, IL')
  // One without results is not stored.
  page = await page.goto('/search?location=10001&restaurantOrCuisine=zzzzzzzz')
  await page.screen.findByRole('heading', { name: 'Nothing matches here' })
  expect(cards()).toEqual([])
  page = await page.goto('/')
  page = await page.goto('/search')
  await untilAddress(page, /location=Chicago.*restaurantOrCuisine=sushi|restaurantOrCuisine=sushi.*location=Chicago/)
  page = await page.goto('/search?location=10001')
  expect(page.address).toMatch(/10001/)
  // Recent searches are suggested again, those that begin with the text.
  await fill(page, where(page), 'b')
  expect(page.screen.queryByRole('option', { name: 'Chicago, IL' })).toBeNull()
  await fill(page, where(page), 'c')
  expect(await page.screen.findByRole('option', { name: 'Chicago, IL' })).toBeVisible()
  await fill(page, where(page), '')
  expect(await page.screen.findByRole('option', { name: 'Chicago, IL' })).toBeVisible()
  // Cleared by its fields, a filter and a link, a search remains empty, also after a reload.
  const filter = () => page.screen.getByRole('button', { name: 'New' })
  await page.user.click(submit(page))
  await untilAddress(page, /^\/search$/)
  await untilStored(null)
  expect(where(page)).toHaveValue('')
  await page.user.click(filter())
  await untilStored('/search?isNew=true')
  await page.user.click(filter())
  await untilStored(null)
  page = await page.goto(page.address)
  await page.user.click(filter())
  await untilStored('/search?isNew=true')
  expect(page.address).toBe('/search?isNew=true')
  await fill(page, what(page), 'zzqqxx')
  await page.user.click(submit(page))
  await page.user.click(await page.screen.findByRole('link', { name: 'Clear filters' }))
  // The links of the page before stay until the next one is rendered.
  await vi.waitFor(() => expect(page.screen.queryByRole('link', { name: 'Clear filters' })).toBeNull(), 20_000)
  await page.user.click(await page.screen.findByRole('link', { name: /Without “zzqqxx”: \d/ }))
  await untilStored(null)
  await untilCards()
  expect(page.address).toBe('/search')
})

test('SRCH-026 CARDM-019 the selected restaurant is stored, recorded as an event, and shown again on return', async () => {
  const page = await openPage(app, 'skyharbor', '/search?location=10001')
  const card = cards()[2] as HTMLElement
  const id = card.dataset.merchant
  await page.user.click(card.querySelector('a') as HTMLElement)
  await untilAddress(page, `/merchants/${id}`)
  expect(localStorage.getItem('RN_SELECTED_MERCHANT')).toBe(id)
  const selected = () => page.calls('POST /api/Impressions').flatMap(({ body }) => body)
  await vi.waitFor(
    () => expect(selected()).toContainEqual(expect.objectContaining({ eventName: 'MerchantSelected', merchantId: id })),
    20_000,
  )
  const pointed = () => document.querySelector<HTMLElement>('li[data-pointed] [data-merchant]')?.dataset.merchant
  await vi.waitFor(() => expect(pointed()).toBeUndefined(), 20_000)
  // A pointer that is still over the restaurant would highlight it again.
  await page.user.hover(document.body)
  page.back()
  await vi.waitFor(() => expect(pointed()).toBe(id), 20_000)
})

test('SRCH-006 SRCH-027 a place without restaurants, an unknown one and a page past the end have their own texts', async () => {
  let page = await openPage(app, 'skyharbor', '/search?location=London')
  expect(await page.screen.findByRole('heading', { name: /^No restaurants near London, [A-Z]{2}$/ })).toBeVisible()
  const [other] = await page.screen.findAllByRole('link', { name: /^London, [A-Z]{2}$/ })
  expect(other?.getAttribute('href')).toMatch(/location=London%2C\+[A-Z]{2}/)
  expect(page.screen.queryByRole('link', { name: 'Clear filters' })).toBeNull()
  page = await page.goto('/search?location=Xyzzyville')
  expect(await page.screen.findByRole('heading', { name: 'We could not find “Xyzzyville”' })).toBeVisible()
  expect(page.screen.getAllByText('Enter city, state or ZIP code.')[0]).toBeVisible()
  page = await page.goto('/search?location=10001&pageNo=99')
  const last = await page.screen.findByRole('link', { name: 'Go to the last page' })
  expect(cards()).toEqual([])
  await page.user.click(last)
  await untilCards()
  // An unknown sort order is ignored.
  page = await page.goto('/search?location=10001&sortBy=foo')
  await untilCards()
})

test('SRCH-001 a neighborhood can be searched and is suggested', async () => {
  const page = await openPage(app, 'skyharbor', '/search?location=10001')
  await fill(page, where(page), 'soho')
  await page.user.click(await page.screen.findByRole('option', { name: 'SoHo, New York, NY' }))
  expect(await page.screen.findByText(/near SoHo, New York, NY/, { selector: '[role=status] *' })).toBeVisible()
  await vi.waitFor(() => expect(cards()[0]).toHaveTextContent('SoHo'), 20_000)
})

test('GEO-005 a search without a place starts at the position that the server determines', async () => {
  const { visitor } = await openPage(app, 'skyharbor', '/search?isNew=true')
  const { latitude, longitude } = (await visitor.get('/api/DefaultUserLocation')).json()
  const query = `isNew=true&location=Current+Map+View&latitude=${latitude}&longitude=${longitude}`
  const { merchants } = (await visitor.get(`${searchCall}?${query}`)).json()
  await vi.waitFor(() => expect(cards()[0]).toHaveTextContent(merchants[0].name), 20_000)
})

test('GEO-005 a search without a place names where it searches, and for a member that is at home', async () => {
  let page = await openPage(app, 'gallonaire', '/search?isNew=true')
  expect(await page.screen.findByText(/near New York, NY/, { selector: '[role=status] *' })).toBeVisible()
  const { visitor } = await newMember(app, 'gallonaire')
  page = await openPage(app, 'gallonaire', '/search?isNew=true', { visitor })
  expect(await page.screen.findByText(/near .*10001/, { selector: '[role=status] *' })).toBeVisible()
  page = await page.goto('/')
  const row = within(await page.screen.findByRole('region', { name: 'Burgers, big ones' }))
  expect(await row.findByText(/^Near .*10001/)).toBeVisible()
  expect(row.getByRole('link', { name: /^View all/ }).getAttribute('href')).toMatch(/location=10001/)
})
