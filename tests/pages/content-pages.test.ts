import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { type OpenPage, openPage, type Responder, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()
const partners = ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern'] as const

const title = () => within(document.body).getByRole('heading', { level: 1 })
const main = ({ screen }: OpenPage) => within(screen.getByRole('main'))
const statusOf = async ({ visitor }: OpenPage, path: string) =>
  (await visitor.get(path, { accept: 'text/html' })).status

test('ROUTE-024 ROUTE-025 ROUTE-035 ROUTE-036 HOME-011 each program has its own front page', async () => {
  const fronts = {
    skyharbor: 'window seat',
    gallonaire: 'Eat out',
    beacon: 'Cash back on dinner',
    orchard: 'Good tables',
    lantern: '',
  }
  for (const partner of partners) {
    const page = await openPage(app, partner, '/')
    expect(title().textContent?.toLowerCase()).toContain(fronts[partner].toLowerCase())
    const discover = await page.goto('/discover')
    expect([partner, await statusOf(discover, '/discover')]).toEqual([partner, partner === 'skyharbor' ? 404 : 200])
  }
})

test('ROUTE-008 ROUTE-009 ROUTE-010 ROUTE-011 ROUTE-012 ROUTE-013 ROUTE-014 ROUTE-015 ROUTE-037 HOME-012 HOME-013 PART-016 CMS-006 CMS-007 CMS-012 every content page exists', async () => {
  for (const path of [
    '/earn',
    '/earn/special-offers',
    '/earn/new-member-bonus',
    '/earn/how-it-works',
    '/earn/reservations',
    '/earn/vip-upgrade',
    '/earn/this-is-big',
    '/how-it-works',
    '/partner-news',
  ]) {
    const page = await openPage(app, 'skyharbor', path)
    expect([path, await statusOf(page, path)]).toEqual([path, 200])
    expect(page.screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
  }
  const reservations = 'main a[href="/earn/reservations"]'
  const skyharbor = main(await openPage(app, 'skyharbor', '/earn'))
  expect(skyharbor.getAllByRole('link', { name: /VIP/ })[0]).toBeVisible()
  const gallonaire = main(await openPage(app, 'gallonaire', '/earn'))
  expect(gallonaire.queryByRole('link', { name: /VIP/ })).toBeNull()
  expect(document.querySelectorAll(reservations)).not.toHaveLength(0)
  const beacon = main(await openPage(app, 'beacon', '/earn'))
  expect(beacon.getAllByRole('link', { name: /VIP/ })).not.toHaveLength(0)
  expect(document.querySelectorAll(reservations)).toHaveLength(0)
})

test('HOME-004 HOME-006 HOME-007 HOME-008 HOME-009 an email address leads to joining or to sign-in', async () => {
  const responder: Responder = ({ path }) =>
    path === '/api/Members/Prospects/Email' ? { status: 500, body: {} } : undefined
  const page = await openPage(app, 'skyharbor', '/', { responder })
  const form = main(page)
  const field = await form.findByLabelText('Start with your email address')
  const button = form.getByRole('button', { name: 'Start earning' })
  await page.user.type(field, 'not an address')
  await page.user.click(button)
  expect(await form.findByText('Please enter a valid email address.')).toBeVisible()
  await page.user.clear(field)
  await page.user.type(field, 'prospect@example.com')
  await vi.waitFor(() => expect(form.queryByText('Please enter a valid email address.')).toBeNull(), 20_000)
  await page.user.click(button)
  await vi.waitFor(() => expect(page.address).toBe('/join'), 20_000)
  expect(await page.screen.findByLabelText(/Email address/)).toHaveValue('prospect@example.com')
  expect(page.calls('POST /api/Members/Prospects/Email')).toHaveLength(1)
})

test('HOME-009 leads to sign-in for an existing address, and shows an error when the check fails', async () => {
  let isUp = false
  const responder: Responder = ({ path }) => {
    if (!path.startsWith('/api/Members/Validate/Email')) return undefined
    return isUp ? { body: { isValid: false } } : { status: 500, body: {} }
  }
  const page = await openPage(app, 'gallonaire', '/', { responder })
  const form = main(page)
  await page.user.type(await form.findByRole('textbox'), 'known@example.com')
  const button = within(document.querySelector('main form') as HTMLElement).getByRole('button')
  await page.user.click(button)
  expect(await form.findByText(/Something went wrong/)).toBeVisible()
  isUp = true
  await page.user.click(button)
  await vi.waitFor(() => expect(page.address).toBe('/login'), 20_000)
  expect(await page.screen.findByLabelText(/Email/)).toHaveValue('known@example.com')
})

test('HOME-004 the bank shows no email form', async () => {
  // The code of the form is loaded with the first one: from then on it shows at once.
  await main(await openPage(app, 'skyharbor', '/')).findByLabelText('Start with your email address')
  await openPage(app, 'beacon', '/')
  expect(title()).toBeVisible()
  expect(document.querySelectorAll('main form')).toHaveLength(0)
})

const withoutLaterFile: Responder = ({ path }) =>
  path.startsWith('/assets/program/later-') ? { status: 500, body: {} } : undefined

test('CMS-018 CMS-023 without the file each collection is requested once', async () => {
  const page = await openPage(app, 'beacon', '/privacy', { responder: withoutLaterFile })
  const requested = () =>
    page.requests.flatMap(({ path }) => {
      const match = /\/cms\/pages\/([^/]+)\/\?(.*)/.exec(path)
      return match ? [`${decodeURIComponent(match[1] ?? '')} ${match[2]}`] : []
    })
  await vi.waitFor(() => expect(requested().length).toBeGreaterThanOrEqual(7), 20_000)
  expect(new Set(requested()).size).toBe(requested().length)
  expect(requested().every((question) => question.endsWith('page_size=100'))).toBe(true)
})

test('CMS-017 CMS-019 CMS-020 CMS-021 G-22 is empty, reported in the browser console, and does not delay the page', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => {})
  const responder: Responder = (request) => {
    if (request.path.startsWith('/api/cms/pages/popup/')) return { status: 404, body: {} }
    if (request.path.startsWith('/api/cms/pages/surveys/')) return { status: 500, body: {} }
    return withoutLaterFile(request)
  }
  await openPage(app, 'lantern', '/', { responder, tolerated: /CMS copy not loaded/ })
  const lines = (method: 'info' | 'error') => vi.mocked(console[method]).mock.calls.map(String).join('\n')
  await vi.waitFor(() => expect(lines('info')).toMatch(/No CMS copy found at .*popup/), 20_000)
  await vi.waitFor(() => expect(lines('error')).toMatch(/CMS copy not loaded from .*surveys/), 20_000)
  expect(title()).toBeVisible()
  info.mockRestore()
})
