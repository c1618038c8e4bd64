import { within } from '@testing-library/dom'
import { beforeAll, expect, test, vi } from 'vitest'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { newMember, signIn, type Visitor } from '../support/members.ts'
import { openPage, type Responder, type StubResponse, setUpPages } from '../support/page-dom.ts'
import { fill, signInByForm } from '../support/page-forms.ts'
import { signInBankCustomer } from '../support/page-members.ts'

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

const passwordFields = () => [...document.querySelectorAll<HTMLInputElement>('input[autocomplete=new-password]')]

test('API-007 ENR-003 VAL-024 a member changes the password: one of 57 characters stays in its field and is refused, one of 56 is sent whole', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const page = await openPage(app, 'gallonaire', '/account/security', { visitor })
  const long = 'another kettle of fish '.repeat(3).slice(0, 57)
  for (const field of passwordFields()) await fill(page.user, field, long)
  await page.user.tab()
  expect(await page.screen.findByText('Use 8 to 56 characters.')).toBeVisible()
  expect(passwordFields().map(({ value }) => value)).toEqual([long, long])
  const password = long.slice(0, 56)
  for (const field of passwordFields()) await fill(page.user, field, password)
  await page.user.click(page.screen.getByRole('button', { name: 'Change password' }))
  expect(await page.screen.findByText('Your password was changed.')).toBeVisible()
  expect(passwordFields().map(({ value }) => value)).toEqual(['', ''])
  expect(page.calls('PUT /api/Member').map(({ body }) => body.password)).toEqual([password])
  await visitor.get('/SignOut')
  const login = await page.goto('/login')
  await signInByForm(login, form.email, password)
  await vi.waitFor(() => expect(login.address).toBe('/add_card'), 20_000)
})

test('a bank customer confirms an irreversible action at the bank, and returns to the same page', async () => {
  const { visitor } = await signInBankCustomer(app, 'bo')
  const responder: Responder = ({ path }) =>
    path === '/api/Member/Export'
      ? { status: 403, body: { type: 'urn:x', title: 'x', status: 403, code: 'reauthRequired', reference: 'r' } }
      : undefined
  const { user, screen } = await openPage(app, 'beacon', '/account/privacy', { visitor, responder })
  await user.click(screen.getByRole('button', { name: 'Download my data' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
  expect(dialog.getByRole('link')).toHaveAttribute('href', '/Login?reauth=1&returnTo=%2Faccount%2Fprivacy')
})

test('changing the password lists all errors at once, as other forms do', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const { user, screen } = await openPage(app, 'gallonaire', '/account/security', { visitor })
  const [password, confirmation] = passwordFields() as [HTMLInputElement, HTMLInputElement]
  await fill(user, password, 'kettle')
  await fill(user, confirmation, 'kettles')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  const alert = await within(screen.getByRole('main')).findByRole('alert')
  expect(within(alert).getAllByRole('link')).toHaveLength(2)
  expect(password).toHaveFocus()
})

test('a member sees where the account is signed in and ends a session from elsewhere', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const elsewhere = visit(app, 'gallonaire')
  const phone = await openPage(app, 'gallonaire', '/login', { visitor: elsewhere })
  await phone.user.click(phone.screen.getByLabelText('Keep me signed in on this device'))
  await signInByForm(phone, form.email)
  await vi.waitFor(() => expect(phone.address).toBe('/add_card'), 20_000)
  const third = visit(app, 'gallonaire')
  expect((await signIn(third, form.email)).status).toBe(200)
  const page = await openPage(app, 'gallonaire', '/account/security', { visitor })
  const { user, screen } = page
  const remembered = () =>
    screen.queryAllByRole('listitem').filter(({ textContent }) => textContent?.includes('Stays signed in'))
  const sessions: { remembered: boolean; beganAt: string }[] = (await visitor.get('/api/Member/Sessions')).json()
  const beganAt = new Date(sessions.find((session) => session.remembered)?.beganAt ?? '')
  const moment = beganAt.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
  expect(remembered()).toHaveLength(1)
  expect(remembered()[0]).toHaveTextContent(`Since ${moment}, with your password`)
  const statusOf = async (who: Visitor) => (await who.get('/api/Member')).status
  const other = screen.getAllByRole('listitem').find((item) => {
    const { queryByRole, queryByText } = within(item)
    return queryByRole('button', { name: /^Sign out/ }) && !queryByText('Stays signed in')
  })
  await user.click(within(other as HTMLElement).getByRole('button', { name: /^Sign out/ }))
  expect(await screen.findByText('You’re signed out there.')).toBeVisible()
  await vi.waitFor(() => expect(other).not.toBeInTheDocument(), 20_000)
  expect([await statusOf(third), await statusOf(elsewhere), await statusOf(visitor)]).toEqual([401, 200, 200])
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere else' }))
  expect(await screen.findByText('You’re now signed in only here.')).toBeVisible()
  await vi.waitFor(() => expect(remembered()).toEqual([]), 20_000)
  expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  const ended = await openPage(app, 'gallonaire', '/account/security', { visitor: elsewhere })
  expect(ended.address).toMatch(/login/)
})

test('SESS-022 signing out everywhere else names the passkeys that still sign in', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  expect((await signIn(visit(app, 'gallonaire'), form.email)).status).toBe(200)
  await asOwner(
    app,
    `insert into passkeys (partner_id, member_id, credential_id, public_key, counter, name)
     select partner_id, id, name || id, '', 0, name from members, unnest(array['Laptop', 'Red phone']) name
     where email = $1`,
    [form.email],
  )
  const { user, screen } = await openPage(app, 'gallonaire', '/account/security', { visitor })
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere else' }))
  expect(await screen.findByText(/These passkeys still work: Laptop, Red phone\./)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Remove Red phone' })).toBeVisible()
})

test('a session that could not be ended stays in the list, one that has ended goes, and a later visit shows new ones', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const third = visit(app, 'gallonaire')
  expect((await signIn(third, form.email)).status).toBe(200)
  let stub: StubResponse | undefined = { status: 500 }
  const page = await openPage(app, 'gallonaire', '/account/security', {
    visitor,
    responder: ({ method, path }) =>
      method === 'DELETE' && path.startsWith('/api/Member/Sessions') ? stub : undefined,
  })
  const { user, screen } = page
  // Browsers of tests do not say what they are.
  const count = () => screen.queryAllByText('Unknown browser', { selector: 'strong' }).length
  // The button is busy until the list is loaded again.
  const end = async () => user.click(await screen.findByRole('button', { name: 'Sign out Unknown browser' }))
  expect(count()).toBe(2)
  await end()
  expect(await screen.findByText(/Something went wrong/)).toBeVisible()
  expect([count(), screen.queryByText('You’re signed out there.')]).toEqual([2, null])
  // It has ended meanwhile.
  stub = undefined
  await third.get('/SignOut')
  await end()
  expect(await screen.findByText('You’re no longer signed in there.')).toBeVisible()
  await vi.waitFor(() => expect(count()).toBe(1), 20_000)
  const menu = within(screen.getByRole('navigation', { name: 'Account' }))
  await user.click(menu.getByRole('link', { name: 'Profile' }))
  await screen.findByRole('heading', { level: 2, name: 'Profile' })
  expect((await signIn(third, form.email)).status).toBe(200)
  await user.click(menu.getByRole('link', { name: 'Sign-in & security' }))
  await vi.waitFor(() => expect(count()).toBe(2), 20_000)
})

