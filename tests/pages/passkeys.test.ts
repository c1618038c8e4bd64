import { within } from '@testing-library/dom'
import { beforeAll, expect, test, vi } from 'vitest'
import { withoutBotCheck } from '../support/app.ts'
import { memberPassword, newMember } from '../support/members.ts'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'
import { failureToast, fill } from '../support/page-forms.ts'

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

const problem = (status: number, code: string, title: string) => ({
  status,
  body: { type: `urn:dineback:${code}`, title, status, code, reference: 'r' },
})

/** Adds an authenticator to the page, because this DOM has none. Its user closes each dialog, or confirms with `id`. */
function addAuthenticator(id?: string) {
  const authenticate = vi.fn(async () => {
    if (id === undefined) throw new DOMException('closed', 'NotAllowedError')
    const buffer = () => new TextEncoder().encode(id).buffer
    const signed = { clientDataJSON: buffer(), authenticatorData: buffer(), signature: buffer(), userHandle: null }
    const response = { ...signed, attestationObject: buffer() }
    return { id, rawId: buffer(), type: 'public-key', response, getClientExtensionResults: () => ({}) }
  })
  class PublicKeyCredential {}
  vi.stubGlobal('PublicKeyCredential', PublicKeyCredential)
  Object.assign(window, { PublicKeyCredential })
  Object.defineProperty(navigator, 'credentials', {
    value: { get: authenticate, create: authenticate },
    configurable: true,
  })
  return authenticate
}

const challenge = { challenge: 'AAAA', rpId: 'gallonaire.localhost', allowCredentials: [] }

test('a passkey shows when it was used; one that could not be removed stays, and one that was removed elsewhere goes', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const used = { id: '00000000-0000-4000-8000-000000000001', name: 'My phone', usedAt: '2026-02-03T12:00:00.000Z' }
  const unused = { id: '00000000-0000-4000-8000-000000000002', name: 'My laptop', usedAt: null }
  let passkeys = [used, unused].map((passkey) => ({ ...passkey, createdAt: '2026-01-01T12:00:00.000Z' }))
  let removal: Awaited<ReturnType<Responder>> = problem(500, 'internal', 'Something went wrong.')
  const responder: Responder = ({ method, path }) => {
    if (!path.startsWith('/api/Member/Passkeys')) return
    return method === 'DELETE' ? removal : { body: passkeys }
  }
  // The document of the page has no stub: a page that is reached within the app requests the list.
  const page = await openPage(app, 'gallonaire', '/account/user_profile', { visitor, responder })
  const { user, screen } = page
  const menu = within(screen.getByRole('navigation', { name: 'Account' }))
  await user.click(menu.getByRole('link', { name: 'Sign-in & security' }))
  await screen.findByRole('button', { name: 'Remove My phone' })
  const rows = () => screen.getAllByRole('listitem').filter(({ textContent }) => textContent.includes('Remove My'))
  const remove = (name: string) => user.click(screen.getByRole('button', { name: `Remove ${name}` }))
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining(`Last used ${new Date(used.usedAt).toLocaleDateString('en-US', { dateStyle: 'medium' })}`),
    expect.stringContaining('Not used yet'),
  ])
  await remove('My phone')
  expect(await failureToast()).toHaveTextContent('Something went wrong')
  expect(rows()).toHaveLength(2)
  expect(screen.queryByText('Passkey removed.')).toBeNull()
  removal = problem(404, 'passkeyNotFound', 'This passkey no longer exists.')
  passkeys = passkeys.filter(({ name }) => name === 'My laptop')
  await remove('My phone')
  expect(await screen.findByText('This passkey no longer exists.')).toBeVisible()
  await vi.waitFor(() => expect(rows()).toHaveLength(1), 20_000)
  removal = { body: true }
  passkeys = []
  await remove('My laptop')
  expect(await screen.findByText('Passkey removed.')).toBeVisible()
  expect(await screen.findByText('You don’t have any passkeys yet.')).toBeVisible()
  const removed = page.calls('DELETE /api/Member/Passkeys').map(({ path }) => path.split('?id=')[1])
  expect(removed).toEqual([used.id, used.id, unused.id])
})

test('a member signs in with a passkey for as long as chosen, and returns to the requested page', async () => {
  let isRejected = true
  const responder: Responder = ({ path }) => {
    if (path === '/api/SignIn/Passkey/Options') return { body: challenge }
    if (path !== '/api/SignIn/Passkey') return
    if (isRejected) return problem(401, 'passkeyRejected', 'This passkey doesn’t match an account here.')
    return { body: { publicId: 'x', memberType: 'NonCardMember', csrfToken: 'x', mustFixCredentials: false } }
  }
  const page = await openPage(app, 'gallonaire', '/login?returnTo=%2Fhow-it-works', { responder })
  const { user, screen } = page
  const signIn = () => user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))
  const sent = () => page.calls('POST /api/SignIn/Passkey').map(({ body }) => body)
  addAuthenticator()
  await signIn()
  expect(await screen.findByText('The passkey wasn’t used. You can try again.')).toBeVisible()
  expect(sent()).toEqual([])
  addAuthenticator('my-passkey')
  await signIn()
  expect(await screen.findByText('This passkey doesn’t match an account here.')).toBeVisible()
  expect(screen.queryByText('The passkey wasn’t used. You can try again.')).toBeNull()
  isRejected = false
  await user.click(screen.getByLabelText('Keep me signed in on this device'))
  await signIn()
  await vi.waitFor(() => expect(page.address).toBe('/how-it-works'), 20_000)
  expect(sent().map(({ rememberMe, credential }) => [rememberMe, credential.id])).toEqual([
    [false, 'my-passkey'],
    [true, 'my-passkey'],
  ])
})

