import { within } from '@testing-library/dom'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { linkCard, newMember } from '../support/members.ts'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'
import { barLink, barOf, fill, joinByForm, mainOf, signInByForm } from '../support/page-forms.ts'
import { signInBankCustomer } from '../support/page-members.ts'

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

test('ENR-005 SESS-019 ENR-011 the email address and the marketing values are carried over to joining', async () => {
  const visitor = visit(app, 'gallonaire')
  const email = `marketed-${Date.now()}@example.com`
  const openPath = async (path: string) => {
    const page = await openPage(app, 'gallonaire', path, { visitor })
    const form = within((await mainOf(page.screen).findByRole('textbox')).closest('form') as HTMLElement)
    await fill(page.user, form.getByRole('textbox'), email)
    await page.user.click(form.getByRole('button'))
    return page
  }
  const page = await openPath('/?utm_campaign=spring&referrer=ABC123')
  await vi.waitFor(() => expect(page.address).toBe('/join'), 20_000)
  expect(await page.screen.findByLabelText(/^Email address/)).toHaveValue(email)
  await joinByForm(page, email)
  await vi.waitFor(() => expect(page.address).toBe('/add_card'), 20_000)
  const [sent] = page.calls('POST /api/Members/Prospects')
  expect(sent?.body).toMatchObject({ email, utmCampaign: 'spring', referrer: 'ABC123' })
  await visitor.get('/SignOut')
  const next = await openPath('/')
  await vi.waitFor(() => expect(next.address).toBe('/login'), 20_000)
  expect(await next.screen.findByLabelText(/^Email address/)).toHaveValue(email)
})

test('ENR-005 ENR-006 joining does not depend on a stored prospect, nor on the check of the address that is typed', async () => {
  let failing = '/api/Members/Prospects/Email'
  const responder: Responder = ({ path }) => (path.startsWith(failing) ? { status: 500 } : undefined)
  const page = await openPage(app, 'gallonaire', '/', { responder })
  const { user, screen } = page
  const start = within((await mainOf(screen).findByRole('textbox')).closest('form') as HTMLElement)
  const typed = `unstored-${Date.now()}@example.com`
  await fill(user, start.getByRole('textbox'), typed)
  await user.click(start.getByRole('button'))
  await vi.waitFor(() => expect(page.address).toBe('/join'), 20_000)
  expect(await screen.findByLabelText(/^Email address/)).toHaveValue(typed)
  failing = '/api/Members/Validate/Email'
  await fill(user, screen.getByLabelText(/^Email address/), `unchecked-${typed}`)
  await fill(user, screen.getByLabelText(/^ZIP code/), '00000')
  await user.tab()
  // A later check has its result.
  expect(await screen.findByText('This ZIP code is not located in the U.S.')).toBeVisible()
  expect(page.calls('GET /api/Members/Validate/Email').at(-1)?.path).toContain('unchecked')
  expect(screen.getByLabelText(/^Email address/)).not.toHaveAttribute('aria-invalid', 'true')
})

test('ENR-008 a bank’s customer joins with the name and the address that the bank has, which are not checked for other accounts', async () => {
  const { visitor, email } = await signInBankCustomer(app, 'esme')
  const become = (type: string, zip: string) =>
    asOwner(app, 'update members set member_type = $2, zip_code = $3 where email = $1', [email, type, zip])
  await become('NonCardMember', '')
  onTestFinished(async () => {
    await become('EnrolledCardMember', '10001')
  })
  const page = await openPage(app, 'beacon', '/join', { visitor })
  const { screen, user } = page
  for (const [label, value] of [
    [/^First name/, 'Esme'],
    [/^Last name/, 'Okafor'],
    [/^Email address/, email],
  ] as const) {
    const field = screen.getByLabelText(label)
    expect(field).toHaveValue(value)
    expect(field).toHaveAttribute('readonly')
    await user.click(field)
    await user.tab()
  }
  const zip = screen.getByLabelText(/^ZIP code/)
  await fill(user, zip, '00000')
  await user.tab()
  // The check of this field comes after that of the others would.
  expect(await screen.findByText('This ZIP code is not located in the U.S.')).toBeVisible()
  expect(page.calls('GET /api/Members/Validate/Email')).toEqual([])
})

test('ENR-014 ENR-016 the join pages have no menu, offer a sign-in, and accept visitors whom an invitation sends', async () => {
  await openPage(app, 'gallonaire', '/')
  expect(barOf().getByRole('button', { name: /menu/i })).toBeVisible()
  for (const rfr of [0, 1, 2]) {
    const { screen } = await openPage(app, 'gallonaire', `/join?rfr=${rfr}`)
    expect(screen.getByLabelText(/^First name/)).toBeEnabled()
    expect(screen.getByLabelText(/^First name/)).not.toHaveAttribute('readonly')
    expect(barOf().queryByRole('button', { name: /menu/i, hidden: true })).toBeNull()
    expect(barLink('Sign in')).toBeVisible()
  }
})

