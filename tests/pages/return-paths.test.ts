import { beforeAll, expect, test, vi } from 'vitest'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { newMember, type Visitor } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { barLink, fill, findMainLink, joinByForm, mainOf } from '../support/page-forms.ts'
import { newMemberWithCard } from '../support/page-members.ts'

// The page that a visitor wanted stays in the address while signing in and joining, and is where these end.

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

const wanted = '/search?location=10001'
const returning = `?returnTo=${encodeURIComponent(wanted)}`

/** Returns the address that a page redirects to; without a redirect, its own. */
async function landingOf(visitor: Visitor, path: string): Promise<string> {
  const { headers } = await visitor.get(path, { accept: 'text/html' })
  return String(headers.location ?? path)
}

const enrolled = async () => {
  const member = await newMemberWithCard(app, 'gallonaire')
  await asOwner(app, "update members set member_type = 'EnrolledCardMember' where email = $1", [member.email])
  return member
}

test('SESS-012 each page of signing in and joining leads a visitor and a member to the next step, with the page to return to', async () => {
  const flagged = await newMember(app, 'gallonaire')
  await asOwner(app, 'update members set must_fix_credentials = true where email = $1', [flagged.form.email])
  const states = {
    visitor: visit(app, 'gallonaire'),
    joined: (await newMember(app, 'gallonaire')).visitor,
    enrolled: (await enrolled()).visitor,
    flagged: flagged.visitor,
  }
  const signInFirst = (path: string) => `/login?returnTo=${encodeURIComponent(path)}`
  const expected = [
    ['visitor', '/add_card', `/join${returning}`, '/join'],
    ['visitor', '/card_added', `/join${returning}`, '/join'],
    ['visitor', '/fix_credentials', signInFirst(`/fix_credentials${returning}`), signInFirst('/fix_credentials')],
    ['joined', '/login', wanted, '/add_card'],
    ['joined', '/join', `/add_card${returning}`, '/add_card'],
    ['joined', '/card_added', `/add_card${returning}`, '/add_card'],
    ['joined', '/fix_credentials', wanted, '/account/overview'],
    ['enrolled', '/login', wanted, '/account/overview'],
    ['enrolled', '/join', wanted, '/account/overview'],
    ['enrolled', '/add_card', wanted, '/account/manage_cards'],
    ['flagged', '/login', `/fix_credentials${returning}`, '/fix_credentials'],
  ] as const
  const landings: string[][] = []
  for (const [state, page] of expected) {
    const landing = (path: string) => landingOf(states[state], path)
    landings.push([state, page, await landing(page + returning), await landing(page)])
  }
  expect(landings).toEqual(expected)
})

test('SESS-012 a bank’s visitor who joins continues at the bank, and returns from there', async () => {
  const hrefOf = async (path: string) => {
    const { screen } = await openPage(app, 'beacon', path)
    const link = screen.getByRole('main').querySelector('a[href^="/Login"]')
    return link?.getAttribute('href')
  }
  expect(await hrefOf(`/join${returning}`)).toBe(`/Login${returning}`)
  expect(await hrefOf('/join')).toBe('/Login?returnTo=%2Fjoin')
})

test('SESS-012 a visitor who joins continues with the card, and then with the page to return to', async () => {
  const page = await openPage(app, 'gallonaire', `/join${returning}`)
  await joinByForm(page, `returning-${Date.now()}@example.com`)
  await vi.waitFor(() => expect(page.address).toBe(`/add_card${returning}`), 20_000)
})

