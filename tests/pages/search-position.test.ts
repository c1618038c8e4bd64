import { expect, onTestFinished, test, vi } from 'vitest'
import { newMember } from '../support/members.ts'
import { type OpenPage, openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

/** Midtown, and a place within walking distance. */
const midtown = { latitude: 40.7577444, longitude: -73.9857111 }
const here = '/search?location=Current+Location'
const cards = () => document.querySelectorAll('main article')
const untilCards = () => vi.waitFor(() => expect(cards()).not.toHaveLength(0), 20_000)
const queriesOf = (page: OpenPage, path: string) =>
  page.calls(`GET ${path}`).map((request) => new URL(request.path, 'http://app').searchParams)
const searchesOf = (page: OpenPage) => queriesOf(page, '/api/v2/Merchants/Search')

/** A device at one place, which stores how it was asked. */
function device() {
  const asked: PositionOptions[] = []
  const position = (options: PositionOptions) => {
    asked.push(options)
    return midtown
  }
  return { asked, position }
}

test('SRCH-013 SRCH-014 GEO-001 GEO-003 CONST-023 a search requests the exact position and sends two decimals', async () => {
  const { asked, position } = device()
  const page = await openPage(app, 'skyharbor', here, { position })
  await untilCards()
  const [first] = searchesOf(page)
  expect(first?.get('location')).toBe('Current Location')
  expect(first?.get('latitude')).toBe('40.76')
  expect(first?.get('longitude')).toBe('-73.99')
  expect(asked[0]).toEqual({ enableHighAccuracy: true, timeout: 7000, maximumAge: 0 })
  // The address does not contain the location.
  expect(page.address).toBe(here)
})

test('SRCH-014 the page says that it is looking for the position, and then what is in this area', async () => {
  const page = await openPage(app, 'beacon', '/', device())
  const link = await vi.waitFor(() => {
    const found = document.querySelector<HTMLElement>('main a[href*="location=Current+Location"]')
    expect(found).not.toBeNull()
    return found as HTMLElement
  }, 20_000)
  const { geolocation } = navigator
  const locate = geolocation.getCurrentPosition
  const waiting: Parameters<typeof locate>[] = []
  Object.assign(geolocation, { getCurrentPosition: (...given: Parameters<typeof locate>) => waiting.push(given) })
  await page.user.click(link)
  const region = (await page.screen.findByText('Finding your location…')).closest('[role=status]')
  expect(region).not.toBeNull()
  await vi.waitFor(() => expect(waiting).not.toEqual([]), 20_000)
  for (const given of waiting) locate(...given)
  const found = await page.screen.findByText(/^[\d,]+ restaurants in this area$/)
  expect(found.closest('[role=status]')).toBe(region)
  expect(page.screen.queryByText('Finding your location…')).toBeNull()
})

test('SRCH-014 until the results around the device arrive those before stay, and screen readers learn that they are outdated', async () => {
  let respond = () => {}
  const page = await openPage(app, 'skyharbor', '/search?location=10001', {
    ...device(),
    async responder({ path }) {
      if (path.includes('/Merchants/Search?') && path.includes('Current')) {
        await new Promise<void>((resolve) => {
          respond = resolve
        })
      }
      return undefined
    },
  })
  const [first] = cards()
  const results = first?.closest('[aria-busy]')
  expect(results).toHaveAttribute('aria-busy', 'false')
  const field = page.screen.getByRole('combobox', { name: 'City, state or ZIP code' })
  await page.user.clear(field)
  await page.user.click(await page.screen.findByRole('option', { name: 'Current Location' }))
  await vi.waitFor(() => expect(searchesOf(page).at(-1)?.get('location')).toBe('Current Location'), 20_000)
  expect(results).toHaveAttribute('aria-busy', 'true')
  expect(first).toBeInTheDocument()
  respond()
  await vi.waitFor(() => expect(results).toHaveAttribute('aria-busy', 'false'), 20_000)
  expect(await page.screen.findByText(/^[\d,]+ restaurants in this area$/)).toBeVisible()
})

test('GEO-003 a search without a place is around a device whose position is permitted', async () => {
  const page = await openPage(app, 'skyharbor', '/search?isNew=true', device())
  await vi.waitFor(() => expect(searchesOf(page).map((query) => query.get('latitude'))).toContain('40.76'), 20_000)
  expect(await page.screen.findByText(/^[\d,]+ restaurants in this area$/)).toBeVisible()
})

test('SRCH-014 the map requests no pins before the position is known', async () => {
  const pinsOf = (page: OpenPage) => queriesOf(page, '/api/v2/Merchants/Pins')
  const untilPins = (page: OpenPage) =>
    vi.waitFor(
      () => expect(pinsOf(page).filter((query) => query.get('location') === 'Current Location')).not.toEqual([]),
      20_000,
    )
  const first = await openPage(app, 'skyharbor', here, device())
  await untilCards()
  await untilPins(first)
  // From here the page continues to the last search and shows a list while it requests the position.
  const second = await first.goto('/search')
  await vi.waitFor(() => expect(second.address).toBe(here), 20_000)
  await untilPins(second)
  for (const page of [first, second]) for (const query of pinsOf(page)) expect(query.get('latitude')).not.toBeNull()
})

test('GEO-002 CONST-023 nearby restaurants on other pages request an approximate position', async () => {
  const { asked, position } = device()
  const page = await openPage(app, 'beacon', '/', { position })
  await vi.waitFor(() => expect(searchesOf(page).map((query) => query.get('latitude'))).toContain('40.76'), 20_000)
  expect(asked[0]).toEqual({ enableHighAccuracy: false, timeout: 5000, maximumAge: 3_600_000 })
})

test('GEO-004 CONST-014 a granted position is requested again every five minutes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { asked, position } = device()
  let at = midtown
  const page = await openPage(app, 'skyharbor', here, { position: (options) => ({ ...position(options), ...at }) })
  await untilCards()
  const before = asked.length
  at = { latitude: 41.88, longitude: -87.63 }
  vi.advanceTimersByTime(4 * 60_000)
  expect(asked).toHaveLength(before)
  vi.advanceTimersByTime(70_000)
  expect(asked).toHaveLength(before + 1)
  await vi.waitFor(() => expect(searchesOf(page).at(-1)?.get('latitude')).toBe('41.88'), 20_000)
})

