import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { createCardMember } from '../support/card-member.ts'
import { newMember } from '../support/members.ts'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

const problem = { type: 'urn:x', title: 'x', status: 500, code: 'serverError', reference: 'ref-4711' }

test('ERR-016 ERR-023 a page whose call or rendering fails is the server-error page with its reference', async () => {
  let stub: Awaited<ReturnType<Responder>> = { status: 500, body: problem }
  let page = await openPage(app, 'skyharbor', '/search?location=10001', {
    responder: ({ path }) =>
      /^\/api\/v2\/Merchants\/[^/]*$/.test(path) && !path.includes('Search') ? stub : undefined,
    tolerated: /Error|error/,
  })
  const openFirst = async () => {
    const [card] = page.screen.getAllByRole('article')
    const [link] = within(card as HTMLElement).getAllByRole('link')
    await page.user.click(link as HTMLElement)
  }
  const main = () => page.screen.getByRole('main')
  const heading = () => within(main()).getByRole('heading', { level: 1 })
  await openFirst()
  expect(await page.screen.findByText(/ref-4711/)).toBeVisible()
  const title = heading().textContent
  expect(main().querySelector('a[href="/"]')).toBeVisible()
  page = await page.goto('/search?location=10001')
  expect(heading()).not.toHaveTextContent(title)
  // A response that cannot be rendered.
  stub = { body: { id: 'x', offers: 'none' } }
  await openFirst()
  await vi.waitFor(() => expect(heading()).toHaveTextContent(title), 20_000)
  const { screen } = page
  expect(screen.getByRole('banner')).toBeVisible()
})

test('ERR-016 after a page of the account could not be rendered, the next one is shown', async () => {
  const { visitor } = await createCardMember(app)
  const { user, screen } = await openPage(app, 'skyharbor', '/account/user_profile', {
    visitor,
    responder: ({ path }) => (path === '/api/Member/Notices' ? { body: { choices: 'none' } } : undefined),
    tolerated: /Error|error/,
  })
  const title = () => screen.getByRole('heading', { level: 1 })
  const menu = within(document.querySelector('#account-menu') as HTMLElement)
  await user.click(menu.getByRole('link', { name: 'Privacy' }))
  await vi.waitFor(() => expect(title()).toHaveTextContent('Something went wrong on our side'), 20_000)
  await user.click(menu.getByRole('link', { name: 'Profile' }))
  await vi.waitFor(() => expect(title()).toHaveTextContent('Account center'), 20_000)
  expect(screen.getByLabelText(/^First name/)).toBeVisible()
})

test('SESS-016 a sign-in that failed at the bank says so, and can be tried again', async () => {
  const { screen } = await openPage(app, 'beacon', '/error?reason=sso')
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('You are not signed in')
  expect(screen.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', '/Login')
})

test('ERR-001 ERR-021 without a CSRF token nothing is sent, and the error shows a code', async () => {
  const { visitor } = await newMember(app)
  const page = await openPage(app, 'skyharbor', '/account/privacy', { visitor })
  await vi.waitFor(() => expect(sessionStorage.getItem('csrfToken')).not.toBeNull(), 20_000)
  sessionStorage.setItem('csrfToken', 'csrf-token-unavailable')
  await page.user.click(page.screen.getByLabelText('Offers by text message'))
  const error = 'Something went wrong. Please try again in a moment. Error Code: CSRF-0'
  expect(await page.screen.findByText(error)).toBeVisible()
  expect(page.requests.filter(({ method }) => method === 'PUT')).toEqual([])
  // It is the only message, and the next attempt needs no reload.
  expect(page.screen.getByRole('region', { name: 'Notifications' }).querySelectorAll('button')).toHaveLength(1)
  await vi.waitFor(() => expect(sessionStorage.getItem('csrfToken')).not.toBe('csrf-token-unavailable'), 20_000)
})

test('ERR-001 a form without a CSRF token has one message, and keeps what was typed', async () => {
  const page = await openPage(app, 'skyharbor', '/login')
  await vi.waitFor(() => expect(sessionStorage.getItem('csrfToken')).not.toBeNull(), 20_000)
  sessionStorage.setItem('csrfToken', 'csrf-token-unavailable')
  const name = page.screen.getByLabelText<HTMLInputElement>(/^Email/)
  await page.user.type(name, 'robin@example.com')
  await page.user.type(page.screen.getByLabelText(/^Password/), 'Kale and lemons 12{Enter}')
  expect(await page.screen.findAllByText(/CSRF-0/)).toHaveLength(1)
  expect(page.screen.queryByText(/connection|refresh/i)).toBeNull()
  expect(name.value).toBe('robin@example.com')
})

test('a browser that keeps no cookies is told so at sign-in, and not only that it is forbidden', async () => {
  const refused = { type: 'urn:x:csrf', title: 'Forbidden', status: 403, code: 'csrf', reference: 'r-1' }
  const page = await openPage(app, 'skyharbor', '/login', {
    responder: ({ method }) => (method === 'POST' ? { status: 403, body: refused } : undefined),
    tolerated: /403/,
  })
  await page.user.type(page.screen.getByLabelText(/^Email/), 'robin@example.com')
  await page.user.type(page.screen.getByLabelText(/^Password/), 'Kale and lemons 12{Enter}')
  expect(await page.screen.findByText(/^Your browser doesn’t keep our cookies\./)).toBeVisible()
  expect(page.screen.queryByText('Forbidden')).toBeNull()
})
