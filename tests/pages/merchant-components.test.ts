import { configure, fireEvent, within } from '@testing-library/dom'
import { createElement } from 'react'
import { afterAll, expect, test, vi } from 'vitest'
import { toMerchant } from '../../src/dining/merchants/catalog/to-merchant.ts'
import type { MerchantDetail } from '../../src/dining/merchants/contract.ts'
import type { Unlocking } from '../../src/dining/merchants/earning/rules.ts'
import { Unlock } from '../../src/dining/merchants/member/embed/EarnLine.tsx'
import { MerchantCard } from '../../src/dining/merchants/member/embed/MerchantCard.tsx'
import { FilterDialog } from '../../src/dining/merchants/member/FilterDialog.tsx'
import { Menu } from '../../src/dining/merchants/member/Menu.tsx'
import { SearchControls } from '../../src/dining/merchants/member/SearchControls.tsx'
import { queryOf, readSearch } from '../../src/dining/merchants/search-address.ts'
import { merchantRow } from '../support/merchant-fixtures.ts'
import { restoreGlobals } from '../support/page-window.ts'
import { openPart } from '../support/part-window.ts'
import type { PartOptions } from '../support/render-part.tsx'

// As long as a busy machine needs.
configure({ asyncUtilTimeout: 20_000 })
afterAll(restoreGlobals)

const kumo = toMerchant(merchantRow(), { miles: null, origin: null, today: '2026-11-20' })
const stateOf = (search: string) => readSearch(new URLSearchParams(search))

test('CARDM-014 the way to unlock a restaurant leads where the program has it, and can be closed and opened again', async () => {
  const linkOf = async (unlocking: Unlocking, hideEmailOptIn: boolean) => {
    const { screen, user } = await openPart(createElement(Unlock, { merchant: kumo, unlocking }), {
      config: { hideEmailOptIn },
    })
    const open = () => user.click(screen.getByRole('button', { name: 'Unlock access to earn' }))
    await open()
    await user.click(await screen.findByRole('button', { name: 'Close' }))
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
    await open()
    return (await screen.findByRole('link')).getAttribute('href')
  }
  expect([await linkOf('emails', false), await linkOf('emails', true), await linkOf('vip', false)]).toEqual([
    '/account/user_profile',
    '/account/privacy',
    '/earn/vip-upgrade',
  ])
  expect(await linkOf('activate', false)).toBe('/activate')
})

test('CARDM-019 a restaurant is the selected one by its name and by its link to reserve', async () => {
  const merchant = { ...kumo, reservationProviders: ['book'] }
  for (const [name, to] of [
    ['Kumo Sushi', `/merchants/${kumo.id}`],
    [/^Reserve/, `/merchants/${kumo.id}#reserve-table`],
  ] as const) {
    const { screen, navigations } = await openPart(createElement(MerchantCard, { merchant, level: 2 }))
    expect(localStorage.getItem('RN_SELECTED_MERCHANT')).toBeNull()
    fireEvent.click(screen.getByRole('link', { name }))
    expect([localStorage.getItem('RN_SELECTED_MERCHANT'), navigations[0]?.[0]]).toEqual([kumo.id, to])
  }
})

test('MERCH-002 each photo of a menu is shown large, one after another', async () => {
  const menuImages = ['Lunch', 'Dinner'].map((section) => ({ section, url: `/art/menu/${section}.svg` }))
  const merchant = { menus: [], menuUrl: '', menuImages } as unknown as MerchantDetail
  const { screen, user } = await openPart(createElement(Menu, { merchant }))
  for (const section of ['Dinner', 'Lunch', 'Dinner']) {
    await user.click(screen.getByRole('button', { name: `Menu: ${section}` }))
    const dialog = await screen.findByRole('dialog', { name: `Menu: ${section}` })
    expect(within(dialog).getByRole('img')).toHaveAttribute('src', `/art/menu/${section}.svg`)
    await user.keyboard('{Escape}')
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  }
})

/** Opens the dialog of the filters of a search. */
async function openFilters(search: string, names: readonly string[], options: PartOptions = {}) {
  const [onApply, onClose] = [vi.fn(), vi.fn()]
  const state = stateOf(search)
  const props = { state, given: { query: queryOf(state) as never }, visible: new Set(names), onApply, onClose }
  const part = await openPart(createElement(FilterDialog, props), options)
  const box = (name: RegExp) => part.screen.getByRole('checkbox', { name })
  return { ...part, state, box, onApply, onClose }
}

