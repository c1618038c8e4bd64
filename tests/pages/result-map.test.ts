import '@testing-library/jest-dom/vitest'
import { configure, fireEvent, within } from '@testing-library/dom'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Pin } from '../../src/dining/merchants/contract.ts'
import type { ShownMap } from '../support/map-page.tsx'
import { nextTurns, openWindow, restoreGlobals } from '../support/page-window.ts'

// As long as a busy machine needs.
configure({ asyncUtilTimeout: 20_000 })
afterAll(restoreGlobals)

type Options = Parameters<typeof import('../support/map-page.tsx').showMap>[1]

/** Opens a window with the map of a search, which ends with the test. */
async function openMap(
  first: ShownMap,
  {
    stored,
    width = 800,
    height = 600,
    ...options
  }: Options & { stored?: string; width?: number; height?: number } = {},
) {
  const { window } = openWindow({
    url: 'http://map.localhost/search?location=10001',
    width: 1280,
    fetch: () => Promise.reject(new TypeError('no connection')),
    onLeave: () => {},
  })
  // This DOM has no layout.
  for (const [name, value] of Object.entries({ clientWidth: width, clientHeight: height }))
    Object.defineProperty(HTMLElement.prototype, name, { value, configurable: true })
  // Nothing is animated: a frame of this DOM comes later.
  window.matchMedia = (() => ({ matches: true })) as never
  if (stored !== undefined) localStorage.setItem('RN_MAP_VIEW', stored)
  const { showMap } = await import('../support/map-page.tsx')
  const { end, show, ...shown } = showMap(first, options)
  await nextTurns()
  onTestFinished(async () => {
    end()
    await nextTurns()
    await window.happyDOM.close()
  })
  const screen = within(document.body)
  return {
    ...shown,
    screen,
    map: screen.getByRole('region', { name: 'Map' }),
    pin: (id: string) => document.querySelector<HTMLElement>(`[data-pin="${id}"]`) as HTMLElement,
    view: () => JSON.parse(localStorage.getItem('RN_MAP_VIEW') ?? 'null'),
    async change(next: ShownMap) {
      show(next)
      await nextTurns()
    },
    async press(name: string | RegExp) {
      fireEvent.click(screen.getByRole('button', { name }))
      await nextTurns()
    },
  }
}

const chelsea = { latitude: 40.7495, longitude: -73.9962 }

/** A pin so many degrees north and east of Chelsea. */
const pinAt = (id: string, north: number, east: number, over: Partial<Pin> = {}): Pin => ({
  id,
  name: `Name of ${id}`,
  place: 'Chelsea',
  latitude: chelsea.latitude + north,
  longitude: chelsea.longitude + east,
  priceRange: 2,
  acclaimedLevel: 0,
  ratePercent: null,
  ...over,
})
/** Far enough from each other to be three pins. */
const [amore, bento, curry] = [pinAt('amore', 0, 0), pinAt('bento', 0.02, 0.02), pinAt('curry', -0.02, 0.02)]
const pins = [amore, bento, curry]
/** Two pins that overlap until the map is near, and one apart from them. */
const near = [amore, pinAt('annex', 0.0005, 0.0005), pinAt('dosa', 0.05, 0.05)]

test('A11Y-018 all pins and clusters are one tab stop, which the arrow keys, Home and End move through those in view', async () => {
  const [west, north, east] = [pinAt('west', -0.01, -0.05), pinAt('north', 0.03, 0), pinAt('east', 0, 0.05)]
  // At the edge it is drawn already, and comes into view when the map moves by 120 pixels.
  const edge = pinAt('edge', 0, 0.08)
  const page = await openMap({ pins: [west, north, east, edge], listed: [west, north, east] })
  const marks = () => [...page.map.querySelectorAll<HTMLElement>('[role="button"][title]:not(a)')]
  const stops = () => marks().flatMap(({ tabIndex, dataset }) => (tabIndex === 0 ? [dataset.pin] : []))
  expect([marks().length, stops()]).toEqual([4, ['north']])
  page.pin('north').focus()
  for (const [key, reached] of [
    ['ArrowRight', 'east'],
    ['ArrowRight', 'east'],
    ['ArrowLeft', 'north'],
    ['ArrowLeft', 'west'],
    ['ArrowUp', 'east'],
    ['ArrowUp', 'north'],
    ['ArrowDown', 'east'],
    ['Home', 'west'],
    ['End', 'east'],
    ['PageDown', 'east'],
  ] as const) {
    const isDefault = fireEvent.keyDown(document.activeElement as HTMLElement, { key })
    expect([key, page.pin(reached) === document.activeElement, stops()]).toEqual([key, true, [reached]])
    expect(isDefault).toBe(key === 'PageDown')
  }
  await page.press('Move right')
  fireEvent.keyDown(page.pin('east'), { key: 'ArrowRight' })
  expect(page.pin('edge')).toHaveFocus()
})

