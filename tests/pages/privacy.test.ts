import { within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { asOwner, withoutBotCheck } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { openPage, type Responder, setUpPages } from '../support/page-dom.ts'

const app = setUpPages()

test('the effect of an opt-out is shown before it is confirmed, and every consent can be read later', async () => {
  const { visitor } = await newMember(app)
  let page = await openPage(app, 'skyharbor', '/account/privacy', { visitor })
  const offers = () => page.screen.getByLabelText('Offers by email')
  const findDialog = async () => {
    const dialog = await page.screen.findByRole('dialog', { name: 'You would earn less' })
    expect(dialog).toHaveTextContent('earn 3 miles per dollar. Without them, you earn 1 mile per dollar')
    return within(dialog)
  }
  const tier = async () => (await visitor.get('/api/Member')).json().tierLevel
  expect(offers()).toBeChecked()
  await page.user.click(offers())
  await page.user.click((await findDialog()).getByRole('button', { name: 'Keep emails' }))
  await vi.waitFor(() => expect(page.screen.queryByRole('dialog')).toBeNull(), 20_000)
  expect(offers()).toBeChecked()
  expect(await tier()).toBe('OptedIn')
  await page.user.click(offers())
  await page.user.click((await findDialog()).getByRole('button', { name: 'Stop emails' }))
  expect(await page.screen.findByText('Saved.')).toBeVisible()
  await vi.waitFor(() => expect(offers()).toBeEnabled(), 20_000)
  expect(offers()).not.toBeChecked()
  expect(await tier()).toBe('OptedOut')
  await page.user.click(page.screen.getByText('Everything you agreed to'))
  expect(await page.screen.findByText(/^No, .* GMT, on this page\. Version [0-9a-f]{12}\.$/)).toBeVisible()
  expect(page.screen.getAllByText(/^Yes, .* GMT, when you joined\. Version/)[0]).toBeVisible()
  // A member who had none agrees: the page knows the new rate at once.
  page = await page.goto('/account/privacy')
  await page.user.click(offers())
  expect(await page.screen.findByText('Saved.')).toBeVisible()
  await vi.waitFor(() => expect(offers()).toBeChecked(), 20_000)
  await vi.waitFor(() => expect(offers()).toBeEnabled(), 20_000)
  await page.user.click(offers())
  await page.user.click((await findDialog()).getByRole('button', { name: 'Keep emails' }))
  // The profile changes the same consent: this page knows it when the member comes back.
  const menu = within(page.screen.getByRole('navigation', { name: 'Account' }))
  await page.user.click(menu.getByRole('link', { name: 'Profile' }))
  await page.user.click(await page.screen.findByLabelText(/^Email me/))
  await page.user.click(page.screen.getByRole('button', { name: 'Save changes' }))
  expect(await page.screen.findByText('All changes were saved.')).toBeVisible()
  await page.user.click(menu.getByRole('link', { name: 'Privacy' }))
  expect(await page.screen.findByLabelText('Offers by email')).not.toBeChecked()
})

test('a member whose rate does not depend on emails sees that before the opt-out', async () => {
  const { visitor, form } = await newMember(app)
  await asOwner(app, "update members set tier_level = 'VIP' where email = $1", [form.email])
  const { user, screen } = await openPage(app, 'skyharbor', '/account/privacy', { visitor })
  await user.click(screen.getByLabelText('Offers by email'))
  const dialog = await screen.findByRole('dialog', { name: 'Offers by email' })
  expect(dialog).toHaveTextContent('You will no longer get offers by email. You still earn 5 miles per dollar')
})

test('texts cannot be enabled without a phone number', async () => {
  const { visitor } = await newMember(app)
  const { user, screen } = await openPage(app, 'skyharbor', '/account/privacy', { visitor })
  await user.click(screen.getByLabelText('Offers by text message'))
  expect(await screen.findByText('We don’t have a phone number to text you at.')).toBeVisible()
  expect(screen.getByLabelText('Offers by text message')).not.toBeChecked()
})

test('texts are turned off without a question, and a choice that could not be saved is shown as it was', async () => {
  const { visitor, form } = await newMember(app)
  const phone = "update members set phone_number = '2125550100', sms_opt_in = true where email = $1"
  await asOwner(app, phone, [form.email])
  let fails = true
  const { user, screen } = await openPage(app, 'skyharbor', '/account/privacy', {
    visitor,
    responder: ({ method, path }) =>
      fails && method !== 'GET' && path === '/api/Member/Consents' ? { status: 500 } : undefined,
  })
  const texts = screen.getByLabelText('Offers by text message')
  await user.click(texts)
  expect(await screen.findByText(/Something went wrong/)).toBeVisible()
  expect([screen.queryByText('Saved.'), screen.queryByRole('dialog')]).toEqual([null, null])
  await vi.waitFor(() => expect(texts).toBeEnabled(), 20_000)
  expect(texts).toBeChecked()
  fails = false
  await user.click(texts)
  expect(await screen.findByText('Saved.')).toBeVisible()
  await vi.waitFor(() => expect(texts).not.toBeChecked(), 20_000)
  expect((await visitor.get('/api/Member')).json()).toMatchObject({ smsOptIn: false, emailOptIn: true })
})

test('a member downloads the stored data and deletes the account by typing DELETE', async () => {
  await withoutBotCheck('gallonaire', app)
  const { visitor, form } = await newMember(app, 'gallonaire')
  const failing = new Set(['/api/Member/Export'])
  const responder: Responder = ({ path }) => (failing.has(path) ? { status: 500 } : undefined)
  let page = await openPage(app, 'gallonaire', '/account/privacy', { visitor, responder })
  const files = vi.spyOn(URL, 'createObjectURL')
  await page.user.click(page.screen.getByRole('button', { name: 'Download my data' }))
  expect(await page.screen.findByText(/Something went wrong/)).toBeVisible()
  failing.clear()
  await page.user.click(page.screen.getByRole('button', { name: 'Download my data' }))
  await vi.waitFor(() => expect(files).toHaveBeenCalledOnce(), 20_000)
  const file = files.mock.calls[0]?.[0] as Blob
  expect(JSON.parse(await file.text()).data.members[0].email).toBe(form.email)
  // Another file has what has changed since.
  await asOwner(app, "update members set first_name = 'Augusta' where email = $1", [form.email])
  await page.user.click(page.screen.getByRole('button', { name: 'Download my data' }))
  await vi.waitFor(() => expect(files).toHaveBeenCalledTimes(2), 20_000)
  const later = files.mock.calls[1]?.[0] as Blob
  expect(JSON.parse(await later.text()).data.members[0].first_name).toBe('Augusta')
  const open = async () => {
    await page.user.click(page.screen.getByRole('button', { name: 'Delete my account' }))
    return within(await page.screen.findByRole('dialog', { name: 'Delete your account' }))
  }
  await page.user.click((await open()).getByRole('button', { name: 'Keep my account' }))
  await vi.waitFor(() => expect(page.screen.queryByRole('dialog')).toBeNull(), 20_000)
  const dialog = await open()
  await page.user.type(dialog.getByLabelText(/^Type DELETE/), 'please')
  await page.user.click(dialog.getByRole('button', { name: 'Delete now' }))
  expect(await dialog.findByText('Please type DELETE.')).toBeVisible()
  await page.user.clear(dialog.getByLabelText(/^Type DELETE/))
  await page.user.type(dialog.getByLabelText(/^Type DELETE/), 'DELETE')
  failing.add('/api/Member/Delete')
  await page.user.click(dialog.getByRole('button', { name: 'Delete now' }))
  expect(await dialog.findByText(/Something went wrong/)).toBeVisible()
  expect(page.address).toBe('/account/privacy')
  failing.clear()
  await page.user.click(await dialog.findByRole('button', { name: 'Delete now' }))
  expect(await page.screen.findByText('Your account has been deleted.')).toBeVisible()
  await vi.waitFor(() => expect(page.address).toBe('/'), 20_000)
  const banner = within(page.screen.getByRole('banner'))
  expect((await banner.findAllByRole('link', { name: 'Sign in' }))[0]).toBeVisible()
  // The visitor can use forms at once: the token of the old session causes no error.
  page = await page.goto('/login')
  await page.user.type(page.screen.getByLabelText(/^Email address/), form.email)
  await page.user.type(page.screen.getByLabelText(/^Password/), form.password)
  await page.user.click(page.screen.getByRole('button', { name: 'Sign in' }))
  expect(await page.screen.findByRole('alert')).toHaveTextContent('Invalid user name or password')
})
