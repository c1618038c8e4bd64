import { beforeAll, expect, test, vi } from 'vitest'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { newMember, type Visitor } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { fill, joinByForm, mainOf } from '../support/page-forms.ts'
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