test('only the session that is being ended is busy', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  for (let count = 0; count < 2; count++) expect((await signIn(visit(app, 'gallonaire'), form.email)).status).toBe(200)
  const held = Promise.withResolvers<void>()
  const { user, screen } = await openPage(app, 'gallonaire', '/account/security', {
    visitor,
    responder: async ({ method, path }) => {
      if (method === 'DELETE' && path.startsWith('/api/Member/Sessions')) await held.promise
      return undefined
    },
  })
  const [first, second] = screen.getAllByRole('button', { name: 'Sign out Unknown browser' })
  const others = screen.getByRole('button', { name: 'Sign out everywhere else' })
  await user.click(first as HTMLElement)
  await vi.waitFor(() => expect(first).toHaveAttribute('aria-disabled', 'true'), 20_000)
  expect([second, others].map((button) => button?.getAttribute('aria-disabled'))).toEqual([null, null])
  held.resolve()
  await screen.findByText('You’re signed out there.')
  await vi.waitFor(() => expect(screen.getAllByRole('button', { name: /^Sign out Unknown/ })).toEqual([second]), 20_000)
})

test('a bank customer has sessions to end here, and no password or passkey', async () => {
  const { visitor } = await signInBankCustomer(app, 'cleo')
  const { screen } = await openPage(app, 'beacon', '/account/security', { visitor })
  expect(screen.getAllByText(/^Since .*, with Beacon/)).not.toEqual([])
  expect(screen.queryByRole('heading', { name: /Passkeys|Password/ })).toBeNull()
})

test('the button that ends a session of an unknown browser says so', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const elsewhere = visit(app, 'gallonaire')
  const login = await openPage(app, 'gallonaire', '/login', { visitor: elsewhere })
  await signInByForm(login, form.email)
  await vi.waitFor(() => expect(login.address).toBe('/add_card'), 20_000)
  // Requests of tests have no user agent.
  const page = await openPage(app, 'gallonaire', '/account/security', { visitor })
  expect(await page.screen.findByRole('button', { name: 'Sign out Unknown browser' })).toBeVisible()
})
