import { fireEvent } from '@testing-library/dom'
import { createElement } from 'react'
import { afterAll, expect, test, vi } from 'vitest'
import { Link } from '../../src/platform/browser/router/Link.tsx'
import { restoreGlobals } from '../support/page-window.ts'
import { openPart } from '../support/part-window.ts'

afterAll(restoreGlobals)

type Props = Partial<Parameters<typeof Link>[0]>

/** Opens a link to the search on the page of a restaurant. */
const openLink = (props: Props = {}) =>
  openPart(createElement(Link, { to: '/search', ...props }, 'Search'), { path: '/merchants/kumo?tab=menu' })

test('a press on a link shows its page without a new document, as the link says', async () => {
  const plain = await openLink()
  expect(fireEvent.click(plain.screen.getByRole('link'))).toBe(false)
  expect(plain.navigations).toEqual([['/search', {}]])
  const given = { replace: false, state: { isDone: true }, preventScrollReset: true, target: '_self' }
  const full = await openLink(given)
  expect(fireEvent.click(full.screen.getByRole('link'))).toBe(false)
  const { target: _, ...options } = given
  expect(full.navigations).toEqual([['/search', options]])
})

test('a press that opens a tab, a window or a menu is left to the browser', async () => {
  const { screen, navigations } = await openLink()
  for (const press of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])
    expect([press, fireEvent.click(screen.getByRole('link'), press)]).toEqual([press, true])
  expect(navigations).toEqual([])
})

test('a link to another tab or to a file is left to the browser, and so is one whose press was handled', async () => {
  for (const props of [{ target: '_blank' }, { download: 'statement.csv' }, { download: '' }]) {
    const { screen, navigations } = await openLink(props)
    expect(fireEvent.click(screen.getByRole('link'))).toBe(true)
    expect(navigations).toEqual([])
  }
  const onClick = vi.fn((event: { preventDefault(): void }) => event.preventDefault())
  const { screen, navigations } = await openLink({ onClick })
  fireEvent.click(screen.getByRole('link'))
  expect([onClick.mock.calls.length, navigations]).toEqual([1, []])
})

test('a link that is relative to its page has the whole address, for browsers without script', async () => {
  const hrefOf = async (to: string) => (await openLink({ to })).screen.getByRole('link').getAttribute('href')
  expect([await hrefOf('/earn?x=1'), await hrefOf('?tab=reviews'), await hrefOf('#reserve-table')]).toEqual([
    '/earn?x=1',
    '/merchants/kumo?tab=reviews',
    '/merchants/kumo?tab=menu#reserve-table',
  ])
})
