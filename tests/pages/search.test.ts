import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

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

test('the arrow keys pass through the suggestions and the typed text, in both directions', async () => {
  const { user, screen } = await openPage(app, 'skyharbor', '/search?location=10001')
  const field = screen.getByRole('combobox', { name: /Restaurant/ })
  await user.type(field, 'piz')
  const options = await screen.findAllByRole('option')
  const active = () => field.getAttribute('aria-activedescendant')
  await user.keyboard('{ArrowUp}')
  expect(active()).toBe(options.at(-1)?.id)
  await user.keyboard('{ArrowDown}')
  expect(active()).toBeNull()
  await user.keyboard('{ArrowDown}')
  expect(active()).toBe(options[0]?.id)
  await user.keyboard('{ArrowUp}')
  expect(active()).toBeNull()
})