test('ENR-009 the last step names the linked card, and leads on to where the visitor came from or to the account', async () => {
  const { visitor } = await enrolled()
  const stored = { cardRegistrationSuccess: '4242' }
  const first = await openPage(app, 'gallonaire', `/card_added${returning}`, { visitor, stored })
  expect(await first.screen.findByText(/^Your card ending in 4242 is linked\./)).toBeVisible()
  expect(first.screen.getByRole('link', { name: 'Continue where you left off' })).toHaveAttribute('href', wanted)
  expect(mainOf(first.screen).getByRole('link', { name: 'Find a restaurant' })).toHaveAttribute('href', '/search')
  expect(first.screen.getByText('Done').closest('li')).toHaveAttribute('aria-current', 'step')
  const second = await first.goto('/card_added')
  expect(await second.screen.findByText(/^Your card ending in 4242 is linked\./)).toBeVisible()
  expect(second.screen.queryByRole('link', { name: 'Continue where you left off' })).toBeNull()
  // The card of a member is not the next visitor's: the first page without a member forgets it.
  await visitor.get('/SignOut')
  const visitorPage = await openPage(app, 'gallonaire', '/how-it-works', { visitor })
  await vi.waitFor(() => expect(localStorage.getItem('cardRegistrationSuccess')).toBeNull(), 20_000)
  await visitorPage.close()
  const { visitor: other } = await enrolled()
  const last = await openPage(app, 'gallonaire', `/card_added${returning}`, { visitor: other })
  await vi.waitFor(() => expect(last.address).toBe(wanted), 20_000)
})

test('RECV-006 a member who corrects the address, in any case, returns to the requested page or home', async () => {
  for (const [search, home] of [
    ['', '/account/overview'],
    [returning, wanted],
  ]) {
    const { visitor, email } = await enrolled()
    await asOwner(app, 'update members set must_fix_credentials = true where email = $1', [email])
    const page = await openPage(app, 'gallonaire', `/fix_credentials${search}`, { visitor })
    await fill(page.user, page.screen.getByLabelText(/^New email address/), `own-${email}`)
    await fill(page.user, page.screen.getByLabelText(/^Confirm new email address/), `OWN-${email.toUpperCase()}`)
    await page.user.click(page.screen.getByRole('button', { name: 'Save and continue' }))
    await vi.waitFor(() => expect(page.address).toBe(home), 20_000)
  }
})

test('SESS-012 signing in or joining from the frame of a page returns to the page, and to no front page or missing one', async () => {
  const { visitor } = await openPage(app, 'gallonaire', '/')
  const [first] = (await visitor.get('/api/v2/Merchants/Search?location=10001&pageSize=50&pageNo=1')).json().merchants
  const linksOf = async (partner: string, path: string) => {
    const { screen } = await openPage(app, partner, path, { tolerated: /404/ })
    const hrefs = [...document.querySelectorAll('header a, footer a')].map((link) => link.getAttribute('href') ?? '')
    expect(screen.getByRole('main')).toBeVisible()
    return [...new Set(hrefs.filter((href) => /^\/(?:[Ll]ogin|join)\b/.test(href)))].toSorted()
  }
  for (const page of [wanted, `/merchants/${first.id}`, '/restaurants']) {
    const back = `?returnTo=${encodeURIComponent(page)}`
    expect(await linksOf('gallonaire', page)).toEqual([`/join${back}`, `/login${back}`])
    if (page === wanted) expect(await linksOf('beacon', page)).toEqual([`/Login${back}`])
  }
  for (const page of ['/', '/nothing-here']) {
    expect([page, await linksOf('gallonaire', page)]).toEqual([page, ['/join', '/login']])
    expect([page, await linksOf('beacon', page)]).toEqual([page, ['/Login']])
  }
  expect(await linksOf('gallonaire', `/recover${returning}`)).toEqual([`/join${returning}`, `/login${returning}`])
})

test('SESS-012 a failed sign-in at the bank is tried again with the same page to return to', async () => {
  const { screen } = await openPage(app, 'beacon', `/error?reason=sso&returnTo=${encodeURIComponent(wanted)}`)
  expect(mainOf(screen).getByRole('link', { name: 'Try again' })).toHaveAttribute('href', `/Login${returning}`)
})

