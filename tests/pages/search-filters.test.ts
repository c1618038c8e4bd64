import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { visit } from '../support/app.ts'
import { type OpenPage, openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

const results = '/search?location=10001'
const chip = ({ screen }: OpenPage, name: string) => screen.queryByRole('button', { name })

test('a choice in the filter dialog can be undone, and closing the dialog discards what was not applied', async () => {
  const page = await openPage(app, 'skyharbor', `${results}&mealsServed=brunch`)
  const { user, screen } = page
  const open = async () => {
    await user.click(screen.getByRole('button', { name: /^Filters/ }))
    return within(await screen.findByRole('dialog'))
  }
  let dialog = await open()
  await user.click(dialog.getByRole('checkbox', { name: /^Lunch/ }))
  await user.click(dialog.getByRole('checkbox', { name: /^Brunch/ }))
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  expect(page.address).toBe(`${results}&mealsServed=brunch`)
  dialog = await open()
  const checked = () => dialog.getAllByRole<HTMLInputElement>('checkbox').filter((box) => box.checked)
  expect(checked().map(({ parentElement }) => parentElement?.textContent)).toEqual([expect.stringMatching(/^Brunch/)])
  await user.click(dialog.getByRole('checkbox', { name: /^Brunch/ }))
  expect(checked()).toEqual([])
  await user.click(await dialog.findByRole('button', { name: /^Show/ }))
  await vi.waitFor(() => expect(page.address).toBe(results), 20_000)
})

test('the filters count what a search without a place finds, and say when nothing is left', async () => {
  const page = await openPage(app, 'skyharbor', '/search?isNew=true')
  const { user, screen } = page
  const [found] = /^[\d,]+/.exec((await screen.findByText(/restaurants near/)).textContent) ?? []
  await user.click(screen.getByRole('button', { name: 'Filters (1)' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByRole('button', { name: `Show ${found} restaurants` })).toBeVisible()
  const none = dialog
    .getAllByRole('checkbox')
    .find(({ parentElement }) => / \(0\)$/.test(parentElement?.textContent ?? ''))
  await user.click(none as HTMLElement)
  expect(await dialog.findByRole('button', { name: 'No restaurant with these filters' })).toBeVisible()
})

test('Clear in the filter dialog resets the filters and the order', async () => {
  const page = await openPage(app, 'skyharbor', '/search?location=10001&sortBy=rating&mealsServed=Dinner')
  const { user, screen } = page
  await user.click(screen.getByRole('button', { name: /^Filters/ }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Clear filters' }))
  await user.click(await dialog.findByRole('button', { name: /^Show/ }))
  await vi.waitFor(() => expect(page.address).toBe('/search?location=10001'), 20_000)
  await screen.findByRole('button', { name: 'Filters' })
})

test('SRCH-003 SRCH-015 SRCH-016 SRCH-017 SRCH-018 SRCH-021 filters show how many results they leave and are stored in the address, which leads to their first page', async () => {
  let page = await openPage(app, 'skyharbor', `${results}&pageNo=2`)
  const { user, screen } = page
  await user.click(screen.getByRole('button', { name: 'Filters' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Filters' }))
  const inGroup = (name: string) => within(panel.getByRole('group', { name })).getAllByRole('checkbox')
  const sizes = Object.entries({ Meals: 5, Features: 4, Price: 4, 'Earns on': 7 })
  for (const [name, size] of sizes) expect([name, inGroup(name).length]).toEqual([name, size])
  const brunch = await panel.findByRole('checkbox', { name: /^Brunch \(\d/ })
  const count = Number(brunch.parentElement?.textContent.replace(/\D/g, ''))
  await user.click(brunch)
  expect(await panel.findByRole('button', { name: `Show ${count} restaurants` })).toBeVisible()
  await user.click(panel.getByRole('checkbox', { name: /^Takeout/ }))
  await user.click(panel.getByRole('checkbox', { name: 'Sunday' }))
  await user.selectOptions(panel.getByLabelText('Sort by'), 'rating')
  await user.click(await panel.findByRole('button', { name: /^Show \d+ restaurants/ }))
  await vi.waitFor(() => expect(page.address).toMatch(/benefitsFor=Sun/), 20_000)
  expect(page.address).toMatch(/features=takeout/)
  expect(page.address).toMatch(/mealsServed=brunch/)
  expect(page.address).toMatch(/sortBy=rating/)
  expect(page.address).not.toMatch(/pageNo/)
  expect(await screen.findByRole('button', { name: 'Filters (4)' })).toBeVisible()
  page = await page.goto(page.address)
  expect(await page.screen.findByRole('button', { name: 'Filters (4)' })).toBeVisible()
})

test('SRCH-019 four suggested filters show where the program has them', async () => {
  const page = await openPage(app, 'skyharbor', results)
  for (const name of ['Acclaimed', 'New', 'Earns today', 'Takes reservations']) expect(chip(page, name)).toBeVisible()
  await page.user.click(chip(page, 'Earns today') as HTMLElement)
  await vi.waitFor(() => expect(page.address).toMatch(/benefitsFor=(Sun|Mon|Tue|Wed|Thu|Fri|Sat)/), 20_000)
  await vi.waitFor(() => expect(chip(page, 'Earns today')).toHaveAttribute('aria-pressed', 'true'), 20_000)
  await page.user.click(chip(page, 'Earns today') as HTMLElement)
  await vi.waitFor(() => expect(page.address).toBe(results), 20_000)
  expect(chip(await openPage(app, 'gallonaire', results), 'Acclaimed')).toBeNull()
  expect(chip(await openPage(app, 'lantern', results), 'Takes reservations')).toBeNull()
})

test('SRCH-022 PART-033 a disabled filter is not offered', async () => {
  const set = async (name: string, value: boolean) => {
    const body = { kind: 'filters', name, value }
    expect((await visit(app, 'orchard').change('PUT', '/api/staging/flags', body)).json()).toEqual({ set: true })
  }
  /** Returns which of the filters named `isNew`, `mealsServed` and `sortBy` are offered. */
  const offered = async () => {
    const page = await openPage(app, 'orchard', results)
    await page.user.click(page.screen.getByRole('button', { name: 'Filters' }))
    const dialog = within(await page.screen.findByRole('dialog'))
    return {
      chip: chip(page, 'New') !== null,
      isNew: dialog.queryByRole('checkbox', { name: /^New/ }) !== null,
      mealsServed: dialog.queryByRole('group', { name: 'Meals' }) !== null,
      sortBy: dialog.queryByLabelText('Sort by') !== null,
    }
  }
  const names = ['isNew', 'mealsServed', 'sortBy']
  expect(await offered()).toEqual({ chip: true, isNew: true, mealsServed: true, sortBy: true })
  try {
    for (const name of names) await set(name, false)
    await vi.waitFor(
      async () => expect(await offered()).toEqual({ chip: false, isNew: false, mealsServed: false, sortBy: false }),
      20_000,
    )
  } finally {
    for (const name of names) await set(name, true)
  }
})
