import { createElement } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { AccountLayout } from '../../src/account/pages/member/AccountLayout.tsx'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { memberPassword, newMember, type Visitor } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { barLink, fill, findMainLink, mainOf, signInByForm } from '../support/page-forms.ts'
import { renderText } from '../support/render-part.tsx'
import { addCard } from '../support/rewards-harness.ts'

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

/** Returns the text of the newest email with a recovery code, from the outbox of the staging tools. */
const recoveryEmail = (visitor: Visitor, email: string): Promise<string> =>
  vi.waitFor(async () => {
    const { mails } = (await visitor.get('/api/staging/outbox')).json<{
      mails: { recipient: string; text: string }[]
    }>()
    const found = mails.find(({ recipient, text }) => recipient === email && text.includes('/recover/confirm#code='))
    if (!found) throw new Error('no email yet')
    return found.text
  }, 20_000)

const idOf = async (email: string): Promise<number> => {
  const [row] = await asOwner<{ id: number }>(app, 'select id::int from members where email = $1', [email])
  return row?.id ?? 0
}

test('ROUTE-016 RECV-001 RECV-008 RECV-011 SESS-009 a locked member is led to recovery, gets a link by email, and signs in with a new password', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  await visitor.get('/SignOut')
  const page = await openPage(app, 'gallonaire', '/login', { visitor })
  const { user, screen } = page
  const reaches = (address: string) => vi.waitFor(() => expect(page.address).toBe(address), 20_000)
  const sendEmpty = async () => {
    await user.clear(screen.getByLabelText(/^Email address/))
    await user.click(mainOf(screen).getByRole('button', { name: 'Sign in' }))
    await screen.findByText('Enter your email address.')
  }
  for (let attempt = 0; attempt < 5; attempt++) {
    await signInByForm(page, form.email, 'not this one')
    const message = attempt < 4 ? 'Invalid user name or password' : 'Your account is locked for 30 minutes.'
    await vi.waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(message), 20_000)
    expect(page.calls('POST /api/SignIn')).toHaveLength(attempt + 1)
    await vi.waitFor(() => expect(mainOf(screen).getByRole('button', { name: 'Sign in' })).toBeEnabled(), 20_000)
  }
  const reset = () => screen.queryByRole('link', { name: 'Reset your password now' })
  expect(reset()).toBeVisible()
  await sendEmpty()
  expect(reset()).toBeNull()
  await signInByForm(page, form.email, 'not this one')
  await user.click(await screen.findByRole('link', { name: 'Reset your password now' }))
  await reaches('/recover')
  const send = await screen.findByRole('button', { name: 'Send me a code' })
  await fill(user, screen.getByLabelText(/^Email address/), form.email)
  await user.click(send)
  await reaches('/recover/confirm')
  const link = /http:\/\/[^/\s]+(\S+#code=\S+)/.exec(await recoveryEmail(visitor, form.email))?.[1] ?? ''
  const linked = await openPage(app, 'gallonaire', link, { visitor })
  const { length } = window.history
  // No input is needed, and the address no longer contains the code.
  expect(await linked.screen.findByText(/^Continue to check your link/)).toBeVisible()
  expect(linked.screen.queryByLabelText(/^Code/)).toBeNull()
  await vi.waitFor(() => expect(window.location.href).toMatch(/\/recover\/confirm$/), 20_000)
  await linked.user.click(linked.screen.getByRole('button', { name: 'Continue' }))
  await vi.waitFor(() => expect(linked.address).toBe('/recover/update'), 20_000)
  const choose = async (password: string) => {
    await fill(linked.user, await linked.screen.findByLabelText(/^New password/), password)
    await fill(linked.user, linked.screen.getByLabelText(/^Confirm new password/), password)
    await linked.user.click(linked.screen.getByRole('button', { name: 'Save new password' }))
  }
  const member = await idOf(form.email)
  await asOwner(
    app,
    `insert into passkeys (partner_id, member_id, credential_id, public_key, counter, name)
     values ('gallonaire', $1, 'before', '', 0, 'Laptop')`,
    [member],
  )
  await addCard(app.database.pools.forPartner('gallonaire'), member)
  await choose('password1')
  expect(await linked.screen.findByText('This password is too common. Please choose another one.')).toBeVisible()
  await choose('chanterelles on toast')
  await vi.waitFor(() => expect(linked.address).toBe('/recover/success'), 20_000)
  expect(await linked.screen.findByText(/^Passkeys removed: 1\./)).toBeVisible()
  expect(linked.screen.getByText(/^Linked cards: 1\./)).toBeVisible()
  // Back does not lead to a code or a form that has been used.
  expect(window.history).toHaveLength(length)
  await linked.user.click(await findMainLink(linked.screen, 'Sign in'))
  await signInByForm(linked, form.email, 'chanterelles on toast')
  await vi.waitFor(() => expect(linked.address).toBe('/add_card'), 20_000)
})