test('SESS-012 a member who sets a new password by the link of the email, in another tab, still gets to the page', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  await visitor.get('/SignOut')
  const page = await openPage(app, 'gallonaire', `/login${returning}`, { visitor })
  await page.user.click(await findMainLink(page.screen, /^Forgot/))
  await vi.waitFor(() => expect(page.address).toBe(`/recover${returning}`), 20_000)
  await fill(page.user, await page.screen.findByLabelText(/^Email address/), form.email)
  await page.user.click(page.screen.getByRole('button', { name: 'Send me a code' }))
  await vi.waitFor(() => expect(page.address).toBe(`/recover/confirm${returning}`), 20_000)
  const link = await vi.waitFor(async () => {
    const { mails } = (await visitor.get('/api/staging/outbox')).json()
    const texts: string[] = mails
      .filter((mail: { recipient: string }) => mail.recipient === form.email)
      .map(({ text }: { text: string }) => text)
    const found = /http:\/\/[^/\s]+(\/recover\/confirm#code=\S+)/.exec(texts.join(' '))?.[1]
    if (!found) throw new Error('no email yet')
    return found
  }, 20_000)
  const linked = await openPage(app, 'gallonaire', link, { visitor })
  await linked.user.click(await linked.screen.findByRole('button', { name: 'Continue' }))
  await fill(linked.user, await linked.screen.findByLabelText(/^New password/), 'chanterelles on toast')
  await fill(linked.user, linked.screen.getByLabelText(/^Confirm new password/), 'chanterelles on toast')
  await linked.user.click(linked.screen.getByRole('button', { name: 'Save new password' }))
  await vi.waitFor(() => expect(linked.address).toBe(`/recover/success${returning}`), 20_000)
  expect(await findMainLink(linked.screen, 'Sign in')).toHaveAttribute('href', `/login${returning}`)
  // It was used: the next recovery in this browser leads to the account.
  expect(visitor.cookies.get('return') || '').toBe('')
})

test('SESS-012 the address typed for joining or signing in is there on the next of these pages, and in no address', async () => {
  const page = await openPage(app, 'gallonaire', `/join${returning}`)
  const { user, screen } = page
  // The field is looked for again: the one of a page that is about to go cannot be filled in.
  const type = (text: string) =>
    vi.waitFor(async () => {
      const field = screen.getByLabelText(/^Email address/)
      expect(field).toBeEnabled()
      await user.clear(field)
      await user.paste(text)
      expect(screen.getByLabelText(/^Email address/)).toHaveValue(text)
    }, 20_000)
  const heading = () => screen.getByRole('heading', { level: 1 }).textContent
  const follow = async (link: HTMLElement, address: string) => {
    const before = heading()
    await user.click(link)
    await vi.waitFor(() => expect(page.address).toBe(address), 20_000)
    // The page before is shown until the next one has loaded.
    await vi.waitFor(() => expect(heading()).not.toBe(before), 20_000)
  }
  await type('ada@example.com')
  await follow(await findMainLink(screen, 'Sign in'), `/login${returning}`)
  await vi.waitFor(() => expect(screen.getByLabelText(/^Email address/)).toHaveValue('ada@example.com'), 20_000)
  await type('eve@example.com')
  await follow(await findMainLink(screen, /^Forgot/), `/recover${returning}`)
  await vi.waitFor(() => expect(screen.getByLabelText(/^Email address/)).toHaveValue('eve@example.com'), 20_000)
  await follow(await findMainLink(screen, 'Back to sign-in'), `/login${returning}`)
  await vi.waitFor(() => expect(screen.getByLabelText(/^Email address/)).toHaveValue('eve@example.com'), 20_000)
  await follow(await findMainLink(screen, 'Join now'), `/join${returning}`)
  await vi.waitFor(() => expect(screen.getByLabelText(/^Email address/)).toHaveValue('eve@example.com'), 20_000)
  await type('fay@example.com')
  await follow(barLink('Sign in'), `/login${returning}`)
  await vi.waitFor(() => expect(screen.getByLabelText(/^Email address/)).toHaveValue('fay@example.com'), 20_000)
})