test('GEO-004 a page that is hidden does not request the position again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { asked, position } = device()
  await openPage(app, 'skyharbor', here, { position })
  await untilCards()
  const before = asked.length
  const show = (state: string) =>
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  show('hidden')
  vi.advanceTimersByTime(10 * 60_000)
  expect(asked).toHaveLength(before)
  show('visible')
  vi.advanceTimersByTime(5 * 60_000)
  expect(asked).toHaveLength(before + 1)
})

test('GEO-004 a position that cannot be refreshed stays, and so do the results around it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { asked, position } = device()
  let isFailing = false
  const page = await openPage(app, 'skyharbor', here, {
    position(options) {
      const point = position(options)
      return isFailing ? undefined : point
    },
  })
  await untilCards()
  const before = asked.length
  isFailing = true
  vi.advanceTimersByTime(5 * 60_000)
  expect(asked).toHaveLength(before + 1)
  await page.user.click(page.screen.getByRole('button', { name: 'Earns today' }))
  await vi.waitFor(() => expect(searchesOf(page).at(-1)?.get('benefitsFor')).not.toBeNull(), 20_000)
  expect(searchesOf(page).at(-1)?.get('latitude')).toBe('40.76')
  await untilCards()
  expect(page.screen.queryByRole('heading', { name: 'We can’t see your location' })).toBeNull()
})

test('SRCH-007 SRCH-011 ERR-018 with location access denied nothing is searched, and another place is offered', async () => {
  const page = await openPage(app, 'skyharbor', here)
  expect(await page.screen.findByRole('heading', { name: 'We can’t see your location' })).toBeVisible()
  expect(searchesOf(page)).toEqual([])
  await page.user.click(page.screen.getByRole('link', { name: 'Search another place' }))
  await untilCards()
})

test('GEO-003 a search without a place is around the device of a member whose position is permitted, not at home', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const page = await openPage(app, 'gallonaire', '/search?isNew=true', { ...device(), visitor })
  expect(await page.screen.findByText(/^[\d,]+ restaurants in this area$/)).toBeVisible()
  expect(searchesOf(page).at(-1)?.get('latitude')).toBe('40.76')
})