test('a member proves the password, as long as it is, or a passkey; the error of one is not left for the other', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  let isProven = false
  const responder: Responder = ({ path }) => {
    if (path === '/api/SignIn/Passkey/Options') return { body: challenge }
    if (path === '/api/Member/Export') return isProven ? { body: {} } : problem(403, 'reauthRequired', 'Confirm.')
  }
  const page = await openPage(app, 'gallonaire', '/account/privacy', { visitor, responder })
  addAuthenticator()
  const files = vi.spyOn(URL, 'createObjectURL')
  await page.user.click(page.screen.getByRole('button', { name: 'Download my data' }))
  const dialog = within(await page.screen.findByRole('dialog', { name: 'Confirm it’s you' }))
  const prove = async (password: string) => {
    await fill(page.user, dialog.getByLabelText(/^Password/), password)
    await page.user.click(dialog.getByRole('button', { name: 'Continue' }))
  }
  await prove('not this one '.repeat(6))
  expect(await dialog.findByText('This password is incorrect.')).toBeVisible()
  await page.user.click(dialog.getByRole('button', { name: 'Use a passkey' }))
  expect(await dialog.findByText('The passkey wasn’t used. You can try again.')).toBeVisible()
  expect(files).not.toHaveBeenCalled()
  isProven = true
  await prove(memberPassword)
  await vi.waitFor(() => expect(files).toHaveBeenCalledOnce(), 20_000)
  await vi.waitFor(() => expect(page.screen.queryByRole('dialog')).toBeNull(), 20_000)
  expect(page.calls('POST /api/Member/Prove').map(({ body }) => body.password)).toEqual([
    'not this one '.repeat(6),
    memberPassword,
  ])
})

test('a member confirms an irreversible action with a passkey, and the action is done', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  let isProven = false
  const responder: Responder = ({ path }) => {
    if (path === '/api/SignIn/Passkey/Options') return { body: challenge }
    if (path === '/api/SignIn/Passkey') {
      isProven = true
      return { body: { publicId: 'x', memberType: 'NonCardMember', csrfToken: 'x', mustFixCredentials: false } }
    }
    if (path === '/api/Member/Export') return isProven ? { body: {} } : problem(403, 'reauthRequired', 'Confirm.')
  }
  const { user, screen } = await openPage(app, 'gallonaire', '/account/privacy', { visitor, responder })
  addAuthenticator('my-passkey')
  const files = vi.spyOn(URL, 'createObjectURL')
  await user.click(screen.getByRole('button', { name: 'Download my data' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
  await user.click(dialog.getByRole('button', { name: 'Use a passkey' }))
  await vi.waitFor(() => expect(files).toHaveBeenCalledOnce(), 20_000)
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
})

test('a passkey that was not created says so, and one that was is listed, with an empty field for the next one', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const creation = { challenge: 'AAAA', rp: { name: 'x' }, user: { id: 'AAAA', name: 'x' }, pubKeyCredParams: [] }
  const created = { id: '00000000-0000-4000-8000-000000000003', usedAt: null, createdAt: '2026-01-01T12:00:00.000Z' }
  const passkeys: object[] = []
  const responder: Responder = ({ method, path, body }) => {
    if (path === '/api/Member/Passkeys/Options') return { body: creation }
    if (!path.startsWith('/api/Member/Passkeys')) return
    if (method === 'POST') passkeys.push({ ...created, name: body.name })
    return { body: method === 'POST' ? passkeys[0] : passkeys }
  }
  const page = await openPage(app, 'gallonaire', '/account/security', { visitor, responder })
  const { user, screen } = page
  const name = await screen.findByLabelText(/^Name of this device/)
  await user.type(name, 'My laptop')
  const add = () => user.click(screen.getByRole('button', { name: 'Add a passkey' }))
  addAuthenticator()
  await add()
  expect(await screen.findByText('The passkey wasn’t used. You can try again.')).toBeVisible()
  expect([page.calls('POST /api/Member/Passkeys'), (name as HTMLInputElement).value]).toEqual([[], 'My laptop'])
  addAuthenticator('my-passkey')
  await add()
  expect(await screen.findByText('Your passkey is ready.')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Remove My laptop' })).toBeVisible()
  expect(name).toHaveValue('')
  expect(screen.queryByText('The passkey wasn’t used. You can try again.')).toBeNull()
})
