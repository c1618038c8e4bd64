import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { visit } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { findMerchant } from '../support/page-members.ts'
import { nextTurns } from '../support/page-window.ts'

const app = setUpPages()

test('A11Y-011 chips, suggestions, the button and the filters of the search retain the focus', async () => {
  const page = await openPage(app, 'skyharbor', '/search?location=10001')
  const { user, screen } = page
  // A search is stored when its results are rendered, which is later than the address.
  const untilShown = async (part: string) => {
    await vi.waitFor(() => expect(localStorage.getItem('RN_SEARCH_OPTIONS')).toContain(part), 20_000)
    expect(page.address).toContain(part)
  }
  const chip = screen.getByRole('button', { name: 'Earns today' })
  chip.focus()
  await user.keyboard('{Enter}')
  await vi.waitFor(() => expect(chip).toHaveAttribute('aria-pressed', 'true'), 20_000)
  await untilShown('benefitsFor')
  expect(chip).toHaveFocus()
  const where = screen.getByRole('combobox', { name: 'City, state or ZIP code' })
  where.focus()
  await user.keyboard('{Control>}a{/Control}chicag')
  expect(await screen.findByRole('option', { name: 'Chicago, IL' })).toBeVisible()
  await user.keyboard('{ArrowDown}{Enter}')
  await untilShown('Chicago')
  expect(where).toHaveFocus()
  expect(where).toHaveValue('Chicago, IL')
  const submit = screen.getByRole('button', { name: 'Search' })
  await user.type(screen.getByRole('combobox', { name: 'Restaurant or cuisine' }), 'sushi')
  submit.focus()
  await user.keyboard('{Enter}')
  await untilShown('sushi')
  expect(submit).toHaveFocus()
  const filters = screen.getByRole('button', { name: /^Filters/ })
  filters.focus()
  await user.keyboard('{Enter}')
  const brunch = await screen.findByRole('checkbox', { name: /^Brunch \(\d/ })
  brunch.focus()
  await user.keyboard(' ')
  await user.keyboard('{Enter}')
  await untilShown('brunch')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  expect(filters).toHaveFocus()
  // The previous page is restored with its own text.
  page.back()
  await vi.waitFor(() => expect(page.address).not.toContain('brunch'), 20_000)
  expect(screen.getByRole('combobox', { name: 'Restaurant or cuisine' })).toHaveValue('sushi')
  page.back()
  await vi.waitFor(() => expect(page.address).not.toContain('sushi'), 20_000)
  await vi.waitFor(
    () => expect(screen.getByRole('combobox', { name: 'Restaurant or cuisine' })).toHaveValue(''),
    20_000,
  )
})

test('A11Y-011 a filter that is changed on a further page retains the focus, and the next page moves it to the count', async () => {
  const page = await openPage(app, 'skyharbor', '/search?location=10001&pageNo=2')
  const chip = page.screen.getByRole('button', { name: 'Earns today' })
  chip.focus()
  await page.user.keyboard('{Enter}')
  await vi.waitFor(() => expect(localStorage.getItem('RN_SEARCH_OPTIONS')).toContain('benefitsFor'), 20_000)
  await vi.waitFor(() => expect(page.screen.getByText(/^1 of \d+$|^Page 1 of \d+$/)).toBeVisible(), 20_000)
  expect(chip).toHaveFocus()
  await page.user.click(page.screen.getByRole('link', { name: 'Next' }))
  await vi.waitFor(() => expect(document.activeElement).toHaveTextContent(/restaurants near/), 20_000)
})

test('A11Y-011 More times retains the focus', async () => {
  const { id } = await findMerchant(visit(app, 'skyharbor'), 'location=10001&radius=50&reservations=true')
  const { user, screen } = await openPage(app, 'skyharbor', `/merchants/${id}`)
  const block = within(await screen.findByRole('region', { name: 'Reserve a table' }))
  const date = await block.findByLabelText('Date')
  await user.clear(date)
  await user.type(date, new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10))
  const more = await block.findByRole('button', { name: 'More times' })
  more.focus()
  const times = () => within(block.getByRole('list', { name: 'Available times' })).getAllByRole('button')
  const count = times().length
  await user.keyboard('{Enter}')
  await vi.waitFor(() => expect(more).not.toBeInTheDocument(), 20_000)
  expect(times().length).toBeGreaterThan(count)
  await vi.waitFor(() => expect(times()[0]).toHaveFocus(), 20_000)
  expect(
    block.getAllByRole('status').filter(({ textContent }) => /\d+ times available/.test(textContent)),
  ).toHaveLength(1)
})

