import { within } from '@testing-library/dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { visit, withoutBotCheck } from '../support/app.ts'
import { memberPassword } from '../support/members.ts'
import { type OpenPage, openPage, type Responder, setUpPages } from '../support/page-dom.ts'
import { fillJoinForm } from '../support/page-forms.ts'
import { findMerchant } from '../support/page-members.ts'

const app = setUpPages()

test('VAL-003 VAL-005 VAL-007 A11Y-003 a form shows an error when a field is left, and focuses the first invalid field on submit', async () => {
  const { user, screen } = await openPage(app, 'skyharbor', '/join')
  expect(screen.getByText('* Required field')).toBeVisible()
  const first = screen.getByLabelText(/First name.*\(required\)/)
  expect(first).toBeVisible()
  await user.click(first)
  await user.click(screen.getByLabelText(/Last name/))
  expect(await screen.findByText('Enter your first name.')).toBeVisible()
  expect(first).toHaveAttribute('aria-invalid', 'true')
  await user.type(first, 'Ada')
  await user.tab()
  await vi.waitFor(() => expect(first).not.toHaveAttribute('aria-invalid', 'true'), 20_000)
  await user.click(screen.getByRole('button', { name: 'Continue to your card' }))
  await vi.waitFor(() => expect(screen.getByLabelText(/Last name/)).toHaveFocus(), 20_000)
})

test('VAL-013 A11Y-006 ENR-008 a busy button says so, and an error of the server is shown at its field', async () => {
  const message = 'This email address already has an account. Sign in, or reset your password if you have none.'
  const response = Promise.withResolvers<void>()
  const responder: Responder = async ({ method, path }) => {
    if (method !== 'POST' || path !== '/api/Members/Prospects') return undefined
    await response.promise
    return { status: 400, body: [{ field: 'email', message }] }
  }
  const page = await openPage(app, 'gallonaire', '/join', { responder })
  const { screen } = page
  await fillJoinForm(page, 'ada-joins@example.com')
  await page.user.click(page.screen.getByLabelText(/I accept the terms/))
  await page.user.click(screen.getByRole('button', { name: 'Continue to your card' }))
  expect(await screen.findByText('Working on your request, please wait.')).toBeVisible()
  response.resolve()
  expect(await screen.findByText(/This email address already has an account\./)).toBeVisible()
  const email = screen.getByLabelText(/Email address/)
  await vi.waitFor(() => expect(email).toHaveFocus(), 20_000)
  expect(email).toHaveAccessibleDescription(/This email address already has an account\./)
  expect(await screen.findByRole('button', { name: 'Continue to your card' })).toBeVisible()
})

test('VAL-013 a form that has been sent is held until the next page is shown', async () => {
  // With it, another request would wait for a proof first.
  await withoutBotCheck('gallonaire', app)
  const asked = Promise.withResolvers<void>()
  const script = Promise.withResolvers<void>()
  const nextPage = '../../src/identity/recovery/member/ConfirmPage.tsx'
  vi.doMock(nextPage, async (original) => {
    asked.resolve()
    await script.promise
    // A page may lack these, which a replaced module must have.
    return { load: undefined, NotFound: undefined, ...(await original<object>()) }
  })
  onTestFinished(() => vi.doUnmock(nextPage))
  const page = await openPage(app, 'gallonaire', '/recover')
  const { user, screen } = page
  await user.type(screen.getByLabelText(/^Email address/), 'unknown@example.com')
  const form = screen.getByRole('main').querySelector('form') as HTMLFormElement
  await user.click(form.querySelector('button[type=submit]') as HTMLElement)
  await asked.promise
  // Enough turns for the form to take another submit.
  for (let turn = 0; turn < 50; turn++) {
    form.requestSubmit()
    await new Promise((done) => setImmediate(done))
  }
  expect(page.address).toBe('/recover')
  // The page that remains says that the next one is loading.
  expect(screen.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  script.resolve()
  await vi.waitFor(() => expect(page.address).toMatch(/recover\/confirm/), 20_000)
  await vi.waitFor(
    () => expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Check your email'),
    20_000,
  )
  expect(page.calls('POST /api/Members/Recover')).toHaveLength(1)
  expect(screen.getByRole('main')).toHaveAttribute('aria-busy', 'false')
})

test('ERR-022 VAL-006 a call that fails shows a banner, and the form can be sent again', async () => {
  const responder: Responder = ({ path }) => (path === '/api/SignIn' ? { fails: true } : undefined)
  const { user, screen } = await openPage(app, 'skyharbor', '/login', { responder })
  await user.type(screen.getByLabelText(/Email address or/), 'ada@example.com')
  await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), memberPassword)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('ERROR')
  expect(await screen.findByRole('button', { name: 'Sign in' })).toBeEnabled()
})

