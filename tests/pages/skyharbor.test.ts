import { expect, test } from 'vitest'
import { openPage, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

test('SESS-007 SESS-008 SESS-010 a wrong password shows an error, and the right one signs in', async () => {
  const { user, screen } = await openPage(app, 'skyharbor', '/login')
  await user.type(screen.getByLabelText(/Email address or/), 'unknown@example.com')
  await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'wrong password 1')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Invalid user name or password')
  // This DOM has no passkeys.
  await user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))
  expect(await screen.findByText('This browser doesn’t support passkeys.')).toBeVisible()
})

test('ACCT-018 ROLE-015 an account page sends a visitor to sign in and then returns to it', async () => {
  const page = await openPage(app, 'skyharbor', '/account/manage_cards')
  expect(page.address).toBe('/login?returnTo=%2Faccount%2Fmanage_cards')
})
