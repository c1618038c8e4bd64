import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

test('Clear in the filter dialog resets the filters and the order', async () => {
  const { user, screen } = await openPage(app, 'skyharbor', '/search?location=10001')
  await user.click(screen.getByRole('button', { name: /^Filters/ }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.selectOptions(dialog.getByRole('combobox', { name: /Sort/ }), 'rating')
  await user.click(dialog.getByRole('button', { name: 'Clear filters' }))
  await user.click(await dialog.findByRole('button', { name: /^Show/ }))
  await vi.waitFor(() => expect(window.location.search).not.toContain('sortBy'))
  expect(screen.getByRole('button', { name: /^Filters/ })).toHaveAccessibleName('Filters')
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