test('SESS-011 VAL-008 a password can be shown, and an active caps lock is announced', async () => {
  const { user, screen } = await openPage(app, 'skyharbor', '/login')
  const password = screen.getByLabelText(/^Password/, { selector: 'input' })
  await user.type(password, 'secret')
  expect(password).toHaveAttribute('type', 'password')
  await user.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password).toHaveAttribute('type', 'text')
  // This DOM knows no lock keys.
  const send = (type: 'keydown' | 'keyup', ...locked: ('CapsLock' | 'NumLock')[]) => {
    const getModifierState = (name: string) => locked.some((each) => each === name)
    password.dispatchEvent(Object.assign(new KeyboardEvent(type, { key: 'A', bubbles: true }), { getModifierState }))
  }
  send('keydown', 'CapsLock')
  expect(await screen.findByText('Caps lock is on.')).toHaveAttribute('role', 'status')
  send('keydown', 'NumLock', 'CapsLock')
  expect(await screen.findByText('Caps and Num lock are on.')).toBeVisible()
  send('keydown', 'NumLock')
  expect(await screen.findByText('Num lock is on.')).toBeVisible()
  // Released keys tell the state, too: on some systems the lock key itself changes it only then.
  send('keyup')
  await vi.waitFor(() => expect(screen.queryByText(/ lock is on\.$/)).toBeNull(), 20_000)
  await user.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(password).toHaveAttribute('type', 'password')
  expect(screen.getByRole('button', { name: 'Show password' })).toHaveAttribute('aria-pressed', 'false')
})

const contentOf = (from: Document, name: string) =>
  from.querySelector(`meta[name=${name}]`)?.getAttribute('content') ?? null
const headOf = (from: Document) => [from.title, contentOf(from, 'description'), contentOf(from, 'keywords')]

/** Opens a page; returns its title and descriptions, which the server's document has already. */
async function openHead(partner: string, path: string) {
  const { text } = await visit(app, partner).get(path, { accept: 'text/html' })
  await openPage(app, partner, path)
  const head = headOf(document)
  expect(headOf(new DOMParser().parseFromString(text, 'text/html'))).toEqual(head)
  return head
}

test('ROUTE-030 ROUTE-031 a new page has its own title and description', async () => {
  const page = await openPage(app, 'skyharbor', '/search?location=10001')
  const before = document.title
  const [first] = await page.screen.findAllByRole('article')
  const [link] = within(first as HTMLElement).getAllByRole('link')
  const name = within(first as HTMLElement).getByRole('heading').textContent
  await page.user.click(link as HTMLElement)
  expect(await page.screen.findByText('What this meal earns')).toBeVisible()
  await vi.waitFor(() => expect(document.title).toContain(name), 20_000)
  expect(document.title).not.toBe(before)
  expect((await openHead('lantern', '/error'))[1]).toBe('Lantern Club')
})

test('PART-024 ROUTE-030 ROUTE-031 a configured path has its own title, others have that of the home entry or the program’s name', async () => {
  expect(await openHead('skyharbor', '/join')).toEqual([
    'Join: your details | Skyharbor',
    expect.stringContaining('Free to join'),
    'join, enroll, free',
  ])
  expect(await openHead('orchard', '/search')).toEqual([
    'Find a table | Orchard Stay',
    expect.stringContaining('near your next stay'),
    'restaurant search, hotel points, reservations',
  ])
  const home = await openHead('gallonaire', '/')
  const [title, ...others] = await openHead('gallonaire', '/search')
  expect(title).toMatch(new RegExp(` · ${home[0]}$`))
  expect(others).toEqual(home.slice(1))
  expect((await openHead('skyharbor', '/nowhere'))[0]).toBe('Page not found | Skyharbor')
  const lantern = await openHead('lantern', '/search')
  expect(lantern[0]).toMatch(/ · Lantern Club$/)
  expect(lantern[2]).toBeNull()
  expect(document.querySelectorAll('meta[name=keywords]')).toHaveLength(0)
})

test('ROUTE-030 a restaurant has its own description, also where the program describes the pages of restaurants', async () => {
  const visitor = visit(app, 'skyharbor')
  const merchant = await findMerchant(visitor, 'location=10001', ({ description }) => description)
  expect(await openHead('skyharbor', `/merchants/${merchant.id}`)).toEqual([
    expect.stringContaining(merchant.name),
    merchant.description,
    // The program's keywords for all restaurants.
    expect.stringContaining('restaurant, menu, reservation'),
  ])
  const preview = document.querySelector('meta[property="og:description"]')
  expect(preview).toHaveAttribute('content', merchant.description)
})

test('ROUTE-036 the front page is the one that the program configures', async () => {
  const title = ({ screen }: OpenPage) => screen.getByRole('heading', { level: 1 }).textContent
  const front = await openPage(app, 'beacon', '/')
  const text = title(front)
  expect(text).toBeTruthy()
  expect(title(await front.goto('/discover'))).toBe(text)
})
