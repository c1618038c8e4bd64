import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { visit } from '../support/app.ts'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'
import { failureToast, failureToasts } from '../support/page-forms.ts'

const app = setUpPages()

const problem = (status: number, code: string) => ({
  status,
  body: { type: `urn:dineback:${code}`, title: 'Not possible', status, code, reference: 'r' },
})

test('each program is offered the tools that its members need', async () => {
  const offers = async (partner: string, path: string) =>
    (await openPage(app, partner, path)).screen.getAllByRole('heading').map(({ textContent }) => textContent)
  const [members, file] = ['Members', 'Members enrolled by the partner']
  const listed = async (partner: string) => {
    const headings = await offers(partner, '/staging-tools/states')
    return [headings.includes(members), headings.includes(file)]
  }
  expect([await listed('skyharbor'), await listed('gallonaire'), await listed('lantern')]).toEqual([
    [true, true],
    [true, false],
    [false, false],
  ])
  // Cards of the partner, where it may load them.
  const cards = async (partner: string) => (await offers(partner, '/staging-tools')).includes('Partner cards')
  expect([await cards('gallonaire'), await cards('skyharbor')]).toEqual([true, false])
})

test('a member that was made, or loaded with a file, is listed with its state', async () => {
  const page = await openPage(app, 'skyharbor', '/staging-tools/states')
  const { user, screen } = page
  const facts = (email: string) =>
    vi.waitFor(() => {
      const item = screen
        .getAllByRole('listitem')
        .find((each) => each.textContent.includes(email) && within(each).queryByRole('button'))
      return (
        /active: (?:yes|no), web profile: (?:yes|no)/.exec(item?.textContent ?? '')?.[0] ??
        Promise.reject(new Error(email))
      )
    }, 20_000)
  for (const [state, active, profile, made] of [
    ['Activated, no web profile', 'yes', 'no', /^Made: (withoutwebprofile-\S+), without a password$/],
    ['Not active, with a web profile', 'no', 'yes', /^Made: (inactive-\S+), password “.+”$/],
  ] as const) {
    await user.selectOptions(screen.getByLabelText('State'), state)
    await user.click(screen.getByRole('button', { name: 'Make a member' }))
    const email = made.exec((await screen.findByText(made)).textContent)?.[1] ?? ''
    expect([state, await facts(email)]).toEqual([state, `active: ${active}, web profile: ${profile}`])
  }
  const email = `listed-${Date.now()}@example.com`
  const line = JSON.stringify({ email, firstName: 'Grace', lastName: 'Hopper', zipCode: '10001' })
  await user.upload(screen.getByLabelText('File'), new File([line], 'members.ndjson'))
  expect(await facts(email)).toBe('active: no, web profile: yes')
})

test('the page of the simulated app shows what the browser is now, and the last message to the app', async () => {
  const visitor = visit(app, 'gallonaire')
  const page = await openPage(app, 'gallonaire', '/staging-tools/native', { visitor })
  expect(page.screen.queryByText(/^Nothing yet/)).not.toBeNull()
  visitor.cookies.set('native_app', encodeURIComponent('DinebackApp/2.1.0 (ios)'))
  sessionStorage.setItem('native_bridge', 'the-public-id')
  const { screen } = await page.goto('/staging-tools/native')
  expect(screen.getByLabelText('Platform')).toHaveValue('ios')
  expect(screen.getByLabelText(/^Version/)).toHaveValue('2.1.0')
  await screen.findByText('the-public-id')
})

test('a tool whose call failed says so, and changes nothing on its page', async () => {
  const responder: Responder = ({ method, path }) =>
    method !== 'GET' && path.startsWith('/api/staging/') ? problem(500, 'internal') : undefined
  // At least one member is listed.
  const made = await visit(app, 'skyharbor').change('POST', '/api/staging/members', { state: 'withoutCard' })
  expect(made.status).toBe(200)
  const page = await openPage(app, 'skyharbor', '/staging-tools/states', { responder, tolerated: /500/ })
  const { user, screen } = page
  const clock = screen.getByText(/^Real time: /).textContent
  const flag = screen.getByLabelText('authFlags: joinMaintenance')
  const [become] = await screen.findAllByRole('button', { name: /^Sign in as this member/ })
  for (const [call, act] of [
    ['POST /api/staging/activations', () => user.upload(screen.getByLabelText('File'), new File(['{}'], 'a.ndjson'))],
    ['POST /api/staging/members', () => user.click(screen.getByRole('button', { name: 'Make a member' }))],
    ['POST /api/staging/session', () => user.click(become as HTMLElement)],
    ['PUT /api/staging/clock', () => user.click(screen.getByRole('button', { name: '+7 days' }))],
    ['PUT /api/staging/flags', () => user.click(flag)],
  ] as const) {
    await act()
    await vi.waitFor(() => expect([call, page.calls(call).length]).toEqual([call, 1]), 20_000)
    const alert = within(await failureToast())
    await user.click(alert.getByRole('button'))
    expect([call, failureToasts(), page.left]).toEqual([call, 0, null])
  }
  expect(screen.queryByText(/^Made: /)).toBeNull()
  expect(flag).not.toBeChecked()
  expect(screen.getByText(/^Real time: /).textContent).toBe(clock)
})

test('sample cards need a member: a visitor stays on the page and is told, and a member sees that they are loaded', async () => {
  let isMember = false
  const responder: Responder = ({ path }) => {
    if (!path.endsWith('/staging/partner-cards')) return
    return isMember ? { body: { loaded: true } } : problem(401, 'unauthorized')
  }
  const page = await openPage(app, 'gallonaire', '/staging-tools', { responder, tolerated: /401/ })
  const { user, screen } = page
  const load = screen.getByRole('button', { name: 'Load three cards' })
  await user.click(load)
  await failureToast()
  expect([page.address, page.left]).toEqual(['/staging-tools', null])
  isMember = true
  await user.click(load)
  await screen.findByText(/^Three cards are loaded\./)
})