test('ENR-009 a member who returns to the last step later is led on to the account', async () => {
  const member = await newMember(app, 'gallonaire')
  await linkCard(app, member)
  const page = await openPage(app, 'gallonaire', '/card_added', { visitor: member.visitor })
  await vi.waitFor(() => expect(page.address).toBe('/account/overview'), 20_000)
  // Back does not lead to that step again.
  expect(window.history).toHaveLength(1)
})

test('VAL-001 ENR-006 VAL-010 a field that only the server can check shows its error on blur', async () => {
  const { form } = await newMember(app, 'gallonaire')
  const { user, screen } = await openPage(app, 'gallonaire', '/join')
  await fill(user, screen.getByLabelText(/^Email address/), form.email)
  await fill(user, screen.getByLabelText(/^ZIP code/), '00000')
  await user.click(screen.getByLabelText(/^First name/))
  expect(
    await screen.findByText(
      'This email address already has an account. Sign in, or reset your password if you have none.',
    ),
  ).toBeVisible()
  expect(await screen.findByText('This ZIP code is not located in the U.S.')).toBeVisible()
  await fill(user, screen.getByLabelText(/^ZIP code/), '10001')
  await user.click(screen.getByLabelText(/^First name/))
  await vi.waitFor(() => expect(screen.queryByText('This ZIP code is not located in the U.S.')).toBeNull(), 20_000)
})

test('a member whose last card has moved to another program is told that, and can move it back', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  await asOwner(app, "update members set member_type = 'ClosedAccountMember' where email = $1", [form.email])
  const move = {
    id: '00000000-0000-4000-8000-000000000001',
    program: 'Skyharbor Miles Dining',
    description: 'Visa',
    lastFour: '4242',
    undoUntil: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const away = 'Your linked card now earns in another program, and your account here was closed.'
  const deleted = 'Your linked card was deleted, and your account was closed.'
  for (const [direction, text] of [
    ['away', away],
    ['here', deleted],
  ] as const) {
    const { screen } = await openPage(app, 'gallonaire', '/', {
      visitor,
      responder: ({ method, path }) =>
        method === 'GET' && path === '/api/Member/Cards/Moves' ? { body: [{ ...move, direction }] } : undefined,
    })
    expect(await screen.findByText(/4242/)).toBeVisible()
    expect(screen.getByText(text)).toBeVisible()
    expect(screen.queryByText(direction === 'away' ? deleted : away)).toBeNull()
  }
})

test('REEN-001 REEN-002 REEN-007 ROLE-008 SHELL-035 a member who has deleted the last card sees only the page to link a card again', async () => {
  const member = await newMember(app, 'gallonaire')
  const { visitor, form } = member
  await linkCard(app, member)
  const cards = await openPage(app, 'gallonaire', '/account/manage_cards', { visitor })
  await cards.user.click(cards.screen.getByRole('button', { name: /Delete and close account/ }))
  const dialog = within(await cards.screen.findByRole('dialog'))
  await cards.user.click(dialog.getByRole('button', { name: 'Delete and close account' }))
  const closed = await cards.follow()
  expect(closed.address).toBe('/')
  expect(await closed.screen.findByText('Your account is closed, and you have been signed out.')).toBeVisible()
  const login = await closed.goto('/login')
  await signInByForm(login, form.email)
  const heading = { name: 'Welcome back' }
  expect(await login.screen.findByRole('heading', heading)).toBeVisible()
  expect(login.screen.getByText('Your linked card was deleted, and your account was closed.')).toBeVisible()
  expect(login.screen.getByText('Link a card to reopen your account. Everything else is as you left it.')).toBeVisible()
  expect(login.screen.queryByRole('contentinfo')).toBeNull()
  for (const path of ['/', '/search?location=10001', '/account/overview', '/how-it-works']) {
    const { screen } = await openPage(app, 'gallonaire', path, { visitor })
    expect(await screen.findByRole('heading', heading)).toBeVisible()
    expect(screen.queryByRole('contentinfo')).toBeNull()
  }
  const page = await openPage(app, 'gallonaire', '/how-it-works', { visitor })
  const { user, screen } = page
  expect(await screen.findByRole('link', { name: 'Sign in later' })).toHaveAttribute('href', '/SignOut')
  expect(barOf().queryByRole('link', { name: 'Finish joining' })).toBeNull()
  // Nothing else leads into the program.
  expect(screen.queryByRole('button', { name: 'Back' })).toBeNull()
  expect(barLink('Sign out')).toHaveAttribute('href', '/SignOut')
  expect(mainOf(screen).getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy')
  // Accepted texts stay readable.
  await user.click(mainOf(screen).getByRole('link', { name: 'Program terms' }))
  await vi.waitFor(() => expect(page.address).toBe('/terms'), 20_000)
  await vi.waitFor(() => expect(screen.queryByRole('heading', heading)).toBeNull(), 20_000)
  expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
  page.back()
  expect(await screen.findByRole('heading', heading)).toBeVisible()
})