test('A11Y-018 the tab stop of the map is the restaurant that the list points at, and one in view when the map moves', async () => {
  const edge = pinAt('edge', 0, 0.09)
  const page = await openMap({ pins: [...pins, edge], listed: pins, pointed: 'curry' })
  const stop = () =>
    [...document.querySelectorAll<HTMLElement>('[data-pin][tabindex="0"]')].map((pin) => pin.dataset.pin)
  expect(stop()).toEqual(['curry'])
  for (let time = 0; time < 5; time++) await page.press('Move right')
  expect(stop()).toEqual(['edge'])
})

test('A11Y-019 restaurants that no zoom level separates are listed in one card, whose links are reached by Tab', async () => {
  const twins = [amore, pinAt('annex', 0, 0, { priceRange: 0 }), pinAt('attic', 0, 0)]
  const page = await openMap({ pins: [...twins, pinAt('dosa', 0.05, 0.05)] })
  const cluster = page.screen.getByRole('button', { name: '3 restaurants here: show them' })
  cluster.focus()
  fireEvent.keyDown(cluster, { key: 'Enter' })
  await nextTurns()
  const card = page.screen.getByRole('dialog', { name: '3 restaurants here: show them' })
  expect(card.textContent).toBe('Name of amore$$Name of annexName of attic$$')
  const [first, , last] = within(card).getAllByRole('link') as [HTMLElement, HTMLElement, HTMLElement]
  expect(first).toHaveFocus()
  // Within the card, Tab is the browser's.
  expect(fireEvent.keyDown(first, { key: 'Tab' })).toBe(true)
  expect(first).toHaveFocus()
  last.focus()
  fireEvent.keyDown(last, { key: 'Tab', shiftKey: true })
  expect(last).toHaveFocus()
  fireEvent.keyDown(last, { key: 'Tab' })
  await nextTurns()
  expect([page.screen.queryByRole('dialog'), document.activeElement]).toEqual([null, cluster])
  fireEvent.click(cluster)
  await nextTurns()
  fireEvent.click(page.screen.getByRole('link', { name: 'Name of annex' }))
  expect(page.reports.at(-1)).toBe('opens /merchants/annex')
})

test('SRCH-026 a restaurant that was chosen on the map is stored, to be highlighted on return', async () => {
  const page = await openMap({ pins })
  const stored = () => localStorage.getItem('RN_SELECTED_MERCHANT')
  page.pin('bento').focus()
  expect(stored()).toBeNull()
  fireEvent.click(page.pin('bento'))
  expect(stored()).toBe('bento')
})

test('pins of restaurants outside the list are dimmed, also when the list changes', async () => {
  const page = await openMap({ pins, listed: [bento, curry] })
  const dimmed = () => pins.map(({ id }) => /unlisted/.test(page.pin(id).className))
  expect(dimmed()).toEqual([true, false, false])
  await page.change({ pins, listed: pins })
  expect(dimmed()).toEqual([false, false, false])
  await page.change({ pins, listed: [bento, curry] })
  expect(dimmed()).toEqual([true, false, false])
})

test('SRCH-025 a pin that has the pointer, the focus or a press points at its restaurant in the list', async () => {
  const { pin, reports } = await openMap({ pins })
  fireEvent.mouseOver(pin('amore'))
  expect(reports).toEqual(['points at amore'])
  pin('bento').focus()
  expect(reports.slice(1)).toEqual(['points at bento'])
  fireEvent.click(pin('curry'))
  expect(reports.slice(2)).toEqual(['points at curry'])
})

