import { within } from '@testing-library/dom'
import { beforeAll, expect, test, vi } from 'vitest'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { linkCard, newMember } from '../support/members.ts'
import { openPage, type StubResponse, setUpPages } from '../support/page-dom.ts'
import { barLink, fill, findMainLink, signInByForm } from '../support/page-forms.ts'
import { signInBankCustomer } from '../support/page-members.ts'

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

test('SESS-005 API-006 each new page checks who is signed in, another search on the same page does not', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const page = await openPage(app, 'gallonaire', '/how-it-works', { visitor })
  const { user, screen } = page
  const requestCount = () => page.calls('GET /api/Member').length
  const footer = () => within(screen.getByRole('contentinfo'))
  expect(requestCount()).toBe(0)
  await user.click(footer().getByRole('link', { name: 'Find food' }))
  await vi.waitFor(() => expect(page.address).toMatch(/search/), 20_000)
  await vi.waitFor(() => expect(requestCount()).toBe(1), 20_000)
  // The same page with a different query.
  await user.click(await findMainLink(screen, /^(2|Next|Page 2)/))
  await vi.waitFor(() => expect(page.address).toMatch(/page/i), 20_000)
  // The next page is the next that asks.
  await user.click(footer().getByRole('link', { name: 'How it works' }))
  await vi.waitFor(() => expect(page.address).toBe('/how-it-works'), 20_000)
  await vi.waitFor(() => expect(requestCount()).toBeGreaterThanOrEqual(2), 20_000)
  expect(requestCount()).toBe(2)
})

test('SESS-013 ROLE-015 ACCT-018 after a sign-out in another tab, every account page and its form lead to sign in', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const page = await openPage(app, 'gallonaire', '/account/security', { visitor })
  // Another tab of the same browser, without scripts.
  await visit(app, 'gallonaire', visitor).get('/SignOut')
  const menu = within(page.screen.getByRole('navigation', { name: 'Account' }))
  await page.user.click(menu.getByRole('link', { name: 'Profile' }))
  await vi.waitFor(() => expect(page.address).toBe('/login?returnTo=%2Faccount%2Fuser_profile'), 20_000)
  expect(await page.screen.findByRole('heading', { level: 1 })).toHaveTextContent('Sign in')

  const second = await newMember(app, 'gallonaire')
  const profile = await openPage(app, 'gallonaire', '/account/user_profile', { visitor: second.visitor })
  await fill(profile.user, profile.screen.getByLabelText(/^First name/), 'Grace')
  second.visitor.cookies.clear()
  await profile.user.click(profile.screen.getByRole('button', { name: /^Save/ }))
  await vi.waitFor(() => expect(profile.left).toBe('/login?returnTo=%2Faccount%2Fuser_profile'), 20_000)
})