test('RECV-002 RECV-005 a wrong name, a wrong code and an expired recovery each show an error with the next step', async () => {
  const visitor = visit(app, 'skyharbor')
  const request = await openPage(app, 'skyharbor', '/recover', { visitor })
  await fill(request.user, request.screen.getByLabelText(/^Email address or Skyharbor number/), 'ada')
  await request.user.click(request.screen.getByRole('button', { name: 'Send me a code' }))
  expect(await request.screen.findByText('Please enter a valid email address or Skyharbor number.')).toBeVisible()
  expect(request.calls('POST /api/Members/Recover')).toEqual([])

  const confirm = await openPage(app, 'skyharbor', '/recover/confirm', { visitor })
  await fill(confirm.user, confirm.screen.getByLabelText(/^Code/), '0000-0000')
  await confirm.user.click(confirm.screen.getByRole('button', { name: 'Continue' }))
  expect(await confirm.screen.findByText(/^This code doesn’t work\./)).toBeVisible()
  expect(confirm.screen.getByLabelText(/^Code/)).toHaveAccessibleDescription(/This code doesn’t work\./)
  expect(confirm.screen.getByLabelText(/^Code/)).toHaveFocus()
  // What was typed stays, so that it can be corrected.
  expect(confirm.screen.getByLabelText(/^Code/)).toHaveValue('0000-0000')

  // A link that no longer works leaves an empty field for the digits.
  const linked = await openPage(app, 'skyharbor', '/recover/confirm#code=1111-1111', { visitor })
  expect(await linked.screen.findByText(/^Continue to check your link/)).toBeVisible()
  await linked.user.click(linked.screen.getByRole('button', { name: 'Continue' }))
  expect(await linked.screen.findByText(/^This code doesn’t work\./)).toBeVisible()
  expect(linked.screen.getByLabelText(/^Code/)).toHaveValue('')
  await linked.user.click(linked.screen.getByRole('link', { name: 'Send me a new code' }))
  await vi.waitFor(() => expect(linked.address).toBe('/recover'), 20_000)
  const late = await openPage(app, 'skyharbor', '/recover/update', { visitor })
  expect(late.screen.getByText('This took too long. Please ask for a new code.')).toBeVisible()
})

test('RECV-001 the six digits of the email are entered where they were requested, and the success page alone claims nothing', async () => {
  // Signed in with another password than the forgotten one, such as the one that the browser has stored.
  const { visitor, form } = await newMember(app, 'gallonaire')
  const success = await openPage(app, 'gallonaire', '/recover/success', { visitor })
  expect(success.screen.getByText(/No password was changed here\./)).toBeVisible()
  expect(success.screen.getByRole('heading', { level: 1 })).toHaveTextContent('No new password')
  expect(document.title).toMatch(/^No new password/)
  const page = await openPage(app, 'gallonaire', '/recover', { visitor })
  const { user, screen } = page
  const enterDigits = async (used: string) => {
    await fill(user, await screen.findByLabelText(/^Email address/), form.email)
    await user.click(screen.getByRole('button', { name: 'Send me a code' }))
    await vi.waitFor(() => expect(page.address).toBe('/recover/confirm'), 20_000)
    const digits = await vi.waitFor(async () => {
      const [found = ''] = /\b\d{6}\b/.exec(await recoveryEmail(visitor, form.email)) ?? []
      expect(found).not.toBe(used)
      return found
    }, 20_000)
    await fill(user, await screen.findByLabelText(/^Code/), `${digits.slice(0, 3)} ${digits.slice(3)}`)
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await vi.waitFor(() => expect(page.address).toBe('/recover/update'), 20_000)
    return digits
  }
  const choose = async () => {
    for (const name of [/^New password/, /^Confirm new password/])
      await fill(user, await screen.findByLabelText(name), 'chanterelles on toast')
    await user.click(screen.getByRole('button', { name: 'Save new password' }))
  }
  const digits = await enterDigits('')
  // The member takes longer than a code is valid.
  await asOwner(
    app,
    `update recoveries set expires_at = now() - interval '1 minute'
     where member_id = (select id from members where email = $1)`,
    [form.email],
  )
  await choose()
  expect(await screen.findByText('This took too long. Please ask for a new code.')).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Send me a new code' }))
  await enterDigits(digits)
  await choose()
  expect(await screen.findByRole('heading', { name: 'Password changed' })).toBeVisible()
  // It ended every session, this one too.
  expect(barLink('Sign in')).toBeVisible()
})