test('SRCH-025 the restaurant that the list points at is highlighted, one at a time, and stays so when the map moves', async () => {
  const page = await openMap({ pins, pointed: 'amore' })
  const chosen = () => [...document.querySelectorAll<HTMLElement>('[data-chosen]')].map(({ dataset }) => dataset.pin)
  expect(chosen()).toEqual(['amore'])
  await page.change({ pins, pointed: 'bento' })
  expect(chosen()).toEqual(['bento'])
  await page.press('Move up')
  expect(chosen()).toEqual(['bento'])
  await page.change({ pins, pointed: null })
  expect(chosen()).toEqual([])
  // First the cluster that contains it, then its own pin.
  await page.change({ pins: near, pointed: 'annex' })
  expect(chosen()).toEqual([undefined])
  await page.press('2 restaurants: zoom in')
  expect(chosen()).toEqual(['annex'])
})

test('A11Y-011 several restaurants that are opened by keyboard pass the focus to one of them, once', async () => {
  const page = await openMap({ pins: near })
  const cluster = page.screen.getByRole('button', { name: '2 restaurants: zoom in' })
  cluster.focus()
  fireEvent.keyDown(cluster, { key: 'Enter' })
  await nextTurns()
  expect([page.pin('amore'), page.pin('annex')]).toContain(document.activeElement)
  page.screen.getByRole('button', { name: 'Move up' }).focus()
  await page.press('Move up')
  expect(page.screen.getByRole('button', { name: 'Move up' })).toHaveFocus()
})

test('several restaurants that are opened by the pointer leave the focus where it is', async () => {
  const page = await openMap({ pins: near })
  const move = page.screen.getByRole('button', { name: 'Move up' })
  move.focus()
  const { zoom } = page.view()
  await page.press('2 restaurants: zoom in')
  expect(page.view().zoom).toBeGreaterThan(zoom)
  expect(page.pin('annex')).toBeInTheDocument()
  expect(move).toHaveFocus()
})

test('several restaurants can be opened after the pins were loaded again', async () => {
  const page = await openMap({ pins: near })
  // The cluster stays on the map, and has another number among all clusters.
  const others = [pinAt('egg', -0.05, -0.05), pinAt('eel', -0.0505, -0.0505)]
  await page.change({ pins: [...others, ...near], listed: near })
  const { zoom } = page.view()
  const top = (element: HTMLElement) => Number.parseFloat(element.style.top)
  const clusters = page.screen.getAllByRole('button', { name: '2 restaurants: zoom in' })
  fireEvent.click(clusters.toSorted((a, b) => top(a) - top(b))[0] as HTMLElement)
  await nextTurns()
  expect(page.view().zoom).toBeGreaterThan(zoom)
  expect([page.pin('amore'), page.pin('annex')].every((element) => element.isConnected)).toBe(true)
})

test('A11Y-011 a focused pin that another search no longer has passes the focus to the map', async () => {
  const page = await openMap({ pins })
  page.pin('curry').focus()
  await page.change({ pins: [amore, bento, curry], listed: [bento, curry] })
  expect(page.pin('curry')).toHaveFocus()
  await page.change({ pins: [amore, bento] })
  expect(page.map).toHaveFocus()
})

test('A11Y-011 Escape and Tab, in both directions, close the card of a pin and return to it; other keys do not', async () => {
  const page = await openMap({ pins })
  const card = () => page.screen.queryByRole('dialog', { name: 'Name of amore' })
  for (const [key, shiftKey, isDefault] of [
    ['Escape', false, false],
    ['Tab', false, true],
    ['Tab', true, false],
  ] as const) {
    page.pin('amore').focus()
    fireEvent.keyDown(page.pin('amore'), { key: 'Enter' })
    await nextTurns()
    const link = within(card() as HTMLElement).getByRole('link', { name: 'See restaurant' })
    expect(link).toHaveFocus()
    fireEvent.keyDown(link, { key: 'Shift', shiftKey: true })
    expect(link).toHaveFocus()
    // Forward, the browser continues from the pin; backward it would go to the pin before.
    expect(fireEvent.keyDown(link, { key, shiftKey })).toBe(isDefault)
    await nextTurns()
    expect([card(), document.activeElement]).toEqual([null, page.pin('amore')])
  }
})

test('other keys than Enter and Space do nothing on a pin', async () => {
  const page = await openMap({ pins })
  for (const [key, isOpen] of [
    ['a', false],
    ['Tab', false],
    [' ', true],
  ] as const) {
    expect(fireEvent.keyDown(page.pin('amore'), { key })).toBe(!isOpen)
    await nextTurns()
    expect(page.screen.queryByRole('dialog') !== null).toBe(isOpen)
  }
})