test('SESS-013 a page leads to sign in also when its request for the member was sent before the session ended', async () => {
  const member = await newMember(app, 'gallonaire')
  const { visitor, form } = member
  await linkCard(app, member)
  await asOwner(
    app,
    `insert into transactions (partner_id, public_id, network_id, member_id, merchant_name, network_location_id,
       card_last_four, type_code, stage, award_status, ticket_cents, cleared_cents, refunded_cents, benefit, unit, reason,
       occurred_at, cleared_at)
     select partner_id, gen_random_uuid(), gen_random_uuid(), id, 'Corner Bistro', '', '4242', 'S', 'cleared', 'Awarded',
       4210, 4210, 0, 126, 'mile', '{"code": "sample", "rule": 1}', now() - interval '1 day', now()
     from members where email = $1`,
    [form.email],
  )
  const body = (await visitor.get('/api/Member')).json()
  // Holds every response with the member until the test releases it, but not those without a session.
  const released = Promise.withResolvers<void>()
  let [asked, isSignedIn, isRejected] = [0, true, false]
  const responder = async ({ path }: { path: string }): Promise<StubResponse | undefined> => {
    if (path.endsWith('/Story') && !isSignedIn) isRejected = true
    if (path !== '/api/Member' || !isSignedIn) return
    asked++
    await released.promise
    return { body }
  }
  const page = await openPage(app, 'gallonaire', '/account/manage_cards', { visitor, responder })
  const { user, screen } = page
  // A stream of activity that opens.
  globalThis.EventSource = class {
    #isOpen = true
    addEventListener(type: string, listener: () => void) {
      if (type === 'open') setTimeout(() => this.#isOpen && listener())
    }
    close() {
      this.#isOpen = false
    }
  } as never
  const menu = within(screen.getByRole('navigation', { name: 'Account' }))
  await user.click(menu.getByRole('link', { name: 'Reviews & History' }))
  // The page requests the member after a navigation, and when its stream of activity has opened.
  await vi.waitFor(() => expect(asked).toBe(2), 20_000)
  const why = await screen.findByText((_text, element) => element?.textContent === 'Why? Corner Bistro')
  isSignedIn = false
  visitor.cookies.clear()
  await user.click(why)
  await vi.waitFor(() => expect(isRejected).toBe(true), 20_000)
  await vi.waitFor(() => expect(page.calls('GET /api/Member').length).toBeGreaterThan(2), 20_000)
  released.resolve()
  await vi.waitFor(() => expect(page.address).toBe('/login?returnTo=%2Faccount%2Frecent_activity'), 20_000)
})

test('SESS-005 a page that was in the background requests the signed-in member, and is replaced when it is another one', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  for (const event of ['focus', 'pageshow', 'storage']) {
    const page = await openPage(app, 'gallonaire', '/account/user_profile', { visitor })
    // As another tab has left them, whose events this page did not receive.
    localStorage.setItem('RN_MEMBER', '')
    window.dispatchEvent(new Event(event))
    await vi.waitFor(() => expect(page.calls('GET /api/Member')).toHaveLength(1), 20_000)
    expect([page.left, document.body.hidden]).toEqual([null, false])
    localStorage.setItem('RN_MEMBER', 'another')
    window.dispatchEvent(new Event(event))
    expect([page.left, document.body.hidden]).toEqual(['/account/user_profile', true])
  }
})

test('SESS-013 a page from which another tab has signed out while it went on to the bank leaves the account', async () => {
  const [{ visitor: customer }, { visitor: member }] = [
    await signInBankCustomer(app, 'cleo'),
    await newMember(app, 'gallonaire'),
  ]
  for (const [partner, visitor, address] of [
    ['beacon', customer, '/'],
    ['gallonaire', member, '/login?returnTo=%2Faccount%2Fuser_profile'],
  ] as const) {
    const page = await openPage(app, partner, '/account/user_profile', { visitor })
    await visit(app, partner, visitor).get('/SignOut')
    // No page of the program has been opened since, so that the storage still names the member.
    expect(localStorage.getItem('RN_MEMBER')).not.toBe('')
    window.dispatchEvent(new Event('focus'))
    await vi.waitFor(() => expect([partner, page.address, page.left]).toEqual([partner, address, null]), 20_000)
  }
})

test('SESS-003 the notice of a session that has ended stays, and leads back to the page', async () => {
  const { visitor } = await openPage(app, 'gallonaire', '/')
  visitor.cookies.set('signed_out', 'expired /search?location=10001')
  const page = await openPage(app, 'gallonaire', '/', { visitor })
  const notice = await page.screen.findByRole('button', { name: /^Your session has ended\./ })
  expect(notice.closest('[data-kind]')).toHaveAttribute('data-kind', 'warning')
  await page.user.click(notice)
  expect(page.left).toBe(`/login?returnTo=${encodeURIComponent('/search?location=10001')}`)
})

test('SESS-003 a bank’s notice of a session that has ended leads back through the bank, and that of a closed account leads nowhere', async () => {
  const { visitor } = await openPage(app, 'beacon', '/')
  visitor.cookies.set('signed_out', 'expired /search?location=10001')
  const page = await openPage(app, 'beacon', '/', { visitor })
  await page.user.click(await page.screen.findByRole('button', { name: /^Your session has ended\./ }))
  expect(page.left).toBe(`/Login?returnTo=${encodeURIComponent('/search?location=10001')}`)
  visitor.cookies.set('signed_out', 'closed /search')
  const { screen } = await openPage(app, 'beacon', '/', { visitor })
  const text = 'Your account is closed, and you have been signed out.'
  const notice = await screen.findByText(text)
  expect(notice.closest('[data-kind]')).toHaveAttribute('data-kind', 'warning')
  expect(screen.queryByRole('button', { name: text })).toBeNull()
})

