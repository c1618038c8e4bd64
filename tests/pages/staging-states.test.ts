import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { visit } from '../support/app.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

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