test('SRCH-015 SRCH-016 filters that are on or off are changed apart from each other, and back', async () => {
  const names = ['acclaimed', 'isNew', 'reservations']
  const { box, user, screen, state, onApply, onClose } = await openFilters('location=10001&isNew=true', names)
  const checked = () =>
    [/^Acclaimed/, /^New/, /^Takes reservations/].map((name) => (box(name) as HTMLInputElement).checked)
  expect(checked()).toEqual([false, true, false])
  await user.click(box(/^New/))
  await user.click(box(/^Takes/))
  await user.click(box(/^Acclaimed/))
  await user.click(box(/^Acclaimed/))
  expect(checked()).toEqual([false, false, true])
  await user.click(screen.getByRole('button', { name: 'Search' }))
  expect(onApply.mock.calls).toEqual([[{ ...state, isNew: false, reservations: true }]])
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('the filters are counted for what is chosen, where the search is, without its order and its page', async () => {
  let total = 1200
  const call = vi.fn(async () => ({ features: {}, mealsServed: { brunch: 3 }, priceRange: {}, total }))
  const search = 'location=10001&restaurantOrCuisine=sushi&sortBy=rating&pageNo=3'
  const { box, user, screen } = await openFilters(search, ['mealsServed', 'sortBy'], { call })
  expect(await screen.findByRole('button', { name: 'Show 1,200 restaurants' })).toBeVisible()
  total = 1
  await user.click(box(/^Brunch \(3\)$/))
  expect(await screen.findByRole('button', { name: 'Show one restaurant' })).toBeVisible()
  const asked = call.mock.calls.map((given) => (given as unknown as [unknown, { query: object }])[1].query)
  const query = { location: '10001', restaurantOrCuisine: 'sushi' }
  expect(asked).toEqual([query, { ...query, mealsServed: ['brunch'] }])
})

test('SRCH-019 each suggested filter is pressed when its own condition is set, and a press turns only that one', async () => {
  const names = ['Acclaimed', 'New', 'Earns today', 'Takes reservations']
  for (const [search, name] of [
    ['acclaimed=true', 'Acclaimed'],
    ['isNew=true', 'New'],
    ['benefitsFor=Mon', 'Earns today'],
    ['reservations=true', 'Takes reservations'],
  ] as const) {
    const state = stateOf(`location=10001&pageNo=2&${search}`)
    const controls = createElement(SearchControls, { state, given: { query: {} as never } })
    const { screen, navigations } = await openPart(controls, { path: '/search' })
    const pressed = names.filter((each) => screen.queryByRole('button', { name: each, pressed: true }))
    expect(pressed).toEqual([name])
    fireEvent.click(screen.getByRole('button', { name }))
    expect(navigations).toEqual([['/search?location=10001']])
    const other = name === 'New' ? 'Acclaimed' : 'New'
    fireEvent.click(screen.getByRole('button', { name: other }))
    const set = new URLSearchParams(String(navigations[1]?.[0]).slice('/search?'.length))
    expect([set.get(name === 'New' ? 'acclaimed' : 'isNew'), set.get('pageNo')]).toEqual(['true', null])
    for (const [key, value] of new URLSearchParams(search)) expect(set.get(key)).toBe(value)
  }
})

test('SRCH-001 SRCH-002 suggestions for an earlier text disappear as soon as the text is another one', async () => {
  const call = async ({ id }: { id: string }, given: unknown) => {
    const { query } = (given as { query: { query: string } }).query
    const found = query === 'chi' ? [id === 'suggestLocations' ? 'Chicago, IL' : 'Chili'] : []
    return { locations: found, suggestions: found }
  }
  const controls = createElement(SearchControls, { state: stateOf(''), given: { query: {} as never } })
  const { screen, user, settle } = await openPart(controls, { path: '/search', call })
  for (const [name, suggestion] of [
    ['City, state or ZIP code', 'Chicago, IL'],
    ['Restaurant or cuisine', 'Chili'],
  ] as const) {
    const field = screen.getByRole('combobox', { name })
    await user.type(field, 'chi')
    expect(await screen.findByRole('option', { name: suggestion })).toBeVisible()
    fireEvent.input(field, { target: { value: 'boston' } })
    await settle()
    expect(screen.queryByRole('option', { name: suggestion })).toBeNull()
  }
})