test('RECV-003 RECV-007 ROUTE-033 programs without direct enrollment have no recovery pages', async () => {
  for (const partner of ['beacon', 'lantern']) {
    for (const path of ['/recover', '/recover/confirm', '/recover/update', '/recover/success', '/fix_credentials']) {
      const { status } = await visit(app, partner).get(path, { accept: 'text/html' })
      expect([path, status]).toEqual([path, 404])
    }
  }
})

test('RECV-006 ROUTE-022 a member with flagged credentials enters an own email address before anything else', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const { email } = form
  await asOwner(app, 'update members set must_fix_credentials = true where email = $1', [email])
  await visitor.get('/SignOut')
  const login = await openPage(app, 'gallonaire', '/login', { visitor })
  await signInByForm(login, email, memberPassword)
  await vi.waitFor(() => expect(login.address).toBe('/fix_credentials'), 20_000)
  // The account is blocked until this step is done.
  const page = await openPage(app, 'gallonaire', '/account/overview', { visitor })
  const { user, screen } = page
  expect(page.address).toBe('/fix_credentials')
  const { length } = window.history
  await fill(user, screen.getByLabelText(/^New email address/), `own-${email}`)
  await fill(user, screen.getByLabelText(/^Confirm new email address/), `other-${email}`)
  await user.click(screen.getByRole('button', { name: 'Save and continue' }))
  expect(await screen.findByText('The email addresses do not match.')).toBeVisible()
  await fill(user, screen.getByLabelText(/^Confirm new email address/), `own-${email}`)
  await user.click(screen.getByRole('button', { name: 'Save and continue' }))
  expect(await screen.findByText(`Your email address is now own-${email}.`)).toBeVisible()
  await vi.waitFor(() => expect(page.address).toBe('/add_card'), 20_000)
  expect(window.history).toHaveLength(length)
})

test('RECV-006 RECV-015 every account page leads a member with flagged credentials to a new address, and back', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  await asOwner(app, 'update members set must_fix_credentials = true where email = $1', [form.email])
  const pages = 'overview recent_activity reservations manage_cards user_profile security privacy missing_meal'.split(
    ' ',
  )
  for (const page of [...pages, 'verify_email', 'manage_cards?from=mail']) {
    const path = `/account/${page}`
    const { status, headers } = await visitor.get(path, { accept: 'text/html' })
    const back = page === 'overview' ? '' : `?returnTo=${encodeURIComponent(path)}`
    expect([path, status, headers.location]).toEqual([path, 302, `/fix_credentials${back}`])
  }
  expect((await visitor.get('/search', { accept: 'text/html' })).status).toBe(200)
})

test('RECV-015 an account page that opens without a new document does not show its content either', () => {
  const shown = (mustFixCredentials: boolean) =>
    renderText(createElement(AccountLayout, null, 'Content'), { member: { publicId: 'ada', mustFixCredentials } })
  expect(shown(true)).toBe('')
  // Counterpart: for any other member it renders on, up to the links of the program, which are not loaded here.
  expect(() => shown(false)).toThrow('suspended')
})

test('RECV-009 the profile says how email and password are changed and changes neither', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const { screen } = await openPage(app, 'gallonaire', '/account/user_profile', { visitor })
  expect(screen.getByText(/To change your email address, contact us at .* or call 1-800/)).toBeVisible()
  expect(screen.getByText('Change your password under “Sign-in & security”.')).toBeVisible()
  // This DOM gives password fields no role.
  const fields = [
    ...screen.queryAllByRole('textbox', { name: /password|email/i }),
    ...document.querySelectorAll('input[type=password]'),
  ]
  expect(fields).not.toEqual([])
  for (const field of fields) expect(field).toBeDisabled()
  const security = await openPage(app, 'gallonaire', '/account/security', { visitor })
  expect(security.screen.getByText('Changing your password signs you out on all other devices.')).toBeVisible()
})
