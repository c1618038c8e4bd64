import { within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

const places = async (location: string) => {
  const { screen } = await openPage(app, 'skyharbor', `/search?location=${encodeURIComponent(location)}`)
  await screen.findAllByRole('article')
  const heading = screen.queryByRole('heading', { level: 2, name: 'Other places with this name' })
  const links = heading ? within(heading.parentElement as HTMLElement).getAllByRole('link') : []
  return links.map(({ textContent }) => textContent)
}

test('SRCH-033 a name without a state offers the other places of this name, above the results', async () => {
  expect(await places('Portland')).toContain('Portland, ME')
  expect(await places('Portland, OR')).toEqual([])
  expect(await places('10001')).toEqual([])
})

test('SRCH-034 a search in a state says so, and shows no distance to its middle', async () => {
  const { screen } = await openPage(app, 'skyharbor', '/search?location=California')
  expect(await screen.findByText(/^\d+ restaurants in California$/)).toBeVisible()
  expect(document.querySelector('main')?.textContent).not.toMatch(/\d\.\d mi/)
  const city = await openPage(app, 'skyharbor', '/search?location=10001')
  expect(await city.screen.findByText(/^\d+ restaurants near New York, NY 10001$/)).toBeVisible()
  expect(document.querySelector('main')?.textContent).toMatch(/\d\.\d mi/)
})