test('the card of a pin has what is known, and opens the page of its restaurant without a new document', async () => {
  const page = await openMap({ pins: [amore, pinAt('plain', 0.02, 0.02, { priceRange: 0 })] })
  const open = async (id: string) => {
    fireEvent.click(page.pin(id))
    await nextTurns()
    return page.screen.getByRole('dialog', { name: `Name of ${id}` })
  }
  expect((await open('amore')).textContent).toBe('Name of amore$$See restaurant')
  const card = await open('plain')
  expect([card.textContent, card.querySelectorAll('br').length]).toEqual(['Name of plainSee restaurant', 1])
  const link = within(card).getByRole('link')
  expect(link).toHaveAttribute('href', '/merchants/plain')
  // A press that opens a tab is left to the browser.
  expect(fireEvent.click(link, { ctrlKey: true })).toBe(true)
  expect(page.reports.at(-1)).not.toContain('opens')
  expect(fireEvent.click(link)).toBe(false)
  expect(page.reports.at(-1)).toBe('opens /merchants/plain')
})

test('the number of pins is shown only when the search has more restaurants', async () => {
  const page = await openMap({ pins, total: 1200 })
  const { screen } = page
  expect(screen.getByText('Nearest 3 of 1,200')).toBeVisible()
  for (const next of [
    { pins, total: 3 },
    { pins: [], total: 3 },
  ]) {
    await page.change(next)
    expect(screen.queryByText(/^Nearest/)).toBeNull()
  }
})

test('SRCH-004 the area of the map is offered when the visitor moves it, until there is another result', async () => {
  const page = await openMap({ pins })
  const offer = () => page.screen.queryByRole('button', { name: 'Search this area' })
  expect(offer()).toBeNull()
  await page.press('Move right')
  expect(offer()).toBeVisible()
  await page.change({ pins: [amore] })
  expect(offer()).toBeNull()
  await page.press('Move right')
  expect(offer()).toBeVisible()
})

test('SRCH-004 the area of the map is searched up to its corners, with a radius from 0.2 to 100 miles', async () => {
  const page = await openMap({ pins: [amore] })
  await page.press('Move up')
  await page.press('Search this area')
  expect(page.areas).toEqual([{ latitude: 40.7534, longitude: -73.9962, radius: 1.1 }])
  expect(page.map).toHaveFocus()
  for (let time = 0; time < 12; time++) await page.press('Zoom out')
  await page.press('Search this area')
  expect(page.areas.at(-1)).toMatchObject({ radius: 100 })
  const small = await openMap({ pins: [amore] }, { width: 320, height: 200 })
  for (let time = 0; time < 2; time++) await small.press('Zoom in')
  await small.press('Search this area')
  expect(small.areas).toMatchObject([{ radius: 0.2 }])
})

test('a search without results shows the area where it searched', async () => {
  const origin = { label: 'Chicago, IL', latitude: 41.88, longitude: -87.63 }
  const page = await openMap({ origin })
  const at = () => [page.view().latitude.toFixed(2), page.view().longitude.toFixed(2), page.view().zoom]
  expect(at()).toEqual(['41.88', '-87.63', 10])
  await page.change({ pins: [amore], origin })
  expect(at()).toEqual(['40.75', '-74.00', 15])
})

const shownView = ({ view }: { view: () => { latitude: number; longitude: number; zoom: number } }) => [
  view().latitude.toFixed(2),
  view().longitude.toFixed(2),
  view().zoom,
]

test('SRCH-025 a reload restores the view that the map had for this search, and another search has its own', async () => {
  const stored = JSON.stringify({ latitude: 40.7, longitude: -74.1, zoom: 11, search: 'chelsea' })
  const restored = await openMap({ pins, search: 'chelsea' }, { stored })
  expect(shownView(restored)).toEqual(['40.70', '-74.10', 11])
  expect(restored.screen.queryByRole('button', { name: 'Search this area' })).toBeNull()
  // A new result of the same search, as after signing in, keeps it too.
  await restored.change({ pins: [amore], search: 'chelsea' })
  expect(shownView(restored)).toEqual(['40.70', '-74.10', 11])
  await restored.change({ pins, search: 'soho' })
  expect(shownView(restored)).toEqual(['40.75', '-73.99', 13])
  // Without a stored view, or with one that cannot be read, the results are shown.
  for (const text of [stored.replace('chelsea', 'soho'), '{"latitude":40.7,"longitude":-74.1}', '{'])
    expect(shownView(await openMap({ pins, search: 'chelsea' }, { stored: text }))).toEqual(['40.75', '-73.99', 13])
})

