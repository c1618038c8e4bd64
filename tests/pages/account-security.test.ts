import { within } from '@testing-library/dom'
import { beforeAll, expect, test, vi } from 'vitest'
import { visit, withoutBotCheck } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { fill, signInByForm } from '../support/page-forms.ts'

const app = setUpPages()
beforeAll(() => withoutBotCheck('gallonaire', app))

const passwordFields = () => [...document.querySelectorAll<HTMLInputElement>('input[autocomplete=new-password]')]

test('API-007 ENR-003 a member changes the password, and the browser sends it cut to 56 characters', async () => {
  const { visitor, form } = await newMember(app, 'gallonaire')
  const page = await openPage(app, 'gallonaire', '/account/security', { visitor })
  const password = 'another kettle of fish '.repeat(3)
  for (const field of passwordFields()) await fill(page.user, field, password)
  await page.user.click(page.screen.getByRole('button', { name: 'Change password' }))
  expect(await page.screen.findByText('Your password was changed.')).toBeVisible()
  expect(page.calls('PUT /api/Member').map(({ body }) => body.password)).toEqual([password.slice(0, 56)])
  await visitor.get('/SignOut')
  const login = await page.goto('/login')
  await signInByForm(login, form.email, password)
  await vi.waitFor(() => expect(login.address).toBe('/add_card'), 20_000)
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
  const page = await openPage(app, 'gallonaire', '/account/security', { visitor })
  const { user, screen } = page
  const remembered = () =>
    screen.queryAllByRole('listitem').filter(({ textContent }) => textContent?.includes('Stays signed in'))
  const sessions: { remembered: boolean; beganAt: string }[] = (await visitor.get('/api/Member/Sessions')).json()
  const beganAt = new Date(sessions.find((session) => session.remembered)?.beganAt ?? '')
  const moment = beganAt.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
  expect(remembered()).toHaveLength(1)
  expect(remembered()[0]).toHaveTextContent(`Since ${moment}, with your password`)
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere else' }))
  expect(await screen.findByText('You’re now signed in only here.')).toBeVisible()
  await vi.waitFor(() => expect(remembered()).toEqual([]), 20_000)
  const ended = await openPage(app, 'gallonaire', '/account/security', { visitor: elsewhere })
  expect(ended.address).toMatch(/login/)
})