test('SESS-012 a visitor who signs in to see offers, or joins instead, returns to the restaurant', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  await visitor.get('/SignOut')
  const { id } = (await visitor.get('/api/v2/Merchants/Search?location=10001&pageSize=50&pageNo=1')).json().merchants[0]
  const page = await openPage(app, 'gallonaire', `/merchants/${id}`, { visitor })
  const { user, screen } = page
  const follow = async (name: string, address: string) => {
    await user.click(await findMainLink(screen, name))
    await vi.waitFor(() => expect(page.address).toBe(address), 20_000)
  }
  const back = `returnTo=${encodeURIComponent(`/merchants/${id}`)}`
  await follow('Sign in to see offers', `/login?${back}`)
  await follow('Join now', `/join?${back}`)
  await follow('Sign in', `/login?${back}`)
  // What a visitor sees of the restaurant is not what a member sees.
  expect(page.calls(`GET /api/v2/Merchants/${id}`)).toEqual([])
  await signInByForm(page, form.email)
  await vi.waitFor(() => expect(page.address).toBe(`/merchants/${id}`), 20_000)
  await vi.waitFor(() => expect(page.calls(`GET /api/v2/Merchants/${id}`)).toHaveLength(1), 20_000)
  // A member who is signed in needs no form.
  expect((await page.goto(`/login?${back}`)).address).toBe(`/merchants/${id}`)
})

test('SESS-028 after a sign-in at the bank the page says once who is signed in', async () => {
  const { visitor, email } = await signInBankCustomer(app, 'cleo')
  const { firstName, lastName } = (await visitor.get('/api/Member')).json()
  const text = `You’re signed in as ${firstName} ${lastName} (${email}).`
  const page = await openPage(app, 'beacon', '/account/overview', { visitor })
  const notice = await page.screen.findByText(text)
  expect(notice.closest('[data-kind]')).toHaveAttribute('data-kind', 'success')
  expect(visitor.cookies.has('signed_in')).toBe(false)
  const again = await page.goto('/account/user_profile')
  expect(await again.screen.findByRole('button', { name: 'Save changes' })).toBeVisible()
  expect(again.screen.queryByText(text)).toBeNull()
})

test('SESS-003 the page after a sign-out says so, once', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const page = await openPage(app, 'gallonaire', '/how-it-works', { visitor })
  await page.user.click(barLink('Sign out'))
  const next = await page.follow()
  expect(await next.screen.findByText('You have been signed out.')).toBeVisible()
  // The cookie that said so is gone.
  expect(visitor.cookies.has('signed_out')).toBe(false)
  const reloaded = await next.goto('/')
  expect(barLink('Sign in')).toBeVisible()
  expect(reloaded.screen.queryByText('You have been signed out.')).toBeNull()
})

test('SESS-014 API-022 API-039 signing out goes to /SignOut and ends the session', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const page = await openPage(app, 'gallonaire', '/how-it-works', { visitor })
  await page.user.click(barLink('Sign out'))
  expect(page.left).toBe('/SignOut')
  const next = await page.follow()
  expect(next.address).toBe('/')
  expect(barLink('Sign in')).toBeVisible()
  const response = await visitor.get('/api/SignOut', { accept: 'application/json' })
  expect(response.json()).toEqual({ signedOut: true })
  expect((await visitor.get('/api/Member')).status).toBe(401)
})

test('SESS-017 SESS-018 SESS-019 a visitor whom an invitation sends to sign in sees why and can sign in', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  await visitor.get('/SignOut')
  const first = await openPage(app, 'gallonaire', '/login?rfr=3', { visitor })
  expect(first.screen.getByText('Your account is already active. Please sign in.')).toBeVisible()
  const page = await first.goto('/login?rfr=4')
  const { screen } = page
  expect(screen.getByText(/Please sign in, or call us at 1-800-555-0162 and we will help\./)).toBeVisible()
  await signInByForm(page, form.email)
  await vi.waitFor(() => expect(page.address).toBe('/add_card'), 20_000)
})
