import { within } from '@testing-library/dom'
import { beforeAll, expect, test, vi } from 'vitest'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { memberPassword, recoveryCodeOf } from '../support/members.ts'
import { openPage, type StubResponse, setUpPages } from '../support/page-dom.ts'
import { failureToast, failureToasts, fill, mainOf } from '../support/page-forms.ts'

const app = setUpPages()
beforeAll(() => withoutBotCheck('skyharbor', app))

let enrolledCount = 0

/** Creates a member as loaded from a partner's file; returns the public id. */
async function enrolled(partner: string): Promise<string> {
  const id = `enrolled${Date.now()}${enrolledCount++}`.padEnd(22, 'x').slice(0, 22)
  await asOwner(
    app,
    `insert into members (partner_id, public_id, referral_code, family_id, email, first_name, last_name, zip_code, tier_level)
     values ($1, $2, left(md5($2), 12), $2, $3, 'Ada', 'Enrolled', '10001', 'NonActivated')`,
    [partner, id, `${id}@example.com`],
  )
  return id
}

test('ERR-010 ACT-006 ACT-007 ACT-010 ACT-011 ACT-013 ROUTE-001 ROLE-003 an invited member sees the invitation, activates, and gets a confirmation', async () => {
  const publicId = await enrolled('skyharbor')
  let stub: StubResponse | undefined = { status: 500, body: {} }
  const responder = ({ path }: { path: string }) => {
    if (path !== '/api/Member/Activate') return
    const given = stub
    stub = undefined
    return given
  }
  const page = await openPage(app, 'skyharbor', `/?publicId=${publicId}`, { responder })
  const { user, screen } = page
  await user.click(mainOf(screen).getByRole('link', { name: 'Activate my account' }))
  await vi.waitFor(() => expect(page.address).toBe(`/activate?publicId=${publicId}`), 20_000)
  expect(await screen.findByRole('heading', { name: 'Activate your dining account' })).toBeVisible()
  const button = await screen.findByRole('button', { name: 'Activate my account' })
  await user.click(button)
  expect(await failureToast()).toHaveTextContent(
    /There was an error activating your account\. Please contact customer support\. 1-800-555-0141/,
  )
  const title = 'This invitation has expired. Please open the link in our message again.'
  stub = {
    status: 401,
    body: { type: 'urn:x', title, status: 401, code: 'activationRejected', reference: 'r' },
  }
  await user.click(button)
  expect(await screen.findByText(new RegExp(`^${title} There was an error activating your account`))).toBeVisible()
  // It replaces the error before.
  expect(failureToasts()).toBe(1)
  const { length } = window.history
  await user.click(button)
  await vi.waitFor(() => expect(page.address).toBe(`/activate/activated?publicId=${publicId}`), 20_000)
  expect(await screen.findByRole('heading', { name: 'Active, from this minute' })).toBeVisible()
  expect(window.history).toHaveLength(length)
  expect(await screen.findByText(/^No password yet\?/)).toBeVisible()
  expect(mainOf(screen).getByRole('link', { name: 'Set a password' })).toHaveAttribute('href', '/recover')
  // Later the same link cannot activate anything.
  const later = await openPage(app, 'skyharbor', `/activate?publicId=${publicId}`, { visitor: page.visitor })
  await vi.waitFor(() => expect(later.address).toMatch(/^\/(join|login)\?rfr=[234]$/), 20_000)
})

test('ACT-013 a member who is not activated sees the invitation also where the front page is Discover', async () => {
  for (const [partner, label] of [
    ['beacon', 'Activate my membership'],
    ['orchard', 'Open my account'],
  ] as const) {
    const publicId = await enrolled(partner)
    const page = await openPage(app, partner, `/?publicId=${publicId}`)
    await page.user.click(mainOf(page.screen).getByRole('link', { name: label }))
    await vi.waitFor(() => expect(page.address).toBe(`/activate?publicId=${publicId}`), 20_000)
  }
})

test('ACT-003 ENR-016 a member whose account has no password learns how to set one', async () => {
  const publicId = await enrolled('skyharbor')
  await asOwner(
    app,
    "update members set tier_level = 'OptedIn', active = true, has_web_profile = false where public_id = $1",
    [publicId],
  )
  const email = `${publicId}@example.com`
  const page = await openPage(app, 'skyharbor', `/activate?publicId=${publicId}`)
  const { user, screen } = page
  await vi.waitFor(() => expect(page.address).toBe('/join?rfr=2'), 20_000)
  const note = await vi.waitFor(() => {
    const found = screen
      .getAllByRole('status')
      .find(({ textContent }) => /You already have an account/.test(`${textContent}`))
    if (!found) throw new Error('no note')
    return found
  }, 20_000)
  expect(note).toHaveTextContent('It has no password yet.')
  expect(screen.getByLabelText(/^First name/)).toHaveValue('Ada')
  await fill(user, screen.getByLabelText(/^Email address/), email)
  await user.click(screen.getByLabelText(/^Last name/))
  expect(
    await screen.findByText(
      'This email address already has an account. Sign in, or reset your password if you have none.',
    ),
  ).toBeVisible()
  await user.click(within(note).getByRole('link', { name: 'Set a password' }))
  await vi.waitFor(() => expect(page.address).toBe('/recover'), 20_000)
  const send = await screen.findByRole('button', { name: 'Send me a code' })
  await fill(user, screen.getByLabelText(/^Email address/), email)
  await user.click(send)
  await vi.waitFor(() => expect(page.address).toBe('/recover/confirm'), 20_000)
  const code = await recoveryCodeOf(app, email)
  const linked = await page.goto(`/recover/confirm#code=${code}`)
  await linked.user.click(linked.screen.getByRole('button', { name: 'Continue' }))
  expect(await linked.screen.findByText(/When you save it, you are signed out everywhere\./)).toBeVisible()
  for (const name of [/^New password/, /^Confirm new password/])
    await fill(linked.user, linked.screen.getByLabelText(name), memberPassword)
  await linked.user.click(linked.screen.getByRole('button', { name: 'Save new password' }))
  expect(await linked.screen.findByRole('heading', { name: 'Password changed' })).toBeVisible()
  // Without the invitation the form is anyone's.
  const join = await linked.goto('/join')
  expect(join.screen.getByLabelText(/^First name/)).toHaveValue('')
})

test('ROUTE-001 ACT-001 ACT-002 ACT-009 a visitor without an invitation is redirected to join, and unknown addresses are not found', async () => {
  for (const [path, target] of [
    ['/activate', '/join?rfr=0'],
    ['/activate?publicId=AAAAAAAAAAAAAAAAAAAAAA', '/join?rfr=1'],
    ['/activate?publicId=not-an-id', '/join?rfr=1'],
    ['/activate/', '/join?rfr=0'],
    ['/activate/elsewhere', '/join?rfr=0'],
  ] as const) {
    const page = await openPage(app, 'skyharbor', path)
    await vi.waitFor(() => expect(page.address).toBe(target), 20_000)
  }
  const statusOf = async (partner: string, path: string) =>
    (await visit(app, partner).get(path, { accept: 'text/html' })).status
  expect(await statusOf('skyharbor', '/activate/elsewhere?publicId=AAAAAAAAAAAAAAAAAAAAAA')).toBe(404)
  expect(await statusOf('lantern', '/activate')).toBe(404)
})
