import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { newMember } from '../support/members.ts'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'
import { fill, signInByForm } from '../support/page-forms.ts'

// A second attempt after a canceled, failed or outdated one.

const app = setUpPages()

const problem = (status: number, code: string) => ({
  status,
  body: { type: `urn:dineback:${code}`, title: 'Not possible', status, code, reference: 'r' },
})

test('a canceled re-authentication shows no error, and the next attempt asks again', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const responder: Responder = ({ path }) =>
    path === '/api/Member/Export' ? problem(403, 'reauthRequired') : undefined
  const { user, screen } = await openPage(app, 'gallonaire', '/account/privacy', { visitor, responder })
  for (const way of ['button', 'Escape']) {
    await user.click(await screen.findByRole('button', { name: 'Download my data' }))
    const dialog = await screen.findByRole('dialog')
    await vi.waitFor(() => expect(dialog).toHaveAttribute('open'), 20_000)
    if (way === 'Escape') await user.keyboard('{Escape}')
    else await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  }
  await screen.findByRole('button', { name: 'Download my data' })
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a passkey whose re-authentication was canceled shows no error, and its name stays for the next attempt', async () => {
  const { visitor } = await newMember(app, 'gallonaire')
  const responder: Responder = ({ method, path }) =>
    method === 'POST' && path.startsWith('/api/Member/Passkeys') ? problem(403, 'reauthRequired') : undefined
  const { user, screen } = await openPage(app, 'gallonaire', '/account/security', { visitor, responder })
  const name = await screen.findByLabelText(/^Name of this device/)
  await user.type(name, 'My laptop')
  await user.click(screen.getByRole('button', { name: 'Add a passkey' }))
  const dialog = await screen.findByRole('dialog', { name: 'Confirm it’s you' })
  // This browser has no passkeys.
  expect(within(dialog).queryByRole('button', { name: 'Use a passkey' })).toBeNull()
  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 20_000)
  await screen.findByRole('button', { name: 'Add a passkey' })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(name).toHaveValue('My laptop')
})

test('a password and an account whose re-authentication was canceled stay, without an error', async () => {
  const { visitor } = await newMember(app)
  const responder: Responder = ({ method, path }) =>
    (method === 'PUT' && path === '/api/Member') || path === '/api/Member/Delete'
      ? problem(403, 'reauthRequired')
      : undefined
  const page = await openPage(app, 'skyharbor', '/account/security', { visitor, responder })
  const cancel = async ({ screen, user }: typeof page) => {
    const dialog = await screen.findByRole('dialog', { name: 'Confirm it’s you' })
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await vi.waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm it’s you' })).toBeNull(), 20_000)
    expect(screen.queryByRole('alert')).toBeNull()
  }
  const fields = () => [...document.querySelectorAll<HTMLInputElement>('input[autocomplete=new-password]')]
  for (const field of fields()) await fill(page.user, field, 'chanterelles on toast')
  await page.user.click(page.screen.getByRole('button', { name: 'Change password' }))
  await cancel(page)
  expect(page.screen.queryByText('Your password was changed.')).toBeNull()
  expect(fields().map(({ value }) => value)).toEqual(['chanterelles on toast', 'chanterelles on toast'])

  const privacy = await page.goto('/account/privacy')
  await privacy.user.click(privacy.screen.getByRole('button', { name: 'Delete my account' }))
  const dialog = within(await privacy.screen.findByRole('dialog', { name: 'Delete your account' }))
  await privacy.user.type(dialog.getByLabelText(/^Type DELETE/), 'DELETE')
  await privacy.user.click(dialog.getByRole('button', { name: 'Delete now' }))
  await cancel(privacy)
  expect([privacy.address, privacy.screen.queryByText('Your account has been deleted.')]).toEqual([
    '/account/privacy',
    null,
  ])
})

test('an address that was corrected while it was checked is not marked as taken', async () => {
  let respond = () => {}
  const responder: Responder = async ({ path }) => {
    if (!path.includes('Validate/Email')) return
    if (path.includes('free')) return { body: { isValid: true } }
    await new Promise<void>((resolve) => {
      respond = resolve
    })
    return { body: { isValid: false } }
  }
  const page = await openPage(app, 'gallonaire', '/join', { responder })
  const { user, screen } = page
  const email = await screen.findByLabelText(/^Email address/)
  await fill(user, email, 'taken@example.com')
  await user.tab()
  await vi.waitFor(() => expect(page.calls('GET /api/Members/Validate/Email')).toHaveLength(1), 20_000)
  await fill(user, email, 'free@example.com')
  await user.tab()
  await vi.waitFor(() => expect(page.calls('GET /api/Members/Validate/Email')).toHaveLength(2), 20_000)
  respond()
  // The response to a later request comes after that one.
  await fill(user, email, 'also-free@example.com')
  await user.tab()
  await vi.waitFor(() => expect(page.calls('GET /api/Members/Validate/Email')).toHaveLength(3), 20_000)
  expect(email).not.toHaveAttribute('aria-invalid', 'true')
})

test('a flag whose change failed is shown as it was, and the others as they were changed', async () => {
  const responder: Responder = ({ method, path, body }) => {
    if (method === 'GET' || !path.startsWith('/api/staging/')) return
    return body.name === 'joinMaintenance' ? { body: true } : problem(500, 'internal')
  }
  const { user, screen } = await openPage(app, 'skyharbor', '/staging-tools', { responder, tolerated: /500/ })
  const flag = await screen.findByRole('checkbox', { name: /sign-in/i })
  const other = screen.getByRole('checkbox', { name: /joining/i })
  expect(flag).not.toBeChecked()
  await user.click(other)
  await user.click(flag)
  await screen.findByText('Something went wrong. Please try again in a moment.')
  expect(flag).not.toBeChecked()
  expect(other).toBeChecked()
})

test('Back after signing in leads to the page before the sign-in page', async () => {
  const { visitor, form } = await newMember(app, 'skyharbor')
  await visitor.get('/api/SignOut')
  const page = await openPage(app, 'skyharbor', '/how-it-works', { visitor })
  await page.user.click(
    within(page.screen.getByRole('banner')).getAllByRole('link', { name: 'Sign in' })[0] as HTMLElement,
  )
  await vi.waitFor(() => expect(page.address).toBe('/login'), 20_000)
  await signInByForm(page, form.email)
  await vi.waitFor(() => expect(page.address).not.toBe('/login'), 20_000)
  page.back()
  await vi.waitFor(() => expect(page.address).toBe('/how-it-works'), 20_000)
})