test('A11Y-001 a link that stays on the page passes the focus to each new page', async () => {
  const page = await openPage(app, 'skyharbor', '/how-it-works')
  const footer = within(page.screen.getByRole('contentinfo'))
  const main = () => document.getElementById('main')
  for (const [name, path] of [
    ['Restaurants by city', '/restaurants'],
    ['How it works', '/how-it-works'],
  ] as const) {
    const link = footer.getByRole('link', { name })
    link.focus()
    await page.user.keyboard('{Enter}')
    await vi.waitFor(() => expect(page.address).toBe(path), 20_000)
    await vi.waitFor(() => expect(main()).toHaveFocus(), 20_000)
  }
})

test('A11Y-011 when the focused element is removed, the heading of its section gets the focus', async () => {
  const { visitor } = await newMember(app, 'skyharbor')
  const { user, screen } = await openPage(app, 'skyharbor', '/account/overview', { visitor })
  screen.getAllByRole('link')[0]?.focus()
  const make = (name: string, ...content: (Node | string)[]) => {
    const element = document.createElement(name)
    element.append(...content)
    return element
  }
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Goes' })
  button.addEventListener('click', () => button.remove())
  const part = make('section', make('h3', 'Where it was'), make('ul', make('li', button)))
  document.getElementById('main')?.append(part)
  const heading = screen.getByRole('heading', { name: 'Where it was' })
  // A click beside the controls leaves them.
  button.focus()
  button.blur()
  await nextTurns()
  button.remove()
  await nextTurns()
  expect(heading).not.toHaveFocus()
  part.append(button)
  button.focus()
  await user.keyboard('{Enter}')
  await vi.waitFor(() => expect(heading).toHaveFocus(), 20_000)
  expect(heading).toHaveAttribute('tabindex', '-1')
  // The code that removes an element may move the focus: it stays there.
  part.append(button)
  button.focus()
  const link = screen.getAllByRole('link')[0] as HTMLElement
  button.remove()
  link.focus()
  await nextTurns()
  expect(link).toHaveFocus()
  // With its whole section, the next one around it counts; without any, the main area, and not the heading of the page.
  const inner = make('div', make('h4', 'Inner'), button)
  part.append(inner)
  button.focus()
  inner.remove()
  await vi.waitFor(() => expect(heading).toHaveFocus(), 20_000)
  const main = document.getElementById('main') as HTMLElement
  const plain = make('div', button)
  main.append(plain)
  button.focus()
  button.remove()
  await vi.waitFor(() => expect(main).toHaveFocus(), 20_000)
})

test('A11Y-007 Escape in the dialog of ordering returns the focus to the link that opened it', async () => {
  const visitor = visit(app, 'skyharbor')
  const merchant = await findMerchant(visitor, 'location=10001', ({ ordering }) => ordering.length > 0)
  const page = await openPage(app, 'skyharbor', `/merchants/${merchant.id}`, { visitor })
  const link = await page.screen.findByRole('link', { name: 'Order online' })
  link.focus()
  await page.user.keyboard('{Enter}')
  expect(await page.screen.findByRole('dialog', { name: 'Order online' })).toBeVisible()
  await page.user.keyboard('{Escape}')
  await vi.waitFor(() => expect(page.screen.queryByRole('dialog')).toBeNull(), 20_000)
  expect(link).toHaveFocus()
})