test('SRCH-004 SRCH-025 a search of the area of the map keeps the view, and one of another area shows its results', async () => {
  const page = await openMap({ pins })
  await page.press('Zoom out')
  await page.press('Move up')
  await page.press('Search this area')
  const [before, area] = [shownView(page), page.areas.at(-1)]
  await page.change({ pins: [amore], search: 'area', area: area ?? null })
  expect(shownView(page)).toEqual(before)
  expect(page.view().search).toBe('area')
  await page.change({ pins: [bento], search: 'other area', area: { latitude: 40.7, longitude: -73.9 } })
  expect(shownView(page)).toEqual(['40.77', '-73.98', 15])
})

test('neighborhoods have names from zoom level 12 on', async () => {
  const page = await openMap({ pins: [amore, bento, pinAt('soho', -0.02, 0.02, { place: 'SoHo' })] })
  const names = () => ['Chelsea', 'SoHo'].filter((name) => page.screen.queryByText(name) !== null)
  expect(page.view().zoom).toBe(13)
  await page.press('Zoom out')
  expect(names()).toEqual(['Chelsea', 'SoHo'])
  await page.press('Zoom out')
  expect(names()).toEqual([])
  await page.press('Zoom in')
  expect(names()).toEqual(['Chelsea', 'SoHo'])
})

test('the names of cities are those of the newest view, without their states, and none covers another', async () => {
  const requests: { area: Record<string, number>; respond: (places: object[]) => void }[] = []
  const places = (area: Record<string, number>) => new Promise<object[]>((respond) => requests.push({ area, respond }))
  const page = await openMap({ pins }, { places })
  const { screen } = page
  await page.press('Move up')
  const city = (label: string, north: number) => ({ label, ...chelsea, latitude: chelsea.latitude + north })
  const [newest, before] = [requests.at(-1), requests.at(-2)]
  expect(newest?.area.north).toBeGreaterThan(before?.area.north ?? 90)
  newest?.respond([city('New York, NY', 0), city('Covered, NY', 0.001), city('Union City, NJ', 0.02)])
  await nextTurns()
  before?.respond([city('Outdated, NY', 0.03)])
  await nextTurns()
  for (const name of ['New York', 'Union City']) expect(screen.getByText(name)).toBeVisible()
  for (const name of [/Covered/, /Outdated/]) expect(screen.queryByText(name)).toBeNull()
  await page.press('Move up')
  requests.at(-1)?.respond([city('Yonkers, NY', 0.03)])
  await nextTurns()
  expect(screen.queryByText('New York')).toBeNull()
  expect(screen.getByText('Yonkers')).toBeVisible()
})

test('the names of cities are requested within the limits of the earth, and a failure leaves the map as it is', async () => {
  const areas: Record<string, number>[] = []
  const page = await openMap(
    { pins },
    {
      places: async (area) => {
        areas.push(area)
        throw new TypeError('no connection')
      },
    },
  )
  const { screen } = page
  for (let time = 0; time < 10; time++) await page.press('Zoom out')
  for (let time = 0; time < 2; time++) await page.press('Move left')
  expect(areas.at(-1)).toMatchObject({ west: -180 })
  expect(Object.values(areas.at(-1) ?? {}).every((degrees) => Math.abs(degrees) <= 180)).toBe(true)
  expect(screen.getByRole('button', { name: '3 restaurants: zoom in' })).toBeVisible()
})

test('a program with a map server shows its tiles and their origin, and requests no names of cities', async () => {
  const places = vi.fn(async () => [])
  const tiles = { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: 'Map by Example' }
  const page = await openMap({ pins }, { tiles, places })
  const { screen } = page
  expect(screen.getByText('Map by Example')).toBeVisible()
  expect(document.querySelector('img[src^="https://tiles.example/13/"]')).not.toBeNull()
  expect(places).not.toHaveBeenCalled()
  const own = await openMap({ pins }, { places })
  expect(own.screen.queryByText(/Leaflet/)).toBeNull()
  expect(places).toHaveBeenCalled()
})
